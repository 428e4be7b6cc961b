// What a stepper keeps: rows, invariants, also in steps far too long; the way back.
#include <catena/math/detail/largest.hpp>
#include <catena/studies/detail/audit_pair_checks.hpp>

#include <limits>

namespace catena::detail::audit_detail {
namespace {

constexpr double roundoff = 64.0 * std::numeric_limits<double>::epsilon();
// Local tolerances add up over the thirty and more steps of a run.
constexpr double control_slack = 30.0;
// A run that is far too coarse: so much longer steps, or this tolerance; a bounded motion is not faster than so many
// times the resolved one.
constexpr int coarser = 20;
constexpr double coarse_tolerance = 1e-3, bounded = 10.0;
// Iterations contract slowly in such steps: what a last correction below the tolerance leaves of the residuals.
constexpr double coarse_slack = 100.0;

}  // namespace

// Iterations end where a correction of q is below newton_tolerance, which is one of that over h in v and over h^2 in
// a; rows weigh them with numbers of the size of what they constrain.
void PairChecks::check_residuals(const Trace& t, double control, const std::string& how) {
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
void PairChecks::check_controlled_residuals(const Trace& t, double control, const std::string& how) {
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
void PairChecks::check_invariants() {
  for (std::size_t i = 0; i < subject_.invariants().size(); ++i) {
    const Invariant& invariant = subject_.invariants()[i];
    double change = 0.0, error = 0.0;
    for (std::size_t k = 0; k < traces_[0].samples.size(); ++k) {
      const double coarse = traces_[0].samples[k].invariants[i], fine = traces_[1].samples[k].invariants[i];
      change = std::max(change, std::abs(coarse - fine));
      error = std::max(error, std::isnan(fine) ? std::numeric_limits<double>::infinity() : std::abs(fine));
    }
    const double scale =
        std::max({subject_.scale(invariant), std::abs(invariant.value), traces_[0].largest_energy});
    add(invariant.name, error,
        safety * change / (ratio(traits().order_v) - 1.0) +
            (controlled() ? control_slack * middle_tolerance : 100.0 * floor()) * scale);
  }
}

// Steps far too long: a failure names its culprit, or the motion stays bounded and keeps what is promised.
void PairChecks::check_coarse() {
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
void PairChecks::check_reversal() {
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
      made_.newton_tolerance * steps() * (1.0 + std::max(largest_or_nan(start.q), traces_[0].largest_v)));
}

}  // namespace catena::detail::audit_detail
