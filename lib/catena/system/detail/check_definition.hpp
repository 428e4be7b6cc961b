// Members of the definition of a CoordinateSystem that have the name of an optional member and cannot be called as the library
// calls it: each is an error of the compiler with the signature that is right. Without it the member would be ignored.
#pragma once
#include <catena/math/detail/member_function.hpp>
#include <catena/system/detail/coordinate_derivatives.hpp>

#include <concepts>

namespace catena::detail::coordinate_detail {

namespace named {
CATENA_FUNCTION_NAMED(Gap, gap);
CATENA_FUNCTION_NAMED(VelocityRows, velocity_rows);
CATENA_FUNCTION_NAMED(VelocityBias, velocity_bias);
CATENA_FUNCTION_NAMED(Potential, potential);
CATENA_FUNCTION_NAMED(ForceDerivatives, force_derivatives);
CATENA_FUNCTION_NAMED(GapJacobian, gap_jacobian);
CATENA_FUNCTION_NAMED(Scale, scale);
CATENA_FUNCTION_NAMED(Angles, angles);
CATENA_FUNCTION_NAMED(Bodies, bodies);
CATENA_FUNCTION_NAMED(InitialDiscrete, initial_discrete);
}  // namespace named

template <class D>
consteval void check_members() {
  constexpr int n = D::coordinates;
  using Vector = Vec<double, n>;
  using Matrix = Mat<double, n, n>;
  static_assert(
      HasGap<D> || !(named::Gap<D> || HasGapOver<D, double>),
      "the signature of gap must be: template <class S> Vec<S, R> gap(const Vec<S, n>& q, const S& t) const");
  static_assert(HasVelocityRows<D> || !(named::VelocityRows<D> || HasVelocityRowsOver<D, double>),
                "the signature of velocity_rows must be: template <class S> Mat<S, R, n> velocity_rows(const "
                "Vec<S, n>& q, const S& t) const");
  static_assert(
      (HasVelocityBias<D, double> && HasVelocityBias<D, Dual<double, n>>) ||
          !(named::VelocityBias<D> || HasVelocityBias<D, double>),
      "the signature of velocity_bias must be: template <class S> Vec<S, R> velocity_bias(const Vec<S, n>& "
      "q, const S& t) const");
  static_assert(
      requires(const D& d, const Vector& q) { d.potential(q); } || !named::Potential<D>,
      "the signature of potential must be: template <class S> S potential(const Vec<S, n>& q) const");
  static_assert(
      requires(const D& d, const Vector& q, Matrix& K) { d.force_derivatives(q, q, 0.0, K, K); } ||
          requires(const D& d, const Vector& q, const double* discrete, Matrix& K) {
            d.force_derivatives(q, q, 0.0, discrete, K, K);
          } ||
          !named::ForceDerivatives<D>,
      "the signature of force_derivatives must be: void force_derivatives(const Vec<double, n>& q, const "
      "Vec<double, n>& v, double t, Mat<double, n, n>& K, Mat<double, n, n>& D) const (where the type "
      "declares `discrete`, const double* discrete comes behind t)");
  static_assert(
      requires(const D& d, const Vector& q) { d.gap_jacobian(q, 0.0); } || !named::GapJacobian<D>,
      "the signature of gap_jacobian must be: Mat<double, R, n> gap_jacobian(const Vec<double, n>& q, "
      "double t) const");
  static_assert(
      requires(D & d) { d.scale(); } || !named::Scale<D>,
      "the signature of scale must be: Vec<double, n> scale() const");
  static_assert(
      requires(D & d) { d.angles(); } || !named::Angles<D>,
      "the signature of angles must be: std::array<bool, n> angles() const");
  static_assert(
      requires(const D& d, const Vector& q) { d.bodies(q, q); } || !named::Bodies<D>,
      "the signature of bodies must be: std::vector<RigidBodyState> bodies(const Vec<double, n>& q, const "
      "Vec<double, n>& v) const");
  if constexpr (requires { D::discrete; })
    static_assert(
        requires(D & d) {
          { d.initial_discrete() } -> std::convertible_to<Vec<double, D::discrete>>;
        } || !named::InitialDiscrete<D>,
        "the signature of initial_discrete must be: Vec<double, discrete> initial_discrete() const");
  else
    static_assert(!named::InitialDiscrete<D>,
                  "a type with initial_discrete declares: static constexpr int discrete");
}

}  // namespace catena::detail::coordinate_detail
