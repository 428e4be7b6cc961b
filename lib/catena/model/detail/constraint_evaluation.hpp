// One group of constraints of one type, evaluated into State and pools. A constraint kernel K over the
// scalar S offers (f: frames of its bodies, N of them; m rows; perturbations of body i: (dx, dtheta),
// R <- R exp(dtheta~)):
//
//   static constexpr int bodies, rows; static constexpr Level level; static constexpr bool couples;
//   Vec<S,m> gap(f, t)                          g                       (position level)
//   Vec<S,m> rate(f, t)                         A v + a                 (velocity level)
//   void jacobian(f, t, G)                      G[i]: m x 6 = dg/dq_i, or A
//   Vec<S,m> drift(f, t)                        dg/dt at fixed q        (position level)
//   Vec<S,m> bias(f, t)                         d/dt (G v + drift) - G v'
//   void rate_jacobian(f, t, N)                 N[i] = d(G v + drift)/dq_i at fixed v
//   void geometric_stiffness(f, t, lambda, K)   K[i * bodies + j] = d(G_i^T lambda)/dq_j;
//                                               i != j is read only where couples
//   void turning(f, t, lambda, K)               optional, where stiffness couples rotations alone: those rows and
//                                               columns of it, 3 x 3
//   void jacobian_and_stiffness(f, t, lambda, G, K)  optional: Jacobian and stiffness at once
#pragma once
#include <catena/math/parts/level.hpp>
#include <catena/model/detail/lane_io.hpp>

CATENA_BEGIN_DETAIL_ISA

// Multiplies the rotational columns (3 ... 5) by T^-1 of the rotational increment.
template <class S, int M>
inline void times_inverse_tangent(Mat<S, M, 6>& a, const Vec<S, 6>& increment) {
  const Mat<S, 3, 3> t = inverse_tangent(Vec<S, 3>{{increment[3], increment[4], increment[5]}});
  for (int r = 0; r < M; ++r) {
    const S x = a(r, 3), y = a(r, 4), z = a(r, 5);
    for (int c = 0; c < 3; ++c) a(r, 3 + c) = madd(z, t(2, c), madd(y, t(1, c), x * t(0, c)));
  }
}

// Adds K_ij to the diagonal block (i == j) or to the coupling slot of (i, j): rows and columns first ... 5.
template <int first = 0, class S>
inline void add_stiffness(const LaneIo<S>& io, const KernelArgs& args, const ElementGroup& g, int i, int j,
                          const Mat<S, 6 - first, 6 - first>& k) {
  constexpr int size = 6 - first;
  if (((g.fixed >> i | g.fixed >> j) & 1U) != 0) return;
  if (i == j) {
    if constexpr (first == 0)
      io.add(args.H, g.H_at[i], 8, 36, k.e);
    else
      for (int r = 0; r < size; ++r)
        io.add(args.H + 8 * (6 * (first + r) + first), g.H_at[i], 8, size, k.e + size * r);
    return;
  }
  const int pair = i < j ? pair_number(i, j) : pair_number(j, i);
  const int* at = i < j ? g.pair_at[pair] : g.pair_transposed_at[pair];
  // Lanes may differ in which of their bodies comes first, so the pool is chosen lane by lane.
  alignas(64) double x[size * size][8];
  for (int e = 0; e < size * size; ++e) io.set_entry(x[0], e, k.e[e]);
  const int from = lane_begin(io), to = lane_end(io);
  for (int l = from; l < to; ++l) {
    const int which = (i < j ? 0 : 1) ^ g.swapped[pair][l];
    double* p = args.coupling[which] + at[l];
    for (int r = 0; r < size; ++r)
      for (int c = 0; c < size; ++c) p[8 * (6 * (first + r) + first + c)] += x[size * r + c][l];
  }
}

// A kernel of a user's may couple bodies by its type, and not in this pool (typed_pool.hpp).
template <class K>
constexpr bool couples_now(const K& kernel) {
  if constexpr (requires { kernel.coupled; })
    return kernel.coupled;
  else
    return (void)kernel, K::couples;
}

