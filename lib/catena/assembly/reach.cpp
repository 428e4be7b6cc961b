#include <catena/assembly/detail/reach.hpp>
#include <catena/math/detail/index.hpp>
#include <catena/model/detail/lane_io.hpp>
#include <catena/model/rows/coupled_term.hpp>
#include <catena/model/rows/parameters.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

namespace catena::detail {
namespace {

// The groups of rows that begin with the points of this stage.
double arms_of(const PoolGroups& part, const ElementGroup& g, int lane) {
  const auto entry = [&](int e) { return g.parameters[8 * e + lane]; };
  double arms = 0.0;
  for (int i = 0; i < part.stage.points; ++i)
    arms += norm(Vec3{{entry(3 * i), entry(3 * i + 1), entry(3 * i + 2)}});
  for (const RowGroup& rows : part.pool->plan().groups)
    if (rows.parameter == part.stage.parameter && rows.meaning.length_parameter >= 0)
      arms += entry(rows.meaning.length_parameter);
  return arms;
}

bool position_rows(const PoolGroups& part) {
  return part.constraints && part.pool->level() == Level::position;
}

}  // namespace

double longest_arms(const ElementLayout& elements) {
  double length = 0.0;
  for (const PoolGroups& part : elements.pools)
    if (position_rows(part) && part.stage.positions == PositionUse::difference)
      for (const ElementGroup& g : part.groups)
        for (int l = 0; l < g.count && g.parameters != nullptr; ++l)
          length = std::max(length, arms_of(part, g, l));
  return length;
}

std::vector<double> reach_of_constraints(const ElementLayout& elements, const SystemLayout& layout,
                                         const std::vector<double>& size) {
  const BlockPattern& p = *layout.pattern;
  std::vector<double> reach(index(p.dual_count()), 0.0);
  std::vector<std::uint8_t> known(reach.size(), 0);
  for (const PoolGroups& part : elements.pools)
    if (position_rows(part) && part.stage.positions == PositionUse::difference)
      for (const ElementGroup& g : part.groups)
        for (int l = 0; l < g.count && g.parameters != nullptr; ++l) {
          const std::size_t d = index(p.block_of(p.primal_dimension + g.lambda_at[l]));
          reach[d] = std::max(reach[d], arms_of(part, g, l));
          known[d] = 1;
        }
  for (const auto& [dual, primal] : p.incidences)
    reach[index(dual)] = std::max(reach[index(dual)], size[index(primal)]);
  for (std::size_t d = 0; d < reach.size(); ++d)
    if (known[d] == 0 || reach[d] == 0.0) reach[d] = layout.reach;
  return reach;
}

std::vector<PlaceRows> place_rows_of(const Model& model, const ElementLayout& elements) {
  std::vector<PlaceRows> found;
  for (std::size_t c = 0; c < model.constraints().size(); ++c) {
    const Model::ElementRef& ref = model.constraints()[c];
    const ElementPool& pool = *model.pools()[index(ref.pool)];
    if (pool.level() != Level::position) continue;
    const std::vector<Stage>& stages = pool.plan().stages;
    if (std::none_of(stages.begin(), stages.end(),
                     [](const Stage& s) { return s.positions == PositionUse::world; }))
      continue;
    PlaceRows rows;
    rows.dual = static_cast<int>(c);
    for (int i = 0; i < pool.bodies(); ++i) {
      const BodyId id = pool.body(ref.element, i);
      if (id == ground) continue;
      const int block = elements.block_of_body[index(static_cast<int>(id))];
      if (block >= 0)
        rows.q_at[index(i)] = 7 * block;
      else
        for (int k = 0; k < 3; ++k) rows.fixed = std::max(rows.fixed, std::abs(model.body(id).position[k]));
    }
    found.push_back(rows);
  }
  return found;
}

namespace {

// Rotations, and sines and cosines of them, are known to as many units in the last place (SystemLayout::roundoff_of_cosines);
// so is what they turn.
constexpr double of_rotation = SystemLayout::roundoff_of_cosines;

// The way from body a to body b of the element in lane l, and the arms there.
OpenRows::Part way_between(const ElementLayout& elements, const ElementGroup& g, int l, int a, int b) {
  OpenRows::Part way;
  const int body[2] = {a, b};
  for (int i = 0; i < 2; ++i) {
    const int at = g.q_at[body[i]][l];
    if ((g.fixed >> static_cast<unsigned>(body[i]) & 1U) == 0) {
      way.q_at[index(i)] = at;
      continue;
    }
    for (int k = 0; k < 3; ++k) way.still[k] += (i == 0 ? -1.0 : 1.0) * elements.fixed_q[index(at + k)];
  }
  return way;
}

// sum |r_k s_k| of a coupling, with the numbers that s_k is made of.
void add_sum(const ElementLayout& elements, const PoolGroups& part, const ElementGroup& g, int l,
             OpenRows& rows) {
  const LaneIo<double> io{l};
  constexpr int stride = LaneIo<double>::stride();
  const double* p = g.parameters + stride * 3 * part.stage.points;
  const int terms = static_cast<int>(io.first(p, 1));
  int angle_at = g.discrete_at + l * part.pool->discrete_size();
  p += 2 * stride;
  for (int k = 0; k < terms; ++k, p += stride * rows::CoupledTerm<double>::parameters) {
    const auto term = rows::CoupledTerm<double>::load(io, p);
    const double ratio = std::abs(term.ratio);
    if (term.of.angle) {
      rows.least += ratio * of_rotation;
      rows.parts.push_back({.factor = ratio, .angle_at = angle_at++});
      continue;
    }
    OpenRows::Part way = way_between(elements, g, l, term.of.a, term.of.b);
    way.factor = of_rotation * ratio;
    rows.parts.push_back(way);
    double arms = norm(term.from_a) + norm(term.from_b);
    for (const int body : {term.of.a, term.of.b})
      arms += norm(load_vector<double>(io, g.parameters, 3 * body));
    rows.least += of_rotation * ratio * arms;
  }
}

}  // namespace

std::vector<OpenRows> open_rows_of(const ElementLayout& elements) {
  const BlockPattern& p = *elements.pattern;
  std::vector<OpenRows> found;
  for (const PoolGroups& part : elements.pools) {
    if (!position_rows(part)) continue;
    Open open = Open::nothing;
    for (const RowGroup& rows : part.pool->plan().groups)
      if (rows.row == part.stage.row) open = rows.meaning.open;
    for (const ElementGroup& g : part.groups)
      for (int l = 0; l < g.count && open != Open::nothing && g.parameters != nullptr; ++l) {
        OpenRows rows;
        rows.dual = p.block_of(p.primal_dimension + g.lambda_at[l]);
        if (open == Open::sum) add_sum(elements, part, g, l, rows);
        for (int i = 1; i < part.pool->bodies() && open == Open::way; ++i) {
          rows.parts.push_back(way_between(elements, g, l, 0, i));
          rows.parts.back().factor = of_rotation;
        }
        found.push_back(std::move(rows));
      }
  }
  // Rows of one joint have the same bodies: one group of them has the ways of all.
  const auto earlier = [](const OpenRows& a, const OpenRows& b) { return a.dual < b.dual; };
  std::stable_sort(found.begin(), found.end(), earlier);
  const auto same = [](const OpenRows& a, const OpenRows& b) { return a.dual == b.dual; };
  found.erase(std::unique(found.begin(), found.end(), same), found.end());
  return found;
}

int leading_lengths(const ElementPool& pool) {
  int rows = 0;
  for (const RowGroup& group : pool.plan().groups) {
    if (group.meaning.unit != RowUnit::length) break;
    rows += group.rows;
  }
  return rows;
}

}  // namespace catena::detail
