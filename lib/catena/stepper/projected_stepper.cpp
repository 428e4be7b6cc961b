#include <catena/kkt/consistent.hpp>
#include <catena/stepper/guards/detail/pole.hpp>
#include <catena/stepper/guards/detail/step_resolution.hpp>
#include <catena/stepper/parts/projected_stepper.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace catena {
using namespace detail;
namespace {

Outcome outcome_of(const KktReport& report) { return failure(report.status, report.culprit); }

// A step is cut once to this part where it ends within 3e-4 rad of dependent rows at position level. The rows hold what they
// determine to roundoff over this angle there, and rates of it to that over the square: the next step would begin with
// 1e-8 of the speed across the motion, and err by much more at its stages. Not to three quarters: a step of the same length that
// fails is tried with a quarter next, which would end at the same place (6 of 500 passages of dop853 did, none with 0.7).
constexpr double too_near = 1e-7, shorter = 0.7;

// Within 0.01 rad of dependent rows, as in flat positions, an error of q is worth its own size over the square of that in
// multipliers, and no step is short enough for them: there they choose none.
constexpr double no_multipliers_below = 1e-4;

}  // namespace

Outcome ProjectedStepper::attach_index_1(const System& system, const LinearSolverFactory& backend, bool plain,
                                         const Guards& guards) {
  memory_.clear();
  const GuardSubject subject{system, statistics_, traits_.order_lambda};
  poles_.attach(subject, {&pole_guard}, guards.options, memory_);
  if (std::string refusal =
          equations_.attach(system, backend, statistics_, guards.options.mode(dependent_rows_guard));
      !refusal.empty())
    return failure(Status::unsupported, {std::move(refusal), "analysis", 0.0});
  plain_ = plain;
  if (std::string refusal = errors_.attach(system, memory_, plain_); !refusal.empty())
    return failure(Status::unsupported, {std::move(refusal), "analysis", 0.0});
  multipliers_.attach(system);
  if (adaptive() && multipliers_.wanted() &&
      (equations_.redundant() || equations_.weakest_pivot() < no_multipliers_below))
    return failure(Status::unsupported, {"rows depend on each other, or nearly, from the start, so that "
                                         "their multipliers are open or uncertain, "
                                         "and have no errors that control_lambda could see: leave it out",
                                         "analysis", 0.0});
  jumps_.attach(subject, guards.at_once, guards.options, memory_);
  guards_.attach(subject, guards.accurate, guards.options, memory_);
  h_before_ = memory_.add("h", 1);
  lambda_before_ = memory_.add("multipliers before", system.layout().lambda_size());
  now_ = system.initial_state();
  h_taken_ = 0.0;
  return {};
}

void ProjectedStepper::allocate_states() {
  memory_.begin(now_);
  before_ = now_;
}

Outcome ProjectedStepper::begin(State& state, double h, bool first) {
  const bool continues = !first && memory_.fits(state);
  if (!continues) {
    const KktReport report = ConsistentValues(*system_, equations_.kkt(), state.discrete.data())
                                 .check_positions(state.t, state.q.data(), start_position_tolerance);
    if (report.status != Status::ok) return outcome_of(report);
    state.a.assign(now_.a.size(), 0.0);
    state.lambda.assign(now_.lambda.size(), 0.0);
  }
  Outcome outcome = outcome_of(make_consistent(state));
  if (outcome.status != Status::ok) return outcome;
  if (!continues) {
    memory_.begin(state);
    const double longest = 100.0 * h;
    errors_.begin(state, !adaptive() ? h : first_step_ > 0.0 ? first_step_ : first_step(state, longest));
    GuardWorkspace workspace = guard_workspace();
    for (GuardList* guards : {&poles_, &jumps_, &guards_}) guards->start(state, RowErrors{}, workspace);
  }
  outcome.h_next = errors_.proposed(state);
  return outcome;
}

// q and v onto the constraints, a and lambda from the index-1 equations. On failure the state is untouched.
KktReport ProjectedStepper::make_consistent(State& state) {
  h_taken_ = 0.0;
  now_ = state;
  KktReport report = equations_.close(now_);
  if (report.status != Status::ok) return report;
  state = now_;
  if (memory_.fits(state)) h_before_.value(state) = 0.0;
  return report;
}

