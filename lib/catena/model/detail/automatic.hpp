// Derivatives of constraints and forces by automatic differentiation.
#pragma once
#include <catena/model/detail/element_traits.hpp>
#include <catena/model/detail/variable_frames.hpp>

namespace catena::detail::automatic {

using of_element::row_count;

// G[i] = dg/dq_i, or A of a velocity constraint.
template <class E, class S>
void jacobian(const E& e, const BodyFrame<S>* f, const S& t, Mat<S, row_count<E>, 6>* G) {
  constexpr int n = of_element::body_count<E>;
  using T = Dual<S, 6>;
  for (int i = 0; i < n; ++i) {
    BodyFrame<T> g[n];
    if constexpr (of_element::level_of<E>() == Level::position)
      frames_with_variable<n>(f, i, pose_variable<S>, g);
    else
      frames_with_variable<n>(f, i, velocity_variable<S>, g);
    const Vec<T, row_count<E>> r = of_element::definition<T>(e, g, T(t));
    for (int k = 0; k < row_count<E>; ++k)
      for (int c = 0; c < 6; ++c) G[i](k, c) = r[k].d[c];
  }
}

// dg/dt at fixed q.
template <class E, class S>
Vec<S, row_count<E>> drift(const E& e, const BodyFrame<S>* f, const S& t) {
  constexpr int n = of_element::body_count<E>;
  using T = Dual<S, 1>;
  BodyFrame<T> g[n];
  for (int i = 0; i < n; ++i) g[i] = lifted<T>(f[i]);
  const Vec<T, row_count<E>> r = of_element::definition<T>(e, g, moving_time(t));
  Vec<S, row_count<E>> d;
  for (int k = 0; k < row_count<E>; ++k) d[k] = r[k].d[0];
  return d;
}

// The analytic member where there is one over S, else automatic differentiation.
template <class E, class S>
void best_jacobian(const E& e, const BodyFrame<S>* f, const S& t, Mat<S, row_count<E>, 6>* G) {
  if constexpr (of_element::HasJacobian<E, S>) {
    of_element::clear(G, of_element::body_count<E>);
    e.jacobian(f, t, G);
  } else {
    jacobian(e, f, t, G);
  }
}
template <class E, class S>
Vec<S, row_count<E>> best_drift(const E& e, const BodyFrame<S>* f, const S& t) {
  if constexpr (of_element::HasDrift<E, S>)
    return e.drift(f, t);
  else
    return drift(e, f, t);
}

// G v + dg/dt, or A v + a: along the path with an analytic Jacobian, else as a derivative of the gap.
template <class E, class S>
Vec<S, row_count<E>> row_velocity(const E& e, const BodyFrame<S>* f, const S& t) {
  constexpr int n = of_element::body_count<E>;
  if constexpr (of_element::level_of<E>() == Level::velocity) {
    return of_element::definition<S>(e, f, t);
  } else if constexpr (of_element::HasJacobian<E, S>) {
    Mat<S, row_count<E>, 6> G[n];
    best_jacobian(e, f, t, G);
    Vec<S, row_count<E>> r = best_drift(e, f, t);
    for (int i = 0; i < n; ++i) {
      Vec<S, 6> v;
      for (int k = 0; k < 3; ++k) {
        v[k] = f[i].v[k];
        v[3 + k] = f[i].omega[k];
      }
      r += G[i] * v;
    }
    return r;
  } else {
    using T = Dual<S, 1>;
    BodyFrame<T> g[n];
    for (int i = 0; i < n; ++i) g[i] = moving(f[i]);
    const Vec<T, row_count<E>> r = of_element::definition<T>(e, g, moving_time(t));
    Vec<S, row_count<E>> d;
    for (int k = 0; k < row_count<E>; ++k) d[k] = r[k].d[0];
    return d;
  }
}

// d/dt of the row velocity with v' = 0.
template <class E, class S>
Vec<S, row_count<E>> bias(const E& e, const BodyFrame<S>* f, const S& t) {
  constexpr int n = of_element::body_count<E>;
  using T = Dual<S, 1>;
  BodyFrame<T> g[n];
  for (int i = 0; i < n; ++i) g[i] = moving(f[i]);
  const Vec<T, row_count<E>> r = row_velocity(e, static_cast<const BodyFrame<T>*>(g), moving_time(t));
  Vec<S, row_count<E>> d;
  for (int k = 0; k < row_count<E>; ++k) d[k] = r[k].d[0];
  return d;
}

// N[i] = d(row velocity)/dq_i at fixed v.
template <class E, class S>
void rate_jacobian(const E& e, const BodyFrame<S>* f, const S& t, Mat<S, row_count<E>, 6>* N) {
  constexpr int n = of_element::body_count<E>;
  using T = Dual<S, 6>;
  for (int i = 0; i < n; ++i) {
    BodyFrame<T> g[n];
    frames_with_variable<n>(f, i, pose_variable<S>, g);
    const Vec<T, row_count<E>> r = row_velocity(e, static_cast<const BodyFrame<T>*>(g), T(t));
    for (int k = 0; k < row_count<E>; ++k)
      for (int c = 0; c < 6; ++c) N[i](k, c) = r[k].d[c];
  }
}

// G[i] and K[i n + j] of the bodies i, j among which[0 ... count - 1], from the gap alone.
// g: the frames as constants.
template <int count, class E, class S>
void derivatives_of_gap(const E& e, const BodyFrame<S>* f, const S& t, const Vec<S, row_count<E>>& lambda,
                        const int* which, BodyFrame<SecondDual<S, 6 * count>>* g, Mat<S, row_count<E>, 6>* G,
                        Mat<S, 6, 6>* K) {
  constexpr int n = of_element::body_count<E>;
  using T = SecondDual<S, 6 * count>;
  for (int p = 0; p < count; ++p) set_pose_variable(S(1.0), f[which[p]].R, 6 * p, g[which[p]]);
  const Vec<T, row_count<E>> r = of_element::definition<T>(e, static_cast<const BodyFrame<T>*>(g), T(t));
  for (int p = 0; p < count; ++p) set_pose_variable(S(0.0), Mat<S, 3, 3>::Zero(), 6 * p, g[which[p]]);
  S h[T::pairs];  // second derivatives of lambda . g
  for (int k = 0; k < T::pairs; ++k) {
    h[k] = lambda[0] * r[0].h[k];
    for (int m = 1; m < row_count<E>; ++m) h[k] = madd(lambda[m], r[m].h[k], h[k]);
  }
  for (int p = 0; p < count; ++p) {
    Mat<S, row_count<E>, 6>& rows = G[which[p]];
    for (int m = 0; m < row_count<E>; ++m)
      for (int c = 0; c < 6; ++c) rows(m, c) = r[m].d[6 * p + c];
    for (int q = 0; q < count; ++q)
      for (int a = 0; a < 6; ++a)
        for (int b = 0; b < 6; ++b) K[which[p] * n + which[q]](a, b) = h[T::pair(6 * p + a, 6 * q + b)];
    // G is the derivative at a pose that is turned already: half of the commutator of the two turns.
    const Vec<S, 6> force = transpose_times(rows, lambda);
    const Mat<S, 3, 3> half = S(0.5) * skew(Vec<S, 3>{{force[3], force[4], force[5]}});
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) K[which[p] * n + which[p]](3 + a, 3 + b) += half(a, b);
  }
}

