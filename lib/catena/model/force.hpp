// How a user writes a force: a small plain struct, for instance
//
//   struct AirDrag {
//     static constexpr const char* type_name = "air_drag";    // optional
//     std::array<BodyId, 1> bodies;                           // 1 ... 4 of them
//     double coefficient = 0.0;                               // [N s/m]
//     std::string name = {};                                  // optional
//     template <class S>
//     Vec<S, 6> wrench(const BodyFrame<S>& A, const S& t) const;   // several bodies: std::array<Vec<S, 6>, N>
//   };
//
// A wrench is the force in world axes [N] and the torque about the centre of mass in body axes [N m].
// Optional members; what is missing is filled in by automatic differentiation:
//   S potential(const BodyFrame<S>& A, ..., const S& t) const       potential energy [J]; else 0
//   void derivatives(const BodyFrame<S>* f, const S& t, Mat<S, 6, 6>* K, Mat<S, 6, 6>* D) const
//                                K[i N + j] = -dw_i/dq_j, D[i N + j] = -dw_i/dv_j; zero before, entries that are
//                                not written stay so
//   static constexpr bool couples = false      K_ij = D_ij = 0 for all i != j
//   bool does_work() const                     false: its power is that of its potential, at all times; where a type does not
//                                say so, it is measured at the initial positions (measure/detail/work_meter.hpp)
//   std::string defect() const                 what is wrong with its parameters, or ""
//   std::string defect_at(const BodyFrame<double>* f, double t) const   why the force has no value there, or "";
//                                asked of the initial positions and where numbers are not finite
//   std::string trouble_near(const BodyFrame<double>* f, double from, double to) const
//                                what of it makes steps between these times fail at these frames, or "": a kink of what
//                                it follows, a place near which it has no value; asked where a run has failed
//   static constexpr const char* jump          where it jumps, as a clause: "its markers have turned past half a turn"; and
//   bool jumped(const BodyFrame<double>* before, const BodyFrame<double>* after) const
//                                whether it has between the ends of a step, which a run says; constraints as well
//   void placed(const BodyFrame<double>* f)    completes its members when it is added, from its bodies' initial positions
//   static constexpr int discrete              discrete values, a controller's torque, turns of a spring, which wrench,
//                                              derivatives and potential take: model/detail/discrete.hpp
// A function of one of these names with another signature is an error of the compiler, with the signature that is right
// (detail/check_members.hpp).
#pragma once
#include <catena/model/detail/automatic.hpp>
#include <catena/model/detail/discrete.hpp>

namespace catena {

template <class F>
concept Force =
    detail::of_element::HasBodies<F> && !detail::of_element::HasRows<F> &&
    (detail::of_element::HasKernel<F> ||
     detail::of_element::has_wrench<detail::of_element::Bound<F>, double>(detail::of_element::Indices<F>{}));

// A user's force as a kernel over double (force_evaluation.hpp).
template <Force F>
struct ForceKernel {
  static constexpr int bodies = detail::of_element::body_count<F>;
  static constexpr bool couples = detail::of_element::couples_of<F>();
  using Frame = BodyFrame<double>;
  static_assert(
      detail::of_element::HasDerivatives<F, double> ||
          detail::of_element::has_wrench<F, Dual<double, 6>>(detail::of_element::Indices<F>{}),
      "wrench of this force is written for double only, so its derivatives cannot be found by automatic "
      "differentiation: make it a template on the scalar, "
      "template <class S> Vec<S, 6> wrench(const BodyFrame<S>& A, ..., const S& t) const, "
      "or give derivatives");

  const F& force;

  void wrench(const Frame* f, double t, Vec<double, 6>* w) const {
    detail::of_element::wrench<double>(force, f, t, w);
  }
  void derivatives(const Frame* f, double t, Mat<double, 6, 6>* K, Mat<double, 6, 6>* D) const {
    if constexpr (detail::of_element::HasDerivatives<F, double>) {
      detail::of_element::clear(K, bodies * bodies);
      detail::of_element::clear(D, bodies * bodies);
      force.derivatives(f, t, K, D);
    } else {
      detail::automatic::force_derivatives(force, f, t, K, D);
    }
  }
  double potential(const Frame* f, double t) const {
    if constexpr (detail::of_element::has_potential<F, double>(detail::of_element::Indices<F>{}))
      return [&]<std::size_t... I>(std::index_sequence<I...>) { return force.potential(f[I]..., t); }
    (detail::of_element::Indices<F>{});
    else return 0.0;
  }
};

// The kernel of any force over double: its own, or a wrapper of a user's struct.
template <Force F>
auto force_kernel(const F& force) {
  if constexpr (detail::of_element::HasKernel<F>)
    return detail::of_element::kernel_of<double>(force);
  else
    return ForceKernel<F>{force};
}

}  // namespace catena
