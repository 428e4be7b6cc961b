#include <catena/math/detail/index.hpp>
#include <catena/sparse/detail/fronts.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace catena::detail {
namespace {

// Structure of every node in terms of positions, merged along the elimination tree.
struct Structures {
  std::vector<int> begin = {0}, entry;  // later positions, ascending
  std::vector<int> parent;              // position, -1: root
  double flops = 0.0;
};

bool eliminate(const BlockGraph& g, const std::vector<int>& order, const std::vector<int>& position,
               double limit, Structures& s) {
  const int n = g.count();
  std::vector<int> mark(index(n), -1), first_child(index(n), -1), next(index(n), -1);
  s.parent.assign(index(n), -1);
  for (int k = 0; k < n; ++k) {
    const int v = order[index(k)];
    const std::size_t from = s.entry.size();
    mark[index(k)] = k;
    auto visit = [&](int p) {
      if (p < k || mark[index(p)] == k) return;
      mark[index(p)] = k;
      s.entry.push_back(p);
    };
    for (int e = g.begin[index(v)]; e < g.begin[index(v) + 1]; ++e)
      visit(position[index(g.neighbour[index(e)])]);
    for (int c = first_child[index(k)]; c >= 0; c = next[index(c)])
      for (int e = s.begin[index(c)]; e < s.begin[index(c) + 1]; ++e) visit(s.entry[index(e)]);
    std::sort(s.entry.begin() + static_cast<std::ptrdiff_t>(from), s.entry.end());
    s.begin.push_back(static_cast<int>(s.entry.size()));
    double rest = 0;
    for (std::size_t e = from; e < s.entry.size(); ++e) rest += g.size[index(order[index(s.entry[e])])];
    s.flops += front_flops(g.size[index(v)], rest);
    if (s.flops > limit) return false;
    if (from == s.entry.size()) continue;
    const int p = s.entry[from];
    s.parent[index(k)] = p;
    next[index(k)] = first_child[index(p)];
    first_child[index(p)] = k;
  }
  return true;
}

}  // namespace

double front_flops(double k, double r) {
  // L D L^T of the pivots, L21, Schur complement, one solve
  return k * k * k / 3 + k * k * r + k * r * r + 2 * (k * k + 2 * k * r);
}

// Translations: of each block of rows s over the mass, of each pair of them s s' over it on three rows, two sweeps.
double split_front_flops(int rest, int blocks) {
  const double b = blocks;
  return front_flops(3, rest) + b + 3 * b * (b + 1) + 12 * b + 3;
}

double front_cost(int pivots, int rest) {
  const double k = pivots, n = pivots + rest;
  const double fma = front_flops(k, rest) / 2;
  return 600 + 30 * k + 3.0 * n * n + fma / (2 + std::min(n, 128.0) / 16);
}

double lane_cost(int pivots, int rest) {
  const double k = pivots, n = pivots + rest;
  return 200 + 20 * k + 1.5 * n * n + front_flops(k, rest) / 2 / 1.3;
}

namespace {

// Fronts that are merged: nested ones, and others where that pays.
class Merges {
 public:
  Merges(const BlockGraph& g, const std::vector<int>& order, const Structures& s);
  // The last position of the front that k belongs to.
  int top(int k) {
    while (top_[index(k)] != k) k = top_[index(k)] = top_[index(top_[index(k)])];
    return k;
  }
  std::vector<int> pivots, rest;  // unknowns of each front, at its top

