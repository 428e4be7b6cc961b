// Motions that pass singular configurations: the N-four-bar mechanism, flat four times within 4 s. Each time the rows of
// every window depend on each other, reactions have a pole where n > 1, and every window could continue as an antiparallelogram.
#include <catena/assembly/quaternion_system.hpp>
#include <catena/solvers/generalized_alpha.hpp>
#include <catena/solvers/lie_dae.hpp>
#include <catena/solvers/steppers.hpp>

#include "singular_passage_support.hpp"
#include "support/few_cases.hpp"

#include <doctest/doctest.h>

namespace singular_passage_tests {

using namespace catena;
using catena_test::pass;
using catena_test::Passage;

namespace {

using Alpha = GeneralizedAlphaOptions;
using Lie = LieDaeOptions;

// From 1e-3 to 2.5e-4 s the error of generalized_alpha is 14 h^2 to a tenth of the order; that of lie_dae has a part of order 3
// besides, 40 % at 1e-3 s, which makes its order log2(1.4 * 4) = 2.4 at most.
void check_order(const NFourBarParameters& parameters, Stepper& stepper, double finest, double at_most) {
  const Passage coarse = pass(parameters, stepper, 1e-3), fine = pass(parameters, stepper, 2.5e-4);
  REQUIRE(coarse.run.status == Status::ok);
  REQUIRE(fine.run.status == Status::ok);
  const double order = 0.5 * std::log2(coarse.error / fine.error);
  CAPTURE(coarse.error);
  CAPTURE(fine.error);
  CHECK(order > 1.9);
  CHECK(order < at_most);
  CHECK(fine.error < finest);
}

}  // namespace

TEST_CASE("the N-four-bar passes its flat positions on the right branch, with order 2 and six digits") {
  for (const int n : {1, 2})
    for (const WindowJoints joints : {WindowJoints::hinges, WindowJoints::minimal}) {
      if (catena_test::few_cases && (n == 1) == (joints == WindowJoints::hinges)) continue;
      CAPTURE(n);
      CAPTURE(static_cast<int>(joints));
      GeneralizedAlpha alpha;
      check_order({.n = n, .joints = joints}, alpha, 1e-6, 2.1);
      LieDae lie;
      check_order({.n = n, .joints = joints}, lie, 5e-6, 2.4);
    }
}

TEST_CASE("the N-four-bar passes its flat positions under error control") {
  // Global errors are proportional to the tolerance: 16 to 28 m s of it at 1e-6 1/s (measured), and as much for every n and kind
  // of joints.
  for (const int n : {1, 2})
    for (const WindowJoints joints : {WindowJoints::hinges, WindowJoints::minimal})
      for (const double tolerance : {1e-4, 1e-6}) {
        if (catena_test::few_cases && (tolerance < 1e-4 || n == 2)) continue;
        CAPTURE(n);
        CAPTURE(static_cast<int>(joints));
        CAPTURE(tolerance);
        Alpha alpha;
        alpha.engine.tolerance = tolerance;
        Lie lie;
        lie.engine.tolerance = tolerance;
        GeneralizedAlpha first(alpha);
        LieDae second(lie);
        for (Stepper* const stepper : {static_cast<Stepper*>(&first), static_cast<Stepper*>(&second)}) {
          const Passage passage = pass({.n = n, .joints = joints}, *stepper, 1e-3);
          // lie_dae projects no velocities. With redundant rows and two windows roundoff decides whether a step beside the flat
          // position is taken: of tolerances from 1e-7 to 3e-7 none passes, from 1e-6 to 1e-4 28 of 29 do (docs/theory/newton.md).
          if (stepper == &second && joints == WindowJoints::hinges && n > 1 && tolerance < 1e-5 &&
              passage.run.status != Status::ok) {
            CHECK(passage.run.status == Status::step_too_small);
            CHECK(passage.run.culprit.name.starts_with("body"));
            continue;
          }
          CHECK(passage.run.status == Status::ok);
          CHECK(passage.error < 50.0 * tolerance);
        }
      }
}

TEST_CASE("gaps of redundant rows stay at 1e-12 m at flat positions") {
  const MultibodySystem system(NFourBar({.n = 2}).model());
  GeneralizedAlpha stepper;
  REQUIRE(stepper.attach(system).status == Status::ok);
  State state = system.initial_state();
  REQUIRE(stepper.start(state, 1e-3).status == Status::ok);
  std::vector<double> gaps(state.lambda.size());
  double largest = 0.0;
  for (int k = 0; k < 1500; ++k) {  // flat at 0.714 and 1.228 s
    REQUIRE(stepper.step(state, 1e-3).status == Status::ok);
    Evaluation wanted;
    wanted.position = gaps.data();
    system.evaluate(point_of(state), wanted);
    for (const double gap : gaps) largest = std::max(largest, std::abs(gap));
  }
  CHECK(largest < 1e-12);
}

// With redundant rows it depends on where steps end whether one of them meets the flat position: those that do not are right.
TEST_CASE("index 2 with hinges passes one window with order 2, and ends by name where it does not pass two") {
  GeneralizedAlpha alpha(Alpha{.index = Alpha::Index::two});
  LieDae lie(Lie{.index = Lie::Index::two});
  check_order({.n = 1}, alpha, 1e-6, 2.1);
  check_order({.n = 1}, lie, 5e-6, 2.4);
  int ended = 0;
  for (Stepper* const stepper : {static_cast<Stepper*>(&alpha), static_cast<Stepper*>(&lie)})
    for (const double h : {4e-3, 2e-3, 1e-3, 5e-4}) {
      if (catena_test::few_cases && h < 2e-3) continue;
      CAPTURE(stepper->traits().name);
      CAPTURE(h);
      const Passage passage = pass({.n = 2}, *stepper, h);
      const RunResult& run = passage.run;
      CAPTURE(passage.error);
      if (run.status == Status::ok) {
        CHECK(passage.error < 120.0 * h * h);
        continue;
      }
      ++ended;
      CHECK(run.status == Status::step_too_small);
      CHECK(run.cause == Status::singular_kkt);
      CHECK(run.culprit.quantity.find("index = 2 does not hold") != std::string::npos);
      CHECK(!run.culprit.name.empty());
    }
  CHECK(ended > 0);
}

TEST_CASE("generalized_alpha at index 2 cannot pass and says so: the rows, and where") {
  GeneralizedAlpha stepper(Alpha{.index = Alpha::Index::two});
  const Passage passage = pass({.n = 2, .joints = WindowJoints::minimal}, stepper, 1e-3);
  CHECK(passage.run.status == Status::step_too_small);
  CHECK(passage.run.cause == Status::singular_kkt);
  CHECK(passage.run.culprit.quantity.find("dependen") != std::string::npos);
  CHECK(passage.run.culprit.name.find("foot 0") != std::string::npos);
}

}  // namespace singular_passage_tests
