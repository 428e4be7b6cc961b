#include <catena/assembly/multibody_system.hpp>
#include <catena/assembly/quaternion_system.hpp>
#include <catena/problems/box_chain.hpp>
#include <catena/problems/heavy_top.hpp>
#include <catena/problems/helix_chain.hpp>
#include <catena/problems/problems.hpp>
#include <catena/problems/rod_chain.hpp>
#include <catena/problems/simple_pendulum.hpp>
#include <catena/problems/straight_box_chain.hpp>

#include "support/relative.hpp"
#include "support/residual.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

using namespace catena;
using namespace catena::detail;

namespace {

// Largest position and velocity residual of the initial state.
double initial_residual(const System& system) {
  const State state = system.initial_state();
  return std::max(catena_test::residual(system, state, &Evaluation::position),
                  catena_test::residual(system, state, &Evaluation::velocity));
}

template <class SystemType>
double initial_residual(const Problem& problem) {
  return initial_residual(SystemType(problem.model()));
}

double initial_energy(const Problem& problem) {
  std::unique_ptr<System> system = problem.own_system();
  if (!system) system = std::make_unique<MultibodySystem>(problem.model());
  const State state = system->initial_state();
  return system->energy(point_of(state)).total();
}

double invariant(const Problem& problem, const std::string& name) {
  for (const Invariant& kept : problem.invariants())
    if (kept.name == name) return kept.value;
  FAIL("no invariant of this name");
  return 0.0;
}

void check_vector(const Vec3& got, const Vec3& expected, double tolerance) {
  for (int k = 0; k < 3; ++k) CHECK(std::abs(got[k] - expected[k]) <= tolerance);
}

}  // namespace

TEST_CASE("every problem starts on its constraints, in both kinds of coordinates") {
  for (const ProblemEntry& entry : builtin_problems()) {
    CAPTURE(entry.name);
    const std::unique_ptr<Problem> problem = entry.make();
    if (const auto own = problem->own_system()) {
      CHECK(initial_residual(*own) <= 1e-12);
      continue;
    }
    // The positions of a long chain are sums of up to 400 links, each rounded: 400 * 1e-16 * 100 m at most.
    CHECK(initial_residual<MultibodySystem>(*problem) <= 1e-12);
    CHECK(initial_residual<QuaternionSystem>(*problem) <= 1e-12);
    CHECK_NOTHROW(problem->model().check_initial_positions(1e-12));
  }
  for (const ChainJoint joint : {ChainJoint::spherical, ChainJoint::revolute})
    for (const int n : {1, 2, 10, 100}) {
      CAPTURE(n);
      CHECK(initial_residual<MultibodySystem>(HelixChain({.n = n, .joint = joint})) <= 1e-12);
      CHECK(initial_residual<MultibodySystem>(RodChain({.n = n, .joint = joint})) <= 1e-12);
      CHECK(initial_residual<MultibodySystem>(StraightBoxChain({.n = n})) <= 1e-12);
    }
}

TEST_CASE("the energy of every initial state is the invariant that the problem states") {
  for (const ProblemEntry& entry : builtin_problems()) {
    CAPTURE(entry.name);
    const std::unique_ptr<Problem> problem = entry.make();
    const std::vector<Invariant> kept = problem->invariants();
    if (std::none_of(kept.begin(), kept.end(), [](const Invariant& k) { return k.name == "energy"; }))
      continue;  // not conservative with its default parameters
    const double stated = invariant(*problem, "energy");
    CHECK(std::abs(initial_energy(*problem) - stated) <= 1e-13 * std::abs(stated));
  }
}

TEST_CASE("energies agree with the literature to all digits given") {
  CHECK(std::abs(initial_energy(BoxChain()) - -997.8690896) <= 0.5e-7);
  CHECK(std::abs(initial_energy(HeavyTop()) - 5435.696790865546875) <= 1e-15 * 5436 * 4);
  CHECK(initial_energy(SimplePendulum()) == 0.0);
  CHECK(initial_energy(RodChain({.n = 100})) == 0.0);
  CHECK(initial_energy(StraightBoxChain({.n = 1000})) == 0.0);
}

TEST_CASE("box chain: the centres form the paper's V in the plane of x~ and z") {
  const double v[4][2] = {{1.0607, -1.0607}, {3.1820, -3.1820}, {5.3033, -3.1820}, {7.4246, -1.0607}};
  const Model model = BoxChain().model();
  REQUIRE(model.body_count() == 4);
  for (int k = 0; k < 4; ++k) {
    const Vec3 x = model.body(BodyId{k}).position;
    CHECK(std::abs((-x[0] + x[1]) / std::numbers::sqrt2 - v[k][0]) <= 0.5e-4);  // four decimals are given
    CHECK(std::abs(x[2] - v[k][1]) <= 0.5e-4);
    CHECK(std::abs(x[0] + x[1]) <= 1e-15);
    CHECK(model.body(BodyId{k}).mass == 12.0);
  }
}

