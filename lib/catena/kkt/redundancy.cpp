#include <catena/kkt/detail/condition.hpp>
#include <catena/kkt/detail/factored_rows.hpp>
#include <catena/kkt/detail/peeled_rows.hpp>
#include <catena/math/detail/printed.hpp>
#include <catena/system/detail/evaluations.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace catena::detail {
namespace {

// Of an open chain or tree: a tenth of the search by factorisation, whose symbolic analysis costs most.
bool independent_by_structure(const System& system, const Point& at) {
  const SystemLayout& layout = system.layout();
  BlockMatrix matrix(layout.pattern, Border::transposed);
  Linearization lin;
  lin.matrix = &matrix;
  lin.rows_only = true;
  Evaluation wanted;
  wanted.linearization = &lin;
  system.evaluate(at, wanted);
  return rows_peel_off(matrix, layout.scale);
}

// The rank of the rows at state after a small motion that they allow; -1: not known. Rows that depend on each other at
// every configuration do so there up to the square of the motion, 1e-6 over the radii of the paths; those that do so at the
// state alone are as independent as the motion is long.
int rank_near(const System& system, const State& state, KktSolver& kkt, const RankOracle& rank_of_rows) {
  constexpr double length = 1e-3, between = 3e-5;
  std::vector<double> delta;
  if (!allowed_motion(system, kkt, nullptr, delta)) return -1;
  for (double& d : delta) d *= length;
  State moved = state;
  system.retract(state.q.data(), delta.data(), moved.q.data());
  BlockMatrix matrix(system.layout().pattern, Border::transposed);
  matrix.set_zero();
  evaluate_mass_and_rows(system, point_of(moved), matrix);
  const RankReport there = rank_of_rows(matrix, {.tolerance = between});
  return there.computed ? there.rank : -1;
}

// Of the first `rank` singular values of the rows, scaled to length 1 in units of the bodies' sizes, the last one.
double smallest_singular_value(const BlockMatrix& matrix, const std::vector<double>& scale, int rank) {
  constexpr int largest = 240;
  const BlockPattern& p = matrix.pattern();
  const int n = p.primal_dimension, m = p.dual_dimension;
  if (rank == 0 || n > largest || m > largest) return 0.0;
  const bool tall = m >= n;
  DenseMatrix dense(tall ? m : n, tall ? n : m);
  const auto entry = [&](int row, int column) -> double& {
    return tall ? dense(row, column) : dense(column, row);
  };
  for (std::size_t k = 0; k < p.incidences.size(); ++k) {
    const auto [dual, primal] = p.incidences[k];
    const ConstBlockRef C = matrix.C(static_cast<int>(k));
    const int row = p.dual_offset[static_cast<std::size_t>(dual)] - n,
              column = p.primal_offset[static_cast<std::size_t>(primal)];
    for (int i = 0; i < C.rows; ++i)
      for (int j = 0; j < C.cols; ++j)
        entry(row + i, column + j) = C(i, j) * scale[static_cast<std::size_t>(column + j)];
  }
  for (int i = 0; i < m; ++i) {
    double square = 0.0;
    for (int j = 0; j < n; ++j) square += entry(i, j) * entry(i, j);
    if (square > 0.0)
      for (int j = 0; j < n; ++j) entry(i, j) /= std::sqrt(square);
  }
  return singular_values(dense)[static_cast<std::size_t>(rank) - 1];
}

}  // namespace

Redundancy find_redundancy(const System& system, const State& state, const RankOracle& rank_of_rows) {
  FactoredRows rows(system, state);
  return find_redundancy(rows, rank_of_rows);
}

