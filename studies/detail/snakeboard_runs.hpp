// Runs of the snakeboard for its study: what is recorded of each.
#pragma once
#include <catena/driver/run.hpp>
#include <catena/experiment/scenario.hpp>
#include <catena/output/parts/study.hpp>
#include <catena/problems/snakeboard.hpp>

#include <string>
#include <vector>

namespace catena::detail {

// A method as the study runs it.
struct SnakeboardMethod {
  std::string label, stepper;
  Settings options;

  bool built() const;  // this library has the stepper
};
// The three of the source, with its rho_inf = 3/7.
SnakeboardMethod snakeboard_generalized_alpha(double rho_inf);
SnakeboardMethod snakeboard_alpha_rattle(double rho_inf);
SnakeboardMethod snakeboard_ida(double tolerance);  // index-1 form, which the source gave to DASSL

// What one run left, at every accepted step.
struct SnakeboardRun {
  RunResult result;
  State end;
  std::vector<double> t;
  std::vector<double> x, y, theta;          // [m], [rad]
  std::vector<double> back_row, front_row;  // of the wheels, A v [m/s]
  std::vector<double> energy;               // [J]
  std::vector<std::vector<double>> lambda;  // [N]
  double largest_lambda = 0.0;              // [N]
  // Where the rows came nearest to being dependent: sine of their angle in the norm of M^-1.
  double weakest_sine = 1.0, weakest_at = 0.0;

  // "step_too_small at 1.2537 s: ..." or "ran to 0.5 s"
  std::string ending() const;
};
SnakeboardRun run_snakeboard(const SnakeboardParameters& parameters, const SnakeboardMethod& method,
                             double step, double end);

// A quantity of a run over its times, thinned out for a figure.
Curve snakeboard_curve(const std::string& label, const std::vector<double>& x, const std::vector<double>& y);

namespace snakeboard_detail {

// Sections of the study.
void condition_numbers(StudyReport& report);
void energy(StudyReport& report);

}  // namespace snakeboard_detail
}  // namespace catena::detail
