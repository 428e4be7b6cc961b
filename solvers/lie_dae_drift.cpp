// What the rows that lie_dae does not enforce have become at the end of a step: index 1 and 2 do not see the gaps,
// index 1 does not see the velocities either.
#include <catena/solvers/lie_dae_memory.hpp>
#include <catena/system/row_length.hpp>
#include <catena/system/undefined.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace catena {

Outcome LieDae::check_drift(const State& state) {
  kinetic_ = Memory::of(state).kinetic();
  if (is(LieDaeOptions::Index::three) || lambda_.empty()) return {};
  Outcome outcome = check_gaps();
  return outcome.status == Status::ok && is(LieDaeOptions::Index::one) ? check_velocities(state.t) : outcome;
}

// A joint that has come apart by more than the bodies and their arms reach is none any more, although every step converges.
Outcome LieDae::check_gaps() {
  constexpr double apart = 4.0;  // a bar is 3.5 of its characteristic lengths long
  double* rows = newton_.rhs();
  Evaluation wanted;
  wanted.position = rows;
  system_->evaluate(iterate(), wanted);
  const auto larger = [](double x, double y) {
    return !std::isnan(x) && (std::isnan(y) || std::abs(x) < std::abs(y));
  };
  const double* worst = std::max_element(rows, rows + lambda_.size(), larger);
  if (!std::isfinite(*worst)) {
    Culprit culprit{newton_.kkt().owner(static_cast<int>(v_.size() + static_cast<std::size_t>(worst - rows))),
                    "position residual", *worst};
    find_undefined(*system_, iterate(), culprit);
    return failure(Status::not_finite, culprit);
  }
  if (!(std::abs(*worst) > apart * size_of_gaps(system_->layout()))) return {};
  return failure(
      Status::unstable,
      {newton_.kkt().owner(static_cast<int>(v_.size() + static_cast<std::size_t>(worst - rows))),
       "position residual, which index 1 and 2 let drift; take a smaller step, index = 3 or stabilized",
       *worst});
}

// The weakest local Schur pivot of the numbers now in Newton's matrix; leaves their factor behind.
double LieDae::weakest_pivot() {
  KktReport report = newton_.kkt().factorize();
  newton_.kkt().find_weakest_row(report);
  ++statistics_.factorizations;
  return report.weakest_dual_ratio;
}

// With r = G V + g_t the nearest velocity that the rows allow is V - w, w = M^-1 G^T (G M^-1 G^T)^-1 r, and w carries
// the part e = w.M w / V.M V of the kinetic energy. Beside dependent rows, at the distance s from them, e grows like
// (d/s)^2 with d from the drift: the multipliers, which should grow like 1/s, grow like 1/sqrt(s^2 + d^2), the
// motion is turned away, and nothing singular is met. They are wrong by e/2: 5 % at the bound, as in the watch over
// poles (docs/theory/newton.md). Elsewhere a motion may turn back, and come to rest for an instant: there w is
// compared with the fastest motion so far.
Outcome LieDae::check_velocities(double t) {
  constexpr double bound = 0.1, suspicious = 0.1 * bound;
  constexpr double close = 0.1;     // to dependence: weakest pivot beside that at the start
  constexpr double at_rest = 1e-4;  // of its size per second: where nothing moves, roundoff drifts
  const std::size_t n = v_.size(), m = lambda_.size();
  const std::vector<double>& scale = system_->layout().scale;
  double* x = newton_.rhs();
  double* r = product_.data() + n;
  Point at = iterate();
  Evaluation wanted;
  wanted.velocity = r;
  system_->evaluate(at, wanted);
  at.v = at.lambda = nullptr;
  at.a = v_.data();
  at.forces = false;
  Evaluation momentum;
  momentum.balance = x;
  system_->evaluate(at, momentum);
  double kinetic = 0.0;
  for (std::size_t k = 0; k < n; ++k) kinetic += x[k] * v_[k];
  kinetic_ = std::max(kinetic_, kinetic);
  // The energy of w by the matrix in hand; 0 where nothing moves.
  const auto forbidden = [&] {
    std::fill(x, x + n, 0.0);
    std::copy(r, r + m, x + n);
    newton_.kkt().solve(x);
    double energy = 0.0, fastest = 0.0;
    for (std::size_t k = 0; k < m; ++k) energy += r[k] * x[n + k];
    for (std::size_t k = 0; k < n; ++k) fastest = std::max(fastest, std::abs(x[k]) / scale[k]);
    return fastest > at_rest ? std::abs(energy) : 0.0;
  };
  if (!(forbidden() > suspicious * kinetic)) return {};

  // Newton's matrix is one of an earlier iterate: made anew here with its own proximal term, and lost to the next step.
  have_matrix_ = false;
  Linearization lin;
  lin.matrix = &newton_.kkt().matrix();
  lin.mass = 1.0;
  wanted = {};
  wanted.linearization = &lin;
  system_->evaluate(at, wanted);
  ++statistics_.evaluations;
  const bool dependent = weakest_pivot() <= close * weakest_at_start_;
  const double energy = forbidden(), whole = dependent ? kinetic : kinetic_;
  if (!(energy > bound * whole)) return {};
  std::copy(x + n, x + n + m, lambda_.begin());  // the attempt has failed, and these tell who is to blame
  at.lambda = lambda_.data();
  const std::string names = pole_.strongest_constraints(at);
  char text[200];
  std::snprintf(
      text, sizeof text,
      "rows %s at t = %.7g s: take a smaller step, index = 2 or stabilized; the velocities that they "
      "forbid carry of the kinetic energy",
      dependent ? "become dependent and have drifted" : "have drifted", t);
  return failure(Status::unstable, {names, text, energy / whole});
}

}  // namespace catena
