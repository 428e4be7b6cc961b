// What a PID controller pushes a coordinate s with. With e = w(t) - s, bounded by |Q| <= limit:
//     continuous   Q = Kp e + Kd e'
//     sampled      Q of the last instant, Kp e + Ki z + Kd e', z <- z + T e there
#pragma once
#include <catena/model/detail/coordinate_law.hpp>

#include <algorithm>
#include <cmath>

namespace catena::detail {

struct ControllerLaw {
  static constexpr int discrete = 2;  // Q that is held, z
  const Function* target = nullptr;
  double proportional = 0.0, integral = 0.0, derivative = 0.0;
  double limit = 0.0;   // 0: none
  double period = 0.0;  // T; 0: continuous

  double bounded(double q) const { return limit > 0.0 ? std::clamp(q, -limit, limit) : q; }

  CoordinateLaw::Value at(double s, double rate, double t, const double* held) const {
    if (period > 0.0) return {held[0], 0.0, 0.0};
    const FunctionValue w = target->at(t);
    const double q = proportional * (w.value - s) + derivative * (w.slope - rate);
    if (limit > 0.0 && std::abs(q) > limit) return {bounded(q), 0.0, 0.0};
    return {q, -proportional, -derivative};
  }
  double power(double s, double rate, double t, const double* held) const {
    return at(s, rate, t, held).force * rate;
  }
  // At an instant. Where Q would exceed its limit z stays, unless e leads back: it would grow as long as the limit lasts
  // (integrator windup; Astrom and Murray, Feedback Systems, Princeton 2008, section 10.4).
  void sample(double s, double rate, double t, double* held) const {
    const FunctionValue w = target->at(t);
    const double e = w.value - s, z = held[1] + period * e;
    const double q = proportional * e + integral * z + derivative * (w.slope - rate);
    const bool winds_up = limit > 0.0 && std::abs(q) > limit && q * integral * e > 0.0;
    if (!winds_up) held[1] = z;
    held[0] = bounded(winds_up ? q - integral * period * e : q);
  }
  template <class S>
  S potential(const S&) const {
    return S(0.0);
  }
};

}  // namespace catena::detail
