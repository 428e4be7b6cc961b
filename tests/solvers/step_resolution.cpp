// Steps so small that roundoff of positions over h^2 shows in the multipliers of index 3.
#include <catena/assembly/multibody_system.hpp>
#include <catena/kkt/consistent.hpp>
#include <catena/problems/box_chain.hpp>
#include <catena/problems/helix_chain.hpp>
#include <catena/problems/rod_chain.hpp>
#include <catena/solvers/alpha_rattle.hpp>
#include <catena/solvers/generalized_alpha.hpp>
#include <catena/solvers/lie_dae.hpp>
#include <catena/stepper/guards/detail/step_resolution.hpp>

#include "support/few_cases.hpp"
#include "support/residual.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

namespace step_resolution_tests {

namespace {

using namespace catena;
using namespace catena::detail;

Model helix() {
  HelixChainParameters p;
  p.n = 10;
  return HelixChain(p).model();
}

using catena_test::largest;

// Multipliers against those of the index-1 system at the same q and v.
double error_of_multipliers(const System& system, const State& s) {
  KktSolver kkt;
  REQUIRE(kkt.attach(system, {}).empty());
  std::vector<double> a(s.a.size()), lambda(s.lambda.size());
  ConsistentValues consistent(system, kkt, s.discrete.data());
  REQUIRE(consistent.accelerations(s.t, s.q.data(), s.v.data(), a.data(), lambda.data()).status ==
          Status::ok);
  double error = 0.0;
  for (std::size_t k = 0; k < lambda.size(); ++k) error = std::max(error, std::abs(lambda[k] - s.lambda[k]));
  return error / largest(lambda);
}

struct End {
  Outcome outcome;
  int steps = 0;
  double error = 0.0;               // largest of all steps taken
  double last_two[2] = {0.0, 0.0};  // of the last steps taken
  double noise = 0.0;               // as the stepper saw it
  bool untouched = true;
};

End run(Stepper& stepper, const Model& model, double h, int steps) {
  const MultibodySystem system(model);
  REQUIRE(stepper.attach(system).status == Status::ok);
  State s = system.initial_state();
  REQUIRE(stepper.start(s, h).status == Status::ok);
  End end;
  for (; end.steps < steps; ++end.steps) {
    const State before = s;
    end.outcome = stepper.step(s, h);
    if (end.outcome.status != Status::ok) {
      end.untouched = s.t == before.t && s.q == before.q && s.v == before.v && s.lambda == before.lambda &&
                      s.memory == before.memory;
      break;
    }
    end.last_two[0] = end.last_two[1];
    end.last_two[1] = error_of_multipliers(system, s);
    end.error = std::max(end.error, end.last_two[1]);
  }
  end.noise = stepper.statistics().multiplier_noise;
  return end;
}

GeneralizedAlphaOptions alpha(GeneralizedAlphaOptions::Index index) {
  GeneralizedAlphaOptions o;
  o.index = index;
  return o;
}
LieDaeOptions lie(LieDaeOptions::Index index) {
  LieDaeOptions o;
  o.index = index;
  return o;
}
using Alpha = GeneralizedAlphaOptions::Index;
using Lie = LieDaeOptions::Index;

}  // namespace

TEST_CASE("index 3 with steps of 1e-8 s ends with the step to take, not with noise for multipliers") {
  for (const Model& model : {helix(), BoxChain().model()}) {
    GeneralizedAlpha first(alpha(Alpha::three));
    LieDae second(lie(Lie::three)), third(lie(Lie::stabilized));
    for (Stepper* stepper :
         {static_cast<Stepper*>(&first), static_cast<Stepper*>(&second), static_cast<Stepper*>(&third)}) {
      CAPTURE(stepper->traits().name);
      const End end = run(*stepper, model, 1e-8, 50);
      CHECK(end.outcome.status == Status::step_too_small);
      CHECK(end.steps < 10);
      CHECK(end.untouched);
      CHECK(end.outcome.culprit.name.rfind("joint \"", 0) == 0);
      CHECK(end.outcome.culprit.quantity.find("steps of 1e-08 s") != std::string::npos);
      CHECK(end.outcome.culprit.quantity.find("take index = 2, or steps above") != std::string::npos);
      CHECK(end.outcome.culprit.value > StepResolution::refused);
      // What has gone out is said as well, and is so.
      CHECK(end.outcome.culprit.quantity.find("those of the last two steps taken are such noise already") !=
            std::string::npos);
      for (const double error : end.last_two) CHECK(error > StepResolution::refused);
    }
  }
}

// Velocity rows: eps v / h, at 1e-9 s below 1e-7 of the multipliers.
TEST_CASE("index 2 and alpha_rattle keep six digits of the multipliers at steps of 1e-9 s") {
  for (const Model& model : {helix(), BoxChain().model()}) {
    GeneralizedAlpha first(alpha(Alpha::two));
    LieDae second(lie(Lie::two));
    AlphaRattle third;
    for (Stepper* stepper :
         {static_cast<Stepper*>(&first), static_cast<Stepper*>(&second), static_cast<Stepper*>(&third)}) {
      CAPTURE(stepper->traits().name);
      const End end = run(*stepper, model, 1e-9, 20);
      CHECK(end.outcome.status == Status::ok);
      CHECK(end.error < 1e-6);
    }
  }
}

// Forces of the start, the weight of the bodies, are up to ten times the multipliers; differences see most of the noise.
TEST_CASE("index 3 at 1e-5 s continues, and the noise that it reports is the error of the multipliers") {
  for (const Model& model : {helix(), BoxChain().model()}) {
    GeneralizedAlpha stepper(alpha(Alpha::three));
    const End end = run(stepper, model, 1e-5, 200);
    CHECK(end.outcome.status == Status::ok);
    CHECK(end.error < 2e-3);
    CHECK(end.noise > 0.1 * end.error);
    CHECK(end.noise < 2.0 * end.error);
  }
  GeneralizedAlpha stepper(alpha(Alpha::three));  // truncation, h^2: nothing to look at
  CHECK(run(stepper, helix(), 1e-4, 20).noise == 0.0);
}

// Their multipliers swing by an error of order h^2 that grows with the chain: of 1000 rods 0.17 N at 1e-3 s, a quarter of
// it at half the step.
TEST_CASE("chains of level rods, whose rows could be noise but are not, run at 1e-3 s and 2e-3 s") {
  for (const int n : catena_test::few_cases ? std::vector<int>{2000} : std::vector<int>{1000, 2000, 10000})
    for (const double h : {1e-3, 2e-3}) {
      CAPTURE(n);
      CAPTURE(h);
      RodChainParameters p;
      p.n = n;
      const MultibodySystem system(RodChain(p).model());
      GeneralizedAlpha stepper(alpha(Alpha::three));
      REQUIRE(stepper.attach(system).status == Status::ok);
      State s = system.initial_state();
      REQUIRE(stepper.start(s, h).status == Status::ok);
      for (int k = 0; k < 20; ++k) REQUIRE(stepper.step(s, h).status == Status::ok);
    }
}

}  // namespace step_resolution_tests
