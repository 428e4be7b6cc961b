#include <catena/linear/detail/row_pivots.hpp>
#include <catena/math/detail/index.hpp>
#include <catena/system/detail/evaluations.hpp>

#include <Eigen/Eigenvalues>
#include <Eigen/SparseCholesky>

#include <algorithm>
#include <cmath>

namespace catena::detail {
namespace {

using Sparse = Eigen::SparseMatrix<double, Eigen::ColMajor, int>;
constexpr double proximal = 1e-12;

// The diagonal of (L D L^T)^-1 by the entries of the inverse in the places of L alone: K. Takahashi, J. Fagan and M.-S. Chin,
// 8th PICA Conference, 1973. From the last column to the first, Z_ij = [i = j] / d_j - sum_k>j Z_ik L_kj.
Eigen::VectorXd diagonal_of_inverse(const Sparse& L, const Eigen::VectorXd& d) {
  const int n = static_cast<int>(d.size());
  const int *start = L.outerIndexPtr(), *row = L.innerIndexPtr();
  const double* l = L.valuePtr();
  std::vector<double> z(index(start[n]), 0.0);  // Z at the places of L
  Eigen::VectorXd diagonal(n);
  const auto entry = [&](int i, int k) {
    if (i == k) return diagonal[i];
    if (i < k) std::swap(i, k);
    const int* const at = std::lower_bound(row + start[k], row + start[k + 1], i);
    return at != row + start[k + 1] && *at == i ? z[index(static_cast<int>(at - row))] : 0.0;
  };
  for (int j = n - 1; j >= 0; --j) {
    for (int a = start[j]; a < start[j + 1]; ++a) {
      double sum = 0.0;
      for (int b = start[j]; b < start[j + 1]; ++b) sum -= entry(row[a], row[b]) * l[b];
      z[index(a)] = sum;
    }
    diagonal[j] = 1.0 / d[j];
    for (int a = start[j]; a < start[j + 1]; ++a) diagonal[j] -= z[index(a)] * l[a];
  }
  return diagonal;
}

}  // namespace

struct RowPivots::Factor {
  // The mass matrix of a body, and F with M^-1 = F F^T; zero along what has no mass: the turns of a point, the length of a unit
  // quaternion.
  struct Mass {
    Eigen::MatrixXd M, F;

    void take(const ConstBlockRef& H) {
      Eigen::MatrixXd now(H.rows, H.cols);
      for (int i = 0; i < H.rows; ++i)
        for (int j = 0; j < H.cols; ++j) now(i, j) = 0.5 * (H(i, j) + H(j, i));
      if (M.size() == now.size() && M == now) return;  // that of a rigid body stays
      M = now;
      const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(M);
      Eigen::VectorXd part = eigen.eigenvalues();
      const double none = 1e-14 * part.cwiseAbs().maxCoeff();
      for (double& x : part) x = x > none ? 1.0 / std::sqrt(x) : 0.0;
      F = eigen.eigenvectors() * part.asDiagonal();
    }
  };

  explicit Factor(const System& of) : system(of), matrix(of.layout().pattern, Border::transposed) {
    const BlockPattern& p = matrix.pattern();
    std::vector<double> rows(index(p.primal_count()), 0.0);
    for (const auto& [dual, primal] : p.incidences) rows[index(primal)] += p.dual_size[index(dual)];
    for (const double r : rows) operations += r * r;
  }

