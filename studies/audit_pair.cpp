#include <catena/studies/audit_make.hpp>
#include <catena/studies/audit_orders.hpp>
#include <catena/studies/audit_pair.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace catena::audit_detail {
namespace {

constexpr double middle_tolerance = control_tolerances[control_levels[1]];
constexpr double roundoff = 64.0 * std::numeric_limits<double>::epsilon();
constexpr double unevenness = 0.25;  // of steps, where variable_step is promised
// Local tolerances add up over the thirty and more steps of a run.
constexpr double control_slack = 30.0;
constexpr double largest_estimate = 1e-3;  // of the motion, and of the size of multipliers
// Steps are made four times shorter, so often at most, where an estimate is larger.
constexpr int most_refinements = 2;
// A run that is far too coarse: so much longer steps, or this tolerance; a bounded motion is not faster than so many
// times the resolved one.
constexpr int coarser = 20;
constexpr double coarse_tolerance = 1e-3, bounded = 10.0;
// Iterations contract slowly in such steps: what a last correction below the tolerance leaves of the residuals.
constexpr double coarse_slack = 100.0;

// All checks of one stepper on one case.
class Pair {
 public:
  Pair(const AuditStepper& stepper, const AuditCase& which, const Subject& subject, AuditResult& result)
      : stepper_(stepper), case_(which), subject_(subject), result_(result) {
    made_ = make(stepper, 0.0);
  }

  // False: a run failed, and there is no end to compare.
  bool operator()(End& end) {
    ++result_.pairs;
    if (!run(end)) return false;
    if (controlled())
      check_proportions();
    else
      check_orders(traces_, 0.0, order_slack);
    check_residuals(traces_[0], controlled() ? control_tolerances[0] : 0.0, "");
    check_invariants();
    check_end(end);
    check_coarse();
    if (traits().reversible && case_.reversible) check_reversal();
    if (traits().variable_step && !controlled()) {
      Levels uneven;
      if (run_levels(uneven, steps(), unevenness)) check_orders(uneven, unevenness, uneven_order_slack);
    }
    return true;
  }

 private:
  const Traits& traits() const { return made_.stepper->traits(); }
  bool controlled() const { return traits().chooses_step; }

  AuditCheck& add(const std::string& check, double measured, double bound) {
    result_.checks.push_back({stepper_.name(), case_.name(), check, measured, bound});
    return result_.checks.back();
  }

  void leave_out(const std::string& check, const std::string& reason) {
    result_.skipped.push_back({stepper_.name(), case_.name(), reason, check});
  }

  // Of the coarsest run.
  int steps() const {
    const int order = traits().order_q;
    int count = order >= 4 ? case_.steps_high : order == 1 ? case_.steps_low : case_.steps;
    if (count == 0) count = order >= 4 ? case_.steps / 4 : 16 * case_.steps;
    return refinement_ * (count + 2 * samples_per_run - 1) / (2 * samples_per_run) * (2 * samples_per_run);
  }

  // All runs that the checks look at, with steps short enough for the estimates of the end.
  bool run(End& end) {
    if (controlled()) {
      for (std::size_t k = 0; k < control_tolerances.size(); ++k)
        if (!run_one(by_tolerance_[k], control_tolerances[k], steps(), 0.0)) return false;
      for (std::size_t k = 0; k < levels; ++k) traces_[k] = by_tolerance_[control_levels[k]];
      estimate(end);
      return true;
    }
    for (int refined = 0;; ++refined) {
      if (!run_levels(traces_, steps(), 0.0)) return false;
      const Estimates found = estimate(end);
      const bool fit = std::max({found.q, found.v, found.lambda}) <= largest_estimate;
      if (fit || refined == most_refinements) return true;
      refinement_ *= 4;
    }
  }

  bool run_levels(Levels& traces, int count, double uneven) {
    for (std::size_t level = 0; level < levels; ++level)
      if (!run_one(traces[level], 0.0, count << level, uneven)) return false;
    return true;
  }

