#include <catena/math/detail/index.hpp>
#include <catena/sparse/detail/csc_map.hpp>
#include <catena/sparse/detail/ordering.hpp>

#include <camd.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace catena::detail {
namespace {

// A hub has so many joints that eliminating it before them would couple all of them with each other. Bodies of chains,
// trees and grids have at most six joints; a body with more than twice as many is a hub.
std::vector<char> find_hubs(const BlockPattern& p) {
  constexpr int many = 12;
  std::vector<int> degree(index(p.primal_count()), 0);
  for (const auto& c : p.incidences) ++degree[index(c.primal)];
  std::vector<char> hub(index(p.primal_count()), 0);
  for (int b = 0; b < p.primal_count(); ++b) hub[index(b)] = degree[index(b)] > many;
  if (std::find(hub.begin(), hub.end(), 1) == hub.end()) return hub;
  // Each joint of a hub needs a body of its own that comes before it, or its pivot may vanish.
  const std::vector<int> support = supports(p, block_graph(p), hub);
  for (const auto& c : p.incidences)
    if (support[index(c.dual)] < 0) hub[index(c.primal)] = 0;
  return hub;
}

}  // namespace

BlockOrder bodies_first_order(const BlockPattern& p) {
  const CscMap map(p);
  const int n = p.dimension(), primal = p.primal_count();
  const std::vector<char> hub = find_hubs(p);
  std::vector<int> stage(index(n)), block(index(n)), permutation(index(n) + 1);
  auto assign = [&](int first, int size, int b, int s) {
    for (int i = 0; i < size; ++i) {
      stage[index(first + i)] = s;
      block[index(first + i)] = b;
    }
  };
  for (int b = 0; b < primal; ++b)
    assign(p.primal_offset[index(b)], p.primal_size[index(b)], b, hub[index(b)] ? 2 : 0);
  for (int d = 0; d < p.dual_count(); ++d)
    assign(p.dual_offset[index(d)], p.dual_size[index(d)], primal + d, 1);
  // CAMD wants stages without gaps.
  std::vector<int> used(3, 0);
  for (const int s : stage) used[index(s)] = 1;
  for (int& s : stage) s = std::max(0, std::accumulate(used.begin(), used.begin() + s + 1, 0) - 1);

  double control[CAMD_CONTROL], info[CAMD_INFO];
  camd_defaults(control);
  // The rows of a hub's joints are dense at times; CAMD would postpone dense rows: keep them in the ordering.
  control[CAMD_DENSE] = -1.0;
  const int status =
      camd_order(n, map.column().data(), map.row().data(), permutation.data(), control, info, stage.data());
  if (status != CAMD_OK && status != CAMD_OK_BUT_JUMBLED)
    throw std::runtime_error("CAMD could not order the pattern");

  // All unknowns of a block have the same neighbours, so a block takes the place of its first unknown.
  BlockOrder order;
  std::vector<char> taken(index(primal + p.dual_count()), 0);
  for (int k = 0; k < n; ++k) {
    const int b = block[index(permutation[index(k)])];
    if (taken[index(b)]) continue;
    taken[index(b)] = 1;
    order.push_back(b);
  }
  return order;
}

}  // namespace catena::detail
