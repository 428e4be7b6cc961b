// The guards of explicit steppers: on, report and off.
#include <catena/driver/run.hpp>
#include <catena/system/coordinate_system.hpp>

#include "solvers/dormand_prince_support.hpp"

#include <algorithm>
#include <string>

namespace dormand_prince_guards_tests {

using namespace catena_test::explicit_rk;

namespace {

// x'' = -1e8 x - 2e4 x': nothing but a stiff mode.
struct StiffMode {
  static constexpr int coordinates = 1;
  static constexpr const char* name = "mode";
  template <class S>
  Mat<S, 1, 1> mass(const Vec<S, 1>&) const {
    return {{S(1.0)}};
  }
  template <class S>
  Vec<S, 1> force(const Vec<S, 1>& q, const Vec<S, 1>& v, const S&) const {
    return {{S(-1e8) * q[0] - S(2e4) * v[0]}};
  }
};

struct Guarded {
  RunResult result;
  StepperStatistics statistics;
  long count(const std::string& name) const {  // -1: the guard is off
    for (const GuardCount& g : statistics.guards)
      if (g.name == name) return g.count;
    return -1;
  }
};

Guarded drive(const DormandPrinceOptions& options) {
  const CoordinateSystem<Road> system{Road{0.5}};
  DormandPrince stepper(options);
  State state = system.initial_state();
  state.v = {1.0, 0.0};
  return {run(system, stepper, state, {.step = 1e-2, .end = 2.0}), stepper.statistics()};
}

Guarded swing(const DormandPrinceOptions& options) {
  const CoordinateSystem<StiffMode> system(StiffMode{}, Vec<double, 1>{{0.0}}, Vec<double, 1>{{1.0}});
  DormandPrince stepper(options);
  State state = system.initial_state();
  return {run(system, stepper, state, {.step = 1.0, .end = 1.0}), stepper.statistics()};
}

}  // namespace

TEST_CASE("rows that jump: on ends the run, report takes the steps and counts them, off does not look") {
  for (DormandPrinceOptions options : {fixed_step(), tolerance(1e-6)}) {
    const Guarded on = drive(options);
    CHECK(on.result.status == Status::step_too_small);
    CHECK(on.count("guard_jumping_rows") > 0);
    options.guards[jumping_rows_guard] = GuardChoice::report;
    const Guarded report = drive(options);
    CHECK(report.result.status == Status::ok);
    CHECK(report.count("guard_jumping_rows") == 1);  // the step over x = 1
    const auto& remarks = report.result.remarks;
    CHECK(std::any_of(remarks.begin(), remarks.end(), [](const Remark& remark) {
      const std::string& r = remark.text;
      return r.find("guard_jumping_rows = report: would have refused 1 step") == 0;
    }));
    options.guards[jumping_rows_guard] = GuardChoice::off;
    const Guarded off = drive(options);
    CHECK(off.result.status == Status::ok);
    CHECK(off.count("guard_jumping_rows") == -1);
    CHECK(off.result.steps == report.result.steps);
  }
}

TEST_CASE(
    "stability: on ends the run, report and off take its steps; stiffness_check = false is off as well") {
  DormandPrinceOptions options = tolerance(1e-4);
  const Guarded on = swing(options);
  CHECK(on.result.status == Status::unstable);
  CHECK(on.count("guard_stability") == 1);
  CHECK(on.statistics.rejected_steps == on.statistics.rejected_by_error + 1);
  options.guards.guards = GuardMode::report;
  const Guarded report = swing(options);
  CHECK(report.result.status == Status::ok);
  CHECK(report.count("guard_stability") > 0);
  options.guards.guards = GuardMode::on;
  options.guards[stability_guard] = GuardChoice::off;
  const Guarded off = swing(options);
  CHECK(off.result.status == Status::ok);
  CHECK(off.count("guard_stability") == -1);
  CHECK(off.count("guard_pole") == 0);
  CHECK(off.result.steps == report.result.steps);
  options.guards[stability_guard] = GuardChoice::as_all;
  options.stiffness_check = false;
  CHECK(swing(options).count("guard_stability") == -1);
}

}  // namespace dormand_prince_guards_tests
