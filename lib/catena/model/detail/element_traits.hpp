// What a user's constraint or force offers, found out at compile time, and one way to call it.
#pragma once
#include <catena/math/parts/dual.hpp>
#include <catena/math/parts/level.hpp>
#include <catena/model/detail/kernel_args.hpp>
#include <catena/model/parts/frame.hpp>
#include <catena/model/parts/ids.hpp>
#include <catena/model/rows/list.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>

namespace catena::detail::of_element {

template <class T>
struct BodyArray : std::false_type {};
template <std::size_t N>
struct BodyArray<std::array<BodyId, N>> : std::bool_constant<N >= 1 && N <= max_bodies_per_element> {
  static constexpr int size = static_cast<int>(N);
};
template <class E>
using BodiesOf = BodyArray<std::remove_cvref_t<decltype(std::declval<const E&>().bodies)>>;

// std::array<BodyId, N> bodies; 1 <= N <= max_bodies_per_element
template <class E>
concept HasBodies = requires(const E& e) {
  e.bodies;
}
&&BodiesOf<E>::value;

template <HasBodies E>
inline constexpr int body_count = BodiesOf<E>::size;

// Joints whose rows and bodies are known at run time only (rows_pool.hpp).
template <class E>
concept RowsAtRunTime = requires(const E& e, double* out) {
  { e.shape() } -> std::same_as<rows::Shape>;
  e.save(out);
};

// Joints made of rows (rows/list.hpp) and the library's forces have a kernel over any scalar, all derivatives in it.
template <class E>
concept HasKernel = rows::MadeOfRows<E> || requires(const E& e) {
  e.template kernel<double>();
};
template <class S, HasKernel E>
auto kernel_of(const E& e) {
  if constexpr (rows::MadeOfRows<E>)
    return rows::kernel_of<S>(e);
  else
    return e.template kernel<S>();
}

template <HasKernel E>
using KernelOf = decltype(kernel_of<double>(std::declval<const E&>()));

// Forces whose kernels read the multipliers of a joint (reaction_of.hpp).
template <class E>
concept ReadsReaction = HasKernel<E> && requires(KernelOf<E>& kernel, const double* multipliers) {
  kernel.read_reaction(multipliers, 1);
};

template <class E>
concept HasRows = rows::MadeOfRows<E> || requires {
  { E::rows } -> std::convertible_to<int>;
};
template <HasRows E>
consteval int row_count_of() {
  if constexpr (rows::MadeOfRows<E>)
    return rows::KernelOf<E, double>::rows;
  else
    return E::rows;
}
template <HasRows E>
inline constexpr int row_count = row_count_of<E>();

template <class E>
consteval Level level_of() {
  if constexpr (rows::MadeOfRows<E>)
    return rows::KernelOf<E, double>::level;
  else if constexpr (requires { E::level; })
    return E::level;
  else
    return Level::position;
}

// Whether two bodies of the element share a block of H; by default they may.
template <class E>
constexpr bool couples_of() {
  if constexpr (rows::MadeOfRows<E>)
    return rows::KernelOf<E, double>::couples;
  else if constexpr (requires { E::couples; })
    return E::couples && body_count<E> > 1;
  else
    return body_count<E> > 1;
}

// Whether a constraint of a user's leaves it to the library to find out which (Model::add tries some poses).
template <class E>
consteval bool couplings_are_found() {
  if constexpr (HasKernel<E> || requires { E::couples; })
    return false;
  else
    return body_count<E> > 1;
}

template <class E>
constexpr const char* type_name_of(const char* otherwise) {
  if constexpr (requires { E::type_name; })
    return E::type_name;
  else
    return otherwise;
}

template <class E>
concept HasName = requires(E& e) {
  e.name = std::string();
};

template <class E>
using Indices = std::make_index_sequence<static_cast<std::size_t>(body_count<E>)>;

template <class E, class S, std::size_t... I>
consteval bool has_gap(std::index_sequence<I...>) {
  return requires(const E& e, const BodyFrame<S>* f, const S& t) {
    { e.gap(f[I]..., t) } -> std::convertible_to<Vec<S, row_count<E>>>;
  };
}
template <class E, class S, std::size_t... I>
consteval bool has_rate(std::index_sequence<I...>) {
  return requires(const E& e, const BodyFrame<S>* f, const S& t) {
    { e.rate(f[I]..., t) } -> std::convertible_to<Vec<S, row_count<E>>>;
  };
}
// The function that defines the constraint, over the scalar S: gap or rate, according to its level.
template <class E, class S>
consteval bool has_definition() {
  if constexpr (level_of<E>() == Level::position)
    return has_gap<E, S>(Indices<E>{});
  else
    return has_rate<E, S>(Indices<E>{});
}
template <class E, class S, std::size_t... I>
consteval bool has_wrench(std::index_sequence<I...>) {
  return requires(const E& e, const BodyFrame<S>* f, const S& t) { e.wrench(f[I]..., t); };
}
template <class E, class S, std::size_t... I>
consteval bool has_potential(std::index_sequence<I...>) {
  return requires(const E& e, const BodyFrame<S>* f, const S& t) {
    { e.potential(f[I]..., t) } -> std::convertible_to<S>;
  };
}

template <class E, class S>
concept HasJacobian = requires(const E& e, const BodyFrame<S>* f, const S& t, Mat<S, row_count<E>, 6>* G) {
  e.jacobian(f, t, G);
};
template <class E, class S>
concept HasDrift = requires(const E& e, const BodyFrame<S>* f, const S& t) {
  { e.drift(f, t) } -> std::convertible_to<Vec<S, row_count<E>>>;
};
template <class E, class S>
concept HasBias = requires(const E& e, const BodyFrame<S>* f, const S& t) {
  { e.bias(f, t) } -> std::convertible_to<Vec<S, row_count<E>>>;
};
template <class E, class S>
concept HasRateJacobian = requires(const E& e, const BodyFrame<S>* f, const S& t,
                                   Mat<S, row_count<E>, 6>* N) {
  e.rate_jacobian(f, t, N);
};
template <class E, class S>
concept HasGeometricStiffness = requires(const E& e, const BodyFrame<S>* f, const S& t,
                                         const Vec<S, row_count<E>>& lambda, Mat<S, 6, 6>* K) {
  e.geometric_stiffness(f, t, lambda, K);
};
template <class E, class S>
concept HasDerivatives = requires(const E& e, const BodyFrame<S>* f, const S& t, Mat<S, 6, 6>* K,
                                  Mat<S, 6, 6>* D) {
  e.derivatives(f, t, K, D);
};

// Before a user's member fills them: it writes the entries that are not zero.
template <class M>
void clear(M* blocks, int count) {
  for (int k = 0; k < count; ++k) blocks[k] = M::Zero();
}

// Why the element has no value at the frames f, or "".
template <class E>
std::string defect_at(const E& e, const BodyFrame<double>* f, double t) {
  if constexpr (requires { e.defect_at(f, t); })
    return e.defect_at(f, t);
  else
    return (void)e, (void)f, (void)t, std::string();
}

// gap or rate of a constraint at the frames f.
template <class S, class E>
Vec<S, row_count<E>> definition(const E& e, const BodyFrame<S>* f, const S& t) {
  if constexpr (HasKernel<E>) {
    if constexpr (level_of<E>() == Level::position)
      return kernel_of<S>(e).gap(f, t);
    else
      return kernel_of<S>(e).rate(f, t);
  } else {
    return [&]<std::size_t... I>(std::index_sequence<I...>)->Vec<S, row_count<E>> {
      if constexpr (level_of<E>() == Level::position)
        return e.gap(f[I]..., t);
      else
        return e.rate(f[I]..., t);
    }
    (Indices<E>{});
  }
}

// w[i]: force in world axes, torque about the centre of mass in body axes.
template <class S, class E>
void wrench(const E& e, const BodyFrame<S>* f, const S& t, Vec<S, 6>* w) {
  if constexpr (HasKernel<E>) {
    kernel_of<S>(e).wrench(f, t, w);
  } else {
    const auto result = [&]<std::size_t... I>(std::index_sequence<I...>) { return e.wrench(f[I]..., t); }
    (Indices<E>{});
    if constexpr (std::is_convertible_v<decltype(result), Vec<S, 6>>) {
      static_assert(body_count<E> == 1, "a force on several bodies returns std::array<Vec<S, 6>, N>");
      w[0] = result;
    } else {
      static_assert(std::is_convertible_v<decltype(result), std::array<Vec<S, 6>, body_count<E>>>,
                    "wrench returns Vec<S, 6> (one body) or std::array<Vec<S, 6>, N>");
      for (int i = 0; i < body_count<E>; ++i) w[i] = result[static_cast<std::size_t>(i)];
    }
  }
}

}  // namespace catena::detail::of_element
