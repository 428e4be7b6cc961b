#include <catena/math/detail/index.hpp>
#include <catena/measure/detail/joint_stiffness.hpp>
#include <catena/measure/detail/shared_multipliers.hpp>
#include <catena/system/detail/evaluations.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace catena::detail {
namespace {

// D relative to the largest scale of a row. Directions that yield 1e-6 of the stiffest ones, those of chains of a thousand
// links, lose a factor of 100 a solve, and roundoff leaves 1e-8 of open parts, which refinement removes.
constexpr double compliance = 1e-8;
// Of the right-hand side, where the repetition ends, and how often at most.
constexpr double accuracy = 1e-13;
constexpr int most_solves = 20;

}  // namespace

SharedMultipliers::SharedMultipliers(const BodySystem& system, const ReactionRule& rule)
    : system_(system.model()), meter_(system_), stiffness_(joint_stiffness(system, rule)) {
  const SystemLayout& layout = system_.layout();
  const BlockPattern& p = *layout.pattern;
  KktOptions options;
  options.proximal = 0.0;
  kkt_.attach(system_, options);
  int entries = 0;
  for (const int rows : p.dual_size) {
    first_factor_.push_back(entries);
    entries += rows * rows;
    most_rows_ = std::max(most_rows_, rows);
  }
  factor_.resize(index(entries));
  q_.assign(index(layout.q_size), 0.0);
  unit_.resize(index(layout.lambda_size()));
  lambda_.resize(unit_.size());
  x_.resize(index(p.dimension()));
  residual_.resize(index(layout.v_size()));
  wrench_.assign(index(most_rows_), std::vector<double>(6 * meter_.sides().size()));
}

const double* SharedMultipliers::operator()(double t, const double* q, const double* lambda,
                                            const double* discrete) {
  std::copy(lambda, lambda + lambda_.size(), lambda_.begin());
  const double sum = std::accumulate(lambda_.begin(), lambda_.end(), 0.0);
  if (lambda_.empty() || !std::isfinite(sum)) return lambda_.data();
  std::copy(q, q + 7 * system_.freedoms().blocks(), q_.begin());
  Point at;
  at.t = t;
  at.q = q_.data();
  at.discrete = discrete;
  evaluate_reaction(system_, at, lambda, residual_.data());
  measure_rows(t, discrete);
  factorise(at);

  const auto n = static_cast<std::ptrdiff_t>(residual_.size());
  std::fill(lambda_.begin(), lambda_.end(), 0.0);
  const double first = size_of_residual();
  for (int k = 0; k < most_solves; ++k) {
    std::copy(residual_.begin(), residual_.end(), x_.begin());
    std::fill(x_.begin() + n, x_.end(), 0.0);
    kkt_.solve_refined(x_.data());
    for (std::size_t r = 0; r < lambda_.size(); ++r) lambda_[r] += x_[residual_.size() + r];
    leave_rest();
    if (!(size_of_residual() > accuracy * first)) break;
  }
  // lambda = L^-T y
  const BlockPattern& p = *system_.layout().pattern;
  for (int d = 0; d < p.dual_count(); ++d) {
    const int rows = p.dual_size[index(d)];
    const double* L = &factor_[index(first_factor_[index(d)])];
    double* y = &lambda_[index(p.dual_offset[index(d)] - p.primal_dimension)];
    for (int i = rows - 1; i >= 0; --i) {
      for (int j = i + 1; j < rows; ++j) y[i] -= L[j * rows + i] * y[j];
      y[i] /= L[i * rows + i];
    }
  }
  return lambda_.data();
}

// What each row does to the bodies, one row of every constraint at a time.
void SharedMultipliers::measure_rows(double t, const double* discrete) {
  const BlockPattern& p = *system_.layout().pattern;
  for (int k = 0; k < most_rows_; ++k) {
    std::fill(unit_.begin(), unit_.end(), 0.0);
    for (int d = 0; d < p.dual_count(); ++d)
      if (k < p.dual_size[index(d)]) unit_[index(p.dual_offset[index(d)] - p.primal_dimension + k)] = 1.0;
    meter_(t, q_.data(), unit_.data(), discrete, wrench_[index(k)].data());
  }
}

