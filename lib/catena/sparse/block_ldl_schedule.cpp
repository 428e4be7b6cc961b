#include <catena/sparse/block_ldl_schedule.hpp>

#include <algorithm>
#include <cassert>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

namespace catena::ldl {
namespace {

std::size_t index(std::int64_t k) { return static_cast<std::size_t>(k); }

// Modelled cycles of one task: some 250 bodies of a chain, so that records stay in the second-level cache.
constexpr double task_cost = 40e3;
constexpr int default_chunks = 16;

double cost_in_company(int k, int r) {
  return k + r > widest_lane_batch ? front_cost(k, r) : std::min(front_cost(k, r), lane_cost(k, r) / 8);
}

// An op together with the index values of one front.
struct Source {
  Op op;
  int at[2];
  std::vector<std::int32_t> map;  // child
};

class Scheduler {
 public:
  Scheduler(const BlockPattern& pattern, const MatrixLayout& layout, const Ordering& ordering, bool symmetric,
            int parts)
      : layout_(layout), pattern_(pattern), fronts_(ordering.fronts), symmetric_(symmetric), parts_(parts) {}

  Schedule run() {
    const std::size_t count = fronts_.front.size();
    out_.flops = fronts_.flops;
    task_of_.assign(count, -1);
    level_.assign(count, 0);
    record_.assign(count, 0);
    dense_.assign(count, 0);
    children_.resize(count);
    for (std::size_t f = 0; f < count; ++f)
      if (fronts_.front[f].parent >= 0)
        children_[index(fronts_.front[f].parent)].push_back(static_cast<int>(f));
    list_sources();
    cut_tiers();
    out_.access.resize(out_.index.size() / 8 + 1, Access::gathered);
    return std::move(out_);
  }

 private:
  int primal_count() const { return pattern_.primal_count(); }
  int node_size(int v) const {
    return v < primal_count() ? pattern_.primal_size[index(v)]
                              : pattern_.dual_size[index(v - primal_count())];
  }
  int node_offset(int v) const {
    return v < primal_count() ? pattern_.primal_offset[index(v)]
                              : pattern_.dual_offset[index(v - primal_count())];
  }

  // Incidences and couplings of every node; positions; rewritten rows.
  void list_sources() {
    const int nodes = primal_count() + pattern_.dual_count();
    incidences_.resize(index(nodes));
    couplings_.resize(index(nodes));
    for (std::size_t k = 0; k < pattern_.incidences.size(); ++k) {
      const auto& c = pattern_.incidences[k];
      incidences_[index(c.primal)].push_back(static_cast<int>(k));
      incidences_[index(primal_count() + c.dual)].push_back(static_cast<int>(k));
    }
    for (std::size_t k = 0; k < pattern_.couplings.size(); ++k) {
      couplings_[index(pattern_.couplings[k].i)].push_back(static_cast<int>(k));
      couplings_[index(pattern_.couplings[k].j)].push_back(static_cast<int>(k));
    }
    local_.assign(index(nodes), -1);
    stamp_.assign(index(nodes), -1);
    out_.position.assign(index(pattern_.dimension()), 0);
    for (int v = 0; v < nodes; ++v) out_.position[index(node_offset(v))] = fronts_.position[index(v)];
    rewrite_of_.assign(index(primal_count()), -1);
    for (int d = 0; d < static_cast<int>(pattern_.rewrite.size()); ++d) {
      if (!pattern_.rewrite[index(d)]) continue;
      assert(pattern_.dual_size[index(d)] == 1 && incidences_[index(primal_count() + d)].size() == 1);
      const auto k = static_cast<int>(out_.rewritten.size());
      const int p = pattern_.incidences[index(incidences_[index(primal_count() + d)][0])].primal;
      rewrite_of_[index(p)] = k;
      out_.rewritten.push_back(d);
      out_.rewrite_offset.push_back(out_.rewrite_size);
      out_.rewrite_size += pattern_.primal_size[index(p)];
    }
  }

