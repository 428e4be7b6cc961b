// What a step of generalized_alpha takes from State and leaves there, and that it asks for no memory.
#include <catena/model/joints.hpp>
#include <catena/problems/helix_chain.hpp>

#include "solvers/generalized_alpha_support.hpp"
#include "support/allocation_count.hpp"
#include "support/same_state.hpp"

namespace generalized_alpha_memory_tests {

using namespace catena::detail;

namespace {

using namespace catena_test::alpha;

Model helix(int n) {
  HelixChainParameters p;
  p.n = n;
  return HelixChain(p).model();
}

// Sizes that stay, shrink and grow.
constexpr double sizes[] = {1e-3, 1e-3, 5e-4, 2.5e-4, 2.5e-4, 5e-4, 1e-3, 7e-4, 7e-4, 1e-3};

Options options(Index index, Newton newton, JacobianUpdate jacobian = JacobianUpdate::every_step) {
  Options o;
  o.index = index;
  o.newton = newton;
  o.engine.jacobian = jacobian;
  return o;
}

}  // namespace

TEST_CASE("neither a step of another size nor interpolate() allocates") {
  const MultibodySystem system(helix(40));
  for (const Index index : {Index::three, Index::two})
    for (const Newton newton : {Newton::quasi, Newton::exact})
      for (const auto jacobian : {JacobianUpdate::every_step, JacobianUpdate::when_slow}) {
        Run run(system, 1e-3, options(index, newton, jacobian));
        run.steps(2);
        Vector q(run.state.q.size()), v(run.state.v.size());
        const long count = test::count_allocations([&] {
          for (const double h : sizes) {
            run.stepper.step(run.state, h);
            run.stepper.interpolate(0.3, q.data(), v.data());
          }
        });
        CHECK(run.stepper.statistics().steps == 12);
        if (test::allocation_counting_works()) CHECK(count == 0);
      }
}

TEST_CASE(
    "jacobian = when_slow: a copied state continues with the same bits, whatever matrix a stepper holds") {
  const MultibodySystem system(helix(20));
  for (const Index index : {Index::three, Index::two})
    for (const Newton newton : {Newton::quasi, Newton::exact}) {
      const Options o = options(index, newton, JacobianUpdate::when_slow);
      Run run(system, 1e-3, o);
      run.steps(7);
      const State copy = run.state;
      State fresh = copy, back = copy;
      GeneralizedAlpha other(o);
      REQUIRE(other.attach(system).status == Status::ok);
      for (int k = 0; k < 20; ++k) {
        run.step();
        REQUIRE(other.step(fresh, 1e-3).status == Status::ok);
        CHECK(catena_test::same_state(fresh, run.state));
      }
      // A matrix is kept for long, so that the copy was taken with one that is older than the state.
      CHECK(run.stepper.statistics().factorizations < 15);
      // The same object from the earlier state: its matrix is younger than this state.
      for (int k = 0; k < 20; ++k) REQUIRE(run.stepper.step(back, 1e-3).status == Status::ok);
      CHECK(catena_test::same_state(back, run.state));
    }
}

TEST_CASE("without a perturbed start another step size leaves the velocities alone") {
  const MultibodySystem system(helix(10));
  for (const bool perturbed : {true, false}) {
    Options o;
    o.start = perturbed ? Options::Start::perturbed : Options::Start::consistent;
    Run run(system, 1e-3, o);
    run.steps(20);
    const long before = run.stepper.statistics().factorizations;
    run.step(5e-4);
    // One matrix for the step, and one to find the part of the velocities that is normal to the constraints.
    CHECK(run.stepper.statistics().factorizations - before == (perturbed ? 2 : 1));
  }
}

TEST_CASE("a light chain beside one whose multipliers are 1e8 times as large moves as if it were alone") {
  const auto chains = [](std::initializer_list<double> masses) {
    Model model;
    model.gravity = {{0.0, -9.81, 0.0}};
    for (const double mass : masses) {
      BodyId last = ground;
      for (int k = 0; k < 5; ++k) {
        const Mat3 J = mass * diagonal(Vec3{{0.01, 1.0 / 12, 1.0 / 12}});
        Body body{.mass = mass, .inertia = J, .position = {{k + 0.5, 0.0, 0.0}}};
        if (mass > 1.0) {  // the heavy chain hangs at rest
          body.position = {{0.0, -(k + 0.5), 0.0}};
          body.orientation = normalized(Quat{1.0, 0.0, 0.0, -1.0});
        }
        const BodyId rod = model.add(body);
        model.add(SphericalJoint{.bodies = {last, rod},
                                 .point_a = last == ground ? Vec3::Zero() : Vec3{{0.5, 0.0, 0.0}},
                                 .point_b = {{-0.5, 0.0, 0.0}}});
        last = rod;
      }
    }
    return model;
  };
  const MultibodySystem alone(chains({1e-4})), together(chains({1e-4, 1e5}));
  for (const Index index : {Index::three, Index::two}) {
    Options o;
    o.index = index;
    o.engine.newton_tolerance = 1e-12;
    Run a(alone, 2e-2, o), b(together, 2e-2, o);
    double worst = 0.0;
    for (int k = 0; k < 50; ++k) {
      a.step();
      b.step();
      worst = std::max(worst, distance(a.state.v, b.state.v));
    }
    CHECK(largest(b.state.lambda) > 0.5e8 * largest(a.state.lambda));
    // Both within 1e-12 of the solution of every step, over h in velocities, and growing by some ten over a
    // second of a swinging chain.
    CHECK(worst < 50 * 1e-12 / 2e-2 * 10.0);
  }
}

TEST_CASE("an initial gap above start_position_tolerance is refused, one below is taken") {
  const MultibodySystem system(helix(3));
  // Rows are held to the size of the bodies, between the radius of gyration and 1 m.
  const double least = 0.9 * start_position_tolerance * system.layout().scale[0];
  for (const double gap : {2.0 * start_position_tolerance, least}) {
    State state = system.initial_state();
    state.q[0] += gap;
    GeneralizedAlpha stepper;
    REQUIRE(stepper.attach(system).status == Status::ok);
    const bool taken = stepper.start(state, 1e-3).status == Status::ok;
    CHECK(taken == (gap == least));
  }
}

}  // namespace generalized_alpha_memory_tests