  bool run_one(Trace& trace, double control, int count, double uneven) {
    Made made = make(stepper_, control);
    trace = run_trace(subject_, *made.stepper, case_.end, count, uneven);
    if (trace.failure.empty()) return true;
    add(uneven > 0.0 ? "reaches the end, uneven steps" : "reaches the end", 0.0, 1.0).at_least = true;
    result_.checks.back().remark = trace.failure;
    return false;
  }

  double size(Vector Sample::*part) const { return size_of(traces_.back(), part); }

  // What roundoff and unfinished iterations leave, relative to the size of a quantity.
  double floor() const { return made_.iterates ? std::max(1e-12, 0.01 * made_.newton_tolerance) : 1e-13; }
  // By how much an error shrinks from level to level.
  double ratio(int order) const { return controlled() ? 0.1 * tolerance_ratio : std::pow(2.0, order); }

  // Whether the pair has multipliers to measure; says why not.
  bool has_multipliers(const std::string& check) {
    if (subject_.system().layout().lambda_size() == 0) return false;
    if (case_.redundant)
      leave_out(check, "rows depend on each other: their multipliers are not unique");
    else if (traits().order_lambda == 0)
      leave_out(check, "no order is promised");
    else
      return true;
    return false;
  }

  void check_orders(const Levels& traces, double uneven, double slack) {
    const std::string how = uneven > 0.0 ? ", uneven steps" : "";
    coarser_.clear();
    check_order(traces, "order of q" + how, traits().order_q, &Sample::q, uneven, slack);
    check_order(traces, "order of v" + how, traits().order_v, &Sample::v, uneven, slack);
    // M v' - f = -G^T lambda: an error of v over a step is one of v'.
    if (has_multipliers("order of lambda" + how))
      check_order(traces, "order of lambda" + how, traits().order_lambda, &Sample::lambda, uneven, slack);
  }

  void check_order(const Levels& traces, const std::string& what, int promised, Vector Sample::*part,
                   double uneven, double slack) {
    const Levels* shown = &traces;
    const auto hidden = [&] { return apart((*shown)[1], (*shown)[2], part) <= floor() * size(part); };
    // Longer steps, until there is more to see than roundoff.
    std::size_t halvings = 0;
    for (int count = steps() / 2; hidden() && count >= fewest_steps; count /= 2, ++halvings) {
      const int whole = count / fewest_steps * fewest_steps;
      if (halvings == coarser_.size()) {
        coarser_.emplace_back();
        if (!run_levels(coarser_.back(), whole, uneven)) return;
      }
      shown = &coarser_[halvings];
    }
    if (hidden()) {
      add(what, apart((*shown)[1], (*shown)[2], part), floor() * size(part)).remark = "at roundoff";
      leave_out(what, "nothing is left but roundoff, even in " + std::to_string(fewest_steps) + " steps");
      return;
    }
    add(what, std::log2(apart((*shown)[0], (*shown)[1], part) / apart((*shown)[1], (*shown)[2], part)),
        promised - slack)
        .at_least = true;
    if (halvings > 0)
      result_.checks.back().remark = "with " + std::to_string(1 << halvings) + " times the step";
  }

  // Error control: errors in proportion to the tolerance.
  void check_proportions() {
    leave_out("order in h",
              "it chooses its steps: the exponent of the error over the tolerance stands in its place");
    check_proportion("q", &Sample::q);
    check_proportion("v", &Sample::v);
    if (has_multipliers("order of lambda")) check_proportion("lambda", &Sample::lambda);
  }

  void check_proportion(const std::string& of, Vector Sample::*part) {
    const Proportion found = proportion(by_tolerance_, part, floor() * size(part));
    const std::string what = "exponent of the error of " + of + " over the tolerance";
    if (found.long_runs < 3) {
      leave_out(what, "it goes there in less than " + std::to_string(fewest_steps) + " steps");
      return;
    }
    if (found.runs < 3) {
      add(what, 0.0, least_exponent).at_least = true;
      result_.checks.back().remark = "the tolerance changes nothing";
      return;
    }
    add(what, found.exponent, least_exponent).at_least = true;
    add(what, found.exponent, largest_exponent);
  }

