// The stages of a step by simplified Newton, and its end.
#include <catena/math/detail/index.hpp>
#include <catena/solvers/detail/radau_coefficients.hpp>
#include <catena/solvers/radau.hpp>
#include <catena/stepper/detail/phase_timer.hpp>

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
constexpr double slow_from = 0.25, stiff_from = StiffCoordinates::stiff_from, soft_below = 0.05;
// Steps that do not try stiff coordinates as rows again, behind one in which that failed.
constexpr int steps_of_wait = 10;

}  // namespace

// Of a number in the state's memory; one that no step has left there is the first matrix of a run.
Radau::Matrix Radau::matrix_of(double slot) {
  for (const Matrix matrix : {Matrix::rows, Matrix::whole})
    if (slot == static_cast<double>(matrix)) return matrix;
  return Matrix::simplified;
}

KktReport Radau::attempt(const State& state, double h) {
  using Newton = RadauOptions::Newton;
  const bool automatic = options_.newton == Newton::automatic;
  const double wait = wait_slot_.value(state);
  wait_ = wait > 1.0 && wait <= steps_of_wait ? static_cast<int>(wait) - 1 : 0;
  next_ = automatic                          ? matrix_of(matrix_slot_.value(state))
          : options_.newton == Newton::whole ? Matrix::whole
                                             : Matrix::simplified;
  KktReport report = find_stages(state, h, next_);
  next_ = used_;
  if (automatic && report.status != Status::not_finite) report = choose_next(state, h, report);
  return report.status == Status::ok ? finish(state, h) : report;
}

