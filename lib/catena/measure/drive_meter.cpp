#include <catena/assembly/detail/chunk_groups.hpp>
#include <catena/math/detail/index.hpp>
#include <catena/measure/detail/drive_meter.hpp>

#include <algorithm>
#include <numeric>

namespace catena::detail {
namespace {

bool is_driven(const RowGroup& group) { return group.meaning.driven; }

// Whether a stage of a pool evaluates driven rows.
bool has_driven_rows(const PoolGroups& pool) {
  const std::vector<RowGroup>& groups = pool.pool->plan().groups;
  return std::any_of(groups.begin(), groups.end(), [&](const RowGroup& g) {
    return is_driven(g) && g.row >= pool.stage.row && g.row < pool.stage.row + pool.stage.rows;
  });
}

}  // namespace

std::vector<ConstraintId> driven_constraints(const Model& model) {
  std::vector<ConstraintId> driven;
  for (std::size_t k = 0; k < model.constraints().size(); ++k) {
    const std::vector<RowGroup>& groups = model.pools()[index(model.constraints()[k].pool)]->plan().groups;
    if (std::any_of(groups.begin(), groups.end(), is_driven))
      driven.push_back(ConstraintId{static_cast<int>(k)});
  }
  return driven;
}

int DriveMeter::count(const System& system) {
  const BodySystem* bodies = bodies_of(system);
  if (bodies == nullptr) return system.layout().pattern->dual_count();
  return static_cast<int>(driven_constraints(bodies->model()).size());
}

DriveMeter::DriveMeter(const System& system) : system_(system), bodies_(bodies_of(system) != nullptr) {
  const BlockPattern& pattern = *system.layout().pattern;
  rates_.assign(index(pattern.dual_dimension), 0.0);
  at_rest_.assign(index(pattern.primal_dimension), 0.0);
  if (!bodies_) {
    constraints_.resize(index(pattern.dual_count()));
    std::iota(constraints_.begin(), constraints_.end(), 0);
    return;
  }
  elements_ = make_element_layout(bodies_of(system)->model());
  for (const PoolGroups& pool : elements_.pools) {
    if (!pool.constraints || !has_driven_rows(pool)) continue;
    stages_.push_back(&pool);
    for (const ElementGroup& g : pool.groups)
      for (int l = 0; l < g.count; ++l)
        constraints_.push_back(pattern.block_of(pattern.primal_dimension + g.lambda_at[l]));
  }
  // A joint may have driven rows in several stages.
  std::sort(constraints_.begin(), constraints_.end());
  constraints_.erase(std::unique(constraints_.begin(), constraints_.end()), constraints_.end());
}

void DriveMeter::evaluate(double t, const double* q, const double* discrete) {
  if (!bodies_) {
    Evaluation wanted;
    wanted.velocity = rates_.data();
    system_.evaluate({.t = t, .q = q, .v = at_rest_.data(), .discrete = discrete}, wanted);
    return;
  }
  KernelArgs args;
  args.t = t;
  args.q = q;
  args.fixed_q = elements_.fixed_q.data();
  args.discrete = discrete;
  args.velocity = rates_.data();
  for (const PoolGroups* pool : stages_) evaluate_groups(*pool, function_of(pool->stage, *functions_), args);
}

void DriveMeter::operator()(double t, const double* q, const double* lambda, const double* discrete,
                            double* out) {
  const BlockPattern& pattern = *system_.layout().pattern;
  std::fill_n(out, pattern.dual_count(), 0.0);
  moving_ = false;
  if (constraints_.empty()) return;
  evaluate(t, q, discrete);
  for (const int c : constraints_) {
    const int first = pattern.dual_offset[index(c)] - pattern.primal_dimension;
    for (int k = first; k < first + pattern.dual_size[index(c)]; ++k) {
      const double rate = rates_[index(k)];
      if (rate == 0.0) continue;
      moving_ = true;
      out[c] += lambda[k] * rate;
    }
  }
}

}  // namespace catena::detail
