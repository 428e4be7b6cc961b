#include <catena/driver/detail/thrown.hpp>
#include <catena/driver/parts/event.hpp>
#include <catena/math/detail/named_error.hpp>
#include <catena/math/detail/printed.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <utility>

namespace catena {
namespace {

// Where the value leaves the sign that it had: from a nonzero value to the other sign or to zero.
bool crosses(double from, double to) { return (from < 0.0 && to >= 0.0) || (from > 0.0 && to <= 0.0); }

// Throws LostValue for NaN, which has no sign: its roots would be lost.
double value_of(const Event& event, const State& state) {
  const auto label = [&] { return "event \"" + event.name + '"'; };
  double value = 0.0;
  try {
    value = event.value(state);
  } catch (...) {
    detail::rethrow_named(label());
  }
  if (std::isnan(value))
    throw detail::LostValue(
        {label(), "value", value,
         detail::printed("its value is not a number at t = %.9g s, so that roots cannot be "
                         "found; give it a value on both sides of its root",
                         state.t)});
  return value;
}

bool wanted(Event::Direction direction, bool rising) {
  return direction == Event::Direction::any || (direction == Event::Direction::rising) == rising;
}

// The end behind the root of the bracket [a, b], shrunk to tolerance: Brent's method, Algorithms for Minimization
// without Derivatives, 1973, ch. 4. crosses(fa, fb) holds.
template <class F>
double root_between(const F& f, double a, double fa, double b, double fb, double tolerance) {
  const double sign = fa;  // of the values before the root
  double before = a, behind = b;
  double c = a, fc = fa, d = b - a, e = d;
  while (true) {
    if ((fb > 0.0) == (fc > 0.0) && fb != 0.0) {
      c = a, fc = fa;
      d = e = b - a;
    }
    if (std::abs(fc) < std::abs(fb)) {
      a = b, b = c, c = a;
      fa = fb, fb = fc, fc = fa;
    }
    const double middle = 0.5 * (c - b);
    if (std::abs(middle) <= tolerance || fb == 0.0) break;
    if (std::abs(e) >= tolerance && std::abs(fa) > std::abs(fb)) {
      const double s = fb / fa;
      double p, q;
      if (a == c) {
        p = 2.0 * middle * s;
        q = 1.0 - s;
      } else {
        const double r = fb / fc, u = fa / fc;
        p = s * (2.0 * middle * u * (u - r) - (b - a) * (r - 1.0));
        q = (u - 1.0) * (r - 1.0) * (s - 1.0);
      }
      if (p > 0.0) q = -q;
      p = std::abs(p);
      if (2.0 * p < std::min(3.0 * middle * q - std::abs(tolerance * q), std::abs(e * q)))
        e = std::exchange(d, p / q);
      else
        e = d = middle;
    } else {
      e = d = middle;
    }
    a = b, fa = fb;
    b += std::abs(d) > tolerance ? d : std::copysign(tolerance, middle);
    fb = f(b);
    if (crosses(sign, fb))
      behind = std::min(behind, b);
    else
      before = std::max(before, b);
  }
  return behind;
}

constexpr int parts = 4;  // of a step, in which signs are compared
using ValuesInStep = std::array<double, parts + 1>;

// Where in a step a function comes nearest to 0, of the same sign at all ends of its parts, by the parabola through the three
// nearest; no value: not within the step, or not nearer by half.
std::optional<double> near_root(const ValuesInStep& value) {
  const auto nearest = static_cast<std::size_t>(
      std::min_element(value.begin(), value.end(),
                       [](double a, double b) { return std::abs(a) < std::abs(b); }) -
      value.begin());
  const std::size_t middle = std::clamp<std::size_t>(nearest, 1, parts - 1);
  const double a = value[middle - 1], b = value[middle], c = value[middle + 1];
  const double bend = a - 2.0 * b + c, offset = 0.5 * (a - c) / bend;  // in parts
  const double theta = (static_cast<double>(middle) + offset) / parts,
               there = b - 0.125 * (a - c) * (a - c) / bend;
  if (!(bend * b > 0.0) || !(theta > 0.0) || !(theta < 1.0) || !(there / value[nearest] < 0.5)) return {};
  return theta;
}

}  // namespace

void EventFinder::begin(const State& state) {
  value_.clear();
  for (const Event& event : events_) value_.push_back(value_of(event, state));
}

const std::vector<EventFinder::Root>& EventFinder::find(const Stepper& stepper, const State& state, double h,
                                                        State& between) {
  roots_.clear();
  between.a = state.a;
  between.lambda = state.lambda;
  between.discrete = state.discrete;
  const auto place = [&](double theta) {
    between.t = theta == 1.0 ? state.t : state.t - (1.0 - theta) * h;
    if (theta == 1.0) {
      between.q = state.q;
      between.v = state.v;
    } else {
      stepper.interpolate(theta, between.q.data(), between.v.data());
    }
  };
  const auto value_of_event = [&](std::size_t k) {
    return [&, k](double theta) {
      place(theta);
      return value_of(events_[k], between);
    };
  };
  const double tolerance =
      2.0 * std::numeric_limits<double>::epsilon() * std::max(1.0, std::abs(state.t) / h);
  std::vector<double> from = value_;
  std::vector<ValuesInStep> all(events_.size());
  for (std::size_t k = 0; k < events_.size(); ++k) all[k][0] = from[k];
  for (int part = 1; part <= parts; ++part) {
    const double begin = static_cast<double>(part - 1) / parts, end = static_cast<double>(part) / parts;
    place(end);
    std::vector<double> to;
    for (const Event& event : events_) to.push_back(value_of(event, between));
    for (std::size_t k = 0; k < events_.size(); ++k) {
      all[k][static_cast<std::size_t>(part)] = to[k];
      const bool rising = from[k] < 0.0;
      if (!crosses(from[k], to[k]) || !wanted(events_[k].direction, rising)) continue;
      roots_.push_back({static_cast<int>(k),
                        root_between(value_of_event(k), begin, from[k], end, to[k], tolerance), rising});
    }
    from = std::move(to);
  }
  value_ = from;
  // Two roots within a part, which steps as long as those of a smooth motion may have.
  for (std::size_t k = 0; k < events_.size(); ++k) {
    const bool one_sign =
        std::none_of(all[k].begin(), all[k].end(), [&](double x) { return !(x * all[k][0] > 0.0); });
    const std::optional<double> middle = one_sign ? near_root(all[k]) : std::nullopt;
    if (!middle) continue;
    const auto value = value_of_event(k);
    const double there = value(*middle), first = std::floor(*middle * parts);
    const auto part = static_cast<std::size_t>(first);
    if (!crosses(all[k][part], there)) continue;
    const bool rising = all[k][0] < 0.0;
    if (wanted(events_[k].direction, rising))
      roots_.push_back({static_cast<int>(k),
                        root_between(value, first / parts, all[k][part], *middle, there, tolerance), rising});
    if (wanted(events_[k].direction, !rising) && crosses(there, all[k][part + 1]))
      roots_.push_back(
          {static_cast<int>(k),
           root_between(value, *middle, there, (first + 1.0) / parts, all[k][part + 1], tolerance), !rising});
  }
  std::stable_sort(roots_.begin(), roots_.end(),
                   [](const Root& a, const Root& b) { return a.theta < b.theta; });
  return roots_;
}

}  // namespace catena
