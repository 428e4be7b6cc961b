// Study D: the misprints of the source, each by a run, and the figures.
#include <catena/problems/euler_angles.hpp>
#include <catena/studies/detail/euler_angles_runs.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace catena::detail::euler_angles_study {
using namespace detail;

using Form = AngleForm;

namespace {

// The largest difference between the attitude that the angles of a run say and the one that their rates lead to:
// omega = E theta' with differences of the angles, on the pole with the matrix at hand, and R' = R omega~ by the
// midpoint rule over two steps.
double attitude_by_rates(const AttitudeRun& run, double epsilon, Mat3 (*at_pole)(const Vec3&)) {
  const auto angles = [&](std::size_t k) { return Vec3{{run.q[k][0], run.q[k][1], run.q[k][2]}}; };
  if (run.q.size() < 3) return std::numeric_limits<double>::infinity();
  Mat3 R = euler::rotation(angles(0));
  double worst = 0.0;
  for (std::size_t k = 1; k + 1 < run.q.size(); k += 2) {
    const Vec3 theta = angles(k), rates = (1.0 / (2.0 * step)) * (angles(k + 1) - angles(k - 1));
    const bool on_it = std::abs(std::sin(theta[2])) <= epsilon;
    const Vec3 omega = (on_it ? at_pole(theta) : euler::rate_matrix(theta)) * rates;
    R = R * rotation_matrix(exponential(Vec3(2.0 * step * omega)));
    const Mat3 there = euler::rotation(angles(k + 1));
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) worst = std::max(worst, std::abs(R(i, j) - there(i, j)));
  }
  return worst;
}

}  // namespace

void misprints(StudyReport& report) {
  report.section("Errors of the source");
  const PoleRule rule = source_rule();
  const Vec3 theta = {{0.6, 0.3, 0.8}}, rates = {{0.4, -0.7, 1.1}}, omega = euler::rate_matrix(theta) * rates;
  const BallPassage past(1e-5), through(0.0), edge(1e-4), level(0.0, 0.3, 0.5 * std::acos(-1.0));
  {
    const double off = norm(Vec3(euler::printed::rates(theta, omega) - rates)),
                 corrected = norm(Vec3(euler::rates(theta, omega) - rates));
    const AttitudeRun printed = past.run(Form::printed_rates, rule), right = past.run(Form::mixed, rule);
    report.error({.where = "equation (17)",
                  .printed = "-sin theta3 at the end of the first row, +sin theta1 sin theta3 in the third",
                  .correct = "+sin theta3 and -sin theta1 sin theta3",
                  .evidence = "E^-1 E theta' - theta' is " + study_number(off, 3) + " rad/s as printed, " +
                              study_number(corrected, 2) +
                              " corrected; the run past the pole at 1e-5 is wrong by " +
                              result_text(printed) + " as printed, " + result_text(right) + " corrected",
                  .shown = off > 0.1 && corrected < 1e-14 && printed.error > 0.5 && right.error < 1e-4});
  }
  {
    // omega_y is 1.5 sin 0.6 rad/s in the one step on the pole, two step sizes long.
    const AttitudeRun run = through.run(Form::mixed, rule);
    const double printed = attitude_by_rates(run, rule.epsilon, &euler::printed::rate_matrix_at_pole),
                 corrected = attitude_by_rates(run, rule.epsilon, &euler::rate_matrix<double>);
    report.error(
        {.where = "equation (18)",
         .printed = "second row (0, 0, 0)",
         .correct = "second row (0, 0, -sin theta1)",
         .evidence = "omega_y would be zero on the pole whatever theta3' is: straight through it, the "
                     "angles' rates lead to an attitude that is off by " +
                     study_number(printed, 3) + " as printed, by " + study_number(corrected, 2) +
                     " corrected (1.5 sin 0.6 rad/s over the two steps of 1e-3 s on the pole are " +
                     study_number(2.0 * step * 1.5 * std::sin(0.6), 3) + " rad)",
         .shown = printed > 0.5 * 2.0 * step * 1.5 * std::sin(0.6) && corrected < 0.05 * printed});
  }
  {
    const AttitudeRun a = level.run(Form::printed_pole, rule), b = level.run(Form::mixed, rule),
                      c = edge.run(Form::printed_pole, rule), d = edge.run(Form::mixed, rule);
    report.error(
        {.where = "equation (19)",
         .printed = "theta3' = omega_x / cos theta1, k_max omega_x where cos theta1 is small",
         .correct = "theta3' = omega_x cos theta1 - omega_y sin theta1, without exceptions",
         .evidence = "through the pole with theta1 = pi/2 the stage on it does not move (omega_x = 0): " +
                     result_text(a) + " as printed (k_max = 1e4), " + result_text(b) +
                     " corrected; past it at 1e-4 with theta1 = 0.6 " + result_text(c) +
                     ", beyond 3 epsilon, and " + result_text(d),
         .shown = a.error > 1e3 * b.error && c.error > 3.0 * rule.epsilon && d.error <= 3.0 * rule.epsilon});
  }
  {
    const AttitudeRun a = past.run(Form::printed_replaced, rule), b = past.run(Form::replaced, rule),
                      c = through.run(Form::printed_replaced, rule), d = through.run(Form::replaced, rule);
    const Mat3 A = mass_in_angles(Vec3{{0.6, 0.3, 1e-3}});
    report.error({.where = "equations (10) to (12)",
                  .printed = "the row theta1' = 0 beside q' = X, solved by normal equations",
                  .correct = "theta1 held, its rate given to theta2, the reduced system solved",
                  .evidence = "the row acts on theta', not on theta'': least squares answers q1' = X1 and "
                              "q1' = 0 with X1/2 and "
                              "leaves A Theta'' = B as singular as it was, with condition " +
                              study_number(condition_2(A), 3) +
                              " squared at sin theta3 = 1e-3; past the pole at 1e-5 " + result_text(a) +
                              " as printed, " + result_text(b) + " corrected; straight through " +
                              result_text(c) + " and " + result_text(d),
                  .shown = (a.status != Status::ok || a.error > 1.5 * b.error) && b.useful()});
  }
}

