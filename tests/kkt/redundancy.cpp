// Redundant rows: suspected from pivots whatever the stepper solves with, proven by the rank, named by joint.
#include <catena/assembly/multibody_system.hpp>
#include <catena/assembly/quaternion_system.hpp>
#include <catena/kkt/detail/redundancy.hpp>
#include <catena/model/joints.hpp>
#include <catena/problems/four_bar.hpp>
#include <catena/problems/helix_chain.hpp>
#include <catena/sparse/backends/backends.hpp>
#include <catena/sparse/backends/detail/rank_of_rows.hpp>

#include "support/doubled_joint.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace {

using namespace catena;
using namespace catena::detail;
using Names = std::vector<std::string>;

Redundancy look(const System& system) {
  return find_redundancy(system, system.initial_state(),
                         [](const BlockMatrix& m, const RankOptions& o) { return rank_of_rows(m, o); });
}

const Names hinges{"joint \"a\" (revolute)", "joint \"b\" (revolute)", "joint \"c\" (revolute)",
                   "joint \"d\" (revolute)"};

// A body on two rods of 1 m whose directions differ by `angle`.
Model two_rods(double angle) {
  Model model;
  const BodyId body = model.add(Body{.position = {{1.0, 0.0, 0.0}}});
  for (const double y : {0.0, angle})
    model.add(DistanceConstraint{
        .bodies = {ground, body}, .point_a = {{0.0, y, 0.0}}, .length = std::sqrt(1.0 + y * y)});
  return model;
}

// A plane slider-crank of hinges along z, a ball joint and a rail along x, of square bars of 1000 kg/m^3.
Model slider_crank(double thickness) {
  constexpr double crank = 0.5, rod = 1.3, angle = 0.9;
  const double y = crank * std::sin(angle), tilt = -std::asin(y / rod);
  const double end = crank * std::cos(angle) + rod * std::cos(tilt);
  Model model;
  const auto bar = [&](double length, double x, double at_y, double turn) {
    const double m = 1000.0 * length * thickness * thickness, t2 = thickness * thickness,
                 across = m / 12.0 * (length * length + t2);
    return model.add(Body{.mass = m,
                          .inertia = diagonal(Vec3{{m / 6.0 * t2, across, across}}),
                          .position = {{x, at_y, 0.0}},
                          .orientation = exponential(Vec3{{0.0, 0.0, turn}})});
  };
  const BodyId a = bar(crank, 0.5 * crank * std::cos(angle), 0.5 * y, angle);
  const BodyId b = bar(rod, end - 0.5 * rod * std::cos(tilt), 0.5 * y, tilt);
  const BodyId block = model.add(
      Body{.mass = 8.0, .inertia = diagonal(Vec3{{0.05, 0.05, 0.05}}), .position = {{end, 0.0, 0.0}}});
  model.add(RevoluteJoint{.bodies = {ground, a}, .point_b = {{-0.5 * crank, 0.0, 0.0}}, .name = "shaft"});
  model.add(RevoluteJoint{.bodies = {a, b},
                          .point_a = {{0.5 * crank, 0.0, 0.0}},
                          .point_b = {{-0.5 * rod, 0.0, 0.0}},
                          .name = "elbow"});
  model.add(SphericalJoint{.bodies = {b, block}, .point_a = {{0.5 * rod, 0.0, 0.0}}, .name = "pin"});
  model.add(PrismaticJoint{
      .bodies = {ground, block}, .axis_a = Vec3::Unit(0), .axis_b = Vec3::Unit(0), .name = "rail"});
  return model;
}

}  // namespace

TEST_CASE("independent rows are not suspected") {
  HelixChainParameters p;
  p.n = 100;
  p.joint = ChainJoint::revolute;
  const Redundancy r = look(MultibodySystem(HelixChain(p).model()));
  CHECK_FALSE(r.suspected);
  CHECK(r.rank == r.rows);
  CHECK(to_text(r).empty());
}

