#include <catena/kkt/consistent.hpp>
#include <catena/stepper/explicit/explicit_stepper.hpp>
#include <catena/stepper/guards/detail/pole.hpp>
#include <catena/stepper/guards/detail/step_resolution.hpp>
#include <catena/system/detail/undefined.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace catena {
using namespace detail;
namespace {

Outcome outcome_of(const KktReport& report) { return failure(report.status, report.culprit); }

}  // namespace

ExplicitStepper::ExplicitStepper(ButcherTable table, ExplicitOptions options, LinearSolverFactory backend,
                                 GuardSet own)
    : table_(std::move(table)),
      options_(std::move(options)),
      backend_(std::move(backend)),
      errors_(StepController::proportional_integral(table_.error_power()),
              {.rtol_position = options_.rtol_position,
               .atol_position = options_.atol_position,
               .rtol_velocity = options_.rtol_velocity,
               .atol_velocity = options_.atol_velocity,
               .max_step = options_.max_step}),
      own_(std::move(own)) {
  traits_.name = table_.name;
  traits_.summary = table_.summary;
  traits_.order_q = traits_.order_v = traits_.order_lambda = table_.order;
  traits_.position_residual = traits_.velocity_residual = traits_.acceleration_residual = true;
  traits_.variable_step = traits_.velocity_constraints = traits_.reaction_forces = true;
  traits_.chooses_step = table_.embedded_order > 0 && options_.control == ExplicitOptions::Control::adaptive;
}

Outcome ExplicitStepper::set_up(const System& system) {
  memory_.clear();
  const GuardOptions& guards = options_.guards;
  const GuardSubject subject{system, statistics_, traits_.order_lambda};
  poles_.attach(subject, {&pole_guard}, guards, memory_);
  if (std::string refusal =
          equations_.attach(system, backend_, statistics_, guards.mode(dependent_rows_guard));
      !refusal.empty())
    return failure(Status::unsupported, {std::move(refusal), "analysis", 0.0});
  plain_ = system.has_rate();
  errors_.attach(system, memory_, plain_);
  projection_counts_ = guards.mode(jumping_rows_guard) == GuardMode::on;
  GuardSet at_once, accurate;
  (projection_counts_ ? at_once : accurate).push_back(&jumping_rows_guard);
  if (options_.stiffness_check) accurate.push_back(&stability_guard);
  accurate.insert(accurate.end(), own_.begin(), own_.end());
  jumps_.attach(subject, at_once, guards, memory_);
  guards_.attach(subject, accurate, guards, memory_);
  h_before_ = memory_.add("h", 1);
  lambda_before_ = memory_.add("multipliers before", system.layout().lambda_size());
  now_ = system.initial_state();
  memory_.begin(now_);
  before_ = now_;
  const std::size_t n = now_.v.size(), nx = plain_ ? now_.q.size() : n,
                    stages = table_.a.size() + table_.dense_c.size();
  kx_.assign(stages, std::vector<double>(nx));
  kv_.assign(stages, std::vector<double>(n));
  dense_x_.assign(3 + table_.dense.size(), std::vector<double>(nx));
  dense_v_.assign(3 + table_.dense.size(), std::vector<double>(n));
  for (auto* x : {&x_, &x_last_, &x_taken_, &between_}) x->assign(nx, 0.0);
  for (auto* x : {&v_last_, &v_taken_}) x->assign(n, 0.0);
  dense_stage_ = now_;
  h_taken_ = 0.0;
  return {};
}

Outcome ExplicitStepper::begin(State& state, double h, bool first) {
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
    errors_.begin(state, !adaptive()                   ? h
                         : options_.initial_step > 0.0 ? options_.initial_step
                                                       : first_step(state, longest));
    GuardWorkspace workspace = guard_workspace();
    for (GuardList* guards : {&poles_, &jumps_, &guards_}) guards->start(state, RowErrors{}, workspace);
  }
  outcome.h_next = errors_.proposed(state);
  return outcome;
}

// q and v onto the constraints, a and lambda from the index-1 equations. On failure the state is untouched.
KktReport ExplicitStepper::make_consistent(State& state) {
  h_taken_ = 0.0;
  now_ = state;
  KktReport report = equations_.close(now_);
  if (report.status != Status::ok) return report;
  state = now_;
  if (memory_.fits(state)) h_before_.value(state) = 0.0;
  return report;
}

double ExplicitStepper::proposed_step(const State& state) const {
  return memory_.fits(state) ? errors_.proposed(state) : 0.0;
}

