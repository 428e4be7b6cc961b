#include <catena/linear/detail/spectrum.hpp>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>

#include <cmath>
#include <complex>
#include <limits>

namespace catena::detail {
namespace {

// Columns that A takes to zero, to `part`, and an orthonormal basis of the rest.
void split_kernel(const Eigen::MatrixXd& A, double part, Eigen::MatrixXd& kernel, Eigen::MatrixXd& rest) {
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(A.transpose());
  Eigen::Index rank = 0;
  while (rank < A.cols() && std::abs(qr.matrixQR()(rank, rank)) > part) ++rank;
  const Eigen::MatrixXd Q = qr.householderQ() * Eigen::MatrixXd::Identity(A.cols(), A.cols());
  kernel = Q.rightCols(A.cols() - rank);
  rest = Q.leftCols(rank);
}

// Replaces eigenvalues that are nearer to each other than their errors, one by one, by their mean, which roundoff moves no more
// than the norm says.
void take_means(Eigen::VectorXcd& values, const Eigen::VectorXd& errors) {
  const Eigen::Index n = values.size();
  std::vector<bool> seen(static_cast<std::size_t>(n), false);
  for (Eigen::Index first = 0; first < n; ++first) {
    std::vector<Eigen::Index> cluster;
    const auto take = [&](Eigen::Index k) {
      seen[static_cast<std::size_t>(k)] = true;
      cluster.push_back(k);
    };
    if (!seen[static_cast<std::size_t>(first)]) take(first);
    std::complex<double> sum = 0.0;
    for (std::size_t at = 0; at < cluster.size(); ++at) {
      const Eigen::Index k = cluster[at];
      sum += values(k);
      for (Eigen::Index j = first + 1; j < n; ++j)
        if (!seen[static_cast<std::size_t>(j)] && std::abs(values(j) - values(k)) <= errors(j) + errors(k))
          take(j);
    }
    if (cluster.size() < 2) continue;
    sum /= static_cast<double>(cluster.size());
    if (std::abs(sum.imag()) <= errors(first)) sum = sum.real();  // conjugates are in it as well
    for (const Eigen::Index k : cluster) values(k) = sum;
  }
}

Eigen::MatrixXcd inverse_of(const Eigen::MatrixXcd& A) {
  return A.partialPivLu().solve(Eigen::MatrixXcd::Identity(A.rows(), A.cols()).eval());
}

// How far each eigenvalue may be off, by its condition |left| |right| / |left . right|; and in its place the quotient
// left . A right / left . right, whose error is of second order: roundoff of the method of eigenvalues is that of the largest
// entries, and of the quotient that of the entries which the vectors meet.
void improve(const Eigen::MatrixXd& A, const Eigen::MatrixXcd& left, Spectrum& found) {
  const double exact = 64.0 * std::numeric_limits<double>::epsilon() * A.norm();
  const double most = 1e-4 * A.norm();      // Jordan blocks of three are off by 1e-5; more is no roundoff
  constexpr double well_conditioned = 1e7;  // Jordan blocks are worse, and their mean is exact
  constexpr double gain = 1e-2;             // of the quotient, beside what its vectors lose
  const Eigen::MatrixXcd images = A * found.vectors;
  const Eigen::MatrixXd sizes = A.cwiseAbs() * found.vectors.cwiseAbs();
  found.errors.resize(found.values.size());
  for (Eigen::Index k = 0; k < found.errors.size(); ++k) {
    const std::complex<double> product = left.col(k).cwiseProduct(found.vectors.col(k)).sum();
    const double condition = left.col(k).norm() * found.vectors.col(k).norm() / std::abs(product);
    found.errors(k) = exact * condition < most ? exact * condition : most;
    const double terms = left.col(k).cwiseAbs().dot(sizes.col(k)) / std::abs(product);
    if (!(condition < well_conditioned) || !(terms < gain * condition * A.norm())) continue;
    const std::complex<double> quotient = left.col(k).cwiseProduct(images.col(k)).sum() / product;
    if (found.values(k).imag() == 0.0)
      found.values(k) = quotient.real();
    else if (found.values(k).imag() * quotient.imag() > 0.0)  // of a pair each remains on its side
      found.values(k) = quotient;
  }
}

}  // namespace

Spectrum spectrum_beside(const std::vector<double>& points, const Eigen::MatrixXd& A, double part) {
  Spectrum found;
  const Eigen::Index d = A.cols();
  Eigen::MatrixXd W = Eigen::MatrixXd::Identity(d, d);
  Eigen::Index out = 0;
  for (const double point : points) {
    const Eigen::Index before = out;
    while (out < d) {
      Eigen::MatrixXd kernel, rest;
      const Eigen::MatrixXd U = W.rightCols(d - out);
      Eigen::MatrixXd beside = U.transpose() * A * U;
      beside.diagonal().array() -= point;
      split_kernel(beside, part, kernel, rest);
      if (kernel.cols() == 0) break;
      W.middleCols(out, kernel.cols()) = U * kernel;
      W.rightCols(rest.cols()) = U * rest;
      if (out == 0) found.kernel = W.leftCols(kernel.cols());
      out += kernel.cols();
    }
    found.known.push_back(out - before);
  }
  const Eigen::Index rest = d - out;
  if (rest == 0) return found;
  const Eigen::MatrixXd T = W.transpose() * A * W;
  const Eigen::EigenSolver<Eigen::MatrixXd> solver(T.bottomRightCorner(rest, rest));
  found.found = solver.info() == Eigen::Success;
  if (!found.found) return found;
  found.values = solver.eigenvalues();
  const Eigen::MatrixXcd vectors = solver.eigenvectors();
  Eigen::MatrixXcd z(d, rest);
  z.bottomRows(rest) = vectors;
  if (out > 0)
    for (Eigen::Index k = 0; k < rest; ++k) {
      Eigen::MatrixXcd shifted = -T.topLeftCorner(out, out).cast<std::complex<double>>();
      shifted.diagonal().array() += solver.eigenvalues()(k);
      z.col(k).head(out) =
          shifted.partialPivLu().solve((T.topRightCorner(out, rest) * vectors.col(k)).eval());
    }
  found.vectors = W * z;
  improve(A, W.rightCols(rest) * inverse_of(vectors).transpose(), found);
  take_means(found.values, found.errors);
  return found;
}

}  // namespace catena::detail
