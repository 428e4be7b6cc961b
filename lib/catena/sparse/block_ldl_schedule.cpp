#include <catena/math/detail/index.hpp>
#include <catena/sparse/detail/block_ldl_recipes.hpp>
#include <catena/sparse/detail/block_ldl_schedule.hpp>

#include <algorithm>
#include <map>
#include <utility>

namespace catena::detail::ldl {
namespace {

// Modelled cycles of one task: some 250 bodies of a chain. The records of that many stay in a second-level cache of 1 MB;
// tasks of half the size leave more lanes empty (88 numbers of factor a body instead of 81, docs/theory/block_ldl.md).
constexpr double task_cost = 80e3;
// A fixed number, because the cut must not depend on the number of threads. Sixteen are two chunks each
// for eight threads.
constexpr int default_chunks = 16;

double cost_in_company(int k, int r) {
  return k + r > widest_lane_batch ? front_cost(k, r) : std::min(front_cost(k, r), lane_cost(k, r) / 8);
}

class Scheduler {
 public:
  Scheduler(const BlockPattern& pattern, const MatrixLayout& layout, const Ordering& ordering, bool symmetric,
            int parts)
      : layout_(layout),
        pattern_(pattern),
        fronts_(ordering.fronts),
        symmetric_(symmetric),
        parts_(parts),
        book_(pattern, layout, ordering.fronts, out_) {}

  Schedule run() {
    const std::size_t count = fronts_.front.size();
    out_.flops = fronts_.flops;
    placed_.task_of.assign(count, -1);
    level_.assign(count, 0);
    placed_.record.assign(count, 0);
    placed_.dense.assign(count, 0);
    cut_tiers();
    out_.access.resize(out_.index.size() / 8 + 1, Access::gathered);
    return std::move(out_);
  }

 private:
  int primal_count() const { return pattern_.primal_count(); }
  // Takes the subtrees of at most task_cost off the bottom of the tree, tier by tier.
  void cut_tiers() {
    const int count = static_cast<int>(fronts_.front.size());
    std::vector<double> cost(index(count));
    int left = count, tasks = 0;
    while (left > 0) {
      std::vector<char> whole(index(count), 1);  // the remaining subtree fits into one task
      for (int f = 0; f < count; ++f) cost[index(f)] = 0.0;
      for (int f = 0; f < count; ++f) {
        if (placed_.task_of[index(f)] >= 0) continue;
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
      double remaining = 0.0;  // cost that the last task can still take
      // Top-down: a subtree that fits is opened at its root; members follow their parent.
      std::vector<int> task_root(index(count), -1);
      std::vector<int> roots;
      for (int f = count - 1; f >= 0; --f) {
        if (placed_.task_of[index(f)] >= 0) continue;
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
        if (task_costs.empty() || cost[index(r)] > remaining) {
          remaining = task_cost;
          task_costs.push_back(0.0);
          task_fronts.emplace_back();
        }
        remaining -= cost[index(r)];
        task_costs.back() += cost[index(r)];
        task_of_root[index(r)] = first_task + static_cast<int>(task_costs.size()) - 1;
      }
      for (int f = 0; f < count; ++f) {
        if (task_root[index(f)] < 0) continue;
        placed_.task_of[index(f)] = task_of_root[index(task_root[index(f)])];
        task_fronts[index(placed_.task_of[index(f)] - first_task)].push_back(f);
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
    const int task = placed_.task_of[index(fronts.front())];
    for (const int f : fronts) {
      levels = std::max(levels, level_[index(f)] + 1);
      const int p = fronts_.front[index(f)].parent;
      if (p >= 0 && placed_.task_of[index(p)] == task)
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
      for (const int f : level) like[book_.recipe_of(f, task, placed_, slots_of_[f])].push_back(f);
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
      // Begins where eight neighbours make a pack. The first batch then has empty lanes, which groups of three and more
      // batches can afford.
      if (done == 0 && count >= 24 && v < primal_count()) take = 8 - layout_.H.offset[index(v)] % 8;
      // The fits are those of full lanes on a processor with AVX-512. Alone in them, a front takes up to 1.75 times as long as they
      // say (rolling_disc is faster in lanes below 2, random_tree by the dense kernels above 1.4), and longer than by the dense
      // kernels wherever the number of its pivots is not known to the kernels of lanes (four_bar, AVX2: a step of 1.6 times).
      const bool alone = take == 1;
      const double lanes = (alone ? 1.75 : 1.0) * lane_cost(r.pivots, r.rest);
      const bool dense = r.pivots + r.rest > widest_lane_batch || r.many != 0 ||
                         (alone && !has_own_kernel(r.pivots)) ||
                         static_cast<double>(take) * front_cost(r.pivots, r.rest) < lanes;
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
    out_.factor_size += dense ? padded(ldl::factor_size(r.pivots, r.rest, symmetric_, true))
                              : width * ldl::lane_factor_size(r, symmetric_);
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
      placed_.record[index(f)] = b.record + (lane < lanes ? lane : 0);
      placed_.dense[index(f)] = dense;
    }
    if (!dense) choose_access(b, r);
    if (!dense && r.split != 0)
      out_.flops -= lanes * (front_flops(r.pivots, r.rest) - split_front_flops(r.rest, r.rest_blocks));
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
      if (op.kind == OpKind::compliance) continue;
      if (op.kind == OpKind::child && op.dense) continue;
      choose(op.slot);
      if (op.kind == OpKind::coupling) choose(op.slot + 1);
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
  RecipeBook book_;
  Placement placed_;
  std::vector<int> level_;
  std::map<int, std::vector<std::int32_t>> slots_of_;  // index values of fronts that have no batch yet
};

}  // namespace

Schedule make_schedule(const BlockPattern& pattern, const MatrixLayout& layout, const Ordering& ordering,
                       bool symmetric, int parts) {
  return Scheduler(pattern, layout, ordering, symmetric, parts).run();
}

std::vector<std::vector<double>> Schedule::chunk_cycles() const {
  std::vector<std::vector<double>> cycles;
  for (const Tier& t : tier) {
    std::vector<double>& of_tier = cycles.emplace_back();
    for (int c = t.chunk_begin; c < t.chunk_end; ++c) {
      double& sum = of_tier.emplace_back(0.0);
      for (int k = chunk[detail::index(c)].task_begin; k < chunk[detail::index(c)].task_end; ++k)
        for (int b = task[detail::index(k)].batch_begin; b < task[detail::index(k)].batch_end; ++b) {
          const Recipe& r = recipe[detail::index(batch[detail::index(b)].recipe)];
          sum +=
              batch[detail::index(b)].dense != 0 ? front_cost(r.pivots, r.rest) : lane_cost(r.pivots, r.rest);
        }
    }
  }
  return cycles;
}

std::size_t Schedule::bytes() const {
  return recipe.size() * sizeof(Recipe) + op.size() * sizeof(Op) + block.size() * sizeof(Block) +
         map.size() * sizeof(std::int32_t) + batch.size() * sizeof(Batch) +
         index.size() * sizeof(std::int32_t) + access.size() + position.size() * sizeof(std::int32_t);
}

}  // namespace catena::detail::ldl