TEST_CASE("helix chain: each bar is turned against the one before and has the inertia of a square bar") {
  const Model model = HelixChain({.n = 20}).model();
  const double pi = std::numbers::pi;
  const Mat3 relative = rotation_matrix(turn(0, 0.01 * pi)) * rotation_matrix(turn(2, 0.02 * pi));
  Mat3 R = Mat3::Identity();
  Vec3 end = Vec3::Zero();
  for (const Body& body : model.bodies()) {
    for (int k = 0; k < 9; ++k)
      CHECK(std::abs(rotation_matrix(body.orientation).e[k] - R.e[k]) <= 20 * 1e-15);
    check_vector(body.position, end + R * Vec3{{0.2, 0.0, 0.0}}, 20 * 1e-15);
    CHECK(body.mass == catena_test::relative(4.0, 1e-15));
    CHECK(body.inertia(0, 0) == catena_test::relative(4.0 / 12 * 0.02, 1e-15));
    CHECK(body.inertia(1, 1) == catena_test::relative(4.0 / 12 * 0.17, 1e-15));
    CHECK(body.inertia(2, 2) == body.inertia(1, 1));
    end += R * Vec3{{0.4, 0.0, 0.0}};
    R = R * relative;
  }
}

TEST_CASE("heavy top: velocity and spin of the literature") {
  const Model model = HeavyTop().model();
  const Body& top = model.body(BodyId{0});
  check_vector(top.velocity, {{4.61538, 0.0, 0.0}}, 0.0);
  check_vector(top.angular_velocity, {{0.0, 150.0, -4.61538}}, 0.0);
  check_vector(top.position, {{0.0, 1.0, 0.0}}, 0.0);
}

TEST_CASE("reference digits of the pendulum lie on the circle and keep the energy") {
  const std::vector<Reference> known = SimplePendulum().references();
  REQUIRE(known.size() == 6);
  for (std::size_t k = 0; k < known.size(); k += 2) {
    const std::vector<double>&x = known[k].value, &v = known[k + 1].value;
    CHECK(known[k].t == known[k + 1].t);
    CHECK(std::abs(std::hypot(x[0], x[1]) - 1.0) <= 1e-15);
    // Roundings of terms of about 10 J.
    CHECK(std::abs(0.5 * (v[0] * v[0] + v[1] * v[1]) + 9.81 * x[1]) <= 1e-14);
  }
}

TEST_CASE("reference digits of the heavy top: the centre is where the quaternion puts it") {
  const std::vector<Reference> known = HeavyTop().references();
  REQUIRE(known.size() == 6);
  for (std::size_t k = 0; k < known.size(); k += 2) {
    const std::vector<double>&x = known[k].value, &e = known[k + 1].value;
    const Quat q{e[0], e[1], e[2], e[3]};
    CHECK(std::abs(squared_norm(q) - 1.0) <= 1e-15);
    check_vector(rotation_matrix(q) * Vec3::Unit(1), {{x[0], x[1], x[2]}}, 1e-15);
  }
}

TEST_CASE("references exist for the parameters of the literature only") {
  CHECK(RodChain({.n = 1}).references().size() == 3);
  CHECK(RodChain({.n = 100}).references().size() == 2);
  CHECK(RodChain({.n = 3}).references().empty());
  CHECK(RodChain({.n = 1, .gravity = 1.0}).references().empty());
  CHECK(BoxChain().references().size() == 4);
  CHECK(BoxChain({.gravity = 1.0}).references().empty());
  CHECK(HeavyTop({.spin = 10.0}).references().empty());
}

TEST_CASE("observed points: the tip of a chain is where the last link ends") {
  for (const ProblemEntry& entry : builtin_problems()) {
    CAPTURE(entry.name);
    const std::unique_ptr<Problem> problem = entry.make();
    const Model model = problem->model();
    for (const ObservedPoint& p : problem->observed_points()) CHECK(p.body < model.body_count());
  }
  const Model rods = RodChain({.n = 7}).model();
  const ObservedPoint tip = RodChain({.n = 7}).observed_points().at(0);
  const Body& last = rods.body(BodyId{tip.body});
  check_vector(last.position + rotation_matrix(last.orientation) * tip.point, {{7.0, 0.0, 0.0}}, 0.0);
  const Model pendulum = SimplePendulum().model();
  const Body& bob = pendulum.body(BodyId{0});
  check_vector(
      bob.position + rotation_matrix(bob.orientation) * SimplePendulum().observed_points().at(0).point,
      {{-1.0, 0.0, 0.0}}, 0.0);
}
