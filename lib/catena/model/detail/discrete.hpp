// Discrete values of constraints and forces: what a controller sets, how often a joint has turned. An element
// declares
//
//   static constexpr int discrete = 1;                        // doubles in State::discrete
//   std::array<double, discrete> initial_discrete() const;    // optional, else 0
//
// and gap or rate with its derivatives, or wrench, derivatives and potential, take `const double* discrete` behind their other
// arguments, for instance
//   template <class S> Vec<S, 6> wrench(const BodyFrame<S>& A, const S& t, const double* discrete) const.
// They are constant between instants: a controller changes them when it samples (driver/parts/controller.hpp), or the
// element itself after every accepted step, by
//   void follow(const BodyFrame<double>* f, double* discrete) const;             // or
//   void follow(const BodyFrame<double>* f, double t, double* discrete) const;
// as full turns of an angle are counted (model/parts/torsion_spring.hpp); f: its bodies, t: the time at the end of the step
// [s]. follow is called at the initial positions too. It must not change the values of rows and forces where the bodies are.
// An element whose values are an integral over the time (model/detail/controller_law.hpp) says so by
//   bool integrates() const;
// it has no equilibrium and no equations with constant coefficients.
// An element that samples the motion by itself, as a controller in a model file does (model/parts/joint_pid.hpp), has
//   double sampling_period() const;                                              // T [s]; 0: this one does not
//   void sample(const BodyFrame<double>* f, double t, double* discrete) const;   // at 0, T, 2 T, ...: sets its values
// and every run ends its steps at these instants.
// What a controller adds to potential is work of the force.
#pragma once
#include <catena/model/detail/element_traits.hpp>

namespace catena::detail::of_element {

template <class E>
concept HasDiscrete = requires {
  { E::discrete } -> std::convertible_to<int>;
};

// Kernels say it themselves.
template <class E>
concept HasDiscreteKernel = HasKernel<E> && requires {
  { KernelOf<E>::discrete } -> std::convertible_to<int>;
};

template <class E>
inline constexpr int discrete_size = 0;
template <HasDiscrete E>
inline constexpr int discrete_size<E> = E::discrete;
template <HasDiscreteKernel E>
inline constexpr int discrete_size<E> = KernelOf<E>::discrete;

// Whether its discrete values follow the motion of its bodies.
template <class E>
concept FollowsTime = requires(const E& e, const BodyFrame<double>* f, double* values) {
  e.follow(f, 0.0, values);
};
template <class E>
concept FollowsPoses = requires(const E& e, const BodyFrame<double>* f, double* values) {
  e.follow(f, values);
};
template <class E>
concept Follows = HasDiscreteKernel<E> ||(HasDiscrete<E> && (FollowsTime<E> || FollowsPoses<E>));
template <class E>
void follow(const E& e, const BodyFrame<double>* f, double t, double* values) {
  if constexpr (HasDiscreteKernel<E>)
    follow(kernel_of<double>(e), f, t, values);
  else if constexpr (FollowsTime<E>)
    e.follow(f, t, values);
  else
    e.follow(f, values);
}

// Whether it sets its discrete values at instants of its own.
template <class E>
concept Samples = requires(const E& e, const BodyFrame<double>* f, double* values) {
  { e.sampling_period() } -> std::convertible_to<double>;
  e.sample(f, 0.0, values);
};

template <class E>
void initial_discrete(const E& e, double* out) {
  if constexpr (requires { e.initial_discrete(); }) {
    const auto values = e.initial_discrete();
    for (std::size_t k = 0; k < values.size(); ++k) out[k] = values[k];
  } else {
    for (int k = 0; k < discrete_size<E>; ++k) out[k] = 0.0;
  }
}

// An element with its discrete values bound: to everyone else an element without any.
template <HasDiscrete E>
struct BoundForce {
  const E& element;
  const double* values;
  const std::array<BodyId, static_cast<std::size_t>(body_count<E>)>& bodies = element.bodies;

  static constexpr bool couples = couples_of<E>();

  template <class... A>
  auto wrench(const A&... a) const requires requires(const E& e, const double* d) {
    e.wrench(a..., d);
  }
  { return element.wrench(a..., values); }
  template <class... A>
  void derivatives(const A&... a) const requires requires(const E& e, const double* d) {
    e.derivatives(a..., d);
  }
  { element.derivatives(a..., values); }
  template <class... A>
  auto potential(const A&... a) const requires requires(const E& e, const double* d) {
    e.potential(a..., d);
  }
  { return element.potential(a..., values); }
};

template <HasDiscrete E>
struct BoundConstraint {
  const E& element;
  const double* values;
  const std::array<BodyId, static_cast<std::size_t>(body_count<E>)>& bodies = element.bodies;

  static constexpr int rows = row_count<E>;
  static constexpr Level level = level_of<E>();
  static constexpr bool couples = couples_of<E>();

  template <class... A>
  auto gap(const A&... a) const requires requires(const E& e, const double* d) {
    e.gap(a..., d);
  }
  { return element.gap(a..., values); }
  template <class... A>
  auto rate(const A&... a) const requires requires(const E& e, const double* d) {
    e.rate(a..., d);
  }
  { return element.rate(a..., values); }
  template <class... A>
  void jacobian(const A&... a) const requires requires(const E& e, const double* d) {
    e.jacobian(a..., d);
  }
  { element.jacobian(a..., values); }
  template <class... A>
  auto drift(const A&... a) const requires requires(const E& e, const double* d) {
    e.drift(a..., d);
  }
  { return element.drift(a..., values); }
  template <class... A>
  auto bias(const A&... a) const requires requires(const E& e, const double* d) {
    e.bias(a..., d);
  }
  { return element.bias(a..., values); }
  template <class... A>
  void rate_jacobian(const A&... a) const requires requires(const E& e, const double* d) {
    e.rate_jacobian(a..., d);
  }
  { element.rate_jacobian(a..., values); }
  template <class... A>
  void geometric_stiffness(const A&... a) const requires requires(const E& e, const double* d) {
    e.geometric_stiffness(a..., d);
  }
  { element.geometric_stiffness(a..., values); }
};

template <class E>
struct BoundType {
  using type = E;
};
template <HasDiscrete E>
struct BoundType<E> {
  using type = BoundForce<E>;
};
template <HasDiscrete E>
requires HasRows<E>
struct BoundType<E> {
  using type = BoundConstraint<E>;
};
// What kernels are made of: E itself where it has no discrete values.
template <class E>
using Bound = typename BoundType<E>::type;

// An element at values in State::discrete, or (null) at its initial ones.
template <class E>
class AtDiscrete {
 public:
  AtDiscrete(const E& e, const double*, int, int) : element_(e) {}
  const E& get() const { return element_; }

 private:
  const E& element_;
};
template <HasDiscrete E>
class AtDiscrete<E> {
 public:
  // values: State::discrete; first: place of the first element of a group in it; lane: number in the group.
  AtDiscrete(const E& e, const double* values, int first, int lane)
      : bound_{e, values == nullptr ? initial_ : values + first + lane * E::discrete} {
    if (values == nullptr) initial_discrete(e, initial_);
  }
  AtDiscrete(const AtDiscrete&) = delete;
  AtDiscrete& operator=(const AtDiscrete&) = delete;
  const Bound<E>& get() const { return bound_; }

 private:
  double initial_[E::discrete];
  Bound<E> bound_;
};

}  // namespace catena::detail::of_element
