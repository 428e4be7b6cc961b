#include <catena/assembly/detail/anchor.hpp>
#include <catena/assembly/detail/element_groups.hpp>
#include <catena/math/detail/fetch.hpp>
#include <catena/math/detail/index.hpp>
#include <catena/model/detail/at_once.hpp>
#include <catena/model/detail/element_alone.hpp>

#include <algorithm>
#include <cassert>
#include <map>

namespace catena::detail {
namespace {

constexpr int chunk_bodies = 256;  // a multiple of the lane width; about 100 us of work

// One element before it is put into a group.
struct Element {
  int number;  // in its pool
  int chunk;   // [0, chunks) or chunks: the border
  unsigned fixed;
};

// Three rows that hold two points together, in world axes, then rows of orientations alone: [+-I | A; 0 | B]. What they add to
// H turns with the bodies.
bool begins_as_ball_joint(const Plan& plan) {
  if (plan.groups.empty() || plan.groups.front().rows != 3 ||
      !plan.groups.front().meaning.multiplier_is_force)
    return false;
  return std::all_of(plan.groups.begin() + 1, plan.groups.end(),
                     [](const RowGroup& g) { return g.meaning.positions == PositionUse::none; });
}

class Builder {
 public:
  explicit Builder(const Model& model) : model_(model) {}

  ElementLayout build() {
    number_bodies();
    auto pattern = std::make_shared<BlockPattern>();
    pattern->primal_size.assign(out_.body_of_block.size(), 6);
    pattern->primal_split.assign(out_.body_of_block.size(), 1);
    dual_of_.resize(model_.pools().size());
    for (std::size_t p = 0; p < model_.pools().size(); ++p)
      dual_of_[p].assign(index(model_.pools()[p]->size()), -1);
    for (const Model::ElementRef& c : model_.constraints()) {
      dual_of_[index(c.pool)][index(c.element)] = pattern->dual_count();
      pattern->dual_size.push_back(model_.pools()[index(c.pool)]->rows());
    }
    pattern_ = pattern.get();
    for (std::size_t p = 0; p < model_.pools().size(); ++p) add_pool(static_cast<int>(p));
    pattern->finish();
    place_slots();
    part_into_stages();
    out_.pattern = std::move(pattern);
    return std::move(out_);
  }

 private:
  void number_bodies() {
    for (int b = 0; b < model_.body_count(); ++b) {
      const bool fixed = model_.body(BodyId{b}).fixed;
      out_.block_of_body.push_back(fixed ? -1 : static_cast<int>(out_.body_of_block.size()));
      out_.fixed_of_body.push_back(fixed ? out_.fixed_count++ : -1);
      if (!fixed) out_.body_of_block.push_back(b);
    }
    add_fixed(still_);
    for (const Body& b : model_.bodies())
      if (b.fixed) add_fixed(b);
    out_.far = is_far(6 * out_.body_of_block.size());
    out_.chunk_size = chunk_bodies;
    out_.chunks = (static_cast<int>(out_.body_of_block.size()) + chunk_bodies - 1) / chunk_bodies;
  }

  // The number of one more pose among those of what does not move.
  int add_fixed(const Body& pose) {
    const std::size_t at = out_.fixed_q.size();
    out_.fixed_q.resize(at + 7);
    put_pose(pose, out_.fixed_q.data() + at);
    return static_cast<int>(at / 7);
  }
  const Body& fixed_body(BodyId id) const { return id == ground ? still_ : model_.body(id); }

  int block(BodyId id) const { return id == ground ? -1 : out_.block_of_body[index(static_cast<int>(id))]; }
  int fixed_index(BodyId id) const {
    return id == ground ? 0 : out_.fixed_of_body[index(static_cast<int>(id))];
  }

  std::vector<Element> sorted_elements(const ElementPool& pool) const {
    std::vector<Element> elements;
    for (int e = 0; e < pool.size(); ++e) {
      Element x{e, -1, 0U};
      for (int i = 0; i < pool.bodies(); ++i) {
        const int b = block(pool.body(e, i));
        if (b < 0) {
          x.fixed |= 1U << static_cast<unsigned>(i);
          continue;
        }
        const int chunk = b / out_.chunk_size;
        x.chunk = x.chunk < 0 || x.chunk == chunk ? chunk : out_.chunks;
      }
      assert(x.chunk >= 0 && "an element without a moving body: Model::check() refuses it");
      if (is_at_once(pool.plan().stages.front())) x.chunk = out_.chunks;
      elements.push_back(x);
    }
    // Runs of consecutive elements with the same fixed bodies stay in the order of the pool, because pools
    // of user types are addressed by `first` and a count.
    std::stable_sort(elements.begin(), elements.end(),
                     [](const Element& a, const Element& b) { return a.chunk < b.chunk; });
    return elements;
  }

