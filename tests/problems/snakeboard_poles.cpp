// Every stepper that takes the snakeboard ends its run where the motion ends, at fine steps and at coarse ones.
#include <catena/driver/run.hpp>
#include <catena/problems/snakeboard.hpp>
#include <catena/solvers/catalog.hpp>
#include <catena/studies/option_texts.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace catena;

namespace {

constexpr double singular_at = 1.253688;  // [s] dormand_prince and ida at tight tolerances

struct Variant {
  std::string stepper;
  std::vector<OptionText> options;
};

std::unique_ptr<Stepper> made(const Variant& variant) {
  for (const StepperEntry& entry : builtin_steppers()) {
    if (entry.name != variant.stepper) continue;
    const std::unique_ptr<StepperSetup> setup = entry.setup();
    set_options([&](OptionVisitor& visitor) { setup->visit(visitor); }, variant.options, entry.name);
    return setup->make({}, {});
  }
  return nullptr;
}

RunResult run_of(const Variant& variant, double h, double end, State* last = nullptr) {
  const auto system = Snakeboard().own_system();
  const std::unique_ptr<Stepper> stepper = made(variant);
  State state = system->initial_state();
  const RunResult result = run(*system, *stepper, state, {.step = h, .end = end});
  if (last != nullptr) *last = state;
  return result;
}

// late: how late an error of order 2 may make the singularity of the discrete motion, in 1/s; one step is always
// granted.
void check_end(const Variant& variant, double h, double late = 0.0) {
  CAPTURE(variant.stepper);
  CAPTURE(to_text(variant.options));
  CAPTURE(h);
  const RunResult r = run_of(variant, h, 1.6);
  CHECK(r.status == Status::step_too_small);
  CHECK(std::abs(r.t_end - singular_at) <= std::max(h, late * h * h));
  CAPTURE(r.culprit.name);
  CHECK(r.culprit.name.find("\"back wheels\"") != std::string::npos);
  CHECK(r.culprit.name.find("\"front wheels\"") != std::string::npos);
  CAPTURE(r.culprit.quantity);
  CHECK(r.culprit.quantity.find("depende") != std::string::npos);
}

constexpr double steps[] = {1e-3, 5e-3, 1e-2, 2e-2, 5e-2};

}  // namespace

TEST_CASE("snakeboard: generalized_alpha ends within a step of the singularity and names both rows") {
  for (const char* rho : {"0", "0.42857142857142855", "0.8", "1"})
    for (const char* index : {"2", "3"})
      for (const char* newton : {"quasi", "exact"})
        // 26 h^2 at rho = 0: 65 ms with steps of 50 ms.
        for (const double h : steps)
          check_end({"generalized_alpha", {{"rho_inf", rho}, {"index", index}, {"newton", newton}}}, h, 26.0);
}

TEST_CASE("snakeboard: alpha_rattle ends within a step of the singularity and names both rows") {
  for (const char* rho : {"0", "0.42857142857142855", "0.8", "1"})
    for (const char* index : {"2", "3"})
      for (const double h : steps)
        check_end({"alpha_rattle", {{"rho_inf", rho}, {"index", index}, {"start", "consistent"}}}, h, 26.0);
}

TEST_CASE("snakeboard: lie_dae of order 2 ends within a step of the singularity and names both rows") {
  for (const char* index : {"2", "3", "stabilized"})
    for (const char* newton : {"automatic", "exact"})
      for (const double h : steps) check_end({"lie_dae", {{"index", index}, {"newton", newton}}}, h);
}

TEST_CASE("snakeboard: lie_dae of order 1 does so at h = 1e-3; coarser it has lost the motion before") {
  // The wheels' angles where they begin to turn fast, from dormand_prince at tight tolerances.
  State exact;
  run_of({"dormand_prince", {}}, 0.01, 0.95, &exact);
  for (const char* index : {"2", "3", "stabilized"}) {
    const Variant variant{"lie_dae", {{"index", index}, {"order", "1"}}};
    check_end(variant, 1e-3);
    for (const double h : {5e-3, 1e-2, 2e-2, 5e-2}) {
      State there;
      run_of(variant, h, 0.95, &there);
      CHECK(std::max(std::abs(there.q[4] - exact.q[4]), std::abs(there.q[5] - exact.q[5])) > 0.02);
    }
  }
}

TEST_CASE("snakeboard: lie_dae of index 1 lets the rows drift, so that nothing is singular in its motion") {
  // Where the rows of the motion are dependent, those of index 1 still differ: they say two different things.
  const auto system = Snakeboard().own_system();
  for (const char* order : {"1", "2"}) {
    State there;
    run_of({"lie_dae", {{"index", "1"}, {"order", order}}}, 1e-2, 1.25, &there);
    double rows[2];
    Point at;
    at.q = there.q.data();
    at.v = there.v.data();
    Evaluation wanted;
    wanted.velocity = rows;
    system->evaluate(at, wanted);
    CHECK(std::max(std::abs(rows[0]), std::abs(rows[1])) > 1e-3);  // [m/s]
  }
}

TEST_CASE("snakeboard: dormand_prince ends within a step of the singularity and names both rows") {
  for (const char* control : {"adaptive", "fixed"})
    for (const double h : steps) check_end({"dormand_prince", {{"control", control}}}, h);
}

#ifdef CATENA_HAS_SUNDIALS
TEST_CASE("snakeboard: ida ends within a step of the singularity and names both rows") {
  for (const char* form : {"index1", "gear_gupta_leimkuhler", "dummy_derivatives"})
    for (const double h : steps) check_end({"ida", {{"form", form}}}, h);
}
#endif
