#include <catena/linear/detail/constrained_basis.hpp>
#include <catena/linear/detail/frame_operator.hpp>
#include <catena/linear/detail/mode_solvers.hpp>
#include <catena/linear/detail/steady_frame.hpp>
#include <catena/linear/parts/state_space.hpp>
#include <catena/math/detail/index.hpp>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/SVD>

#include <algorithm>
#include <cmath>
#include <limits>

namespace catena::detail {
namespace {

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Eigen::VectorXd scale_of(const LinearMotion& motion) {
  const std::vector<double>& scale = motion.system->layout().scale;
  return Eigen::Map<const Eigen::VectorXd>(scale.data(), static_cast<Eigen::Index>(scale.size()));
}

template <class Product>
Eigen::MatrixXd projected(const Eigen::MatrixXd& Z, int m, const Product& product) {
  const Eigen::Index n = Z.rows();
  Eigen::VectorXd out(n + m), x(n);
  Eigen::MatrixXd AZ(n, Z.cols());
  for (Eigen::Index j = 0; j < Z.cols(); ++j) {
    x = Z.col(j);
    product(x.data(), out.data());
    AZ.col(j) = out.head(n);
  }
  const Eigen::MatrixXd A = Z.transpose() * AZ;
  return 0.5 * (A + A.transpose());
}

// Columns that the square A takes to zero, to `part` of its largest singular value, and an orthonormal basis of the rest.
void split_kernel(const Eigen::MatrixXd& A, double part, Eigen::MatrixXd& kernel, Eigen::MatrixXd& rest) {
  const Eigen::JacobiSVD<Eigen::MatrixXd, Eigen::NoQRPreconditioner> svd(A, Eigen::ComputeFullV);
  Eigen::Index rank = 0;
  while (rank < A.cols() && svd.singularValues()(rank) > part) ++rank;
  kernel = svd.matrixV().rightCols(A.cols() - rank);
  rest = svd.matrixV().leftCols(rank);
}

// Of the motions that columns span, those with as few moving components as elimination with pivots finds.
void add_free_motions(const LinearMotion& motion, const Eigen::MatrixXd& shapes, Modes& modes) {
  const Eigen::VectorXd scale = scale_of(motion);
  Eigen::MatrixXd X = scale.cwiseInverse().asDiagonal() * shapes;
  for (Eigen::Index k = 0; k < X.cols(); ++k) {
    Eigen::Index row = 0, column = 0;
    const double pivot = X.rightCols(X.cols() - k).cwiseAbs().maxCoeff(&row, &column);
    if (!(pivot > 1e-8)) break;  // velocities alone
    X.col(k).swap(X.col(k + column));
    X.col(k) /= X(row, k);
    for (Eigen::Index j = 0; j < X.cols(); ++j)
      if (j != k) X.col(j) -= X(row, j) * X.col(k);
  }
  std::vector<double> shape(index(X.rows()));
  for (Eigen::Index k = 0; k < X.cols(); ++k) {
    if (X.col(k).cwiseAbs().maxCoeff() < 1e-8) continue;
    Eigen::Map<Eigen::VectorXd>(shape.data(), X.rows()) = scale.cwiseProduct(X.col(k));
    add_free_motion(motion, shape, modes);
  }
}

}  // namespace

void dense_symmetric_modes(const LinearMotion& motion, Modes& modes) {
  modes.method = "dense symmetric";
  modes.all = true;
  const Eigen::MatrixXd Z = scale_of(motion).asDiagonal() * basis_of_positions(motion);
  const Eigen::Index d = Z.cols();
  modes.stability = Stability::neutral;
  if (d == 0) return;
  MotionProducts products(motion);
  const Eigen::MatrixXd K =
      projected(Z, products.m(), [&](const double* x, double* out) { products.stiffness(x, out); });
  const Eigen::MatrixXd M =
      projected(Z, products.m(), [&](const double* x, double* out) { products.mass(x, out); });
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> solver(K, M);
  if (solver.info() != Eigen::Success) {
    modes.status = Status::not_finite;
    modes.culprit.quantity = "mass matrix";
    return;
  }
  const Eigen::VectorXd& squares = solver.eigenvalues();
  // Roundoff of the products and of the solver: of the largest square, and of the forces that cancel in it.
  const double zero = 64.0 * std::numeric_limits<double>::epsilon() * static_cast<double>(d) *
                      std::max({std::abs(squares(0)), std::abs(squares(d - 1)),
                                size_of_accelerations(*motion.system, motion.state)});
  std::vector<double> shape(index(Z.rows()));
  std::vector<Eigen::Index> free;
  for (Eigen::Index k = 0; k < d; ++k) {
    if (std::abs(squares(k)) <= zero) {
      free.push_back(k);
      continue;
    }
    Eigen::Map<Eigen::VectorXd>(shape.data(), Z.rows()) = Z * solver.eigenvectors().col(k);
    add_square(*motion.system, squares(k), shape, modes);
  }
  modes.zeros = 2 * static_cast<int>(free.size());
  if (!free.empty()) add_free_motions(motion, Z * solver.eigenvectors()(Eigen::all, free), modes);
  if (modes.unstable > 0) modes.stability = Stability::unstable;
}

void dense_modes(const LinearMotion& motion, Modes& modes) {
  modes.method = "dense";
  modes.all = true;
  const StateSpace space = state_space(motion);
  modes.status = space.status;
  modes.culprit = space.culprit;
  if (modes.status != Status::ok) return;
  const Eigen::Index d = space.size, n = motion.system->layout().v_size();
  modes.solves = space.size;
  modes.stability = Stability::stable;
  if (d == 0) return;
  const Eigen::MatrixXd A = Eigen::Map<const Rows>(space.matrix.data(), d, d);
  const Eigen::Map<const Rows> B(space.basis.data(), 2 * n, d);
  // Vanishing eigenvalues first, Jordan block by Jordan block: the kernel of A, then that of what A does beside it, and so on.
  // The others are those of the last A_1, and lose no digits by them. Entries of A are exact to some 1e-15 of its norm (refined solutions).
  const double zero = 2e-13 * static_cast<double>(d) * A.norm();
  Eigen::MatrixXd W = Eigen::MatrixXd::Identity(d, d);
  Eigen::Index zeros = 0;
  while (zeros < d) {
    Eigen::MatrixXd kernel, rest;
    const Eigen::MatrixXd U = W.rightCols(d - zeros);
    split_kernel(U.transpose() * A * U, zero, kernel, rest);
    if (kernel.cols() == 0) break;
    if (zeros == 0) add_free_motions(motion, (B * kernel).topRows(n), modes);
    W.middleCols(zeros, kernel.cols()) = U * kernel;
    W.rightCols(rest.cols()) = U * rest;
    zeros += kernel.cols();
  }
  modes.zeros = static_cast<int>(zeros);
  if (zeros > 0) modes.stability = Stability::neutral;
  if (zeros == d) return;
  const Eigen::MatrixXd T = W.transpose() * A * W;
  const Eigen::Index rest = d - zeros;
  const Eigen::EigenSolver<Eigen::MatrixXd> solver(T.bottomRightCorner(rest, rest));
  if (solver.info() != Eigen::Success) {
    modes.status = Status::newton_not_converged;
    modes.culprit.quantity = "eigenvalues of the state space";
    return;
  }
  const Eigen::VectorXcd& s = solver.eigenvalues();
  // Real parts of undamped oscillations are roundoff of the largest entries.
  const double no_growth = 1e-11 * A.norm();
  for (Eigen::Index k = 0; k < rest; ++k) {
    if (s(k).real() > no_growth)
      ++modes.unstable, modes.stability = Stability::unstable;
    else if (s(k).real() > -no_growth && modes.stability == Stability::stable)
      modes.stability = Stability::neutral;
    if (s(k).imag() < 0.0) continue;
    Eigen::VectorXcd z(d);
    z.tail(rest) = solver.eigenvectors().col(k);
    if (zeros > 0) {
      const Eigen::MatrixXcd rest_of_zeros =
          s(k) * Eigen::MatrixXcd::Identity(zeros, zeros) - T.topLeftCorner(zeros, zeros);
      z.head(zeros) = rest_of_zeros.partialPivLu().solve(
          Eigen::VectorXcd(T.topRightCorner(zeros, rest) * solver.eigenvectors().col(k)));
    }
    const Eigen::VectorXcd x = (B * Eigen::VectorXcd(W * z)).head(n);
    modes.modes.push_back(
        make_mode(*motion.system, s(k), std::vector<std::complex<double>>(x.data(), x.data() + n)));
  }
}

}  // namespace catena::detail
