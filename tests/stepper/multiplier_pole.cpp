// Poles of multipliers: a step over rows that become dependent is recognised, and nothing else is.
#include <catena/stepper/guards/detail/multiplier_pole.hpp>
#include <catena/system/coordinate_system.hpp>

#include <doctest/doctest.h>

#include <cmath>

using namespace catena;
using namespace catena::detail;

namespace {

// A mass point that two rows hold along nearly the same direction: (1, 0) and (1, x).
struct TwoRows {
  static constexpr int coordinates = 2;
  static constexpr const char* name = "point";
  static constexpr std::array<const char*, 2> velocity_row_names{"first", "second"};
  template <class S>
  Mat<S, 2, 2> mass(const Vec<S, 2>&) const {
    return Mat<S, 2, 2>::Identity();
  }
  template <class S>
  Vec<S, 2> force(const Vec<S, 2>&, const Vec<S, 2>&, const S&) const {
    return {{S(0.0), S(1.0)}};
  }
  template <class S>
  Mat<S, 2, 2> velocity_rows(const Vec<S, 2>& q, const S&) const {
    return {{S(1.0), S(0.0), S(1.0), q[0]}};
  }
};

// Ten points in a row, each held at its distance from the one before.
struct Chain {
  static constexpr int coordinates = 10;
  static constexpr const char* name = "chain";
  template <class S>
  Mat<S, 10, 10> mass(const Vec<S, 10>&) const {
    return Mat<S, 10, 10>::Identity();
  }
  template <class S>
  Vec<S, 10> force(const Vec<S, 10>&, const Vec<S, 10>&, const S&) const {
    return Vec<S, 10>::Zero();
  }
  static constexpr std::array<const char*, 10> velocity_row_names{"1", "2", "3", "4", "5",
                                                                  "6", "7", "8", "9", "10"};
  template <class S>
  Mat<S, 10, 10> velocity_rows(const Vec<S, 10>&, const S&) const {
    Mat<S, 10, 10> rows = Mat<S, 10, 10>::Identity();
    for (int i = 1; i < 10; ++i) rows(i, i - 1) = S(-1.0);
    return rows;
  }
};

// The point at x at the time t, held by multipliers.
struct Held {
  double t;
  std::vector<double> q, lambda;
  Point point() const {
    Point at;
    at.t = t;
    at.q = q.data();
    at.lambda = lambda.data();
    return at;
  }
};

// The force (0, 1) needs lambda = (-1/x, 1/x): a pole at x = 0, which is passed at t = 0.013.
Held at_time(double t) {
  const double x = t - 0.013;
  return {t, {x, 0.0}, {-1.0 / x, 1.0 / x}};
}

struct Watch : MultiplierPole {
  double work[4] = {}, way[2] = {}, part[2] = {}, q[2] = {};
  StepperStatistics statistics;
  CoordinateSystem<TwoRows> system{TwoRows{}};
  KktSolver kkt;
  Watch() {
    attach(system, 2, statistics);
    REQUIRE(kkt.attach(system, {}).empty());
  }
  Outcome assess(Outcome outcome, const State& state, const Point& next, const double* lambda_before) {
    GuardWorkspace workspace{work, way, part, q, kkt, {}, statistics};
    workspace.weights.mass = 1.0;
    return MultiplierPole::assess(std::move(outcome), state, next, lambda_before, workspace);
  }
  bool crossed(const Held& a, const Held& b) { return MultiplierPole::crossed(a.point(), b.point(), work); }
};

}  // namespace

TEST_CASE("a step over the pole is recognised, with its constraints and its time") {
  Watch watch;
  for (const double h : {0.1, 0.01, 0.001}) {
    const double from = 0.013 - 0.3 * h;
    REQUIRE(watch.crossed(at_time(from), at_time(from + h)));
    CHECK(watch.culprit().name == "\"first\" of \"point\", \"second\" of \"point\"");
    CHECK(watch.culprit().quantity.find("t = 0.013 s") != std::string::npos);  // 1/lambda is linear here
  }
}

TEST_CASE("steps on one side of the pole are none") {
  Watch watch;
  for (const double h : {0.1, 0.01, 0.001}) {
    CHECK(!watch.crossed(at_time(0.013 - 1.1 * h), at_time(0.013 - 0.1 * h)));
    CHECK(!watch.crossed(at_time(0.013 + 0.1 * h), at_time(0.013 + 1.1 * h)));
  }
}

TEST_CASE("multipliers that pass through zero cross no pole") {
  Watch watch;
  // Rows far from dependent, whatever the multipliers do:
  Held a{0.0, {2.0, 0.0}, {-1.0, 1.0}}, b{0.01, {2.0, 0.0}, {1.0, -1.0}};
  CHECK(!watch.crossed(a, b));
  // Nearly dependent rows, forces that do not cancel:
  a = {0.0, {0.01, 0.0}, {1.0, 1.0}};
  b = {0.01, {0.01, 0.0}, {-1.0, -1.0}};
  CHECK(!watch.crossed(a, b));
}

