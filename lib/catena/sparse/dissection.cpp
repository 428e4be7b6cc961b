#include <catena/math/detail/index.hpp>
#include <catena/sparse/detail/dissection.hpp>

#include <camd.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>

namespace catena::detail {
namespace {

// Cuts sets of nodes of one graph. A node belongs to the set under work when part_[node] is the set's number.
class Dissector {
 public:
  Dissector(const BlockGraph& graph, int leaf)
      : graph_(graph), leaf_(leaf), part_(index(graph.count()), 0), level_(index(graph.count()), -1) {
    order_.reserve(index(graph.count()));
  }

  std::vector<int> run() {
    // An explicit stack: a set is either to be cut, or a separator that waits for its halves.
    std::vector<int> all(index(graph_.count()));
    std::iota(all.begin(), all.end(), 0);
    stack_.push_back({std::move(all), false});
    while (!stack_.empty()) {
      Work work = std::move(stack_.back());
      stack_.pop_back();
      if (work.is_separator || work.nodes.size() <= 1)
        order_.insert(order_.end(), work.nodes.begin(), work.nodes.end());
      else if (static_cast<int>(work.nodes.size()) <= leaf_)
        order_leaf(work.nodes);
      else
        cut(work.nodes);
    }
    return std::move(order_);
  }

 private:
  struct Work {
    std::vector<int> nodes;
    bool is_separator;
  };

  // Breadth-first search from `start` inside the current set; the nodes reached, level by level.
  void levels_from(int start) {
    for (const int v : reached_) level_[index(v)] = -1;
    reached_.assign(1, start);
    level_begin_.assign(1, 0);
    level_[index(start)] = 0;
    std::size_t done = 0;
    while (done < reached_.size()) {
      const std::size_t end = reached_.size();
      level_begin_.push_back(static_cast<int>(end));
      for (; done < end; ++done) {
        const int v = reached_[done];
        for (int e = graph_.begin[index(v)]; e < graph_.begin[index(v) + 1]; ++e) {
          const int w = graph_.neighbour[index(e)];
          if (part_[index(w)] != current_ || level_[index(w)] >= 0) continue;
          level_[index(w)] = level_[index(v)] + 1;
          reached_.push_back(w);
        }
      }
    }
  }
  int levels() const { return static_cast<int>(level_begin_.size()) - 1; }

  // Only nodes of a level that touch the next one separate.
  bool touches_next(int v) const {
    for (int e = graph_.begin[index(v)]; e < graph_.begin[index(v) + 1]; ++e) {
      const int w = graph_.neighbour[index(e)];
      if (part_[index(w)] == current_ && level_[index(w)] == level_[index(v)] + 1) return true;
    }
    return false;
  }

  void cut(std::vector<int>& nodes) {
    ++current_;
    for (const int v : nodes) {
      part_[index(v)] = current_;
      level_[index(v)] = -1;
    }
    reached_.clear();
    levels_from(nodes.front());
    if (reached_.size() < nodes.size()) {  // not connected: components are independent of one another
      std::vector<int> component = reached_, rest;
      for (const int v : nodes)
        if (level_[index(v)] < 0) rest.push_back(v);
      std::sort(component.begin(), component.end());
      for (const int v : reached_) level_[index(v)] = -1;
      reached_.clear();
      stack_.push_back({std::move(rest), false});
      stack_.push_back({std::move(component), false});
      return;
    }
    for (int sweep = 0; sweep < 3;
         ++sweep) {  // towards a peripheral node (George and Liu); two usually suffice
      const int before = levels();
      levels_from(reached_.back());
      if (levels() == before && sweep > 0) break;
    }
    if (levels() < 3) {  // nearly complete: no level separates two others
      order_leaf(nodes);
      return;
    }
    const int level = best_level();
    std::vector<int> left, right, separator;
    for (const int v : nodes) {
      if (level_[index(v)] < level)
        left.push_back(v);
      else if (level_[index(v)] > level)
        right.push_back(v);
      else
        (touches_next(v) ? separator : left).push_back(v);
    }
    for (const int v : nodes) level_[index(v)] = -1;
    reached_.clear();
    stack_.push_back({std::move(separator), true});
    stack_.push_back({std::move(right), false});
    stack_.push_back({std::move(left), false});
  }

  // The cheapest level in the middle third; among equals the one that leaves 2^k - 1 levels on its left.
  int best_level() const {
    const int total = static_cast<int>(reached_.size());
    int best = levels() / 2;
    std::int64_t best_cost = std::numeric_limits<std::int64_t>::max();
    for (int l = 1; l + 1 < levels(); ++l) {
      const int left = level_begin_[index(l)], right = total - level_begin_[index(l) + 1];
      if (3 * left < total - 3 && l * 3 < levels()) continue;
      if (3 * right < total - 3 && (levels() - 1 - l) * 3 < levels()) continue;
      std::int64_t weight = 0;
      for (int k = level_begin_[index(l)]; k < level_begin_[index(l) + 1]; ++k)
        if (touches_next(reached_[index(k)])) weight += graph_.size[index(reached_[index(k)])];
      const bool complete = ((l + 1) & l) == 0;
      const std::int64_t imbalance = std::abs(left - right);
      const std::int64_t cost = (weight * 4 + (complete ? 0 : 1)) * 4 * total + imbalance;
      if (cost < best_cost) {
        best_cost = cost;
        best = l;
      }
    }
    return best;
  }

  void order_leaf(const std::vector<int>& nodes) {
    BlockGraph sub;
    for (std::size_t k = 0; k < nodes.size(); ++k) level_[index(nodes[k])] = static_cast<int>(k);
    ++current_;
    for (const int v : nodes) part_[index(v)] = current_;
    for (const int v : nodes) {
      sub.size.push_back(graph_.size[index(v)]);
      for (int e = graph_.begin[index(v)]; e < graph_.begin[index(v) + 1]; ++e) {
        const int w = graph_.neighbour[index(e)];
        if (part_[index(w)] == current_) sub.neighbour.push_back(level_[index(w)]);
      }
      sub.begin.push_back(static_cast<int>(sub.neighbour.size()));
    }
    for (const int v : nodes) level_[index(v)] = -1;
    reached_.clear();
    for (const int k : minimum_degree(sub)) order_.push_back(nodes[index(k)]);
  }

  const BlockGraph& graph_;
  const int leaf_;
  int current_ = 0;
  std::vector<int> part_, level_, reached_, level_begin_, order_;
  std::vector<Work> stack_;
};

}  // namespace

std::vector<int> nested_dissection(const BlockGraph& graph, int leaf) { return Dissector(graph, leaf).run(); }

std::vector<int> minimum_degree(const BlockGraph& graph, const std::vector<int>& constraint_class) {
  const int n = graph.count();
  std::vector<int> order(index(n) + 1);
  std::vector<int> constraint = constraint_class;
  double control[CAMD_CONTROL], info[CAMD_INFO];
  camd_defaults(control);
  const int status = n == 0 ? CAMD_OK
                            : camd_order(n, graph.begin.data(), graph.neighbour.data(), order.data(), control,
                                         info, constraint.empty() ? nullptr : constraint.data());
  if (status != CAMD_OK && status != CAMD_OK_BUT_JUMBLED) std::iota(order.begin(), order.end(), 0);
  order.resize(index(n));
  return order;
}

}  // namespace catena::detail