  void add_pool(int number) {
    const ElementPool& pool = *model_.pools()[index(number)];
    out_.discrete_begin.push_back(out_.discrete_size);
    out_.discrete_of_element.push_back(pool.discrete_size());
    out_.discrete_size += pool.size() * pool.discrete_size();
    PoolGroups groups;
    groups.pool = &pool;
    groups.constraints = pool.rows() > 0;
    groups.chunk_begin.assign(index(out_.chunks) + 2, 0);
    const std::vector<Element> elements = sorted_elements(pool);
    std::size_t k = 0;
    for (int chunk = 0; chunk <= out_.chunks; ++chunk) {
      groups.chunk_begin[index(chunk)] = static_cast<int>(groups.groups.size());
      while (k < elements.size() && elements[k].chunk == chunk) {
        std::size_t end = k + 1;
        while (end < elements.size() && end < k + lanes && elements[end].chunk == chunk &&
               elements[end].fixed == elements[k].fixed &&
               pool.reaction_of(elements[end].number).rows == pool.reaction_of(elements[k].number).rows &&
               elements[end].number == elements[end - 1].number + 1)
          ++end;
        groups.groups.push_back(make_group(number, pool, elements[k], static_cast<int>(end - k)));
        k = end;
      }
    }
    groups.chunk_begin[index(out_.chunks) + 1] = static_cast<int>(groups.groups.size());
    groups.number = number;
    out_.pools.push_back(std::move(groups));
  }

  ElementGroup make_group(int pool_number, const ElementPool& pool, const Element& first, int count) {
    ElementGroup g{};
    g.count = count;
    g.fixed = first.fixed;
    g.first = first.number;
    g.discrete_at = out_.discrete_begin[index(pool_number)] + first.number * pool.discrete_size();
    const bool constraint = pool.rows() > 0, split = constraint && begins_as_ball_joint(pool.plan());
    for (int i = 0; i < pool.bodies(); ++i) {
      const bool fixed = (g.fixed >> static_cast<unsigned>(i) & 1U) != 0;
      if (constraint && !fixed) g.C_at[i] = static_cast<std::uint32_t>(new_slots(pool.rows()));
      for (int l = 0; l < lanes; ++l) {
        const BodyId id = pool.body(first.number + (l < count ? l : 0), i);
        const int b = block(id);
        g.q_at[i][l] = 7 * (fixed ? fixed_index(id) : b);
        g.v_at[i][l] = fixed ? 0 : 6 * b;
        g.block[i][l] = fixed ? 0 : b;
        if (!fixed && !split) pattern_->primal_split[index(b)] = 0;
        if (constraint && !fixed && l < count) {
          pattern_->incidences.push_back({dual_of_[index(pool_number)][index(first.number + l)], b});
          pattern_->incidence_place.push_back(static_cast<int>(g.C_at[i]) + l);
          pattern_->incidence_split.push_back(split ? 1 : 0);
        }
      }
    }
    for (int l = 0; l < lanes && constraint; ++l)
      g.lambda_at[l] = dual_of_[index(pool_number)][index(first.number + (l < count ? l : 0))];
    if (pool.couples())
      for (int i = 0; i < pool.bodies(); ++i)
        for (int j = i + 1; j < pool.bodies(); ++j) add_couplings(g, i, j);
    return g;
  }

  // Eight fresh places among the slots of this many rows; C_at holds the place until place_slots().
  int new_slots(int rows) {
    int& next = next_place_[rows];
    next += lanes;
    return next - lanes;
  }

  void add_couplings(ElementGroup& g, int i, int j) {
    if (((g.fixed >> static_cast<unsigned>(i) | g.fixed >> static_cast<unsigned>(j)) & 1U) != 0) return;
    const int pair = pair_number(i, j);
    for (int l = 0; l < lanes; ++l) {
      const int bi = g.block[i][l], bj = g.block[j][l];
      const std::pair<int, int> key{std::min(bi, bj), std::max(bi, bj)};
      const auto [where, fresh] = coupling_of_.try_emplace(key, static_cast<int>(pattern_->couplings.size()));
      if (fresh) pattern_->couplings.push_back({key.first, key.second});
      g.swapped[pair][l] = bi > bj ? 1 : 0;
      g.pair_at[pair][l] = where->second;  // the number of the coupling, until place_slots()
    }
  }

