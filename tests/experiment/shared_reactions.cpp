// Which reactions are reported where redundant rows leave them open: by a norm with a length, or by stiffnesses.
#include <catena/assembly/multibody_system.hpp>
#include <catena/builtin/builtin.hpp>
#include <catena/experiment/detail/redundant_rows.hpp>
#include <catena/experiment/experiment.hpp>
#include <catena/io/parts/yaml_models.hpp>
#include <catena/measure/detail/shared_multipliers.hpp>
#include <catena/measure/parts/quantity_catalog.hpp>
#include <catena/model/forces.hpp>
#include <catena/model/joints.hpp>
#include <catena/problems/four_bar.hpp>
#include <catena/system/detail/evaluations.hpp>

#include "support/relative.hpp"
#include "support/residual.hpp"
#include "support/temporary_folder.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

using namespace catena;
using namespace catena::detail;
using catena_test::largest;
using catena_test::relative;

namespace {

// A table top of weight 100 N on legs at (+-1, +-0.5) m that hold it up and nothing else; its centre of mass is at x, y.
Model table(double x, double y) {
  Model model;
  model.gravity = {{0.0, 0.0, -10.0}};
  const BodyId top = model.add(Body{.name = "top", .mass = 10.0, .position = {{x, y, 1.0}}});
  int number = 0;
  for (const double leg_x : {-1.0, 1.0})
    for (const double leg_y : {-0.5, 0.5})
      model.add(PointInPlaneJoint{.bodies = {ground, top},
                                  .point_a = {{leg_x, leg_y, 1.0}},
                                  .point_b = {{leg_x - x, leg_y - y, 0.0}},
                                  .name = "leg " + std::to_string(++number)});
  return model;
}

// The reactions of a short run: six numbers a side in the order of the joints, at its end.
std::vector<double> reactions_of(const Model& model, const std::string& rule,
                                 const std::string& stepper = "generalized_alpha", double step = 1e-3) {
  const Record record = run({.model = std::make_shared<const Model>(model),
                             .stepper = stepper,
                             .step = step,
                             .end = 5.0 * step,
                             .record = "reactions",
                             .reactions = rule},
                            builtin());
  REQUIRE(record.ok());
  std::vector<double> force, torque, all;
  for (const FinalQuantity& q : record.report.quantities)
    (q.name == "reactions/force" ? force : torque) = q.values;
  for (std::size_t s = 0; s < force.size() / 3; ++s) {
    all.insert(all.end(), &force[3 * s], &force[3 * s] + 3);
    all.insert(all.end(), &torque[3 * s], &torque[3 * s] + 3);
  }
  return all;
}

std::array<double, 4> legs(double x, double y, const std::string& rule) {
  const std::vector<double> all = reactions_of(table(x, y), rule);
  REQUIRE(all.size() == 24);
  return {all[2], all[8], all[14], all[20]};
}

std::string refusal(const std::string& rule) {
  try {
    const Record record = run({.problem = "four_bar", .end = 0.01, .reactions = rule}, builtin());
  } catch (const std::exception& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("equal legs of a table share its weight as the centre of mass lies between them") {
  for (const char* rule : {"norm:1", "norm:0.01", "stiffness:2e6:1"}) {
    const std::array<double, 4> central = legs(0.0, 0.0, rule), aside = legs(0.3, -0.2, rule);
    for (const double force : central) CHECK(force == relative(25.0, 1e-12));
    // Springs of one stiffness under a rigid top: W/4 (1 + x x_i / 1 m^2 + y y_i / 0.25 m^2).
    std::size_t k = 0;
    for (const double leg_x : {-1.0, 1.0})
      for (const double leg_y : {-0.5, 0.5})
        CHECK(aside[k++] == relative(25.0 * (1.0 + 0.3 * leg_x - 0.2 * leg_y / 0.25), 1e-11));
  }
}

TEST_CASE("a leg of twice the stiffness takes as much as the settlement of a rigid top gives it") {
  const std::array<double, 4> force = legs(0.0, 0.0, "stiffness:1e6:1,leg 1:2e6:1");
  const double stiffness[4] = {2.0, 1.0, 1.0, 1.0};
  const double x[4] = {-1.0, -1.0, 1.0, 1.0}, y[4] = {-0.5, 0.5, -0.5, 0.5};
  double settled[4], weight = 0.0, about_x = 0.0, about_y = 0.0;
  for (int k = 0; k < 4; ++k) {
    settled[k] = force[static_cast<std::size_t>(k)] / stiffness[k];
    weight += force[static_cast<std::size_t>(k)];
    about_x += y[k] * force[static_cast<std::size_t>(k)];
    about_y += x[k] * force[static_cast<std::size_t>(k)];
  }
  CHECK(weight == relative(100.0, 1e-12));
  CHECK(std::abs(about_x) < 1e-10);
  CHECK(std::abs(about_y) < 1e-10);
  CHECK(settled[0] + settled[3] == relative(settled[1] + settled[2], 1e-11));  // the top stays plane
  CHECK(force[0] > 25.0);
}

TEST_CASE("a beam on three hinges: forces along and across it are shared by stiffness, as statics has it") {
  // A beam of 4 m and 100 N on supports at its ends and in its middle that hold it up: k_1 : k_2 : k_3 = 1 : 2 : 3.
  // Equilibrium: F_1 = F_3 = (100 - F_2) / 2; the beam stays straight: F_1 / 1 + F_3 / 3 = 2 F_2 / 2.
  Model model;
  model.gravity = {{0.0, 0.0, -10.0}};
  const BodyId beam = model.add(Body{.name = "beam", .mass = 10.0});
  for (const double x : {-2.0, 0.0, 2.0})
    model.add(PointInPlaneJoint{.bodies = {ground, beam},
                                .point_a = {{x, 0.0, 0.0}},
                                .point_b = {{x, 0.0, 0.0}},
                                .name = "support " + std::to_string(static_cast<int>(x / 2.0) + 2)});
  const std::vector<double> all = reactions_of(model, "stiffness:1e6:1, support 2:2e6:1, support 3:3e6:1");
  REQUIRE(all.size() == 18);
  const double middle = 100.0 * (2.0 / 3.0) / (1.0 + 2.0 / 3.0);
  CHECK(all[8] == relative(middle, 1e-11));
  CHECK(all[2] == relative(0.5 * (100.0 - middle), 1e-11));
  CHECK(all[14] == relative(0.5 * (100.0 - middle), 1e-11));
}

TEST_CASE(
    "of a four-bar the multipliers of a rule do the same to the bodies, and no null vector is left in them") {
  const MultibodySystem system(FourBar().model());
  const State state = system.initial_state();
  const Redundancy redundancy = redundant_rows(system, state);
  REQUIRE(redundancy.null_vectors.size() == 3);
  std::vector<double> lambda(state.lambda.size());
  for (std::size_t k = 0; k < lambda.size(); ++k) lambda[k] = std::sin(1.0 + 3.0 * static_cast<double>(k));
  for (const char* text : {"norm:0.3", "stiffness:1e6:1e3,a:2e5:7e2"}) {
    CAPTURE(text);
    const ReactionRule rule = reaction_rule(text);
    SharedMultipliers share(system, rule);
    const double* chosen = share(state.t, state.q.data(), lambda.data(), nullptr);
    std::vector<double> before(state.v.size()), after(before);
    evaluate_reaction(system, point_of(state), lambda.data(), before.data());
    evaluate_reaction(system, point_of(state), chosen, after.data());
    for (std::size_t k = 0; k < before.size(); ++k)
      CHECK(std::abs(after[k] - before[k]) < 1e-12 * largest(before));
    ReactionMeter meter(system);
    const auto wrench = [&](const double* multipliers) {
      std::vector<double> six(6 * meter.sides().size());
      meter(state.t, state.q.data(), multipliers, nullptr, six.data());
      return six;
    };
    const std::vector<double> all = wrench(chosen);
    for (const std::vector<double>& null : redundancy.null_vectors) {
      const std::vector<double> open = wrench(null.data());
      double product = 0.0, first = 0.0, second = 0.0;
      for (std::size_t k = 0; k < all.size(); ++k) {
        const std::string joint = system.constraint_name(meter.sides()[k / 6].constraint);
        JointStiffness s = rule.common;
        for (const ReactionRule::Joint& own : rule.joints)
          if (joint.find('"' + own.name + '"') != std::string::npos) s = own.stiffness;
        const double yields = 1.0 / (k % 6 < 3 ? s.force : s.torque);
        product += yields * all[k] * open[k];
        first += yields * all[k] * all[k];
        second += yields * open[k] * open[k];
      }
      CHECK(std::abs(product) < 1e-10 * std::sqrt(first * second));
    }
  }
}

// The four-bar of the problem with all lengths in another unit: forces in kg unit/s^2, torques in kg unit^2/s^2.
TEST_CASE("a model in millimetres has the same reactions as in metres, for the same length") {
  const auto model_in = [](double unit) {
    Model model;
    model.gravity = {{0.0, -9.81 * unit, 0.0}};
    const auto bar = [&](const char* name, double x, double y, double along_x, double along_y) {
      Body body{.name = name, .mass = 1.0, .position = {{x * unit, y * unit, 0.0}}};
      for (int k = 0; k < 3; ++k)
        body.inertia(k, k) = unit * unit * (along_x * along_x + along_y * along_y) / 12.0;
      return model.add(body);
    };
    const BodyId crank = bar("crank", 0.25, 0.5, 0.5, 1.0), coupler = bar("coupler", 1.5, 1.0, 2.0, 0.0),
                 rocker = bar("rocker", 2.25, 0.5, 0.5, 1.0);
    const auto hinge = [&](const char* name, BodyId a, double xa, double ya, BodyId b, double xb, double yb) {
      model.add(RevoluteJoint{.bodies = {a, b},
                              .point_a = {{xa * unit, ya * unit, 0.0}},
                              .point_b = {{xb * unit, yb * unit, 0.0}},
                              .name = name});
    };
    hinge("A", ground, 0.0, 0.0, crank, -0.25, -0.5);
    hinge("B", crank, 0.25, 0.5, coupler, -1.0, 0.0);
    hinge("C", coupler, 1.0, 0.0, rocker, 0.25, 0.5);
    hinge("D", ground, 2.0, 0.0, rocker, -0.25, -0.5);
    // Off the plane, so that the open components are not zero.
    model.add(PointForce{
        .bodies = {coupler}, .point = {{0.3 * unit, 0.0, 0.1 * unit}}, .force = {{0.0, 0.0, 5.0 * unit}}});
    return model;
  };
  const std::vector<double> metres = reactions_of(model_in(1.0), "norm:0.4", "dormand_prince"),
                            millimetres = reactions_of(model_in(1000.0), "norm:400", "dormand_prince");
  double force = 0.0, torque = 0.0;
  for (std::size_t k = 0; k < metres.size(); ++k) {
    double& most = k % 6 < 3 ? force : torque;
    most = std::max(most, std::abs(metres[k]));
  }
  CHECK(torque > 0.1);
  double apart = 0.0;
  for (std::size_t k = 0; k < metres.size(); ++k) {
    const double converted = millimetres[k] / (k % 6 < 3 ? 1e3 : 1e6);
    apart = std::max(apart, std::abs(converted - metres[k]) / (k % 6 < 3 ? force : torque));
  }
  MESSAGE("largest difference, relative: " << apart);
  CHECK(apart < 1e-10);
}

TEST_CASE("every stepper gives the same reactions by one rule, where they give others by themselves") {
  const Model model = table(0.3, -0.2);
  const std::vector<double> one = reactions_of(model, "norm:0.5");
  for (const char* stepper : {"lie_dae", "alpha_rattle", "dormand_prince"}) {
    const std::vector<double> other = reactions_of(model, "norm:0.5", stepper);
    for (std::size_t k = 0; k < one.size(); ++k) CHECK(std::abs(other[k] - one[k]) < 1e-8 * largest(one));
  }
}

TEST_CASE("without redundant rows a rule changes nothing") {
  Model model;
  model.gravity = {{0.0, 0.0, -10.0}};
  const BodyId bob = model.add(Body{.name = "bob", .mass = 2.0, .position = {{0.0, 0.0, -1.0}}});
  model.add(RevoluteJoint{.bodies = {ground, bob},
                          .point_b = {{0.0, 0.0, 1.0}},
                          .axis_a = {{0.0, 1.0, 0.0}},
                          .axis_b = {{0.0, 1.0, 0.0}},
                          .name = "hip"});
  const std::vector<double> plain = reactions_of(model, ""), ruled = reactions_of(model, "norm:1");
  for (std::size_t k = 0; k < plain.size(); ++k)
    CHECK(std::abs(ruled[k] - plain[k]) < 1e-12 * largest(plain));
}

TEST_CASE("the report names the rule") {
  const auto reported = [](const std::string& rule) {
    return run({.problem = "four_bar", .end = 0.01, .reactions = rule}, builtin()).report.reactions;
  };
  CHECK(reported("") == "those that the stepper has chosen");
  CHECK(reported("norm:0.3") == "the least sum of the squares of forces, and of torques over 0.3 m");
  CHECK(reported("stiffness:1e6:1e4,a:2e6:5e3") ==
        "shared by stiffness, 1e+06 N/m and 10000 N m/rad of a joint, 2e+06 N/m and 5000 N m/rad of \"a\"");
}

TEST_CASE("a model file can hold the rule, and the manifest of the results names it") {
  const catena_test::TemporaryFolder folder;
  const std::string path = (folder.path() / "bar.yaml").string();
  std::ofstream(path) << "problem: four_bar\nrun: {reactions: 'norm:0.25', end: 10 ms}\n";
  Catalog catalog = builtin();
  catalog.add(yaml_models());
  const Record record = run({.problem = path}, catalog);
  const Manifest::Entries& said = record.manifest.run;
  const auto entry =
      std::find_if(said.begin(), said.end(), [](const auto& e) { return e.first == "reactions"; });
  REQUIRE(entry != said.end());
  CHECK(entry->second == "the least sum of the squares of forces, and of torques over 0.25 m");
  const Record plain = run({.problem = "four_bar", .end = 0.01}, builtin());
  CHECK(std::none_of(plain.manifest.run.begin(), plain.manifest.run.end(),
                     [](const auto& e) { return e.first == "reactions"; }));
}

TEST_CASE("a rule that makes no sense is refused with what would") {
  CHECK(refusal("least") ==
        "--reactions least: there is no rule \"least\" for reactions: write norm:LENGTH in m, or "
        "stiffness:FORCE:TORQUE in N/m and N m/rad, with joints of their own behind it, "
        "stiffness:1e6:1e4,leg 1:2e6:1e4");
  CHECK(refusal("norm") ==
        "--reactions norm: \"norm\" needs one length, over which torques count as forces: norm:0.3 in m");
  CHECK(refusal("norm:0") == "--reactions norm:0: the length [m] of \"norm\" is a number above 0, not \"0\"");
  CHECK(refusal("norm:1,a:1:1") ==
        "--reactions norm:1,a:1:1: \"norm:1\" is for all joints: leave \"a\" out, or share by stiffness");
  CHECK(refusal("stiffness:1e6") ==
        "--reactions stiffness:1e6: \"stiffness\" needs two stiffnesses, of the force and of the torque: "
        "stiffness:1e6:1e4 in N/m and N m/rad");
  CHECK(
      refusal("stiffness:1e6:x") ==
      "--reactions stiffness:1e6:x: the stiffness [N m/rad] of \"stiffness\" is a number above 0, not \"x\"");
  CHECK(refusal("stiffness:1:1,a:1:1,a:2:2") ==
        "--reactions stiffness:1:1,a:1:1,a:2:2: the joint \"a\" has two stiffnesses: leave one out");
  const std::string unknown = refusal("stiffness:1:1,leg:1:1");
  CHECK(unknown.find("--reactions stiffness:1:1,leg:1:1: there is no joint \"leg\"") == 0);
  try {
    run({.problem = "snakeboard", .end = 0.01, .reactions = "norm:1"}, builtin());
    FAIL("not refused");
  } catch (const std::exception& error) {
    CHECK(std::string(error.what()) ==
          "--reactions norm:1: there are no joints of bodies whose reactions could be shared");
  }
}
