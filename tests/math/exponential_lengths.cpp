// Turns of any size within a step: unit quaternions in every instruction set, in lanes as in scalar code.
#include <catena/math/detail/isa_copies.hpp>
#include <catena/math/parts/dual.hpp>
#include <catena/math/rotation.hpp>

#include "exponentials.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>

namespace catena {
CATENA_ISA_COPIES(exponentials, extern const CompiledExponentials exponentials)
}  // namespace catena

using namespace catena;

namespace {

struct Eight {
  double theta[24], q[32], scalar[32];

  double squared_length(const double* of, int lane) const {
    return of[lane] * of[lane] + of[8 + lane] * of[8 + lane] + of[16 + lane] * of[16 + lane] +
           of[24 + lane] * of[24 + lane];
  }
};

// Lane l turns by lengths[l] rad about a random axis.
Eight eight_turns(const CompiledExponentials& with, const double* lengths, std::mt19937& engine) {
  std::normal_distribution<double> normal;
  Eight all;
  for (int l = 0; l < 8; ++l) {
    const Vec3 a{{normal(engine), normal(engine), normal(engine)}};
    for (int k = 0; k < 3; ++k) all.theta[8 * k + l] = lengths[l] * (a[k] / norm(a));
  }
  with.lanes(all.theta, all.q);
  with.lane_by_lane(all.theta, all.scalar);
  return all;
}

constexpr double eps = std::numeric_limits<double>::epsilon();

}  // namespace

TEST_CASE("the exponential of any finite vector has unit length, the same bits in lanes and in scalar code") {
  std::mt19937 engine(5);
  std::uniform_real_distribution<double> exponent(-3.0, 8.0);
  for (int level = 0; level <= instruction_set(); ++level)
    for (int draw = 0; draw < 2000; ++draw) {
      double lengths[8];
      for (double& length : lengths) length = std::pow(10.0, exponent(engine));
      if (draw % 10 == 0) lengths[draw % 8] = std::pow(10.0, 10.0 + draw % 290);  // angles without a digit
      const Eight all = eight_turns(*exponentials_at(level), lengths, engine);
      CHECK(std::equal(all.q, all.q + 32, all.scalar));
      for (int l = 0; l < 8; ++l) {
        CAPTURE(level);
        CAPTURE(lengths[l]);
        // Of the length half of that; twelve doublings of an angle below 16 rad, and a division.
        CHECK(std::abs(all.squared_length(all.q, l) - 1.0) <= 20.0 * eps);
      }
    }
}

TEST_CASE("angles up to 1e8 rad are turned by as they are known: to roundoff of the angle") {
  std::mt19937 engine(6);
  for (int level = 0; level <= instruction_set(); ++level)
    for (const double length : {15.9, 16.1, 100.0, 2047.0, 2049.0, 1e4, 12345.6, 1e6, 1e7, 1e8}) {
      double lengths[8];
      std::fill_n(lengths, 8, length);
      const Eight all = eight_turns(*exponentials_at(level), lengths, engine);
      for (int l = 0; l < 8; ++l) {
        CAPTURE(level);
        CAPTURE(length);
        const Vec3 axis{{all.theta[l] / length, all.theta[8 + l] / length, all.theta[16 + l] / length}};
        const double sine = all.q[8 + l] * axis[0] + all.q[16 + l] * axis[1] + all.q[24 + l] * axis[2];
        // The length of the vector rounds three times and more, each time by an ulp.
        const double tolerance = 30.0 * eps + 4.0 * eps * length;
        CHECK(std::abs(all.q[l] - std::cos(0.5 * length)) <= tolerance);
        CHECK(std::abs(sine - std::sin(0.5 * length)) <= tolerance);
      }
    }
}

TEST_CASE("a lane with a small turn does not see its neighbours with large ones") {
  std::mt19937 engine(7);
  for (int level = 0; level <= instruction_set(); ++level)
    for (const double large : {3.0, 20.0, 1e5, 1e200}) {
      Eight all = eight_turns(*exponentials_at(level),
                              std::array<double, 8>{0.2, 1.0, 3.0, 15.0, 40.0, 0.0, 7.0, 1e3}.data(), engine);
      double q[32];
      std::copy_n(all.q, 32, q);
      for (const int l : {5, 6, 7}) all.theta[l] = large;
      exponentials_at(level)->lanes(all.theta, all.q);
      for (int l = 0; l < 5; ++l)
        for (int k = 0; k < 4; ++k) CHECK(all.q[8 * k + l] == q[8 * k + l]);
    }
}

TEST_CASE("what is not finite stays so, and derivatives go through the reduced angle") {
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    const Quat q = exponential(Vec3{{0.0, bad, 1.0}});
    CHECK(std::isnan(q.x + q.y + q.z));
  }
  using D = Dual<double, 1>;
  for (const double angle : {10.0, 40.0, 2500.0}) {
    const Quaternion<D> q = exponential(Vec<D, 3>{{D(0.0), D::variable(angle, 0), D(0.0)}});
    CHECK(std::abs(q.w.d[0] + 0.5 * std::sin(0.5 * angle)) < 1e-12);
    CHECK(std::abs(q.y.d[0] - 0.5 * std::cos(0.5 * angle)) < 1e-12);
  }
}
