// One group of force elements of one type. A force kernel F over the scalar S offers (f: frames of its
// N bodies):
//
//   static constexpr int bodies; static constexpr bool couples;
//   void wrench(f, t, w)            w[i]: force (world frame) and torque about the centre of mass (body frame)
//   void derivatives(f, t, K, D)    K[i * bodies + j] = -dw_i/dq_j, D likewise = -dw_i/dv_j;
//                                   i != j is read only where couples
//   S potential(f, t)               potential energy; 0 for forces that have none
//   S power(f, t)                   optional: what it supplies beside its potential [W]
//   void by_reaction(f, L)          of kernels that read multipliers, over double: L[i](r, c) = -dw_i,c/dlambda_r
#pragma once
#include <catena/model/detail/constraint_evaluation.hpp>
#include <catena/model/detail/reaction_of.hpp>

CATENA_BEGIN_DETAIL_ISA

template <class F, class S>
inline void evaluate_force_group(const F& kernel, const LaneIo<S>& io, const KernelArgs& args,
                                 const ElementGroup& g) {
  if (!args.forces) return;
  constexpr int n = F::bodies;
  BodyFrame<S> f[n];
  read_frames<F>(io, args, g, true, f);
  const S t(args.t);
  if (args.balance != nullptr) {
    Vec<S, 6> w[n];
    kernel.wrench(f, t, w);
    for (int i = 0; i < n; ++i) {
      if ((g.fixed >> i & 1U) != 0 || !io.adds_to(i)) continue;
      const Vec<S, 6> minus = -w[i];
      io.template add_all<6>(args.balance, g.v_at[i], minus.e);
    }
  }
  if (args.H != nullptr && (args.stiffness != 0.0 || args.damping != 0.0)) {
    Mat<S, 6, 6> K[n * n], D[n * n];
    kernel.derivatives(f, t, K, D);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        if ((i != j && !F::couples) || ((g.fixed >> i | g.fixed >> j) & 1U) != 0 || !io.adds_to(i)) continue;
        Mat<S, 6, 6> d = S(args.damping) * D[i * n + j];
        if (args.increment != nullptr) times_inverse_tangent(d, read_velocity(io, args.increment, g, j));
        d += S(args.stiffness) * K[i * n + j];
        add_stiffness(io, args, g, i, j, d);
      }
  }
  if constexpr (requires { F::reactions; }) {
    if (args.Bt == nullptr || args.lambda == nullptr || g.reaction == nullptr) return;
    Mat<S, F::reactions, 6> L[n];
    kernel.by_reaction(f, L);
    for (int i = 0; i < n; ++i) {
      if ((g.fixed >> i & 1U) != 0) continue;
      double* at = args.Bt + g.reaction->Bt_at[i][io.lane];  // the joint has set it
      for (int e = 0; e < 6 * g.reaction->rows; ++e) at[8 * e] += L[i].e[e];
    }
  }
}

CATENA_END_DETAIL_ISA
