// The axioms of SO(3): exponential, logarithm, tangent operator and its inverse.
#include <catena/math/parts/dual.hpp>
#include <catena/math/parts/rotated.hpp>

#include "support/relative.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

namespace rotation_tests {

using namespace catena;

namespace {

constexpr double eps = 2.3e-16;
constexpr double pi = 3.14159265358979323846;

template <int R, int C>
double size(const Mat<double, R, C>& a) {
  double s = 0.0;
  for (int k = 0; k < R * C; ++k) s = std::fmax(s, std::abs(a[k]));
  return s;
}

// Rotation vectors from tiny to beyond a full turn, around the limits of the series.
std::vector<Vec3> samples(double longest) {
  std::mt19937 engine(2);
  std::normal_distribution<double> normal;
  std::vector<Vec3> all;
  for (const double length :
       {0.0,    1e-300, 1e-20, 1e-9,      1e-8, 1e-5, 1e-3, 0.0999, 0.1001, 0.5,   0.9999, 1.0,
        1.0001, 2.0,    3.0,   pi - 1e-6, pi,   4.0,  6.0,  2 * pi, 10.0,   100.0, 1000.0}) {
    if (length > longest) continue;
    for (int k = 0; k < 4; ++k) {
      const Vec3 a{{normal(engine), normal(engine), normal(engine)}};
      all.push_back((length / norm(a)) * a);
    }
  }
  return all;
}

// exp(xi~) by scaling and squaring of the power series of the matrix.
Mat3 series_exponential(const Vec3& xi) {
  int halvings = 0;
  double length = norm(xi);
  while (length > 0.5) length *= 0.5, ++halvings;
  const Mat3 a = std::ldexp(1.0, -halvings) * skew(xi);
  Mat3 sum = Mat3::Identity(), term = Mat3::Identity();
  for (int k = 1; k < 20; ++k) {
    term = (1.0 / k) * (term * a);
    sum += term;
  }
  for (int k = 0; k < halvings; ++k) sum = sum * sum;
  return sum;
}

}  // namespace

TEST_CASE("exponential: the matrix exponential of the skew matrix, at unit length") {
  for (const Vec3& xi : samples(1000.0)) {
    CAPTURE(norm(xi));
    const Quat q = exponential(xi);
    // Twelve doublings with two roundings each, of an angle below 16 rad.
    CHECK(std::abs(squared_norm(q) - 1.0) < 20 * eps);
    // The angle itself is known to eps |xi| only, and squaring the series amplifies roundoff by its length.
    CHECK(size(Mat3(rotation_matrix(q) - series_exponential(xi))) < 60 * eps * (1.0 + norm(xi)));
  }
}

TEST_CASE("exponential: half turn and quarter turn are exact to roundoff") {
  const Quat half = exponential(Vec3{{0.0, 0.0, pi}});
  CHECK(std::abs(half.w) < 1e-15);
  CHECK(half.z == catena_test::relative(1.0, 1e-15));
  const Quat quarter = exponential(Vec3{{0.5 * pi, 0.0, 0.0}});
  CHECK(quarter.w == catena_test::relative(std::sqrt(0.5), 1e-15));
  CHECK(quarter.x == catena_test::relative(std::sqrt(0.5), 1e-15));
}

TEST_CASE("logarithm inverts the exponential up to half a turn, for either sign of the quaternion") {
  for (const Vec3& xi : samples(pi - 1e-6)) {
    CAPTURE(norm(xi));
    const Quat q = exponential(xi);
    CHECK(size(Vec3(logarithm(q) - xi)) <= 20 * eps * (1e-290 + norm(xi)));
    CHECK(size(Vec3(logarithm(Quat{-q.w, -q.x, -q.y, -q.z}) - xi)) <= 20 * eps * (1e-290 + norm(xi)));
  }
}

TEST_CASE("logarithm never exceeds half a turn and reproduces the rotation") {
  for (const Vec3& xi : samples(1000.0)) {
    const Quat q = exponential(xi);
    const Vec3 back = logarithm(q);
    CHECK(norm(back) <= pi * (1.0 + 2 * eps));
    CHECK(size(Mat3(rotation_matrix(exponential(back)) - rotation_matrix(q))) < 60 * eps * (1.0 + norm(xi)));
  }
}

TEST_CASE("tangent operator is the derivative of the exponential") {
  // exp((xi + s d)~) = exp(xi~) exp((T d)~ s): differentiated with duals and with the logarithm's slope 2 vec.
  using D = Dual<double, 3>;
  for (const Vec3& xi : samples(100.0)) {
    CAPTURE(norm(xi));
    Vec<D, 3> x;
    for (int k = 0; k < 3; ++k) x[k] = D::variable(xi[k], k);
    const Quaternion<D> moved = exponential(x);
    const Quat fixed = exponential(xi);
    const Quaternion<D> q0{D(fixed.w), D(fixed.x), D(fixed.y), D(fixed.z)};
    const Quaternion<D> relative = conjugate(q0) * moved;
    Mat3 slope;
    for (int c = 0; c < 3; ++c) {
      slope(0, c) = 2.0 * relative.x.d[c];
      slope(1, c) = 2.0 * relative.y.d[c];
      slope(2, c) = 2.0 * relative.z.d[c];
    }
    // Cancellation in 1 - sinc cos at the limit of its series: eps / 1e-2; doubling differentiates to eps |xi|.
    CHECK(size(Mat3(tangent(xi) - slope)) < 100 * eps * (1.0 + norm(xi)));
  }
}

TEST_CASE("inverse tangent operator inverts the tangent operator, up to its singularity at a full turn") {
  for (const Vec3& xi : samples(6.0)) {
    CAPTURE(norm(xi));
    const Mat3 inverse = inverse_tangent(xi);
    CHECK(size(Mat3(tangent(xi) * inverse - Mat3::Identity())) < 100 * eps * size(inverse));
  }
}

TEST_CASE("T(xi) xi = xi, T(-xi) = T(xi)^T, T^-1 likewise") {
  for (const Vec3& xi : samples(6.0)) {
    CHECK(size(Vec3(tangent(xi) * xi - xi)) <= 20 * eps * (norm(xi) + 1e-290));
    CHECK(size(Vec3(inverse_tangent(xi) * xi - xi)) <=
          20 * eps * size(inverse_tangent(xi)) * (norm(xi) + 1e-290));
    CHECK(size(Mat3(tangent(-xi) - tangent(xi).transpose())) == 0.0);
    CHECK(size(Mat3(inverse_tangent(-xi) - inverse_tangent(xi).transpose())) <=
          4 * eps * size(inverse_tangent(xi)));
  }
}

TEST_CASE(
    "a vector is turned without the matrix as with it, also by quaternions that are not of unit length") {
  std::mt19937 engine(7);
  std::normal_distribution<double> normal;
  for (int k = 0; k < 200; ++k) {
    const Quat q{normal(engine), normal(engine), normal(engine), normal(engine)};
    const Vec3 v{{normal(engine), normal(engine), normal(engine)}};
    // Some ten operations on terms of |q|^2 |v| at most, four of which make a component.
    CHECK(size(rotated(q, v) - rotation_matrix(q) * v) <
          20.0 * eps * (1.0 + 4.0 * squared_norm(q)) * size(v));
  }
}

TEST_CASE("quaternion product is composition, conjugation the inverse, on vectors the sandwich product") {
  const Quat a = exponential(Vec3{{0.3, -0.7, 1.1}}), b = exponential(Vec3{{-1.2, 0.4, 0.2}});
  const Vec3 p{{0.5, -2.0, 1.0}};
  CHECK(size(Mat3(rotation_matrix(a * b) - rotation_matrix(a) * rotation_matrix(b))) < 8 * eps);
  CHECK(size(Mat3(rotation_matrix(conjugate(a)) - rotation_matrix(a).transpose())) == 0.0);
  const Quat sandwich = a * Quat{0.0, p[0], p[1], p[2]} * conjugate(a);
  CHECK(size(Vec3(sandwich.vec() - rotation_matrix(a) * p)) < 20 * eps);
  CHECK(size(Mat3(transpose_times(rotation_matrix(a), rotation_matrix(a)) - Mat3::Identity())) < 8 * eps);
}

TEST_CASE(
    "half-angle functions agree with the standard library, in one piece across the limit of the series") {
  for (int k = 0; k < 1079; ++k) {
    const double z = 0.0371 * k;
    const HalfAngle<double> f = half_angle(z * z);
    CHECK(std::abs(f.cosine - std::cos(z)) < 30 * eps * (1.0 + z));
    if (z > 0.0) CHECK(std::abs(f.sinc - std::sin(z) / z) < 30 * eps);
    if (z > 0.0 && z < 3.0) {
      const double expected = (1.0 - z / std::tan(z)) / (4.0 * z * z);
      // the reference cancels: 1 - z cot z is z^2/3 at small z
      CHECK(std::abs(inverse_tangent_coefficient(z * z) - expected) < 60 * eps * (expected + 1.0 / (z * z)));
    }
  }
  CHECK(inverse_tangent_coefficient(0.0) == catena_test::relative(1.0 / 12, 1e-15));
}

}  // namespace rotation_tests