TEST_CASE("four-bar of hinges: three redundant rows in its one loop, named, in both kinds of coordinates") {
  const FourBar problem;
  const MultibodySystem six(problem.model());
  const QuaternionSystem seven(problem.model());
  for (const System* system : std::initializer_list<const System*>{&six, &seven}) {
    const Redundancy r = look(*system);
    CHECK(r.suspected);
    CHECK(r.proven());
    CHECK(r.rows - r.rank == 3);
    REQUIRE(r.dependencies.size() == 1);
    CHECK(r.dependencies[0].rows == 3);
    CHECK(r.dependencies[0].constraints == hinges);
  }
  CHECK(to_text(look(six)) ==
        "3 of 20 constraint rows are redundant: 3 among joint \"a\" (revolute), joint \"b\" (revolute), "
        "joint \"c\" (revolute), joint \"d\" (revolute)");
}

TEST_CASE("a joint that is there twice is named with its twin and no other") {
  const Redundancy r = look(MultibodySystem(catena::test::chain_with_doubled_joint()));
  CHECK(r.rows - r.rank == 3);
  REQUIRE(r.dependencies.size() == 1);
  CHECK(r.dependencies[0].constraints ==
        Names{"joint \"joint 8\" (spherical)", "joint \"twin\" (spherical)"});
}

TEST_CASE("rows that differ a little are suspected and found independent; by more they are not suspected") {
  // The pivot of the second row is angle^2 of its scale, suspicious below 1e-10; what is independent of the
  // first is angle, and counts above 1e-8.
  const Redundancy equal = look(MultibodySystem(two_rods(1e-9)));
  CHECK(equal.rows - equal.rank == 1);
  CHECK(to_text(equal).starts_with("1 of 2 constraint rows is redundant: 1 among "));
  const Redundancy nearly = look(MultibodySystem(two_rods(1e-6)));
  CHECK(nearly.suspected);
  CHECK(nearly.rank_known);
  CHECK_FALSE(nearly.proven());
  CHECK(to_text(nearly).find("are independent") != std::string::npos);
  CHECK_FALSE(look(MultibodySystem(two_rods(1e-4))).suspected);
}

TEST_CASE("a redundant row among bars of any thickness is found") {
  for (const double thickness : {0.2, 0.02, 0.002}) {
    CAPTURE(thickness);
    const Redundancy r = look(MultibodySystem(slider_crank(thickness)));
    CHECK(r.rows == 18);
    CHECK(r.rank == 17);
    CHECK(r.suspected);
    CHECK(r.here_only == 0);
    REQUIRE(r.dependencies.size() == 1);
    CHECK(r.dependencies[0].rows == 1);
    CHECK(r.dependencies[0].constraints.size() == 4);
  }
}

TEST_CASE("without an oracle redundancy stays a suspicion") {
  const MultibodySystem system(FourBar().model());
  const Redundancy r = find_redundancy(system, system.initial_state(), {});
  CHECK(r.suspected);
  CHECK_FALSE(r.rank_known);
  CHECK(to_text(r).find("hardly differ") != std::string::npos);
}

TEST_CASE("the weakest row is found for every back end") {
  const MultibodySystem system(FourBar().model());
  const State s = system.initial_state();
  for (const BackendInfo& info : backends()) {
    if (!info.couplings) continue;  // hinges have blocks H_ij
    CAPTURE(std::string(info.name));
    KktOptions options;
    const std::string name = info.name;
    options.backend = [name] { return make_backend(name); };
    KktSolver kkt;
    REQUIRE(kkt.attach(system, options).empty());
    Linearization lin;
    lin.matrix = &kkt.matrix();
    lin.mass = 1.0;
    Evaluation wanted;
    wanted.linearization = &lin;
    Point at;
    at.q = s.q.data();
    system.evaluate(at, wanted);
    kkt.update_proximal();
    KktReport report = kkt.factorize();
    kkt.find_weakest_row(report);
    CHECK(report.weakest_dual >= 0);
    CHECK(report.weakest_dual_ratio < suspicious_ratio * options.proximal);
  }
}

