// How a user writes a constraint: a small plain struct, for instance
//
//   struct PointOnPlane {
//     static constexpr int rows = 1;
//     static constexpr const char* type_name = "point_on_plane";   // optional
//     std::array<BodyId, 1> bodies;                                // 1 ... 4 of them
//     Vec3 point = Vec3::Zero();                                   // body frame [m]
//     std::string name = {};                                       // optional
//     template <class S>
//     Vec<S, rows> gap(const BodyFrame<S>& A, const S& t) const {
//       return {{A.point(point)[2] - 0.1 * t}};
//     }
//   };
//
// A position constraint g(q, t) = 0 gives gap (one BodyFrame per body, then t); a velocity constraint
// A(q, t) v + a(q, t) = 0 declares `static constexpr Level level = Level::velocity` and gives rate, affine
// in v and omega. Where a gap compares two bodies it is (quantity of the second) - (quantity of the first):
// the force on the second body is then -G^T lambda = -lambda for a point row, that on the first +lambda.
//
// Optional members, found one by one; what is missing is filled in by automatic differentiation. They take
// the frames as an array f, and may be templates on the scalar or written for double. The matrices G, N and K that
// they fill are zero before; entries that are not written stay so:
//   void jacobian(const BodyFrame<S>* f, const S& t, Mat<S, rows, 6>* G) const      G[i] = dg/dq_i, or A
//   Vec<S, rows> drift(f, t) const                                                  dg/dt at fixed q
//   Vec<S, rows> bias(f, t) const                                 d/dt (G v + drift) - G v'
//   void rate_jacobian(f, t, Mat<S, rows, 6>* N) const            N[i] = d(G v + drift)/dq_i at fixed v
//   void geometric_stiffness(f, t, const Vec<S, rows>& lambda, Mat<S, 6, 6>* K) const
//                                                                 K[i N + j] = d(G_i^T lambda)/dq_j
//   static constexpr bool couples = false                         K_ij = 0 for all i != j. Not stated: Model::add looks for
//                                                                 K_ij at some poses, and leaves them out where all of
//                                                                 them vanish; true: they are kept
//   std::string defect() const                                    what is wrong with its parameters, or ""
//   std::string defect_at(const BodyFrame<double>* f, double t) const
//                                                                 why the rows have no value there, or ""
//   std::string trouble_near(f, double from, double to) const     what of it makes steps between these times fail at
//                                                                 these frames, or ""; forces as well
//   void placed(const BodyFrame<double>* f)                       completes its members when it is added, from its bodies
//                                                                 at their initial positions; forces as well
//   static constexpr int discrete                                 discrete values: model/detail/discrete.hpp
//   static constexpr std::array joins{&C::point_a, &C::point_b}   the gap sees nothing but the differences of these points:
//                                                                 exact far from the origin, faster, reactions at the
//                                                                 points (detail/joins.hpp)
//   static constexpr RowUnit unit = RowUnit::length               of the rows, for reports and tolerances (rows/meaning.hpp)
//   static constexpr bool lanes = true                            four to eight constraints added one after another, equal
//                                                                 in all members but bodies and name, are evaluated at
//                                                                 once, S being Pack<8> and duals over it; one by one
//                                                                 where they branch to different sides. Faster in
//                                                                 programs compiled for AVX2 or AVX-512; with `joins`
//                                                                 always so, unless it is false
// with q_i perturbed by (dx, dtheta): x + dx in world axes, R exp(dtheta~). A function of one of these names with another
// signature is an error of the compiler, with the signature that is right (detail/check_members.hpp).
// tests/support/jacobian_check.hpp compares every one of them with differences.
#pragma once
#include <catena/math/detail/scattered.hpp>
#include <catena/math/parts/pack_branches.hpp>
#include <catena/math/parts/pack_functions.hpp>
#include <catena/model/detail/automatic.hpp>
#include <catena/model/detail/discrete.hpp>
#include <catena/model/detail/joined_gap.hpp>

namespace catena {

template <class C>
concept Constraint = detail::of_element::HasBodies<C> && detail::of_element::HasRows<C> &&
    (detail::of_element::HasKernel<C> ||
     detail::of_element::has_definition<detail::of_element::Bound<C>, double>());

// A user's constraint as a kernel over the scalar S, double or Pack8 (constraint_evaluation.hpp).
template <Constraint C, class S = double>
struct ConstraintKernel {
  static constexpr int bodies = detail::of_element::body_count<C>;
  static constexpr int rows = detail::of_element::row_count<C>;
  static constexpr Level level = detail::of_element::level_of<C>();
  static constexpr bool couples = detail::of_element::couples_of<C>();
  using Frame = BodyFrame<S>;
  using Rows = Vec<S, rows>;
  using Row6 = Mat<S, rows, 6>;

  // Over the scalars of automatic differentiation; only asked where a derivative is missing.
  static constexpr bool complete =
      detail::of_element::HasJacobian<C, S> && detail::of_element::HasBias<C, S> &&
      detail::of_element::HasRateJacobian<C, S> && detail::of_element::HasGeometricStiffness<C, S> &&
      (level == Level::velocity || detail::of_element::HasDrift<C, S>);
  static_assert(rows >= 1, "a constraint has at least one row");
  static_assert(
      complete || detail::of_element::has_definition<C, Dual<S, 6>>(),
      "gap (or rate) of this constraint is written for double only, so its missing derivatives cannot be "
      "found by automatic differentiation: make it a template on the scalar, "
      "template <class S> Vec<S, rows> gap(const BodyFrame<S>& A, ..., const S& t) const, "
      "or give jacobian, drift, bias, rate_jacobian and geometric_stiffness");

