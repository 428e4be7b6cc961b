// One instant of a run as a row of numbers, and where in the row each quantity stands.
#pragma once
#include <catena/assembly/reaction_meter.hpp>
#include <catena/driver/sink.hpp>
#include <catena/measure/measured_system.hpp>

#include <memory>
#include <string>
#include <vector>

namespace catena {

// A quantity as a window into rows: count blocks of `block` numbers, the first at column `start`, each `stride` columns
// behind the one before.
struct RecordWindow {
  std::string path;  // in the schema, see result_fields.hpp
  int start = 0, stride = 1, count = 1, block = 1;
  int axes = 0;        // of one instant: 0 a number, 1 count * block numbers, 2 count x block
  bool whole = false;  // whole numbers

  int columns() const { return count * block; }
};

using RecordSources = MeasureSources;

class Recorder {
 public:
  // The system outlives it.
  Recorder(const System& system, RecordSources sources);

  int width() const { return width_; }
  const std::vector<RecordWindow>& windows() const { return windows_; }
  const std::vector<ReactionSide>& sides() const;

  // Fills what the state says. row: width() numbers. Allocates nothing for systems of bodies.
  void take(const State& state, const Outcome& outcome, double* row);
  // Fills the rest, which follows from what is there. Another thread may do this meanwhile, one at a time.
  void complete(double* row);

 private:
  int window(const char* path, int axes, int count, int block, bool whole = false);
  void windows_of_bodies();
  void take_bodies(const State& state, double* row) const;
  void complete_bodies(double* row);
  RigidBodyState body_in(const double* row, int body) const;

  const System& system_;
  const BodySystem* model_system_ = nullptr;  // null: in its own coordinates
  bool seven_velocities_ = false;             // bodies in seven coordinates
  RecordSources sources_;
  std::vector<RecordWindow> windows_;
  int width_ = 0, q_size_ = 0, bodies_ = 0;
  std::vector<int> block_of_body_;  // of a model; -1: fixed
  // Of the moving bodies, close together: every row goes through all of them.
  struct Inertia {
    double mass;
    Mat3 inertia;
  };
  std::vector<Inertia> inertia_;
  int time_ = 0, step_ = 0, energy_ = 0, momentum_ = -1, residuals_ = 0, q_ = 0, v_ = 0, a_ = 0, lambda_ = 0;
  int discrete_ = -1, own_bodies_ = -1, rates_ = -1, reactions_ = -1, points_ = -1;
  std::unique_ptr<ReactionMeter> reactions_meter_;
  std::unique_ptr<ResidualMeter> meter_;
  std::vector<double> unit_q_;
};

}  // namespace catena
