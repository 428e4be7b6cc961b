// Tolerances of lengths, angles, velocities and multipliers: what each of them means, and that it is kept.
#include <catena/assembly/multibody_system.hpp>
#include <catena/problems/four_bar.hpp>
#include <catena/problems/heavy_top.hpp>
#include <catena/problems/helix_chain.hpp>
#include <catena/problems/n_four_bar.hpp>
#include <catena/problems/rod_chain.hpp>
#include <catena/problems/snakeboard.hpp>
#include <catena/solvers/alpha_rattle.hpp>
#include <catena/solvers/dop853.hpp>
#include <catena/solvers/dormand_prince.hpp>
#include <catena/solvers/generalized_alpha.hpp>
#include <catena/solvers/lie_bdf.hpp>
#include <catena/solvers/lie_dae.hpp>
#include <catena/solvers/radau.hpp>

#include "solvers/projected_steps.hpp"
#include "support/pushed.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

using namespace catena;
using namespace catena_test::projected;

namespace kind_tolerances_tests {
namespace {

// Powers of two, whose products with sizes are exact.
constexpr double loose = 0x1p-14, tight = 0x1p-30;

// One body of the helix has the characteristic length of all of them.
double length_of(const System& system) { return system.layout().scale[0]; }

// Tolerances of an explicit stepper, of radau and of lie_bdf.
template <class Options>
Options by_sizes(double tolerance) {
  Options o;
  o.rtol_position = o.atol_position = tolerance;
  o.rtol_velocity = 0.0;
  o.atol_velocity = tolerance;
  return o;
}

// The same in SI units: those of positions are the sum of both.
template <class Options>
Options by_kinds(double lengths, double angles, double velocities, double rates, double size) {
  Options o = by_sizes<Options>(1.0);
  o.kinds.atol_length = 2.0 * lengths * size;
  o.kinds.atol_angle = 2.0 * angles;
  o.kinds.atol_linear_velocity = velocities * size;
  o.kinds.atol_angular_velocity = rates;
  return o;
}

template <class Method, class Options>
void check_kinds() {
  const MultibodySystem helix(HelixChain({.n = 3}).model());
  const double size = length_of(helix), end = 0.3;
  StepperStatistics counts;
  const auto steps = [&](const Options& options) {
    StepperStatistics of_run;
    run_to<Method>(helix, options, end, &of_run);
    return of_run.steps;
  };
  const State by_size = run_to<Method>(helix, by_sizes<Options>(loose), end, &counts);
  const State by_kind = run_to<Method>(helix, by_kinds<Options>(loose, loose, loose, loose, size), end);
  CHECK(by_size.q == by_kind.q);  // to the bit
  CHECK(by_size.memory == by_kind.memory);
  // Each of them alone makes the steps shorter.
  for (int kind = 0; kind < 4; ++kind) {
    CAPTURE(kind);
    double of[4] = {loose, loose, loose, loose};
    of[kind] = tight;
    CHECK(steps(by_kinds<Options>(of[0], of[1], of[2], of[3], size)) >
          1.5 * static_cast<double>(counts.steps));
  }
}

// The reaction on the heavy top at the end, and the largest one.
double error_of_multipliers(const State& state, const State& exact) {
  double largest = 0.0;
  for (const double lambda : exact.lambda) largest = std::max(largest, std::abs(lambda));
  return largest_difference(state.lambda, exact.lambda) / largest;
}

template <class Method, class Options>
void check_multipliers(Options options, const System& system, double end, double tolerance, double most) {
  Dop853Options finest;
  finest.rtol_position = finest.atol_position = finest.rtol_velocity = finest.atol_velocity = 1e-13;
  const State exact = run_to<Dop853>(system, finest, end);
  const double without = error_of_multipliers(run_to<Method>(system, options, end), exact);
  KindTolerances* kinds = nullptr;
  if constexpr (requires { options.engine; })
    kinds = &options.engine.kinds;
  else
    kinds = &options.kinds;
  kinds->control_lambda = true;
  kinds->rtol_lambda = tolerance;
  const double with = error_of_multipliers(run_to<Method>(system, options, end), exact);
  CAPTURE(without);
  CAPTURE(with);
  CHECK(without > most * tolerance);
  CHECK(with <= most * tolerance);
}

}  // namespace
}  // namespace kind_tolerances_tests
using namespace kind_tolerances_tests;

