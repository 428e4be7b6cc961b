// Which constraints of a user's may share a pack: those whose members are equal but for bodies, name and the points that
// they join. Members of aggregates without base classes are compared one by one, up to eight of them; other types need
// operator==.
#pragma once
#include <catena/model/detail/element_traits.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <type_traits>
#include <utility>

namespace catena::detail::of_element {

// In place of a member in an initializer list; not for a base class of C.
template <class C>
struct AnyMember {
  template <class T>
  requires(!std::is_base_of_v<T, C>) operator T() const;  // NOLINT(google-explicit-constructor)
};
template <class C>
struct AnyBase {
  template <class T>
  requires(std::is_base_of_v<T, C> && !std::is_same_v<T, C>) operator T()
      const;  // NOLINT(google-explicit-constructor)
};

template <class C, std::size_t... I>
consteval bool takes_members(std::index_sequence<I...>) {
  return requires { C{(static_cast<void>(I), AnyMember<C>{})...}; };
}
template <class C, std::size_t... I>
consteval bool takes_braces_last(std::index_sequence<I...>) {
  return requires { C{(static_cast<void>(I), AnyMember<C>{})..., {AnyMember<C>{}}}; };
}
template <class C, std::size_t... I, std::size_t... J>
consteval bool takes_braces(std::index_sequence<I...>, std::index_sequence<J...>) {
  return requires {
    C{(static_cast<void>(I), AnyMember<C>{})..., {AnyMember<C>{}}, (static_cast<void>(J), AnyMember<C>{})...};
  };
}
template <class C, std::size_t n = 16>
consteval std::size_t initializer_count() {
  if constexpr (n == 0)
    return 0;
  else if constexpr (takes_members<C>(std::make_index_sequence<n>{}))
    return n;
  else
    return initializer_count<C, n - 1>();
}
// The entries of a member that is an array count as initializers of their own, unless braces hold them together.
template <class C, std::size_t n, std::size_t... I>
consteval bool has_array(std::index_sequence<I...>) {
  return ((takes_braces_last<C>(std::make_index_sequence<I>{}) &&
           !takes_braces<C>(std::make_index_sequence<I>{}, std::make_index_sequence<n - 1 - I>{})) ||
          ...);
}

// How many members there are to be compared; 0: unknown.
template <class C>
consteval std::size_t member_count() {
  if constexpr (!std::is_aggregate_v<C> || requires { C{AnyBase<C>{}}; }) {
    return 0;
  } else {
    constexpr std::size_t n = initializer_count<C>();
    if constexpr (n > 8)
      return 0;
    else
      return has_array<C, n>(std::make_index_sequence<n>{}) ? 0 : n;
  }
}

template <class T>
bool equal_members(const T& a, const T& b) {
  if constexpr (requires { std::begin(a.e); })  // Vec, Mat
    return std::equal(std::begin(a.e), std::end(a.e), std::begin(b.e));
  else if constexpr (requires {
                       a.rows() == b.rows() && a.cols() == b.cols();
                     })  // Eigen's: == takes equal sizes
    return a.rows() == b.rows() && a.cols() == b.cols() && static_cast<bool>(a == b);
  else if constexpr (requires { static_cast<bool>(a == b); })
    return static_cast<bool>(a == b);
  else
    return false;
}

// Calls what(members...) with the members of c.
template <class C, class What>
auto with_members(const C& c, What&& what) {
  constexpr std::size_t n = member_count<C>();
  if constexpr (n == 1) {
    const auto& [m0] = c;
    return what(m0);
  } else if constexpr (n == 2) {
    const auto& [m0, m1] = c;
    return what(m0, m1);
  } else if constexpr (n == 3) {
    const auto& [m0, m1, m2] = c;
    return what(m0, m1, m2);
  } else if constexpr (n == 4) {
    const auto& [m0, m1, m2, m3] = c;
    return what(m0, m1, m2, m3);
  } else if constexpr (n == 5) {
    const auto& [m0, m1, m2, m3, m4] = c;
    return what(m0, m1, m2, m3, m4);
  } else if constexpr (n == 6) {
    const auto& [m0, m1, m2, m3, m4, m5] = c;
    return what(m0, m1, m2, m3, m4, m5);
  } else if constexpr (n == 7) {
    const auto& [m0, m1, m2, m3, m4, m5, m6] = c;
    return what(m0, m1, m2, m3, m4, m5, m6);
  } else {
    static_assert(n == 8);
    const auto& [m0, m1, m2, m3, m4, m5, m6, m7] = c;
    return what(m0, m1, m2, m3, m4, m5, m6, m7);
  }
}

// Of copies without bodies, name and points.
template <class C>
bool alike(const C& a, const C& b) {
  if constexpr (requires { static_cast<bool>(a == b); }) {
    return static_cast<bool>(a == b);
  } else if constexpr (member_count<C>() > 0) {
    return with_members(a, [&](const auto&... x) {
      return with_members(b, [&](const auto&... y) { return (equal_members(x, y) && ...); });
    });
  } else {
    return (void)a, (void)b, false;
  }
}

}  // namespace catena::detail::of_element
