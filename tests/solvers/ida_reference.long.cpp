// Runs of ida over the whole span of the references.
#include <catena/problems/heavy_top.hpp>
#include <catena/problems/simple_pendulum.hpp>

#include "solvers/ida_support.hpp"

namespace ida_reference_long_tests {

using namespace catena_test::ida;

TEST_CASE("heavy top, 1 s at 1e-11: the reference digits within the stretched tolerance, in all forms") {
  const HeavyTop problem;
  const QuaternionSystem system(problem.model());
  for (const Form form : all_forms) {
    CAPTURE(static_cast<int>(form));
    Run run(system, with(form, 1e-11, 1e-12));
    run.until(1.0);
    // 24 turns multiply local errors of 1e-11 by 1e3 to 1e5: measured 9e-9 to 8e-7.
    CHECK(reference_error(problem, system, run.state) < 5e-6);
  }
}

TEST_CASE(
    "simple pendulum, 10 s at 1e-12: the reference digits within the stretched tolerance, in all forms") {
  const SimplePendulum problem;
  const QuaternionSystem system(problem.model());
  for (const Form form : all_forms) {
    CAPTURE(static_cast<int>(form));
    Run run(system, with(form, 1e-12, 1e-13));
    run.until(10.0);
    CHECK(reference_error(problem, system, run.state) < 1e-7);  // measured 7e-10 to 1.5e-8
    // The acceptance of the benchmark library.
    CHECK(std::abs(system.energy(point_of(run.state)).total()) < 5e-5);
  }
}

}  // namespace ida_reference_long_tests