  // Repeatedly takes the subtrees of moderate cost off the bottom of the tree.
  void cut_tiers() {
    const int count = static_cast<int>(fronts_.front.size());
    std::vector<double> cost(index(count));
    int left = count, tasks = 0;
    while (left > 0) {
      std::vector<char> whole(index(count), 1);  // the remaining subtree fits into one task
      for (int f = 0; f < count; ++f) cost[index(f)] = 0.0;
      for (int f = 0; f < count; ++f) {
        if (task_of_[index(f)] >= 0) continue;
        const auto& front = fronts_.front[index(f)];
        const bool leaf = cost[index(f)] == 0.0;
        cost[index(f)] += cost_in_company(front.pivots, front.rest);
        if (!leaf && cost[index(f)] > task_cost) whole[index(f)] = 0;
        if (front.parent < 0) continue;
        cost[index(front.parent)] += cost[index(f)];
        if (!whole[index(f)]) whole[index(front.parent)] = 0;
      }
      const int first_task = tasks;
      std::vector<double> task_costs;
      std::vector<std::vector<int>> task_fronts;
      double room = 0.0;
      // Top-down: a subtree that fits is opened at its root; members follow their parent.
      std::vector<int> task_root(index(count), -1);
      std::vector<int> roots;
      for (int f = count - 1; f >= 0; --f) {
        if (task_of_[index(f)] >= 0) continue;
        const int p = fronts_.front[index(f)].parent;
        if (p >= 0 && task_root[index(p)] >= 0) {
          task_root[index(f)] = task_root[index(p)];
        } else if (whole[index(f)]) {
          task_root[index(f)] = f;
          roots.push_back(f);
        }
      }
      std::reverse(roots.begin(), roots.end());
      std::vector<int> task_of_root(index(count), -1);
      for (const int r : roots) {
        if (task_costs.empty() || cost[index(r)] > room) {
          room = task_cost;
          task_costs.push_back(0.0);
          task_fronts.emplace_back();
        }
        room -= cost[index(r)];
        task_costs.back() += cost[index(r)];
        task_of_root[index(r)] = first_task + static_cast<int>(task_costs.size()) - 1;
      }
      for (int f = 0; f < count; ++f) {
        if (task_root[index(f)] < 0) continue;
        task_of_[index(f)] = task_of_root[index(task_root[index(f)])];
        task_fronts[index(task_of_[index(f)] - first_task)].push_back(f);
        --left;
      }
      tasks += static_cast<int>(task_costs.size());
      make_tier(task_costs, task_fronts);
    }
  }

  void make_tier(const std::vector<double>& costs, const std::vector<std::vector<int>>& fronts) {
    const int count = static_cast<int>(costs.size());
    const int wanted = std::min(count, parts_ > 0 ? parts_ : default_chunks);
    double total = 0.0, done = 0.0;
    for (const double c : costs) total += c;
    Tier tier{static_cast<int>(out_.chunk.size()), 0};
    int chunk = -1;
    for (int t = 0; t < count; ++t) {
      const int due = std::min(wanted - 1, static_cast<int>(done / total * wanted));
      if (chunk < 0 || due > chunk) {
        ++chunk;
        if (chunk == static_cast<int>(out_.scratch_size.size())) {
          out_.scratch_size.push_back(0);
          out_.work_size.push_back(0);
        }
        out_.chunk.push_back({static_cast<int>(out_.task.size()), 0});
      }
      done += costs[index(t)];
      make_task(fronts[index(t)], index(chunk));
      out_.chunk.back().task_end = static_cast<int>(out_.task.size());
    }
    tier.chunk_end = static_cast<int>(out_.chunk.size());
    out_.tier.push_back(tier);
  }

  void make_task(const std::vector<int>& fronts, std::size_t chunk) {
    int levels = 0;
    const int task = task_of_[index(fronts.front())];
    for (const int f : fronts) {
      levels = std::max(levels, level_[index(f)] + 1);
      const int p = fronts_.front[index(f)].parent;
      if (p >= 0 && task_of_[index(p)] == task)
        level_[index(p)] = std::max(level_[index(p)], level_[index(f)] + 1);
    }
    std::vector<std::vector<int>> by_level(index(levels));
    for (const int f : fronts) by_level[index(level_[index(f)])].push_back(f);
    scratch_ = 0;
    Task made{static_cast<int>(out_.batch.size()), 0};
    batch_level_ = 0;
    for (const std::vector<int>& level : by_level) {
      ++batch_level_;
      std::map<int, std::vector<int>> like;  // recipe -> fronts
      for (const int f : level) like[recipe_of(f, task)].push_back(f);
      for (auto& [recipe, group] : like) {
        std::sort(group.begin(), group.end(), [&](int a, int b) { return first_pivot(a) < first_pivot(b); });
        make_batches(recipe, group, chunk);
      }
    }
    made.batch_end = static_cast<int>(out_.batch.size());
    out_.task.push_back(made);
    out_.scratch_size[chunk] = std::max(out_.scratch_size[chunk], scratch_);
  }