TEST_CASE("tolerances in SI units are those in characteristic sizes, kind by kind") {
  check_kinds<DormandPrince, ExplicitOptions>();
  check_kinds<Dop853, ExplicitOptions>();
  check_kinds<Radau, RadauOptions>();
  check_kinds<LieBdf, LieBdfOptions>();
}

TEST_CASE(
    "tolerances of lengths and angles of generalized_alpha and alpha_rattle are those in characteristic "
    "sizes") {
  const MultibodySystem helix(HelixChain({.n = 3}).model());
  const double size = length_of(helix), end = 0.3;
  const auto check = [&](auto run) {
    const auto [by_size, steps] = run(loose, KindTolerances{});
    const auto [by_kind, same] = run(1.0, KindTolerances{.atol_length = loose * size, .atol_angle = loose});
    CHECK(by_size.q == by_kind.q);
    CHECK(steps == same);
    const auto [at_lengths, of_lengths] = run(loose, KindTolerances{.atol_length = 0.01 * loose * size});
    const auto [at_angles, of_angles] = run(loose, KindTolerances{.atol_angle = 0.01 * loose});
    CHECK(of_lengths > 1.5 * static_cast<double>(steps));
    CHECK(of_angles > 1.5 * static_cast<double>(steps));
  };
  check([&](double tolerance, const KindTolerances& kinds) {
    GeneralizedAlphaOptions o;
    o.engine.tolerance = tolerance;
    o.engine.kinds = kinds;
    StepperStatistics counts;
    State end_state = run_to<GeneralizedAlpha>(helix, o, end, &counts);
    return std::pair{end_state, counts.steps};
  });
  check([&](double tolerance, const KindTolerances& kinds) {
    AlphaRattleOptions o;
    o.tolerance = tolerance;
    o.kinds = kinds;
    StepperStatistics counts;
    State end_state = run_to<AlphaRattle>(helix, o, end, &counts);
    return std::pair{end_state, counts.steps};
  });
}

TEST_CASE("with control_lambda multipliers are as accurate as their tolerance of a step asks") {
  const MultibodySystem top(HeavyTop().model());
  constexpr double most = 30.0;  // errors of steps add up, and this motion makes them tenfold
  const auto loose_tolerance = [](auto options) {
    options.rtol_position = options.atol_position = options.rtol_velocity = options.atol_velocity = 1e-3;
    return options;
  };
  check_multipliers<Radau>(loose_tolerance(RadauOptions()), top, 0.2, 1e-7, most);
  check_multipliers<Dop853>(loose_tolerance(ExplicitOptions()), top, 0.2, 1e-7, most);
  check_multipliers<DormandPrince>(loose_tolerance(ExplicitOptions()), top, 0.2, 1e-7, most);
  // Those of a thousand short steps add up: 7.2e-4 without, 8.8e-5 with this.
  check_multipliers<LieBdf>(loose_tolerance(LieBdfOptions()), top, 0.2, 1e-7, 1000.0);
  GeneralizedAlphaOptions alpha;
  alpha.engine.tolerance = 1e-2;
  check_multipliers<GeneralizedAlpha>(alpha, top, 0.2, 1e-4, most);
}

TEST_CASE("tolerances of kinds are refused where a system does not say which of its coordinates are angles") {
  const CoordinateSystem<catena_test::Pushed> point(catena_test::Pushed{}, {{1.0, 0.0}});
  const auto refusal = [&](const KindTolerances& kinds) {
    ExplicitOptions o;
    o.kinds = kinds;
    DormandPrince stepper(o);
    const Outcome outcome = stepper.attach(point);
    CHECK(outcome.status == Status::unsupported);
    return outcome.culprit.name;
  };
  CHECK(refusal({.atol_length = 1e-6}) ==
        "this system does not say which of its coordinates are lengths and which are angles: take tolerances "
        "in "
        "characteristic sizes in place of atol_length and atol_angle");
  CHECK(refusal({.atol_angular_velocity = 1e-6})
            .ends_with("in place of atol_linear_velocity and atol_angular_velocity"));
  // One that says it takes them.
  const auto board = Snakeboard().own_system();
  ExplicitOptions o;
  o.kinds = {.atol_length = 1e-6, .atol_angle = 1e-6};
  CHECK(DormandPrince(o).attach(*board).status == Status::ok);
}

