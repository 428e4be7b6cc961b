// The contract of a problem: something to run, with what is known about its solution.
#pragma once
#include <catena/math/option.hpp>
#include <catena/model/model.hpp>
#include <catena/system/system.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace catena {

// What to run it with when the user says nothing.
struct ProblemDefaults {
  std::string stepper;  // name in the catalog of steppers
  double step = 1e-3;   // [s]
  double end = 1.0;     // [s]
};

// A quantity that the exact motion keeps.
struct Invariant {
  std::string name;  // "energy", "angular momentum about world z", ...
  std::string unit;
  double value = 0.0;  // along the motion that starts in the initial state
  std::string reason;  // why it is kept, and how far the value is known
};

// A point fixed in a body, which references and plots speak of.
struct ObservedPoint {
  std::string name;
  int body = 0;               // number of the body in the model
  Vec3 point = Vec3::Zero();  // body frame, from the centre of mass [m]
};

// Known digits of the solution.
struct Reference {
  double t = 0.0;             // [s]
  std::string subject;        // name of a body (its centre of mass) or of an observed point;
                              // "coordinates" of a system in its own ones
  std::string quantity;       // "position [m]", "velocity [m/s]" (world frame), "quaternion" (w, x, y, z); of
                              // coordinates "q", "v"
  std::vector<double> value;  // nan where a component is not known
  int digits = 0;             // decimals after the point that hold in every component given
  std::string source;
};

class Problem {
 public:
  virtual ~Problem() = default;

  virtual std::string summary() const = 0;  // one line
  // Lists the parameters; a visitor may change them. Call it before model().
  virtual void visit(OptionVisitor& visitor) = 0;

  // Where a random problem keeps the seed of its numbers: equal seeds give equal bits. Null: nothing in it is random.
  virtual std::uint64_t* seed() { return nullptr; }

  // The mechanism with the present parameters, in its initial state. Throws ModelError for parameters that
  // make none. Problems in their own coordinates return an empty model and a system instead.
  virtual Model model() const { return {}; }
  virtual std::unique_ptr<System> own_system() const { return nullptr; }

  virtual ProblemDefaults defaults() const = 0;
  virtual std::vector<ObservedPoint> observed_points() const { return {}; }
  // Both for the present parameters; empty where nothing is known for them.
  virtual std::vector<Invariant> invariants() const { return {}; }
  virtual std::vector<Reference> references() const { return {}; }
  // All bodies of the model at t [s], in its order, where a formula gives the motion for the present parameters.
  virtual std::optional<std::vector<RigidBodyState>> exact_bodies(double t) const {
    (void)t;
    return std::nullopt;
  }
};

// A problem as a catalog holds it.
struct ProblemEntry {
  std::string name;                                // as typed by the user
  std::function<std::unique_ptr<Problem>()> make;  // with the default parameters
};

}  // namespace catena