  // G M^-1/2, scaled to rows of length 1: the sizes are those of the bodies and the units do not matter.
  Sparse scaled_rows(const State& state) {
    const BlockPattern& p = matrix.pattern();
    matrix.set_zero();
    evaluate_mass_and_rows(system, point_of(state), matrix);
    const BlockMatrix& m = matrix;
    masses.resize(index(p.primal_count()));
    for (int b = 0; b < p.primal_count(); ++b) masses[index(b)].take(m.H(b));
    std::vector<Eigen::Triplet<double>> entries;
    std::vector<double> square(index(p.dual_dimension), 0.0), largest(square);
    for (std::size_t k = 0; k < p.incidences.size(); ++k) {
      const auto [dual, primal] = p.incidences[k];
      const ConstBlockRef C = m.C(static_cast<int>(k));
      Eigen::MatrixXd block(C.rows, C.cols);
      for (int i = 0; i < C.rows; ++i)
        for (int j = 0; j < C.cols; ++j) block(i, j) = C(i, j);
      const Eigen::VectorXd bound = block.rowwise().squaredNorm() * masses[index(primal)].F.squaredNorm();
      block *= masses[index(primal)].F;
      const int first = p.dual_offset[index(dual)] - p.primal_dimension;
      for (int i = 0; i < C.rows; ++i) largest[index(first + i)] += bound[i];
      for (int i = 0; i < C.rows; ++i)
        for (int j = 0; j < C.cols; ++j) {
          entries.emplace_back(first + i, p.primal_offset[index(primal)] + j, block(i, j));
          square[index(first + i)] += block(i, j) * block(i, j);
        }
    }
    // Of rows along what has no mass, as the norm of a quaternion, nothing but roundoff is left.
    constexpr double roundoff = 1e-20;
    for (Eigen::Triplet<double>& e : entries) {
      const double s = square[index(e.row())];
      e = {e.row(), e.col(), s > roundoff * largest[index(e.row())] ? e.value() / std::sqrt(s) : 0.0};
    }
    Sparse W(p.dual_dimension, p.primal_dimension);
    W.setFromTriplets(entries.begin(), entries.end());
    return W;
  }

  const System& system;
  BlockMatrix matrix;
  std::vector<Mass> masses;
  Eigen::SimplicialLDLT<Sparse, Eigen::Lower, Eigen::AMDOrdering<int>> ldlt;
  bool analysed = false;
  double operations = 0.0;  // a lower bound before the first factorisation: the entries of S
};

RowPivots::RowPivots(const System& system) : factor_(std::make_unique<Factor>(system)) {}
RowPivots::~RowPivots() = default;

std::vector<double> RowPivots::operator()(const State& state, double most_operations) {
  Factor& f = *factor_;
  const BlockPattern& p = f.matrix.pattern();
  if (p.dual_dimension == 0 || f.operations > most_operations) return {};
  const Sparse W = f.scaled_rows(state);
  Sparse S = W * Sparse(W.transpose());
  for (int i = 0; i < S.rows(); ++i) S.coeffRef(i, i) += S.coeff(i, i) > 0.0 ? proximal : 1.0;
  if (!f.analysed) {
    f.ldlt.analyzePattern(S);
    f.analysed = true;
  }
  f.ldlt.factorize(S);
  if (f.ldlt.info() != Eigen::Success) return {};
  const Sparse& L = f.ldlt.matrixL().nestedExpression();
  f.operations = 0.0;
  for (int j = 0; j < L.cols(); ++j) {
    const double below = L.outerIndexPtr()[j + 1] - L.outerIndexPtr()[j];
    f.operations += below * below;
  }
  if (f.operations > most_operations) return {};
  const Eigen::VectorXd inverse = diagonal_of_inverse(L, f.ldlt.vectorD());
  std::vector<double> pivots(index(p.dual_count()), 1.0);
  for (int d = 0; d < p.dual_count(); ++d)
    for (int i = 0; i < p.dual_size[index(d)]; ++i) {
      const int at = f.ldlt.permutationP().indices()(p.dual_offset[index(d)] - p.primal_dimension + i);
      if (!std::isfinite(inverse[at])) return {};
      // Roundoff makes the inverse of a redundant row negative or small.
      const double pivot = inverse[at] > 0.0 ? std::clamp(1.0 / inverse[at], proximal, 1.0) : proximal;
      pivots[index(d)] = std::min(pivots[index(d)], pivot);
    }
  return pivots;
}

}  // namespace catena::detail
