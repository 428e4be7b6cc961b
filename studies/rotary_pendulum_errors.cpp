// Study E: what the source says about methods and is wrong, each shown by runs.
#include <catena/model/parts/inertia.hpp>
#include <catena/studies/detail/rotary_pendulum_parts.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

namespace catena::detail::rotary_pendulum_study {
using namespace detail;

using Parameters = RotaryPendulumParameters;

Parameters maximal() {
  Parameters p;
  p.coordinates = Parameters::CoordinateChoice::maximal;
  return p;
}

Event turning_back() {
  return {.name = "theta_1 turns back",
          .value = [](const State& s) { return s.v[1]; },
          .direction = Event::Direction::rising,
          .terminal = true};
}

double difference(const RotaryPendulumRun& a, const RotaryPendulumRun& b) {
  double e = 0.0;
  for (int k = 0; k < 4; ++k) {
    const double d = a.motion[k] - b.motion[k];
    e = std::max(e, std::abs(k % 2 == 0 ? std::remainder(d, 2.0 * std::numbers::pi) : d));
  }
  return e;
}

namespace {

// A thin rod for a pendulum: no inertia about its own axis (a millionth, since zero is refused).
Model thin_rod() {
  const Parameters p = maximal();
  Model model = RotaryPendulum(p).model();
  const RotaryPendulumConstants& c = p.constants;
  model.body(model.find_body("arm")).inertia = diagonal(Vec3{{c.J0, c.J0, c.J0}});
  model.body(model.find_body("pendulum")).inertia = diagonal(Vec3{{c.J1, c.J1, 1e-6 * c.J1}});
  return model;
}

}  // namespace

void errors(StudyReport& report) {
  report.section("Errors of the source");
  report.paragraph(
      "The equations of motion are right as printed: D' - 2C is skew and the potential belongs to G, which "
      "the "
      "invariants above show. The option BDF that the source sets belongs to ode15s; ode45 passes over it. "
      "What it says about methods is wrong in these points.");

  Parameters upright;
  upright.theta_1 = 0.0;
  Parameters upright_bodies = maximal();
  upright_bodies.theta_1 = 0.0;
  double moved = 0.0;
  for (const Parameters& p : {upright, upright_bodies})
    moved = std::max(
        moved,
        std::abs(run_rotary_pendulum(RotaryPendulumSystem(p), dormand_prince_with(1e-10), {}).motion[2]));
  const RotaryPendulumConstants c;
  const double coupling = c.m1 * c.l1 * c.L0;
  const double determinant = (c.J0 + c.m1 * c.L0 * c.L0) * (c.J1 + c.m1 * c.l1 * c.l1) - coupling * coupling;
  report.error({.where = "section 0, (1)",
                .printed = "the ODE solver has difficulties at singular points such as upright, (0, 0)",
                .correct = "upright is an equilibrium, unstable but regular",
                .evidence = "det D = " + study_number(determinant, 4) +
                            " kg^2 m^4 there; started exactly upright theta_1 stays within " +
                            study_number(moved, 2) + " rad over 10 s in both kinds of coordinates",
                .shown = determinant > 0.0 && moved <= 1e-14});

  const RotaryPendulumSystem angles{Parameters{}};
  const RotaryPendulumRun stopped =
      run_rotary_pendulum(angles, dormand_prince_with(1e-9), {.events = {turning_back()}});
  report.error(
      {.where = "section 0, (1)",
       .printed =
           "no way to interrupt the solution; energy, Lyapunov functions have to be computed afterwards",
       .correct = "event functions and functions called in every step (ode45 has both: Events, OutputFcn)",
       .evidence = "the run ended at an event, t = " + study_number(stopped.result.t_end, 12) +
                   " s, and energy (error " + study_number(stopped.energy_error, 2) +
                   " J) and Lyapunov function were known in each of its " +
                   std::to_string(stopped.result.steps) + " steps",
       .shown = stopped.result.status == Status::event && std::abs(stopped.result.t_end - period) < 1e-8});

  double before = 1.0;
  bool falls = true;
  std::string drift;
  for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10}) {
    const RotaryPendulumRun r = run_rotary_pendulum(angles, dormand_prince_with(tolerance), {.step = 10.0});
    falls = falls && r.energy_error < 0.2 * before;
    before = r.energy_error;
    drift +=
        (drift.empty() ? "" : ", ") + study_number(tolerance) + ": " + study_number(r.energy_error, 2) + " J";
  }
  report.error(
      {.where = "section 3, the S-function",
       .printed = "a variable step is sometimes too large and makes the solution drift: take a fixed step",
       .correct = "the drift is that of the tolerance, and falls with it",
       .evidence = "largest energy error over 10 s at tolerance " + drift,
       .shown = falls});

  const RotaryPendulumRun rod = run_rotary_pendulum(RotaryPendulumSystem(thin_rod()),
                                                    dormand_prince_with(1e-10), {.end = 0.5}),
                          equal = run_rotary_pendulum(RotaryPendulumSystem(maximal()),
                                                      dormand_prince_with(1e-10), {.end = 0.5});
  const double apart = difference(rod, equal);
  report.error(
      {.where = "D_11, against method (4) with a rod",
       .printed = "D_11 = J_0 + m_1 (L_0^2 + l_1^2 sin^2 theta_1) and a pendulum drawn as a thin rod",
       .correct = "a rod adds J_1 sin^2 theta_1; as printed the pendulum has the inertia J_1 about every "
                  "axis, and J_0 "
                  "holds it",
       .evidence =
           "after 0.5 s the motion of a thin rod is off by " + study_number(apart, 3) +
           " (rad, rad/s); with equal moments of inertia bodies and printed equations differ by " +
           study_number(
               difference(equal, run_rotary_pendulum(angles, dormand_prince_with(1e-10), {.end = 0.5})), 2),
       .shown = apart > 1e-2});
}

}  // namespace catena::detail::rotary_pendulum_study