// G[i], and K[i n + j] = d(G_i^T lambda)/dq_j, of j == i only where `couples` is false. Two bodies at a time, which all
// pairs need; one at a time where none couples.
template <class E, class S>
void jacobian_and_stiffness_of_gap(const E& e, const BodyFrame<S>* f, const S& t,
                                   const Vec<S, row_count<E>>& lambda, bool couples,
                                   Mat<S, row_count<E>, 6>* G, Mat<S, 6, 6>* K) {
  constexpr int n = of_element::body_count<E>;
  const auto each = [&]<int count>(std::integral_constant<int, count>, auto&& visit_all) {
    BodyFrame<SecondDual<S, 6 * count>> g[n];
    for (int i = 0; i < n; ++i) g[i] = lifted<SecondDual<S, 6 * count>>(f[i]);
    visit_all([&](const int* which) { derivatives_of_gap<count>(e, f, t, lambda, which, g, G, K); });
  };
  if constexpr (n > 1) {
    if (couples) {
      each(std::integral_constant<int, 2>{}, [](auto&& one) {
        for (int i = 0; i < n; ++i)
          for (int j = i + 1; j < n; ++j) {
            const int pair[2] = {i, j};
            one(pair);
          }
      });
      return;
    }
  }
  each(std::integral_constant<int, 1>{}, [](auto&& one) {
    for (int i = 0; i < n; ++i) one(&i);
  });
}

