#include <catena/solvers/generalized_alpha.hpp>
#include <catena/studies/detail/rotary_pendulum_parts.hpp>
#include <catena/studies/detail/rotary_pendulum_study.hpp>

#include <algorithm>
#include <cmath>

namespace catena::detail {
namespace {

using namespace rotary_pendulum_study;
using Kind = Comparison::Kind;
using Parameters = RotaryPendulumParameters;

constexpr double source_tolerance = 1e-6;  // RelTol and AbsTol of the source
constexpr double source_sampling = 2e-3;   // [s] T_sample of the source, the step of its fixed-step runs
constexpr double tight = 1e-13;
// theta_0, theta_0', theta_1, theta_1' at 10 s.
constexpr double reference_10[4] = {2.104294e-6, -6.98069574e-4, 1.574089587974, -0.546245948706};

double error_at_10(const RotaryPendulumRun& run) {
  double e = 0.0;
  for (int k = 0; k < 4; ++k) e = std::max(e, std::abs(run.motion[k] - reference_10[k]));
  return e;
}

// Section 1: the example of the source, from rest at (0, pi/2).
void free_motion(StudyReport& report) {
  report.section(
      "The free motion",
      "The example of the source: no torque, from rest at theta = (0, pi/2), 10 s. It prints no figures, "
      "only drawings; the digits are those of a converged solution.");
  const RotaryPendulumSystem system{Parameters{}};
  struct Row {
    double t;
    double motion[4];
  };
  const Row rows[] = {{0.1, {0.010029059987, 0.404146302701, 1.797825723561, 4.561550917398}},
                      {0.5, {0.963516718647, 8.7258e-8, 4.712380747236, 0.027312258225}},
                      {10.0, {reference_10[0], reference_10[1], reference_10[2], reference_10[3]}}};
  const char* names[] = {"theta_0 [rad]", "theta_0' [rad/s]", "theta_1 [rad]", "theta_1' [rad/s]"};
  std::vector<Comparison> table;
  RotaryPendulumRun ten;
  for (const Row& row : rows) {
    const RotaryPendulumRun run =
        run_rotary_pendulum(system, dormand_prince_with(tight), {.step = 0.02, .end = row.t});
    for (int k = 0; k < 4; ++k)
      table.push_back({.what = "t = " + study_number(row.t) + " s: " + names[k],
                       .reference = row.motion[k],
                       .measured = run.motion[k],
                       .tolerance = 0.0,
                       .absolute = 1e-10});
    if (row.t == 10.0) ten = run;
  }
  report.compare("dormand_prince, tolerance 1e-13", table);

  const RotaryPendulumRun one = run_rotary_pendulum(system, dormand_prince_with(tight),
                                                    {.step = 0.1, .end = 2.0, .events = {turning_back()}});
  report.compare("What is kept, and the period, found as an event",
                 {{.what = "period T_p [s]",
                   .reference = period,
                   .measured = one.result.events.empty() ? NAN : one.result.events[0].t,
                   .tolerance = 0.0,
                   .absolute = 1e-11},
                  {.what = "largest |H| over 10 s [J]",
                   .reference = 1e-12,
                   .measured = ten.energy_error,
                   .kind = Kind::at_most},
                  {.what = "largest |p_theta0| over 10 s [kg m^2/s]",
                   .reference = 1e-12,
                   .measured = ten.momentum,
                   .kind = Kind::at_most}});
  report.figure({.name = "free_motion",
                 .caption = "The source's two drawings: both angles from rest at (0, pi/2).",
                 .x_label = "time [s]",
                 .y_label = "angle [rad]",
                 .curves = {{"theta_0", ten.t, ten.theta_0}, {"theta_1", ten.t, ten.theta_1}}});
}

// Section 2: the source's four methods, and others that it could have had.
void comparison_of_methods(StudyReport& report) {
  report.section("The comparison of methods",
                 "The source solves the same equations by (1) ode45 with RelTol = AbsTol = 1e-6, (2) "
                 "Simulink's basic blocks, "
                 "(3) an S-function with a fixed step of 0.002 s, (4) Simscape Multibody, bodies and joints, "
                 "and finds the curves "
                 "alike. Here each is a run of the same program; (2) and (3) differ in how the equations are "
                 "typed, not in what is "
                 "computed. Error: largest of the four numbers of the motion at 10 s.");
  struct Method {
    const char* source;
    std::string what;
    Parameters parameters;
    RotaryPendulumMethod method;
    double step;
  };
  const RotaryPendulumMethod alpha{"generalized_alpha", {{"rho_inf", "0.9"}}};
  const Parameters angles;
  const Method methods[] = {
      {"(1)", "dormand_prince, 1e-6, two angles", angles, dormand_prince_with(source_tolerance), 0.02},
      {"(1)", "dormand_prince, 1e-9, two angles", angles, dormand_prince_with(1e-9), 0.02},
      {"(1)", "dormand_prince, 1e-12, two angles", angles, dormand_prince_with(1e-12), 0.02},
      {"(2), (3)", "dormand_prince, h = 0.002 s, two angles", angles, dormand_prince_fixed(),
       source_sampling},
      {"(4)", "dormand_prince, 1e-6, two bodies", maximal(), dormand_prince_with(source_tolerance), 0.02},
      {"(4)", "dormand_prince, 1e-12, two bodies", maximal(), dormand_prince_with(1e-12), 0.02},
      {"(4)", "dormand_prince, h = 0.002 s, two bodies", maximal(), dormand_prince_fixed(), source_sampling},
      {"-", "generalized_alpha, h = 0.002 s, two angles", angles, alpha, source_sampling},
      {"-", "generalized_alpha, h = 0.002 s, two bodies", maximal(), alpha, source_sampling},
  };
  std::vector<std::vector<std::string>> cells;
  std::vector<RotaryPendulumRun> runs;
  for (const Method& m : methods) {
    runs.push_back(run_rotary_pendulum(RotaryPendulumSystem(m.parameters), m.method, {.step = m.step}));
    const RotaryPendulumRun& r = runs.back();
    cells.push_back({m.source, m.what, study_number(error_at_10(r), 2), study_number(r.energy_error, 2),
                     std::to_string(r.result.steps), std::to_string(r.statistics.evaluations),
                     study_number(1e3 * r.result.seconds_stepping, 3)});
  }
  report.table("10 s of the free motion",
               {"source", "method", "error at 10 s", "max energy error [J]", "steps", "evaluations", "ms"},
               cells);
  report.compare("What the table is to show", {{.what = "two angles against two bodies, tolerance 1e-12",
                                                .reference = 1e-9,
                                                .measured = difference(runs[2], runs[5]),
                                                .kind = Kind::at_most},
                                               {.what = "the source's tolerance 1e-6: error at 10 s",
                                                .reference = 1e-4,
                                                .measured = error_at_10(runs[0]),
                                                .kind = Kind::at_least,
                                                .remark = "drawings do not show it"},
                                               {.what = "two angles against two bodies, h = 0.002 s",
                                                .reference = 1e-6,
                                                .measured = difference(runs[3], runs[6]),
                                                .kind = Kind::at_most}});

  Curve chosen{.label = "two angles", .points = true}, bodies{.label = "two bodies", .points = true};
  for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10, 1e-12})
    for (const bool minimal : {true, false}) {
      const RotaryPendulumRun r = run_rotary_pendulum(RotaryPendulumSystem(minimal ? angles : maximal()),
                                                      dormand_prince_with(tolerance), {.step = 10.0});
      Curve& curve = minimal ? chosen : bodies;
      curve.x.push_back(static_cast<double>(r.statistics.evaluations));
      curve.y.push_back(error_at_10(r));
    }
  report.figure(
      {.name = "work_precision",
       .caption =
           "Error at 10 s against the number of evaluations, dormand_prince, tolerances 1e-4 to 1e-12.",
       .x_label = "evaluations",
       .y_label = "error at 10 s",
       .curves = {chosen, bodies},
       .log_x = true,
       .log_y = true});
}

