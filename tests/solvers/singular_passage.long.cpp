// Forty windows of the N-four-bar mechanism through their flat positions: 81 bars, 605 or 485 rows.
#include <catena/solvers/generalized_alpha.hpp>
#include <catena/solvers/lie_dae.hpp>

#include "singular_passage_support.hpp"

#include <doctest/doctest.h>

namespace singular_passage_long_tests {

using namespace catena;
using catena_test::pass;
using catena_test::Passage;

TEST_CASE("40 windows pass their flat positions on the right branch, with order 2 and six digits") {
  for (const WindowJoints joints : {WindowJoints::hinges, WindowJoints::minimal}) {
    CAPTURE(static_cast<int>(joints));
    GeneralizedAlpha stepper;
    const Passage coarse = pass({.n = 40, .joints = joints}, stepper, 1e-3),
                  fine = pass({.n = 40, .joints = joints}, stepper, 2.5e-4);
    REQUIRE(coarse.run.status == Status::ok);
    REQUIRE(fine.run.status == Status::ok);
    const double order = 0.5 * std::log2(coarse.error / fine.error);
    CHECK(order > 1.9);
    CHECK(order < 2.1);
    CHECK(fine.error < 1e-6);
  }
}

TEST_CASE("40 windows pass their flat positions under error control") {
  for (const WindowJoints joints : {WindowJoints::hinges, WindowJoints::minimal}) {
    CAPTURE(static_cast<int>(joints));
    GeneralizedAlphaOptions alpha;
    alpha.engine.tolerance = 1e-5;
    LieDaeOptions lie;
    lie.engine.tolerance = 1e-5;
    GeneralizedAlpha first(alpha);
    LieDae second(lie);
    for (Stepper* const stepper : {static_cast<Stepper*>(&first), static_cast<Stepper*>(&second)}) {
      const Passage passage = pass({.n = 40, .joints = joints}, *stepper, 1e-3);
      CHECK(passage.run.status == Status::ok);
      CHECK(passage.error < 50.0 * 1e-5);
    }
  }
}

}  // namespace singular_passage_long_tests
