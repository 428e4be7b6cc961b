// Members of a user's constraint or force that have the name of an optional member and cannot be called as the library calls
// it: each is an error of the compiler with the signature that is right. Without it the member would be ignored.
#pragma once
#include <catena/math/detail/member_function.hpp>
#include <catena/model/constraint.hpp>
#include <catena/model/detail/listed_pool.hpp>
#include <catena/model/force.hpp>

#include <array>
#include <concepts>
#include <string>

namespace catena::detail::of_element {

namespace named {
CATENA_FUNCTION_NAMED(Gap, gap);
CATENA_FUNCTION_NAMED(Rate, rate);
CATENA_FUNCTION_NAMED(Wrench, wrench);
CATENA_FUNCTION_NAMED(MadeOf, made_of);
CATENA_FUNCTION_NAMED(Jacobian, jacobian);
CATENA_FUNCTION_NAMED(Drift, drift);
CATENA_FUNCTION_NAMED(Bias, bias);
CATENA_FUNCTION_NAMED(RateJacobian, rate_jacobian);
CATENA_FUNCTION_NAMED(GeometricStiffness, geometric_stiffness);
CATENA_FUNCTION_NAMED(Potential, potential);
CATENA_FUNCTION_NAMED(Derivatives, derivatives);
CATENA_FUNCTION_NAMED(DoesWork, does_work);
CATENA_FUNCTION_NAMED(Defect, defect);
CATENA_FUNCTION_NAMED(DefectAt, defect_at);
CATENA_FUNCTION_NAMED(TroubleNear, trouble_near);
CATENA_FUNCTION_NAMED(Placed, placed);
CATENA_FUNCTION_NAMED(Jumped, jumped);
CATENA_FUNCTION_NAMED(InitialDiscrete, initial_discrete);
CATENA_FUNCTION_NAMED(Follow, follow);
CATENA_FUNCTION_NAMED(Integrates, integrates);
CATENA_FUNCTION_NAMED(SamplingPeriod, sampling_period);
}  // namespace named

// Of what is neither a constraint nor a force: what it lacks.
template <class E>
consteval void check_kind() {
  if constexpr (!HasBodies<E>) {
    static_assert(HasBodies<E>,
                  "a constraint or force needs the member std::array<BodyId, N> bodies with 1 <= N <= 4");
  } else if constexpr (named::MadeOf<E>) {
    static_assert(!named::MadeOf<E>, "the signature of made_of must be: auto made_of() const");
  } else if constexpr (HasRows<E>) {
    constexpr bool position = level_of<E>() == Level::position;
    constexpr bool gap = position && named::Gap<E>, rate = !position && named::Rate<E>;
    constexpr bool without_level = position && !gap && named::Rate<E>;
    static_assert(
        !gap,
        "the signature of gap must be: template <class S> Vec<S, rows> gap(const BodyFrame<S>& A, ..., "
        "const S& t) const, with one frame for each of the bodies (where the type declares `discrete`, "
        "const double* discrete comes behind t)");
    static_assert(
        !rate,
        "the signature of rate must be: template <class S> Vec<S, rows> rate(const BodyFrame<S>& A, ..., "
        "const S& t) const, with one frame for each of the bodies (where the type declares `discrete`, "
        "const double* discrete comes behind t)");
    static_assert(
        !without_level,
        "a constraint with rate in place of gap declares: static constexpr Level level = Level::velocity");
    static_assert(
        gap || rate || without_level,
        "neither a constraint (static constexpr int rows, and gap(A, ..., t) or, at Level::velocity, "
        "rate(A, ..., t), returning Vec<S, rows>) nor a force (wrench(A, ..., t)); see "
        "constraint.hpp, force.hpp");
  } else {
    constexpr bool rows = named::Gap<E> || named::Rate<E>;
    static_assert(!rows, "a constraint, which has gap or rate, declares: static constexpr int rows");
    static_assert(
        rows || !named::Wrench<E>,
        "the signature of wrench must be: template <class S> Vec<S, 6> wrench(const BodyFrame<S>& A, "
        "const S& t) const, or for N > 1 bodies std::array<Vec<S, 6>, N> wrench(const BodyFrame<S>& A, ..., "
        "const S& t) const (where the type declares `discrete`, const double* discrete comes behind t)");
    static_assert(
        rows || named::Wrench<E>,
        "neither a constraint (static constexpr int rows, and gap(A, ..., t) or, at Level::velocity, "
        "rate(A, ..., t), returning Vec<S, rows>) nor a force (wrench(A, ..., t)); see "
        "constraint.hpp, force.hpp");
  }
}

template <class E>
consteval void check_derivatives_of_rows() {
  using B = Bound<E>;
  static_assert(
      HasJacobian<B, double> || !named::Jacobian<E>,
      "the signature of jacobian must be: void jacobian(const BodyFrame<S>* f, const S& t, "
      "Mat<S, rows, 6>* G) const (where the type declares `discrete`, const double* discrete comes last)");
  static_assert(level_of<E>() == Level::velocity || HasDrift<B, double> || !named::Drift<E>,
                "the signature of drift must be: Vec<S, rows> drift(const BodyFrame<S>* f, const S& t) const "
                "(where the type declares `discrete`, const double* discrete comes last)");
  static_assert(HasBias<B, double> || !named::Bias<E>,
                "the signature of bias must be: Vec<S, rows> bias(const BodyFrame<S>* f, const S& t) const "
                "(where the type declares `discrete`, const double* discrete comes last)");
  static_assert(
      HasRateJacobian<B, double> || !named::RateJacobian<E>,
      "the signature of rate_jacobian must be: void rate_jacobian(const BodyFrame<S>* f, const S& t, "
      "Mat<S, rows, 6>* N) const (where the type declares `discrete`, const double* discrete comes last)");
  static_assert(
      HasGeometricStiffness<B, double> || !named::GeometricStiffness<E>,
      "the signature of geometric_stiffness must be: void geometric_stiffness(const BodyFrame<S>* f, "
      "const S& t, const Vec<S, rows>& lambda, Mat<S, 6, 6>* K) const (where the type declares "
      "`discrete`, const double* discrete comes last)");
  if constexpr (requires(E & e) {
                  e.*(E::joins[0]);
                  requires E::joins.size() > 0;
                })
    static_assert(JoinsPoints<E>,
                  "joins is static constexpr std::array joins{&C::point_a, ...}, one member Vec3 for each of "
                  "the bodies, "
                  "of a constraint at Level::position without `discrete`");
}

template <class E>
consteval void check_members_of_force() {
  using B = Bound<E>;
  static_assert(
      has_potential<B, double>(Indices<E>{}) || !named::Potential<E>,
      "the signature of potential must be: S potential(const BodyFrame<S>& A, ..., const S& t) const, "
      "with one frame for each of the bodies (where the type declares `discrete`, const double* discrete "
      "comes behind t)");
  static_assert(
      HasDerivatives<B, double> || !named::Derivatives<E>,
      "the signature of derivatives must be: void derivatives(const BodyFrame<S>* f, const S& t, "
      "Mat<S, 6, 6>* K, Mat<S, 6, 6>* D) const (where the type declares `discrete`, const double* discrete "
      "comes last)");
  static_assert(
      requires(const E& e) { e.does_work(); } || !(named::DoesWork<E> || requires(E & e) { e.does_work; }),
      "does_work is a function: bool does_work() const");
}

template <class E>
consteval void check_discrete() {
  if constexpr (HasDiscrete<E>) {
    static_assert(
        requires(const E& e) {
          {
            e.initial_discrete()
            } -> std::convertible_to<std::array<double, static_cast<std::size_t>(discrete_size<E>)>>;
        } || !named::InitialDiscrete<E>,
        "the signature of initial_discrete must be: std::array<double, discrete> initial_discrete() const");
    static_assert(
        Follows<E> || !named::Follow<E>,
        "the signature of follow must be: void follow(const BodyFrame<double>* f, double* discrete) const, "
        "or void follow(const BodyFrame<double>* f, double t, double* discrete) const");
    static_assert(
        requires(const E& e) { e.integrates(); } || !named::Integrates<E>,
        "the signature of integrates must be: bool integrates() const");
  } else {
    static_assert(!(named::InitialDiscrete<E> || FollowsTime<E> || FollowsPoses<E>),
                  "a type with initial_discrete or follow declares: static constexpr int discrete");
  }
  static_assert(
      Samples<E> || !named::SamplingPeriod<E>,
      "the signatures of sampling_period and sample must be: double sampling_period() const, and void "
      "sample(const BodyFrame<double>* f, double t, double* discrete) const");
}

// Of a constraint or force.
template <class E>
consteval void check_members() {
  static_assert(
      requires(E & e) { e.defect(); } || !named::Defect<E>,
      "the signature of defect must be: std::string defect() const");
  static_assert(
      requires(const E& e, const BodyFrame<double>* f) { e.defect_at(f, 0.0); } || !named::DefectAt<E>,
      "the signature of defect_at must be: std::string defect_at(const BodyFrame<double>* f, double t) "
      "const");
  static_assert(
      requires(const E& e, const BodyFrame<double>* f) { std::string(e.trouble_near(f, 0.0, 0.0)); } ||
          !named::TroubleNear<E>,
      "the signature of trouble_near must be: std::string trouble_near(const BodyFrame<double>* f, double "
      "from, "
      "double to) const");
  static_assert(
      requires(E & e, BodyFrame<double> * f) { e.placed(f); } || !named::Placed<E>,
      "the signature of placed must be: void placed(const BodyFrame<double>* f)");
  static_assert(ListedPool<E>::states_jumps || !named::Jumped<E>,
                "jumped needs static constexpr const char* jump beside it, and is: bool jumped(const "
                "BodyFrame<double>* before, const BodyFrame<double>* after) const");
  if constexpr (!RowsAtRunTime<E> && !HasKernel<E>) {
    static_assert(!named::MadeOf<E>, "the signature of made_of must be: auto made_of() const");
    check_discrete<E>();
    if constexpr (Constraint<E>)
      check_derivatives_of_rows<E>();
    else
      check_members_of_force<E>();
  }
}

}  // namespace catena::detail::of_element
