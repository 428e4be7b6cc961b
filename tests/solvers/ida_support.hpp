// Runs of ida for its tests.
#pragma once
#include <catena/assembly/quaternion_system.hpp>
#include <catena/problems/problem.hpp>
#include <catena/solvers/ida.hpp>

#include "support/residual.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace catena_test::ida {

using namespace catena;
using Options = IdaOptions;
using Form = Options::Form;
using Vector = std::vector<double>;
inline constexpr std::array all_forms{Form::index1, Form::gear_gupta_leimkuhler, Form::dummy_derivatives};

using catena_test::distance;
using catena_test::largest;

// Tolerances of all kinds.
inline Options with(Form form, double rtol, double atol) {
  Options o;
  o.form = form;
  o.rtol = rtol;
  o.atol = atol;
  return o;
}

// A system, a started state and the stepper between them.
struct Run {
  Run(const System& s, const Options& options) : system(s), stepper(options), state(s.initial_state()) {
    REQUIRE(stepper.attach(system).status == Status::ok);
    const Outcome started = stepper.start(state, h);
    REQUIRE_MESSAGE(started.status == Status::ok, started.culprit.name, " ", started.culprit.quantity);
  }
  // Steps that the stepper chooses, the last one to `end`. False: a step failed, see `outcome`.
  bool reach(double end) {
    while (state.t < end) {
      outcome = stepper.step(state, std::min(h, end - state.t));
      if (outcome.status != Status::ok) return false;
      h = outcome.h_next;
      worst_position = std::max(worst_position, residual(&Evaluation::position));
      worst_velocity = std::max(worst_velocity, residual(&Evaluation::velocity));
    }
    return true;
  }
  void until(double end) {
    REQUIRE_MESSAGE(reach(end), to_string(outcome.status), ": ", outcome.culprit.name, " ",
                    outcome.culprit.quantity, " ", outcome.culprit.value);
  }
  // Largest residual of a row.
  double residual(double* Evaluation::*which) const { return catena_test::residual(system, state, which); }

  const System& system;
  double h = 1e-2;
  Ida stepper;
  State state;
  Outcome outcome;
  double worst_position = 0.0, worst_velocity = 0.0;  // over all steps
};

// The largest error of the references at t = end.
inline double reference_error(const Problem& problem, const QuaternionSystem& system, const State& state) {
  double worst = 0.0;
  int count = 0;
  for (const Reference& r : problem.references()) {
    if (std::abs(r.t - state.t) > 1e-12) continue;
    ++count;
    int body = -1;
    Vec3 point = Vec3::Zero();
    for (const ObservedPoint& p : problem.observed_points())
      if (p.name == r.subject) {
        body = p.body;
        point = p.point;
      }
    if (body < 0) body = static_cast<int>(system.model().find_body(r.subject));
    const RigidBodyState b = system.bodies(state)[static_cast<std::size_t>(body)];
    const Mat3 R = rotation_matrix(b.orientation);
    Vector x;
    if (r.quantity == "quaternion") {
      x = {b.orientation.w, b.orientation.x, b.orientation.y, b.orientation.z};
    } else {
      const Vec3 y = r.quantity == "position [m]" ? Vec3(b.position + R * point)
                                                  : Vec3(b.velocity + R * cross(b.angular_velocity, point));
      x = {y[0], y[1], y[2]};
    }
    for (std::size_t k = 0; k < x.size(); ++k)
      if (!std::isnan(r.value[k])) worst = std::max(worst, std::abs(x[k] - r.value[k]));
  }
  REQUIRE(count > 0);
  return worst;
}

}  // namespace catena_test::ida
