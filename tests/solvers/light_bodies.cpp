// A light body between heavy ones: rows whose pivot is as small as that of redundant rows, and are independent.
#include <catena/assembly/multibody_system.hpp>
#include <catena/builtin/builtin.hpp>
#include <catena/experiment/experiment.hpp>
#include <catena/kkt/detail/redundant_pivot.hpp>
#include <catena/model/joints.hpp>
#include <catena/model/marker.hpp>
#include <catena/problems/four_bar.hpp>
#include <catena/system/detail/evaluations.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <memory>
#include <string>

namespace light_bodies_tests {

using namespace catena;
using namespace catena::detail;

namespace {

constexpr double gravity = 9.81, light = 1e-6, heavy = 1000.0, length = 1.0, arm = 0.5;

// A light link of 1 m on a hinge of the ground, and a heavy body on a hinge at its end.
Model two_links() {
  Model model;
  model.gravity = {{0.0, 0.0, -gravity}};
  const BodyId a = model.add(Body{.name = "light",
                                  .mass = light,
                                  .inertia = 1e-2 * light * Mat3::Identity(),
                                  .position = {{0.5, 0.0, 0.0}}});
  const BodyId b = model.add(Body{
      .name = "heavy", .mass = heavy, .inertia = 100.0 * Mat3::Identity(), .position = {{1.5, 0.0, 0.0}}});
  model.add(joint_at<RevoluteJoint>(model, ground, a, {.axis = Vec3::Unit(1)}));
  model.add(joint_at<RevoluteJoint>(model, a, b, {.point = {{1.0, 0.0, 0.0}}, .axis = Vec3::Unit(1)}));
  return model;
}

// The same in the angles of both links above the horizontal, by a Runge-Kutta method of its own.
std::array<double, 2> place_of_heavy(double end) {
  using Y = std::array<double, 4>;  // angles, rates
  const auto rate = [](const Y& y) {
    const double C = heavy * length * arm, c = std::cos(y[0] - y[1]), s = std::sin(y[0] - y[1]);
    const double A = 0.25 * light + 1e-2 * light + heavy * length * length, B = heavy * arm * arm + 100.0;
    const double f = -gravity * std::cos(y[0]) * (0.5 * light + heavy * length) - C * s * y[3] * y[3];
    const double g = -gravity * std::cos(y[1]) * heavy * arm + C * s * y[2] * y[2];
    const double det = A * B - C * C * c * c;
    return Y{y[2], y[3], (B * f - C * c * g) / det, (A * g - C * c * f) / det};
  };
  constexpr int steps = 4000;
  const double h = end / steps;
  Y y{};
  const auto moved = [&](const Y& k, double by) {
    Y z = y;
    for (std::size_t i = 0; i < z.size(); ++i) z[i] += by * k[i];
    return z;
  };
  for (int n = 0; n < steps; ++n) {
    const Y a = rate(y), b = rate(moved(a, 0.5 * h)), c = rate(moved(b, 0.5 * h)), d = rate(moved(c, h));
    for (std::size_t i = 0; i < y.size(); ++i) y[i] += h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]);
  }
  return {length * std::cos(y[0]) + arm * std::cos(y[1]), length * std::sin(y[0]) + arm * std::sin(y[1])};
}

TEST_CASE("methods with error control carry 1000 kg on a link of 1e-6 kg") {
  const Catalog catalog = builtin();
  constexpr double end = 0.5;
  const std::array<double, 2> exact = place_of_heavy(end);
  struct Method {
    std::string name;
    long steps;  // at most; with a link of 0.1 kg 28, 10, 89, 1847 and 203
  };
  for (const Method& method : {Method{"dormand_prince", 40}, Method{"dop853", 15}, Method{"radau", 130},
                               Method{"lie_bdf", 8000}, Method{"ida", 300}}) {
    const std::string& name = method.name;
    CAPTURE(name);
    bool there = false;
    for (const StepperEntry& entry : catalog.steppers()) there = there || entry.name == name;
    if (!there) continue;
    Scenario scenario{.model = std::make_shared<Model>(two_links()),
                      .stepper = name,
                      .step = 0.1,
                      .tolerance = 1e-8,
                      .end = end,
                      .record = "bodies/position"};
    const Record record = run(scenario, catalog);
    REQUIRE_MESSAGE(record.ok(), termination(record.report));
    CHECK(record.report.run.steps < method.steps);
    const double* q = record.state.q.data() + 7;
    CHECK(std::abs(q[0] - exact[0]) < 3e-6);
    CHECK(std::abs(q[2] - exact[1]) < 3e-6);
  }
}

TEST_CASE("weak pivots of masses alone are not those of redundant rows") {
  const auto look = [](const System& system) {
    KktSolver kkt;
    REQUIRE(kkt.attach(system, {}).empty());
    const State state = system.initial_state();
    evaluate_mass_and_rows(system, point_of(state), kkt.matrix());
    kkt.update_proximal();
    const KktReport report = kkt.factorize();
    return std::pair{has_redundant_rows(kkt, report), is_weak_by_masses(kkt)};
  };
  const auto [looks_redundant, by_masses] = look(MultibodySystem(two_links()));
  CHECK(looks_redundant);
  CHECK(by_masses);
  const auto [redundant, of_loop] = look(MultibodySystem(FourBar{}.model()));
  CHECK(redundant);
  CHECK_FALSE(of_loop);
}

}  // namespace
}  // namespace light_bodies_tests