  // Iterations end where a correction of q is below newton_tolerance, which is one of that over h in v and over h^2 in
  // a; rows weigh them with numbers of the size of what they constrain.
  void check_residuals(const Trace& t, double control, const std::string& how) {
    if (subject_.system().layout().lambda_size() == 0) return;
    const Traits& promised = traits();
    const double slack = how.empty() ? 1.0 : coarse_slack;
    if (control > 0.0) {
      check_controlled_residuals(t, control, how);
      return;
    }
    const double tolerance = slack * made_.newton_tolerance;
    const double h = t.smallest_step, gap = case_.redundant ? 2e-8 / h * t.largest_a : 0.0;
    if (promised.position_residual)
      add("position residual" + how, t.residuals.position, tolerance * (1.0 + t.largest_q) + gap * h * h);
    const double velocity = tolerance * (1.0 + t.largest_v + 1.0 / h) + gap * h;
    if (promised.velocity_residual)
      add("velocity residual" + how, t.residuals.velocity, velocity);
    else if (promised.position_residual && t.residuals.velocity_rows > 0.0)
      add("velocity rows" + how, t.residuals.velocity_rows, velocity);
    if (promised.acceleration_residual)
      add("acceleration residual" + how, t.residuals.acceleration,
          tolerance * (1.0 + t.largest_a + t.largest_v * t.largest_v + 1.0 / (h * h)) + gap);
  }

  // Iterations that end at a part of the tolerances do so by an estimate of their rate; what they leave is at most the
  // change of the step from its prediction, which the error test keeps to order + 1 tolerances in the root mean square
  // over at most two multipliers for each row, q and v.
  void check_controlled_residuals(const Trace& t, double control, const std::string& how) {
    const SystemLayout& layout = subject_.system().layout();
    const double unknowns = static_cast<double>(t.end.q.size() + t.end.v.size()) + 2.0 * layout.lambda_size();
    const double step = (traits().order_q + 1.0) * control * std::sqrt(unknowns) * subject_.largest_row();
    const double bound = made_.iterates ? step : roundoff * (1.0 + subject_.largest_row());
    const WorstResiduals& worst = t.residuals;
    const std::string relative = " residual, relative" + how;
    if (traits().position_residual) add("position" + relative, worst.relative_position, bound);
    if (traits().velocity_residual) add("velocity" + relative, worst.relative_velocity, bound);
    if (traits().acceleration_residual) add("acceleration" + relative, worst.relative_acceleration, bound);
  }

  // An invariant that is kept in the limit has an error D_h = c h^p, so |D_{h/2}| <= |D_h - D_{h/2}|/(2^p - 1).
  void check_invariants() {
    for (std::size_t i = 0; i < subject_.invariants().size(); ++i) {
      const Invariant& invariant = subject_.invariants()[i];
      double change = 0.0, error = 0.0;
      for (std::size_t k = 0; k < traces_[0].samples.size(); ++k) {
        const double coarse = traces_[0].samples[k].invariants[i], fine = traces_[1].samples[k].invariants[i];
        change = std::max(change, std::abs(coarse - fine));
        error = std::max(error, std::isnan(fine) ? std::numeric_limits<double>::infinity() : std::abs(fine));
      }
      const double scale = std::max({1.0, std::abs(invariant.value), traces_[0].largest_energy});
      add(invariant.name, error,
          safety * change / (ratio(traits().order_v) - 1.0) +
              (controlled() ? control_slack * middle_tolerance : 100.0 * floor()) * scale);
    }
  }

  // The end of the run with h/2, whose error is estimated from the two finer runs.
  Estimates estimate(End& end) const {
    const Sample& last = traces_[1].samples.back();
    const Traits& t = traits();
    const Estimates found =
        richardson(traces_, ratio(t.order_q), ratio(t.order_v), std::max(2.0, ratio(t.order_lambda)));
    end.stepper = stepper_.name();
    end.rows = subject_.common_multipliers();
    end.q = last.q;
    end.v = last.v;
    end.q_error = found.q;
    end.v_error = found.v;
    const bool told = !last.lambda.empty() && !case_.redundant && t.order_lambda > 0;
    if (told) {
      end.lambda = last.lambda;
      end.lambda_error = found.lambda;
    }
    return {found.q / motion(traces_[1], &Sample::q), found.v / motion(traces_[1], &Sample::v),
            told ? found.lambda / size(&Sample::lambda) : 0.0};
  }