  const C& c;
  bool coupled = couples;  // false: only K_ii is wanted

  Rows gap(const Frame* f, const S& t) const { return detail::of_element::definition<S>(c, f, t); }
  Rows rate(const Frame* f, const S& t) const { return detail::of_element::definition<S>(c, f, t); }
  void jacobian(const Frame* f, const S& t, Row6* G) const { detail::automatic::best_jacobian(c, f, t, G); }
  Rows drift(const Frame* f, const S& t) const { return detail::automatic::best_drift(c, f, t); }
  Rows bias(const Frame* f, const S& t) const {
    if constexpr (detail::of_element::HasBias<C, S>)
      return c.bias(f, t);
    else
      return detail::automatic::bias(c, f, t);
  }
  void rate_jacobian(const Frame* f, const S& t, Row6* N) const {
    if constexpr (detail::of_element::HasRateJacobian<C, S>) {
      detail::of_element::clear(N, bodies);
      c.rate_jacobian(f, t, N);
    } else {
      detail::automatic::rate_jacobian(c, f, t, N);
    }
  }
  // Both at once, where both are derivatives of the gap.
  void jacobian_and_stiffness(const Frame* f, const S& t, const Rows& lambda, Row6* G, Mat<S, 6, 6>* K) const
      requires(!detail::of_element::HasJacobian<C, S> && !detail::of_element::HasGeometricStiffness<C, S> &&
               detail::automatic::stiffness_is_of_gap<C, S>()) {
    detail::automatic::jacobian_and_stiffness_of_gap(c, f, t, lambda, coupled, G, K);
  }
  void geometric_stiffness(const Frame* f, const S& t, const Rows& lambda, Mat<S, 6, 6>* K) const {
    if constexpr (detail::of_element::HasGeometricStiffness<C, S>) {
      detail::of_element::clear(K, bodies * bodies);
      c.geometric_stiffness(f, t, lambda, K);
    } else {
      detail::automatic::geometric_stiffness(c, f, t, lambda, K, coupled);
    }
  }
};

// The kernel of any constraint over double: its own, or a wrapper of a user's struct.
template <Constraint C>
auto constraint_kernel(const C& c) {
  if constexpr (detail::of_element::HasKernel<C>)
    return detail::of_element::kernel_of<double>(c);
  else if constexpr (detail::of_element::JoinsPoints<C>)
    return detail::of_element::OwnJoinedGap<C>(c);
  else
    return ConstraintKernel<C>{c};
}

namespace detail::of_element {

// Whether eight constraints of a user's are differentiated at once (Dual over Pack<8>). A gap alone is so where it asks
// for it: in a program compiled for SSE2 it is faster one by one (docs/decisions/013), because duals over packs of all
// coordinates of two bodies leave the first cache. One that states its points has a fourth of these numbers.
template <class C>
consteval bool in_lanes() {
  if constexpr (HasKernel<C> || HasDiscrete<C>)
    return false;
  else if constexpr (requires { C::lanes; })
    return C::lanes;
  else
    return JoinsPoints<C>;
}

// Whether K_ij, i != j, is there at one of some poses: the initial one, others about as far apart as the bodies are, and others
// up to hundreds of times as far, where a gap by pieces may have another piece.
template <Constraint C>
bool finds_couplings(const C& c, const BodyFrame<double>* initial) {
  constexpr int n = body_count<C>;
  const auto kernel = constraint_kernel(c);
  double size = 1.0;
  for (int i = 1; i < n; ++i) size = std::max(size, norm(initial[i].x - initial[0].x));
  BodyFrame<double> f[n];
  Mat<double, 6, 6> K[n * n];
  Vec<double, row_count<C>> lambda;
  std::size_t numbers = 0;
  const auto next = [&numbers] { return scattered(numbers++, 0.3); };
  constexpr double reach[] = {0.0, 1.0, 1.0, 4.0, 16.0, 64.0, 256.0};  // of the poses, beside the size
  constexpr int poses = static_cast<int>(std::size(reach));
  for (int pose = 0; pose < poses; ++pose) {
    const double far = size * reach[pose];
    for (int i = 0; i < n; ++i) {
      f[i] = initial[i];
      for (int k = 0; k < 3; ++k) {
        f[i].v[k] = size * (next() - 0.5);
        f[i].omega[k] = next() - 0.5;
      }
      if (pose == 0) continue;
      for (int k = 0; k < 3; ++k) f[i].x[k] += far * (next() - 0.5);
      f[i].R = rotation_matrix(normalized(Quat{next(), next() - 0.5, next() - 0.5, next() - 0.5})) * f[i].R;
    }
    for (int k = 0; k < row_count<C>; ++k) lambda[k] = 0.5 + next();
    kernel.geometric_stiffness(f, 0.7 * pose, lambda, K);
    for (int k = 0; k < n * n; ++k)
      for (int e = 0; e < 36 && k / n != k % n; ++e)
        if (!(K[k][e] == 0.0)) return true;
  }
  return false;
}

}  // namespace detail::of_element

}  // namespace catena