double ProjectedStepper::proposed_step(const State& state) const {
  return memory_.fits(state) ? errors_.proposed(state) : 0.0;
}

Outcome ProjectedStepper::take_step(State& state, double h) {
  if (!memory_.fits(state)) return not_started(state);
  now_.discrete = state.discrete;
  h_taken_ = 0.0;
  shorter_fails_ = false;
  const double asked = h;
  bool may_end_anywhere = !adaptive() || equations_.redundant() || !equations_.of_positions();
  for (bool rejected = false;;) {
    Outcome outcome = outcome_of(attempt(state, h));
    double err = 0.0;
    StepError seen;
    // Whose it is, is looked up where the step ends with it: names allocate.
    std::optional<LocalError> too_large;
    if (outcome.status == Status::ok) outcome = assess(jumps_, std::move(outcome), state, h);
    if (outcome.status == Status::ok) {
      if (estimates_) seen = step_error(state, h);
      if (!adaptive()) {
        outcome = watch_poles({}, state, h);
      } else {
        LocalError error = local_error(state, h);
        err = error.root_mean_square(error_components());
        if (err <= 1.0 && multipliers_.wanted()) {
          error = multiplier_error(state, h);
          const double of_multipliers = error.root_mean_square(now_.lambda.size());
          if (!(of_multipliers <= err)) err = of_multipliers;  // one that is no number as well
        }
        if (!(err <= 1.0)) {
          outcome.status = Status::step_too_small;
          too_large = error;
          ++statistics_.rejected_by_error;
        }
      }
    }
    if (outcome.status == Status::ok) outcome = assess(guards_, std::move(outcome), state, h);
    if (outcome.status == Status::ok && !may_end_anywhere && equations_.weakest_pivot() < too_near) {
      may_end_anywhere = true;
      ++statistics_.rejected_steps;
      h *= shorter;
      continue;
    }
    if (outcome.status == Status::ok) {
      accept(state, h);
      outcome.error = seen;
      outcome.h_taken = h;
      outcome.h_next = adaptive() ? errors_.accept(state, h, asked, error_for_next(err), rejected) : h;
      return outcome;
    }
    rejected = true;
    ++statistics_.rejected_steps;
    if (!adaptive()) return watch_poles(std::move(outcome), state, h);
    if (outcome.status != Status::step_too_small && !recoverable(outcome.status)) return outcome;
    const double tried = h;
    h = errors_.cut(h, err);
    if (ErrorControl::vanishes(h, state.t, asked) || shorter_fails_) {
      if (too_large) outcome = too_inaccurate(*too_large, tried);
      return watch_poles(std::move(outcome), state, asked);
    }
  }
}

// What the error of the end is worth in multipliers.
LocalError ProjectedStepper::multiplier_error(const State& state, double h) {
  if (equations_.weakest_pivot() < no_multipliers_below) return {};
  probe_ = now_;
  probe_.t = state.t + h;
  add_error(probe_);
  return multipliers_(probe_, now_.lambda.data(), multipliers_.belonging_to(probe_));
}

void ProjectedStepper::accept(State& state, double h) {
  keep(state, h);
  before_ = state;
  state.t += h;
  std::copy(now_.q.begin(), now_.q.end(), state.q.begin());
  std::copy(now_.v.begin(), now_.v.end(), state.v.begin());
  std::copy(now_.a.begin(), now_.a.end(), state.a.begin());
  std::copy(now_.lambda.begin(), now_.lambda.end(), state.lambda.begin());
  h_taken_ = h_before_.value(state) = h;
  std::copy(before_.lambda.begin(), before_.lambda.end(), lambda_before_.of(state));
  for (GuardList* guards : {&poles_, &jumps_, &guards_}) guards->accept(state);
}

Outcome ProjectedStepper::exchanged(State& state, double h) {
  Outcome outcome = outcome_of(make_consistent(state));
  if (outcome.status == Status::ok) h_taken_ = h_before_.value(state) = h;
  return outcome;
}

