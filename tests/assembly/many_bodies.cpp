// Elements over one to four bodies, some of them fixed or the ground, in one system: the hypergraph of blocks, every
// derivative, the elimination and a motion.
#include <catena/assembly/multibody_system.hpp>
#include <catena/model/joints.hpp>
#include <catena/solvers/generalized_alpha.hpp>
#include <catena/sparse/detail/ordering.hpp>

#include "support/fixture_joints.hpp"
#include "support/mechanisms.hpp"
#include "support/system_check.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace catena;
using namespace catena::detail;
using support::SystemProbe;
using Quantity = SystemProbe::Quantity;

// Five bodies in general position, the fourth fixed; every joint that can be is closed.
Model many_bodies() {
  test::Random random(3);
  Model model;
  model.gravity = {{0.3, -0.2, -9.81}};
  std::vector<BodyId> b;
  for (int k = 0; k < 5; ++k) {
    Body body = test::random_body(random, k);
    body.position = {{1.5 * k, random(-0.5, 0.5), random(-0.5, 0.5)}};
    body.fixed = k == 3;
    if (body.fixed) body.velocity = body.angular_velocity = Vec3::Zero();
    b.push_back(model.add(body));
  }
  const auto place = [&](std::size_t k) { return model.body(b[k]).position; };
  const auto apart = [&](std::size_t i, std::size_t k) { return norm(Vec3(place(i) - place(k))); };
  model.add(fixture::RopeOverTwoPulleys{.bodies = {b[0], b[1], b[2], b[4]},
                                        .length = apart(0, 1) + apart(1, 2) + apart(2, 4)});
  model.add(fixture::RopeOverTwoPulleys{.bodies = {b[4], b[3], b[1], ground},
                                        .length = apart(4, 3) + apart(3, 1) + norm(place(1))});
  model.add(fixture::RopeOverPulley{.bodies = {b[0], b[3], b[2]}, .length = apart(0, 3) + apart(3, 2)});
  model.add(fixture::KnifeEdge{.bodies = {b[1]}, .point = {{0.1, 0.0, 0.2}}});
  model.add(SphericalJoint{
      .bodies = {ground, b[0]},
      .point_b = transpose_times(rotation_matrix(model.body(b[0]).orientation), Vec3(-1.0 * place(0)))});
  model.add(fixture::Cluster{.bodies = {b[0], b[3], b[4]}, .stiffness = 20.0});
  return model;
}

SystemProbe probe_of(const MultibodySystem& system) {
  test::Random random(5);
  const State s = system.initial_state();
  const int n = system.layout().v_size(), m = system.layout().lambda_size();
  return {system, 0.3, s.q, s.v, random.values(n), random.values(m)};
}

}  // namespace

TEST_CASE(
    "one slot for each moving body of a constraint, one for each pair of them, however often it is met") {
  const MultibodySystem system(many_bodies());
  // The pattern has one incidence for each moving body of a constraint, one coupling for each pair of them that an
  // element ties: 01 02 04 12 14 24, of which some are met twice.
  const BlockPattern& pattern = *system.layout().pattern;
  REQUIRE(pattern.primal_count() == 4);
  REQUIRE(pattern.dual_size == std::vector<int>{1, 1, 1, 1, 3});
  std::vector<int> bodies_of(5, 0);
  for (const auto& c : pattern.incidences) ++bodies_of[static_cast<std::size_t>(c.dual)];
  CHECK(bodies_of == std::vector<int>{4, 2, 2, 1, 1});
  std::set<std::pair<int, int>> pairs;
  for (const auto& c : pattern.couplings) pairs.insert(std::minmax(c.i, c.j));
  CHECK(pairs.size() == 6);
  CHECK(pattern.couplings.size() == 6);
}

TEST_CASE("elements over one to four bodies: H, B and C are the derivatives of balance and rows") {
  const MultibodySystem system(many_bodies());
  SystemProbe p = probe_of(system);
  constexpr double tolerance = 1e-9;  // fourth-order differences, h = 1e-3: support/system_check.hpp
  CHECK(support::distance(p.H(1, 0, 0), p.by(&SystemProbe::a, Quantity::balance)) < tolerance);
  CHECK(support::distance(p.H(0, 1, 0), p.by(&SystemProbe::v, Quantity::balance)) < tolerance);
  CHECK(support::distance(p.H(0, 0, 1), p.by_q(Quantity::balance)) < tolerance);
  CHECK(support::distance(p.B(), p.by(&SystemProbe::lambda, Quantity::balance)) < tolerance);
  CHECK(support::distance(p.C(1, 0), p.by(&SystemProbe::v, Quantity::velocity)) < tolerance);
  CHECK(support::distance(p.C(0, 1), p.by_q(Quantity::velocity)) < tolerance);
  const std::vector<double> rate = p.by_time(Quantity::velocity), given = p.get(Quantity::acceleration);
  for (std::size_t k = 0; k < rate.size(); ++k)
    CHECK(std::abs(given[k] - rate[k]) < 1e-8 * (1.0 + std::abs(rate[k])));
}

TEST_CASE("rows over four bodies are eliminated after all of them") {
  const MultibodySystem system(many_bodies());
  const BlockPattern& pattern = *system.layout().pattern;
  const Ordering o = choose_ordering(pattern);
  for (const auto& c : pattern.incidences)
    CHECK(o.fronts.position[static_cast<std::size_t>(c.primal)] <
          o.fronts.position[static_cast<std::size_t>(pattern.primal_count() + c.dual)]);
}

TEST_CASE("ropes over two pulleys keep their length in a motion, with quasi-Newton and Newton") {
  const MultibodySystem system(many_bodies());
  std::vector<double> end[2];
  for (const auto newton : {GeneralizedAlphaOptions::Newton::quasi, GeneralizedAlphaOptions::Newton::exact}) {
    GeneralizedAlpha stepper({.newton = newton});
    State state = system.initial_state();
    REQUIRE(stepper.attach(system).status == Status::ok);
    const Outcome begun = stepper.start(state, 1e-3);
    REQUIRE_MESSAGE(begun.status == Status::ok, begun.culprit.name, " ", begun.culprit.quantity);
    for (int k = 0; k < 100; ++k) REQUIRE(stepper.step(state, 1e-3).status == Status::ok);
    SystemProbe p(system, state.t, state.q, state.v, state.a, state.lambda);
    // Newton ends at 1e-10 of a body's size, and the last correction squares that: units in the last place of 10 m.
    for (const double g : p.get(Quantity::position))
      CHECK(std::abs(g) < 32.0 * std::numeric_limits<double>::epsilon() * 10.0);
    end[newton == GeneralizedAlphaOptions::Newton::exact] = state.q;
  }
  for (std::size_t k = 0; k < end[0].size(); ++k) CHECK(std::abs(end[0][k] - end[1][k]) < 1e-8);
}
