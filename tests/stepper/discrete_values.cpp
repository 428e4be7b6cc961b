// What Stepper::step() does of itself, whatever the method: discrete values follow the state, once a step.
#include <catena/stepper/stepper.hpp>
#include <catena/system/coordinate_system.hpp>

#include <doctest/doctest.h>

#include <string>

namespace {

using namespace catena;
using namespace catena::detail;

struct Free {
  static constexpr int coordinates = 1, discrete = 1;
  static constexpr const char* name = "free";
  template <class S>
  Mat<S, 1, 1> mass(const Vec<S, 1>&) const {
    return {{S(1.0)}};
  }
  template <class S>
  Vec<S, 1> force(const Vec<S, 1>&, const Vec<S, 1>&, const S&) const {
    return {{S(0.0)}};
  }
};

// Counts the ends of steps in its discrete value; every third one exchanges x by x + 100.
struct Counting : CoordinateSystem<Free> {
  Counting() : CoordinateSystem({}, {{0.0}}, {{1.0}}) {}
  bool update_discrete(State& s) const override {
    s.discrete[0] += 1.0;
    if (static_cast<int>(s.discrete[0]) % 3 != 0) return false;
    s.q[0] += 100.0;
    return true;
  }
};

// The shortest method there is. It knows nothing of discrete values.
struct Drift : Stepper {
  int starts = 0;
  Status of_restart = Status::ok;

  const Traits& traits() const override {
    static const Traits t;
    return t;
  }
  std::string refuses(const System&) const override { return {}; }
  void interpolate(double, double*, double*) const override {}

 protected:
  Outcome set_up(const System&) override { return {}; }
  Outcome begin(State&, double, bool) override {
    ++starts;
    return failure(of_restart, {"axle", "row", 0.5});
  }
  Outcome take_step(State& s, double h) override {
    if (h > 1.0) return failure(Status::newton_not_converged, {});
    s.q[0] += h * s.v[0];
    s.t += h;
    Outcome o;
    o.h_taken = o.h_next = h;
    return o;
  }
};

}  // namespace

TEST_CASE("a stepper that knows nothing of discrete values has them brought up to date once a step") {
  const Counting system;
  Drift stepper;
  REQUIRE(stepper.attach(system).status == Status::ok);
  State s = system.initial_state();
  for (int k = 0; k < 2; ++k) REQUIRE(stepper.step(s, 0.5).status == Status::ok);
  CHECK(s.discrete[0] == 2.0);
  CHECK(stepper.step(s, 2.0).status == Status::newton_not_converged);
  CHECK(s.discrete[0] == 2.0);  // the attempt failed
  CHECK(stepper.starts == 0);
  REQUIRE(stepper.step(s, 0.5).status == Status::ok);
  CHECK(s.discrete[0] == 3.0);
  CHECK(s.q[0] == 101.5);
  CHECK(stepper.starts ==
        1);  // restart() of the method: what it keeps of derivatives belongs to other coordinates
  CHECK(stepper.statistics().steps == 3);
}

TEST_CASE(
    "where a method cannot continue from exchanged coordinates, the whole step fails and the state is "
    "untouched") {
  const Counting system;
  Drift stepper;
  REQUIRE(stepper.attach(system).status == Status::ok);
  State s = system.initial_state();
  for (int k = 0; k < 2; ++k) REQUIRE(stepper.step(s, 0.5).status == Status::ok);
  stepper.of_restart = Status::singular_kkt;
  const Outcome outcome = stepper.step(s, 0.5);
  CHECK(outcome.status == Status::singular_kkt);
  CHECK(outcome.culprit.name == "axle");
  CHECK(outcome.h_taken == 0.0);
  CHECK(s.t == 1.0);
  CHECK(s.q[0] == 1.0);
  CHECK(s.discrete[0] == 2.0);
  CHECK(stepper.statistics().steps == 2);
  CHECK(stepper.statistics().rejected_steps == 1);
}
