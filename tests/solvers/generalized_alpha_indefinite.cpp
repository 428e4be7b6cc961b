// Safeguards against an H that is not positive definite: wrong inertia, pivot growth and a stagnating Newton lead to
// dropped stiffness, the pivoting fallback, or a cut; each is counted, and the result is right (design 4.2).
#include <catena/driver/run.hpp>
#include <catena/model/joints.hpp>
#include <catena/model/parts/point_force.hpp>
#include <catena/model/parts/spring_damper.hpp>
#include <catena/problems/detail/chain_builder.hpp>
#include <catena/problems/helix_chain.hpp>
#include <catena/sparse/backends/backends.hpp>

#include "solvers/generalized_alpha_support.hpp"
#include "support/allocation_count.hpp"

#include <numbers>

namespace generalized_alpha_indefinite_tests {

using namespace catena::detail;

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

// One body on a spring that pushes it away: beta h^2 |k| > m at h = 1e-2, so that H is indefinite.
Model negative_spring() {
  Model model;
  const BodyId body = model.add(Body{.name = "pushed", .position = {{1.0, 0.0, 0.0}}});
  model.add(SpringDamper{.bodies = {ground, body}, .stiffness = -1e5, .rest_length = 0.9999});
  return model;
}

// A body of 1 kg and 1 kg m^2 that turns about a ball joint in its centre of mass, and a spring that pushes it along x
// half a metre above that. At h = 1e-2 the stiffness cancels the mass but for 1e-10 of it:
//     H = [ 1e-10  a ]  in (x, turn about z), a = 1/2 times 1.2 kg m,
//         [   a    b ]  b > 0
// is indefinite, but positive definite where the joint lets the body move. The elimination of H alone makes a
// pivot of a^2 / 1e-10.
Model cancelling_spring(double h) {
  const double beta = 25.0 / 81.0, mass = 1.2;  // of rho_inf = 0.8: H = 1.2 M + beta h^2 K
  Model model;
  model.gravity = {{0.0, -9.81, 0.0}};
  const BodyId body = model.add(Body{
      .name = "wheel", .inertia = diagonal(Vec3{{1.0, 1.0, 1.0}}), .angular_velocity = {{0.0, 0.0, 0.1}}});
  model.add(SphericalJoint{.bodies = {ground, body}, .name = "hub"});
  model.add(SpringDamper{.bodies = {ground, body},
                         .point_a = {{-1.0, 0.5, 0.0}},
                         .point_b = {{0.0, 0.5, 0.0}},
                         .stiffness = -(1.0 - 1e-10) * mass / (beta * h * h),
                         .rest_length = 1.0});
  return model;
}

// A run of the driver with steps of h, cut where need be.
struct Attempt {
  RunResult result;
  StepperStatistics statistics;
  Vector q;
};
Attempt attempt(const MultibodySystem& system, double h, double end, const Options& options,
                LinearSolverFactory fallback = {}, LinearSolverFactory backend = {}) {
  GeneralizedAlpha stepper(options, std::move(backend), std::move(fallback));
  State state = system.initial_state();
  const RunResult result =  // index 2 leaves gaps that do not matter here
      catena::run(system, stepper, state, RunOptions{.step = h, .end = end, .open_joints_fail = false});
  CHECK(result.status == Status::ok);
  return {result, stepper.statistics(), coordinates(system, state)};
}

// Richardson: runs with h/4 and h/8, which need no safeguard, give the limit, and from the constant of the error of
// second order the error that a sound run with h makes.
struct Resolved {
  Vector limit;
  double error;
};
Resolved resolved(const MultibodySystem& system, double h, double end, const Options& options) {
  const Attempt coarse = attempt(system, h / 4, end, options), fine = attempt(system, h / 8, end, options);
  for (const Attempt* a : {&coarse, &fine}) {
    REQUIRE(a->result.rejected == 0);
    REQUIRE(a->statistics.indefinite_factorizations == 0);
  }
  Resolved r{fine.q, 16.0 * 4.0 / 3.0 * distance(fine.q, coarse.q)};
  for (std::size_t k = 0; k < r.limit.size(); ++k) r.limit[k] += (fine.q[k] - coarse.q[k]) / 3.0;
  return r;
}

// Newton at every iterate with enough of them: dropping stiffness makes it converge linearly.
Options patient(Index index) {
  Options o{.index = index};
  o.engine.jacobian = JacobianUpdate::every_iteration;
  o.engine.max_newton_iterations = 60;
  return o;
}

}  // namespace

TEST_CASE(
    "compressed helix chain at h = 1e-2: without the stiffness of one body Newton finds the same step") {
  const MultibodySystem system(compressed_helix());
  const Resolved expected = resolved(system, 1e-2, 0.02, patient(Index::three));
  const Attempt dropped = attempt(system, 1e-2, 0.02, patient(Index::three));
  CHECK(dropped.result.rejected == 0);
  CHECK(dropped.statistics.indefinite_factorizations > 0);
  CHECK(dropped.statistics.dropped_geometric_stiffness >= dropped.statistics.indefinite_factorizations);
  CHECK(distance(dropped.q, expected.limit) < expected.error);
  const Attempt whole = attempt(system, 1e-2, 0.02, patient(Index::three), {}, klu);
  CHECK(whole.statistics.dropped_geometric_stiffness == 0);
  CHECK(distance(dropped.q, whole.q) < 1e-8);  // Newton's tolerance of 1e-10, times what a step amplifies
}

