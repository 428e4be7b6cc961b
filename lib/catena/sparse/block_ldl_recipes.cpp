#include <catena/math/detail/index.hpp>
#include <catena/sparse/detail/block_ldl_recipes.hpp>
#include <catena/sparse/detail/counted.hpp>

#include <algorithm>
#include <cassert>
#include <tuple>
#include <utility>

namespace catena::detail::ldl {

// An op together with the index values of one front.
struct RecipeBook::Source {
  Op op;
  int at[2];
  std::vector<std::int32_t> map;  // child
};

RecipeBook::RecipeBook(const BlockPattern& pattern, const MatrixLayout& layout, const Fronts& fronts,
                       Schedule& out)
    : layout_(layout), pattern_(pattern), fronts_(fronts), out_(out), children_(fronts.front.size()) {
  for (std::size_t f = 0; f < fronts.front.size(); ++f)
    if (fronts.front[f].parent >= 0) children_[index(fronts.front[f].parent)].push_back(static_cast<int>(f));
  list_sources();
}

int RecipeBook::node_size(int v) const {
  return v < primal_count() ? pattern_.primal_size[index(v)] : pattern_.dual_size[index(v - primal_count())];
}

int RecipeBook::node_offset(int v) const {
  return v < primal_count() ? pattern_.primal_offset[index(v)]
                            : pattern_.dual_offset[index(v - primal_count())];
}

// Incidences and couplings of every node; positions.
void RecipeBook::list_sources() {
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
}

int RecipeBook::recipe_of(int f, int task, const Placement& placed, std::vector<std::int32_t>& at) {
  const auto& front = fronts_.front[index(f)];
  Recipe r{};
  r.pivots = front.pivots;
  r.rest = front.rest;
  r.pivot_blocks = front.pivot_end - front.pivot_begin;
  r.rest_blocks = front.rest_end - front.rest_begin;
  r.persistent = front.parent >= 0 && placed.task_of[index(front.parent)] != task;
  std::vector<Block> blocks;
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
  child_sources(f, task, placed, sources);
  constexpr std::size_t most_in_lanes = 24;
  r.many = sources.size() > most_in_lanes ? 1 : 0;
  if (r.many != 0) join_children(sources);
  r.has_child = !children_[index(f)].empty();
  r.scale = primal_pivots && dual_rest && !r.has_child                     ? ScaleRule::own
            : (primal_pivots && primal_rest) || (dual_pivots && dual_rest) ? ScaleRule::passed
                                                                           : ScaleRule::general;
  r.split =
      r.scale == ScaleRule::own && r.pivot_blocks == 1 && is_split(fronts_.pivot[index(front.pivot_begin)])
          ? 1
          : 0;
  auto key_of = [](const Source& s) {
    return std::tie(s.op.kind, s.op.row, s.op.col, s.op.rows, s.op.cols, s.op.dense, s.op.persistent, s.map);
  };
  std::stable_sort(sources.begin(), sources.end(),
                   [&](const Source& a, const Source& b) { return key_of(a) < key_of(b); });

  std::vector<std::int32_t> key = {r.pivots,     r.rest,      r.pivot_blocks, r.rest_blocks,
                                   r.full_panel, r.has_child, r.persistent,   static_cast<int>(r.scale),
                                   r.split};
  for (const Block& b : blocks) key.insert(key.end(), {b.size, b.dual});
  for (Source& s : sources) {
    s.op.slot = static_cast<std::int32_t>(at.size());
    at.push_back(s.at[0]);
    if (s.op.kind == OpKind::coupling) at.push_back(s.at[1]);
    key.insert(key.end(), {static_cast<int>(s.op.kind), s.op.row, s.op.col, s.op.rows, s.op.cols, s.op.dense,
                           s.op.persistent});
    key.insert(key.end(), s.map.begin(), s.map.end());
  }
  const auto [found, is_new] = recipes_.try_emplace(std::move(key), static_cast<int>(out_.recipe.size()));
  if (!is_new) return found->second;
  r.slots = static_cast<std::int32_t>(at.size());
  r.block = static_cast<std::int32_t>(out_.block.size());
  out_.block.insert(out_.block.end(), blocks.begin(), blocks.end());
  r.op_begin = static_cast<std::int32_t>(out_.op.size());
  for (std::size_t k = 0; k < sources.size(); ++k) {
    Source& s = sources[k];
    if (k > 0 && s.map == sources[k - 1].map) {
      s.op.map = sources[k - 1].op.map;
    } else {
      s.op.map = static_cast<std::int32_t>(out_.map.size());
      out_.map.insert(out_.map.end(), s.map.begin(), s.map.end());
    }
    out_.op.push_back(s.op);
  }
  r.op_end = static_cast<std::int32_t>(out_.op.size());
  out_.recipe.push_back(r);
  return found->second;
}

// Whether the pattern says so of the body and of all its rows, and nothing is coupled with it.
bool RecipeBook::is_split(int body) const {
  constexpr int rigid = 6;
  const std::vector<std::uint8_t>&bodies = pattern_.primal_split, &blocks = pattern_.incidence_split;
  const std::vector<int>& of_body = incidences_[index(body)];
  return pattern_.primal_size[index(body)] == rigid && couplings_[index(body)].empty() && !bodies.empty() &&
         bodies[index(body)] != 0 && !blocks.empty() &&
         std::all_of(of_body.begin(), of_body.end(), [&](int k) { return blocks[index(k)] != 0; });
}

// Records of children that were one batch lie side by side: eight of them become one source where they go to the same places.
void RecipeBook::join_children(std::vector<Source>& sources) {
  std::map<std::pair<int, int>, std::vector<std::size_t>> batches;  // by store and place in it
  for (std::size_t k = 0; k < sources.size(); ++k) {
    const Op& op = sources[k].op;
    if (op.kind == OpKind::child && op.dense == 0 && op.rows <= most_joined_rows)
      batches[{op.persistent, sources[k].at[0] / 8}].push_back(k);
  }
  std::vector<char> joined(sources.size(), 0);
  for (const auto& [place, of_batch] : batches) {
    const Source& first = sources[of_batch.front()];
    if (of_batch.size() < 8 || !std::all_of(of_batch.begin(), of_batch.end(),
                                            [&](std::size_t k) { return sources[k].map == first.map; }))
      continue;
    for (const std::size_t k : of_batch) joined[k] = 1;
    joined[of_batch.front()] = 0;
    sources[of_batch.front()].op.kind = OpKind::children;
    sources[of_batch.front()].at[0] = place.second * 8;
  }
  std::size_t kept = 0;
  for (std::size_t k = 0; k < sources.size(); ++k)
    if (joined[k] == 0) {
      if (kept != k) sources[kept] = std::move(sources[k]);
      ++kept;
    }
  sources.erase(sources.begin() + static_cast<std::ptrdiff_t>(kept), sources.end());
}

// The blocks of the matrix that pivot v brings; returns how many entries of the lower triangle they write.
int RecipeBook::matrix_sources(int v, std::vector<Source>& sources) const {
  const int o = local_[index(v)], n = node_size(v), primal = primal_count();
  auto later = [&](int w) { return fronts_.position[index(w)] > fronts_.position[index(v)]; };
  auto add = [&](OpKind kind, int row, int col, int rows, int cols, std::int64_t a, std::int64_t b) {
    Source s{};
    s.op.kind = kind;
    s.op.row = row;
    s.op.col = col;
    s.op.rows = rows;
    s.op.cols = cols;
    s.at[0] = counted(static_cast<std::size_t>(a), "the blocks");
    s.at[1] = counted(static_cast<std::size_t>(b), "the blocks");
    sources.push_back(std::move(s));
  };
  int written = 0;
  if (v < primal) {
    add(OpKind::diagonal, o, o, n, n, layout_.H.offset[index(v)], 0);
    written += n * (n + 1) / 2;
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

void RecipeBook::child_sources(int f, int task, const Placement& placed, std::vector<Source>& sources) const {
  for (const int c : children_[index(f)]) {
    const auto& child = fronts_.front[index(c)];
    Source s{};
    s.op.kind = OpKind::child;
    s.op.rows = child.rest;
    s.op.dense = placed.dense[index(c)];
    s.op.persistent = placed.task_of[index(c)] != task;
    s.at[0] = counted(static_cast<std::size_t>(placed.record[index(c)]), "the factors");
    for (int k = child.rest_begin; k < child.rest_end; ++k) {
      const int v = fronts_.rest[index(k)];
      assert(stamp_[index(v)] == f);
      for (int i = 0; i < node_size(v); ++i) s.map.push_back(local_[index(v)] + i);
    }
    sources.push_back(std::move(s));
  }
}

}  // namespace catena::detail::ldl
