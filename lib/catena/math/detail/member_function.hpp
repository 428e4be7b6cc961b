// Whether a type has a member function of some name, whatever it takes and returns. Optional members are looked for by the call
// that the library makes; one that has the name and cannot be called so is a mistake, not a type without it.
#pragma once
#include <type_traits>

namespace catena::detail {

template <class A>
concept AddressOfFunction =
    std::is_member_function_pointer_v<A> || std::is_function_v<std::remove_pointer_t<A>>;

}  // namespace catena::detail

// Defines the concept CONCEPT<T>: T has a public function MEMBER, static or not, inherited or its own, or a template of it over one
// to three types. Data and types of that name are none. Of overloads without one such template it cannot be found out whether they
// are public: for these it is false. Clang 14 takes a private template for a public one.
// NOLINTBEGIN(bugprone-macro-parentheses): the arguments are names.
#define CATENA_FUNCTION_NAMED(CONCEPT, MEMBER)                                                               \
  template <class T>                                                                                         \
  concept CONCEPT = requires {                                                                               \
    requires catena::detail::AddressOfFunction<decltype(&T::MEMBER)>;                                        \
  }                                                                                                          \
  || (!requires(T & t) { t.MEMBER; } &&                                                                      \
      (                                                                                                      \
          requires { requires catena::detail::AddressOfFunction<decltype(&T::template MEMBER<double>)>; } || \
          requires {                                                                                         \
            requires catena::detail::AddressOfFunction<decltype(&T::template MEMBER<double, double>)>;       \
          } ||                                                                                               \
          requires {                                                                                         \
            requires catena::detail::AddressOfFunction<                                                      \
                decltype(&T::template MEMBER<double, double, double>)>;                                      \
          }))
// NOLINTEND(bugprone-macro-parentheses)