  void check_end(End& end) {
    const Estimates of_motion = estimate(end);
    const std::string refined =
        refinement_ > 1 ? "with " + std::to_string(refinement_) + " times the steps of the case" : "";
    add("error of q at the end, of the motion", of_motion.q, largest_estimate).remark = refined;
    add("error of v at the end, of the motion", of_motion.v, largest_estimate).remark = refined;
    if (!end.lambda.empty())
      add("error of lambda at the end, of its size", of_motion.lambda, largest_estimate).remark = refined;
    const double least = controlled() ? middle_tolerance : floor();
    end.q_error = std::max(end.q_error, least * size(&Sample::q));
    end.v_error = std::max(end.v_error, least * size(&Sample::v));
    // v' is known to the tolerance over a step
    const double amplified = controlled() ? case_.end / traces_[1].smallest_step : 1.0;
    end.lambda_error = std::max(end.lambda_error, least * amplified * size(&Sample::lambda));
    if (!end.lambda.empty()) end.lambda.resize(static_cast<std::size_t>(subject_.common_multipliers()));
    const ReferenceError error = subject_.reference_error(traces_[1].end);
    if (error.q >= 0.0) add("known digits of q", error.q, safety * end.q_error);
    if (error.v >= 0.0) add("known digits of v", error.v, safety * end.v_error);
  }

  // Steps far too long: a failure names its culprit, or the motion stays bounded and keeps what is promised.
  void check_coarse() {
    Made made = make(stepper_, coarse_tolerance);
    const int unrefined = steps() / refinement_;
    const Trace trace =
        run_coarse(subject_, *made.stepper, case_.end, std::max(2, unrefined / (controlled() ? 1 : coarser)));
    if (!trace.failure.empty()) {
      const bool named = !trace.culprit.name.empty() && !trace.culprit.quantity.empty();
      add("coarse: a failure is named", named ? 1.0 : 0.0, 1.0).at_least = true;
      result_.checks.back().remark = trace.failure;
      return;
    }
    add("coarse: bounded velocities", trace.largest_v,
        bounded * std::max(traces_[2].largest_v, size(&Sample::q) / case_.end));
    check_residuals(trace, controlled() ? coarse_tolerance : 0.0, ", coarse");
  }

  // Forward, turned, and as many steps back: what is left are unfinished iterations, one a step.
  void check_reversal() {
    Made back = make(stepper_, control_tolerances[0]);
    State turned = traces_[0].end;
    const double begin = 0.0;
    for (double& x : turned.v) x = -x;
    turned.memory.clear();
    turned.t = begin;
    const Trace trace = run_trace(subject_, *back.stepper, case_.end, steps(), 0.0, &turned);
    if (!trace.failure.empty()) {
      add("returns when turned back", std::numeric_limits<double>::infinity(), 0.0).remark = trace.failure;
      return;
    }
    const Sample &start = traces_[0].samples.front(), &end = trace.samples.back();
    double error = distance(end.q, start.q);
    for (std::size_t k = 0; k < end.v.size(); ++k) error = std::max(error, std::abs(end.v[k] + start.v[k]));
    add("returns when turned back", error,
        made_.newton_tolerance * steps() * (1.0 + std::max(largest(start.q), traces_[0].largest_v)));
  }

  const AuditStepper& stepper_;
  const AuditCase& case_;
  const Subject& subject_;
  AuditResult& result_;
  Made made_;
  int refinement_ = 1;  // of the steps of the case
  Levels traces_;
  ByTolerance by_tolerance_;
  std::vector<Levels> coarser_;  // with 2, 4, 8 ... times the step, as far as they were needed
};

}  // namespace

bool audit_pair(const AuditStepper& stepper, const AuditCase& which, const Subject& subject,
                AuditResult& result, End& end) {
  return Pair(stepper, which, subject, result)(end);
}

}  // namespace catena::audit_detail