  int first_pivot(int f) const { return fronts_.pivot[index(fronts_.front[index(f)].pivot_begin)]; }

  void make_batches(int recipe, const std::vector<int>& group, std::size_t chunk) {
    const Recipe& r = out_.recipe[index(recipe)];
    const std::size_t count = group.size();
    std::size_t done = 0;
    while (done < count) {
      std::size_t take = std::min<std::size_t>(8, count - done);
      const int v = first_pivot(group[done]);
      if (done == 0 && count >= 24 && v < primal_count())  // start where eight neighbours make a pack
        take = 8 - layout_.H.offset[index(v)] % 8;
      const int many = r.op_end - r.op_begin > 24;
      const bool dense =
          r.pivots + r.rest > widest_lane_batch || many ||
          static_cast<double>(take) * front_cost(r.pivots, r.rest) < lane_cost(r.pivots, r.rest);
      if (dense) take = 1;
      make_batch(recipe, group.data() + done, static_cast<int>(take), dense, chunk);
      done += take;
    }
  }

  void make_batch(int recipe, const int* fronts, int lanes, bool dense, std::size_t chunk) {
    const Recipe& r = out_.recipe[index(recipe)];
    const std::int64_t width = dense ? 1 : 8;
    Batch b{};
    b.recipe = recipe;
    b.lanes = lanes;
    b.dense = dense;
    b.level = batch_level_;
    b.index = padded(static_cast<std::int64_t>(out_.index.size()));
    out_.index.resize(index(b.index + padded(width * r.slots)));
    b.factor = out_.factor_size;
    out_.factor_size += padded(width * ldl::factor_size(r.pivots, r.rest, symmetric_, dense));
    b.forward = out_.forward_size;
    out_.forward_size += padded(width * r.pivots);
    std::int64_t& store = r.persistent ? out_.persistent_size : scratch_;
    b.record = store;
    store += padded(width * record_size(r.rest, symmetric_, dense));
    out_.work_size[chunk] = std::max(out_.work_size[chunk], work_size(r.pivots, r.rest, dense));
    for (int lane = 0; lane < static_cast<int>(width); ++lane) {
      const int f = fronts[lane < lanes ? lane : 0];
      const std::vector<std::int32_t>& at = slots_of_[f];
      for (int s = 0; s < r.slots; ++s) out_.index[index(b.index + s * width + lane)] = at[index(s)];
      record_[index(f)] = b.record + (lane < lanes ? lane : 0);
      dense_[index(f)] = dense;
    }
    if (!dense) choose_access(b, r);
    for (int lane = 0; lane < lanes; ++lane) slots_of_.erase(fronts[lane]);
    out_.batch.push_back(b);
  }

  void choose_access(const Batch& b, const Recipe& r) {
    out_.access.resize(out_.index.size() / 8 + 1, Access::gathered);
    auto choose = [&](int slot) {
      const std::int32_t* at = out_.index.data() + b.index + 8 * slot;
      bool aligned = at[0] % 8 == 0, paired = true;
      std::int32_t other = -1;
      for (int l = 0; l < 8; ++l) {
        aligned = aligned && at[l] == at[0] + l;
        const std::int32_t group = at[l] & ~7;
        if (group == (at[0] & ~7)) continue;
        if (other < 0) other = group;
        paired = paired && group == other;
      }
      out_.access[index(b.index / 8 + slot)] = aligned  ? Access::aligned
                                               : paired ? Access::paired
                                                        : Access::gathered;
    };
    for (int o = r.op_begin; o < r.op_end; ++o) {
      const Op& op = out_.op[index(o)];
      if (op.kind == OpKind::compliance || op.kind == OpKind::rewrite) continue;
      if (op.kind == OpKind::child && op.dense) continue;
      choose(op.slot);
      if (op.kind == OpKind::coupling) choose(op.slot + 1);
    }
  }

