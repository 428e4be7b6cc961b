// Runs a mechanism in angles beside its twin in maximal coordinates and measures how far their attitudes part.
#pragma once
#include <catena/model/model.hpp>
#include <catena/sparse/linear_solver.hpp>
#include <catena/system/system.hpp>

#include <string>
#include <vector>

namespace catena::detail {

// The attitudes of all bodies at every step end of a run in maximal coordinates.
struct AttitudeReference {
  double h = 0.0;                            // [s]
  std::vector<std::vector<Quat>> attitudes;  // of step 1, 2, ...; fewer than wanted: the run failed
};

// By dormand_prince, of order 5: with the same step its error is far below that of the runs that it is for.
AttitudeReference attitude_reference(Model model, double h, double end);

struct AttitudeRun {
  double error = 0.0;  // largest angle between attitudes of a body, over all step ends and bodies [rad]
  double energy_error = 0.0;  // largest relative one of the run in angles
  double t_end = 0.0;         // [s]
  // The error after every step, and the coordinates.
  std::vector<double> errors;
  std::vector<std::vector<double>> q;
  std::string culprit;  // of the run in angles
  int switches = 0;     // changes of the discrete state
  Status status = Status::ok;

  // What one would call a result: it ended, and is less than 0.1 rad wrong.
  bool useful() const { return status == Status::ok && error <= 0.1; }
};

// By runge_kutta_4 with the step of the reference, to its end or to a failure. backend empty: the library's own.
AttitudeRun attitude_run(const System& angles, const AttitudeReference& reference,
                         LinearSolverFactory backend = {});

// The angle by which two orientations differ [rad].
double angle_between(const Quat& a, const Quat& b);

}  // namespace catena::detail
