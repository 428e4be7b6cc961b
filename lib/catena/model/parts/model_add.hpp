// Model::add for constraints and forces; included by model.hpp.
#pragma once
#include <catena/model/detail/typed_pool.hpp>
#include <catena/model/element_listing.hpp>
#include <catena/model/model.hpp>

#include <algorithm>
#include <cmath>

namespace catena {

template <class E>
auto Model::add(E element) {
  if constexpr (std::is_same_v<E, RowsJoint>)
    return add_rows(std::move(element));
  else
    return add_typed(std::move(element));
}

template <class E>
auto Model::add_typed(E element) {
  static_assert(detail::of_element::HasBodies<E>,
                "a constraint or force needs the member std::array<BodyId, N> bodies with 1 <= N <= 4");
  static_assert(Constraint<E> || Force<E>,
                "neither a constraint (static constexpr int rows, and gap(A, ..., t) or, at Level::velocity, "
                "rate(A, ..., t), returning Vec<S, rows>) nor a force (wrench(A, ..., t)); see "
                "constraint.hpp, force.hpp");
  constexpr bool is_constraint = Constraint<E>;
  constexpr int n = detail::of_element::body_count<E>;
  using Pool = detail::PoolOf<E>;

  // Refuse first: a model that throws is unchanged.
  const std::type_index type(typeid(E));
  const auto known = pool_of_type_.find(type);
  const int pool_number = known == pool_of_type_.end() ? static_cast<int>(pools_.size()) : known->second;
  const int count = known == pool_of_type_.end() ? 0 : pools_[static_cast<std::size_t>(pool_number)]->size();
  const char* type_name = detail::of_element::type_name_of<E>(is_constraint ? "constraint" : "force");
  std::string name;
  if constexpr (detail::of_element::HasName<E>) name = element.name;
  int automatic = -1;  // the number in an automatic name
  if (name.empty()) {
    automatic = count;
    if (known != pool_of_type_.end())
      automatic = std::max(
          count, static_cast<const Pool&>(*pools_[static_cast<std::size_t>(pool_number)]).next_number());
    name = free_name(type_name, automatic);
    if constexpr (detail::of_element::HasName<E>) element.name = name;
  }
  ElementDescription what{is_constraint ? "joint" : "force", name, type_name, element.bodies.data(), n};
  check_element(what);
  const ElementDefect defect = element_defect(element);
  if (!defect.empty()) refuse(what, defect.text, defect.member);
  BodyFrame<double> f[n];
  for (int i = 0; i < n; ++i) f[i] = initial_frame(element.bodies[static_cast<std::size_t>(i)]);
  if constexpr (requires { element.placed(f); }) element.placed(f);
  const detail::of_element::AtDiscrete<E> at_first(element, nullptr, 0, 0);
  const std::string undefined = detail::of_element::defect_at(element, f, 0.0);
  if constexpr (is_constraint) {
    if (!undefined.empty()) refuse(what, undefined);
    const Vec<double, detail::of_element::row_count<E>> r =
        detail::of_element::definition<double>(at_first.get(), f, 0.0);
    for (int k = 0; k < detail::of_element::row_count<E>; ++k)
      if (!std::isfinite(r[k]))
        refuse(what, "row " + std::to_string(k) + " is not finite in the initial state");
    if constexpr (detail::of_element::JoinsPoints<E>) {
      const std::string wrong = detail::of_element::wrong_joins(element, f, 0.0);
      if (!wrong.empty()) refuse(what, wrong);
    }
  } else {
    Vec<double, 6> w[n];
    detail::of_element::wrench<double>(at_first.get(), f, 0.0, w);
    // Bodies may yet be moved to where it has a value.
    for (int k = 0; k < 6 * n; ++k)
      if (undefined.empty() && !std::isfinite(w[k / 6][k % 6]))
        refuse(what, "the force is not finite in the initial state");
  }

  if (known == pool_of_type_.end()) {
    pools_.push_back(std::make_unique<Pool>());
    pool_of_type_.emplace(type, pool_number);
  }
  auto& pool = static_cast<Pool&>(*pools_[static_cast<std::size_t>(pool_number)]);
  if constexpr (is_constraint) pool.find_couplings(at_first.get(), f);
  pool.push_back(std::move(element), automatic);
  auto& list = is_constraint ? constraints_ : forces_;
  list.push_back({pool_number, count});
  element_names_.insert(name, 2 * (static_cast<int>(list.size()) - 1) + (is_constraint ? 0 : 1));
  using Id = std::conditional_t<is_constraint, ConstraintId, ForceId>;
  return Id{static_cast<int>(list.size()) - 1};
}

}  // namespace catena