TEST_CASE("forces that cancel along a chain and change their sign are suspected, and let go") {
  CoordinateSystem<Chain> system{Chain{}};
  MultiplierPole watch;
  StepperStatistics statistics;
  watch.attach(system, 2, statistics);
  KktSolver kkt;
  REQUIRE(kkt.attach(system, {}).empty());
  State state;
  state.q.assign(10, 0.0);
  state.lambda = {10, 9, 8, 7, 6, 5, 4, 3, 2, 1};
  std::vector<double> q(10, 0.01), next_lambda, before, work(20), way(10), part(10), there(10);
  for (const double x : state.lambda) {
    next_lambda.push_back(-x);
    before.push_back(0.4 * x);
  }
  Point now, next;
  now.q = state.q.data();
  now.lambda = state.lambda.data();
  next.t = 0.01;
  next.q = q.data();
  next.lambda = next_lambda.data();
  REQUIRE(watch.crossed(now, next, work.data()));
  GuardWorkspace workspace{work.data(), way.data(), part.data(), there.data(), kkt, {}, statistics};
  workspace.weights.mass = 1.0;
  CHECK(watch.assess({}, state, next, before.data(), workspace).status == Status::ok);
  CHECK(workspace.matrix_used);
  CHECK(statistics.factorizations == 17 + 3);  // counted, as all that a step does
}

TEST_CASE("nearly dependent rows whose load changes its sign are let go: a shallow truss") {
  Watch watch;
  State state;
  state.q = {0.01, 0.0};
  state.lambda = {-100.0, 100.0};
  const Held next{0.01, {0.01, 0.0}, {100.0, -100.0}};
  const double before[] = {-40.0, 40.0};
  Point now;
  now.q = state.q.data();
  now.lambda = state.lambda.data();
  REQUIRE(watch.MultiplierPole::crossed(now, next.point(), watch.work));
  CHECK(watch.assess({}, state, next.point(), before).status == Status::ok);
}

TEST_CASE("multipliers that are roundoff cross no pole") {
  Watch watch;
  // 1 kg that moves by 1 m within 0.01 s needs 1e4 N: 1e-8 N are noise.
  const Held a{0.0, {-1e-3, 0.0}, {1e-8, -1e-8}}, b{0.01, {1e-3, 0.0}, {-1e-8, 1e-8}};
  CHECK(!watch.crossed(a, b));
}

TEST_CASE(
    "what is reported of a failed attempt: crossing, names of all rows, Newton's failure beside a pole") {
  Watch watch;
  const Held before = at_time(0.0), now = at_time(0.01), next = at_time(0.02);
  const double* lambda_before = before.lambda.data();
  State state;
  state.t = now.t;
  state.q = now.q;
  state.v = {1.0, 0.0};
  state.lambda = now.lambda;
  Outcome outcome = watch.assess({}, state, next.point(), lambda_before);
  CHECK(outcome.status == Status::singular_kkt);
  CHECK(outcome.culprit.name.find("second") != std::string::npos);

  outcome = {};
  outcome.status = Status::singular_kkt;
  outcome.culprit = {"\"second\" of \"point\"", "pivot", 1e-12};
  outcome = watch.assess(outcome, state, next.point(), lambda_before);
  CHECK(outcome.culprit.name == "\"first\" of \"point\", \"second\" of \"point\"");
  CHECK(outcome.culprit.quantity == "pivot");

  const auto status_after_failure = [&](Status failure, const double* multipliers_before) {
    Outcome failed;
    failed.status = failure;
    return watch.assess(failed, state, next.point(), multipliers_before).status;
  };
  // x = -3e-3: forces cancel to that
  CHECK(status_after_failure(Status::newton_not_converged, lambda_before) == Status::singular_kkt);
  // Multipliers that do not grow, on the way to the pole and away from it.
  CHECK(status_after_failure(Status::newton_not_converged, now.lambda.data()) == Status::singular_kkt);
  state.v = {-1.0, 0.0};
  CHECK(status_after_failure(Status::newton_not_converged, now.lambda.data()) ==
        Status::newton_not_converged);
  CHECK(status_after_failure(Status::not_finite, lambda_before) == Status::not_finite);
  state.q[0] = -0.3;  // far from a pole Newton's failure stays what it is
  state.lambda = {1.0 / 0.3, -1.0 / 0.3};
  const std::vector<double> smaller{1.0, -1.0};
  CHECK(status_after_failure(Status::newton_not_converged, smaller.data()) == Status::newton_not_converged);
}
