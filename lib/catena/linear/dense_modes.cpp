#include <catena/linear/detail/constrained_basis.hpp>
#include <catena/linear/detail/frame_operator.hpp>
#include <catena/linear/detail/mode_solvers.hpp>
#include <catena/linear/detail/spectrum.hpp>
#include <catena/linear/detail/steady_frame.hpp>
#include <catena/linear/parts/state_space.hpp>
#include <catena/math/detail/index.hpp>
#include <catena/system/detail/move_lengths.hpp>

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <utility>
#include <vector>

namespace catena::detail {
namespace {

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Eigen::VectorXd scale_of(const LinearMotion& motion) {
  const std::vector<double> scale = move_lengths(motion.system->layout());
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

// Relative, of eigenvalues of a matrix of d rows.
double roundoff(Eigen::Index d) {
  return 64.0 * std::numeric_limits<double>::epsilon() * static_cast<double>(d);
}

// Of each component the stiffness, and the force over the size of the body: the terms of which stiffness against a motion is the
// sum, whether they cancel or not.
Eigen::VectorXd acting_stiffness(const LinearMotion& motion) {
  const SystemLayout& layout = motion.system->layout();
  const BlockPattern& p = *layout.pattern;
  std::vector<double> force(index(layout.v_size()));
  Evaluation wanted;
  wanted.balance = force.data();
  motion.system->evaluate(point_of(motion.state), wanted);
  Eigen::VectorXd acting(layout.v_size());
  for (int b = 0; b < p.primal_count(); ++b) {
    const ConstBlockRef K = std::as_const(*motion.stiffness).H(b);
    for (int i = 0; i < K.rows; ++i) {
      const int k = p.primal_offset[index(b)] + i;
      acting(k) = std::abs(K(i, i)) + std::abs(force[index(k)]) / layout.scale[index(k)];
    }
  }
  return acting;
}

// Of the motions that columns span, those with as few moving components as elimination with pivots finds.
void add_free_motions(const LinearMotion& motion, const Eigen::MatrixXd& shapes, Modes& modes) {
  const Eigen::VectorXd scale = scale_of(motion);
  Eigen::MatrixXd X = scale.cwiseInverse().asDiagonal() * shapes;
  std::vector<std::pair<Eigen::Index, Eigen::Index>>
      found;  // first components, columns: in the order of the model
  for (Eigen::Index k = 0; k < X.cols(); ++k) {
    Eigen::Index row = 0, column = 0;
    const double pivot = X.rightCols(X.cols() - k).cwiseAbs().maxCoeff(&row, &column);
    if (!(pivot > 1e-8)) break;  // velocities alone
    found.emplace_back(row, k);
    X.col(k).swap(X.col(k + column));
    X.col(k) /= X(row, k);
    for (Eigen::Index j = 0; j < X.cols(); ++j)
      if (j != k) X.col(j) -= X(row, j) * X.col(k);
  }
  std::vector<double> shape(index(X.rows()));
  std::sort(found.begin(), found.end());
  for (const auto& [row, k] : found) {
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
  modes.stability = d == 0 ? Stability::stable : Stability::neutral;
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
  const Eigen::VectorXd acting = acting_stiffness(motion);
  const double largest = std::max(std::abs(squares(0)), std::abs(squares(d - 1)));
  std::vector<double> shape(index(Z.rows()));
  std::vector<Eigen::Index> free;
  for (Eigen::Index k = 0; k < d; ++k) {
    const Eigen::VectorXd x = Z * solver.eigenvectors().col(k);
    // Roundoff of the solver, of the largest square, and of the products, of the forces that cancel in this one.
    if (std::abs(squares(k)) <= roundoff(d) * std::max(largest, acting.dot(x.cwiseAbs2()))) {
      free.push_back(k);
      continue;
    }
    Eigen::Map<Eigen::VectorXd>(shape.data(), Z.rows()) = x;
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
  Eigen::MatrixXd A = Eigen::Map<const Rows>(space.matrix.data(), d, d);
  const Eigen::Map<const Rows> B(space.basis.data(), 2 * n, d);
  // Speeds over the fastest rate: a stiff oscillation has entries of that size then, and not the square of it beside 1, so that
  // slow ones keep twice as many digits. Roundoff of the squared rates of a motion is no stiffness: below the limit of zeros from
  // an eighth of the largest rate on.
  Eigen::Index lengths = 0;
  while (lengths < d && !B.col(lengths).head(n).isZero(0.0)) ++lengths;
  const Eigen::Index speeds = d - lengths;
  const auto largest = [](const auto& block) { return block.size() > 0 ? block.cwiseAbs().maxCoeff() : 0.0; };
  double rate =
      std::max({std::sqrt(largest(A.bottomLeftCorner(speeds, lengths))),
                largest(A.topLeftCorner(lengths, lengths)), largest(A.bottomRightCorner(speeds, speeds)),
                0.125 * fastest_turn(*motion.system, motion.state, motion.turning)});
  if (!(rate > 0.0)) rate = 1.0;
  A.topRightCorner(lengths, speeds) *= rate;
  A.bottomLeftCorner(speeds, lengths) /= rate;
  // Entries of A are exact to some eps of its norm (refined solutions).
  const double zero = roundoff(d) * A.norm();
  const Spectrum spectrum = spectrum_beside({0.0}, A, zero);
  if (!spectrum.found) {
    modes.status = Status::newton_not_converged;
    modes.culprit.quantity = "eigenvalues of the state space";
    return;
  }
  modes.zeros = static_cast<int>(spectrum.known[0]);
  const auto displacements = [&](const auto& z) {
    return (B.topLeftCorner(n, lengths) * z.topRows(lengths)).eval();
  };
  if (modes.zeros > 0) {
    modes.stability = Stability::neutral;
    add_free_motions(motion, displacements(spectrum.kernel), modes);
  }
  // Real parts of undamped oscillations are roundoff of the largest entries.
  const double no_growth = 1e-11 * A.norm();
  for (Eigen::Index k = 0; k < spectrum.values.size(); ++k) {
    const std::complex<double> s = spectrum.values(k);
    if (s.real() > no_growth)
      ++modes.unstable, modes.stability = Stability::unstable;
    else if (s.real() > -no_growth && modes.stability == Stability::stable)
      modes.stability = Stability::neutral;
    if (s.imag() < 0.0) continue;
    const Eigen::VectorXcd x = displacements(spectrum.vectors.col(k));
    modes.modes.push_back(
        make_mode(*motion.system, s, std::vector<std::complex<double>>(x.data(), x.data() + n)));
  }
}

}  // namespace catena::detail
