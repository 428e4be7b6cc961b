// Redundant joints and bad scales: the right result, and bounded multipliers (design 4.3).
#include <catena/model/joints.hpp>
#include <catena/problems/rod_chain.hpp>

#include "solvers/generalized_alpha_support.hpp"

namespace generalized_alpha_safeguards_tests {

using namespace catena::detail;

using namespace catena_test::alpha;

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

}  // namespace generalized_alpha_safeguards_tests
