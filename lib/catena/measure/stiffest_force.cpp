#include <catena/math/detail/index.hpp>
#include <catena/measure/detail/oscillation.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace catena::detail {
namespace {

constexpr int stride = 8;           // of the lanes that kernels write
constexpr int block = 36 * stride;  // numbers of a matrix of one body

// Lane l of a group as a group of its own, with its parameters, whose matrices of bodies 0, 1, ... lie one behind the other.
ElementGroup alone(const PoolGroups& pool, const ElementGroup& group, int l,
                   std::vector<double>& parameters) {
  ElementGroup one = group;
  one.count = 1;
  one.first = group.first + l;
  one.discrete_at = group.discrete_at + l * pool.pool->discrete_size();
  for (int i = 0; i < max_bodies_per_element; ++i)
    for (int k = 0; k < stride; ++k) {
      one.q_at[i][k] = group.q_at[i][l];
      one.v_at[i][k] = group.v_at[i][l];
      one.block[i][k] = group.block[i][l];
      one.H_at[i][k] = static_cast<std::uint32_t>(block * i);
    }
  for (int pair = 0; pair < 6; ++pair)
    for (int k = 0; k < stride; ++k) {
      one.pair_at[pair][k] = one.pair_transposed_at[pair][k] = 0;
      one.swapped[pair][k] = 0;
    }
  if (group.parameters == nullptr) return one;
  parameters.assign(index(pool.stage.parameters * stride), 0.0);
  for (int p = 0; p < pool.stage.parameters; ++p)
    std::fill_n(parameters.begin() + stride * p, stride, group.parameters[stride * p + l]);
  one.parameters = parameters.data();
  return one;
}

// sqrt(|k| / m), the largest of the six velocities of a body.
double largest_rate(const double* stiffness, const Body& body) {
  double square = 0.0;
  for (int i = 0; i < 6; ++i) {
    const double m = i < 3 ? body.mass : body.inertia(i - 3, i - 3);
    if (m > 0.0) square = std::max(square, std::abs(stiffness[stride * (7 * i)]) / m);
  }
  return std::sqrt(square);
}

std::string label_of(const Model& model, int pool, int element) {
  int number = 0;
  for (const Model::ElementRef& at : model.forces()) {
    if (at.pool == pool && at.element == element) break;
    ++number;
  }
  return model.force_label(ForceId{number});
}

}  // namespace

StiffForce stiffest_force(const BodySystem& system, const State& state, int wanted) {
  const ElementLayout elements = make_element_layout(system.model());
  const Body& body = system.model().bodies()[index(elements.body_of_block[index(wanted)])];
  std::vector<double> H(index(max_bodies_per_element * block)), couplings(index(block)), parameters;
  KernelArgs args;
  args.t = state.t;
  args.q = state.q.data();
  args.fixed_q = elements.fixed_q.data();
  args.discrete = state.discrete.empty() ? nullptr : state.discrete.data();
  args.stiffness = 1.0;
  args.H = H.data();
  args.coupling[0] = args.coupling[1] = couplings.data();
  StiffForce stiffest;
  for (const PoolGroups& pool : elements.pools) {
    if (pool.constraints) continue;
    const GroupFunction function = function_of(pool.stage, lane_functions());
    for (const ElementGroup& group : pool.groups)
      for (int l = 0; l < group.count; ++l)
        for (int i = 0; i < pool.pool->bodies(); ++i) {
          if ((group.fixed >> i & 1U) != 0 || group.block[i][l] != wanted) continue;
          std::fill(H.begin(), H.end(), 0.0);
          pool.evaluate(function, args, alone(pool, group, l, parameters));
          const double rate = largest_rate(H.data() + block * i, body);
          if (rate <= stiffest.rate) continue;
          stiffest = {label_of(system.model(), pool.number, group.first + l), rate};
        }
  }
  return stiffest;
}

}  // namespace catena::detail
