// ida follows its tolerances, and converges to the digits that are known.
#include <catena/problems/heavy_top.hpp>
#include <catena/problems/rod_chain.hpp>
#include <catena/problems/simple_pendulum.hpp>
#include <catena/problems/snakeboard.hpp>

#include "solvers/ida_support.hpp"

namespace ida_accuracy_tests {

using namespace catena::detail;

using namespace catena_test::ida;

namespace {

// The global error is the sum of local errors, each below the tolerance, stretched by the motion: it falls about
// like rtol. Over six decades it must fall by four at least, whatever the luck of single runs.
template <class Error>
void check_falls_with_tolerance(const Error& error, double at_most) {
  for (const Form form : all_forms) {
    CAPTURE(static_cast<int>(form));
    const double coarse = error(with(form, 1e-4, 1e-6)), fine = error(with(form, 1e-7, 1e-9)),
                 finest = error(with(form, 1e-10, 1e-11));
    CHECK(fine < 0.1 * coarse);
    CHECK(finest < 0.1 * fine);
    CHECK(finest < 1e-4 * coarse);
    CHECK(finest < at_most);
  }
}

}  // namespace

TEST_CASE("heavy top, t = 0.1: the error of position and quaternion falls with the tolerance") {
  const HeavyTop problem;
  const QuaternionSystem system(problem.model());
  check_falls_with_tolerance(
      [&](const Options& options) {
        Run run(system, options);
        run.until(0.1);
        return reference_error(problem, system, run.state);
      },
      3e-7);  // measured 1e-9 to 5e-8 for local errors of 1e-10
}

TEST_CASE("simple pendulum, t = 1: the error of position and velocity falls with the tolerance") {
  const SimplePendulum problem;
  const QuaternionSystem system(problem.model());
  check_falls_with_tolerance(
      [&](const Options& options) {
        Run run(system, options);
        run.until(1.0);
        return reference_error(problem, system, run.state);
      },
      1e-7);
}

TEST_CASE("snakeboard, t = 0.5: the errors of q, v and lambda fall with the tolerance") {
  const Snakeboard problem;
  const auto system = problem.own_system();
  const auto references = problem.references();
  Run exact(*system, with(Form::index1, 1e-13, 1e-14));
  exact.until(0.5);
  CHECK(distance(exact.state.q, references[0].value) < 1e-10);
  CHECK(distance(exact.state.v, references[1].value) < 1e-9);
  check_falls_with_tolerance(
      [&](const Options& options) {
        Run run(*system, options);
        run.until(0.5);
        // lambda is of the size 1e2 to 1e3: relative to it
        return distance(run.state.q, exact.state.q) + distance(run.state.v, exact.state.v) +
               distance(run.state.lambda, exact.state.lambda) / largest(exact.state.lambda);
      },
      3e-7);
}

TEST_CASE("chain of ten rods, t = 1: the tip agrees with the reference in all forms") {
  RodChainParameters parameters;
  parameters.joint = ChainJoint::spherical;
  const RodChain problem(parameters);
  const QuaternionSystem system(problem.model());
  for (const Form form : all_forms) {
    CAPTURE(static_cast<int>(form));
    Run run(system, with(form, 1e-7, 1e-7));
    run.until(1.0);
    CHECK(reference_error(problem, system, run.state) < 1e-4);
  }
}

TEST_CASE("a tolerance of its own for each kind of unknown takes effect") {
  const SimplePendulum problem;
  const QuaternionSystem system(problem.model());
  const auto steps = [&](const Options& options) {
    Run run(system, options);
    run.until(1.0);
    return run.stepper.statistics().steps;
  };
  const Options coarse = with(Form::index1, 1e-4, 1e-4);
  const long plain = steps(coarse);
  Options q = coarse, v = coarse, lambda = coarse;
  q.rtol_q = q.atol_q = 1e-9;
  v.rtol_v = v.atol_v = 1e-9;
  lambda.rtol_lambda = lambda.atol_lambda = 1e-9;
  CHECK(steps(q) > 2 * plain);
  CHECK(steps(v) > 2 * plain);
  CHECK(steps(lambda) == plain);  // not looked at
  lambda.control_lambda = true;
  CHECK(steps(lambda) > 2 * plain);
}

TEST_CASE("the order rises to five, and no further than asked for") {
  const QuaternionSystem system(SimplePendulum().model());
  for (const int order : {1, 2, 5}) {
    Options options = with(Form::gear_gupta_leimkuhler, 1e-5, 1e-7);
    options.max_order = order;
    Run run(system, options);
    int highest = 0;
    while (run.state.t < 0.2) {
      run.until(std::min(0.2, run.state.t + run.h));
      highest = std::max(highest, run.stepper.last_order());
    }
    CHECK(highest <= order);
    CHECK(highest >= std::min(order, 4));
  }
}

}  // namespace ida_accuracy_tests
