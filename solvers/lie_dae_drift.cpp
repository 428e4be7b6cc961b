// What the rows that lie_dae does not enforce have become at the end of a step: index 1 and 2 do not see the gaps,
// index 1 does not see the velocities either.
#include <catena/solvers/lie_dae_memory.hpp>

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

// A joint that has come apart by more than the bodies' own size is none any more, although every step converges.
Outcome LieDae::check_gaps() {
  constexpr double apart = 3.0;  // characteristic lengths
  double* rows = newton_.rhs();
  Evaluation wanted;
  wanted.position = rows;
  system_->evaluate(iterate(), wanted);
  const auto larger = [](double x, double y) { return std::abs(x) < std::abs(y); };
  const double* worst = std::max_element(rows, rows + lambda_.size(), larger);
  const std::vector<double>& scale = system_->layout().scale;
  if (!(std::abs(*worst) > apart * *std::max_element(scale.begin(), scale.end()))) return {};
  return failure(
      Status::unstable,
      {newton_.kkt().owner(static_cast<int>(v_.size() + static_cast<std::size_t>(worst - rows))),
       "position residual, which index 1 and 2 let drift; take a smaller step, index = 3 or stabilized",
       *worst});
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
  const auto forbidden = [&](KktSolver& kkt) {
    std::fill(x, x + n, 0.0);
    std::copy(r, r + m, x + n);
    kkt.solve(x);
    double energy = 0.0, fastest = 0.0;
    for (std::size_t k = 0; k < m; ++k) energy += r[k] * x[n + k];
    for (std::size_t k = 0; k < n; ++k) fastest = std::max(fastest, std::abs(x[k]) / scale[k]);
    return fastest > at_rest ? std::abs(energy) : 0.0;
  };
  if (!(forbidden(newton_.kkt()) > suspicious * kinetic)) return {};

  // Newton's matrix is one of an earlier iterate. The first suspicion allocates.
  if (!velocity_kkt_) velocity_kkt_ = std::make_unique<KktSolver>(newton_.kkt().sibling());
  KktSolver& now = *velocity_kkt_;
  const auto weakest_at = [&](const Point& point) {
    Linearization lin;
    lin.matrix = &now.matrix();
    lin.mass = 1.0;
    Evaluation w;
    w.linearization = &lin;
    system_->evaluate(point, w);
    now.update_proximal();
    KktReport report = now.factorize();
    now.find_weakest_row(report);
    return report.weakest_dual_ratio;
  };
  if (weakest_at_start_ < 0.0) {
    const State initial = system_->initial_state();
    Point start = at;
    start.t = initial.t;
    start.q = initial.q.data();
    start.discrete = initial.discrete.data();
    weakest_at_start_ = weakest_at(start);
  }
  const bool dependent = weakest_at(at) <= close * weakest_at_start_;
  const double energy = forbidden(now), whole = dependent ? kinetic : kinetic_;
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
