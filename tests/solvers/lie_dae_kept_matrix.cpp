// jacobian = when_slow: a run that another stepper object resumes has the bits and the counts of a run without a break,
// also where forces depend on discrete values that change while the matrix is kept.
#include <catena/solvers/generalized_alpha.hpp>
#include <catena/solvers/lie_dae.hpp>
#include <catena/system/coordinate_system.hpp>

#include <doctest/doctest.h>

#include <memory>
#include <utility>

namespace lie_dae_kept_matrix_tests {

namespace {

using namespace catena;
using namespace catena::detail;

// A point on the circle x^2 + y^2 = 1 before a spring that grows stiffer: discrete[0] newtons per metre.
struct Sprung {
  static constexpr int coordinates = 2;
  static constexpr const char* name = "sprung";
  template <class S>
  Mat<S, 2, 2> mass(const Vec<S, 2>&) const {
    return {{S(1.0), S(0.0), S(0.0), S(1.0)}};
  }
  template <class S>
  Vec<S, 2> force(const Vec<S, 2>& q, const Vec<S, 2>&, const S&, const double* discrete) const {
    return {{S(1.0) - S(discrete == nullptr ? 0.0 : discrete[0]) * q[0], S(-9.81)}};
  }
  template <class S>
  Vec<S, 1> gap(const Vec<S, 2>& q, const S&) const {
    return {{0.5 * (q[0] * q[0] + q[1] * q[1] - 1.0)}};
  }
};

struct Counts {
  long iterations = 0, evaluations = 0, factorizations = 0, solves = 0;
  void add(const StepperStatistics& s) {
    iterations += s.newton_iterations;
    evaluations += s.evaluations;
    factorizations += s.factorizations;
    solves += s.solves;
  }
  bool operator==(const Counts&) const = default;
};

// 30 steps, with a new stepper object behind the step `pause`; -1: with one object. As a controller does, the
// discrete values change between the steps; the first is that of a force, the second of a controller's own.
template <class S, class Options>
std::pair<State, Counts> run(const Options& options, int pause) {
  const CoordinateSystem<Sprung> system({}, {{0.6, -0.8}}, {{0.0, 0.0}});
  auto stepper = std::make_unique<S>(options);
  REQUIRE(stepper->attach(system).status == Status::ok);
  State s = system.initial_state();
  s.discrete = {3.0, 0.0};
  REQUIRE(stepper->start(s, 1e-2).status == Status::ok);
  Counts counts;
  for (int k = 0; k < 30; ++k) {
    REQUIRE(stepper->step(s, 1e-2).status == Status::ok);
    s.discrete[0] += 0.1;
    s.discrete[1] += 1.0;
    if (k != pause) continue;
    counts.add(stepper->statistics());
    stepper = std::make_unique<S>(options);
    REQUIRE(stepper->attach(system).status == Status::ok);
  }
  counts.add(stepper->statistics());
  return {s, counts};
}

template <class S, class Options>
void check_resumed(const Options& options) {
  const auto [whole, counted] = run<S>(options, -1);
  Options other = options;
  other.engine.jacobian = JacobianUpdate::every_step;
  CHECK(counted.factorizations < run<S>(other, -1).second.factorizations);  // the matrix is kept
  for (const int pause : {0, 3, 4, 5, 12, 28}) {
    CAPTURE(pause);
    const auto [resumed, counts] = run<S>(options, pause);
    CHECK(resumed.q == whole.q);
    CHECK(resumed.v == whole.v);
    CHECK(resumed.a == whole.a);
    CHECK(resumed.lambda == whole.lambda);
    CHECK(resumed.memory == whole.memory);
    CHECK(counts == counted);
  }
}

}  // namespace

TEST_CASE("a kept matrix is made again with the discrete values of its instant, and counts nothing") {
  for (const auto index : {GeneralizedAlphaOptions::Index::three, GeneralizedAlphaOptions::Index::two}) {
    GeneralizedAlphaOptions o{.index = index};
    o.engine.jacobian = JacobianUpdate::when_slow;
    check_resumed<GeneralizedAlpha>(o);
  }
  using Index = LieDaeOptions::Index;
  for (const auto index : {Index::three, Index::two, Index::one, Index::stabilized})
    for (const auto newton : {LieDaeOptions::Newton::automatic, LieDaeOptions::Newton::exact}) {
      CAPTURE(static_cast<int>(index));
      LieDaeOptions o{.index = index, .newton = newton};
      o.engine.jacobian = JacobianUpdate::when_slow;
      check_resumed<LieDae>(o);
    }
}

}  // namespace lie_dae_kept_matrix_tests
