#include <catena/math/detail/finite.hpp>
#include <catena/math/detail/index.hpp>
#include <catena/stepper/detail/hermite.hpp>
#include <catena/stepper/parts/projected_implicit_stepper.hpp>
#include <catena/system/detail/row_length.hpp>
#include <catena/system/detail/undefined.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace catena {
using namespace detail;
namespace {

// A component without a tolerance, zero and relative to itself, says nothing of the iteration.
double one_over(double tolerance) { return tolerance > 0.0 ? 1.0 / tolerance : 0.0; }

}  // namespace

namespace detail {

void ToleranceIteration::begin(int most, bool alone) {
  k_ = 0;
  most_ = most;
  known_ = alone ? contraction_ : 0.0;
  before_ = ratio_before_ = 0.0;
}

ToleranceIteration::Verdict ToleranceIteration::observe(double size) {
  constexpr double enough = 0.01, diverges = 0.99;
  // What the step before says is taken with care: to the power of 0.8 (RADAU5); and a ratio of two corrections may be small by
  // accident, so that it counts as 0.3 of that at least (as in CVODE).
  constexpr double of_step_before = 0.8, least_of_known = 0.3;
  // Corrections shrink by turns faster and slower: the mean of two ratios counts.
  double theta = std::pow(known_, of_step_before);
  const int k = k_++;
  if (k > 0) {
    const double ratio = size / before_;
    contraction_ = k > 1 ? std::sqrt(ratio * ratio_before_) : ratio;
    theta = std::max(contraction_, least_of_known * known_);
    ratio_before_ = ratio;
  }
  const double remaining = theta < 1.0 ? size * theta / (1.0 - theta) : size;
  if (size == 0.0 || ((k > 0 || known_ > 0.0) && theta < 1.0 && remaining <= enough))
    return Verdict::converged;
  if (k > 1 && theta >= diverges) return Verdict::failed;
  // Not within the iterations that are left.
  if (k > 1 && remaining * std::pow(theta, most_ - 2 - k) > enough) return Verdict::failed;
  before_ = size;
  return k_ < most_ ? Verdict::iterate : Verdict::failed;
}

}  // namespace detail

Outcome ProjectedImplicitStepper::attach_equations(const System& system, const LinearSolverFactory& backend,
                                                   const Guards& guards) {
  Outcome outcome = attach_index_1(system, backend, false, guards);
  if (outcome.status != Status::ok) return outcome;
  const SystemLayout& layout = system.layout();
  n_ = layout.v_size();
  m_ = layout.lambda_size();
  const BlockPattern& pattern = *layout.pattern;
  is_velocity_row_.assign(index(m_), 0);
  for (int d = 0; d < pattern.dual_count(); ++d)
    if (layout.level[index(d)] == Level::velocity)
      std::fill_n(is_velocity_row_.begin() + pattern.dual_offset[index(d)] - n_, pattern.dual_size[index(d)],
                  std::uint8_t{1});
  velocity_level_ = std::find(is_velocity_row_.begin(), is_velocity_row_.end(), 1) != is_velocity_row_.end();
  for (auto* x :
       {&weight_x_, &weight_v_, &error_x_, &error_v_, &rate_, &xi_end_, &v_end_, &a_end_, &between_})
    x->assign(index(n_), 0.0);
  velocity_rows_.assign(velocity_level_ ? index(m_) : 0, 0.0);
  h_kept_ = 0.0;
  return outcome;
}

// The larger of both ends counts, where coordinates have a size.
LocalError ProjectedImplicitStepper::local_error(const State& state, double) {
  LocalError error;
  for (std::size_t i = 0; i < error_x_.size(); ++i) {
    const double size = errors_.sized() ? std::max(std::abs(state.q[i]), std::abs(now_.q[i])) : 0.0;
    const double enough =
        std::max(step_share_ * errors_.position_tolerance(i, size), roundoff_x_ * size_in_roundoff(i));
    error.add(error_x_[i], enough, static_cast<int>(i));
  }
  for (std::size_t i = 0; i < error_v_.size(); ++i) {
    const double speed = std::max(std::abs(state.v[i]), std::abs(now_.v[i]));
    const double enough =
        std::max(step_share_ * errors_.velocity_tolerance(i, speed), roundoff_v_ * size_in_roundoff(i));
    error.add(error_v_[i], enough, static_cast<int>(i));
  }
  return error;
}

void ProjectedImplicitStepper::add_error(State& end) const {
  system_->retract(end.q.data(), error_x_.data(), end.q.data());
  for (std::size_t i = 0; i < error_v_.size(); ++i) end.v[i] += error_v_[i];
}

// The coordinates that an increment is added to: their roundoff is relative to this.
double ProjectedImplicitStepper::size_in_roundoff(std::size_t i) const {
  return std::max(system_->layout().scale[i], length_);
}

StepError ProjectedImplicitStepper::step_error(const State&, double) {
  StepError error;
  const std::vector<double>& scale = system_->layout().scale;
  for (std::size_t i = 0; i < error_x_.size(); ++i) {
    const double relative = std::abs(error_x_[i]) / scale[i];
    if (relative > error.largest) error = {relative, static_cast<int>(i)};
  }
  return error;
}

void ProjectedImplicitStepper::keep(State&, double h) {
  h_kept_ = h;
  v_end_ = now_.v;
  a_end_ = now_.a;
}