Redundancy find_redundancy(FactoredRows& rows, const RankOracle& rank_of_rows) {
  const System& system = rows.system();
  const State& state = rows.state();
  Redundancy found;
  const SystemLayout& layout = system.layout();
  found.rows = found.rank = layout.lambda_size();
  if (found.rows == 0) return found;
  const Point at = point_of(state);
  if (independent_by_structure(system, at)) return found;
  KktSolver* const kkt = rows.solver();
  const KktReport& report = rows.report();
  if (kkt == nullptr || report.weakest_dual < 0) return found;
  const double proximal = KktOptions{}.proximal;
  found.suspected = report.weakest_dual_ratio < suspicious_ratio * proximal;
  if (!(report.weakest_dual_ratio < slender_ratio * proximal)) return found;
  found.weakest = {system.constraint_name(report.weakest_dual), "pivot relative to its scale",
                   report.weakest_dual_ratio};
  if (!rank_of_rows) return found;
  // Initial positions may miss by 1e-9 m (Model::check_initial_positions), more than that of a small body.
  constexpr double most_numbers = 1e7;  // of null vectors that are kept: 80 MB
  const int vectors = static_cast<int>(most_numbers / found.rows);
  RankReport proof = rank_of_rows(kkt->matrix(), {.tolerance = 1e-8, .vectors = vectors});
  if (!proof.computed) return found;
  if (proof.rows - proof.rank <= vectors) found.null_vectors = std::move(proof.null_vectors);
  found.rank_known = true;
  found.rank = proof.rank;
  for (const RowDependency& dependency : proof.dependencies) {
    Redundancy::Dependency& named = found.dependencies.emplace_back();
    named.rows = dependency.rows;
    for (const int dual : dependency.duals) named.constraints.push_back(system.constraint_name(dual));
  }
  const RankReport nearly = rank_of_rows(kkt->matrix(), {.tolerance = 1e-4});
  if (nearly.computed && nearly.rank < proof.rank) {
    found.nearly_dependent = proof.rank - nearly.rank;
    found.smallest_singular_value = smallest_singular_value(kkt->matrix(), layout.scale, proof.rank);
    for (const RowDependency& dependency : nearly.dependencies)
      for (const int dual : dependency.duals) found.nearly_among.push_back(system.constraint_name(dual));
  }
  found.suspected = found.suspected || found.proven();
  if (found.proven())
    found.here_only = std::max(0, rank_near(system, state, *kkt, rank_of_rows) - found.rank);
  return found;
}

const Redundancy::Open* Redundancy::open_of(int constraint) const {
  const auto found = std::lower_bound(open.begin(), open.end(), constraint,
                                      [](const Open& one, int c) { return one.constraint < c; });
  return found == open.end() || found->constraint != constraint ? nullptr : &*found;
}

std::array<bool, 6> open_components(const Redundancy* redundancy, int constraint) {
  const Redundancy::Open* const found = redundancy == nullptr ? nullptr : redundancy->open_of(constraint);
  std::array<bool, 6> open{};
  for (std::size_t k = 0; found != nullptr && k < 3; ++k)
    open[k] = found->force[k], open[3 + k] = found->torque[k];
  return open;
}

std::string components(const Redundancy::Open& open) {
  std::string text;
  const auto add = [&](const char* what, const bool* axis) {
    bool first = true;
    for (int k = 0; k < 3; ++k) {
      if (!axis[k]) continue;
      text += text.empty() ? "" : ", ";
      text += first ? std::string(what) + " " : "";
      text += static_cast<char>('x' + k);
      first = false;
    }
  };
  add("force", open.force);
  add("torque", open.torque);
  return open.joint_axes ? text + " in the axes of the joint" : text;
}

std::string locking_text(const Redundancy& r) {
  std::string text = "nothing can move: " + std::to_string(r.nearly_dependent) +
                     (r.nearly_dependent == 1 ? " row that nearly depends" : " rows that nearly depend") +
                     " on the others of " + listed(r.nearly_among) + " locks the mechanism";
  if (r.smallest_singular_value > 0.0)
    text += printed(" (smallest singular value %.1e)", r.smallest_singular_value);
  return text + "; where it is meant to move, an axis or a point is off by about as much";
}

std::string dependent_constraints(const Redundancy& r) {
  std::string text;
  for (const Redundancy::Dependency& d : r.dependencies)
    text += (text.empty() ? "" : "; ") + std::to_string(d.rows) + " among " + listed(d.constraints);
  return text;
}

std::string to_text(const Redundancy& r) {
  if (!r.suspected) return {};
  if (!r.proven()) {
    const std::string text = "rows of " + r.weakest.name + " hardly differ from those of other constraints";
    return r.rank_known ? text + ", but are independent of them" : text;
  }
  const int redundant = r.rows - r.rank;
  if (r.here_only > 0)
    return std::to_string(r.here_only) + " of " + std::to_string(r.rows) + " constraint rows " +
           (r.here_only == 1 ? "depends" : "depend") +
           " on the others at this configuration, but not near it: the state is singular, and forces there "
           "depend on "
           "the method; " +
           std::to_string(redundant) + " dependent in all: " + dependent_constraints(r);
  return std::to_string(redundant) + " of " + std::to_string(r.rows) + " constraint rows " +
         (redundant == 1 ? "is" : "are") + " redundant: " + dependent_constraints(r);
}

}  // namespace catena::detail
