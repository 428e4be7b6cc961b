// How large the numbers are that rows of sliding joints and couplings are made of, at any place.
#include <catena/assembly/multibody_system.hpp>
#include <catena/assembly/quaternion_system.hpp>
#include <catena/model/joints.hpp>
#include <catena/system/detail/row_length.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <utility>

namespace open_rows_tests {

using namespace catena;
using namespace catena::detail;

namespace {

BodyId add(Model& model, const char* name, const Vec3& at) {
  return model.add(Body{.name = name, .inertia = 0.02 * Mat3::Identity(), .position = at});
}

}  // namespace

TEST_CASE("rows along a rail see four times the way between its bodies, and other rows what they saw") {
  Model model;
  const BodyId bob = add(model, "bob", {{0.5, 0.0, 0.0}}), sled = add(model, "sled", {{30.0, 0.0, -40.0}});
  model.add(SphericalJoint{.bodies = {ground, bob}, .point_b = {{-0.5, 0.0, 0.0}}});
  const Vec3 along{{0.6, 0.0, -0.8}};
  model.add(PrismaticJoint{.bodies = {ground, sled}, .axis_a = along, .axis_b = along});
  model.add(PrismaticJoint{.bodies = {ground, sled}, .point_a = {{30.0, 0.0, -40.0}}, .axis_a = along});
  const MultibodySystem system(std::move(model));
  REQUIRE(system.layout().open_rows.size() == 2);
  CHECK(system.layout().roundoff_length == 2.0);
  State s = system.initial_state();
  const auto length = [&](int d, int row) {
    RowLengths lengths(system.layout(), point_of(s));
    lengths.at(d);
    return lengths[row];
  };
  for (const double way : {50.0, 200.0, 1e-3}) {
    CAPTURE(way);
    for (int k = 0; k < 3; ++k) s.q[static_cast<std::size_t>(7 + k)] = way * along[k];
    CHECK(length(0, 2) == 2.0);
    CHECK(length(1, 1) == doctest::Approx(std::max(4.0 * way, 2.0)).epsilon(1e-14));
    CHECK(length(1, 2) == SystemLayout::roundoff_of_cosines);
    CHECK(length(2, 0) == doctest::Approx(std::max(4.0 * std::abs(way - 50.0), 2.0)).epsilon(1e-14));
  }
}

TEST_CASE("joints that hold two points together have no open rows") {
  Model model;
  const BodyId a = add(model, "a", {{0.5, 0.0, 0.0}}), b = add(model, "b", {{1.5, 0.0, 0.0}});
  const Vec3 half{{0.5, 0.0, 0.0}}, back{{-0.5, 0.0, 0.0}};
  model.add(RevoluteJoint{.bodies = {ground, a}, .point_b = back});
  model.add(SphericalJoint{.bodies = {a, b}, .point_a = half, .point_b = back});
  model.add(DistanceConstraint{.bodies = {ground, b}, .point_b = half, .length = 2.0});
  CHECK(MultibodySystem(model).layout().open_rows.empty());
  CHECK(QuaternionSystem(std::move(model)).layout().open_rows.empty());
}

TEST_CASE("the row of a coupling sees the sum of its coordinates, with all turns") {
  const double radius = 0.25, ratio = -3.0;
  Model model;
  const BodyId pinion = add(model, "pinion", Vec3::Zero()), rack = add(model, "rack", {{100.0, 0.0, 0.0}}),
               wheel = add(model, "wheel", {{1.0, 0.0, 0.0}});
  model.add(RackAndPinion{.bodies = {ground, pinion, rack}, .radius = radius});
  model.add(Gear{.bodies = {ground, pinion, wheel}, .ratio = ratio});
  const MultibodySystem system(model);
  const QuaternionSystem seven(std::move(model));
  REQUIRE(system.layout().open_rows.size() == 2);
  REQUIRE(seven.layout().open_rows.size() == 2);
  for (const System* of : {static_cast<const System*>(&system), static_cast<const System*>(&seven)}) {
    State s = of->initial_state();
    REQUIRE(s.discrete.size() == 3);
    s.discrete = {600.0, -600.0, 200.0};  // the pinion in both couplings, then the wheel
    RowLengths lengths(of->layout(), point_of(s));
    lengths.at(0);
    CHECK(lengths[0] == doctest::Approx(4.0 * 100.0 + radius * (4.0 + 600.0)));
    lengths.at(1);
    CHECK(lengths[0] == doctest::Approx(4.0 + 600.0 + 3.0 * (4.0 + 200.0)));
    CHECK(largest_open_length(of->layout(), point_of(s)) == doctest::Approx(4.0 + 600.0 + 3.0 * 204.0));
  }
}

}  // namespace open_rows_tests
