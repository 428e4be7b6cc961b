// What a PID controller pushes a coordinate s with. With e = w(t) - s, bounded by |Q| <= limit:
//     continuous   Q = Kp e + Ki z + Kd e',   z' = e
//     sampled      Q of the last instant, Kp e + Ki z + Kd e', z <- z + T e there
// Within a step of the continuous one that began at t0 with z0, e0, e0' (Hermite's rule, tau = t - t0),
//     z(t) = z0 + tau (e0 + e) / 2 + tau^2 (e0' - e') / 12 + O(tau^5),
// so that z depends on the state at t alone and takes no equation of its own. What the rule leaves adds up to h^4: methods of
// higher order have order 4.
#pragma once
#include <catena/model/detail/coordinate_law.hpp>

#include <algorithm>
#include <cmath>

namespace catena::detail {

struct ControllerLaw {
  // Sampled: Q that is held, z. Continuous, of the end of the last step: 1 (0 before the first), z, e, e', t.
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
    const double q = push(e, sum(e, t, held));
    if (limit > 0.0 && std::abs(q) > limit) return {bounded(q), 0.0, 0.0};
    const double tau = integrates() && begun(held) ? t - held[4] : 0.0;
    return {q, -proportional - integral * tau / 2.0, -derivative + integral * tau * tau / 12.0};
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
  // At the end of a step. z goes no further than to where Q reaches its limit, so that Q does not jump here.
  void follow(double s, double rate, double t, double* held) const {
    if (!integrates()) return;
    const Error e = error(s, rate, t);
    double z = sum(e, t, held);
    const double q = push(e, z), before = push(e, held[1]);
    if (limit > 0.0 && std::abs(q) > limit && q * (q - before) > 0.0) {
      const double allowed = bounded(q) - before;
      z = held[1] + (q * allowed > 0.0 ? allowed / integral : 0.0);
    }
    held[0] = 1.0, held[1] = z, held[2] = e.value, held[3] = e.rate, held[4] = t;
  }
  template <class S>
  S potential(const S&) const {
    return S(0.0);
  }

 private:
  struct Error {
    double value = 0.0, rate = 0.0;
  };
  Error error(double s, double rate, double t) const {
    const FunctionValue w = target->at(t);
    return {w.value - s, w.slope - rate};
  }
  double push(const Error& e, double z) const {
    return proportional * e.value + integral * z + derivative * e.rate;
  }
  static bool begun(const double* held) { return held[0] > 0.0; }
  double sum(const Error& e, double t, const double* held) const {
    if (!integrates() || !begun(held)) return 0.0;
    const double tau = t - held[4];
    return held[1] + tau * ((held[2] + e.value) / 2.0 + tau * (held[3] - e.rate) / 12.0);
  }
};

}  // namespace catena::detail
