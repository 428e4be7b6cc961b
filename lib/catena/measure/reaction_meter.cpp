#include <catena/assembly/detail/chunk_groups.hpp>
#include <catena/math/detail/index.hpp>
#include <catena/math/parts/rotated.hpp>
#include <catena/measure/detail/reaction_meter.hpp>

#include <algorithm>

namespace catena::detail {
namespace {

// The dual block of every element of every pool; -1: a force.
std::vector<std::vector<int>> dual_blocks(const Model& model) {
  std::vector<std::vector<int>> dual(model.pools().size());
  for (std::size_t p = 0; p < dual.size(); ++p) dual[p].assign(index(model.pools()[p]->size()), -1);
  int count = 0;
  for (const Model::ElementRef& c : model.constraints()) dual[index(c.pool)][index(c.element)] = count++;
  return dual;
}

bool acts_equal_and_opposite(const ElementPool& pool) {
  const std::vector<RowGroup>& groups = pool.plan().groups;
  return std::all_of(groups.begin(), groups.end(),
                     [](const RowGroup& g) { return g.meaning.opposite != Opposite::none; });
}

bool multiplier_is_force(const ElementPool& pool) {
  const std::vector<RowGroup>& groups = pool.plan().groups;
  return groups.size() == 1 && groups.front().meaning.multiplier_is_force;
}

// The first rows that join points; null: the constraint has none.
const RowGroup* rows_with_points(const ElementPool& pool) {
  for (const RowGroup& g : pool.plan().groups)
    if (g.meaning.points > 0) return &g;
  return nullptr;
}

}  // namespace

ReactionMeter::ReactionMeter(const BodySystem& system) : elements_(make_element_layout(system.model())) {
  const Model& model = system.model();
  find_sides(model);
  wrench_.resize(6 * (sides_.size() + 1));
  plain_.resize(sides_.size());
  aim_groups(model);
}

void ReactionMeter::find_sides(const Model& model) {
  for (std::size_t c = 0; c < model.constraints().size(); ++c) {
    const ElementPool& pool = *model.pools()[index(model.constraints()[c].pool)];
    const int element = model.constraints()[c].element;
    first_side_.push_back(static_cast<int>(sides_.size()));
    const bool one_side = acts_equal_and_opposite(pool);
    const RowGroup* joined = rows_with_points(pool);
    std::vector<double> parameters(index(pool.plan().parameters));
    if (joined != nullptr) pool.parameters(element, parameters.data());
    for (int i = pool.bodies() - 1; i >= 0; --i) {
      const BodyId id = pool.body(element, i);
      const int block = id == ground ? -1 : elements_.block_of_body[index(static_cast<int>(id))];
      if (block < 0) continue;
      Vec3 point = Vec3::Zero();
      if (joined != nullptr)
        for (int k = 0; k < 3; ++k) point[k] = parameters[index(joined->parameter + 3 * i + k)];
      sides_.push_back({static_cast<int>(c), id, block, point});
      if (one_side) break;
    }
  }
}

// Every element then adds to places of its own, at ElementGroup::v_at.
void ReactionMeter::aim_groups(const Model& model) {
  const std::vector<std::vector<int>> dual = dual_blocks(model);
  const int unkept = 6 * static_cast<int>(sides_.size());
  for (PoolGroups& pool : elements_.pools) {
    if (!pool.constraints) continue;
    const bool plain = multiplier_is_force(*pool.pool);
    for (ElementGroup& g : pool.groups)
      for (int l = 0; l < 8; ++l) {
        const int element = g.first + (l < g.count ? l : 0);
        const int constraint = dual[index(pool.number)][index(element)];
        for (int i = 0; i < pool.pool->bodies(); ++i) {
          g.v_at[i][l] = unkept;
          const BodyId id = pool.pool->body(element, i);
          for (std::size_t s = index(first_side_[index(constraint)]);
               s < sides_.size() && sides_[s].constraint == constraint; ++s)
            if (sides_[s].body == id) {
              g.v_at[i][l] = 6 * static_cast<int>(s);
              if (plain) plain_[s] = {g.lambda_at[l], i == 0 ? 1.0 : -1.0};
            }
        }
      }
  }
}

void ReactionMeter::operator()(double t, const double* q, const double* lambda, const double* discrete,
                               double* out) {
  std::fill(wrench_.begin(), wrench_.end(), 0.0);
  KernelArgs args;
  args.t = t;
  args.q = q;
  args.fixed_q = elements_.fixed_q.data();
  args.lambda = lambda;
  args.discrete = discrete;
  args.balance = wrench_.data();
  for (const PoolGroups& pool : elements_.pools) {
    if (!pool.constraints || multiplier_is_force(*pool.pool)) continue;
    evaluate_groups(pool, function_of(pool.stage, *functions_), args);
  }
  for (std::size_t s = 0; s < sides_.size(); ++s) {
    double* to = out + 6 * s;
    if (plain_[s].lambda_at >= 0) {
      const double* force = lambda + plain_[s].lambda_at;
      for (int k = 0; k < 3; ++k) to[k] = plain_[s].sign * force[k];
      to[3] = to[4] = to[5] = 0.0;
      continue;
    }
    const double* w = wrench_.data() + 6 * s;
    const double* e = q + 7 * sides_[s].block + 3;
    const Quat turn{e[0], e[1], e[2], e[3]};
    const Vec3 about_centre = rotated(turn, {{-w[3], -w[4], -w[5]}}), arm = rotated(turn, sides_[s].point);
    to[0] = -w[0];
    to[1] = -w[1];
    to[2] = -w[2];
    to[3] = about_centre.e[0] + (arm.e[1] * w[2] - arm.e[2] * w[1]);  // - arm x force
    to[4] = about_centre.e[1] + (arm.e[2] * w[0] - arm.e[0] * w[2]);
    to[5] = about_centre.e[2] + (arm.e[0] * w[1] - arm.e[1] * w[0]);
  }
}

}  // namespace catena::detail
