#include <catena/assembly/multibody_system.hpp>
#include <catena/assembly/quaternion_system.hpp>
#include <catena/driver/run.hpp>
#include <catena/model/joints.hpp>
#include <catena/problems/four_bar.hpp>
#include <catena/solvers/generalized_alpha.hpp>
#include <catena/sparse/backends/backends.hpp>

#include "support/relative.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace {

using namespace catena;
using namespace catena::detail;

// The same bars with ball joints at both ends of the coupler: 16 independent rows. What is left besides the
// motion of the linkage is the coupler's turning about itself, which nothing sets off.
Model statically_determinate() {
  const Model model = FourBar().model();
  Model other;
  other.gravity = model.gravity;
  for (const Body& b : model.bodies()) other.add(b);
  const Vec3 z = Vec3::Unit(2);
  const auto x = [](double s) { return Vec3{{s, 0.0, 0.0}}; };
  const BodyId crank{0}, coupler{1}, rocker{2};
  other.add(RevoluteJoint{.bodies = {ground, crank}, .point_b = x(-0.15), .axis_a = z, .axis_b = z});
  other.add(SphericalJoint{.bodies = {crank, coupler}, .point_a = x(0.15), .point_b = x(-0.45)});
  other.add(SphericalJoint{.bodies = {coupler, rocker}, .point_a = x(0.45), .point_b = x(0.4)});
  other.add(RevoluteJoint{
      .bodies = {ground, rocker}, .point_a = x(1.0), .point_b = x(-0.4), .axis_a = z, .axis_b = z});
  return other;
}

std::vector<RigidBodyState> after(const System& system, double h, double end, const char* backend = "ldl") {
  GeneralizedAlpha stepper({}, [backend] { return make_backend(backend); });
  State state = system.initial_state();
  REQUIRE(run(system, stepper, state, {.step = h, .end = end}).status == Status::ok);
  return system.bodies(state);
}

double distance(const std::vector<RigidBodyState>& a, const std::vector<RigidBodyState>& b) {
  double d = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) d = std::max(d, norm(a[k].position - b[k].position));
  return d;
}

}  // namespace

TEST_CASE("four_bar: the initial state closes the loop, and the energy is the one that is stated") {
  const Model model = FourBar().model();
  model.check_initial_positions(1e-14);
  const MultibodySystem system(model);
  const State s = system.initial_state();
  CHECK(system.energy(point_of(s)).total() == catena_test::relative(FourBar().invariants()[0].value, 1e-14));
}

TEST_CASE("four_bar moves like the linkage without redundant rows, with any back end") {
  const MultibodySystem redundant(FourBar().model()), determinate(statically_determinate()),
      twin(FourBar({.twin = true}).model());
  const auto expected = after(determinate, 1e-3, 0.5);
  // The compliance lets joints give way by about 1e-11 m (docs/theory/kkt.md); half a second of falling
  // multiplies that by no more than a thousand.
  CHECK(distance(after(redundant, 1e-3, 0.5), expected) < 1e-8);
  CHECK(distance(after(twin, 1e-3, 0.5), expected) < 1e-8);
  for (const char* backend : {"klu", "cholmod", "eigen_lu"})
    CHECK(distance(after(redundant, 1e-3, 0.5, backend), expected) < 1e-8);
}
