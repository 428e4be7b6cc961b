// The motion of a run at given instants, and how far two motions are apart.
#pragma once
#include <catena/driver/sink.hpp>
#include <catena/system/system.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace catena::detail {

// What of a motion is compared.
enum class Part : std::uint8_t { position, rotation, velocity, angular_velocity, multipliers };
inline constexpr std::size_t part_count = 5;
inline constexpr std::array<Part, part_count> all_parts{Part::position, Part::rotation, Part::velocity,
                                                        Part::angular_velocity, Part::multipliers};
// own: of a system in its own coordinates, which has coordinates and rates in units of its own.
const char* name_of(Part part, bool own);  // "position", "coordinates"
const char* unit_of(Part part, bool own);  // "m"; "": its own

// By part; nan: not known, or there is none.
class Errors {
 public:
  Errors();
  double& operator[](Part part) { return values_[static_cast<std::size_t>(part)]; }
  double operator[](Part part) const { return values_[static_cast<std::size_t>(part)]; }
  void raise_to(
      const Errors& more);  // each to the larger one; nan counts where it comes first and only there

 private:
  std::array<double, part_count> values_;
};

struct MotionSample {
  bool reached = false;
  std::vector<RigidBodyState> bodies = {};  // of the model; empty: own coordinates
  std::vector<double> q = {}, v = {};       // own coordinates alone
  std::vector<double> lambda = {};          // of the constraints of the model; empty: not known
};

struct SampledMotion {
  std::vector<double> instants;  // [s] ascending, the last is the end
  std::vector<MotionSample> samples;

  SampledMotion() = default;
  explicit SampledMotion(std::vector<double> at) : instants(std::move(at)), samples(instants.size()) {}
  bool own() const { return !samples.empty() && samples.back().reached && samples.back().bodies.empty(); }
  // Of an instant, to within 1e-9 of the whole; -1: none of these.
  int find(double t) const;
};

// Largest over bodies: of centres of mass [m], of the angle between orientations [rad], of velocities [m/s], of angular
// velocities in the frame of the body [rad/s]; over rows: of multipliers. Own coordinates: of q and v as they are.
Errors distance(const MotionSample& one, const MotionSample& other);
// Largest over the instants that both have reached.
Errors largest_distance(const SampledMotion& one, const SampledMotion& other);
// How far the motion goes from where it begins; of velocities and multipliers their largest size.
Errors extent(const SampledMotion& motion, const MotionSample& start);

// The sample of a state; multipliers: as they are there.
MotionSample sample_of(const System& system, const State& state);

// Fills a motion during a run. Multipliers that belong to an instant inside of the step (Traits::lambda_at) are brought to
// its end by the line through those of the last two steps.
class MotionSampler : public Sink {
 public:
  MotionSampler(SampledMotion& motion, const Traits& traits) : motion_(motion), traits_(traits) {}
  void begin(const System& system) override { system_ = &system; }
  void accept(const State& state, const Outcome& outcome) override;
  // Every accepted state, in order.
  void see(const State& state);

 private:
  std::vector<double> at_end_of_step() const;

  SampledMotion& motion_;
  const Traits traits_;
  const System* system_ = nullptr;
  struct Seen {
    double t = 0.0;
    std::vector<double> lambda = {};
  };
  std::vector<Seen> seen_;  // the last three at most
};

}  // namespace catena::detail
