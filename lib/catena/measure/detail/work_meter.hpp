// The work of a run: what its forces have supplied beside their potentials, and its drives, since the start. With it the
// balance of energy closes to the order of the method, in every run; StepIntegrals has the work of each force by itself,
// where that is recorded.
#pragma once
#include <catena/driver/sink.hpp>
#include <catena/measure/detail/body_rows.hpp>
#include <catena/measure/detail/drive_meter.hpp>
#include <catena/measure/detail/inner_multipliers.hpp>
#include <catena/measure/parts/work.hpp>

#include <array>
#include <optional>
#include <vector>

namespace catena::detail {

// Powers are taken at the ends of each accepted step (trapezoidal rule, order 2), of methods beyond order 2 in its middle too
// (Simpson's rule, order 4), and beyond order 4 at two points more (Lobatto's rule of five points, order 8), with the discrete
// values of the step. An end is the beginning of the next step, and is evaluated once, unless a controller has sampled
// between them.
class WorkMeter {
 public:
  // Whether something in the system may do work, or it does not state its power. Of a model: drives, and forces that say so
  // (does_work() of their type); of others, a user's, it is measured at the initial positions with three velocities: the
  // power of a spring is roundoff of its two parts. One that does nothing there, an open contact say, may do work later.
  static bool is_wanted(const System& system);

  // It outlives this.
  explicit WorkMeter(const System& system);

  void step(const AcceptedStep& step);
  // Each state that the run accepts, after step(). Where controllers have sampled since, powers may have jumped, and what
  // that changes of potentials is work as well.
  void observe(const State& state);

  // From the start to t, an instant of the last step [s]; of the state observed last with what its controllers did. Inside a
  // step of a method beyond order 4 powers are taken anew, over the stretches between the instants that are asked for.
  Work at(double t);
  // Why it is not known, as of the last step.
  WorkKnown known() const;

  double turnover() const {
    return done_[absolute];
  }  // [J] the integral of the absolute powers, to the last state
  // How far the rule and the trapezoidal one are apart, step by step or over pairs of steps [J]: what a balance of energy may be off
  // by where a step passes over a kink, and inner points have what an interpolant makes of it.
  double doubt() const { return doubt_; }
  // How far the rule and the next coarser one are apart [J]: the error of the integral where powers are smooth.
  double error_of_rule() const { return error_of_rule_; }
  bool is_settled() const { return !pair_is_open_; }  // the doubt covers all steps

  // For a checkpoint: where the next step begins, and back.
  static constexpr std::size_t numbers = 15;
  void write(double* memory) const;
  void read(const double* memory);  // where no step has come yet

 private:
  enum Part { of_forces, of_drives, absolute };
  using Numbers = std::array<double, 3>;  // [W] or [J]
  Numbers power(const State& at, const std::vector<double>& lambda, const std::vector<double>& discrete);
  Numbers power_beside(const State& at, double t, const std::vector<double>& discrete);
  std::optional<double> break_at(double t) const;
  Numbers power_inside(double theta);  // of the last step
  Numbers integral(
      double theta) const;  // over the last step up to theta of it, of the polynomial through its powers
  Numbers integral_to(
      double t);  // the same, of powers taken anew where the polynomial is right at the end alone
  void estimate_doubt();
  bool has_sampled(const State& state) const;
  bool reads_multipliers() const { return drives_ || !system_.layout().reaction_force.empty(); }

  const System& system_;
  bool states_power_ = true;          // false: nothing is known
  std::optional<BodyRows> bodies_;    // of a system of bodies
  std::optional<DriveMeter> drives_;  // of constraints that may move
  std::vector<int> forces_;           // that may do work
  std::vector<double> unit_q_, drive_power_, no_lambda_;
  std::vector<double> break_points_;  // of functions of the time [s]
  InnerMultipliers multipliers_;
  State within_;
  std::vector<double> end_discrete_;  // of the end of the last step

  Numbers before_{}, done_{};  // [J] to the start of the last step; to the last state
  static constexpr std::size_t most_inside = 3;
  Numbers begin_{}, end_{};                    // [W] in the last step
  std::array<Numbers, most_inside> inside_{};  // at the inner points of its rule
  std::size_t points_inside_ = 0;              // 0, 1 or 3
  std::optional<AcceptedStep> step_;           // the last one
  bool solves_inside_ = false;                 // multipliers at inner points
  double t_inner_ = 0.0;                       // [s] the last instant inside that was asked for, or the start
  Numbers to_inner_{}, inner_{};               // [J] from the start of the step to it; [W] there
  bool is_continuous_ = false;              // the next step begins with the powers at the end of the last one
  double t_ = 0.0, h_ = 0.0, t_end_ = 0.0;  // [s] of the last step; h_ = 0: there is none yet
  double seen_ = 0.0;                       // [s] of the last state
  bool moved_ = false, multiplied_ = false;
  double doubt_ = 0.0, error_of_rule_ = 0.0, t_pair_ = 0.0, power_pair_ = 0.0, work_pair_ = 0.0;
  bool pair_is_open_ = false;
};

}  // namespace catena::detail