void figures(StudyReport& report) {
  const BallPassage passage(1e-5);
  const PoleRule source = source_rule();
  const AttitudeRun mixed = passage.run(Form::mixed, source);
  const auto errors = [](const char* label, const AttitudeRun& run) {
    Curve c{.label = label};
    for (std::size_t k = 0; k < run.errors.size(); ++k) {
      c.x.push_back(step * static_cast<double>(k + 1));
      c.y.push_back(run.errors[k]);
    }
    return c;
  };
  report.figure({.name = "D_errors",
                 .caption = "Attitude error of one body that passes the pole at 1e-5 rad after 0.3 s",
                 .x_label = "time [s]",
                 .y_label = "attitude error [rad]",
                 .curves = {errors("plain", passage.run(Form::plain, source)),
                            errors("replaced, |sin| <= 1e-4", passage.run(Form::replaced, source)),
                            errors("replaced, by condition, aimed", passage.run(Form::replaced, PoleRule{})),
                            errors("mixed", mixed)},
                 .log_y = true});
  Figure angles{
      .name = "D_angles",
      .caption =
          "Its Euler angles in the mixed form: theta3 continues through the pole to the branch below zero",
      .x_label = "time [s]",
      .y_label = "angle [rad]"};
  Figure condition{.name = "D_condition",
                   .caption = "Condition of the mass matrix in Euler angles along that motion",
                   .x_label = "time [s]",
                   .y_label = "cond(A)",
                   .log_y = true};
  Curve worst;
  for (int k = 0; k < 3; ++k) angles.curves.push_back({.label = "theta" + std::to_string(k + 1)});
  for (std::size_t i = 0; i < mixed.q.size(); ++i) {
    const double t = step * static_cast<double>(i + 1);
    for (std::size_t k = 0; k < 3; ++k) {
      angles.curves[k].x.push_back(t);
      angles.curves[k].y.push_back(mixed.q[i][k]);
    }
    worst.x.push_back(t);
    // beyond 1e15 the eigenvalues are roundoff
    worst.y.push_back(std::min(
        1e15, std::abs(condition_2(mass_in_angles(Vec3{{mixed.q[i][0], mixed.q[i][1], mixed.q[i][2]}})))));
  }
  condition.curves.push_back(worst);
  report.figure(angles);
  report.figure(condition);
}

}  // namespace catena::detail::euler_angles_study
