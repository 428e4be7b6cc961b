#include <catena/math/parts/dual.hpp>
#include <catena/model/detail/limited_integral.hpp>

#include <array>
#include <cmath>

namespace catena::detail {
namespace {

using S = Dual<double, 2>;  // by e and e' at the end
using Cubic = std::array<S, 4>;

S at(const Cubic& c, const S& x) { return c[0] + x * (c[1] + x * (c[2] + x * c[3])); }
S slope_at(const Cubic& c, const S& x) { return c[1] + x * (2.0 * c[2] + x * (3.0 * c[3])); }
S bend_at(const Cubic& c, const S& x) { return 2.0 * c[2] + x * (6.0 * c[3]); }
S integral_at(const Cubic& c, const S& x) {
  return x * (c[0] + x * (c[1] / 2.0 + x * (c[2] / 3.0 + x * c[3] / 4.0)));
}

// Where f has the sign of f(to) for the first time, as far as bisection can say; f is zero there, and the derivatives of
// that place follow from it.
template <class F, class Slope>
S root(const F& f, const Slope& slope, const S& from, const S& to) {
  const bool rises = f(to) > S(0.0);
  double low = from.value, high = to.value;
  for (int k = 0; k < 60; ++k) {
    const double middle = 0.5 * (low + high);
    ((f(S(middle)).value > 0.0) == rises ? high : low) = middle;
  }
  const double there = slope(S(high)).value;
  S x = S(high);
  const S missed = f(x);
  for (int k = 0; k < 2; ++k) x.d[k] = there == 0.0 ? 0.0 : -missed.d[k] / there;
  return x;
}

// A part of the step in which e keeps its sign. y = sign Ki z grows by `growth` up to `bound`, where Q has the limit;
// x is the time, from 0 to 1 over the step.
struct Part {
  const LimitedIntegral& of;
  const Cubic& e;
  double tau, sign;

  S growth(const S& x) const { return sign * of.integral * tau * at(e, x); }
  S bound(const S& x) const {
    return of.limit - sign * (of.proportional * at(e, x) + of.derivative / tau * slope_at(e, x));
  }
  S slope_of_bound(const S& x) const {
    return -sign * (of.proportional * slope_at(e, x) + of.derivative / tau * bend_at(e, x));
  }
  S bend_of_bound(const S& x) const {
    return -sign * (of.proportional * bend_at(e, x) + of.derivative / tau * (6.0 * e[3]));
  }

  S advance(S y, S x, const S& to) const {
    enum class Mode { grows, rests, follows } mode = bound(x) < y ? Mode::rests : Mode::grows;
    constexpr int most = 8;  // changes in a step; more than four are roundoff
    for (int n = 0; n < most; ++n) {
      if (mode == Mode::rests) {
        if (!(bound(to) > y)) return y;
        x = root([&](const S& s) { return bound(s) - y; }, [&](const S& s) { return slope_of_bound(s); }, x,
                 to);
        if (!(slope_of_bound(x) > S(0.0))) return y;
        mode = slope_of_bound(x) < growth(x) ? Mode::follows : Mode::grows;
      } else if (mode == Mode::follows) {
        if (slope_of_bound(to) < growth(to)) return bound(to) > y ? bound(to) : y;
        x = root([&](const S& s) { return slope_of_bound(s) - growth(s); },
                 [&](const S& s) { return bend_of_bound(s) - sign * of.integral * tau * slope_at(e, s); }, x,
                 to);
        y = bound(x);
        mode = Mode::grows;
      } else {
        const S at_x = y - sign * of.integral * tau * integral_at(e, x);
        const auto grown = [&](const S& s) { return at_x + sign * of.integral * tau * integral_at(e, s); };
        if (!(grown(to) > bound(to))) return grown(to);
        x = root([&](const S& s) { return bound(s) - grown(s); },
                 [&](const S& s) { return slope_of_bound(s) - growth(s); }, x, to);
        y = grown(x);
        mode = slope_of_bound(x) < S(0.0) ? Mode::rests : Mode::follows;
      }
    }
    return y;
  }
};

}  // namespace

LimitedIntegral::Value LimitedIntegral::at(double z, const Error& before, const Error& now,
                                           double tau) const {
  const S end = S::variable(now.value, 0), rate = tau * S::variable(now.rate, 1);
  const S change = end - before.value;
  const double first = tau * before.rate;
  const Cubic e{S(before.value), S(first), 3.0 * change - (2.0 * first + rate), first + rate - 2.0 * change};
  const auto advanced = [&](const S& from_z, double sign, const S& from, const S& to) {
    return sign / integral * Part{*this, e, tau, sign}.advance(sign * integral * from_z, from, to);
  };
  const double sign = std::copysign(1.0, integral * (before.value != 0.0 ? before.value : now.value));
  S sum(z), from(0.0);
  double last = sign;
  if (before.value * now.value < 0.0) {
    const S turn = root([&](const S& x) { return detail::at(e, x); },
                        [&](const S& x) { return slope_at(e, x); }, from, S(1.0));
    sum = advanced(sum, sign, from, turn);
    from = turn, last = -sign;
  }
  sum = advanced(sum, last, from, S(1.0));
  return {sum.value, sum.d[0], sum.d[1]};
}

}  // namespace catena::detail
