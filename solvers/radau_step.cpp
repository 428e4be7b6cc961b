// The stages of a step by simplified Newton, and its end.
#include <catena/math/detail/finite.hpp>
#include <catena/math/detail/index.hpp>
#include <catena/solvers/detail/radau_coefficients.hpp>
#include <catena/solvers/radau.hpp>
#include <catena/stepper/detail/phase_timer.hpp>
#include <catena/system/detail/undefined.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <utility>

namespace catena {
using namespace detail;
namespace {

using Complex = std::complex<double>;
const Complex shift{radau::alpha, radau::beta};

// Contraction of the simplified iteration from which stiffness is looked for, and the estimate of it from which the whole
// matrices are taken, or given up again (docs/theory/radau.md).
constexpr double slow_from = 0.25, stiff_from = 0.1, soft_below = 0.05;

// A component without a tolerance, zero and relative to itself, says nothing of the iteration.
double inverse(double tolerance) { return tolerance > 0.0 ? 1.0 / tolerance : 0.0; }

}  // namespace

KktReport Radau::attempt(const State& state, double h) {
  using Newton = RadauOptions::Newton;
  contraction_ = contraction_slot_.value(state);
  bool whole = options_.newton == Newton::whole ||
               (options_.newton == Newton::automatic && whole_slot_.value(state) != 0.0);
  KktReport report = find_stages(state, h, whole);
  whole_now_ = whole;
  if (options_.newton == Newton::automatic && report.status != Status::not_finite) {
    if (whole) {
      whole_now_ = stiffness(h) > soft_below;  // of the next step
    } else if (report.status != Status::ok || contraction_ > slow_from) {
      whole_now_ = stiffness(h) > stiff_from;
      if (whole_now_ && report.status != Status::ok) report = find_stages(state, h, true);
    }
  }
  return report.status == Status::ok ? finish(state, h) : report;
}

// By what the last two ends of steps say: v' and lambda change linearly.
void Radau::predict_at(const State& state, double h, double c, State& at, double* xi) const {
  const double s = c * h, before = h_before_.value(state);
  const double* const a_before = a_before_.of(state);
  const double* const lambda_before = lambda_before_.of(state);
  const double slope = before > 0.0 ? s / before : 0.0;
  at.t = state.t + s;
  for (int i = 0; i < n_; ++i) {
    const std::size_t k = index(i);
    const double change = slope * (state.a[k] - a_before[i]);  // of v' over s
    at.a[k] = state.a[k] + change;
    at.v[k] = state.v[k] + s * (state.a[k] + 0.5 * change);
    // xi''' has half of [v, v'] beside v''.
    xi[i] = s * (state.v[k] + s * (0.5 * state.a[k] + (change + 0.5 * s * rate_[k]) / 6.0));
  }
  for (std::size_t r = 0; r < state.lambda.size(); ++r)
    at.lambda[r] = state.lambda[r] + slope * (state.lambda[r] - lambda_before[r]);
  system_->retract(state.q.data(), xi, at.q.data());
}

void Radau::predict(const State& state, double h) {
  system_->bracket(state.v.data(), state.a.data(), rate_.data());
  for (std::size_t i = 0; i < 3; ++i) {
    stages_[i].at.discrete = state.discrete;
    predict_at(state, h, radau::c[i], stages_[i].at, stages_[i].xi.data());
  }
  middle_.discrete = state.discrete;
  predict_at(state, h, 0.6, middle_, middle_xi_.data());
  set_weights(state);
}

// What corrections are measured by. With steps of a fixed size no tolerance says what is enough: nearly roundoff then.
void Radau::set_weights(const State& state) {
  constexpr double nearly_roundoff = 1e-12;
  const std::vector<double>& scale = system_->layout().scale;
  const State& end = stages_.back().at;
  for (std::size_t k = 0; k < weight_x_.size(); ++k) {
    if (!adaptive()) {
      weight_x_[k] = weight_v_[k] = 1.0 / (nearly_roundoff * scale[k]);
      continue;
    }
    const double size = errors_.sized() ? std::max(std::abs(state.q[k]), std::abs(end.q[k])) : 0.0;
    weight_x_[k] = inverse(errors_.position_tolerance(k, size));
    weight_v_[k] = inverse(errors_.velocity_tolerance(k, std::max(std::abs(state.v[k]), std::abs(end.v[k]))));
  }
}

// q, V and W of the increments.
void Radau::move_stages(const State& state, double h) {
  for (std::size_t i = 0; i < 3; ++i) {
    const double* const w = radau::inverse_a[i];
    for (std::size_t k = 0; k < rate_.size(); ++k)
      rate_[k] = (w[0] * stages_[0].xi[k] + w[1] * stages_[1].xi[k] + w[2] * stages_[2].xi[k]) / h;
    Stage& stage = stages_[i];
    system_->retract(state.q.data(), stage.xi.data(), stage.at.q.data());
    system_->tangent(stage.xi.data(), rate_.data(), stage.at.v.data());
  }
  for (std::size_t i = 0; i < 3; ++i) {
    const double* const w = radau::inverse_a[i];
    for (std::size_t k = 0; k < rate_.size(); ++k)
      stages_[i].at.a[k] =
          (w[0] * (stages_[0].at.v[k] - state.v[k]) + w[1] * (stages_[1].at.v[k] - state.v[k]) +
           w[2] * (stages_[2].at.v[k] - state.v[k])) /
          h;
  }
}

// Right-hand sides: what is left of the balance and of the rows, with the other sign.
void Radau::evaluate_stages() {
  const PhaseTimer timer(statistics_.seconds_evaluate);
  for (Stage& stage : stages_) {
    ++statistics_.evaluations;
    Point at = point_of(stage.at);
    at.a = stage.at.a.data();
    at.lambda = stage.at.lambda.data();
    Evaluation wanted;
    wanted.balance = stage.x.data();
    wanted.position = stage.x.data() + n_;
    if (velocity_level_) wanted.velocity = velocity_rows_.data();
    system_->evaluate(at, wanted);
    for (std::size_t r = 0; r < velocity_rows_.size(); ++r)
      if (is_velocity_row_[r] != 0) stage.x[index(n_) + r] = velocity_rows_[r];
    for (double& x : stage.x) x = -x;
  }
}

// x_i <- sum_j by_ij x_j
void Radau::transform(const double (&by)[3][3], std::size_t from, std::size_t to) {
  double *const x = stages_[0].x.data(), *const y = stages_[1].x.data(), *const z = stages_[2].x.data();
  for (std::size_t k = from; k < to; ++k) {
    const double a = x[k], b = y[k], c = z[k];
    x[k] = by[0][0] * a + by[0][1] * b + by[0][2] * c;
    y[k] = by[1][0] * a + by[1][1] * b + by[1][2] * c;
    z[k] = by[2][0] * a + by[2][1] * b + by[2][2] * c;
  }
}

// The unknowns of the linear systems are the increments times mu^2, mu an eigenvalue of A^-1 over h, where the matrix is that of
// masses and in the real system with stiffness; 1/h^2 in the complex one. A row at position level gets that factor, one at
// velocity level, whose residual is of an increment times mu, one mu less.
void Radau::scale_rows(double h, bool whole) {
  const double real = radau::gamma / h;
  const Complex mu = shift / h, square = whole ? Complex(1.0 / (h * h)) : mu * mu;
  for (std::size_t r = 0; r < is_velocity_row_.size(); ++r) {
    const std::size_t k = index(n_) + r;
    const bool of_velocity = is_velocity_row_[r] != 0;
    stages_[0].x[k] *= of_velocity ? real : real * real;
    const Complex row = Complex(stages_[1].x[k], stages_[2].x[k]) * (of_velocity ? square / mu : square);
    stages_[1].x[k] = row.real();
    stages_[2].x[k] = row.imag();
  }
}

// From right-hand sides to corrections: T(xi) dxi, dlambda of the stages.
void Radau::solve_stages(double h, bool whole) {
  transform(radau::from_stages, 0, index(n_ + m_));
  scale_rows(h, whole);
  {
    const PhaseTimer timer(statistics_.seconds_solve);
    statistics_.solves += 3;
    if (whole) {
      real_->solve(stages_[0].x.data());
      complex_->solve(stages_[1].x.data(), stages_[2].x.data());
    } else {
      for (Stage& stage : stages_) kkt_.solve(stage.x.data());
    }
  }
  const double real = h / radau::gamma;
  const Complex unit = whole ? Complex(h * h) : h * h / (shift * shift);
  for (std::size_t k = 0; k < index(n_); ++k) {
    stages_[0].x[k] *= real * real;
    const Complex z = Complex(stages_[1].x[k], stages_[2].x[k]) * unit;
    stages_[1].x[k] = z.real();
    stages_[2].x[k] = z.imag();
  }
  transform(radau::to_stages, 0, index(n_ + m_));
}

// Applies the corrections; their size, in tolerances: root mean square of dxi and of 4 dxi / h, which is about dV. The largest
// of the stages.
double Radau::correct_stages(double h) {
  double largest = 0.0, worst = -1.0;
  const double rate = 4.0 / h;
  for (Stage& stage : stages_) {
    system_->inverse_tangent(middle_xi_.data(), stage.x.data(), rate_.data());
    double sum = 0.0;
    for (std::size_t k = 0; k < rate_.size(); ++k) {
      stage.xi[k] += rate_[k];
      const double x = rate_[k] * weight_x_[k], v = rate * rate_[k] * weight_v_[k];
      const double square = x * x + v * v;
      sum += square;
      if (!(square <= worst)) {
        worst = square;
        worst_ = static_cast<int>(k);
      }
      stage.x[k] = rate_[k];
    }
    for (std::size_t r = 0; r < stage.at.lambda.size(); ++r) stage.at.lambda[r] += stage.x[index(n_) + r];
    const double size = std::sqrt(sum / (2.0 * static_cast<double>(std::max(n_, 1))));
    if (!(size <= largest)) largest = size;
  }
  return largest;
}

// Of increments that are added to coordinates of such a size.
bool Radau::corrections_are_roundoff(const State& state) const {
  constexpr double units = 16.0 * std::numeric_limits<double>::epsilon();
  const SystemLayout& layout = system_->layout();
  double length = layout.roundoff_length;
  if (!(length > 0.0))
    for (const double q : state.q) length = std::max(length, std::abs(q));
  for (const Stage& stage : stages_)
    for (std::size_t k = 0; k < layout.scale.size(); ++k)
      if (!(std::abs(stage.x[k]) <= units * std::max(layout.scale[k], length))) return false;
  return true;
}

KktReport Radau::not_converged(const char* quantity, double value) {
  ++statistics_.rejected_by_newton;
  KktReport report;
  report.status = Status::newton_not_converged;
  report.culprit = {n_ > 0 ? kkt_.owner(worst_) : std::string(), quantity, value};
  return report;
}

// The first residual of a stage, or else the correction, that is not finite: by the joint or force that has no value there, or
// by the owner of the number. ok: all are.
KktReport Radau::not_finite_stage(bool corrected) {
  KktReport report;
  for (const Stage& stage : stages_) {
    const int k = first_not_finite(stage.x);
    if (k < 0) continue;
    ++statistics_.rejected_by_newton;
    report.status = Status::not_finite;
    report.culprit = {kkt_.owner(k),
                      corrected ? (k < n_ ? "Newton correction" : "multiplier")
                                : (k < n_ ? "force balance" : "position residual"),
                      stage.x[index(k)]};
    if (!corrected) find_undefined(*system_, point_of(stage.at), report.culprit);
    return report;
  }
  return report;
}

// Simplified Newton (Hairer, Wanner, IV.8): it ends where what remains is `enough` of the tolerances, by the contraction of the
// last two corrections; for the first one by that of the step before.
KktReport Radau::find_stages(const State& state, double h, bool whole) {
  constexpr double enough = 0.01, diverges = 0.99;
  // What the step before says is taken with care: to the power of 0.8 (RADAU5); and a ratio of two corrections may be small by
  // accident, so that it counts as 0.3 of that at least (as in CVODE).
  constexpr double of_step_before = 0.8, least_of_known = 0.3;
  const int most = options_.max_newton_iterations;
  double before = 0.0, ratio_before = 0.0;
  const double known = contraction_;
  whole_used_ = whole;
  predict(state, h);
  KktReport report = make_matrices(h, whole);
  if (report.status != Status::ok) {
    ++statistics_.rejected_by_newton;
    return report;
  }
  for (int k = 0; k < most; ++k) {
    ++statistics_.newton_iterations;
    move_stages(state, h);
    evaluate_stages();
    if (report = not_finite_stage(false); report.status != Status::ok) return report;
    solve_stages(h, whole);
    if (report = not_finite_stage(true); report.status != Status::ok) return report;
    const double size = correct_stages(h);
    // Corrections shrink by turns faster and slower: the mean of two ratios counts.
    double theta = std::pow(known, of_step_before);
    if (k > 0) {
      const double ratio = size / before;
      contraction_ = k > 1 ? std::sqrt(ratio * ratio_before) : ratio;
      theta = std::max(contraction_, least_of_known * known);
      ratio_before = ratio;
    }
    const double remaining = theta < 1.0 ? size * theta / (1.0 - theta) : size;
    const bool converged = size == 0.0 || ((k > 0 || known > 0.0) && theta < 1.0 && remaining <= enough) ||
                           corrections_are_roundoff(state);
    if (converged) {
      move_stages(state, h);
      return {};
    }
    if (k > 1 && theta >= diverges) break;
    // Not within the iterations that are left.
    if (k > 1 && remaining * std::pow(theta, most - 2 - k) > enough) break;
    before = size;
  }
  return not_converged("Newton correction in tolerances", before);
}

// The end: q_3 and the velocity there on the constraints, and the estimates of the error.
KktReport Radau::finish(const State& state, double h) {
  const State& last = stages_.back().at;
  now_.t = state.t + h;
  now_.q = last.q;
  now_.v = last.v;
  now_.a = last.a;
  now_.lambda = last.lambda;
  KktReport report = equations_.close(now_);
  if (report.status != Status::ok) return report;
  system_->difference(state.q.data(), now_.q.data(), xi_end_.data());
  // Of two turns to an orientation the difference is the shorter one.
  constexpr double same = 1e-3;
  const std::vector<double>& scale = system_->layout().scale;
  for (int i = 0; i < n_; ++i) {
    const double off = std::abs(xi_end_[index(i)] - stages_.back().xi[index(i)]) / scale[index(i)];
    if (off <= same) continue;
    worst_ = i;
    return not_converged("turn of more than half a revolution in a step, increment off by", off);
  }
  estimate_error(state, h);
  return {};
}

}  // namespace catena
