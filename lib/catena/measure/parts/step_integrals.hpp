// What quantities have of all steps of a run: integrals, as work from power and impulse from force, and turns of angles.
#pragma once
#include <catena/driver/sink.hpp>
#include <catena/measure/detail/inner_multipliers.hpp>
#include <catena/measure/parts/instant.hpp>
#include <catena/measure/parts/quantity_catalog.hpp>

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace catena {

// Of every accepted step the rates are taken at three Gauss nodes, from t, q and v of the stepper's interpolant: a
// rule of order 6, so that the order of the interpolant decides; at five in steps that a method of order 5 or more chooses. Multipliers lie on a line, or are computed at the nodes where
// the method's own are better than that (Quantity::multipliers). Between the nodes rates are polynomials, so that
// instants inside a step have their integrals too, to the power 4 of the step, or 6. The discrete values are those of the step: a controller that samples at its end
// changes nothing in it. Allocates nothing after the first step where the quantities do not.
class StepIntegrals final : public Observer {
 public:
  // Of the selection those with Quantity::integrated or Quantity::counted that the system has.
  StepIntegrals(const System& system, const Selection& selection, MeasureSources sources);

  std::string name() const override { return "integrals"; }
  void begin(const System& system) override;
  // Continues with what remember() has set.
  void resume(const System& system, const State& state) override;
  bool wants_steps() const override { return integrates_; }
  void step(const AcceptedStep& step) override;
  bool observe(const State& state) override;

  // The number of a quantity among them; -1: it is not.
  int find(const std::string& name) const;
  // All its items from the start of the run to t, an instant of the last step [s].
  void value(int number, double t, double* out) const;
  // Of a counted one: the angles at an instant of the last step, given in (-pi, pi], over full turns.
  void count_turns(int number, const Instant& at, double* angles) const;

  // What it knows at the last state that it has observed, for a checkpoint, and back. False: these are not its numbers.
  std::vector<double> memory() const;
  bool remember(const std::vector<double>& memory);

 private:
  // Few for methods of order 4 and less, and for fixed steps. Over long steps of the others the polynomial through the rates is
  // right at the end alone: inside, rates are taken anew.
  static constexpr std::size_t few_nodes = 3, most_nodes = 5;
  struct Integrated {
    Quantity quantity;
    std::size_t first, count;  // in the arrays of numbers
  };
  // Of all integrals, from the start of the run to t [s], to `out`.
  void values(double t, std::size_t first, std::size_t count, double* out) const;
  // Moves sums_inside_ on to t, by the rule over the stretch from the instant before.
  void look_inside(double t) const;
  void rates_inside(double theta, std::vector<double>& rates) const;  // at theta of the step
  // The rates of counted angles [rad/s]; 0 of those without.
  void rates_of(const Integrated& q, const Instant& at, std::vector<double>& rates) const;
  // Angle k, with its rate, over full turns since the last state observed, s before [s].
  double over_turns(std::size_t k, double angle, double rate, double s) const;
  // Of the rates at the nodes, from the start of the step to t [s].
  std::array<double, most_nodes> weights(double t) const;

  std::unique_ptr<const MeasuredSystem> measured_;  // null: nothing is integrated
  mutable std::optional<Instant> now_;
  std::unique_ptr<detail::InnerMultipliers> multipliers_;  // null: no quantity reads them
  std::vector<Integrated> quantities_;
  bool integrates_ = false, counts_ = false, begun_ = false;  // begun: angles have been seen
  std::vector<double>
      before_,  // integrals to the start of the step; counted angles at the last state observed
      done_;    // the same at the last state observed
  std::array<std::vector<double>, most_nodes> rates_;  // at the nodes of the step
  std::size_t nodes_ = few_nodes;
  double t_ = 0.0, h_ = 0.0;  // [s] start and length of the last step; 0: none yet
  double seen_ = 0.0;         // [s] of the last state observed
  double t_end_ = 0.0;        // [s] of the last step
  std::optional<AcceptedStep> step_;
  mutable double t_inside_ = 0.0;  // [s] the last instant inside the step that was asked for, or the start
  mutable std::vector<double> sums_inside_, rates_between_;  // from the start of the step to it; at a node
  mutable State node_;
  std::vector<double> rate_before_;  // of the counted angles in before_
  mutable std::vector<double> angles_, rates_now_;
};

}  // namespace catena
