#include <catena/stepper/detail/error_options.hpp>
#include <catena/stepper/explicit/explicit_stepper.hpp>
#include <catena/system/detail/undefined.hpp>

#include <algorithm>
#include <utility>

namespace catena {
using namespace detail;

ExplicitStepper::ExplicitStepper(ButcherTable table, ExplicitOptions options, LinearSolverFactory backend,
                                 GuardSet own)
    : ProjectedStepper(StepController::proportional_integral(table.error_power()), tolerances_of(options),
                       options.initial_step),
      table_(std::move(table)),
      options_(std::move(options)),
      backend_(std::move(backend)),
      own_(std::move(own)) {
  traits_.name = table_.name;
  traits_.summary = table_.summary;
  traits_.order_q = traits_.order_v = traits_.order_lambda = table_.order;
  traits_.position_residual = traits_.velocity_residual = traits_.acceleration_residual = true;
  traits_.variable_step = traits_.velocity_constraints = traits_.reaction_forces = traits_.far_turns = true;
  traits_.chooses_step = table_.embedded_order > 0 && options_.control == ExplicitOptions::Control::adaptive;
}

Outcome ExplicitStepper::set_up(const System& system) {
  const GuardOptions& options = options_.guards;
  projection_counts_ = options.mode(jumping_rows_guard) == GuardMode::on;
  Guards guards{.options = options};
  (projection_counts_ ? guards.at_once : guards.accurate).push_back(&jumping_rows_guard);
  if (options_.stiffness_check) guards.accurate.push_back(&stability_guard);
  guards.accurate.insert(guards.accurate.end(), own_.begin(), own_.end());
  Outcome outcome = attach_index_1(system, backend_, system.has_rate(), guards);
  if (outcome.status != Status::ok) return outcome;
  const std::size_t n = now_.v.size(), nx = plain_ ? now_.q.size() : n,
                    stages = table_.a.size() + table_.dense_c.size();
  kx_.assign(stages, std::vector<double>(nx));
  kv_.assign(stages, std::vector<double>(n));
  dense_x_.assign(3 + table_.dense.size(), std::vector<double>(nx));
  dense_v_.assign(3 + table_.dense.size(), std::vector<double>(n));
  for (auto* x : {&x_, &x_last_, &x_taken_, &between_}) x->assign(nx, 0.0);
  for (auto* x : {&v_last_, &v_taken_}) x->assign(n, 0.0);
  rows_of_error_.assign(now_.lambda.size(), 0.0);
  dense_stage_ = now_;
  allocate_states();
  return outcome;
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

}  // namespace catena