  // Every pool once for each of its stages, whose groups see their own rows and parameters.
  void part_into_stages() {
    std::vector<PoolGroups> whole = std::move(out_.pools);
    out_.pools.clear();
    std::stable_partition(whole.begin(), whole.end(),
                          [](const PoolGroups& pool) { return pool.reactions.empty(); });
    for (PoolGroups& pool : whole) {
      const std::vector<Stage>& stages = pool.pool->plan().stages;
      const std::size_t last = stages.size() - 1;
      for (std::size_t k = 0; k <= last; ++k) {
        PoolGroups part;
        part.pool = pool.pool;
        part.number = pool.number;
        part.stage = stages[k];
        part.constraints = pool.constraints;
        part.chunk_begin = pool.chunk_begin;
        part.far = out_.far;
        if (k == last)
          part.groups = std::move(pool.groups);
        else
          part.groups = pool.groups;
        part.reactions = pool.reactions;  // of forces, which have one stage
        for (std::size_t i = 0; i < part.reactions.size(); ++i) part.groups[i].reaction = &part.reactions[i];
        narrow_to_stage(part);
        out_.pools.push_back(std::move(part));
      }
    }
  }

  // Rows, slots and parameters of the stage alone. Of what joins points, fixed bodies become anchors (anchor.hpp).
  void narrow_to_stage(PoolGroups& part) {
    const Stage& stage = part.stage;
    const bool anchored = stage.positions == PositionUse::difference && stage.points > 0;
    part.parameters.resize(part.groups.size() * index(8 * stage.parameters));
    std::vector<double> all(index(part.pool->plan().parameters));
    for (std::size_t k = 0; k < part.groups.size(); ++k) {
      ElementGroup& g = part.groups[k];
      for (int i = 0; i < part.pool->bodies() && part.constraints; ++i)
        if ((g.fixed >> static_cast<unsigned>(i) & 1U) == 0)
          g.C_at[i] += static_cast<std::uint32_t>(8 * 6 * stage.row);
      for (int& at : g.lambda_at) at += stage.row;
      if (stage.parameters == 0) continue;
      double* base = part.parameters.data() + k * index(8 * stage.parameters);
      for (int l = 0; l < lanes; ++l) {
        const int element = g.first + (l < g.count ? l : 0);
        part.pool->parameters(element, all.data());
        double* p = all.data() + stage.parameter;
        for (int i = 0; i < stage.points && anchored; ++i)
          if ((g.fixed >> static_cast<unsigned>(i) & 1U) != 0)
            g.q_at[i][l] =
                7 * take_anchor(part.pool->body(element, i), l < g.count ? -1 : g.q_at[i][0] / 7, p + 3 * i);
        for (int e = 0; e < stage.parameters; ++e) base[8 * e + l] = p[e];
      }
      g.parameters = base;
    }
  }

  // Replaces the point by what its anchor leaves of it; the number of the anchor's pose, which is added unless known.
  int take_anchor(BodyId id, int known, double* point) {
    const Body& body = fixed_body(id);
    const Anchor anchor = anchor_of(body, {{point[0], point[1], point[2]}});
    for (int c = 0; c < 3; ++c) point[c] = anchor.rest[c];
    if (known >= 0) return known;
    Body pose;
    pose.position = anchor.place;
    pose.orientation = body.orientation;
    return add_fixed(pose);
  }

