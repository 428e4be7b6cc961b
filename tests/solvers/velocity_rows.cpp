// Errors of positions where rows at velocity level determine the motion: these hold v, and the positions are sums of it.
#include <catena/assembly/multibody_system.hpp>
#include <catena/model/joints.hpp>
#include <catena/model/parts/joint_drive.hpp>
#include <catena/problems/rolling_disc.hpp>
#include <catena/solvers/dop853.hpp>
#include <catena/solvers/generalized_alpha.hpp>
#include <catena/solvers/hht.hpp>
#include <catena/solvers/lie_bdf.hpp>
#include <catena/solvers/lie_dae.hpp>
#include <catena/solvers/radau.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <utility>
#include <vector>

namespace velocity_rows_tests {

using namespace catena;

namespace {

constexpr double amplitude = 3.0, frequency = 1.0;  // [rad/s], [Hz]

// A rotor on the ground whose rate follows a sine; the axle stays where it is.
Model rotor() {
  Model model;
  const BodyId a = model.add(Body{.name = "a", .mass = 1.0, .inertia = 0.1 * Mat3::Identity()});
  const ConstraintId axle = model.add(RevoluteJoint{.bodies = {ground, a}, .name = "axle"});
  model.add(JointDrive{.joint = axle,
                       .rate = true,
                       .target = functions::Sine{.amplitude = amplitude, .frequency = frequency},
                       .name = "motor"});
  return model;
}

double angle_at(double t) {
  constexpr double w = 2.0 * std::numbers::pi * frequency;
  return amplitude / w * (1.0 - std::cos(w * t));
}
double angle_of(const State& state) { return 2.0 * std::atan2(state.q[6], state.q[3]); }

template <class Options>
Options by_sizes(double tolerance) {
  Options o;
  o.rtol_position = o.atol_position = o.rtol_velocity = o.atol_velocity = tolerance;
  return o;
}
template <class S, class Options>
std::unique_ptr<Stepper> table(double tolerance) {
  Options o;
  if constexpr (requires { o.engine; })
    o.engine.tolerance = tolerance;
  else
    o.implicit.engine.tolerance = tolerance;
  return std::make_unique<S>(o);
}
std::unique_ptr<Stepper> radau(double t) { return std::make_unique<Radau>(by_sizes<RadauOptions>(t)); }
std::unique_ptr<Stepper> lie_bdf(double t) { return std::make_unique<LieBdf>(by_sizes<LieBdfOptions>(t)); }
std::unique_ptr<Stepper> alpha(double t) { return table<GeneralizedAlpha, GeneralizedAlphaOptions>(t); }
std::unique_ptr<Stepper> hht(double t) { return table<Hht, HhtOptions>(t); }
std::unique_ptr<Stepper> bdf_2(double t) { return table<LieDae, LieDaeOptions>(t); }

// The largest error of the angle [rad] at the ends of the steps that the stepper chooses.
double largest_error(const System& system, Stepper& stepper, double end) {
  REQUIRE(stepper.attach(system).status == Status::ok);
  State s = system.initial_state();
  REQUIRE(stepper.start(s, 1e-3).status == Status::ok);
  double error = 0.0;
  while (s.t < end) {
    REQUIRE(stepper.step(s, std::min(stepper.proposed_step(s), end - s.t)).status == Status::ok);
    error = std::max(error, std::abs(angle_of(s) - angle_at(s.t)));
  }
  return error;
}

// Of a step behind twenty others of the same size, in radians: the estimate, and what the step adds to the error.
struct Errors {
  double estimate, error;
};
Errors of_a_step(const System& system, Stepper& stepper, double h) {
  stepper.estimate_errors(true);
  REQUIRE(stepper.attach(system).status == Status::ok);
  State s = system.initial_state();
  REQUIRE(stepper.start(s, h).status == Status::ok);
  for (int k = 0; k < 20; ++k) REQUIRE(stepper.step(s, h).status == Status::ok);
  const double before = angle_of(s) - angle_at(s.t);
  const Outcome o = stepper.step(s, h);
  REQUIRE(o.status == Status::ok);
  REQUIRE(o.error.known());
  CHECK(o.error.component == 5);
  return {o.error.largest * system.layout().scale[5], std::abs(angle_of(s) - angle_at(s.t) - before)};
}

}  // namespace

TEST_CASE("a rate that a drive prescribes gives angles that are wrong by about the tolerance") {
  const MultibodySystem system(rotor());
  for (const auto& method :
       {std::pair{&radau, 1e-4}, {&lie_bdf, 1e-4}, {&alpha, 1e-3}, {&hht, 1e-3}, {&bdf_2, 1e-3}}) {
    const auto make = method.first;
    const double first = method.second;
    CAPTURE(make(1e-3)->traits().name);
    double before = 1.0;
    for (const double tolerance : {first, 1e-1 * first, 1e-2 * first}) {
      CAPTURE(tolerance);
      const std::unique_ptr<Stepper> stepper = make(tolerance);
      const double error = largest_error(system, *stepper, 1.3);
      CHECK(error <= 2.0 * tolerance);
      CHECK(error <= 0.2 * before);
      before = error;
    }
  }
}

TEST_CASE("the local error of a fixed step is seen along rows at velocity level") {
  const MultibodySystem system(rotor());
  for (const auto& make : {&alpha, &hht, &bdf_2}) {
    const std::unique_ptr<Stepper> stepper = make(0.0);
    CAPTURE(stepper->traits().name);
    const Errors errors = of_a_step(system, *stepper, 2e-3);
    CHECK(errors.estimate == doctest::Approx(errors.error).epsilon(0.1));
  }
  LieBdfOptions bdf;
  bdf.control = LieBdfOptions::Control::fixed;
  LieBdf lie_bdf(bdf);
  const Errors of_bdf = of_a_step(system, lie_bdf, 2e-3);
  CHECK(of_bdf.estimate == doctest::Approx(of_bdf.error).epsilon(0.1));
  // Of radau it is that of the embedded solution, of order 3.
  RadauOptions fixed;
  fixed.control = RadauOptions::Control::fixed;
  Radau coarse(fixed), fine(fixed);
  const Errors of_coarse = of_a_step(system, coarse, 2e-2), of_fine = of_a_step(system, fine, 1e-2);
  CHECK(of_coarse.estimate > of_coarse.error);
  CHECK(of_coarse.estimate > 1e-7);
  CHECK(of_fine.estimate < of_coarse.estimate);
}

TEST_CASE("the local error of a disc that rolls is that of all its directions") {
  const MultibodySystem disc(RollingDiscProblem().model());
  constexpr double h = 2e-3;
  for (const auto& make : {&alpha, &hht, &bdf_2}) {
    const std::unique_ptr<Stepper> stepper = make(0.0);
    CAPTURE(stepper->traits().name);
    stepper->estimate_errors(true);
    REQUIRE(stepper->attach(disc).status == Status::ok);
    State s = disc.initial_state();
    REQUIRE(stepper->start(s, h).status == Status::ok);
    for (int k = 0; k < 20; ++k) REQUIRE(stepper->step(s, h).status == Status::ok);
    Dop853 reference(by_sizes<ExplicitOptions>(1e-13));
    REQUIRE(reference.attach(disc).status == Status::ok);
    State exact = s;
    REQUIRE(reference.start(exact, h).status == Status::ok);
    const Outcome o = stepper->step(s, h);
    REQUIRE(o.status == Status::ok);
    while (exact.t < s.t) REQUIRE(reference.step(exact, s.t - exact.t).status == Status::ok);
    std::vector<double> d(s.v.size());
    disc.difference(exact.q.data(), s.q.data(), d.data());
    double error = 0.0;
    for (std::size_t k = 0; k < d.size(); ++k)
      error = std::max(error, std::abs(d[k]) / disc.layout().scale[k]);
    CHECK(o.error.largest == doctest::Approx(error).epsilon(0.1));
  }
}

}  // namespace velocity_rows_tests