void ProjectedImplicitStepper::interpolate(double theta, double* q, double* v) const {
  assert(has_step() && "no step was taken last");
  interpolate_on_group(*system_,
                       {h_kept_, before_.q.data(), xi_end_.data(), before_.v.data(), v_end_.data(),
                        before_.a.data(), a_end_.data()},
                       theta, between_.data(), q, v);
}

GuardWorkspace ProjectedImplicitStepper::guard_workspace() {
  GuardWorkspace workspace{equations_.work(), rate_.data(), between_.data(), before_.q.data(),
                           equations_.kkt(),  {},           statistics_};
  workspace.weights.mass = 1.0;
  return workspace;
}

void ProjectedImplicitStepper::predict_multipliers(const State& state, double s,
                                                   std::vector<double>& lambda) const {
  const double before = h_before_.value(state);
  const double slope = before > 0.0 ? s / before : 0.0;
  const double* const lambda_before = lambda_before_.of(state);
  for (std::size_t r = 0; r < lambda.size(); ++r)
    lambda[r] = state.lambda[r] + slope * (state.lambda[r] - lambda_before[r]);
}

void ProjectedImplicitStepper::set_weights(const State& state, const State& end) {
  constexpr double nearly_roundoff = 1e-12;
  const std::vector<double>& scale = system_->layout().scale;
  length_ = system_->layout().roundoff_length;
  if (!(length_ > 0.0))
    for (const double q : state.q) length_ = std::max(length_, std::abs(q));
  for (const State* at : {&state, &end})
    length_ = std::max(length_, largest_open_length(system_->layout(), point_of(*at)));
  // Velocities beside the fastest body, by its own size; at rest a thousandth of a step takes a body by its size.
  double rate = 1e-3 / std::abs(end.t - state.t);
  for (std::size_t k = 0; k < scale.size() && !adaptive(); ++k)
    rate = std::max({rate, std::abs(state.v[k]) / scale[k], std::abs(end.v[k]) / scale[k]});
  for (std::size_t k = 0; k < weight_x_.size(); ++k) {
    if (!adaptive()) {
      weight_x_[k] = 1.0 / (nearly_roundoff * scale[k]);
      weight_v_[k] = weight_x_[k] / rate;
      continue;
    }
    const double size = errors_.sized() ? std::max(std::abs(state.q[k]), std::abs(end.q[k])) : 0.0;
    const double speed = std::max(std::abs(state.v[k]), std::abs(end.v[k]));
    weight_x_[k] = one_over(step_share_ * errors_.position_tolerance(k, size));
    weight_v_[k] = one_over(step_share_ * errors_.velocity_tolerance(k, speed));
  }
}

double ProjectedImplicitStepper::size_of(const std::vector<double>& dx, double rate) {
  double sum = 0.0;
  for (std::size_t k = 0; k < index(n_); ++k) {
    const double x = dx[k] * weight_x_[k], v = rate * dx[k] * weight_v_[k];
    const double square = x * x + v * v;
    sum += square;
    if (!(square <= largest_correction_)) {
      largest_correction_ = square;
      worst_ = static_cast<int>(k);
    }
  }
  return std::sqrt(sum / (2.0 * static_cast<double>(std::max(n_, 1))));
}

bool ProjectedImplicitStepper::is_roundoff(const double* dx) const {
  constexpr double units = 16.0 * std::numeric_limits<double>::epsilon();
  for (std::size_t k = 0; k < weight_x_.size(); ++k)
    if (!(std::abs(dx[k]) <= units * size_in_roundoff(k))) return false;
  return true;
}

KktReport ProjectedImplicitStepper::not_converged(const char* quantity, double value) {
  ++statistics_.rejected_by_newton;
  KktReport report;
  report.status = Status::newton_not_converged;
  report.culprit = {n_ > 0 ? equations_.kkt().owner(worst_) : std::string(), quantity, value};
  return report;
}

KktReport ProjectedImplicitStepper::not_finite_in(const Point& iterate, const std::vector<double>& x,
                                                  bool corrected) {
  KktReport report;
  const int k = first_not_finite(x);
  if (k < 0) return report;
  ++statistics_.rejected_by_newton;
  report.status = Status::not_finite;
  report.culprit = {equations_.kkt().owner(k),
                    corrected ? (k < n_ ? "Newton correction" : "multiplier")
                              : (k < n_ ? "force balance" : "position residual"),
                    x[index(k)]};
  if (!corrected) find_undefined(*system_, iterate, report.culprit);
  return report;
}

KktReport ProjectedImplicitStepper::close(const State& state, const std::vector<double>& xi) {
  const KktReport report = equations_.close(now_);
  return report.status == Status::ok ? keep_end(state, xi) : report;
}

KktReport ProjectedImplicitStepper::keep_end(const State& state, const std::vector<double>& xi) {
  system_->difference(state.q.data(), now_.q.data(), xi_end_.data());
  // Of two turns to an orientation the difference is the shorter one.
  constexpr double same = 1e-3;
  const std::vector<double>& scale = system_->layout().scale;
  for (int i = 0; i < n_; ++i) {
    const double off = std::abs(xi_end_[index(i)] - xi[index(i)]) / scale[index(i)];
    if (off <= same) continue;
    worst_ = i;
    return not_converged("turn of more than half a revolution in a step, increment off by", off);
  }
  return {};
}

}  // namespace catena
