// The check of derivatives beside drives that are faster than its usual differences in time.
#include <catena/assembly/multibody_system.hpp>
#include <catena/kkt/derivative_check.hpp>
#include <catena/model/joints.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <string>

namespace fast_drives_tests {
using namespace catena;

// A carriage on a rail, driven by amplitude sin(2 pi f t); what the drive says of slope and curvature is off by these factors.
DerivativeCheck check_of_drive(double amplitude, double f, double of_slope = 1.0, double of_curvature = 1.0) {
  Model model;
  const BodyId carriage =
      model.add(Body{.name = "carriage", .mass = 2.0, .inertia = diagonal(Vec3{{1.0, 1.0, 1.0}})});
  const ConstraintId rail = model.add(PrismaticJoint{.bodies = {ground, carriage}, .name = "rail"});
  const auto target = [=](double t) {
    const double w = 6.283185307179586 * f, s = std::sin(w * t), c = std::cos(w * t);
    return FunctionValue{amplitude * s, of_slope * amplitude * w * c, -of_curvature * amplitude * w * w * s};
  };
  model.add(JointDrive{.joint = rail,
                       .coordinate = JointCoordinate::displacement,
                       .target = Function::with_derivatives(target),
                       .name = "piezo"});
  const MultibodySystem system(std::move(model));
  return check_derivatives(system, system.initial_state());
}

}  // namespace fast_drives_tests
using namespace fast_drives_tests;

TEST_CASE("right drives of any frequency are right, periods in a whole ratio to the differences included") {
  for (const double f : {0.5, 50.0, 500.0, 1e3, 2e3, 2706.0, 1e4, 2e4, 1e5})
    for (const double amplitude : {0.01, 1e-6}) {
      CAPTURE(f);
      CAPTURE(amplitude);
      const DerivativeCheck check = check_of_drive(amplitude, f);
      CHECK(check.points == 3);
      for (const DerivativeFault& fault : check.faults)
        FAIL_CHECK(fault.owner << ": " << fault.quantity << " is " << fault.given << ", should be "
                               << fault.expected);
    }
}

TEST_CASE("a wrong rate of a fast drive is found, and what is right there") {
  for (const double f : {0.5, 50.0, 1e3, 2e4}) {
    CAPTURE(f);
    const DerivativeCheck slope = check_of_drive(0.01, f, 1.01);
    REQUIRE(!slope.faults.empty());
    CHECK(slope.faults.front().owner == "joint \"piezo\" (drive)");
    CHECK(slope.faults.front().quantity == "drift");
    const double off = std::abs(slope.faults.front().given - slope.faults.front().expected);
    CHECK(off > 0.0);
    CHECK(off < 1.001 * 0.01 * 0.01 * 6.283185307179586 * f);  // a hundredth of the largest rate
    const DerivativeCheck curvature = check_of_drive(0.01, f, 1.0, -1.0);
    REQUIRE(curvature.faults.size() == 1);
    CHECK(curvature.faults.front().quantity == "bias");
  }
}
