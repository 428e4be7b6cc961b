// States inside a step that cannot be made consistent are counted and named, never passed on in silence.
#include <catena/driver/detail/state_between.hpp>
#include <catena/driver/run.hpp>
#include <catena/solvers/dormand_prince.hpp>
#include <catena/solvers/generalized_alpha.hpp>
#include <catena/system/coordinate_system.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

namespace state_between_tests {

using namespace catena;
using namespace catena::detail;

namespace {

// A point on the circle x^2 + y^2 = 1 under its weight; within a moment there is no force that could be computed.
struct Gap {
  static constexpr int coordinates = 2;
  static constexpr const char* name = "gap";
  double from = 0.0, to = 0.0;
  template <class S>
  Mat<S, 2, 2> mass(const Vec<S, 2>&) const {
    return {{S(1.0), S(0.0), S(0.0), S(1.0)}};
  }
  template <class S>
  Vec<S, 2> force(const Vec<S, 2>&, const Vec<S, 2>&, const S& t) const {
    if (S(from) < t && t < S(to)) return {{S(std::numeric_limits<double>::quiet_NaN()), S(0.0)}};
    return {{S(0.0), S(-9.81)}};
  }
  template <class S>
  Vec<S, 1> gap(const Vec<S, 2>& q, const S&) const {
    return {{0.5 * (q[0] * q[0] + q[1] * q[1] - 1.0)}};
  }
};

struct Recorder : Sink {
  std::vector<State> states;
  void accept(const State& s, const Outcome&) override { states.push_back(s); }
};

}  // namespace

TEST_CASE("a state inside a step without accelerations is counted, and says when and why") {
  const CoordinateSystem<Gap> system({0.004, 0.006}, {{1.0, 0.0}});
  GeneralizedAlpha stepper;
  REQUIRE(stepper.attach(system).status == Status::ok);
  State s = system.initial_state();
  REQUIRE(stepper.start(s, 0.01).status == Status::ok);
  REQUIRE(stepper.step(s, 0.01).status == Status::ok);  // sees 0 and 0.01 s only
  StateBetween between(system);
  between.at(0.2, stepper, s, 0.01);
  CHECK(between.finished());
  CHECK(between.failures() == 0);
  between.at(0.5, stepper, s, 0.01);
  CHECK_FALSE(between.finished());
  CHECK(between.failures() == 1);
  CHECK(between.remark().quantity.rfind("inside a step, at t = 0.005000 s: no consistent accelerations", 0) ==
        0);
  between.at(0.8, stepper, s, 0.01);
  CHECK(between.finished());
  CHECK(between.failures() == 1);
}

TEST_CASE("a run with output inside its steps reports how many of these states could not be finished") {
  const CoordinateSystem<Gap> system({0.00499, 0.00501}, {{1.0, 0.0}});
  DormandPrinceOptions o;
  o.initial_step = 0.009;  // its stages lie at 1/5, 3/10, 4/5, 8/9 of the step
  DormandPrince stepper(o);
  State s = system.initial_state();
  Recorder recorder;
  const RunResult result = run(system, stepper, s, {.step = 1e-3, .end = 0.02}, recorder);
  CHECK(result.status == Status::ok);
  CHECK(recorder.states.size() == 21);
  CHECK(result.unfinished == 1);
  CHECK(result.unfinished_remark.quantity.find("t = 0.005000 s") != std::string::npos);

  const CoordinateSystem<Gap> sound({1.0, 2.0}, {{1.0, 0.0}});
  State other = sound.initial_state();
  CHECK(run(sound, stepper, other, {.step = 1e-3, .end = 0.02}, recorder).unfinished == 0);
}

}  // namespace state_between_tests