template <class K, class S>
inline void evaluate_constraint_group(const K& kernel, const LaneIo<S>& io, const KernelArgs& args,
                                      const ElementGroup& g) {
  constexpr int n = K::bodies, m = K::rows;
  // Rows at position level ask for the motion of their bodies in their second derivatives with respect to time alone. A
  // user's gap gets it always, so that one which depends on it is found (kkt/mass_defect.cpp).
  const bool moving = !of_library<K>() || K::level != Level::position || args.acceleration != nullptr ||
                      (args.C != nullptr && args.row_rate != 0.0);
  BodyFrame<S> f[n];
  read_frames<K>(io, args, g, moving, f);
  const S t(args.t);

  if (args.position != nullptr) {
    Vec<S, m> r = Vec<S, m>::Zero();
    if constexpr (K::level == Level::position) r = kernel.gap(f, t);
    io.template write_all<m>(args.position, g.lambda_at, r.e);
  }
  if (args.balance == nullptr && args.velocity == nullptr && args.acceleration == nullptr &&
      args.C == nullptr)
    return;

  Vec<S, m> lambda = Vec<S, m>::Zero();
  if (args.lambda != nullptr) io.template read_all<m>(args.lambda, g.lambda_at, lambda.e);
  const bool stiff = args.H != nullptr && args.lambda != nullptr && args.stiffness != 0.0;
  Mat<S, m, 6> G[n];
  constexpr bool turns = gives_turning<K>();
  Mat<S, turns ? 3 : 6, turns ? 3 : 6> stiffness[n * n];
  constexpr bool both = requires { kernel.jacobian_and_stiffness(f, t, lambda, G, stiffness); };
  if constexpr (both) {
    if (stiff)
      kernel.jacobian_and_stiffness(f, t, lambda, G, stiffness);
    else
      kernel.jacobian(f, t, G);
  } else {
    kernel.jacobian(f, t, G);
  }

  if (args.balance != nullptr && args.lambda != nullptr) {
    for (int i = 0; i < n; ++i) {
      if ((g.fixed >> i & 1U) != 0 || !io.adds_to(i)) continue;
      const Vec<S, 6> force = transpose_times(G[i], lambda);
      io.template add_all<6>(args.balance, g.v_at[i], force.e);
    }
  }
  if (args.velocity != nullptr) {
    Vec<S, m> r;
    if constexpr (K::level == Level::velocity) {
      r = kernel.rate(f, t);
    } else {
      r = kernel.drift(f, t);
      for (int i = 0; i < n; ++i) r += G[i] * read_velocity(io, args.v, g, i);
    }
    io.template write_all<m>(args.velocity, g.lambda_at, r.e);
  }
  if (args.acceleration != nullptr) {
    Vec<S, m> r = kernel.bias(f, t);
    for (int i = 0; i < n; ++i) r += G[i] * read_velocity(io, args.a, g, i);
    io.template write_all<m>(args.acceleration, g.lambda_at, r.e);
  }
  if (args.C != nullptr) {
    Mat<S, m, 6> N[n];
    if (args.row_rate != 0.0) kernel.rate_jacobian(f, t, N);
    for (int i = 0; i < n; ++i) {
      if ((g.fixed >> i & 1U) != 0) continue;
      double* const C = args.C + g.C_at[i];
      if (args.row_velocity == 0.0 && args.row_rate == 0.0 && args.Bt == nullptr) {
        if (args.row_jacobian != 1.0) G[i] *= S(args.row_jacobian);
        for (int e = 0; e < 6 * m; ++e) io.set_entry(C, e, G[i].e[e]);
        continue;
      }
      Mat<S, m, 6> c = G[i];
      if (args.row_jacobian != 1.0) c *= S(args.row_jacobian);
      if (args.row_velocity != 0.0) {
        Mat<S, m, 6> tangential = G[i];
        if (args.increment != nullptr)
          times_inverse_tangent(tangential, read_velocity(io, args.increment, g, i));
        c += S(args.row_velocity) * tangential;
      }
      if (args.row_rate != 0.0) c += S(args.row_rate) * N[i];
      for (int e = 0; e < 6 * m; ++e) io.set_entry(C, e, c.e[e]);
      if (args.Bt != nullptr)
        for (int e = 0; e < 6 * m; ++e) io.set_entry(args.Bt + g.C_at[i], e, G[i].e[e]);
    }
  }
  if (stiff) {
    const bool couples = couples_now(kernel);
    if constexpr (turns)
      kernel.turning(f, t, lambda, stiffness);
    else if constexpr (!both)
      kernel.geometric_stiffness(f, t, lambda, stiffness);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        if ((i != j && !couples) || !io.adds_to(i)) continue;
        S weight(args.stiffness);
        if (args.without_geometric_stiffness != nullptr) {
          if ((g.fixed >> i & 1U) == 0) weight *= io.mask(args.without_geometric_stiffness, g.block[i]);
          if ((g.fixed >> j & 1U) == 0) weight *= io.mask(args.without_geometric_stiffness, g.block[j]);
        }
        constexpr int first = stiffness_begins_at<K>(), size = 6 - first, from = turns ? 0 : first;
        Mat<S, size, size> k;
        for (int r = 0; r < size; ++r)
          for (int c = 0; c < size; ++c) k(r, c) = weight * stiffness[i * n + j](from + r, from + c);
        add_stiffness<first>(io, args, g, i, j, k);
      }
  }
}

CATENA_END_DETAIL_ISA