  // Finds or makes the recipe of a front; its index values are left in slots_of_.
  int recipe_of(int f, int task) {
    const auto& front = fronts_.front[index(f)];
    Recipe r{};
    r.pivots = front.pivots;
    r.rest = front.rest;
    r.pivot_blocks = front.pivot_end - front.pivot_begin;
    r.rest_blocks = front.rest_end - front.rest_begin;
    r.persistent = front.parent >= 0 && task_of_[index(front.parent)] != task;
    std::vector<Block> blocks;
    std::vector<std::int32_t>& at = slots_of_[f];
    at.clear();
    int offset = 0;
    bool primal_pivots = true, dual_pivots = true, primal_rest = true, dual_rest = true;
    auto add_block = [&](int v, bool& primal, bool& dual) {
      const bool is_dual = v >= primal_count();
      (is_dual ? primal : dual) = false;
      local_[index(v)] = offset;
      stamp_[index(v)] = f;
      blocks.push_back({node_size(v), offset, is_dual});
      at.push_back(node_offset(v));
      offset += node_size(v);
    };
    for (int k = front.pivot_begin; k < front.pivot_end; ++k)
      add_block(fronts_.pivot[index(k)], primal_pivots, dual_pivots);
    for (int k = front.rest_begin; k < front.rest_end; ++k)
      add_block(fronts_.rest[index(k)], primal_rest, dual_rest);

    std::vector<Source> sources;
    int written = 0;
    for (int k = front.pivot_begin; k < front.pivot_end; ++k)
      written += matrix_sources(fronts_.pivot[index(k)], sources);
    r.full_panel = written == r.pivots * (r.pivots + 1) / 2 + r.pivots * r.rest;
    child_sources(f, task, sources);
    r.has_child = !children_[index(f)].empty();
    r.scale = primal_pivots && dual_rest && !r.has_child                     ? ScaleRule::own
              : (primal_pivots && primal_rest) || (dual_pivots && dual_rest) ? ScaleRule::passed
                                                                             : ScaleRule::general;
    auto key_of = [](const Source& s) {
      return std::tie(s.op.kind, s.op.row, s.op.col, s.op.rows, s.op.cols, s.op.dense, s.op.persistent,
                      s.map);
    };
    std::stable_sort(sources.begin(), sources.end(),
                     [&](const Source& a, const Source& b) { return key_of(a) < key_of(b); });

    std::vector<std::int32_t> key = {r.pivots,     r.rest,      r.pivot_blocks, r.rest_blocks,
                                     r.full_panel, r.has_child, r.persistent,   static_cast<int>(r.scale)};
    for (const Block& b : blocks) key.insert(key.end(), {b.size, b.dual});
    for (Source& s : sources) {
      s.op.slot = static_cast<std::int32_t>(at.size());
      at.push_back(s.at[0]);
      if (s.op.kind == OpKind::coupling) at.push_back(s.at[1]);
      key.insert(key.end(), {static_cast<int>(s.op.kind), s.op.row, s.op.col, s.op.rows, s.op.cols,
                             s.op.dense, s.op.persistent});
      key.insert(key.end(), s.map.begin(), s.map.end());
    }
    const auto [found, is_new] = recipes_.try_emplace(std::move(key), static_cast<int>(out_.recipe.size()));
    if (!is_new) return found->second;
    r.slots = static_cast<std::int32_t>(at.size());
    r.block = static_cast<std::int32_t>(out_.block.size());
    out_.block.insert(out_.block.end(), blocks.begin(), blocks.end());
    r.op_begin = static_cast<std::int32_t>(out_.op.size());
    for (Source& s : sources) {
      s.op.map = static_cast<std::int32_t>(out_.map.size());
      out_.map.insert(out_.map.end(), s.map.begin(), s.map.end());
      out_.op.push_back(s.op);
    }
    r.op_end = static_cast<std::int32_t>(out_.op.size());
    out_.recipe.push_back(r);
    return found->second;
  }