TEST_CASE("rows that depend on each other at one configuration alone differ from redundant ones") {
  // A taut string: two rods of 1 m in one line.
  Model string;
  const BodyId knot = string.add(Body{.name = "knot", .position = {{1.0, 0.0, 0.0}}});
  for (const double x : {0.0, 2.0})
    string.add(DistanceConstraint{.bodies = {ground, knot},
                                  .point_a = {{x, 0.0, 0.0}},
                                  .length = 1.0,
                                  .name = x == 0.0 ? "left" : "right"});
  const Redundancy taut = look(MultibodySystem(string));
  CHECK(taut.rank == 1);
  CHECK(taut.here_only == 1);
  CHECK(to_text(taut).find(
            "1 of 2 constraint rows depends on the others at this configuration, but not near it") == 0);
  CHECK(to_text(taut).find("joint \"left\" (distance), joint \"right\" (distance)") != std::string::npos);

  // A parallelogram of hinges in one line: three rows are redundant anywhere, and one here, where it may turn over.
  Model line;
  std::array<BodyId, 3> bar{};
  for (std::size_t k = 0; k < 3; ++k)
    bar[k] = line.add(Body{.name = "bar " + std::to_string(k), .position = {{k == 0 ? 0.5 : 1.5, 0.0, 0.0}}});
  const Vec3 left{{-0.5, 0.0, 0.0}}, right{{0.5, 0.0, 0.0}};
  const auto hinge = [&](BodyId a, const Vec3& on_a, BodyId b, const Vec3& on_b) {
    line.add(RevoluteJoint{.bodies = {a, b},
                           .point_a = on_a,
                           .point_b = on_b,
                           .axis_a = Vec3::Unit(2),
                           .axis_b = Vec3::Unit(2)});
  };
  hinge(ground, Vec3::Zero(), bar[0], left);
  hinge(bar[0], right, bar[1], left);
  hinge(ground, {{1.0, 0.0, 0.0}}, bar[2], left);
  hinge(bar[2], right, bar[1], right);
  const Redundancy flat = look(MultibodySystem(line));
  CHECK(flat.rows == 20);
  CHECK(flat.rank == 16);
  CHECK(flat.here_only == 1);

  // Redundant at every configuration: no row is dependent here alone.
  CHECK(look(MultibodySystem(FourBar().model())).here_only == 0);
  CHECK(look(MultibodySystem(catena::test::chain_with_doubled_joint())).here_only == 0);
  CHECK(look(MultibodySystem(two_rods(0.0))).here_only == 0);
}

TEST_CASE("a four-bar with one axis off by 1e-6 rad: two redundant rows, no freedom, and why it locks") {
  const auto linkage = [](double tilt) {
    const Model model = FourBar().model();
    Model other;
    for (const Body& b : model.bodies()) other.add(b);
    const BodyId crank{0}, coupler{1}, rocker{2};
    const auto hinge = [&](const char* name, BodyId one, double x, BodyId two, double y, double off) {
      other.add(RevoluteJoint{.bodies = {one, two},
                              .point_a = {{x, 0.0, 0.0}},
                              .point_b = {{y, 0.0, 0.0}},
                              .axis_a = Vec3::Unit(2),
                              .axis_b = {{off, 0.0, 1.0}},
                              .name = name});
    };
    hinge("a", ground, 0.0, crank, -0.15, 0.0);
    hinge("b", crank, 0.15, coupler, -0.45, 0.0);
    hinge("c", coupler, 0.45, rocker, 0.4, tilt);
    hinge("d", ground, 1.0, rocker, -0.4, 0.0);
    return other;
  };
  const MultibodySystem straight(linkage(0.0)), tilted(linkage(1e-6));
  const Redundancy of_straight = look(straight), of_tilted = look(tilted);
  CHECK(of_straight.rank == 17);
  CHECK(of_straight.nearly_dependent == 0);
  CHECK(!of_straight.locks(18));
  CHECK(of_tilted.rows == 20);
  CHECK(of_tilted.rank == 18);
  CHECK(of_tilted.nearly_dependent == 1);
  CHECK(of_tilted.locks(18));
  // In proportion to the tilt, and no more than it.
  const MultibodySystem twice_tilted(linkage(2e-6));
  const double value = of_tilted.smallest_singular_value;
  CHECK(value > 0.0);
  CHECK(value < 1e-6);
  CHECK(std::abs(look(twice_tilted).smallest_singular_value / value - 2.0) < 1e-3);
  const std::string text = locking_text(of_tilted);
  CHECK(text.find("locks the mechanism") != std::string::npos);
  for (const std::string& name : hinges) CHECK(text.find(name) != std::string::npos);
}