Outcome ProjectedStepper::too_inaccurate(const LocalError& error, double) {
  const char* const what = error.worst < static_cast<int>(now_.v.size())
                               ? "local error in tolerances"
                               : "local error of a multiplier in tolerances";
  return failure(Status::step_too_small,
                 {error.worst < 0 ? "" : equations_.kkt().owner(error.worst), what, error.largest});
}

// The attempt at a step of size h whose end is in now_.
Outcome ProjectedStepper::assess(GuardList& guards, Outcome outcome, const State& state, double h) {
  Point end = point_of(now_);
  end.t = state.t + h;
  end.a = now_.a.data();
  end.lambda = now_.lambda.data();
  const std::optional<ExplicitStages> seen = stages();
  const StepAttempt attempted{.system = *system_,
                              .state = state,
                              .end = end,
                              .h = h,
                              .same_size = h == h_before_.value(state),
                              .first = !(h_before_.value(state) > 0.0),
                              .lambda_before = lambda_before_.of(state),
                              .held = equations_.redundant(),
                              .newton_tolerance = 0.0,
                              .stages = seen ? &*seen : nullptr};
  GuardWorkspace workspace = guard_workspace();
  outcome = guards.assess(std::move(outcome), attempted, workspace);
  shorter_fails_ = shorter_fails_ || workspace.shorter_fails;
  return outcome;
}

// What the watch over dependent rows makes of an attempt: steps cut to nothing are its business whatever they
// failed of.
Outcome ProjectedStepper::watch_poles(Outcome outcome, const State& state, double h) {
  if (now_.lambda.empty() || equations_.redundant()) return outcome;
  const Status status = outcome.status;
  if (status == Status::step_too_small || status == Status::not_finite)
    outcome.status = Status::newton_not_converged;
  outcome = assess(poles_, std::move(outcome), state, h);
  if (outcome.status == Status::newton_not_converged) outcome.status = status;
  return outcome;
}

// Hairer, Norsett, Wanner, II.4: from the sizes of y, y' and a difference of y'. longest where that fails.
double ProjectedStepper::first_step(const State& state, double longest) {
  const std::size_t n = state.v.size();
  const auto position = [&](std::size_t i) {  // of a velocity component; only its size matters
    return state.q.size() == n ? state.q[i] : system_->layout().scale[i];
  };
  // Root of the sum of (x_i / tolerance of positions)^2 + (v_i / tolerance of velocities)^2.
  const auto size_of = [&](const auto& x, const auto& v) {
    double sum = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      const double in_x = x(i) / errors_.position_tolerance(i, position(i));
      const double in_v = v(i) / errors_.velocity_tolerance(i, state.v[i]);
      sum += in_x * in_x + in_v * in_v;
    }
    return sum;
  };
  for (std::size_t i = 0; i < n; ++i)
    if (!(errors_.position_tolerance(i, position(i)) > 0.0) ||
        !(errors_.velocity_tolerance(i, state.v[i]) > 0.0))
      return longest;
  const auto of = [](const std::vector<double>& values) {
    return [&values](std::size_t i) { return values[i]; };
  };
  const double size = size_of(position, of(state.v)), slope = size_of(of(state.v), of(state.a));
  const double h = std::min(size < 1e-10 || slope < 1e-10 ? 1e-6 : 0.01 * std::sqrt(size / slope), longest);
  std::vector<double> x(n);
  for (std::size_t i = 0; i < n; ++i) {
    x[i] = h * state.v[i];
    now_.v[i] = state.v[i] + h * state.a[i];
  }
  system_->retract(state.q.data(), x.data(), now_.q.data());
  now_.t = state.t + h;
  if (equations_.accelerate(now_).status != Status::ok) return h;
  const double change = size_of([&](std::size_t i) { return now_.v[i] - state.v[i]; },
                                [&](std::size_t i) { return now_.a[i] - state.a[i]; });
  const double count = 2.0 * static_cast<double>(n);
  const double largest_slope = std::max(std::sqrt(change / count) / h, std::sqrt(slope / count));
  const double order_step = largest_slope <= 1e-15 ? std::max(1e-6, 1e-3 * h)
                                                   : std::pow(0.01 / largest_slope, 1.0 / traits_.order_q);
  return std::min({100.0 * h, order_step, longest});
}

}  // namespace catena
