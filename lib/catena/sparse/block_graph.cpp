#include <catena/math/detail/index.hpp>
#include <catena/sparse/detail/block_graph.hpp>

#include <algorithm>
#include <utility>

namespace catena::detail {

BlockGraph block_graph(const BlockPattern& pattern) {
  BlockGraph g;
  g.size = pattern.primal_size;
  g.size.insert(g.size.end(), pattern.dual_size.begin(), pattern.dual_size.end());
  const int first_dual = pattern.primal_count();
  std::vector<std::pair<int, int>> edges;
  edges.reserve(2 * (pattern.incidences.size() + pattern.couplings.size()));
  for (const auto& c : pattern.incidences) {
    edges.emplace_back(first_dual + c.dual, c.primal);
    edges.emplace_back(c.primal, first_dual + c.dual);
  }
  for (const auto& c : pattern.couplings) {
    edges.emplace_back(c.i, c.j);
    edges.emplace_back(c.j, c.i);
  }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  g.begin.assign(g.size.size() + 1, 0);
  g.neighbour.reserve(edges.size());
  for (const auto& [v, w] : edges) {
    ++g.begin[index(v) + 1];
    g.neighbour.push_back(w);
  }
  for (std::size_t v = 0; v < g.size.size(); ++v) g.begin[v + 1] += g.begin[v];
  return g;
}

ReducedGraph eliminate_independent(const BlockGraph& graph, const std::vector<char>& gone) {
  ReducedGraph r;
  std::vector<int> number(index(graph.count()), -1), mark(index(graph.count()), -1);
  for (int v = 0; v < graph.count(); ++v) {
    if (gone[index(v)]) continue;
    number[index(v)] = static_cast<int>(r.node.size());
    r.node.push_back(v);
    r.graph.size.push_back(graph.size[index(v)]);
  }
  for (const int v : r.node) {
    mark[index(v)] = v;
    const std::size_t first = r.graph.neighbour.size();
    auto visit = [&](int w) {
      if (mark[index(w)] == v) return;
      mark[index(w)] = v;
      r.graph.neighbour.push_back(number[index(w)]);
    };
    for (int e = graph.begin[index(v)]; e < graph.begin[index(v) + 1]; ++e) {
      const int w = graph.neighbour[index(e)];
      if (!gone[index(w)]) {
        visit(w);
        continue;
      }
      for (int f = graph.begin[index(w)]; f < graph.begin[index(w) + 1]; ++f)
        visit(graph.neighbour[index(f)]);
    }
    std::sort(r.graph.neighbour.begin() + static_cast<std::ptrdiff_t>(first), r.graph.neighbour.end());
    r.graph.begin.push_back(static_cast<int>(r.graph.neighbour.size()));
  }
  return r;
}

}  // namespace catena::detail
