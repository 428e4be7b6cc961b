// Bodies, states and a joint of the user's own cross the border to the installed library and back.
// Two equal pendulums hang side by side in one model, one on the library's ball joint (analytic, in vector
// lanes, compiled with the library), one on the user's (automatic differentiation, compiled here with the
// user's flags). They must move alike.
#include <catena/catena.hpp>

#include <array>
#include <cmath>
#include <cstdio>

namespace {

// A point of the body stays at a fixed place of the world.
struct Pin {
  static constexpr int rows = 3;
  static constexpr const char* type_name = "pin";

  std::array<catena::BodyId, 1> bodies;
  catena::Vec3 point = catena::Vec3::Zero();  // body frame [m]
  catena::Vec3 place = catena::Vec3::Zero();  // world frame [m]
  std::string name = {};

  template <class S>
  catena::Vec<S, rows> gap(const catena::BodyFrame<S>& body, const S& /*t*/) const {
    return body.point(catena::cast<S>(point)) - catena::cast<S>(place);
  }
};

int failures = 0;

void expect_near(const char* what, double value, double expected, double tolerance) {
  const bool good = std::abs(value - expected) <= tolerance;
  std::printf("%-44s %.15g, expected %.15g +- %.1g%s\n", what, value, expected, tolerance,
              good ? "" : "  WRONG");
  if (!good) ++failures;
}

constexpr double mass = 2.0, length = 0.5, gravity = 9.81, inertia_y = 0.2;
const catena::Vec3 beside{{0.0, 3.0, 0.0}};

catena::Body rod(const char* name, const catena::Vec3& joint) {
  catena::Body body;
  body.name = name;
  body.mass = mass;
  body.inertia = catena::Mat3::Zero();
  body.inertia(0, 0) = 0.1;
  body.inertia(1, 1) = inertia_y;
  body.inertia(2, 2) = 0.25;
  body.position = joint + catena::Vec3{{length, 0.0, 0.0}};
  return body;
}

catena::Model two_pendulums() {
  catena::Model model;
  model.gravity = catena::Vec3{{0.0, 0.0, -gravity}};
  const catena::Vec3 end{{-length, 0.0, 0.0}};
  const catena::BodyId one = model.add(rod("on the ball joint", catena::Vec3::Zero()));
  const catena::BodyId two = model.add(rod("on the pin", beside));
  model.add(catena::SphericalJoint{.bodies = {catena::ground, one}, .point_b = end, .name = "ball"});
  model.add(Pin{.bodies = {two}, .point = end, .place = beside, .name = "pin"});
  return model;
}

}  // namespace

int main() {
  std::printf("library kernels: %s\n", catena::instruction_set_name(catena::instruction_set()));
  const catena::MultibodySystem system(two_pendulums());
  catena::State state = system.initial_state();

  // Released level and at rest: the end of the rod falls with 3/2 g in a thin rod, here with m l g / (I + m l^2).
  catena::KktSolver kkt;
  kkt.attach(system, {});
  catena::ConsistentValues consistent(system, kkt);
  const catena::KktReport report =
      consistent.accelerations(state.t, state.q.data(), state.v.data(), state.a.data(), state.lambda.data());
  if (report.status != catena::Status::ok) {
    std::printf("accelerations: %s\n", catena::to_string(report.status));
    return 1;
  }
  const double fall = -mass * gravity * length * length / (inertia_y + mass * length * length);
  // The proximal term of the solver is 1e-12 of the scale of each row.
  expect_near("acceleration on the library's joint", state.a[2], fall, 1e-10);
  expect_near("acceleration on the user's joint", state.a[8], fall, 1e-10);
  expect_near("force of the user's joint on its body", -state.lambda[5], mass * (fall + gravity), 1e-9);

  // 400 steps through both states; a copy of the state made half-way continues to the same bits.
  catena::GeneralizedAlpha stepper;
  const double h = 1e-3;
  bool good = stepper.attach(system).status == catena::Status::ok &&
              stepper.start(state, h).status == catena::Status::ok;
  catena::State half;
  for (int step = 0; good && step < 400; ++step) {
    if (step == 200) half = state;
    good = stepper.step(state, h).status == catena::Status::ok;
  }
  for (int step = 200; good && step < 400; ++step) good = stepper.step(half, h).status == catena::Status::ok;
  if (!good) {
    std::printf("a step failed\n");
    return 1;
  }
  const auto bodies = system.bodies(state);
  for (int k = 0; k < 3; ++k)
    expect_near("the two pendulums stay side by side", bodies[1].position[k] - beside[k],
                bodies[0].position[k], 1e-9);
  expect_near("both rods have fallen", bodies[0].position[2] < -0.3 ? 1.0 : 0.0, 1.0, 0.0);
  expect_near("the copied state continues to the same bits",
              half.q == state.q && half.v == state.v ? 1.0 : 0.0, 1.0, 0.0);
  return failures == 0 ? 0 : 1;
}