 private:
  std::vector<int> top_;
};

Merges::Merges(const BlockGraph& g, const std::vector<int>& order, const Structures& s)
    : pivots(index(g.count())), rest(index(g.count()), 0), top_(index(g.count())) {
  const int n = g.count();
  for (int k = 0; k < n; ++k) {
    top_[index(k)] = k;
    pivots[index(k)] = g.size[index(order[index(k)])];
    for (int e = s.begin[index(k)]; e < s.begin[index(k) + 1]; ++e)
      rest[index(k)] += g.size[index(order[index(s.entry[index(e)])])];
  }
  for (int k = 0; k < n; ++k) {
    if (s.parent[index(k)] < 0) continue;
    // k is the top of its front: everything that could merge k upwards comes now
    const int p = top(s.parent[index(k)]);
    const int kp = pivots[index(k)], rp = rest[index(k)], kq = pivots[index(p)], rq = rest[index(p)];
    const bool nested = rp == kq + rq;
    const bool pays =
        kp + kq + rq > widest_lane_front && front_cost(kp + kq, rq) < front_cost(kp, rp) + front_cost(kq, rq);
    if (!nested && !pays) continue;
    top_[index(k)] = p;
    pivots[index(p)] += kp;
  }
}

// Tops of the fronts in postorder of the merged tree.
std::vector<int> tops_in_postorder(const Structures& s, Merges& merges) {
  const int n = static_cast<int>(s.parent.size());
  std::vector<int> first_child(index(n), -1), next(index(n), -1);
  std::vector<int> roots;
  for (int k = n - 1; k >= 0; --k) {
    if (merges.top(k) != k) continue;
    if (s.parent[index(k)] < 0) {
      roots.push_back(k);
      continue;
    }
    const int p = merges.top(s.parent[index(k)]);
    next[index(k)] = first_child[index(p)];
    first_child[index(p)] = k;
  }
  std::reverse(roots.begin(), roots.end());
  std::vector<int> stack, sequence;
  for (const int root : roots) {
    stack.push_back(root);
    while (!stack.empty()) {
      const int k = stack.back();
      if (first_child[index(k)] >= 0) {  // descend once
        const int c = first_child[index(k)];
        first_child[index(k)] = next[index(c)];
        stack.push_back(c);
        continue;
      }
      sequence.push_back(k);
      stack.pop_back();
    }
  }
  return sequence;
}

// Modelled time: like fronts of one level go in lanes.
double modelled_cost(const std::vector<Fronts::Front>& fronts) {
  std::map<std::tuple<int, int, int>, int> groups;
  std::vector<int> level(fronts.size(), 0);
  for (std::size_t f = 0; f < fronts.size(); ++f) {
    const auto& front = fronts[f];
    ++groups[{level[f], front.pivots, front.rest}];
    if (front.parent >= 0) {
      int& up = level[index(front.parent)];
      up = std::max(up, level[f] + 1);
    }
  }
  double cost = 0.0;
  for (const auto& [key, count] : groups) {
    const int k = std::get<1>(key), r = std::get<2>(key);
    const double alone = front_cost(k, r);
    if (k + r > widest_lane_front) {
      cost += count * alone;
      continue;
    }
    const int full = count / 8, single = count % 8;
    cost += full * lane_cost(k, r) + std::min(lane_cost(k, r), single * alone);
  }
  return cost;
}

}  // namespace

bool build_fronts(const BlockGraph& g, const std::vector<int>& order, double limit, Fronts& out) {
  const int n = g.count();
  out = Fronts{};
  out.position.resize(index(n));
  for (int k = 0; k < n; ++k) out.position[index(order[index(k)])] = k;
  Structures s;
  if (!eliminate(g, order, out.position, limit, s)) return false;
  out.flops = s.flops;

  Merges merges(g, order, s);
  const std::vector<int> sequence = tops_in_postorder(s, merges);
  std::vector<int> number(index(n), -1);
  for (std::size_t f = 0; f < sequence.size(); ++f) number[index(sequence[f])] = static_cast<int>(f);
  std::vector<std::vector<int>> members(sequence.size());
  for (int k = 0; k < n; ++k) members[index(number[index(merges.top(k))])].push_back(k);
  for (std::size_t f = 0; f < sequence.size(); ++f) {
    const int k = sequence[f];
    Fronts::Front front{};
    front.pivot_begin = static_cast<int>(out.pivot.size());
    for (const int m : members[f]) out.pivot.push_back(order[index(m)]);
    front.pivot_end = static_cast<int>(out.pivot.size());
    front.rest_begin = static_cast<int>(out.rest.size());
    for (int e = s.begin[index(k)]; e < s.begin[index(k) + 1]; ++e)
      out.rest.push_back(order[index(s.entry[index(e)])]);
    front.rest_end = static_cast<int>(out.rest.size());
    front.pivots = merges.pivots[index(k)];
    front.rest = merges.rest[index(k)];
    front.parent = s.parent[index(k)] < 0 ? -1 : number[index(merges.top(s.parent[index(k)]))];
    out.front.push_back(front);
  }
  out.cost = modelled_cost(out.front);
  return true;
}

}  // namespace catena::detail
