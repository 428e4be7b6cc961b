// Study B: condition numbers, and the energy, which the source names as its next step.
#include <catena/solvers/alpha_rattle.hpp>
#include <catena/solvers/generalized_alpha.hpp>
#include <catena/studies/detail/snakeboard_runs.hpp>

#include <algorithm>
#include <cmath>

namespace catena::detail::snakeboard_detail {
using namespace detail;
namespace {

constexpr double rho = 3.0 / 7.0;  // of the source
using Kind = Comparison::Kind;

// The condition of the Newton matrix at the start, a_0 held fixed.
template <class Method, class Options>
double condition_of(Options options, RowScaling scaling, double h) {
  const auto system = Snakeboard().own_system();
  options.rho_inf = rho;
  options.index = Options::Index::two;
  options.scaling = scaling;
  Method stepper(options);
  State state = system->initial_state();
  stepper.attach(*system);
  stepper.start(state, h);
  return stepper.condition_number(state, h);
}

}  // namespace

// Section 6.
void condition_numbers(StudyReport& report) {
  report.section(
      "Condition numbers",
      "2-norm, of the matrix by (a_{n+1}, lambda_{n+1}) at the start. The source scales the rows by 1/h "
      "and gives no numbers.");
  struct Row {
    bool rattle;
    RowScaling scaling;
    const char* name;
    double expected[3];
  };
  const Row table[] = {{false, RowScaling::none, "generalized-alpha, unscaled", {7.1e3, 6.2e5, 6.2e7}},
                       {false, RowScaling::over_h, "generalized-alpha, 1/h", {4.7e3, 4.7e3, 4.7e3}},
                       {true, RowScaling::none, "alpha-RATTLE, unscaled", {5.5e3, 2.6e5, 2.6e7}},
                       {true, RowScaling::over_h, "alpha-RATTLE, 1/h", {5.6e3, 5.6e3, 5.6e3}}};
  GeneralizedAlphaOptions exact;
  exact.newton = GeneralizedAlphaOptions::Newton::exact;
  std::vector<Comparison> rows;
  for (const Row& row : table)
    for (int k = 0; k < 3; ++k) {
      const double h = std::pow(10.0, -2 - 2 * k);
      rows.push_back({.what = std::string(row.name) + ", h = " + study_number(h),
                      .reference = row.expected[k],
                      .measured = row.rattle ? condition_of<AlphaRattle>(AlphaRattleOptions{}, row.scaling, h)
                                             : condition_of<GeneralizedAlpha>(exact, row.scaling, h),
                      .tolerance = 0.02});  // two digits are known
    }
  report.compare("Condition numbers", rows);
}

// Section 7: what the source names as its next step.
void energy(StudyReport& report) {
  const double end = report.quick() ? 50.0 : 400.0;
  report.section(
      "Energy, the source's next step",
      "F = 0: the springs alone do work and the energy of 0.0748 J is kept by the exact motion. rho_inf = 1 "
      "keeps it within bounds of order h^2; less loses it at a constant rate of order h^3.");
  std::vector<std::vector<std::string>> cells;
  std::vector<Comparison> rows;
  for (const bool rattle : {false, true}) {
    Figure figure{.name = rattle ? "B_energy_alpha_rattle" : "B_energy_generalized_alpha",
                  .caption = std::string("Energy error of ") +
                             (rattle ? "alpha-RATTLE" : "generalized-alpha") +
                             " for four rho_inf, F = 0, h = 0.01 s",
                  .x_label = "time [s]",
                  .y_label = "E - E(0) [J]"};
    for (const double r : {0.0, rho, 0.8, 1.0}) {
      const SnakeboardMethod method = rattle ? snakeboard_alpha_rattle(r) : snakeboard_generalized_alpha(r);
      if (!method.built()) continue;
      double loss[2], worst[2][2] = {};
      for (int k = 0; k < 2; ++k) {
        const SnakeboardRun run = run_snakeboard({.force = 0.0}, method, 1e-2 / (1 << k), end);
        double mean[2] = {};
        const std::size_t half = run.energy.size() / 2;
        for (std::size_t i = 0; i < 2 * half; ++i) {
          const double error = run.energy[i] - run.energy[0];
          mean[i / half] += error / static_cast<double>(half);
          worst[k][i / half] = std::max(worst[k][i / half], std::abs(error));
        }
        loss[k] = 2.0 * (mean[0] - mean[1]) / end;
        if (k > 0) continue;
        std::vector<double> error = run.energy;
        for (double& e : error) e -= run.energy[0];
        figure.curves.push_back(snakeboard_curve("rho_inf = " + study_number(r, 3), run.t, error));
      }
      cells.push_back({method.label, study_number(r, 3), study_number(worst[0][0], 3),
                       study_number(worst[0][1], 3), study_number(worst[1][1], 3), study_number(loss[0], 3),
                       study_number(loss[1], 3)});
      if (r == 1.0 && !rattle)
        rows.push_back({.what = method.label + ", rho_inf = 1: second half against first",
                        .reference = 1.05,
                        .measured = worst[0][1] / worst[0][0],
                        .kind = Kind::at_most});
      if (r == rho)
        rows.push_back({.what = method.label + ", rho_inf = 3/7: order of the loss",
                        .reference = 3.0,
                        .measured = std::log2(loss[0] / loss[1]),
                        .tolerance = 0.05});
    }
    if (!figure.curves.empty()) report.figure(figure);
  }
  report.table("Largest energy error [J] and mean loss [W] over " + study_number(end) + " s",
               {"method", "rho_inf", "first half, h = 0.01", "second half", "second half, h = 0.005",
                "loss, h = 0.01", "loss, h = 0.005"},
               cells);
  report.compare("Energy", rows);
}

}  // namespace catena::detail::snakeboard_detail
