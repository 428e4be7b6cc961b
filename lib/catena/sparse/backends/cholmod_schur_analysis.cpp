#include <catena/sparse/backends/detail/cholmod_schur_analysis.hpp>

#include <algorithm>
#include <utility>

namespace catena::detail::cholmod_detail {
namespace {

// Compressed triangle of S for an order of the dual blocks; adds the targets of every product.
void build_triangle(const BlockPattern& p, const std::vector<int>& order, bool lower, SchurAnalysis& a) {
  const std::size_t duals = order.size();
  std::vector<int> rank(duals), first(duals);
  int at = 0;
  a.place.assign(index(p.dual_dimension), 0);
  for (std::size_t k = 0; k < duals; ++k) {
    const std::size_t d = index(order[k]);
    rank[d] = static_cast<int>(k);
    first[d] = at;
    for (int i = 0; i < p.dual_size[d]; ++i) a.place[index(p.dual_offset[d] - p.primal_dimension + i)] = at++;
  }
  std::vector<std::vector<int>> neighbours(duals);  // row blocks of a column block, by rank
  for (std::size_t d = 0; d < duals; ++d) neighbours[d].push_back(rank[d]);
  auto dual_of = [&](int incidence) { return p.incidences[index(incidence)].dual; };
  auto in_triangle = [&](int r, int c) {
    return lower ? rank[index(r)] >= rank[index(c)] : rank[index(r)] <= rank[index(c)];
  };
  for (const SchurAnalysis::Body& body : a.bodies)
    for (const int x : body.incidences)
      for (const int y : body.incidences)
        if (x != y && in_triangle(dual_of(x), dual_of(y)))
          neighbours[index(dual_of(y))].push_back(rank[index(dual_of(x))]);
  std::vector<int> where(duals);  // of every column block in column_start
  a.column.assign(1, 0);
  a.row.clear();
  a.column_start.clear();
  a.diagonal.assign(index(p.dual_dimension), 0);
  for (std::size_t k = 0; k < duals; ++k) {
    const std::size_t d = index(order[k]);
    auto& list = neighbours[d];
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    const int size = p.dual_size[d];
    where[d] = static_cast<int>(a.column_start.size());
    a.column_start.resize(a.column_start.size() + list.size() * index(size));
    for (int j = 0; j < size; ++j) {
      for (std::size_t e = 0; e < list.size(); ++e) {
        const std::size_t r = index(order[index(list[e])]);
        const bool own = r == d;
        a.column_start[index(where[d]) + e * index(size) + index(j)] = static_cast<int>(a.row.size());
        if (own) a.diagonal[index(first[d] + j)] = static_cast<int>(a.row.size()) + (lower ? 0 : j);
        const int from = own && lower ? j : 0, to = own && !lower ? j + 1 : p.dual_size[r];
        for (int i = from; i < to; ++i) a.row.push_back(first[r] + i);
      }
      a.column.push_back(static_cast<int>(a.row.size()));
    }
  }
  for (SchurAnalysis::Body& body : a.bodies) {
    body.pairs.clear();
    for (std::size_t x = 0; x < body.incidences.size(); ++x)
      for (std::size_t y = 0; y < body.incidences.size(); ++y) {
        const int r = dual_of(body.incidences[x]), c = dual_of(body.incidences[y]);
        if (!in_triangle(r, c)) continue;
        const auto& list = neighbours[index(c)];
        const auto e = std::lower_bound(list.begin(), list.end(), rank[index(r)]) - list.begin();
        body.pairs.push_back({static_cast<int>(x), static_cast<int>(y),
                              where[index(c)] + static_cast<int>(e) * p.dual_size[index(c)]});
      }
  }
}

}  // namespace

std::string analyze_schur(std::shared_ptr<const BlockPattern> pattern, Border border,
                          const SolverOptions& options, SchurAnalysis& a) {
  if (options.factorization != Factorization::ldlt || border == Border::separate)
    return "cholmod_schur factorises symmetric matrices only (ldlt with B = C^T), and the stepper makes "
           "others";
  if (!pattern->couplings.empty()) return "cholmod_schur needs a block diagonal H, but bodies are coupled";
  if (pattern->dual_dimension == 0) return "cholmod_schur needs constraints";
  a.pattern = std::move(pattern);
  const BlockPattern& p = *a.pattern;
  a.bodies.resize(index(p.primal_count()));
  for (std::size_t k = 0; k < p.incidences.size(); ++k) {
    const auto& c = p.incidences[k];
    SchurAnalysis::Body& body = a.bodies[index(c.primal)];
    body.incidences.push_back(static_cast<int>(k));
    body.W.push_back(a.W_size);
    a.W_size += p.dual_size[index(c.dual)] * p.primal_size[index(c.primal)];
  }
  for (std::size_t b = 0; b < a.bodies.size(); ++b) {
    a.bodies[b].factor = a.factor_size;
    a.factor_size += p.primal_size[b] * p.primal_size[b];
  }
  // Order once with CHOLMOD's own choice of orderings, then keep S in that order, by blocks.
  std::vector<int> order(index(p.dual_count())), block_of;
  for (int d = 0; d < p.dual_count(); ++d) {
    order[index(d)] = d;
    block_of.insert(block_of.end(), index(p.dual_size[index(d)]), d);
  }
  build_triangle(p, order, false, a);
  cholmod_common& common = a.symbolic.common();
  cholmod_sparse view = cholmod_detail::view(a.column, a.row, nullptr, 1);
  view.xtype = CHOLMOD_PATTERN;
  a.symbolic.set_factor(cholmod_analyze(&view, &common));
  if (a.symbolic.factor() == nullptr) return "cholmod_analyze failed";
  const int* permutation = static_cast<const int*>(a.symbolic.factor()->Perm);
  order.clear();
  std::vector<char> taken(index(p.dual_count()), 0);
  for (int i = 0; i < p.dual_dimension; ++i) {
    const int d = block_of[index(permutation[i])];
    if (taken[index(d)]) continue;
    taken[index(d)] = 1;
    order.push_back(d);
  }
  a.lower = a.symbolic.factor()->is_super != 0;
  build_triangle(p, order, a.lower, a);
  common.nmethods = 1;
  common.method[0].ordering = CHOLMOD_NATURAL;
  common.postorder = 0;
  common.supernodal = a.lower ? CHOLMOD_SUPERNODAL : CHOLMOD_SIMPLICIAL;
  view = cholmod_detail::view(a.column, a.row, nullptr, a.lower ? -1 : 1);
  view.xtype = CHOLMOD_PATTERN;
  a.symbolic.set_factor(cholmod_analyze(&view, &common));
  if (a.symbolic.factor() == nullptr) return "cholmod_analyze failed";
  a.flops = common.fl;
  for (std::size_t b = 0; b < a.bodies.size(); ++b) {
    const double n = p.primal_size[b];
    a.flops += n * n * n / 3.0;
    for (const SchurAnalysis::Pair& pair : a.bodies[b].pairs) {
      const double r = a.rows(a.bodies[b], pair.a), c = a.rows(a.bodies[b], pair.b);
      a.flops += 2.0 * n * r * c + (pair.a == pair.b ? n * n * r : 0.0);
    }
  }
  return {};
}

}  // namespace catena::detail::cholmod_detail
