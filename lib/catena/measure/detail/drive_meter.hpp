// What constraints supply that move by themselves: with M v' + G^T lambda = f and G v + g_t = 0 (rows of velocities:
// A v + a = 0) the constraint forces -G^T lambda have the power -lambda . G v = lambda . g_t (lambda . a).
#pragma once
#include <catena/assembly/parts/body_system.hpp>

#include <vector>

namespace catena::detail {

// Constraints with rows that are driven (model/rows/meaning.hpp).
std::vector<ConstraintId> driven_constraints(const Model& model);

// Of a system of bodies the constraints with rows that are driven (model/rows/meaning.hpp). Of a system in its own
// coordinates all rows.
class DriveMeter {
 public:
  // The system outlives it.
  explicit DriveMeter(const System& system);

  // Constraints that may supply power.
  static int count(const System& system);
  // Whether one of them moved where the last powers were taken.
  bool moving() const { return moving_; }

  // q: as in State, of bodies seven coordinates with unit quaternions; lambda, discrete: as in State. out: of every
  // constraint its power [W]. Allocates nothing. Not for two threads at once.
  void operator()(double t, const double* q, const double* lambda, const double* discrete, double* out);

 private:
  void evaluate(double t, const double* q, const double* discrete);

  const System& system_;
  const bool bodies_;
  ElementLayout elements_;
  std::vector<const PoolGroups*> stages_;  // with driven rows
  std::vector<int> constraints_;           // with such stages
  std::vector<double> at_rest_, rates_;    // v = 0; of rows at v = 0
  bool moving_ = false;
  const LaneFunctions* functions_ = &lane_functions();
};

}  // namespace catena::detail
