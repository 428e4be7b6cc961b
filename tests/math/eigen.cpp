// Numbers keep their meaning between Catena and Eigen.
#include <catena/eigen.hpp>

#include <doctest/doctest.h>

#include <vector>

using namespace catena;

TEST_CASE("vectors and matrices have the same entries on both sides") {
  const Mat<double, 2, 3> a{{1, 2, 3, 4, 5, 6}};
  const Eigen::Matrix<double, 2, 3> b = to_eigen(a);
  CHECK(b(0, 2) == 3.0);
  CHECK(b(1, 0) == 4.0);
  const auto c = from_eigen(2.0 * b.transpose());  // an expression, stored by columns
  static_assert(decltype(c)::rows == 3 && decltype(c)::cols == 2);
  CHECK(c(2, 0) == 6.0);
  CHECK(c(0, 1) == 8.0);
  const Vec3 v = from_eigen(Eigen::Vector3d(1.0, -2.0, 0.5));
  CHECK(to_eigen(v) == Eigen::Vector3d(1.0, -2.0, 0.5));
}

TEST_CASE("a quaternion turns vectors alike on both sides, and products agree") {
  const Quat p = normalized(Quat{0.3, -0.1, 0.7, 0.2}), q = normalized(Quat{-0.5, 0.4, 0.1, 0.9});
  const Eigen::Vector3d x(0.2, -1.0, 3.0);
  CHECK((to_eigen(rotation_matrix(p)) * x - to_eigen(p) * x).norm() < 1e-15 * 10.0);
  CHECK((to_eigen(p * q).coeffs() - (to_eigen(p) * to_eigen(q)).coeffs()).norm() < 1e-15);
  const Quat r = from_eigen(Eigen::Quaterniond(2.0 * p.w, 2.0 * p.x, 2.0 * p.y, 2.0 * p.z));
  CHECK((to_eigen(r).coeffs() - to_eigen(p).coeffs()).norm() < 1e-15);
  const Quat s = rotation_from_eigen(to_eigen(rotation_matrix(p)));
  CHECK(std::abs(s.w * p.w + s.x * p.x + s.y * p.y + s.z * p.z) > 1.0 - 1e-15);
}

TEST_CASE("a view writes into the numbers that it sees") {
  std::vector<double> x{1.0, 2.0, 3.0};
  as_eigen(x) *= 2.0;
  CHECK(x[2] == 6.0);
  const std::vector<double>& same = x;
  CHECK(as_eigen(same).sum() == 12.0);
  CHECK(as_eigen(std::span<const double>(x).first(2)).sum() == 6.0);
}
