// Elimination orders: complete, safe, cheap, and a function of the pattern alone.
#include <catena/sparse/detail/ordering.hpp>

#include "support/kkt_matrices.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

using namespace catena;
using namespace catena::detail;
using namespace catena::test;

TEST_CASE("every block once, the same order every time") {
  for (const KktProblem& p : all_kkt(40)) {
    const Ordering a = choose_ordering(*p.pattern), b = choose_ordering(*p.pattern);
    CHECK(a.order == b.order);
    std::vector<int> sorted = a.order;
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t k = 0; k < sorted.size(); ++k) CHECK(sorted[k] == static_cast<int>(k));
    CHECK(static_cast<int>(sorted.size()) == p.pattern->primal_count() + p.pattern->dual_count());
  }
}

TEST_CASE("rows come after their bodies, but for hubs") {
  for (const KktProblem& p : all_kkt(60)) {
    const Ordering o = choose_ordering(*p.pattern);
    const BlockGraph g = block_graph(*p.pattern);
    const int primal = p.pattern->primal_count();
    for (int d = 0; d < p.pattern->dual_count(); ++d) {
      const auto v = static_cast<std::size_t>(primal + d);
      bool some = false;
      for (int e = g.begin[v]; e < g.begin[v + 1]; ++e) {
        const int b = g.neighbour[static_cast<std::size_t>(e)];
        const bool earlier = o.fronts.position[static_cast<std::size_t>(b)] < o.fronts.position[v];
        some = some || earlier;
        CHECK((earlier || g.degree(b) > 4));
      }
      CHECK(some);
    }
  }
}

TEST_CASE("fronts hold every block once, children before parents") {
  for (const KktProblem& p : all_kkt(60)) {
    const Ordering o = choose_ordering(*p.pattern);
    CHECK(o.fronts.pivot.size() == o.order.size());
    for (std::size_t f = 0; f < o.fronts.front.size(); ++f) {
      const int parent = o.fronts.front[f].parent;
      CHECK((parent < 0 || parent > static_cast<int>(f)));
    }
  }
}

// Of the orders that are tried the cheapest is kept, but for the tenth that dissections may cost more.
TEST_CASE(
    "neither the order of the model, nor its reverse, nor a random one is cheaper than the one chosen") {
  for (const KktProblem& p : all_kkt(60)) {
    CAPTURE(p.name);
    const BlockGraph graph = block_graph(*p.pattern);
    const Fronts chosen = choose_ordering(*p.pattern).fronts;
    const auto primal = static_cast<std::size_t>(p.pattern->primal_count());
    std::vector<int> natural(static_cast<std::size_t>(graph.count()));
    std::iota(natural.begin(), natural.end(), 0);
    std::vector<int> reversed(natural);
    std::reverse(reversed.begin(), reversed.begin() + static_cast<std::ptrdiff_t>(primal));
    std::vector<int> shuffled(natural);
    Random random(4);
    for (std::size_t k = 1; k < primal; ++k)
      std::swap(shuffled[k], shuffled[static_cast<std::size_t>(random.below(static_cast<int>(k) + 1))]);
    for (const std::vector<int>& order : {natural, reversed, shuffled}) {
      Fronts other;
      REQUIRE(build_fronts(graph, make_safe(*p.pattern, graph, order, std::vector<char>(primal, 0)),
                           std::numeric_limits<double>::infinity(), other));
      CHECK(0.9 * chosen.cost <= other.cost * (1.0 + 1e-12));
    }
  }
}

// Measured shapes: about 1000 flops a body for any tree of ball joints, whatever the order of the bodies;
// a hub first would cost 9 Mflop on the star of 1000.
TEST_CASE("chains, trees and stars cost linear work") {
  for (const int n : {100, 1000})
    for (const KktProblem& p : {chain_kkt(n), tree_kkt(n), star_kkt(n)})
      CHECK(choose_ordering(*p.pattern).fronts.flops < 1100.0 * n);
}

TEST_CASE("a chain is cut into independent halves") {
  const KktProblem p = chain_kkt(1000);
  const Fronts fronts = choose_ordering(*p.pattern).fronts;
  std::vector<int> height(fronts.front.size(), 1);
  int highest = 0;
  for (std::size_t f = 0; f < fronts.front.size(); ++f) {
    highest = std::max(highest, height[f]);
    const int parent = fronts.front[f].parent;
    if (parent < 0) continue;
    int& h = height[static_cast<std::size_t>(parent)];
    h = std::max(h, height[f] + 1);
  }
  CHECK(highest <= 2 * 10 + 4);  // a sequence would be 1000 high; a tree of cuts about log2 of 1000
}
