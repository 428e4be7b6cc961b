// What redundant rows leave open of the reactions: by joint and direction.
#include <catena/assembly/multibody_system.hpp>
#include <catena/builtin/builtin.hpp>
#include <catena/experiment/detail/redundant_rows.hpp>
#include <catena/experiment/experiment.hpp>
#include <catena/experiment/parts/usage_error.hpp>
#include <catena/model/joints.hpp>
#include <catena/model/marker.hpp>
#include <catena/model/parts/joint_friction.hpp>

#include "support/temporary_folder.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

using namespace catena;
using namespace catena::detail;

namespace {

// A parallelogram of three bars on hinges about the z axis of a frame that is turned against the world, in any unit of
// length. minimal: two hinges, a universal joint and a ball joint in place of four hinges.
Model four_bar(double unit, bool minimal = false) {
  const Quat turn = normalized(Quat{0.8, 0.3, -0.4, 0.2});
  const Mat3 R = rotation_matrix(turn);
  const auto place = [&](double x, double y) { return Vec3(R * Vec3{{unit * x, unit * y, 0.0}}); };
  Model model;
  model.gravity = place(0.0, -9.81);
  const auto bar = [&](const char* name, double x, double y, double along_x, double along_y) {
    Body body{.name = name, .mass = 1.0, .position = place(x, y), .orientation = turn};
    const double l2 = unit * unit * (along_x * along_x + along_y * along_y);
    body.inertia = Mat3::Identity();
    for (int k = 0; k < 3; ++k) body.inertia(k, k) = l2 / 12.0;
    return model.add(body);
  };
  const BodyId crank = bar("crank", 0.25, 0.5, 0.5, 1.0), coupler = bar("coupler", 1.5, 1.0, 2.0, 0.0),
               rocker = bar("rocker", 2.25, 0.5, 0.5, 1.0);
  const auto in = [&](double x, double y) { return Vec3{{unit * x, unit * y, 0.0}}; };
  const Vec3 z{{0.0, 0.0, 1.0}}, normal = R * z;
  const auto hinge = [&](const char* name, BodyId a, const Vec3& at_a, BodyId b, const Vec3& at_b) {
    model.add(RevoluteJoint{.bodies = {a, b},
                            .point_a = at_a,
                            .point_b = at_b,
                            .axis_a = a == ground ? normal : z,
                            .axis_b = z,
                            .name = name});
  };
  hinge("A", ground, place(0.0, 0.0), crank, in(-0.25, -0.5));
  hinge("D", ground, place(2.0, 0.0), rocker, in(-0.25, -0.5));
  if (!minimal) {
    hinge("B", crank, in(0.25, 0.5), coupler, in(-1.0, 0.0));
    hinge("C", coupler, in(1.0, 0.0), rocker, in(0.25, 0.5));
    return model;
  }
  model.add(UniversalJoint{.bodies = {crank, coupler},
                           .point_a = in(0.25, 0.5),
                           .point_b = in(-1.0, 0.0),
                           .axis_a = z,
                           .axis_b = Vec3{{0.0, 1.0, 0.0}},
                           .name = "B"});
  model.add(SphericalJoint{
      .bodies = {coupler, rocker}, .point_a = in(1.0, 0.0), .point_b = in(0.25, 0.5), .name = "C"});
  return model;
}

Redundancy redundancy_of(const Model& model) {
  const MultibodySystem system(model);
  return redundant_rows(system, system.initial_state());
}

}  // namespace

TEST_CASE(
    "a four-bar of hinges: forces in its plane are unique, the force along and the torques across the axes "
    "are open") {
  for (const double unit : {1.0, 1000.0, 1e-3}) {  // [m]
    CAPTURE(unit);
    const Redundancy found = redundancy_of(four_bar(unit));
    CHECK(found.rows - found.rank == 3);
    REQUIRE(found.open.size() == 4);
    for (const Redundancy::Open& open : found.open) {
      CAPTURE(open.name);
      CHECK(open.joint_axes);
      CHECK_FALSE(open.force[0]);
      CHECK_FALSE(open.force[1]);
      CHECK(open.force[2]);
      CHECK(open.torque[0]);
      CHECK(open.torque[1]);
      CHECK_FALSE(open.torque[2]);
    }
    CHECK(components(found.open[0]) == "force z, torque x, y in the axes of the joint");
  }
}

TEST_CASE("a four-bar of joints without redundant rows leaves nothing open") {
  const Redundancy found = redundancy_of(four_bar(1.0, true));
  CHECK(found.rows == 17);
  CHECK(found.rank == 17);
  CHECK(found.open.empty());
  CHECK(found.null_vectors.empty());
}

