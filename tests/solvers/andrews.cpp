// Andrews' squeezer in its own coordinates: seven angles and three closed loops, written by its arms, against the digits of the
// test set for IVP solvers. As bodies on hinges: problems/files/andrews.yaml.
//
// Source: F. Mazzia, C. Magherini, Test Set for Initial Value Problem Solvers, release 2.4 (2008), II.2: data, initial values
// and the solution at t = 0.03 s; W. Schiehlen, Multibody Systems Handbook, Springer 1990.
#include <catena/driver/run.hpp>
#include <catena/solvers/dop853.hpp>
#include <catena/solvers/lie_bdf.hpp>
#include <catena/solvers/radau.hpp>
#include <catena/system/coordinate_system.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

using namespace catena;

namespace andrews_tests {
namespace {

// q: beta, Theta, gamma, Phi, delta, Omega, epsilon. A body turns by the sum of the angles in its set.
struct Squeezer {
  static constexpr int coordinates = 7;
  static constexpr const char* name = "Andrews' squeezer";

  // A vector of fixed length that turns by a sum of angles.
  struct Arm {
    std::array<int, 2> angles;  // second: -1 where there is one
    double x, y;                // where the sum is 0 [m]
  };
  // A point: a fixed one and two arms. The arms of K2, K4 and K6 begin where those of K1, K5 and K7 end.
  struct Place {
    double x, y;
    Arm first, second;
  };
  struct Part {
    double mass, inertia;  // [kg], about the centre [kg m^2]
    Place centre;
    std::array<int, 2> turn;
  };
  static constexpr double xa = -0.06934, ya = -0.00227, xb = -0.03635, yb = 0.03273, xc = 0.014, yc = 0.072,
                          d = 28e-3, da = 115e-4, e = 2e-2, ea = 1421e-5, zf = 2e-2, fa = 1421e-5, rr = 7e-3,
                          ra = 92e-5, ss = 35e-3, sa = 1874e-5, sb = 1043e-5, sc = 18e-3, sd = 2e-2,
                          ta = 2308e-5, tb = 916e-5, u = 4e-2, ua = 1228e-5, ub = 449e-5, zt = 4e-2;
  static constexpr double stiffness = 4530.0, rest_length = 0.07785, motor = 0.033;
  static constexpr std::array<int, 2> K1{0, -1}, K2{0, 1}, K3{2, -1}, K4{3, 4}, K5{4, -1}, K6{5, 6},
      K7{6, -1};

  static constexpr std::array<Part, 7> parts{
      {{0.04325, 2.194e-6, {0.0, 0.0, {K1, ra, 0.0}, {K1, 0.0, 0.0}}, K1},
       {0.00365, 4.410e-7, {0.0, 0.0, {K1, rr, 0.0}, {K2, -da, 0.0}}, K2},
       {0.02373, 5.255e-6, {xb, yb, {K3, sb, -sa}, {K3, 0.0, 0.0}}, K3},
       {0.00706, 5.667e-7, {xa, ya, {K5, u, 0.0}, {K4, 0.0, ea - e}}, K4},
       {0.07050, 1.169e-5, {xa, ya, {K5, ta, tb}, {K5, 0.0, 0.0}}, K5},
       {0.00706, 5.667e-7, {xa, ya, {K7, 0.0, -zt}, {K6, zf - fa, 0.0}}, K6},
       {0.05498, 1.912e-5, {xa, ya, {K7, -ub, -ua}, {K7, 0.0, 0.0}}, K7}}};
  // The point E, where K2, K3, K4 and K6 meet, as each of them sees it; and the end of the spring on K3.
  static constexpr Place of_K2{0.0, 0.0, {K1, rr, 0.0}, {K2, -d, 0.0}},
      of_K3{xb, yb, {K3, 0.0, -ss}, {K3, 0.0, 0.0}}, of_K4{xa, ya, {K5, u, 0.0}, {K4, 0.0, -e}},
      of_K6{xa, ya, {K7, 0.0, -zt}, {K6, zf, 0.0}}, of_spring{xb, yb, {K3, sd, -sc}, {K3, 0.0, 0.0}};

  template <class S>
  struct Turned {
    S x, y;
  };
  template <class S>
  static S sum(const std::array<int, 2>& angles, const Vec<S, 7>& of) {
    return angles[1] < 0 ? of[angles[0]] : of[angles[0]] + of[angles[1]];
  }
  template <class S>
  static Turned<S> turned(const Arm& arm, const Vec<S, 7>& q) {
    using std::cos;
    using std::sin;
    const S angle = sum(arm.angles, q), c = cos(angle), s = sin(angle);
    return {arm.x * c - arm.y * s, arm.x * s + arm.y * c};
  }
  template <class S>
  static Turned<S> at(const Place& place, const Vec<S, 7>& q) {
    const Turned<S> a = turned(place.first, q), b = turned(place.second, q);
    return {place.x + a.x + b.x, place.y + a.y + b.y};
  }
  // d(place)/dq: each angle turns its arms.
  template <class S>
  static std::array<Turned<S>, 7> jacobian(const Place& place, const Vec<S, 7>& q) {
    std::array<Turned<S>, 7> J;
    J.fill({S(0.0), S(0.0)});
    for (const Arm* arm : {&place.first, &place.second}) {
      const Turned<S> r = turned(*arm, q);
      for (const int k : arm->angles)
        if (k >= 0)
          J[static_cast<std::size_t>(k)] = {J[static_cast<std::size_t>(k)].x - r.y,
                                            J[static_cast<std::size_t>(k)].y + r.x};
    }
    return J;
  }

