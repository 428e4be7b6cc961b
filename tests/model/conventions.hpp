// What the tests of docs/reference/conventions.md share: CONVENTION(number, claim) opens the test of that line and
// enters it in the list that conventions.cpp compares with the page.
#pragma once
#include <catena/assembly/multibody_system.hpp>
#include <catena/model/joints.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <set>
#include <utility>
#include <vector>

namespace convention {

using namespace catena;

inline constexpr double pi = 3.14159265358979323846;

inline std::set<int>& asserted() {
  static std::set<int> numbers;
  return numbers;
}
struct Register {
  explicit Register(int number) { asserted().insert(number); }
};

#define CONVENTION(number, claim)                         \
  const convention::Register registered_##number(number); \
  TEST_CASE("convention " #number ": " claim)

inline bool near(double a, double b, double tolerance = 1e-14) {
  return std::abs(a - b) <= tolerance * (1.0 + std::abs(b));
}
template <int N>
bool near(const Vec<double, N>& a, const Vec<double, N>& b, double tolerance = 1e-14) {
  for (int k = 0; k < N; ++k)
    if (!near(a[k], b[k], tolerance)) return false;
  return true;
}

inline Body some_body() {
  return {.name = "a",
          .mass = 2.0,
          .inertia = diagonal(Vec3{{0.3, 0.4, 0.5}}),
          .position = {{0.5, -1.0, 3.0}},
          .orientation = exponential(Vec3{{0.4, -0.2, 1.1}}),
          .velocity = {{0.1, 0.7, -0.3}},
          .angular_velocity = {{1.0, -2.0, 0.5}}};
}

inline std::vector<double> balance_of(const System& system, const std::vector<double>& lambda,
                                      bool with_velocity = false) {
  const State s = system.initial_state();
  std::vector<double> r(s.v.size()), still(s.v.size(), 0.0);
  Point at;
  at.q = s.q.data();
  at.v = with_velocity ? s.v.data() : still.data();
  at.lambda = lambda.empty() ? nullptr : lambda.data();
  Evaluation wanted;
  wanted.balance = r.data();
  system.evaluate(at, wanted);
  return r;
}
inline Vec3 part(const std::vector<double>& x, std::size_t first) {
  return {{x[first], x[first + 1], x[first + 2]}};
}

inline std::vector<double> gap_of(const System& system, const std::vector<double>& q) {
  std::vector<double> g(static_cast<std::size_t>(system.layout().lambda_size()));
  Point at;
  at.q = q.data();
  Evaluation wanted;
  wanted.position = g.data();
  system.evaluate(at, wanted);
  return g;
}
inline std::vector<double> gap_of(const System& system) { return gap_of(system, system.initial_state().q); }

// What the velocity rows say of the initial state: G v, or A v + a.
inline std::vector<double> rate_of(const System& system, double t = 0.0) {
  const State s = system.initial_state();
  std::vector<double> rate(s.lambda.size());
  Point at;
  at.t = t;
  at.q = s.q.data();
  at.v = s.v.data();
  Evaluation wanted;
  wanted.velocity = rate.data();
  system.evaluate(at, wanted);
  return rate;
}

inline Model one_body(const Body& body) {
  Model model;
  model.add(body);
  return model;
}

}  // namespace convention