  // Replaces places and numbers by offsets into the pools of every BlockMatrix on this pattern.
  void place_slots() {
    const MatrixLayout layout(*pattern_);
    std::map<int, std::size_t> base;  // of the slots with this many rows
    for (std::size_t k = 0; k < pattern_->incidences.size(); ++k) {
      const int rows = pattern_->dual_size[index(pattern_->incidences[k].dual)];
      const int place = pattern_->incidence_place[k];
      base[rows] = layout.incidence.offset[k] - index(place / 8 * 8 * rows * 6 + place % 8);
    }
    for (PoolGroups& pool : out_.pools)
      for (ElementGroup& g : pool.groups) {
        for (int i = 0; i < pool.pool->bodies(); ++i) {
          for (int l = 0; l < lanes; ++l)
            g.H_at[i][l] = layout.H.offset.empty() ? 0U : layout.H.offset[index(g.block[i][l])];
          if (pool.constraints && (g.fixed >> static_cast<unsigned>(i) & 1U) == 0)
            g.C_at[i] = static_cast<std::uint32_t>(base[pool.pool->rows()] +
                                                   g.C_at[i] * index(pool.pool->rows() * 6));
        }
        if (pool.constraints)
          for (int& at : g.lambda_at) at = pattern_->dual_offset[index(at)] - pattern_->primal_dimension;
        if (pool.pool->couples()) place_couplings(layout, pool.pool->bodies(), g);
      }
    for (PoolGroups& pool : out_.pools) place_reactions(layout, pool);
  }

  // Of forces that read multipliers: where these are, and their slots in B, which belong to the joint.
  void place_reactions(const MatrixLayout& layout, PoolGroups& pool) {
    if (pool.constraints || pool.pool->size() == 0 || pool.pool->reaction_of(0).rows == 0) return;
    if (place_of_incidence_.empty())
      for (std::size_t k = 0; k < pattern_->incidences.size(); ++k)
        place_of_incidence_.emplace(std::pair{pattern_->incidences[k].dual, pattern_->incidences[k].primal},
                                    k);
    for (const ElementGroup& g : pool.groups) {
      ReactionSlots slots;
      for (int l = 0; l < lanes; ++l) {
        const ReactionOf read = pool.pool->reaction_of(g.first + (l < g.count ? l : 0));
        const int dual = static_cast<int>(read.joint);
        slots.rows = read.rows;
        slots.lambda_at[l] = pattern_->dual_offset[index(dual)] - pattern_->primal_dimension + read.row;
        for (int i = 0; i < pool.pool->bodies(); ++i)
          if ((g.fixed >> static_cast<unsigned>(i) & 1U) == 0)
            slots.Bt_at[i][l] = static_cast<std::uint32_t>(
                layout.incidence.offset[place_of_incidence_.at({dual, g.block[i][l]})] +
                index(8 * 6 * read.row));
      }
      pool.reactions.push_back(slots);
    }
  }

  static void place_couplings(const MatrixLayout& layout, int bodies, ElementGroup& g) {
    for (int i = 0; i < bodies; ++i)
      for (int j = i + 1; j < bodies; ++j) {
        if (((g.fixed >> static_cast<unsigned>(i) | g.fixed >> static_cast<unsigned>(j)) & 1U) != 0) continue;
        const int pair = pair_number(i, j);
        for (int l = 0; l < lanes; ++l) {
          const std::size_t c = index(g.pair_at[pair][l]);
          const int upper = static_cast<int>(layout.coupling.offset[c]);
          const int lower = static_cast<int>(layout.coupling_t.offset[c]);
          g.pair_at[pair][l] = g.swapped[pair][l] != 0 ? lower : upper;
          g.pair_transposed_at[pair][l] = g.swapped[pair][l] != 0 ? upper : lower;
        }
      }
  }

  const Model& model_;
  const Body still_{};  // the ground
  ElementLayout out_;
  BlockPattern* pattern_ = nullptr;
  std::vector<std::vector<int>> dual_of_;  // [pool][element]
  std::map<int, int> next_place_;          // by rows
  std::map<std::pair<int, int>, int> coupling_of_;
  std::map<std::pair<int, int>, std::size_t> place_of_incidence_;  // by dual and primal, once it is asked for
};

}  // namespace

ElementLayout make_element_layout(const Model& model) { return Builder(model).build(); }

int discrete_offset(const ElementLayout& layout, const Model::ElementRef& element) {
  const int size = layout.discrete_of_element[index(element.pool)];
  return size == 0 ? -1 : layout.discrete_begin[index(element.pool)] + element.element * size;
}

std::vector<double> initial_discrete(const ElementLayout& layout) {
  std::vector<double> values(index(layout.discrete_size));
  for (const PoolGroups& part : layout.pools) {
    const int size = part.pool->discrete_size();
    for (int e = 0; e < part.pool->size() && size > 0; ++e)
      part.pool->initial_discrete(e, values.data() + layout.discrete_begin[index(part.number)] + e * size);
  }
  return values;
}

}  // namespace catena::detail