// L of every constraint, and the matrix of L^-1 G.
void SharedMultipliers::factorise(const Point& at) {
  const SystemLayout& layout = system_.layout();
  const BlockPattern& p = *layout.pattern;
  BlockMatrix& matrix = kkt_.matrix();
  matrix.set_zero();
  Linearization lin;
  lin.matrix = &matrix;
  lin.rows_only = true;
  Evaluation wanted;
  wanted.linearization = &lin;
  system_.evaluate(at, wanted);
  for (int b = 0; b < p.primal_count(); ++b) {
    const BlockRef H = matrix.H(b);
    for (int i = 0; i < H.rows; ++i) {
      const double size = layout.scale[index(p.primal_offset[index(b)] + i)];
      H(i, i) = 1.0 / (size * size);
    }
  }
  std::size_t side = 0;
  for (int d = 0; d < p.dual_count(); ++d) weigh_constraint(d, side);
  for (std::size_t k = 0; k < p.incidences.size(); ++k) {
    const int d = p.incidences[k].dual;
    const double* L = &factor_[index(first_factor_[index(d)])];
    const BlockRef C = matrix.C(static_cast<int>(k));
    for (int i = 0; i < C.rows; ++i)
      for (int c = 0; c < C.cols; ++c) {
        for (int j = 0; j < i; ++j) C(i, c) -= L[i * C.rows + j] * C(j, c);
        C(i, c) /= L[i * C.rows + i];
      }
  }
  kkt_.set_compliance(1.0);
  double largest = 0.0;
  for (int d = 0; d < p.dual_count(); ++d)
    largest = std::max(largest, *std::max_element(matrix.D(d), matrix.D(d) + p.dual_size[index(d)]));
  for (int d = 0; d < p.dual_count(); ++d)
    if (!p.is_norm(d))
      std::fill_n(matrix.D(d), p.dual_size[index(d)], compliance * (largest > 0.0 ? largest : 1.0));
  kkt_.factorize();
}

// Cholesky's factor of what the rule makes of the rows of one constraint. side: its first one in, the next constraint's out.
void SharedMultipliers::weigh_constraint(int dual, std::size_t& side) {
  const int rows = system_.layout().pattern->dual_size[index(dual)];
  double* const L = &factor_[index(first_factor_[index(dual)])];
  std::fill_n(L, rows * rows, 0.0);
  const JointStiffness& s = stiffness_[index(dual)];
  for (; side < meter_.sides().size() && meter_.sides()[side].constraint == dual; ++side)
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j <= i; ++j)
        for (std::size_t c = 6 * side; c < 6 * side + 6; ++c)
          L[i * rows + j] += wrench_[index(i)][c] * wrench_[index(j)][c] / (c % 6 < 3 ? s.force : s.torque);
  for (int i = 0; i < rows; ++i) {
    const double whole = L[i * rows + i];
    for (int j = 0; j <= i; ++j) {
      double value = L[i * rows + j];
      for (int k = 0; k < j; ++k) value -= L[i * rows + k] * L[j * rows + k];
      // Rows that do nothing, or what other rows of the constraint do already.
      constexpr double least = 1e-12;
      if (j < i)
        L[i * rows + j] = value / L[j * rows + j];
      else
        L[i * rows + i] = whole > 0.0 ? std::sqrt(std::max(value, least * whole)) : 1.0;
    }
  }
}

// What the last solve leaves of the right-hand side: H x.
void SharedMultipliers::leave_rest() {
  const std::vector<double>& size = system_.layout().scale;
  for (std::size_t k = 0; k < residual_.size(); ++k) residual_[k] = x_[k] / (size[k] * size[k]);
}

// As work along the bodies' sizes.
double SharedMultipliers::size_of_residual() const {
  const std::vector<double>& size = system_.layout().scale;
  double largest = 0.0;
  for (std::size_t k = 0; k < residual_.size(); ++k)
    largest = std::max(largest, std::abs(residual_[k]) * size[k]);
  return largest;
}

}  // namespace catena::detail
