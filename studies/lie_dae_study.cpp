#include <catena/studies/detail/lie_dae_figures.hpp>
#include <catena/studies/detail/lie_dae_runs.hpp>
#include <catena/studies/detail/lie_dae_study.hpp>

#include <algorithm>
#include <cmath>

namespace catena::detail {
namespace {

using namespace lie_dae_study;
using Index = LieDaeOptions::Index;
using Kind = Comparison::Kind;

// What a table of the source prints for one form, and what a correct implementation finds; none: at the level of
// Newton's tolerance.
struct Row {
  Index form;
  double energy[2], position[2], velocity[2], acceleration[2];
};
constexpr double none = Comparison::none;

constexpr Row table_2[] = {
    {Index::one, {0.1307, 0.082057}, {0.0902, 0.0902592}, {0.1770, 0.176994}, {3.1041e-4, none}},
    {Index::two, {0.0728, 0.072833}, {0.0287, 0.0287438}, {1.4211e-14, none}, {10.5240, 10.5240}},
    {Index::three, {0.0820, 0.130692}, {5.6621e-15, none}, {0.1231, 0.123099}, {21.3930, 21.3930}},
    {Index::stabilized, {0.0765, 0.0765307}, {1.7136e-13, none}, {2.3146e-12, none}, {1.7113e-8, none}}};
constexpr Row table_1[] = {
    {Index::one, {0.0106, 0.010600}, {0.0089, 0.00892104}, {0.0183, 0.0183481}, {7.4473e-6, none}},
    {Index::two, {0.0083, 0.008309}, {0.0029, 0.00286386}, {1.7764e-14, none}, {1.0551, 1.05513}},
    {Index::three, {0.0156, 0.015649}, {3.8858e-16, none}, {0.0127, 0.0126899}, {2.1335, 2.13354}},
    {Index::stabilized, {0.0086, 0.0086498}, {3.8858e-16, none}, {2.1316e-14, none}, {4.3201e-12, none}}};

// Bounds of what vanishes: roundoff of gaps, of four numbers of 1 to 2 m and their sums, of rates of 100 1/s, of
// accelerations of 1e4 1/s^2; index 1 divides Newton's last correction by h^2.
double bound(Index form, int level) {
  return level == 0 ? 7 * 0x1p-52 : level == 1 ? 1e-12 : form == Index::one ? 1e-8 : 1e-11;
}

void add(std::vector<Comparison>& rows, Index form, const char* what, const double (&figure)[2],
         double measured, int level) {
  Comparison c;
  c.what = name(form) + ", " + what;
  c.measured = measured;
  if (std::isnan(figure[1])) {
    c.reference = bound(form, level);
    c.kind = Kind::at_most;
    c.remark = "printed " + study_number(figure[0]) + ", which is the source's Newton tolerance";
  } else {
    c.source = figure[0];
    c.reference = figure[1];
    c.source_digits = 0.02;  // four decimals are printed
  }
  rows.push_back(c);
}

void compare_table(StudyReport& report, const char* caption, const Row (&table)[4],
                   const std::vector<Result>& results) {
  std::vector<Comparison> rows;
  for (std::size_t k = 0; k < 4; ++k) {
    const Row& r = table[k];
    add(rows, r.form, "delta(H)", r.energy, results[k].energy, -1);
    add(rows, r.form, "epsilon(Phi) [m]", r.position, results[k].position, 0);
    add(rows, r.form, "epsilon(Phi') [m/s]", r.velocity, results[k].velocity, 1);
    add(rows, r.form, "epsilon(Phi'') [m/s^2]", r.acceleration, results[k].acceleration, 2);
  }
  report.compare(caption, rows);
}

std::vector<Result> all_forms(double end, double h) {
  std::vector<Result> results;
  for (const Index form : forms) results.push_back(run(as_in_the_source(form, h), end, h));
  return results;
}

void short_run(StudyReport& report) {
  const double expected[] = {0.0989786, 0.0566098, 0.1036838, 0.0572448};
  std::vector<Comparison> rows;
  const std::vector<Result> results = all_forms(0.1, 1e-3);
  for (std::size_t k = 0; k < 4; ++k)
    rows.push_back({.what = name(forms[k]) + ", delta(H)",
                    .reference = expected[k],
                    .measured = results[k].energy,
                    .tolerance = 1e-5});
  report.compare("T = 0.1 s, h = 1e-3 s", rows);
}

void newton_iterations(StudyReport& report) {
  std::vector<Comparison> rows;
  std::vector<std::vector<std::string>> cells;
  for (const Index form : forms) {
    for (const double h : {1e-3, 1e-4})
      rows.push_back({.what = name(form) + ", h = " + study_number(h) + " s: iterations a step",
                      .reference = h > 5e-4 ? 4.0 : 3.0,
                      .measured = run(as_in_the_source(form, h), 0.1, h).iterations,
                      .tolerance = 0.02});
    LieDaeOptions quasi = as_in_the_source(form, 1e-3);
    quasi.newton = LieDaeOptions::Newton::quasi;
    quasi.engine.jacobian = JacobianUpdate::every_step;
    LieDaeOptions standard;
    standard.index = form;
    standard.order = 1;
    cells.push_back({name(form), study_number(run(quasi, 0.1, 1e-3).iterations, 3),
                     study_number(run(standard, 0.1, 1e-3).iterations, 3),
                     study_number(run(standard, 0.1, 1e-4).iterations, 3)});
  }
  report.compare("Exact Newton from V_n and lambda_n, stopped at |dV| < 1e-11", rows);
  report.table("Iterations a step of the other ways to the same result",
               {"form", "block triangular, h = 1e-3", "defaults, h = 1e-3", "defaults, h = 1e-4"}, cells);
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double m = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) m = std::max(m, std::abs(a[k] - b[k]));
  return m;
}

void orders(StudyReport& report) {
  const double end = report.quick() ? 0.05 : 0.1;
  std::vector<Comparison> rows;
  for (const int order : {1, 2})
    for (const Index form : forms) {
      Result r[3];
      for (int k = 0; k < 3; ++k) {
        LieDaeOptions o;
        o.index = form;
        o.order = order;
        o.engine.newton_tolerance = 1e-13;
        r[k] = run(o, end, 1e-4 / (1 << k));
      }
      const auto measured = [&](const std::vector<double> Result::*x) {
        return std::log2(distance(r[0].*x, r[1].*x) / distance(r[1].*x, r[2].*x));
      };
      const auto row = [&](const char* what, double value) {
        rows.push_back({.what = name(form) + ", order " + std::to_string(order) + ": " + what,
                        .reference = static_cast<double>(order),
                        .measured = value,
                        .tolerance = 0.07});
      };
      row("q", measured(&Result::q));
      row("V", measured(&Result::v));
      row("lambda", measured(&Result::lambda));
    }
  report.compare("Orders at T = " + study_number(end) + " s from h = 1e-4, 5e-5, 2.5e-5 s", rows);
}

void errors_of_the_source(StudyReport& report, const std::vector<Result>& results) {
  const auto text = [](double x) { return study_number(x, 4); };
  const Literal literal = run_literally(1.0, 1e-4);
  const double stabilized = results[3].energy;
  report.error({"equations (6), (8), (10)",
                "primes on all velocities of the discrete equations, and the balance with them",
                "V' = V - B^T mu moves q; the balance and the velocity constraints hold for V",
                "T = 1 s, h = 1e-4: as printed delta(H) = " + text(literal.energy_of_primed) +
                    " with V' (|B V'| up to " + text(literal.rate_of_primed) + "), " +
                    text(literal.energy_of_projected) +
                    " with the V that is projected behind each step; corrected " + text(stabilized) +
                    "; the source's table has 0.0765",
                std::abs(literal.energy_of_primed - 0.1307) < 1e-4 && std::abs(stabilized - 0.0765) < 1e-4 &&
                    literal.rate_of_primed > 0.1 && literal.rate_of_projected < 1e-10 &&
                    std::abs(literal.energy_of_projected - 0.0765) > 1e-3});
  report.error({"Table 2, rows DAE1 and DAE3", "delta(H) = 0.1307 (DAE1), 0.0820 (DAE3)",
                "delta(H) = 0.0820 (DAE1), 0.1307 (DAE3): the two entries are swapped",
                "found: " + text(results[0].energy) + " (DAE1), " + text(results[2].energy) +
                    " (DAE3); all other entries of both rows agree",
                std::abs(results[0].energy - 0.0820) < 1e-4 && std::abs(results[2].energy - 0.1307) < 1e-4});
  const Vec3 along_x{{0.025, 103.0 / 240.0, 103.0 / 240.0}}, thin{{1e-6, 5.0 / 12.0, 5.0 / 12.0}};
  const double of_x = run(as_in_the_source(Index::stabilized, 1e-4), 1.0, 1e-4, &along_x).energy;
  const double of_thin = run(as_in_the_source(Index::stabilized, 1e-4), 1.0, 1e-4, &thin).energy;
  report.error(
      {"section 3, data of the manipulator", "no moments of inertia",
       "J = diag(103/240, 103/240, 0.025) kg m^2 for both links, found by fitting the tables: cylinders "
       "of radius 0.1 m about body z, although the links lie along body x",
       "DAES, h = 1e-4: delta(H) = " + text(stabilized) + " with these, " + text(of_x) +
           " with the cylinders along the links, " + text(of_thin) + " with thin rods; printed 0.0765",
       std::abs(stabilized - 0.0765) < 1e-4 && std::abs(of_x - 0.0765) > 1e-3 &&
           std::abs(of_thin - 0.0765) > 1e-3});
}

}  // namespace