TEST_CASE("compressed helix chain at h = 1e-2: Newton stagnates and continues with the pivoting fallback") {
  const MultibodySystem system(compressed_helix());
  for (const Index index : {Index::three, Index::two}) {
    const Resolved expected = resolved(system, 1e-2, 0.02, {.index = index});
    const Attempt rescued = attempt(system, 1e-2, 0.02, {.index = index}, klu);
    CHECK(rescued.result.rejected == 0);
    CHECK(rescued.statistics.stagnations > 0);
    CHECK(rescued.statistics.fallback_factorizations >= rescued.statistics.stagnations);
    CHECK(distance(rescued.q, expected.limit) < expected.error);
  }
}

// Dropped stiffness: the name of the body and of what is wrong with the matrix, two words a matrix, and nothing else.
TEST_CASE("the pivoting fallback allocates and is counted; dropped stiffness asks for names alone") {
  const MultibodySystem system(compressed_helix());
  int with_fallback = 0, dropped = 0, plain = 0;
  for (const bool may_pivot : {true, false}) {
    GeneralizedAlpha stepper(may_pivot ? Options{} : patient(Index::three), {},
                             may_pivot ? klu : LinearSolverFactory{});
    State state = system.initial_state();
    REQUIRE(stepper.attach(system).status == Status::ok);
    REQUIRE(stepper.start(state, 1e-2).status == Status::ok);
    const State started = state;
    for (const double h : {1e-2, 1e-2, 1e-3}) REQUIRE(stepper.step(state, h).status == Status::ok);
    state = started;  // the same steps again, with everything in place that is made once
    for (const double h : {1e-2, 1e-2, 1e-3}) {
      const StepperStatistics before = stepper.statistics();
      bool good = false;
      const long count = test::count_allocations([&] { good = stepper.step(state, h).status == Status::ok; });
      CAPTURE(may_pivot);
      CAPTURE(h);
      CAPTURE(count);
      REQUIRE(good);
      const StepperStatistics& now = stepper.statistics();
      const bool pivoted = now.fallback_factorizations > before.fallback_factorizations;
      const bool drops = now.dropped_geometric_stiffness > before.dropped_geometric_stiffness;
      ++(pivoted ? with_fallback : drops ? dropped : plain);
      if (!test::allocation_counting_works()) continue;
      if (pivoted)
        CHECK(count > 0);
      else
        CHECK(count <= 2 * (now.indefinite_factorizations + now.dropped_geometric_stiffness -
                            before.indefinite_factorizations - before.dropped_geometric_stiffness));
    }
  }
  CHECK(with_fallback > 0);
  CHECK(dropped > 0);
  CHECK(plain > 0);
}

TEST_CASE("compressed helix chain at h = 1e-2: without a fallback the steps are cut") {
  const MultibodySystem system(compressed_helix());
  for (const Index index : {Index::three, Index::two}) {
    const Resolved expected = resolved(system, 1e-2, 0.02, {.index = index});
    const Attempt cut = attempt(system, 1e-2, 0.02, {.index = index});
    CHECK(cut.result.rejected > 0);
    CHECK(cut.statistics.fallback_factorizations == 0);
    CHECK(distance(cut.q, expected.limit) < expected.error);
  }
}

TEST_CASE("inverted chain of 40 at h = 4e-2: stiffness dropped of all bodies, then cut") {
  const MultibodySystem system(inverted_chain());
  for (const Index index : {Index::three, Index::two}) {
    const Resolved expected = resolved(system, 4e-2, 0.08, {.index = index});
    const Attempt cut = attempt(system, 4e-2, 0.08, {.index = index});
    CHECK(cut.result.rejected > 0);
    CHECK(cut.statistics.dropped_geometric_stiffness > cut.statistics.indefinite_factorizations);
    CHECK(distance(cut.q, expected.limit) < expected.error);
  }
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
  CHECK(run.stepper.statistics().fallback_factorizations > 0);
  CHECK(distance(run.state.q, pivoting.state.q) < 1e-12);
  CHECK(distance(run.state.v, pivoting.state.v) < 1e-10);
}

TEST_CASE("pivot growth with the right inertia: the pivoting fallback, or Newton makes it good") {
  const double h = 1e-2;
  const MultibodySystem system(cancelling_spring(h));
  Run pivoting(system, h, system.initial_state(), {}, klu);
  Run run(system, h, system.initial_state(), {}, {}, klu), bare(system, h);
  for (Run* r : {&pivoting, &run, &bare}) r->step();
  CHECK(pivoting.stepper.statistics().growing_factorizations == 0);  // it chooses its pivots
  for (const Run* r : {&run, &bare}) {
    const StepperStatistics& s = r->stepper.statistics();
    CHECK(s.indefinite_factorizations == 0);
    CHECK(s.growing_factorizations > 0);
  }
  CHECK(run.stepper.statistics().fallback_factorizations > 0);
  CHECK(distance(run.state.q, pivoting.state.q) < 1e-14);
  // Without a fallback ten digits are lost in every correction, and Newton's tolerance is 1e-10.
  CHECK(distance(bare.state.q, pivoting.state.q) < 1e-9);
}

}  // namespace generalized_alpha_indefinite_tests