  template <class S>
  Mat<S, 7, 7> mass(const Vec<S, 7>& q) const {
    Mat<S, 7, 7> M = Mat<S, 7, 7>::Zero();
    for (const Part& part : parts) {
      const std::array<Turned<S>, 7> J = jacobian(part.centre, q);
      for (int i = 0; i < 7; ++i)
        for (int j = 0; j < 7; ++j) {
          const auto a = static_cast<std::size_t>(i), b = static_cast<std::size_t>(j);
          M(i, j) = M(i, j) + part.mass * (J[a].x * J[b].x + J[a].y * J[b].y);
        }
      for (const int i : part.turn)
        for (const int j : part.turn)
          if (i >= 0 && j >= 0) M(i, j) = M(i, j) + S(part.inertia);
    }
    return M;
  }
  // The motor on K1, the spring, and the centripetal accelerations of the arms.
  template <class S>
  Vec<S, 7> force(const Vec<S, 7>& q, const Vec<S, 7>& v, const S&) const {
    using std::sqrt;
    Vec<S, 7> f = Vec<S, 7>::Zero();
    f[0] = S(motor);
    const auto push = [&](const Place& place, const S& x, const S& y) {
      const std::array<Turned<S>, 7> J = jacobian(place, q);
      for (int i = 0; i < 7; ++i) {
        const auto k = static_cast<std::size_t>(i);
        f[i] = f[i] + J[k].x * x + J[k].y * y;
      }
    };
    const Turned<S> end = at(of_spring, q);
    const S dx = xc - end.x, dy = yc - end.y, length = sqrt(dx * dx + dy * dy),
            pull = stiffness * (length - rest_length) / length;
    push(of_spring, pull * dx, pull * dy);
    for (const Part& part : parts) {
      S x(0.0), y(0.0);
      for (const Arm* arm : {&part.centre.first, &part.centre.second}) {
        const Turned<S> r = turned(*arm, q);
        const S rate = sum(arm->angles, v);
        x = x + rate * rate * r.x;
        y = y + rate * rate * r.y;
      }
      push(part.centre, part.mass * x, part.mass * y);
    }
    return f;
  }
  template <class S>
  Vec<S, 6> gap(const Vec<S, 7>& q, const S&) const {
    const Turned<S> E = at(of_K2, q), three = at(of_K3, q), four = at(of_K4, q), six = at(of_K6, q);
    return {{E.x - three.x, E.y - three.y, E.x - four.x, E.y - four.y, E.x - six.x, E.y - six.y}};
  }
};

template <class Method, class Options>
void check_digits(const Options& options, double bound) {
  const CoordinateSystem<Squeezer> squeezer(
      Squeezer{}, {{-0.0617138900142764496358948458001, 0.0, 0.455279819163070380255912382449,
                    0.222668390165885884674473185609, 0.487364979543842550225598953530,
                    -0.222668390165885884674473185609, 1.23054744454982119249735015568}});
  Method method(options);
  State state = squeezer.initial_state();
  const RunResult result = run(squeezer, method, state, {.step = 0.03, .end = 0.03, .verdict = false});
  REQUIRE(result.status == Status::ok);
  // beta, gamma and epsilon by RK4 of 80 bits (tests/problems/model_files.cpp): the digits of the test set, which the others
  // are, are good to 1.1e-9 rad.
  const double q[7] = {15.810771195153707, -15.75637105984298, 0.04082224011965, -0.5347301163226948,
                       0.5244099658805304, 0.5347301163226948, 1.048080741041946};
  for (int k = 0; k < 7; ++k) {
    CAPTURE(k);
    CHECK(std::abs(state.q[static_cast<std::size_t>(k)] - q[k]) <= bound * std::max(1.0, std::abs(q[k])));
  }
}

}  // namespace
}  // namespace andrews_tests
using namespace andrews_tests;

TEST_CASE(
    "radau and dop853 reach eight digits of Andrews' squeezer in its own coordinates, by their defaults") {
  check_digits<Radau>(RadauOptions(), 1e-8);
  check_digits<Dop853>(Dop853Options(), 1e-8);
  ExplicitOptions fine = Dop853Options();
  fine.rtol_position = fine.atol_position = fine.rtol_velocity = fine.atol_velocity = 1e-12;
  check_digits<Dop853>(fine, 1.5e-10);  // those of the test set in Theta: 1.1e-9 of 15.8
}
