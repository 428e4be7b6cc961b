#include <catena/kkt/detail/derivative_probe.hpp>

#include <algorithm>
#include <cmath>

namespace catena::detail::derivative_probe {

Prober::Prober(const System& system, const State& state)
    : t(state.t),
      q(state.q),
      n(system.layout().v_size()),
      m(system.layout().lambda_size()),
      v(zeros(n)),
      a(zeros(n)),
      lambda(zeros(m)),
      system_(system),
      discrete_(state.discrete),
      matrix_(system.layout().pattern, Border::transposed),
      q_(state.q),
      v_(v),
      a_(a),
      delta_(v) {}

Point Prober::here() {
  move({}, 0.0);
  return point({.multipliers = false, .accelerations = false}, t);
}

Values Prober::get(Of what, const Terms& terms, const Way& way, double s) {
  move(way, s);
  Values out = zeros(what == Of::balance ? n : m);
  Evaluation wanted;
  (what == Of::position       ? wanted.position
   : what == Of::velocity     ? wanted.velocity
   : what == Of::acceleration ? wanted.acceleration
                              : wanted.balance) = out.data();
  system_.evaluate(point(terms, t + s * (way.motion ? 1.0 : way.dt)), wanted);
  return out;
}

Slope Prober::slope(Of what, const Terms& terms, const Way& way, double h) {
  const auto odd = [&](double s) {
    Values up = get(what, terms, way, s);
    const Values down = get(what, terms, way, -s);
    for (std::size_t k = 0; k < up.size(); ++k) up[k] -= down[k];
    return up;
  };
  const Values far = odd(2.0 * h), middle = odd(h), near = odd(0.5 * h);
  Slope slope{near, near};
  for (std::size_t k = 0; k < near.size(); ++k) {
    const double coarse = (8.0 * middle[k] - far[k]) / (12.0 * h);
    slope.value[k] = (8.0 * near[k] - middle[k]) / (6.0 * h);
    slope.doubt[k] = std::abs(coarse - slope.value[k]);
  }
  return slope;
}

Values Prober::times(Linearization lin, const Terms& terms, const double* w) {
  matrix_.set_zero();
  move({}, 0.0);
  lin.matrix = &matrix_;
  Evaluation wanted;
  wanted.linearization = &lin;
  system_.evaluate(point(terms, t), wanted);
  Values x = zeros(n + m), y = zeros(n + m);
  std::copy(w, w + n, x.begin());
  matrix_.multiply(x.data(), y.data());
  return y;
}

void Prober::move(const Way& way, double s) {
  q_ = q, v_ = v, a_ = a;
  for (std::size_t k = 0; k < v.size(); ++k) {
    delta_[k] = way.motion ? s * (v[k] + 0.5 * s * a[k]) : way.dq != nullptr ? s * way.dq[k] : 0.0;
    if (way.motion) v_[k] += s * a[k];
    if (way.dv != nullptr) v_[k] += s * way.dv[k];
    if (way.da != nullptr) a_[k] += s * way.da[k];
  }
  if (s != 0.0 && (way.motion || way.dq != nullptr)) system_.retract(q.data(), delta_.data(), q_.data());
}

Point Prober::point(const Terms& terms, double time) const {
  Point at;
  at.t = time;
  at.q = q_.data();
  at.v = v_.data();
  at.a = terms.accelerations ? a_.data() : nullptr;
  at.lambda = terms.multipliers ? lambda.data() : nullptr;
  at.forces = terms.forces;
  at.discrete = discrete_.empty() ? nullptr : discrete_.data();
  return at;
}

}  // namespace catena::detail::derivative_probe