void reproduce_lie_dae(StudyReport& report) {
  report.title("Lie-group differential-algebraic equations of index 1, 2, 3 and stabilized",
               "Y. Li, B. Li, J. Ding, Z. Pan, Journal of Dynamics and Control 16 (2018), "
               "doi 10.6052/1672-6553-2018-006");
  report.section(
      "Energy error of a short run",
      "Largest |H - H(0)| / H(0), H = T + sum m g z with V at the end of each step, "
      "H(0) = 3768.95518067 J. The source has no such run; the figures are those of an independent "
      "implementation of the corrected equations.");
  short_run(report);
  report.section(
      "Tables of the source",
      "T = 1 s. epsilon: the largest component over all steps, Phi'' with V' = (V_n+1 - V_n)/h and "
      "without the first step. At T = 1 s the trajectory does not converge point by point for these "
      "steps (fast and chaotic); the figures are reproduced because they are those of the method.");
  const std::vector<Result> coarse = all_forms(1.0, 1e-4);
  compare_table(report, "Table 2: h = 1e-4 s", table_2, coarse);
  std::vector<Result> fine;
  if (report.quick()) {
    report.paragraph("Table 1 (h = 1e-5 s) is left out of the quick study.");
  } else {
    fine = all_forms(1.0, 1e-5);
    compare_table(report, "Table 1: h = 1e-5 s", table_1, fine);
  }
  std::vector<Comparison> orthogonal;
  for (std::size_t k = 0; k < 4; ++k)
    orthogonal.push_back({.what = name(forms[k]) + ", |R^T R - I|",
                          .reference = 1e-13,
                          .measured = coarse[k].orthogonality,
                          .kind = Kind::at_most});
  report.compare("Rotation matrices, h = 1e-4 s", orthogonal);
  report.section("Figures 2 to 8", report.quick() ? "h = 1e-4 s." : "h = 1e-5 s, as in the source.");
  draw_lie_dae_figures(report, report.quick() ? coarse : fine);
  report.section("Newton's iteration");
  newton_iterations(report);
  report.section(
      "Orders",
      "The source's method is of order 1; it names higher order as the next step. Order 2 is BDF2 in "
      "the Lie algebra, for the same four forms.");
  orders(report);
  report.section("Errors of the source");
  errors_of_the_source(report, coarse);
}

}  // namespace catena::detail