  // The blocks of the matrix that pivot v brings; returns how many entries of the lower triangle they write.
  int matrix_sources(int v, std::vector<Source>& sources) const {
    const int o = local_[index(v)], n = node_size(v), primal = primal_count();
    auto later = [&](int w) { return fronts_.position[index(w)] > fronts_.position[index(v)]; };
    auto add = [&](OpKind kind, int row, int col, int rows, int cols, std::int64_t a, std::int64_t b) {
      assert(a <= std::numeric_limits<std::int32_t>::max());
      Source s{};
      s.op.kind = kind;
      s.op.row = row;
      s.op.col = col;
      s.op.rows = rows;
      s.op.cols = cols;
      s.at[0] = static_cast<int>(a);
      s.at[1] = static_cast<int>(b);
      sources.push_back(std::move(s));
    };
    int written = 0;
    if (v < primal) {
      add(OpKind::diagonal, o, o, n, n, layout_.H.offset[index(v)], 0);
      written += n * (n + 1) / 2;
      const int w = rewrite_of_[index(v)];
      if (w >= 0) {
        const int d = primal + out_.rewritten[index(w)];
        assert(later(d));
        add(OpKind::rewrite, local_[index(d)], o, 1, n, out_.rewrite_offset[index(w)], 0);
      }
    } else {
      add(OpKind::compliance, o, o, n, n, pattern_.dual_offset[index(v - primal)] - pattern_.primal_dimension,
          0);
      written += n == 1;
    }
    for (const int k : incidences_[index(v)]) {
      const auto& c = pattern_.incidences[index(k)];
      const int w = v < primal ? primal + c.dual : c.primal;
      if (!later(w)) continue;
      assert(stamp_[index(w)] == stamp_[index(v)]);
      const int dual_at = v < primal ? local_[index(w)] : o, primal_at = v < primal ? o : local_[index(w)];
      add(OpKind::border, dual_at, primal_at, pattern_.dual_size[index(c.dual)],
          pattern_.primal_size[index(c.primal)], layout_.incidence.offset[index(k)], 0);
      written += n * node_size(w);
    }
    if (v >= primal) return written;
    for (const int k : couplings_[index(v)]) {
      const auto& c = pattern_.couplings[index(k)];
      const int w = c.i == v ? c.j : c.i;
      if (!later(w)) continue;
      assert(stamp_[index(w)] == stamp_[index(v)]);
      add(OpKind::coupling, local_[index(c.i)], local_[index(c.j)], pattern_.primal_size[index(c.i)],
          pattern_.primal_size[index(c.j)], layout_.coupling.offset[index(k)],
          layout_.coupling_t.offset[index(k)]);
      written += n * node_size(w);
    }
    return written;
  }

  void child_sources(int f, int task, std::vector<Source>& sources) const {
    for (const int c : children_[index(f)]) {
      const auto& child = fronts_.front[index(c)];
      Source s{};
      s.op.kind = OpKind::child;
      s.op.rows = child.rest;
      s.op.dense = dense_[index(c)];
      s.op.persistent = task_of_[index(c)] != task;
      assert(record_[index(c)] <= std::numeric_limits<std::int32_t>::max());
      s.at[0] = static_cast<int>(record_[index(c)]);
      for (int k = child.rest_begin; k < child.rest_end; ++k) {
        const int v = fronts_.rest[index(k)];
        assert(stamp_[index(v)] == f);
        for (int i = 0; i < node_size(v); ++i) s.map.push_back(local_[index(v)] + i);
      }
      sources.push_back(std::move(s));
    }
  }

  const MatrixLayout& layout_;
  const BlockPattern& pattern_;
  const Fronts& fronts_;
  const bool symmetric_;
  const int parts_;
  Schedule out_;
  std::int64_t scratch_ = 0;
  int batch_level_ = 0;
  std::vector<int> task_of_, level_;
  std::vector<std::int64_t> record_;
  std::vector<char> dense_;
  std::vector<std::vector<int>> children_, incidences_, couplings_;
  std::vector<int> local_, stamp_, rewrite_of_;
  std::map<int, std::vector<std::int32_t>> slots_of_;
  std::map<std::vector<std::int32_t>, int> recipes_;
};

}  // namespace

Schedule make_schedule(const BlockPattern& pattern, const MatrixLayout& layout, const Ordering& ordering,
                       bool symmetric, int parts) {
  return Scheduler(pattern, layout, ordering, symmetric, parts).run();
}

std::size_t Schedule::bytes() const {
  return recipe.size() * sizeof(Recipe) + op.size() * sizeof(Op) + block.size() * sizeof(Block) +
         map.size() * sizeof(std::int32_t) + batch.size() * sizeof(Batch) +
         index.size() * sizeof(std::int32_t) + access.size() + position.size() * sizeof(std::int32_t);
}

}  // namespace catena::ldl
