// How the constraints or forces of a C++ type are evaluated, and what their rows mean.
#pragma once
#include <catena/model/detail/joins.hpp>

#include <utility>

namespace catena::detail {
namespace of_element {

// The plan of a type: that of its rows, the compiled function of a force of the library, or none: what a user's type
// computes is unknown.
template <class E>
const Plan& plan_of() {
  if constexpr (rows::MadeOfRows<E>) {
    return rows::plan_of<E>();
  } else if constexpr (HasKernel<E>) {
    using K = decltype(kernel_of<double>(std::declval<const E&>()));
    static const Plan plan{{{CompiledKernels<double>::number_of<K>(), 0, 0, 0, K::parameters,
                             positions_of<K>(), points_of_kernel<K>()}},
                           {},
                           K::parameters};
    return plan;
  } else {
    static const Plan plan = [] {
      Plan p;
      p.stages.push_back({});
      if constexpr (HasRows<E>) {
        p.stages[0].rows = row_count<E>;
        p.groups.push_back({0, row_count<E>, 0, meaning_of_user<E>()});
        p.stages[0].positions = p.groups[0].meaning.positions;
        p.stages[0].points = p.groups[0].meaning.points;
        p.stages[0].parameters = p.parameters = 3 * p.stages[0].points;
      }
      return p;
    }();
    return plan;
  }
}

}  // namespace of_element
}  // namespace catena::detail
