// Behaviour does not depend on where in the world a mechanism is.
#include <catena/assembly/multibody_system.hpp>
#include <catena/driver/run.hpp>
#include <catena/model/joints.hpp>
#include <catena/model/parts/spring_damper.hpp>
#include <catena/solvers/alpha_rattle.hpp>
#include <catena/solvers/generalized_alpha.hpp>
#include <catena/solvers/lie_dae.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <utility>
#include <vector>

namespace translated_copies_tests {

namespace {

using namespace catena;

struct Translated {
  RunResult result;
  State end;
  std::vector<Vec3> places;  // at the end, relative to where the copy is
};

Translated run_translated(Stepper& stepper, const Model& model, const Vec3& origin, double h, double end) {
  const MultibodySystem system(model);
  Translated r;
  r.end = system.initial_state();
  r.result = run(system, stepper, r.end, {.step = h, .end = end});
  for (const RigidBodyState& b : system.bodies(r.end)) r.places.push_back(b.position - origin);
  return r;
}

// A metre of an arm in the air, held by the ground.
Model pendulum_at(const Vec3& origin) {
  Model model;
  const Mat3 inertia = 0.1 * Mat3::Identity();
  const BodyId bob =
      model.add({.name = "bob", .mass = 1.0, .inertia = inertia, .position = origin + Vec3{{1.0, 0.0, 0.0}}});
  model.add(SphericalJoint{.bodies = {ground, bob}, .point_a = origin, .point_b = {{-1.0, 0.0, 0.0}}});
  return model;
}

// Every joint of two points, on a fixed body that is turned: anchor, lever and place are all large.
Model chain_at(const Vec3& origin) {
  Model model;
  const Mat3 inertia = 0.02 * Mat3::Identity();
  const Quat quarter{std::sqrt(0.5), 0.0, 0.0, std::sqrt(0.5)};
  const BodyId post = model.add({.name = "post", .position = origin, .orientation = quarter, .fixed = true});
  const auto link = [&](const char* name, double x) {
    return model.add(
        {.name = name, .mass = 1.0, .inertia = inertia, .position = origin + Vec3{{x, 0.0, 0.0}}});
  };
  const BodyId a = link("a", 0.75), b = link("b", 1.25), c = link("c", 2.0);
  const Vec3 half{{0.25, 0.0, 0.0}}, back{{-0.25, 0.0, 0.0}};
  // (0.5, 0, 0) of the world is (0, -0.5, 0) of the post.
  model.add(RevoluteJoint{.bodies = {a, post},
                          .point_a = back,
                          .point_b = {{0.0, -0.5, 0.0}},
                          .axis_a = Vec3::Unit(1),
                          .axis_b = Vec3::Unit(0)});
  model.add(SphericalJoint{.bodies = {a, b}, .point_a = half, .point_b = back});
  model.add(DistanceConstraint{.bodies = {b, c}, .point_a = half, .point_b = back, .length = 0.25});
  model.add(SpringDamper{.bodies = {ground, c},
                         .point_a = origin + Vec3{{2.0, 0.5, 1.0}},
                         .stiffness = 20.0,
                         .damping = 0.1,
                         .rest_length = 0.5});
  return model;
}

// Numbers of the size of the origin are exact in steps of 2^-52 of it; the motion may differ by some of them, which
// the mechanism has made grow in the meantime.
void check_copies(Stepper& stepper, Model (*model)(const Vec3&), double h, double end, double growth) {
  const Translated home = run_translated(stepper, model(Vec3::Zero()), Vec3::Zero(), h, end);
  REQUIRE(home.result.status == Status::ok);
  for (const double x : {1e3, 1e5}) {
    CAPTURE(x);
    const Vec3 origin{{x, -0.5 * x, 0.25 * x}};
    const Translated copy = run_translated(stepper, model(origin), origin, h, end);
    CHECK(copy.result.status == Status::ok);
    CHECK(copy.result.rejected == 0);
    CHECK(copy.result.steps == home.result.steps);
    for (std::size_t k = 0; k < home.places.size(); ++k)
      CHECK(norm(copy.places[k] - home.places[k]) <= growth * 0x1p-52 * x);
    // Newton's method needs no more iterations than at home, but for a step now and then at the edge of its tolerance.
    CHECK(static_cast<double>(stepper.statistics().newton_iterations) <=
          4.0 * static_cast<double>(copy.result.steps));
  }
}

}  // namespace

TEST_CASE("a pendulum a hundred kilometres away swings as at home: no cut steps, the same motion") {
  for (const double h : {1e-3, 1e-4}) {
    CAPTURE(h);
    GeneralizedAlpha alpha;
    check_copies(alpha, pendulum_at, h, 0.8, 4.0);
  }
  AlphaRattle rattle;
  check_copies(rattle, pendulum_at, 1e-3, 0.8, 4.0);
  LieDae lie;
  check_copies(lie, pendulum_at, 1e-3, 0.8, 4.0);
}

TEST_CASE("a chain on a fixed body, with a rod and a spring, moves a hundred kilometres away as at home") {
  GeneralizedAlpha alpha;
  check_copies(alpha, chain_at, 1e-3, 0.5, 16.0);
  AlphaRattle rattle;
  check_copies(rattle, chain_at, 1e-3, 0.5, 16.0);
  LieDae lie;
  check_copies(lie, chain_at, 1e-3, 0.5, 16.0);
}

TEST_CASE("the potential energy of a spring does not depend on where its fixed end is") {
  const Vec3 origin{{1e5, -2e5, 3e5}};
  const auto potential = [](const Vec3& at) {
    Model model = chain_at(at);
    model.gravity = Vec3::Zero();
    const MultibodySystem system(std::move(model));
    const State start = system.initial_state();
    return system.energy(point_of(start)).potential;
  };
  const double home = potential(Vec3::Zero());
  CHECK(home > 1.0);
  // places are whole numbers and quarters: differences are exact, and the sums behind a few joules are the same
  CHECK(std::abs(potential(origin) - home) <= 8.0 * 0x1p-52 * home);
}

}  // namespace translated_copies_tests
