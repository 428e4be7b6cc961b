// The stages of a step by simplified Newton, and its end.
#include <catena/math/detail/index.hpp>
#include <catena/solvers/detail/radau_coefficients.hpp>
#include <catena/solvers/radau.hpp>
#include <catena/stepper/detail/phase_timer.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <utility>

namespace catena {
using namespace detail;
namespace {

using Complex = std::complex<double>;
const Complex shift{radau::alpha, radau::beta};

// Contraction of the simplified iteration from which stiffness is looked for, and the estimate of it from which the whole
// matrices are taken, or given up again (docs/theory/radau.md).
constexpr double slow_from = 0.25, stiff_from = 0.1, soft_below = 0.05;

}  // namespace

KktReport Radau::attempt(const State& state, double h) {
  using Newton = RadauOptions::Newton;
  iteration_.remember(contraction_slot_.value(state));
  bool whole = options_.newton == Newton::whole ||
               (options_.newton == Newton::automatic && whole_slot_.value(state) != 0.0);
  KktReport report = find_stages(state, h, whole);
  whole_now_ = whole;
  if (options_.newton == Newton::automatic && report.status != Status::not_finite) {
    if (whole) {
      whole_now_ = stiffness(h) > soft_below;  // of the next step
    } else if (report.status != Status::ok || iteration_.contraction() > slow_from) {
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
  predict_multipliers(state, s, at.lambda);
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
  set_weights(state, stages_.back().at);
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

// Applies the corrections; the largest of their sizes. 4 dxi / h is about dV.
double Radau::correct_stages(double h) {
  double largest = 0.0;
  begin_corrections();
  for (Stage& stage : stages_) {
    system_->inverse_tangent(middle_xi_.data(), stage.x.data(), rate_.data());
    const double size = size_of(rate_, 4.0 / h);
    if (!(size <= largest)) largest = size;
    for (std::size_t k = 0; k < rate_.size(); ++k) {
      stage.xi[k] += rate_[k];
      stage.x[k] = rate_[k];
    }
    for (std::size_t r = 0; r < stage.at.lambda.size(); ++r) stage.at.lambda[r] += stage.x[index(n_) + r];
  }
  return largest;
}

bool Radau::corrections_are_roundoff() const {
  return std::all_of(stages_.begin(), stages_.end(),
                     [&](const Stage& stage) { return is_roundoff(stage.x.data()); });
}

KktReport Radau::not_finite_stage(bool corrected) {
  KktReport report;
  for (const Stage& stage : stages_)
    if (report = not_finite_in(point_of(stage.at), stage.x, corrected); report.status != Status::ok) break;
  return report;
}

KktReport Radau::find_stages(const State& state, double h, bool whole) {
  using Verdict = ToleranceIteration::Verdict;
  whole_used_ = whole;
  predict(state, h);
  KktReport report = make_matrices(h, whole);
  if (report.status != Status::ok) {
    ++statistics_.rejected_by_newton;
    return report;
  }
  iteration_.begin(options_.max_newton_iterations);
  for (Verdict verdict = Verdict::iterate; verdict == Verdict::iterate;) {
    ++statistics_.newton_iterations;
    move_stages(state, h);
    evaluate_stages();
    if (report = not_finite_stage(false); report.status != Status::ok) return report;
    solve_stages(h, whole);
    if (report = not_finite_stage(true); report.status != Status::ok) return report;
    verdict = iteration_.observe(correct_stages(h));
    if (verdict == Verdict::converged || corrections_are_roundoff()) {
      move_stages(state, h);
      return {};
    }
  }
  return not_converged("Newton correction in tolerances", iteration_.before());
}

// The end: q_3 and the velocity there on the constraints, and the estimates of the error.
KktReport Radau::finish(const State& state, double h) {
  const State& last = stages_.back().at;
  now_.t = state.t + h;
  now_.q = last.q;
  now_.v = last.v;
  now_.a = last.a;
  now_.lambda = last.lambda;
  KktReport report = close(state, stages_.back().xi);
  if (report.status != Status::ok) return report;
  estimate_error(state, h);
  return {};
}

}  // namespace catena
