// Safeguards against an H that is not positive definite, against redundant joints and bad scales: the right
// result, and a count of what was done (design 4.2, 4.3).
#include <catena/driver/run.hpp>
#include <catena/model/point_force.hpp>
#include <catena/model/spherical_joint.hpp>
#include <catena/model/spring_damper.hpp>
#include <catena/problems/chain_builder.hpp>
#include <catena/problems/helix_chain.hpp>
#include <catena/problems/rod_chain.hpp>
#include <catena/sparse/backends/backends.hpp>

#include "solvers/generalized_alpha_support.hpp"

#include <numbers>

namespace {

using namespace catena_test::alpha;

std::unique_ptr<LinearSolver> klu() { return make_backend("klu"); }

// A helix chain of bars of 4 kg pressed together by 5 kN at its tip.
Model compressed_helix() {
  HelixChainParameters p;
  p.n = 10;
  Model model = HelixChain(p).model();
  model.add(PointForce{.bodies = {BodyId{9}}, .point = {{0.2, 0.0, 0.0}}, .force = {{-5e3, 0.0, 0.0}}});
  return model;
}

// One body on a spring that pushes it away: beta h^2 |k| > m at h = 1e-2, so that H is indefinite.
Model negative_spring() {
  Model model;
  const BodyId body = model.add(Body{.name = "pushed", .position = {{1.0, 0.0, 0.0}}});
  model.add(SpringDamper{.bodies = {ground, body}, .stiffness = -1e5, .rest_length = 0.9999});
  return model;
}

// Forty rods balanced on each other, a hair off the vertical.
Model inverted_chain() {
  const ChainLink rod{.mass = 1.0,
                      .inertia = {{0.01, 1.0 / 12, 1.0 / 12}},
                      .begin = {{-0.5, 0.0, 0.0}},
                      .end = {{0.5, 0.0, 0.0}}};
  std::vector<Quat> up;
  for (int k = 0; k < 40; ++k) up.push_back(turn(2, 0.5 * std::numbers::pi + 1e-4 * (k % 3)));
  return build_chain(rod, up, ChainJoint::spherical, Vec3::Unit(2), {{0.0, -9.81, 0.0}});
}

// A run of the driver with steps of h, cut where need be, against one with small steps.
struct Outcomes {
  RunResult result;
  StepperStatistics statistics;
  double difference;
};
Outcomes against_small_steps(Model model, double h, double end, Index index) {
  const MultibodySystem system(std::move(model));
  Options o;
  o.index = index;
  GeneralizedAlpha coarse(o), fine(o);
  State a = system.initial_state(), b = a;
  const RunResult r = catena::run(system, coarse, a, RunOptions{.step = h, .end = end});
  REQUIRE(catena::run(system, fine, b, RunOptions{.step = 1e-4, .end = end}).status == Status::ok);
  return {r, coarse.statistics(), distance(coordinates(system, a), coordinates(system, b))};
}

}  // namespace

TEST_CASE("compressed helix chain at h = 1e-2: geometric stiffness dropped, steps cut, counted, and right") {
  for (const Index index : {Index::three, Index::two}) {
    const Outcomes o = against_small_steps(compressed_helix(), 1e-2, 0.02, index);
    CHECK(o.result.status == Status::ok);
    CHECK(o.result.rejected > 0);
    CHECK(o.statistics.indefinite_factorizations > 0);
    CHECK(o.statistics.dropped_geometric_stiffness >= o.statistics.indefinite_factorizations);
    CHECK(o.difference < 0.05);  // of 1 m that the tip moves, in steps that turn the bars by 0.3 rad
  }
}

TEST_CASE("inverted chain of 40 at h = 4e-2: the same") {
  const Outcomes o = against_small_steps(inverted_chain(), 4e-2, 0.08, Index::three);
  CHECK(o.result.status == Status::ok);
  CHECK(o.statistics.indefinite_factorizations > 0);
  CHECK(o.statistics.dropped_geometric_stiffness > 0);
  CHECK(o.difference < 1e-2);
}