Outcome ExplicitStepper::take_step(State& state, double h) {
  if (!memory_.fits(state)) return not_started(state);
  now_.discrete = state.discrete;
  h_taken_ = hidden_below_ = 0.0;
  const double asked = h;
  for (bool rejected = false;; rejected = true) {
    Outcome outcome = outcome_of(attempt(state, h));
    double err = 0.0;
    StepError seen;
    if (outcome.status == Status::ok) outcome = assess(jumps_, std::move(outcome), state, h);
    if (outcome.status == Status::ok) {
      if (estimates_) seen = step_error(state, h);
      if (!adaptive()) {
        outcome = watch_poles({}, state, h);
      } else {
        const LocalError error = local_error(state, h);
        err = error.root_mean_square(x_.size() + now_.v.size());
        if (!(err <= 1.0)) {
          outcome = too_inaccurate(error, h);
          ++statistics_.rejected_by_error;
        }
      }
    }
    if (outcome.status == Status::ok) outcome = assess(guards_, std::move(outcome), state, h);
    if (outcome.status == Status::ok) {
      accept(state, h);
      outcome.error = seen;
      outcome.h_taken = h;
      outcome.h_next = adaptive() ? errors_.accept(state, h, asked, err, rejected) : h;
      return outcome;
    }
    ++statistics_.rejected_steps;
    if (!adaptive()) return watch_poles(std::move(outcome), state, h);
    if (outcome.status != Status::step_too_small && !recoverable(outcome.status)) return outcome;
    h = errors_.cut(h, err);
    if (ErrorControl::vanishes(h, state.t, asked) || !(h > hidden_below_))
      return watch_poles(std::move(outcome), state, asked);
  }
}

// The stages, and the end of the step on the constraints in now_.
KktReport ExplicitStepper::attempt(const State& state, double h) {
  const int end = table_.stages();
  for (int s = 0; s <= end; ++s) {
    const auto k = static_cast<std::size_t>(s);
    now_.t = state.t + (s < end ? table_.c[k] : 1.0) * h;
    if (s == 0) {
      if (plain_) std::copy(state.q.begin(), state.q.end(), now_.q.begin());
      std::copy(state.v.begin(), state.v.end(), now_.v.begin());
      std::copy(state.a.begin(), state.a.end(), now_.a.begin());
      if (!plain_) std::fill(x_.begin(), x_.end(), 0.0);
    } else {
      weighted_sum(table_.a[k], kx_, h, plain_ ? state.q.data() : nullptr, x_);
      weighted_sum(table_.a[k], kv_, h, state.v.data(), now_.v);
      if (plain_)
        std::copy(x_.begin(), x_.end(), now_.q.begin());
      else
        system_->retract(state.q.data(), x_.data(), now_.q.data());
      const KktReport report = s < end ? equations_.accelerate(now_) : finish(state);
      if (report.status != Status::ok) {
        KktReport named = report;
        if (report.status == Status::not_finite) find_undefined(*system_, point_of(now_), named.culprit);
        return named;
      }
    }
    if (plain_)
      system_->rate(point_of(now_), kx_[k].data());
    else
      system_->inverse_tangent(x_.data(), now_.v.data(), kx_[k].data());
    std::copy(now_.a.begin(), now_.a.end(), kv_[k].begin());
    if (s + 1 != end) continue;
    std::copy(x_.begin(), x_.end(), x_last_.begin());
    std::copy(now_.v.begin(), now_.v.end(), v_last_.begin());
  }
  return {};
}

// The end of an attempt, moved onto the constraints.
KktReport ExplicitStepper::finish(const State& state) {
  if (now_.lambda.empty()) return equations_.accelerate(now_);
  std::copy(x_.begin(), x_.end(), x_taken_.begin());
  std::copy(now_.v.begin(), now_.v.end(), v_taken_.begin());
  KktReport report = equations_.close(now_);
  if (report.status != Status::ok) return report;
  if (plain_)
    std::copy(now_.q.begin(), now_.q.end(), x_.begin());
  else
    system_->difference(state.q.data(), now_.q.data(), x_.data());
  for (std::size_t i = 0; i < x_.size(); ++i) x_taken_[i] -= x_[i];
  for (std::size_t i = 0; i < now_.v.size(); ++i) v_taken_[i] -= now_.v[i];
  return {};
}

// The new state, and what interpolates within the step.
void ExplicitStepper::accept(State& state, double h) {
  begin_dense_output(state, h);
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

// a and lambda of the new coordinates; the step taken, its size and its end stay, for interpolate() and for the guards.
Outcome ExplicitStepper::exchanged(State& state, double h) {
  Outcome outcome = outcome_of(make_consistent(state));
  if (outcome.status == Status::ok) h_taken_ = h_before_.value(state) = h;
  return outcome;
}

}  // namespace catena
