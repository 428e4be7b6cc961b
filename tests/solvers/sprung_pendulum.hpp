// Two rods, the second of which hangs on the first by springs as stiff as one likes.
#pragma once
#include <catena/model/forces.hpp>
#include <catena/model/joints.hpp>
#include <catena/model/model.hpp>
#include <catena/model/parts/inertia.hpp>

namespace catena_test {

// Two rods of 1 kg and 1 m along x, "first" on a ball joint and "second", whose begin is at its end, on nothing.
inline catena::Model two_rods() {
  using namespace catena;
  Model model;
  model.gravity = Vec3{{0.0, 0.0, -9.81}};
  const Mat3 inertia = diagonal(Vec3{{0.01, 0.1, 0.1}});
  const BodyId first =
      model.add(Body{.name = "first", .mass = 1.0, .inertia = inertia, .position = {{0.5, 0.0, 0.0}}});
  model.add(Body{.name = "second", .mass = 1.0, .inertia = inertia, .position = {{1.5, 0.0, 0.0}}});
  model.add(SphericalJoint{.bodies = {ground, first}, .point_b = {{-0.5, 0.0, 0.0}}, .name = "pin"});
  return model;
}

// The second rod hangs by springs in all directions, or for stiffness 0 by another ball joint.
inline catena::Model sprung_pendulum(double stiffness, double damping) {
  using namespace catena;
  Model model = two_rods();
  const BodyId first = model.find_body("first"), second = model.find_body("second");
  const Vec3 end{{0.5, 0.0, 0.0}};
  if (stiffness == 0.0) {
    model.add(SphericalJoint{.bodies = {first, second}, .point_a = end, .point_b = -end, .name = "middle"});
    return model;
  }
  Bushing bushing{.bodies = {first, second}, .point_a = end, .point_b = -end, .name = "bushing"};
  for (int i = 0; i < 3; ++i) {
    bushing.stiffness(i, i) = stiffness;
    bushing.damping(i, i) = damping;
  }
  model.add(bushing);
  return model;
}

}  // namespace catena_test