TEST_CASE("negative spring: refused by name without a fallback, with one the step of a pivoting solver") {
  const MultibodySystem system(negative_spring());
  Run bare(system, 1e-2), pivoting(system, 1e-2, system.initial_state(), {}, klu);
  Run run(system, 1e-2, system.initial_state(), {}, {}, klu);
  const State before = bare.state;
  const Outcome refused = bare.stepper.step(bare.state, 1e-2);
  CHECK(refused.status == Status::singular_kkt);
  CHECK(refused.culprit.name == "body \"pushed\"");
  CHECK(bare.state.q == before.q);
  CHECK(bare.stepper.statistics().indefinite_factorizations > 0);
  pivoting.steps(3);
  run.steps(3);
  CHECK(run.stepper.statistics().indefinite_factorizations > 0);
  CHECK(distance(run.state.q, pivoting.state.q) < 1e-12);
  CHECK(distance(run.state.v, pivoting.state.v) < 1e-10);
}

TEST_CASE("two ball joints on the same pair: the motion of one, each takes a bounded share of the force") {
  const auto chain = [](bool twice) {
    RodChainParameters p;
    p.n = 5;
    p.joint = ChainJoint::spherical;
    Model model = RodChain(p).model();
    if (twice)
      model.add(SphericalJoint{.bodies = {BodyId{1}, BodyId{2}},
                               .point_a = {{0.5, 0.0, 0.0}},
                               .point_b = {{-0.5, 0.0, 0.0}},
                               .name = "twin"});
    return model;
  };
  const MultibodySystem once(chain(false)), twice(chain(true));
  for (const Index index : {Index::three, Index::two}) {
    Options o;
    o.index = index;
    Run a(once, 1e-3, o), b(twice, 1e-3, o);
    double largest_share = 0.0, sum_error = 0.0, largest_force = 0.0;
    for (int k = 0; k < 300; ++k) {
      a.step();
      b.step();
      for (std::size_t i = 0; i < 3; ++i) {
        const double first = b.state.lambda[6 + i], second = b.state.lambda[15 + i];
        largest_share = std::max({largest_share, std::abs(first), std::abs(second)});
        sum_error = std::max(sum_error, std::abs(first + second - a.state.lambda[6 + i]));
        largest_force = std::max(largest_force, std::abs(a.state.lambda[6 + i]));
      }
    }
    CHECK(largest_share < 0.51 * largest_force);  // alike rows share alike
    // The compliance of 1e-5 of the Schur scale lets the twin joint open by beta h^2 1e-5 of accelerations of
    // 10 m/s^2, 3e-11 m, and the five links carry that through 0.3 s of swinging.
    CHECK(sum_error < 1e-5 * largest_force);
    CHECK(distance(coordinates(once, a.state), coordinates(twice, b.state)) < 1e-6);
  }
}

TEST_CASE("masses over six decades at h = 1e-5: Newton converges and the backward error is small") {
  Model model;
  model.gravity = {{0.0, 0.0, -9.81}};
  BodyId last = ground;
  for (int k = 0; k < 24; ++k) {
    const double mass = std::pow(10.0, 3.0 - (k * 5) % 7);  // 1e-3 ... 1e3 kg, neighbours far apart
    const Mat3 J = mass * diagonal(Vec3{{0.01, 1.0 / 12, 1.0 / 12}});
    const BodyId body = model.add(Body{.mass = mass, .inertia = J, .position = {{k + 0.5, 0.0, 0.0}}});
    model.add(SphericalJoint{.bodies = {last, body},
                             .point_a = last == ground ? Vec3::Zero() : Vec3{{0.5, 0.0, 0.0}},
                             .point_b = {{-0.5, 0.0, 0.0}}});
    last = body;
  }
  const MultibodySystem system(std::move(model));
  for (const Newton newton : {Newton::quasi, Newton::exact}) {
    Options o;
    o.newton = newton;
    Run run(system, 1e-5, o);
    run.steps(100);
    CHECK(run.residual(&Evaluation::position) < 1e-14);
    Vector x(run.state.v.size() + run.state.lambda.size());
    for (std::size_t k = 0; k < x.size(); ++k) x[k] = std::sin(1.0 + static_cast<double>(k));
    const double backward = run.stepper.kkt().solve_refined(x.data());
    CHECK(backward < 1e-13);
    CHECK(run.stepper.statistics().newton_iterations <= 400);
  }
}
