// Behaviour does not depend on how large a mechanism is: lengths times 2^k, inertias times 4^k and gravity times 2^k
// make the same motion, with every number of it 2^k or 4^k as large.
#include <catena/assembly/multibody_system.hpp>
#include <catena/model/detail/typed_pool.hpp>
#include <catena/model/joints.hpp>
#include <catena/problems/four_bar.hpp>
#include <catena/solvers/dormand_prince.hpp>
#include <catena/solvers/generalized_alpha.hpp>
#include <catena/solvers/lie_dae.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <memory>
#include <vector>

namespace scaled_copies_tests {

namespace {

using namespace catena;
using namespace catena::detail;

enum class Joints { spherical, revolute, distance };

// Five bars of 0.4 m times the size; half a millimetre and half a kilometre at 2^-10 and 2^10.
Model chain_of_size(double size, Joints joints) {
  Model model;
  model.gravity = {{0.0, 0.0, -9.81 * size}};
  const double half = 0.2 * size;
  BodyId before = ground;
  Vec3 end = Vec3::Zero();
  for (int k = 0; k < 5; ++k) {
    const double turn = 0.3 * k;
    const Vec3 along{{std::cos(turn), std::sin(turn), 0.0}};
    const BodyId bar = model.add({.mass = 2.0,
                                  .inertia = size * size * diagonal(Vec3{{1.0 / 256, 1.0 / 32, 1.0 / 32}}),
                                  .position = end + half * along,
                                  .orientation = {std::cos(0.5 * turn), 0.0, 0.0, std::sin(0.5 * turn)}});
    const Vec3 there = before == ground ? Vec3::Zero() : Vec3{{half, 0.0, 0.0}}, here{{-half, 0.0, 0.0}};
    if (joints == Joints::spherical || (joints == Joints::distance && k != 2))
      model.add(SphericalJoint{.bodies = {before, bar}, .point_a = there, .point_b = here});
    else if (joints == Joints::distance)
      model.add(DistanceConstraint{
          .bodies = {before, bar}, .point_a = there, .point_b = Vec3::Zero(), .length = half});
    else
      model.add(RevoluteJoint{.bodies = {before, bar},
                              .point_a = there,
                              .point_b = here,
                              .axis_a = {{0.0, 0.0, 1.0}},
                              .axis_b = {{0.0, 0.0, 1.0}}});
    end = end + 2.0 * half * along;
    before = bar;
  }
  return model;
}

template <class Options>
Options exact(Options o) {
  o.engine.newton_tolerance = 1e-13;
  return o;
}

}  // namespace

TEST_CASE(
    "the roundoff that rows are held to grows with the mechanism, from half a millimetre to half a "
    "kilometre") {
  for (const Joints joints : {Joints::spherical, Joints::revolute, Joints::distance}) {
    CAPTURE(static_cast<int>(joints));
    const double one = MultibodySystem(chain_of_size(1.0, joints)).layout().roundoff_length;
    CHECK(one <= 4.0);
    CHECK(one >= 0.4);
    for (const double size : {0x1p-10, 0x1p10})
      CHECK(MultibodySystem(chain_of_size(size, joints)).layout().roundoff_length == size * one);
  }
}

// At 1e-6 s the roundoff of the gaps decides when Newton has converged and what the multipliers are; forces and moments,
// which grow differently, are assessed together there, as the multipliers of hinges are always.
TEST_CASE("chains of half a millimetre, half a metre and half a kilometre move alike") {
  int noisy = 0;
  for (const Joints joints : {Joints::spherical, Joints::revolute, Joints::distance})
    for (const double h : {1e-3, 1e-6}) {
      CAPTURE(static_cast<int>(joints));
      CAPTURE(h);
      const auto run = [&](Stepper& stepper, double size, std::vector<RigidBodyState>& end) {
        const MultibodySystem system(chain_of_size(size, joints));
        State state = system.initial_state();
        REQUIRE(stepper.attach(system).status == Status::ok);
        REQUIRE(stepper.start(state, h).status == Status::ok);
        for (int k = 0; k < 100; ++k) REQUIRE(stepper.step(state, h).status == Status::ok);
        end = system.bodies(state);
        return stepper.statistics();
      };
      const auto alike = [&](const auto& make, bool to_the_bit) {
        std::vector<RigidBodyState> one, other;
        const auto stepper = make();
        const StepperStatistics expected = run(*stepper, 1.0, one);
        noisy += expected.multiplier_noise > 0.0 ? 1 : 0;
        for (const double size : {0x1p-10, 0x1p10}) {
          CAPTURE(size);
          const auto another = make();
          const StepperStatistics found = run(*another, size, other);
          const bool exactly = to_the_bit && joints != Joints::revolute && h > 1e-4;
          const double tolerance = exactly ? 0.0 : 1e-11;
          if (exactly) {
            CHECK(found.newton_iterations == expected.newton_iterations);
            CHECK(found.factorizations == expected.factorizations);
          }
          for (std::size_t k = 0; k < one.size(); ++k) {
            CHECK(norm(Vec3(other[k].position - size * one[k].position)) <= tolerance * size);
            CHECK(std::abs(other[k].orientation.z - one[k].orientation.z) <= tolerance);
          }
          if (joints == Joints::revolute) continue;
          CHECK(found.multiplier_noise <= 4.0 * expected.multiplier_noise);
          CHECK(expected.multiplier_noise <= 4.0 * found.multiplier_noise);
        }
      };
      alike([] { return std::make_unique<GeneralizedAlpha>(exact(GeneralizedAlphaOptions{})); }, true);
      alike([] { return std::make_unique<LieDae>(exact(LieDaeOptions{})); }, true);
      if (h > 1e-4)
        for (const auto newton : {LieDaeOptions::Newton::quasi, LieDaeOptions::Newton::exact})
          alike(
              [&] {
                return std::make_unique<LieDae>(
                    exact(LieDaeOptions{.index = LieDaeOptions::Index::stabilized, .newton = newton}));
              },
              false);
      // its velocities end at roundoff of 1 m/s
      if (h > 1e-4) alike([] { return std::make_unique<DormandPrince>(); }, false);
    }
  CHECK(noisy > 0);
}

// A closed loop of hinges has four redundant rows: the projector of the stabilized form sees little but roundoff where
// lengths count beside angles in metres.
TEST_CASE(
    "the stabilized form of lie_dae carries a loop with redundant rows from a micrometre to a megametre") {
  const Model metre = FourBar().model();
  const auto end = [&](double size) {
    Model model;
    model.gravity = size * metre.gravity;
    for (Body body : metre.bodies()) {
      body.position = size * body.position;
      body.inertia = size * size * body.inertia;
      model.add(body);
    }
    for (const Model::ElementRef& r : metre.constraints()) {
      RevoluteJoint hinge =
          static_cast<const ConstraintPool<RevoluteJoint>&>(*metre.pools()[static_cast<std::size_t>(r.pool)])
              .at(r.element);
      hinge.point_a = size * hinge.point_a;
      hinge.point_b = size * hinge.point_b;
      model.add(hinge);
    }
    const MultibodySystem system(model);
    LieDae stepper({.index = LieDaeOptions::Index::stabilized});
    State state = system.initial_state();
    REQUIRE(stepper.attach(system).status == Status::ok);
    REQUIRE(stepper.start(state, 1e-3).status == Status::ok);
    for (int k = 0; k < 300; ++k) {
      CAPTURE(size);
      REQUIRE(stepper.step(state, 1e-3).status == Status::ok);
    }
    return system.bodies(state);
  };
  const std::vector<RigidBodyState> one = end(1.0);
  for (const double size : {0x1p-20, 1e-6, 0x1p-10, 1e-3, 0x1p10, 0x1p20}) {
    CAPTURE(size);
    const std::vector<RigidBodyState> other = end(size);
    for (std::size_t k = 0; k < one.size(); ++k) {
      CHECK(norm(Vec3(other[k].position - size * one[k].position)) <= 1e-9 * size);
      CHECK(std::abs(other[k].orientation.z - one[k].orientation.z) <= 1e-9);
    }
  }
}

}  // namespace scaled_copies_tests
