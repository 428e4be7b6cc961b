// What a joint is made of, as a C++ type: a joint's member made_of() returns one row primitive or a list of them,
//
//   auto made_of() const { return rows::list(rows::coincide(point_a, point_b), rows::parallel(axis_a, axis_b)); }
//
// Rows are in the order of the list. Lengths come first, so that what measures rows needs one number for each joint.
#pragma once
#include <catena/model/detail/compiled_kernels.hpp>
#include <catena/model/rows/plan.hpp>

#include <cstddef>
#include <tuple>
#include <utility>

namespace catena::rows {

template <class... P>
struct List {
  std::tuple<P...> parts;
};
template <class... P>
List<P...> list(const P&... parts) {
  return {{parts...}};
}

// The number of the compiled kernel that evaluates P; -1: there is none.
template <class P>
constexpr int function_of() {
  if constexpr (requires { typename P::Compiled; })
    return detail::CompiledKernels<double>::number_of<typename P::Compiled>();
  else
    return detail::CompiledKernels<double>::number_of<P>();
}
namespace list_detail {
// Parameters as constants over any scalar.
template <class S>
struct Constants {
  static constexpr int stride() { return 1; }
  S entry(const double* base, int e) const { return S(base[e]); }
  double first(const double* base, int e) const { return base[e]; }
};

}  // namespace list_detail

template <class P>
KernelInfo info_of_compiled() {
  constexpr bool targets = requires(P kernel, const double* u) {
    kernel.read_targets(list_detail::Constants<double>{}, u);
  };
  return {function_of<P>(), P::rows, P::parameters, P::bodies, P::level, P::couples, P::meaning, targets};
}

namespace list_detail {

// A kernel over another scalar.
template <class K, class S>
struct Rebind;
template <template <class> class K, class S>
struct Rebind<K<double>, S> {
  using type = K<S>;
};
template <template <class, int> class K, int m, class S>
struct Rebind<K<double, m>, S> {
  using type = K<S, m>;
};
template <template <class> class Row, class S>
struct Rebind<Driven<double, Row>, S> {
  using type = Driven<S, Row>;
};
template <CouplingShape shape, class S>
struct Rebind<ShapedCoupling<double, shape>, S> {
  using type = ShapedCoupling<S, shape>;
};

template <class... P>
struct Fold;
template <class P>
struct Fold<P> {
  using type = P;
};
template <class P, class... Q>
struct Fold<P, Q...> {
  using type = Stack<P, typename Fold<Q...>::type>;
};

template <class L>
struct Parts {
  using type = List<L>;
};
template <class... P>
struct Parts<List<P...>> {
  using type = List<P...>;
};

template <class L>
struct Kernel;
template <class... P>
struct Kernel<List<P...>> {
  template <class S>
  using over = typename Fold<typename Rebind<P, S>::type...>::type;
  static constexpr bool lengths_first() {
    const bool length[] = {P::meaning.unit == RowUnit::length...};
    for (std::size_t k = 1; k < sizeof...(P); ++k)
      if (length[k] && !length[k - 1]) return false;
    return true;
  }
  static_assert(lengths_first(), "rows in metres come first in the list of a joint");
  static_assert(sizeof...(P) == 1 || ((function_of<P>() >= 0) && ...),
                "rows that are not among the compiled ones are a joint of their own");
  static std::vector<KernelInfo> infos() { return {info_of_compiled<P>()...}; }
};

}  // namespace list_detail

template <class E>
concept MadeOfRows = requires(const E& e) {
  e.made_of();
};

template <MadeOfRows E>
using ListOf = typename list_detail::Parts<decltype(std::declval<const E&>().made_of())>::type;
// The rows of a joint as one kernel over the scalar S.
template <MadeOfRows E, class S>
using KernelOf = typename list_detail::Kernel<ListOf<E>>::template over<S>;

// Parameters of all rows, one group behind the other.
template <MadeOfRows E>
void save_parameters(const E& e, double* out) {
  const auto made = e.made_of();
  if constexpr (requires { made.parts; })
    std::apply([&](const auto&... p) { ((p.save(out), out += p.parameters), ...); }, made.parts);
  else
    made.save(out);
}

template <class S, MadeOfRows E>
KernelOf<E, S> kernel_of(const E& e) {
  double parameters[KernelOf<E, double>::parameters];
  save_parameters(e, parameters);
  return KernelOf<E, S>::load(list_detail::Constants<S>{}, parameters);
}

template <MadeOfRows E>
const Plan& plan_of() {
  static const Plan plan = plan_rows(list_detail::Kernel<ListOf<E>>::infos());
  return plan;
}

}  // namespace catena::rows