// Section 3: a torque, continuous and sampled, and quantities during the run.
void controlled_motion(StudyReport& report) {
  report.section("A controller",
                 "The source's model has a torque and leaves it zero. Here a controller pumps energy into "
                 "the pendulum until it can "
                 "reach the upright position, catches it and balances it; as a continuous law, and sampled "
                 "with its torque held "
                 "in between (steps end at "
                 "the samples). An observer computes the energy and a Lyapunov function during the run and "
                 "ends it when the "
                 "pendulum is balanced: 1 - cos(theta_1) + (theta_0'^2 + theta_1'^2)/100 < 1e-6.");
  Parameters continuous;
  continuous.control = Parameters::Control::swing_up;
  const auto caught = [](const Parameters& p, double sampling) {
    return run_rotary_pendulum(RotaryPendulumSystem(p), dormand_prince_with(1e-9),
                               {.step = 0.01, .end = 20.0, .sampling = sampling, .stop_below = 1e-6});
  };
  std::vector<std::vector<std::string>> cells;
  std::vector<RotaryPendulumRun> runs;
  for (const double sampling : {0.0, 2e-3, 5e-3, 10e-3}) {
    runs.push_back(caught(sampling == 0.0 ? continuous : Parameters{}, sampling));
    const RotaryPendulumRun& r = runs.back();
    cells.push_back({sampling == 0.0 ? "continuous" : "every " + study_number(1e3 * sampling) + " ms",
                     r.result.status == Status::stopped ? study_number(r.result.t_end, 4) : "not within 20 s",
                     std::to_string(r.result.steps), std::to_string(r.result.samples)});
  }
  report.table("Balanced after", {"torque", "time [s]", "steps", "samples"}, cells);

  const auto apart = [](Parameters p, double sampling) {
    const RotaryPendulumTask task{.step = 10.0, .end = 10.0, .sampling = sampling};
    const RotaryPendulumRun angles =
        run_rotary_pendulum(RotaryPendulumSystem(p), dormand_prince_with(1e-12), task);
    p.coordinates = Parameters::CoordinateChoice::maximal;
    return difference(angles, run_rotary_pendulum(RotaryPendulumSystem(p), dormand_prince_with(1e-12), task));
  };
  report.compare("Two angles against two bodies after 10 s, tolerance 1e-12",
                 {{.what = "continuous controller",
                   .reference = 1e-9,
                   .measured = apart(continuous, 0.0),
                   .kind = Kind::at_most},
                  {.what = "sampled every 5 ms",
                   .reference = 1e-9,
                   .measured = apart(Parameters{}, 5e-3),
                   .kind = Kind::at_most}});
  report.figure(
      {.name = "swing_up",
       .caption =
           "Swinging up and balancing with a torque sampled every 5 ms, until the observer ends the run.",
       .x_label = "time [s]",
       .y_label = "theta_1 [rad], Lyapunov function",
       .curves = {{"theta_1", runs[2].t, runs[2].theta_1},
                  {"Lyapunov function", runs[2].t, runs[2].lyapunov}}});
}

}  // namespace

void reproduce_rotary_pendulum(StudyReport& report) {
  report.title(
      "Study E: the rotary pendulum",
      "\"From the equations of rigid-body dynamics to simulations by several methods in MATLAB\"; model "
      "after "
      "I. Fantoni, R. Lozano, Non-linear Control for Underactuated Mechanical Systems, Springer 2002");
  free_motion(report);
  comparison_of_methods(report);
  controlled_motion(report);
  errors(report);
}

}  // namespace catena::detail