TEST_CASE("the multipliers of a null vector act on no body") {
  const MultibodySystem system(four_bar(1.0));
  const State state = system.initial_state();
  const Redundancy found = redundant_rows(system, state);
  REQUIRE(found.null_vectors.size() == 3);
  const auto balance = [&](const std::vector<double>& lambda) {
    std::vector<double> result(static_cast<std::size_t>(system.layout().v_size()));
    Point at;
    at.q = state.q.data();
    at.v = state.v.data();
    at.a = state.a.data();
    at.lambda = lambda.data();
    at.discrete = state.discrete.data();
    Evaluation wanted;
    wanted.balance = result.data();
    system.evaluate(at, wanted);
    return result;
  };
  const std::vector<double> none(state.lambda.size(), 0.0), before = balance(none);
  for (const std::vector<double>& lambda : found.null_vectors) {
    double largest = 0.0;
    for (const double x : lambda) largest = std::max(largest, std::abs(x));
    CHECK(largest > 0.1);
    const std::vector<double> after = balance(lambda);
    for (std::size_t k = 0; k < after.size(); ++k) CHECK(std::abs(after[k] - before[k]) < 1e-12 * largest);
  }
}

TEST_CASE("two hinges side by side on one door: what pulls them apart along the axis and across it is open") {
  Model model;
  const BodyId door = model.add(Body{.name = "door"});
  for (const double z : {-1.0, 1.0})
    model.add(RevoluteJoint{.bodies = {ground, door},
                            .point_a = {{0.0, 0.0, z}},
                            .point_b = {{0.0, 0.0, z}},
                            .name = z < 0.0 ? "low" : "high"});
  const Redundancy found = redundancy_of(model);
  CHECK(found.rows - found.rank == 5);
  REQUIRE(found.open.size() == 2);
  for (const Redundancy::Open& open : found.open)
    CHECK(components(open) == "force x, y, z, torque x, y in the axes of the joint");
}

TEST_CASE("a run is refused whose friction follows what redundant rows leave open") {
  static const Catalog catalog = builtin();
  for (const double coefficient : {0.2, 0.0, -1.0}) {  // -1: hinges without redundant rows, and 0.2
    const bool redundant = coefficient >= 0.0;
    CAPTURE(coefficient);
    Model model;
    model.gravity = {{0.0, 0.0, -9.81}};
    const BodyId door =
        model.add(Body{.name = "door", .position = {{0.5, 0.0, 0.0}}, .angular_velocity = {{0.0, 0.0, 2.0}}});
    model.body(door).velocity = {{0.0, 1.0, 0.0}};
    const ConstraintId high =
        model.add(joint_at<RevoluteJoint>(model, ground, door, {.point = {{0.0, 0.0, 1.0}}}, "high"));
    if (redundant)
      model.add(joint_at<RevoluteJoint>(model, ground, door, {.point = {{0.0, 0.0, -1.0}}}, "low"));
    model.add(JointFriction{.joint = high,
                            .coefficient = std::abs(coefficient) > 0.5 ? 0.2 : coefficient,
                            .radius = 0.05,
                            .viscous = 3.0,
                            .name = "rust"});
    std::string refusal;
    try {
      const Record record =
          run(Scenario{.model = std::make_shared<Model>(model), .step = 0.01, .end = 0.02}, catalog);
      CHECK_MESSAGE(record.ok(), termination(record.report));
    } catch (const UsageError& error) {
      refusal = error.what();
    }
    if (coefficient == 0.2)
      CHECK(refusal.find("force \"rust\" (joint_friction) follows force x, y of joint \"high\" (revolute), "
                         "which redundant rows leave open: no equation says how large that is, so that the "
                         "motion is not unique, and a run is refused; take joints with fewer rows") == 0);
    else
      CHECK(refusal.empty());
  }
}

TEST_CASE("the tables of a run mark them") {
  const catena_test::TemporaryFolder folder;
  const std::string output = (folder.path() / "out").string();
  for (const bool redundant : {true, false}) {
    const Record record =
        run({.model = std::make_shared<const Model>(four_bar(1.0, !redundant)),
             .stepper = "generalized_alpha",
             .step = 0.01,
             .end = 0.02,
             .record = "reactions"},
            builtin(), {.settings = {.output = output, .overwrite = true, .format = "csv"}});
    REQUIRE(record.ok());
    std::ifstream table(folder.path() / "out/reactions.csv");
    int rows = 0, marked = 0;
    for (std::string line; std::getline(table, line); ++rows)
      marked += line.find("\"force z, torque x, y in the axes of the joint\",") != std::string::npos ? 1 : 0;
    CHECK(rows == 1 + 3 * 4);
    CHECK(marked == (redundant ? 3 * 4 : 0));
  }
}

TEST_CASE("rods have no axes of their own: what is open of them is said in those of the world") {
  Model model;
  const BodyId weight = model.add(Body{.name = "weight", .position = {{0.0, 0.0, -1.0}}});
  for (const char* name : {"one", "two"})
    model.add(DistanceConstraint{.bodies = {ground, weight}, .length = 1.0, .name = name});
  const Redundancy found = redundancy_of(model);
  REQUIRE(found.open.size() == 2);
  CHECK_FALSE(found.open[0].joint_axes);
  CHECK(components(found.open[0]) == "force z");
}
