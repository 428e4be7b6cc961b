#include <catena/math/detail/largest.hpp>
#include <catena/studies/detail/snakeboard_runs.hpp>
#include <catena/studies/detail/snakeboard_study.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

namespace catena::detail {
namespace {

constexpr double rho = 3.0 / 7.0;       // of the source
constexpr double singular_at = 1.2537;  // [s] with F = 20 N
constexpr double broken_at = 0.179;     // [s] with the sign of the source
using Kind = Comparison::Kind;
using Sign = SnakeboardParameters::Sign;

std::vector<SnakeboardMethod> alpha_methods() {
  return {snakeboard_generalized_alpha(rho), snakeboard_alpha_rattle(rho)};
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double m = 0.0;
  for (std::size_t k = 0; k < std::min(a.size(), b.size()); ++k) m = std::max(m, std::abs(a[k] - b[k]));
  return m;
}

std::string order_text(double coarse, double fine) { return study_number(std::log2(coarse / fine), 4); }

// Section 1: which sign is right, and what the other one does.
void sign_error(StudyReport& report) {
  report.section(
      "The sign of the front wheels",
      "The wheels are at -L and +L along the board. The third entry of a row is the speed of that point "
      "across the wheels for theta' = 1: -L cos(phi_b) at the back, +L cos(phi_f) in front. The source "
      "prints -L cos in both rows: two pairs of wheels at one place.");
  const SnakeboardMethod method = snakeboard_generalized_alpha(rho);
  const SnakeboardRun printed = run_snakeboard({.sign = Sign::source}, method, 1e-4, 0.5),
                      corrected = run_snakeboard({}, method, 1e-4, 0.5);
  report.compare("Where the rows come nearest to being dependent before 0.5 s (sine of their angle)",
                 {{.what = "sign of the source: time [s]",
                   .reference = broken_at,
                   .measured = printed.weakest_at,
                   .tolerance = 2e-3},
                  {.what = "sign of the source: sine",
                   .reference = 1e-2,
                   .measured = printed.weakest_sine,
                   .kind = Kind::at_most},
                  {.what = "corrected: the run ends at [s]",
                   .reference = 0.5,
                   .measured = corrected.result.t_end,
                   .tolerance = 0.0,
                   .absolute = 1e-9},
                  {.what = "corrected: sine",
                   .reference = 0.3,
                   .measured = corrected.weakest_sine,
                   .kind = Kind::at_least}});
  report.error(
      {.where = "the rows of the constraints, section 4",
       .printed = "-L cos(phi_f) theta' in the row of the front wheels",
       .correct = "+L cos(phi_f) theta'",
       .evidence = "as printed the rows become dependent at t = " + study_number(printed.weakest_at, 5) +
                   " s, where phi_b = phi_f, and the largest multiplier is " +
                   study_number(printed.largest_lambda, 3) + " N (" + printed.ending() +
                   "); corrected the multipliers stay below " + study_number(corrected.largest_lambda, 3) +
                   " N up to 0.5 s (" + corrected.ending() + ")",
       .shown = std::abs(printed.weakest_at - broken_at) < 1e-3 && corrected.result.status == Status::ok &&
                printed.largest_lambda > 30.0 * corrected.largest_lambda});
}

// Section 2: errors at T = 0.5 against the converged digits, and orders.
void accuracy(StudyReport& report) {
  report.section("Accuracy with the corrected sign",
                 "F = 20 N, rho_inf = 3/7, T = 0.5 s; errors in the max norm.");
  const std::vector<Reference> known = Snakeboard().references();
  struct Expected {
    double q, v;
  };
  const Expected expected[] = {{3.685e-3, 3.562e-2}, {3.593e-3, 3.408e-2}};
  std::vector<Comparison> rows;
  std::vector<std::vector<std::string>> orders;
  int number = 0;
  for (const SnakeboardMethod& method : alpha_methods()) {
    const Expected& e = expected[number++];
    double q[3], v[3];
    std::vector<std::vector<double>> lambda[3];
    for (int k = 0; k < 3; ++k) {
      const SnakeboardRun run = run_snakeboard({}, method, 1e-2 / (1 << k), 0.5);
      q[k] = largest_difference(run.end.q, known[0].value);
      v[k] = largest_difference(run.end.v, known[1].value);
      lambda[k] = run.lambda;
    }
    rows.push_back({.what = method.label + ", h = 0.01: q", .reference = e.q, .measured = q[0]});
    rows.push_back({.what = method.label + ", h = 0.01: v", .reference = e.v, .measured = v[0]});
    // At the instants of the coarsest run. The multipliers of alpha-RATTLE belong to the middle of their step, where a
    // run of half the step has the mean of two.
    const bool middle = number == 2;
    const auto apart = [&](int k) {
      double worst = 0.0;
      const std::size_t stride = std::size_t{1} << k;
      for (std::size_t i = 1; i < lambda[0].size(); ++i) {
        std::vector<double> finer = lambda[k + 1][2 * i * stride];
        if (middle)
          for (std::size_t r = 0; r < finer.size(); ++r)
            finer[r] = 0.5 * (finer[r] + lambda[k + 1][2 * i * stride - 1][r]);
        worst = std::max(worst, largest_difference(lambda[k][i * stride], finer));
      }
      return worst;
    };
    orders.push_back({method.label, order_text(q[0], q[1]), order_text(q[1], q[2]), order_text(v[0], v[1]),
                      order_text(v[1], v[2]), order_text(apart(0), apart(1))});
  }
  report.compare("Largest error at T = 0.5 s", rows);
  report.table("Measured orders (h = 1e-2, 5e-3, 2.5e-3)",
               {"method", "q", "q, finer", "v", "v, finer", "lambda, all steps, from differences"}, orders);
}

// Sections 3 and 4: figures 2 to 7.
void figures(StudyReport& report) {
  report.section(
      "Figures 2 to 7: the motion and the drift",
      "F = 20 N, h = 1e-3 s, to 1.25 s: the motion ends in a singularity at 1.2537 s. The source's curves "
      "continue; what they show after that time is no solution.");
  std::vector<SnakeboardMethod> methods = alpha_methods();
  const SnakeboardMethod coarse_ida = snakeboard_ida(1e-3), fine_ida = snakeboard_ida(1e-6);
  if (coarse_ida.built()) {
    methods.push_back(coarse_ida);
    methods.push_back(fine_ida);
  } else {
    report.paragraph("IDA is not built in: figure 7 is left out.");
  }
  Figure x{.name = "B_figure_2",
           .caption = "Figure 2 of the source: x of the board",
           .x_label = "time [s]",
           .y_label = "x [m]"};
  Figure y{.name = "B_figure_3",
           .caption = "Figure 3 of the source: y of the board",
           .x_label = "time [s]",
           .y_label = "y [m]"};
  Figure theta{.name = "B_figure_4",
               .caption = "Figure 4 of the source: angle of the board",
               .x_label = "time [s]",
               .y_label = "theta [rad]"};
  const char* names[] = {"B_figure_5", "B_figure_6", "B_figure_7", "B_figure_7_fine"};
  const char* captions[] = {
      "Figure 5 of the source: drift of generalized-alpha",
      "Figure 6 of the source: drift of alpha-RATTLE, at roundoff as theory has it",
      "Figure 7 of the source: drift of a BDF code on the index-1 form, IDA for DASSL, rtol = atol = 1e-3",
      "The same with rtol = atol = 1e-6"};
  std::optional<SnakeboardRun> first;
  std::vector<Comparison> apart, drift;
  std::optional<double> rattle_drift;
  for (const SnakeboardMethod& method : methods) {
    const SnakeboardRun run = run_snakeboard({}, method, 1e-3, 1.25);
    x.curves.push_back(snakeboard_curve(method.label, run.t, run.x));
    y.curves.push_back(snakeboard_curve(method.label, run.t, run.y));
    theta.curves.push_back(snakeboard_curve(method.label, run.t, run.theta));
    const bool ida = method.label.find("IDA") == 0, rattle = method.label == "alpha-RATTLE";
    const int number = !ida ? (rattle ? 1 : 0) : method.label == coarse_ida.label ? 2 : 3;
    report.figure({.name = names[number],
                   .caption = captions[number],
                   .x_label = "time [s]",
                   .y_label = "back wheels, speed across [m/s]",
                   .curves = {snakeboard_curve("", run.t, run.back_row)}});
    if (ida) {
      // Half a second, as the figures of drift that were measured for the source's 1e-3.
      const SnakeboardRun to_half = run_snakeboard({}, method, 1e-2, 0.5);
      const bool coarse = number == 2;
      drift.push_back({.what = method.label + ", back wheels, to 0.5 s [m/s]",
                       .source = coarse ? 1e-3 : Comparison::none,
                       .reference = coarse ? 6e-3 : 2e-5,
                       .measured = largest_or_nan(to_half.back_row),
                       .source_digits = 9.0,
                       .kind = Kind::at_most,
                       .remark = "about its tolerance, nothing more"});
      drift.push_back({.what = method.label + ", front wheels, to 0.5 s [m/s]",
                       .reference = coarse ? 2e-2 : 2e-5,
                       .measured = largest_or_nan(to_half.front_row),
                       .kind = Kind::at_most,
                       .remark = coarse ? "more than the 6e-3 of the back wheels" : ""});
    } else {
      // Eight roundings of speeds up to 7 m/s, 1.2e-14, and of angles.
      for (const bool back : {true, false})
        drift.push_back(
            {.what = method.label + (back ? ", back wheels" : ", front wheels") + ", to 1.25 s [m/s]",
             .reference = 3e-14,
             .measured = largest_or_nan(back ? run.back_row : run.front_row),
             .kind = Kind::at_most,
             .remark = rattle ? "roundoff of speeds up to 7 m/s; the source has 1e-2"
                              : "roundoff of speeds up to 7 m/s; the source has 1e-15"});
      if (rattle) rattle_drift = std::max(largest_or_nan(run.back_row), largest_or_nan(run.front_row));
    }
    if (!first) {
      first = run;
      continue;
    }
    // Both second order with h = 1e-3, or the tolerance: the curves cannot be distinguished.
    if (!ida)
      apart.push_back({.what = method.label + " against generalized-alpha at 1.25 s: (x, y, theta)",
                       .reference = 0.02,
                       .measured = largest_difference({run.end.q[0], run.end.q[1], run.end.q[2]},
                                                      {first->end.q[0], first->end.q[1], first->end.q[2]}),
                       .kind = Kind::at_most});
  }
  report.compare("Largest drift of the constraints", drift);
  if (!apart.empty()) report.compare("Distance of the curves of figures 2 to 4", apart);
  for (const Figure* f : {&x, &y, &theta}) report.figure(*f);
  if (rattle_drift)
    report.error(
        {.where = "figure 6 and the discussion of figures 2 to 4",
         .printed = "alpha-RATTLE drifts by 1e-2 and leaves the other solutions with time",
         .correct = "Phi(q_{n+1}) v_{n+1} = 0 is an equation of every step: roundoff, and the curves agree",
         .evidence = "largest residual of both rows over 1250 steps: " + study_number(*rattle_drift, 3) +
                     " m/s; the drift is a defect of the source's code, not of the method",
         .shown = *rattle_drift < 3e-14});
}

// Section 5: the end of the solution.
void singularity(StudyReport& report) {
  report.section("The singularity",
                 "With F = 20 N both pairs of wheels turn to pi/2, the rows become dependent and "
                 "|lambda| grows without bound at t = 1.2537 s. A solver must say so.");
  std::vector<SnakeboardMethod> methods = alpha_methods();
  if (const SnakeboardMethod ida = snakeboard_ida(1e-6); ida.built()) methods.push_back(ida);
  std::vector<std::vector<std::string>> cells;
  std::vector<Comparison> rows;
  for (const SnakeboardMethod& method : methods)
    for (const Sign sign : {Sign::corrected, Sign::source}) {
      const SnakeboardRun run = run_snakeboard({.sign = sign}, method, 1e-3, 1.5);
      const bool corrected = sign == Sign::corrected;
      cells.push_back({method.label, corrected ? "corrected" : "source", run.ending(),
                       study_number(run.largest_lambda, 3)});
      rows.push_back(
          {.what = method.label + (corrected ? ", corrected" : ", sign of the source") + ": ends at [s]",
           .reference = corrected ? singular_at : broken_at,
           .measured = run.result.t_end,
           .tolerance = 0.0,
           .absolute = 2e-3,
           .remark = run.result.status == Status::ok ? "not noticed" : ""});
    }
  report.table("How runs to 1.5 s end (h = 1e-3 s)", {"method", "sign", "ending", "largest |lambda| [N]"},
               cells);
  report.compare("Time of the end", rows);
}

}  // namespace

void reproduce_snakeboard(StudyReport& report) {
  report.title(
      "Study B: alpha methods for nonholonomic systems",
      "X. Ma, L. Chen, Y. Zhang, \"Numerical integration of nonholonomic constrained mechanical systems by "
      "alpha methods\" (in Chinese)");
  sign_error(report);
  accuracy(report);
  figures(report);
  singularity(report);
  snakeboard_detail::condition_numbers(report);
  snakeboard_detail::energy(report);
}

}  // namespace catena::detail
