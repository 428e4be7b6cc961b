// The runs of one stepper on one case, and how well they know where they end.
#include <catena/studies/detail/audit_pair_checks.hpp>

namespace catena::detail::audit_detail {
namespace {

constexpr double unevenness = 0.25;        // of steps, where variable_step is promised
constexpr double largest_estimate = 1e-3;  // of the motion, and of the size of multipliers
// Steps are made four times shorter, so often at most, where an estimate is larger.
constexpr int most_refinements = 2;

}  // namespace

// False: a run failed, and there is no end to compare.
bool PairChecks::operator()(End& end) {
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
  // Of equations of motion that look the same backwards, a symmetric method returns too.
  if ((traits().reversible || traits().symmetric) && case_.reversible) check_reversal();
  check_continuation();
  check_between();
  if (traits().variable_step && !controlled()) {
    Levels uneven;
    if (run_levels(uneven, steps(), unevenness)) check_orders(uneven, unevenness, uneven_order_slack);
  }
  return true;
}

AuditCheck& PairChecks::add(const std::string& check, double measured, double bound) {
  result_.checks.push_back({stepper_.name(), case_.name(), check, measured, bound});
  return result_.checks.back();
}

void PairChecks::leave_out(const std::string& check, const std::string& reason) {
  result_.skipped.push_back({stepper_.name(), case_.name(), reason, check});
}

// Of the coarsest run.
int PairChecks::steps() const {
  const int order = traits().order_q;
  int count = order >= 4 ? case_.steps_high : order == 1 ? case_.steps_low : case_.steps;
  if (count == 0) count = order >= 4 ? case_.steps / 4 : 16 * case_.steps;
  return refinement_ * (count + 2 * samples_per_run - 1) / (2 * samples_per_run) * (2 * samples_per_run);
}

// All runs that the checks look at, with steps short enough for the estimates of the end.
bool PairChecks::run(End& end) {
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

bool PairChecks::run_levels(Levels& traces, int count, double uneven) {
  for (std::size_t level = 0; level < levels; ++level)
    if (!run_one(traces[level], 0.0, count << level, uneven)) return false;
  return true;
}

bool PairChecks::run_one(Trace& trace, double control, int count, double uneven) {
  Made made = make(stepper_, control);
  trace = run_trace(subject_, *made.stepper, case_.end, count, uneven);
  if (trace.failure.empty()) return true;
  add(uneven > 0.0 ? "reaches the end, uneven steps" : "reaches the end", 0.0, 1.0).at_least = true;
  result_.checks.back().remark = trace.failure;
  return false;
}

// The end of the run with h/2, whose error is estimated from the two finer runs.
Estimates PairChecks::estimate(End& end) const {
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
  const bool compared = !last.lambda.empty() && !case_.redundant && t.order_lambda > 0;
  if (compared) {
    end.lambda = last.lambda;
    end.lambda_error = found.lambda;
  }
  return {found.q / motion(traces_[1], &Sample::q), found.v / motion(traces_[1], &Sample::v),
          compared ? found.lambda / size(&Sample::lambda) : 0.0};
}

void PairChecks::check_end(End& end) {
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

bool audit_pair(const AuditStepper& stepper, const AuditCase& which, const Subject& subject,
                AuditResult& result, End& end) {
  return PairChecks(stepper, which, subject, result)(end);
}

}  // namespace catena::detail::audit_detail
