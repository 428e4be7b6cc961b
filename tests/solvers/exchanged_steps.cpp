// The advice about the next step where the system exchanges coordinates behind a step that the caller has cut short.
#include <catena/solvers/dormand_prince.hpp>
#include <catena/solvers/generalized_alpha.hpp>
#include <catena/solvers/lie_dae.hpp>
#include <catena/system/coordinate_system.hpp>

#include <doctest/doctest.h>

#include <memory>
#include <vector>

namespace exchanged_steps_tests {

namespace {

using namespace catena;
using namespace catena::detail;

struct Spring {
  static constexpr int coordinates = 1, discrete = 1;
  static constexpr const char* name = "spring";
  template <class S>
  Mat<S, 1, 1> mass(const Vec<S, 1>&) const {
    return {{S(1.0)}};
  }
  template <class S>
  Vec<S, 1> force(const Vec<S, 1>& q, const Vec<S, 1>&, const S&) const {
    return {{-100.0 * q[0]}};
  }
};

// Says once, at t >= 0.5 s, that derivatives belong to other coordinates; they are the same ones here.
struct Exchanging : CoordinateSystem<Spring> {
  Exchanging() : CoordinateSystem({}, {{0.1}}, {{1.0}}) {}
  bool update_discrete(State& s) const override {
    if (s.t < 0.5 || s.discrete[0] != 0.0) return false;
    s.discrete[0] = 1.0;
    return true;
  }
};

template <class Options>
Options with_tolerance() {
  Options o;
  o.engine.tolerance = 1e-4;
  return o;
}

}  // namespace

TEST_CASE("a step that was cut short and exchanges coordinates does not shorten the advice") {
  std::vector<std::unique_ptr<Stepper>> all;
  all.push_back(std::make_unique<GeneralizedAlpha>(with_tolerance<GeneralizedAlphaOptions>()));
  all.push_back(std::make_unique<LieDae>(with_tolerance<LieDaeOptions>()));
  all.push_back(std::make_unique<DormandPrince>());
  for (const auto& stepper : all) {
    CAPTURE(stepper->traits().name);
    const Exchanging system;
    REQUIRE(stepper->attach(system).status == Status::ok);
    State s = system.initial_state();
    REQUIRE(stepper->start(s, 1e-3).status == Status::ok);
    Outcome outcome;
    double advised = 0.0;
    while (s.discrete[0] == 0.0) {
      advised = stepper->proposed_step(s);
      const double left = 0.5 - s.t;  // the step before the exchange is a hundredth of the advice
      outcome = stepper->step(
          s, left < 1.01 * advised ? (left > 0.02 * advised ? left - 0.01 * advised : left) : advised);
      REQUIRE(outcome.status == Status::ok);
    }
    CHECK(outcome.h_taken < 0.02 * advised);
    CHECK(stepper->proposed_step(s) == outcome.h_next);
    CHECK(stepper->proposed_step(s) >= advised);
  }
}

}  // namespace exchanged_steps_tests
