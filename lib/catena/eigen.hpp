// Conversions between Catena's numbers and Eigen's, for programs that compute with Eigen. Optional: nothing else of Catena
// includes it, and it needs Eigen 3 where it is included (link Eigen3::Eigen).
//
//   Eigen::Vector3d r = catena::to_eigen(pose(system, state, hip).position);
//   model.add(catena::Body{.inertia = catena::from_eigen(tensor), .orientation = catena::from_eigen(turn)});
//   auto v = catena::as_eigen(state.v);     // a view: v(0) = 1.0 writes into the state
//
// Vectors and matrices are copied entry by entry: Catena stores matrices by rows. Quaternions keep their meaning (body to
// world); Catena and Eigen's constructor have the scalar first, Eigen's coeffs() has it last.
#pragma once
#include <catena/math/rotation.hpp>

#include <Eigen/Core>
#include <Eigen/Geometry>

#include <span>
#include <vector>

namespace catena {

template <int R, int C>
Eigen::Matrix<double, R, C> to_eigen(const Mat<double, R, C>& a) {
  Eigen::Matrix<double, R, C> b;
  for (int i = 0; i < R; ++i)
    for (int j = 0; j < C; ++j) b(i, j) = a(i, j);
  return b;
}

inline Eigen::Quaterniond to_eigen(const Quat& q) { return {q.w, q.x, q.y, q.z}; }

// Any expression of doubles whose size is known to the compiler.
template <class Derived>
auto from_eigen(const Eigen::MatrixBase<Derived>& a) {
  constexpr int rows = Derived::RowsAtCompileTime, columns = Derived::ColsAtCompileTime;
  static_assert(rows > 0 && columns > 0, "of a fixed size, as Eigen::Vector3d and Eigen::Matrix3d are");
  const Eigen::Matrix<double, rows, columns> value = a;
  Mat<double, rows, columns> b;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) b(i, j) = value(i, j);
  return b;
}

// Of any length but zero: normalised, as models want it.
inline Quat from_eigen(const Eigen::Quaterniond& q) { return normalized(Quat{q.w(), q.x(), q.y(), q.z()}); }
// The rotation of an orthogonal matrix with determinant 1, body to world.
inline Quat rotation_from_eigen(const Eigen::Matrix3d& r) { return from_eigen(Eigen::Quaterniond(r)); }

// Views of numbers that live elsewhere: State::q, State::v, multipliers().
inline Eigen::Map<Eigen::VectorXd> as_eigen(std::vector<double>& x) {
  return {x.data(), static_cast<Eigen::Index>(x.size())};
}
inline Eigen::Map<const Eigen::VectorXd> as_eigen(const std::vector<double>& x) {
  return {x.data(), static_cast<Eigen::Index>(x.size())};
}
inline Eigen::Map<const Eigen::VectorXd> as_eigen(std::span<const double> x) {
  return {x.data(), static_cast<Eigen::Index>(x.size())};
}

}  // namespace catena
