#include <catena/math/detail/index.hpp>
#include <catena/sparse/detail/dissection.hpp>
#include <catena/sparse/detail/ordering.hpp>

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace catena::detail {

std::vector<int> supports(const BlockPattern& pattern, const BlockGraph& graph,
                          const std::vector<char>& hub) {
  const int primal = pattern.primal_count(), dual = pattern.dual_count();
  std::vector<int> support(index(dual), -1), open(index(primal), 0), queue;
  auto each_dual = [&](int p, auto&& f) {
    for (int e = graph.begin[index(p)]; e < graph.begin[index(p) + 1]; ++e)
      if (graph.neighbour[index(e)] >= primal) f(graph.neighbour[index(e)] - primal);
  };
  auto each_primal = [&](int d, auto&& f) {
    for (int e = graph.begin[index(primal + d)]; e < graph.begin[index(primal + d) + 1]; ++e)
      f(graph.neighbour[index(e)]);
  };
  for (int p = 0; p < primal; ++p) {
    if (hub[index(p)]) continue;
    each_dual(p, [&](int) { ++open[index(p)]; });
    if (open[index(p)] == 1) queue.push_back(p);
  }
  while (!queue.empty()) {
    const int p = queue.back();
    queue.pop_back();
    if (open[index(p)] != 1) continue;
    int last = -1;
    each_dual(p, [&](int d) {
      if (support[index(d)] < 0) last = d;
    });
    if (pattern.dual_size[index(last)] > pattern.primal_size[index(p)]) continue;
    support[index(last)] = p;
    each_primal(last, [&](int q) {
      if (--open[index(q)] == 1) queue.push_back(q);
    });
  }
  return support;
}

namespace {

// Primal blocks eliminated first of all: no hubs, no two of them coupled.
std::vector<char> leaf_blocks(const BlockPattern& pattern, const BlockGraph& graph,
                              const std::vector<char>& hub, bool coupled_too) {
  const int primal = pattern.primal_count();
  std::vector<char> leaf(index(graph.count()), 0);
  for (int p = 0; p < primal; ++p) {
    if (hub[index(p)]) continue;
    bool free = true;
    for (int e = graph.begin[index(p)]; e < graph.begin[index(p) + 1] && free; ++e) {
      const int w = graph.neighbour[index(e)];
      if (w < primal) free = coupled_too && !leaf[index(w)];
    }
    leaf[index(p)] = free;
  }
  return leaf;
}

}  // namespace

std::vector<int> make_safe(const BlockPattern& pattern, const BlockGraph& graph,
                           const std::vector<int>& order, const std::vector<char>& hub) {
  const int primal = pattern.primal_count();
  const std::vector<int> support = supports(pattern, graph, hub);
  std::vector<char> placed(index(graph.count()), 0), waiting(index(graph.count()), 0);
  std::vector<int> safe;
  safe.reserve(order.size());
  auto eligible = [&](int v) {
    const bool supported = support[index(v - primal)] >= 0;
    for (int e = graph.begin[index(v)]; e < graph.begin[index(v) + 1]; ++e) {
      const int p = graph.neighbour[index(e)];
      if (!placed[index(p)] && !(supported && hub[index(p)])) return false;
    }
    return true;
  };
  auto place = [&](int v) {
    placed[index(v)] = 1;
    safe.push_back(v);
  };
  for (const int v : order) {
    if (v >= primal) {
      if (eligible(v))
        place(v);
      else
        waiting[index(v)] = 1;
      continue;
    }
    place(v);
    for (int e = graph.begin[index(v)]; e < graph.begin[index(v) + 1]; ++e) {
      const int w = graph.neighbour[index(e)];
      if (!waiting[index(w)] || !eligible(w)) continue;
      waiting[index(w)] = 0;
      place(w);
    }
  }
  return safe;
}

Ordering choose_ordering(const BlockPattern& pattern) {
  const BlockGraph graph = block_graph(pattern);
  const int primal = pattern.primal_count();
  Ordering best;
  double best_score = std::numeric_limits<double>::infinity(), limit = best_score;
  auto consider = [&](const std::string& name, const std::vector<int>& order, const std::vector<char>& hub,
                      double weight) {
    Ordering candidate;
    candidate.name = name;
    candidate.order = make_safe(pattern, graph, order, hub);
    if (!build_fronts(graph, candidate.order, limit, candidate.fronts)) return;
    limit = std::min(limit, 8 * candidate.fronts.flops + 1e6);
    if (weight * candidate.fronts.cost >= best_score) return;
    best_score = weight * candidate.fronts.cost;
    best = std::move(candidate);
  };

  // Where bodies branch, those at the ends may wait for their neighbours instead of all going first.
  consider("CAMD of all blocks", minimum_degree(graph), std::vector<char>(index(primal), 0), 1.0);
  std::vector<std::vector<char>> tried;
  for (const int threshold : {4, 8, 24}) {
    std::vector<char> hub(index(primal), 0);
    for (int p = 0; p < primal; ++p) hub[index(p)] = graph.degree(p) > threshold;
    for (const bool coupled_too : {false, true}) {
      const std::vector<char> leaf = leaf_blocks(pattern, graph, hub, coupled_too);
      if (std::find(tried.begin(), tried.end(), leaf) != tried.end()) continue;
      tried.push_back(leaf);
      const ReducedGraph reduced = eliminate_independent(graph, leaf);
      const std::string suffix = ", hubs above " + std::to_string(threshold);
      auto with_leaves_first = [&](const std::vector<int>& order) {
        std::vector<int> whole;
        whole.reserve(index(graph.count()));
        for (int p = 0; p < primal; ++p)
          if (leaf[index(p)]) whole.push_back(p);
        for (const int k : order) whole.push_back(reduced.node[index(k)]);
        return whole;
      };
      const int left = reduced.graph.count();
      for (const int piece : {1, 4, 16, 64, 256})
        if (piece == 1 || piece < left)
          consider("dissection down to " + std::to_string(piece) + suffix,
                   with_leaves_first(nested_dissection(reduced.graph, piece)), hub, 0.9);
      consider("CAMD" + suffix, with_leaves_first(minimum_degree(reduced.graph)), hub, 1.0);
      if (coupled_too || pattern.couplings.empty()) {
        std::vector<int> natural(index(left));
        std::iota(natural.begin(), natural.end(), 0);
        consider("natural" + suffix, with_leaves_first(natural), hub, 1.0);
      }
      if (static_cast<int>(reduced.node.size()) > pattern.dual_count()) {  // blocks left: before their rows
        std::vector<int> constraint(index(left));
        for (int k = 0; k < left; ++k) {
          const int v = reduced.node[index(k)];
          constraint[index(k)] = v < primal ? (hub[index(v)] ? 2 : 0) : 1;
        }
        std::vector<char> used(3, 0);
        for (const int c : constraint) used[index(c)] = 1;
        for (int& c : constraint) c = c == 0 ? 0 : c == 1 ? used[0] : used[0] + used[1];
        consider("CAMD in classes" + suffix, with_leaves_first(minimum_degree(reduced.graph, constraint)),
                 hub, 1.0);
      }
    }
    if (std::find(hub.begin(), hub.end(), 1) == hub.end()) break;
  }
  return best;
}

}  // namespace catena::detail
