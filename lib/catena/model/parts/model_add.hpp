// Model::add for constraints and forces; included by model.hpp.
#pragma once
#include <catena/math/detail/named_error.hpp>
#include <catena/model/detail/check_members.hpp>
#include <catena/model/detail/typed_pool.hpp>
#include <catena/model/element_listing.hpp>
#include <catena/model/model.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace catena {

namespace detail {

template <class E>
struct IdOf {
  using type = std::conditional_t<of_element::RowsAtRunTime<E> || Constraint<E>, ConstraintId, ForceId>;
};

// Why the element has no finite rows or wrenches at the initial frames f of its bodies, or "".
template <class E>
std::string not_finite_at(const E& element, const BodyFrame<double>* f, const std::string& undefined) {
  const of_element::AtDiscrete<E> at_first(element, nullptr, 0, 0);
  constexpr int n = of_element::body_count<E>;
  if constexpr (Constraint<E>) {
    if (!undefined.empty()) return undefined;
    const Vec<double, of_element::row_count<E>> r = of_element::definition<double>(at_first.get(), f, 0.0);
    for (int k = 0; k < of_element::row_count<E>; ++k)
      if (!std::isfinite(r[k])) return "row " + std::to_string(k) + " is not finite in the initial state";
    if constexpr (of_element::JoinsPoints<E>) return of_element::wrong_joins(element, f, 0.0);
  } else {
    Vec<double, 6> w[n];
    of_element::wrench<double>(at_first.get(), f, 0.0, w);
    // Bodies may yet be moved to where it has a value.
    for (int k = 0; k < 6 * n; ++k)
      if (undefined.empty() && !std::isfinite(w[k / 6][k % 6]))
        return "the force is not finite in the initial state";
  }
  return {};
}

template <class E>
std::unique_ptr<PoolOf<E>> empty_pool_for(const E& element) {
  if constexpr (of_element::RowsAtRunTime<E>)
    return std::make_unique<PoolOf<E>>(element.shape());
  else
    return (void)element, std::make_unique<PoolOf<E>>();
}

// Which of the pools takes the element; a new one at the end where none does.
template <class E>
int pool_number(std::vector<std::unique_ptr<ElementPool>>& pools, const E& element) {
  int number = 0;
  for (const auto& pool : pools) {
    const auto* known = dynamic_cast<const PoolOf<E>*>(pool.get());
    if (known != nullptr && known->takes(element)) return number;
    ++number;
  }
  pools.push_back(empty_pool_for(element));
  return number;
}

}  // namespace detail

template <class E>
typename detail::IdOf<E>::type Model::add(E element) {
  constexpr bool at_run_time = detail::of_element::RowsAtRunTime<E>;
  constexpr bool is_constraint = at_run_time || Constraint<E>;
  if constexpr (!is_constraint && !Force<E>) {
    detail::of_element::check_kind<E>();
    return {};
  } else {
    detail::of_element::check_members<E>();
    using Pool = detail::PoolOf<E>;

    // Refuse first: a model that throws is unchanged.
    int count = 0, automatic = 0;  // of all such elements, and the number in an automatic name
    for (const auto& pool : pools_)
      if (const auto* known = dynamic_cast<const Pool*>(pool.get())) {
        count += known->size();
        automatic = std::max({automatic, count, known->next_number()});
      }
    const char* type_name = detail::of_element::type_name_of<E>(is_constraint ? "constraint" : "force");
    std::string name;
    if constexpr (detail::of_element::HasName<E>) name = element.name;
    if (name.empty()) {
      name = free_name(type_name, automatic);
      if constexpr (detail::of_element::HasName<E>) element.name = name;
    } else {
      automatic = -1;
    }
    const char* const kind = is_constraint ? "joint" : "force";
    if constexpr (requires { element.join(*this); }) {
      const ElementDefect wrong = element.join(*this);
      if (!wrong.empty()) refuse({kind, name, type_name, nullptr, 0}, wrong.text, wrong.member);
    }
    const ElementDescription what{kind, name, type_name, element.bodies.data(),
                                  static_cast<int>(element.bodies.size())};
    check_element(what);
    // What the members of the element throw has its name.
    const auto named = [&](const auto& call) {
      try {
        call();
      } catch (const ModelError&) {
        throw;
      } catch (...) {
        detail::rethrow_named(std::string(kind) + " \"" + name + "\" (" + type_name + ")");
      }
    };
    BodyFrame<double> f[detail::max_bodies_per_element];
    named([&] {
      const ElementDefect defect = element_defect(element);
      if (!defect.empty()) refuse(what, defect.text, defect.member);
      for (std::size_t i = 0; i < element.bodies.size(); ++i) f[i] = initial_frame(element.bodies[i]);
      if constexpr (requires { element.placed(f); }) {
        const auto bodies = element.bodies;
        element.placed(f);
        if (!std::equal(bodies.begin(), bodies.end(), element.bodies.begin(), element.bodies.end()))
          refuse(what, "its placed() changes its bodies, which are chosen by then");
        if constexpr (detail::of_element::HasName<E>)
          if (element.name != name) refuse(what, "its placed() changes its name, which is in use by then");
      }
      if constexpr (detail::of_element::HasDiscrete<E>) {
        std::array<double, detail::of_element::discrete_size<E>> values{};
        detail::of_element::initial_discrete(element, values.data());
        if (!std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); }))
          refuse(what, "its initial_discrete() holds a number that is none");
      }
      const std::string undefined = detail::of_element::defect_at(element, f, 0.0);
      std::string wrong;
      if constexpr (at_run_time) {
        const std::unique_ptr<Pool> alone = detail::empty_pool_for(element);
        alone->push_back(element);
        wrong = undefined.empty() ? not_finite_alone(*alone) : undefined;
      } else {
        wrong = detail::not_finite_at(element, f, undefined);
      }
      if (!wrong.empty()) refuse(what, wrong);
    });

    const int number = detail::pool_number(pools_, element);
    Pool& pool = static_cast<Pool&>(*pools_[static_cast<std::size_t>(number)]);
    if constexpr (is_constraint && !at_run_time)
      named([&] { pool.find_couplings(detail::of_element::AtDiscrete<E>(element, nullptr, 0, 0).get(), f); });
    auto& list = is_constraint ? constraints_ : forces_;
    list.push_back({number, pool.size()});
    pool.push_back(std::move(element), automatic);
    element_names_.insert(name, 2 * (static_cast<int>(list.size()) - 1) + (is_constraint ? 0 : 1));
    return typename detail::IdOf<E>::type{static_cast<int>(list.size()) - 1};
  }
}

}  // namespace catena