TEST_CASE("both tolerances of a kind of positions are enough without others, one alone is not") {
  const MultibodySystem top(HeavyTop().model());
  ExplicitOptions o;
  o.rtol_position = o.atol_position = 0.0;
  o.kinds.atol_length = 1e-6;
  CHECK(DormandPrince(o).refuses(top).find("no step is small enough") != std::string::npos);
  o.kinds.atol_angle = 1e-6;
  CHECK(DormandPrince(o).refuses(top).empty());
  o.kinds.control_lambda = true;
  CHECK(DormandPrince(o).refuses(top).find("rtol_lambda = atol_lambda = rtol_position = 0") !=
        std::string::npos);
  o.kinds.atol_lambda = 1.0;
  CHECK(DormandPrince(o).refuses(top).empty());
}

TEST_CASE("multipliers of redundant rows have no errors by which steps could be chosen") {
  const MultibodySystem loop(FourBar().model());  // planar, on hinges
  const auto refusal = [&](Stepper&& stepper) {
    State state = loop.initial_state();
    const RunResult result = run(loop, stepper, state, {.step = 1e-3, .end = 0.1, .verdict = false});
    CHECK(result.status == Status::unsupported);
    return to_text(result);
  };
  GeneralizedAlphaOptions alpha;
  alpha.engine.tolerance = 1e-3;
  alpha.engine.kinds.control_lambda = true;
  CHECK(refusal(GeneralizedAlpha(alpha)) ==
        "unsupported at t = 0 s: multipliers of redundant rows are not unique, and have no errors that "
        "control_lambda "
        "could see: leave it out");
  RadauOptions radau;
  radau.kinds.control_lambda = true;
  CHECK(refusal(Radau(radau))
            .starts_with("unsupported at t = 0 s: rows depend on each other, or nearly, from the start"));
  // At acceleration level multipliers belong to positions that have drifted.
  LieDaeOptions drifting;
  drifting.index = LieDaeOptions::Index::one;
  drifting.engine.tolerance = 1e-3;
  drifting.engine.kinds.control_lambda = true;
  const MultibodySystem top(HeavyTop().model());
  LieDae stepper(drifting);
  State state = top.initial_state();
  CHECK(run(top, stepper, state, {.step = 1e-3, .end = 0.1, .verdict = false})
            .culprit.name.find("acceleration level") != std::string::npos);
}

// What thresholds say of rows that depend on others holds whatever the length of the segments that a chain is eliminated by.
TEST_CASE("multipliers choose the steps of straight chains of hinges, short and long") {
  for (const int n : {20, 90, 600, 1100}) {
    CAPTURE(n);
    const MultibodySystem chain(RodChain({.n = n}).model());
    ExplicitOptions o;
    o.rtol_position = o.atol_position = o.rtol_velocity = o.atol_velocity = 1e-6;
    o.kinds.control_lambda = true;
    DormandPrince stepper(o);
    State state = chain.initial_state();
    const RunResult result = run(chain, stepper, state, {.step = 1e-3, .end = 0.01, .verdict = false});
    CHECK(result.status == Status::ok);
    // One solution a stage: two are for rows that depend on others.
    CHECK(stepper.statistics().evaluations <= 10 * stepper.statistics().steps + 20);
  }
}

TEST_CASE("in flat positions multipliers choose no steps") {
  const MultibodySystem windows(NFourBar({.n = 2, .joints = WindowJoints::minimal}).model());
  ExplicitOptions o;
  o.rtol_position = o.atol_position = o.rtol_velocity = o.atol_velocity = 1e-10;
  const auto steps = [&] {
    StepperStatistics counts;
    run_to<DormandPrince>(windows, o, 2.0, &counts);
    return counts.steps;
  };
  const long without = steps();
  o.kinds.control_lambda = true;
  CHECK(steps() <= 3 * without);
}

TEST_CASE("a step that is too small for a multiplier names its joint") {
  const MultibodySystem top(HeavyTop().model());
  RadauOptions o;
  o.kinds.control_lambda = true;
  o.kinds.rtol_lambda = 1e-30;  // below roundoff, which is a floor
  run_to<Radau>(top, o, 0.01);
  GeneralizedAlphaOptions alpha;
  alpha.engine.tolerance = 1e-3;
  alpha.engine.kinds.control_lambda = true;
  alpha.engine.kinds.rtol_lambda = 1e-12;  // of steps so small that index 3 divides roundoff by h^2
  GeneralizedAlpha stepper(alpha);
  State state = top.initial_state();
  const RunResult result = run(top, stepper, state, {.step = 1e-3, .end = 0.1, .verdict = false});
  CHECK(result.status == Status::step_too_small);
  CHECK(result.culprit.name.find("fixed point") != std::string::npos);
  CHECK(result.culprit.quantity == "local error of a multiplier in tolerances");
}