// Whether there is nothing better than second derivatives of the gap.
template <class E, class S>
consteval bool stiffness_is_of_gap() {
  return of_element::level_of<E>() == Level::position && !of_element::HasJacobian<E, Dual<S, 6>> &&
         of_element::has_definition<E, SecondDual<S, 6>>();
}

// K[i n + j] = d(G_i^T lambda)/dq_j; where `couples` is false, of j == i at least.
template <class E, class S>
void geometric_stiffness(const E& e, const BodyFrame<S>* f, const S& t, const Vec<S, row_count<E>>& lambda,
                         Mat<S, 6, 6>* K, bool couples = of_element::couples_of<E>()) {
  constexpr int n = of_element::body_count<E>;
  if constexpr (stiffness_is_of_gap<E, S>()) {
    Mat<S, row_count<E>, 6> G[n];
    return jacobian_and_stiffness_of_gap(e, f, t, lambda, couples, G, K);
  }
  (void)couples;
  using T = Dual<S, 6>;
  Vec<T, row_count<E>> multiplier;
  for (int k = 0; k < row_count<E>; ++k) multiplier[k] = T(lambda[k]);
  for (int j = 0; j < n; ++j) {
    BodyFrame<T> g[n];
    frames_with_variable<n>(f, j, pose_variable<S>, g);
    Mat<T, row_count<E>, 6> G[n];
    best_jacobian(e, static_cast<const BodyFrame<T>*>(g), T(t), G);
    for (int i = 0; i < n; ++i) {
      const Vec<T, 6> force = transpose_times(G[i], multiplier);
      for (int r = 0; r < 6; ++r)
        for (int c = 0; c < 6; ++c) K[i * n + j](r, c) = force[r].d[c];
    }
  }
}

// K[i n + j] = -dw_i/dq_j, D likewise with respect to v_j.
template <class E, class S>
void force_derivatives(const E& e, const BodyFrame<S>* f, const S& t, Mat<S, 6, 6>* K, Mat<S, 6, 6>* D) {
  constexpr int n = of_element::body_count<E>;
  using T = Dual<S, 6>;
  for (int j = 0; j < n; ++j) {
    BodyFrame<T> g[n];
    Vec<T, 6> w[n];
    const auto collect = [&](Mat<S, 6, 6>* out) {
      of_element::wrench<T>(e, g, T(t), w);
      for (int i = 0; i < n; ++i)
        for (int r = 0; r < 6; ++r)
          for (int c = 0; c < 6; ++c) out[i * n + j](r, c) = -w[i][r].d[c];
    };
    frames_with_variable<n>(f, j, pose_variable<S>, g);
    collect(K);
    frames_with_variable<n>(f, j, velocity_variable<S>, g);
    collect(D);
  }
}

}  // namespace catena::detail::automatic