// The matrix of the next step by how this one went, or of a second attempt where it failed.
KktReport Radau::choose_next(const State& state, double h, KktReport report) {
  const bool failed = report.status != Status::ok;
  switch (used_) {
    case Matrix::whole:
      if (!(stiffness(h) > soft_below)) next_ = Matrix::simplified;
      return report;
    case Matrix::rows:
      if (!failed) return report;
      next_ = Matrix::whole;
      wait_ = steps_of_wait;
      report = find_stages(state, h, Matrix::whole);
      return report;
    case Matrix::simplified:
      if (!failed && !(iteration_.contraction() > slow_from)) return report;
      if (!(stiffness(h) > stiff_from)) return report;
      next_ = Matrix::whole;
      return failed ? find_stages(state, h, Matrix::whole) : report;
  }
  return report;
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

// tau of the stages: from step to step it changes linearly.
void Radau::predict_forces(const State& state, double h) {
  const double before = h_before_.value(state);
  const bool first = matrix_of(used_slot_.value(state)) != Matrix::rows;
  if (first && before > 0.0) stiff_.law(*system_, point_of(state), stages_[0].tau.data());
  const double *const last = tau_slot_.of(state), *const earlier = tau_before_.of(state);
  for (std::size_t r = 0; r < stiff_.size(); ++r) {
    const double at_start = first ? (before > 0.0 ? stages_[0].tau[r] : 0.0) : last[r];
    const double slope = first || !(before > 0.0) ? 0.0 : (last[r] - earlier[r]) / before;
    for (std::size_t i = 0; i < 3; ++i) stages_[i].tau[r] = at_start + slope * radau::c[i] * h;
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
    if (used_ == Matrix::rows)
      stiff_.exchange(*system_, at, stage.tau.data(), stage.x.data(), stage.rest.data());
  }
}

// x_i <- sum_j by_ij x_j, of all residuals and corrections.
void Radau::transform(const double (&by)[3][3]) {
  const auto all = [&](std::vector<double>& x, std::vector<double>& y, std::vector<double>& z) {
    for (std::size_t k = 0; k < x.size(); ++k) {
      const double a = x[k], b = y[k], c = z[k];
      x[k] = by[0][0] * a + by[0][1] * b + by[0][2] * c;
      y[k] = by[1][0] * a + by[1][1] * b + by[1][2] * c;
      z[k] = by[2][0] * a + by[2][1] * b + by[2][2] * c;
    }
  };
  all(stages_[0].x, stages_[1].x, stages_[2].x);
  if (used_ == Matrix::rows) all(stages_[0].rest, stages_[1].rest, stages_[2].rest);
}

// The unknowns of the linear systems are the increments times mu^2, mu an eigenvalue of A^-1 over h, where the matrix is that of
// masses and in the real system with stiffness; 1/h^2 in the complex one. A row at position level gets that factor, one at
// velocity level, whose residual is of an increment times mu, one mu less.
void Radau::scale_rows(double h) {
  const bool whole = used_ == Matrix::whole;
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
void Radau::solve_stages(double h) {
  const bool whole = used_ == Matrix::whole, rows = used_ == Matrix::rows;
  transform(radau::from_stages);
  scale_rows(h);
  if (rows) {
    stiff_.to_rho(stages_[0].rest.data());
    stiff_.to_rho(stages_[1].rest.data(), stages_[2].rest.data());
    for (Stage& stage : stages_) stiff_.push(stage.rest.data(), stage.x.data());
  }
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
  if (rows)
    for (Stage& stage : stages_) stiff_.force_of(stage.x.data(), stage.rest.data());
  const double real = h / radau::gamma;
  const Complex unit = whole ? Complex(h * h) : h * h / (shift * shift);
  for (std::size_t k = 0; k < index(n_); ++k) {
    stages_[0].x[k] *= real * real;
    const Complex z = Complex(stages_[1].x[k], stages_[2].x[k]) * unit;
    stages_[1].x[k] = z.real();
    stages_[2].x[k] = z.imag();
  }
  transform(radau::to_stages);
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
    for (std::size_t r = 0; r < stage.tau.size() && used_ == Matrix::rows; ++r) stage.tau[r] += stage.rest[r];
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

// What the iteration has left of tau = Q(s) at the end is a part of the tolerance in s: stiffness times that in Q. q goes to where Q
// is tau, on the rows, by the matrix of the step. Where rows hold s themselves, it does not: tau is none of its own then.
KktReport Radau::close_stiff_coordinates(State& end) {
  constexpr int most = 6;
  constexpr double enough = 1e-9;  // of Q; where s is roundoff, it ends as well
  constexpr double held = 0.5;     // of a way to go that remains
  Stage& last = stages_.back();
  const Point at = point_of(end);
  double before = std::numeric_limits<double>::infinity();
  for (int k = 0; k < most; ++k) {
    std::fill(last.x.begin(), last.x.end(), 0.0);
    Evaluation wanted;
    wanted.position = last.x.data() + n_;
    system_->evaluate(at, wanted);
    for (double& x : last.x) x = -x;
    stiff_.exchange(*system_, at, last.tau.data(), nullptr, last.rest.data());
    const double off = stiff_.to_gap(last.tau.data(), last.rest.data());
    if (off <= enough || !(off < before)) return {};  // a law with a kink there may not be met
    before = off;
    stiff_.push(last.rest.data(), last.x.data());
    kkt_.solve(last.x.data());
    if (!(stiff_.missed(last.x.data(), last.rest.data()) <= held))
      return not_converged("forces of stiff coordinates, off by", off);
    system_->retract(end.q.data(), last.x.data(), end.q.data());
    if (is_roundoff(last.x.data())) return {};
  }
  return {};
}

KktReport Radau::find_stages(const State& state, double h, Matrix wanted) {
  using Verdict = ToleranceIteration::Verdict;
  predict(state, h);
  KktReport report = make_matrices(h, wanted);
  if (report.status != Status::ok) {
    ++statistics_.rejected_by_newton;
    return report;
  }
  // What another matrix has contracted by says nothing; of the same one with longer steps, stiffness counts with their square.
  const double before = h_before_.value(state), longer = before > 0.0 ? std::max(1.0, h / before) : 1.0;
  iteration_.remember(
      used_ == matrix_of(used_slot_.value(state)) ? contraction_slot_.value(state) * longer * longer : 0.0);
  if (used_ == Matrix::rows) predict_forces(state, h);
  iteration_.begin(options_.max_newton_iterations);
  for (Verdict verdict = Verdict::iterate; verdict == Verdict::iterate;) {
    ++statistics_.newton_iterations;
    move_stages(state, h);
    evaluate_stages();
    if (report = not_finite_stage(false); report.status != Status::ok) return report;
    solve_stages(h);
    if (report = not_finite_stage(true); report.status != Status::ok) return report;
    verdict = iteration_.observe(correct_stages(h));
    if (verdict == Verdict::converged || corrections_are_roundoff()) {
      move_stages(state, h);
      return used_ == Matrix::rows ? close_stiff_coordinates(stages_.back().at) : KktReport{};
    }
  }
  return not_converged("Newton correction in tolerances", iteration_.before());
}

// At the end the forces along stiff coordinates are tau: a and lambda of what Q has beside it since rows have taken velocities from
// v, and q again to where Q is tau.
void Radau::take_stiff_forces() {
  Stage& last = stages_.back();
  std::fill(last.x.begin(), last.x.end(), 0.0);
  stiff_.exchange(*system_, point_of(now_), last.tau.data(), last.x.data(), last.rest.data());
  equations_.kkt().solve(last.x.data());
  for (std::size_t i = 0; i < now_.a.size(); ++i) now_.a[i] += last.x[i];
  for (std::size_t r = 0; r < now_.lambda.size(); ++r) now_.lambda[r] += last.x[index(n_) + r];
  (void)close_stiff_coordinates(now_);
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
  if (used_ == Matrix::rows) take_stiff_forces();
  report = keep_end(state, stages_.back().xi);
  if (report.status != Status::ok) return report;
  estimate_error(state, h);
  return {};
}

}  // namespace catena
