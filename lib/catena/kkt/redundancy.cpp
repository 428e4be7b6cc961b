#include <catena/kkt/detail/peeled_rows.hpp>
#include <catena/kkt/detail/redundancy.hpp>

#include <algorithm>

namespace catena::detail {
namespace {

// A message shows six names, which fit into two lines; the report as data has all of them.
std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t shown = 6;
  std::string text;
  for (std::size_t k = 0; k < std::min(shown, names.size()); ++k) text += (k == 0 ? "" : ", ") + names[k];
  if (names.size() > shown) text += " and " + std::to_string(names.size() - shown) + " more";
  return text;
}

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

}  // namespace

Redundancy find_redundancy(const System& system, const State& state, const RankOracle& rank_of_rows) {
  Redundancy found;
  const SystemLayout& layout = system.layout();
  found.rows = found.rank = layout.lambda_size();
  if (found.rows == 0) return found;
  const Point at = point_of(state);
  if (independent_by_structure(system, at)) return found;
  const KktOptions options;
  KktSolver kkt;
  if (!kkt.attach(system, options).empty()) return found;
  Linearization lin;
  lin.matrix = &kkt.matrix();
  lin.mass = 1.0;
  Evaluation wanted;
  wanted.linearization = &lin;
  system.evaluate(at, wanted);
  kkt.update_proximal();
  const KktReport report = kkt.factorize();
  if (report.status == Status::not_finite || report.weakest_dual < 0) return found;
  found.suspected = report.weakest_dual_ratio < suspicious_ratio * options.proximal;
  if (!found.suspected) return found;
  found.weakest = {system.constraint_name(report.weakest_dual), "pivot relative to its scale",
                   report.weakest_dual_ratio};
  if (!rank_of_rows) return found;
  const RankReport proof = rank_of_rows(kkt.matrix());
  if (!proof.computed) return found;
  found.rank_known = true;
  found.rank = proof.rank;
  for (const RowDependency& dependency : proof.dependencies) {
    Redundancy::Dependency& named = found.dependencies.emplace_back();
    named.rows = dependency.rows;
    for (const int dual : dependency.duals) named.constraints.push_back(system.constraint_name(dual));
  }
  return found;
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
  return std::to_string(redundant) + " of " + std::to_string(r.rows) + " constraint rows " +
         (redundant == 1 ? "is" : "are") + " redundant: " + dependent_constraints(r);
}

}  // namespace catena::detail
