// The guard of stability by itself: which steps it counts.
#include <catena/assembly/multibody_system.hpp>
#include <catena/stepper/explicit/parts/explicit_options.hpp>
#include <catena/stepper/guards/parts/guard.hpp>

#include <doctest/doctest.h>

#include <memory>
#include <vector>

using namespace catena;

namespace {

Model one_body() {
  Model model;
  model.add(Body{.name = "ball", .mass = 1.0, .inertia = diagonal(Vec3{{1.0, 1.0, 1.0}})});
  return model;
}

// Attempts of size 1 whose last stage is 1 away from the end, with an eigenvalue that is given.
class Attempts {
 public:
  Attempts() : system_(one_body()), state_(system_.initial_state()), guard_(stability_guard.make()) {
    REQUIRE(kkt_.attach(system_, {}).empty());
    guard_->attach({system_, statistics_}, memory_);
    memory_.begin(state_);
    last_[0] = 1.0;
  }

  Status take(double eigenvalue) {
    rate_last_[0] = eigenvalue;
    const ExplicitStages stages{system_, false, none_, none_,      none_, none_, 1.0,
                                none_,   last_, none_, rate_last_, none_, none_, boundary};
    StepAttempt attempt{system_, state_, point_of(state_), 1.0, true, false, nullptr, false, 1e-10};
    attempt.stages = &stages;
    GuardWorkspace workspace{nullptr, nullptr, nullptr, nullptr, kkt_, {}, statistics_};
    const Outcome outcome = guard_->assess({}, attempt, workspace);
    if (outcome.status == Status::ok) guard_->accept(state_);
    if (outcome.status != Status::ok) CHECK(outcome.culprit.value == eigenvalue);
    return outcome.status;
  }
  int until_refused(int most, double eigenvalue) {
    for (int k = 1; k <= most; ++k)
      if (take(eigenvalue) != Status::ok) return k;
    return 0;
  }

  static constexpr double boundary = 3.3;

 private:
  MultibodySystem system_;
  State state_;
  KktSolver kkt_;
  StepperStatistics statistics_;
  StepMemory memory_;
  std::unique_ptr<StepGuard> guard_;
  std::vector<double> none_ = std::vector<double>(6), last_ = none_, rate_last_ = none_;
};

constexpr double limited = 1.01 * Attempts::boundary, good = 0.99 * Attempts::boundary;

}  // namespace

TEST_CASE(
    "the guard of stability looks in every thousandth step, and ends a run at the fifteenth limited one") {
  Attempts attempts;
  CHECK(attempts.until_refused(1500, limited) == 1000 + 14);
}

TEST_CASE("good steps part limited ones where six of them follow each other") {
  for (const int parting : {1, 5, 6}) {
    CAPTURE(parting);
    Attempts attempts;
    CHECK(attempts.until_refused(1000 + 13, limited) == 0);  // fourteen of them are seen
    CHECK(attempts.until_refused(parting, good) == 0);
    CHECK(attempts.until_refused(1, limited) == (parting < 6 ? 1 : 0));
  }
}

TEST_CASE("a step at the boundary of stability is good") {
  Attempts attempts;
  CHECK(attempts.until_refused(3000, Attempts::boundary) == 0);
}
