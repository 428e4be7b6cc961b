// What a PID controller pushes a coordinate s with. With e = w(t) - s, bounded by |Q| <= limit:
//     continuous   Q = Kp e + Ki z + Kd e',   z' = e
//     sampled      Q of the last instant, Kp e + Ki z + Kd e', z <- z + T e there
// Within a step of the continuous one that began at t0 with z0, e0, e0' (Hermite's rule, tau = t - t0),
//     z(t) = z0 + tau (e0 + e) / 2 + tau^2 (e0' - e') / 12 + O(tau^5),
// so that z depends on the state at t alone and takes no equation of its own. What the rule leaves adds up to h^4: methods of
// higher order have order 4. In a step in which |Q| reaches its limit or leaves it the parts of it count that
// limited_integral.hpp says.
#pragma once
#include <catena/model/detail/coordinate_law.hpp>
#include <catena/model/detail/limited_integral.hpp>

#include <algorithm>
#include <cmath>

namespace catena::detail {

struct ControllerLaw {
  // Sampled: Q that is held, z. Continuous, of the start or the end of the last step: 1 (0 before the start), z, e, e', t.
  static constexpr int discrete = 5;
  const Function* target = nullptr;
  double proportional = 0.0, integral = 0.0, derivative = 0.0;
  double limit = 0.0;   // 0: none
  double period = 0.0;  // T; 0: continuous

  double bounded(double q) const { return limit > 0.0 ? std::clamp(q, -limit, limit) : q; }
  bool integrates() const { return !(period > 0.0) && (integral > 0.0 || integral < 0.0); }

  CoordinateLaw::Value at(double s, double rate, double t, const double* held) const {
    if (period > 0.0) return {held[0], 0.0, 0.0};
    const Error e = error(s, rate, t);
    const LimitedIntegral::Value z = sum(e, t, held);
    const double q = push(e, z.value);
    if (limit > 0.0 && std::abs(q) > limit) return {bounded(q), 0.0, 0.0};
    return {q, -proportional - integral * z.by_error, -derivative - integral * z.by_rate};
  }
  double power(double s, double rate, double t, const double* held) const {
    return at(s, rate, t, held).force * rate;
  }
  // At an instant. Where Q would exceed its limit z stays, unless e leads back: it would grow as long as the limit lasts
  // (integrator windup; Astrom and Murray, Feedback Systems, Princeton 2008, section 10.4).
  void sample(double s, double rate, double t, double* held) const {
    const Error e = error(s, rate, t);
    const double z = held[1] + period * e.value, q = push(e, z);
    const bool winds_up = limit > 0.0 && std::abs(q) > limit && q * integral * e.value > 0.0;
    if (!winds_up) held[1] = z;
    held[0] = bounded(winds_up ? push(e, held[1]) : q);
  }
  // At the start and at the end of a step; t is nan before the start.
  void follow(double s, double rate, double t, double* held) const {
    if (!integrates() || std::isnan(t)) return;
    const Error e = error(s, rate, t);
    held[1] = sum(e, t, held).value;
    held[0] = 1.0, held[2] = e.value, held[3] = e.rate, held[4] = t;
  }
  template <class S>
  S potential(const S&) const {
    return S(0.0);
  }

 private:
  using Error = LimitedIntegral::Error;
  Error error(double s, double rate, double t) const {
    const FunctionValue w = target->at(t);
    return {w.value - s, w.slope - rate};
  }
  double push(const Error& e, double z) const {
    return proportional * e.value + integral * z + derivative * e.rate;
  }
  static bool begun(const double* held) { return held[0] > 0.0; }
  LimitedIntegral::Value sum(const Error& e, double t, const double* held) const {
    if (!integrates() || !begun(held)) return {};
    const double tau = t - held[4];
    const Error before{held[2], held[3]};
    const LimitedIntegral::Value whole{
        held[1] + tau * ((before.value + e.value) / 2.0 + tau * (before.rate - e.rate) / 12.0), tau / 2.0,
        -tau * tau / 12.0};
    const auto within = [&](double q) { return std::abs(q) <= limit; };
    if (!(limit > 0.0) || !(tau > 0.0) || (within(push(before, held[1])) && within(push(e, whole.value))))
      return whole;
    return LimitedIntegral{proportional, integral, derivative, limit}.at(held[1], before, e, tau);
  }
};

}  // namespace catena::detail
