// How a run of an implicit method begins: consistent values, the history before t_0, and at index 3 the offset that the
// velocities of the method have.
#include <catena/kkt/consistent.hpp>
#include <catena/math/detail/printed.hpp>
#include <catena/stepper/detail/compliance.hpp>
#include <catena/stepper/detail/consistent_start.hpp>
#include <catena/stepper/guards/detail/resolution.hpp>
#include <catena/stepper/implicit/implicit_stepper.hpp>

#include <algorithm>

namespace catena {
using namespace detail;

void ImplicitStepper::started(State& state, double h) {
  GuardWorkspace workspace = guard_workspace(h);
  guards_.start(state, row_errors(h), workspace);
}

// Which errors of the position rows the method turns into which accelerations.
RowErrors ImplicitStepper::row_errors(double h) const {
  const NewtonWeights w = newton_weights(method_.table({h, h, false}));
  RowErrors errors;
  errors.weights.mass = 1.0;
  errors.weights.position_rows.jacobian = relative_scale(RowKind::position, w, h);
  errors.weights.velocity_rows.jacobian = relative_scale(RowKind::velocity, w, h);
  errors.row = errors.weights.position_rows.jacobian;
  errors.gain = has_position_rows_ ? gain_from_positions(method_.table({1.0, 1.0, false})) : 0.0;
  return errors;
}

namespace {

void remark_no_history(Outcome& outcome, double h, const KktReport& why) {
  if (!outcome.culprit.quantity.empty()) return;
  outcome.culprit = {
      why.culprit.name,
      printed("no perturbed start: no accelerations on the way of a step of %.3g s, which is too long; %s", h,
              why.culprit.quantity.c_str()),
      why.culprit.value};
}

// v'' and the rate of the multipliers at a consistent state, from the accelerations one and two steps on along the path
// q_0 exp(s v + s^2/2 v'): drives need not be defined before t_0. Errors of order h; zero where the path has no
// accelerations.
KktReport rates_ahead(const System& system, ConsistentValues& consistent, const State& state, double h,
                      std::vector<double>& jerk, std::vector<double>& lambda_rate) {
  const std::size_t n = state.v.size(), m = state.lambda.size();
  std::vector<double> other(n), path(n), v(n), q(state.q.size()), multipliers(m);
  for (std::size_t k = 0; k < n; ++k) jerk[k] = -1.5 * state.a[k] / h;
  for (std::size_t k = 0; k < m; ++k) lambda_rate[k] = -1.5 * state.lambda[k] / h;
  for (const double s : {h, 2.0 * h}) {
    const double weight = s == h ? 2.0 : -0.5;  // (4 v'(h) - v'(2h) - 3 v'(0)) / (2h)
    for (std::size_t k = 0; k < n; ++k) {
      path[k] = s * (state.v[k] + 0.5 * s * state.a[k]);
      v[k] = state.v[k] + s * state.a[k];
    }
    system.retract(state.q.data(), path.data(), q.data());
    const KktReport r =
        consistent.accelerations(state.t + s, q.data(), v.data(), other.data(), multipliers.data());
    if (r.status !=
        Status::ok) {  // a step that long leads nowhere: it will fail, and smaller ones begin anew
      std::fill(jerk.begin(), jerk.end(), 0.0);
      std::fill(lambda_rate.begin(), lambda_rate.end(), 0.0);
      return r;
    }
    for (std::size_t k = 0; k < n; ++k) jerk[k] += weight * other[k] / h;
    for (std::size_t k = 0; k < m; ++k) lambda_rate[k] += weight * multipliers[k] / h;
  }
  return {};
}

}  // namespace

void ImplicitStepper::begin_history(State& state, double h, ConsistentValues& consistent, Outcome& outcome) {
  have_matrix_ = false;
  const std::size_t n = state.v.size();
  std::vector<double> jerk(n, 0.0), bracket(n, 0.0), lambda_rate(state.lambda.size(), 0.0);
  bool perturbed = settings_.offset_at_start;
  if (settings_.jerk_at_start) {
    const KktReport r = rates_ahead(*system_, consistent, state, h, jerk, lambda_rate);
    if (r.status != Status::ok) {
      remark_no_history(outcome, h, r);
      perturbed = false;
    }
  }
  system_->bracket(state.v.data(), state.a.data(), bracket.data());
  double* a_before = a_before_slot_.of(state);
  for (std::size_t k = 0; k < n; ++k) a_before[k] = state.a[k] - h * jerk[k];
  double* lambda_before = lambda_before_.of(state);
  for (std::size_t k = 0; k < state.lambda.size(); ++k)
    lambda_before[k] = state.lambda[k] - h * lambda_rate[k];
  if (method_.start) {
    const StartRows rows = method_.start(h);
    for (std::size_t s = 0; s < method_.slots.size(); ++s) {
      double* x = own_[s].of(state);
      const StartRow& w = rows[s];
      for (std::size_t k = 0; k < n; ++k)
        x[k] =
            w.velocity * state.v[k] + w.acceleration * state.a[k] + w.jerk * jerk[k] + w.bracket * bracket[k];
    }
  }
  // The first step sees that this offset is missing. Without a perturbed start it counts as there.
  if (has_position_rows_ && !perturbed && settings_.offset_follows_step) {
    const StepSizes sizes{h, h, true};
    const VelocityOffset o = offset(method_.table(sizes), sizes);
    double* to = offset_.of(state);
    to[0] = o.rate;
    to[1] = o.jerk;
    to[2] = o.bracket;
  }
}

// By the accelerations at t_0 and before, whose difference counts for that of the step to come. Not projected onto the
// constraints: rather too large.
double ImplicitStepper::error_at_start(const State& state, double h) {
  const StepSizes sizes{h, h, true};
  const MotionTerms e = error_terms(method_.table(sizes), sizes);
  const double* a_before = a_before_slot_.of(state);
  system_->bracket(state.v.data(), state.a.data(), work_.data());
  for (std::size_t k = 0; k < work_.size(); ++k)
    work_[k] = e.rate * state.a[k] + e.jerk * ((state.a[k] - a_before[k]) / h) + e.bracket * work_[k];
  return note_error(work_.data(), h);
}

MotionTerms ImplicitStepper::error_terms(const StepTable& table, const StepSizes& sizes) const {
  const double before = sizes.h_before;
  return increment_error(table, method_.table({before, before, false}), start_rows(before), sizes,
                         method_.traits.order_q);
}

StartRows ImplicitStepper::start_rows(double h) const {
  return method_.start ? method_.start(h) : StartRows{};
}

VelocityOffset ImplicitStepper::offset(const StepTable& table, const StepSizes& sizes) const {
  return velocity_offset(table, start_rows(sizes.h_before), sizes, method_.traits.order_q);
}

// The rows of a level become zero. x [v_size + lambda_size].
void ImplicitStepper::clear_rows(Level level, double* x) const {
  const BlockPattern& p = *system_->layout().pattern;
  for (int d = 0; d < p.dual_count(); ++d) {
    const auto i = static_cast<std::size_t>(d);
    if (system_->layout().level[i] == level) std::fill_n(x + p.dual_offset[i], p.dual_size[i], 0.0);
  }
}

// Gives v_n the offset of this step for that of the last one. At order 1 it is one of v', which is known. At order 2 its
// largest part, by the jerk, changes in proportion, and what a projection onto the constraints takes away from v_n is
// the offset that it has: a jerk from two accelerations would feed their errors back. The matrix of the projection may
// have any mass, so that its proximal term and compliance stay.
KktReport ImplicitStepper::change_offset(const State& state, const VelocityOffset& before,
                                         const VelocityOffset& now) {
  const std::size_t n = now_.v.size(), m = now_.lambda.size();
  const double grows = before.jerk != 0.0 ? now.jerk / before.jerk : 1.0;
  const VelocityOffset rest{now.rate - grows * before.rate, now.jerk - grows * before.jerk,
                            now.bracket - grows * before.bracket};
  const double* a_before = a_before_slot_.of(state);
  const double before_now = h_before(state);
  double* x = newton_.rhs();
  system_->bracket(state.v.data(), state.a.data(), work_.data());
  for (std::size_t k = 0; k < n; ++k)
    x[k] = rest.rate * state.a[k] + rest.jerk * ((state.a[k] - a_before[k]) / before_now) +
           rest.bracket * work_[k];
  std::copy_n(x, n, offset_rate_.begin());
  offset_change_.grows = grows;
  offset_change_.of_a = rest.rate + rest.jerk / before_now;
  offset_change_.of_a_before = -rest.jerk / before_now;
  offset_change_.bracket = rest.bracket;
  std::fill(x + n, x + product_.size(), 0.0);
  Linearization lin;
  lin.matrix = &newton_.kkt().matrix();
  lin.mass = 1.0;
  Evaluation wanted;
  wanted.linearization = &lin;
  wanted.velocity = now_.lambda.data();
  system_->evaluate(point_of(state), wanted);
  newton_.kkt().matrix().multiply(x, product_.data());
  std::fill(product_.begin(), product_.begin() + static_cast<std::ptrdiff_t>(n), 0.0);
  for (std::size_t k = 0; k < m; ++k) product_[n + k] += (grows - 1.0) * now_.lambda[k];
  clear_rows(Level::velocity, product_.data());  // these have no offset
  new_matrix_ = true;
  have_matrix_ = false;
  const KktReport report = newton_.kkt().factorize_and_solve(product_.data());
  ++statistics_.factorizations;
  if (report.status != Status::ok) return report;
  for (std::size_t k = 0; k < n; ++k) v_n_[k] = state.v[k] + product_[k];
  columns_[0] = v_n_.data();
  return report;
}

}  // namespace catena
