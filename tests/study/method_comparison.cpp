// Every number of a comparison against one computed here from the states of a run.
#include <catena/assembly/multibody_system.hpp>
#include <catena/builtin/builtin.hpp>
#include <catena/experiment/parts/usage_error.hpp>
#include <catena/io/parts/yaml_models.hpp>
#include <catena/measure/parts/momentum.hpp>
#include <catena/problems/heavy_top.hpp>
#include <catena/problems/knife_edge.hpp>
#include <catena/problems/space_manipulator.hpp>
#include <catena/study/detail/method_comparison.hpp>

#include "support/temporary_folder.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

using namespace catena;
using namespace catena::detail;

namespace {

const Catalog& comparing_catalog() {
  static const Catalog catalog = builtin();
  return catalog;
}

// Without ida, which takes a hundred thousand steps before it gives up at a pole.
const Catalog& catalog_of_few() {
  static const Catalog catalog = [] {
    Catalog few;
    const Catalog& all = comparing_catalog();
    for (const ProblemEntry& problem : all.problems()) few.add(problem);
    for (const StepperEntry& stepper : all.steppers())
      if (stepper.name != "ida") few.add(stepper);
    for (const CatalogBackend& backend : all.backends()) few.add(backend);
    for (const Quantity& quantity : all.quantities().all()) few.add(quantity);
    return few;
  }();
  return catalog;
}

CompareRequest request_of(const std::string& problem, std::vector<ComparedStepper> steppers,
                          std::vector<double> steps, double end) {
  CompareRequest request;
  request.problems = {problem};
  request.steppers = std::move(steppers);
  request.steps = std::move(steps);
  request.end = end;
  return request;
}

ProblemComparison compared(const CompareRequest& request, const Catalog& catalog = comparing_catalog()) {
  return compare(request, 0, catalog);
}

struct EachState : Observer {
  std::vector<State> states;
  bool observe(const State& state) override {
    states.push_back(state);
    return true;
  }
};

// One run with equal steps, and all of its states.
Record run_of(const std::string& problem, const std::string& stepper, double step, double end,
              EachState& states) {
  RunContext context;
  context.listeners.observers.push_back(&states);
  return run({.problem = problem, .stepper = stepper, .step = step, .end = end}, comparing_catalog(),
             context);
}

// Of the skate: by the formula of its motion and the numbers in the state.
Errors skate_errors(const State& state) {
  const SkateMotion exact = exact_motion(KnifeEdgeParameters{}, state.t);
  const auto norm = [](double x, double y, double z) { return std::sqrt(x * x + y * y + z * z); };
  Errors errors;
  errors[Part::position] = norm(state.q[0] - exact.position[0], state.q[1] - exact.position[1], state.q[2]);
  errors[Part::rotation] =
      std::abs(std::remainder(2.0 * std::atan2(state.q[6], state.q[3]) - exact.heading, 2.0 * M_PI));
  errors[Part::velocity] = norm(state.v[0] - exact.velocity[0], state.v[1] - exact.velocity[1], state.v[2]);
  errors[Part::angular_velocity] = norm(state.v[3], state.v[4], state.v[5] - exact.spin);
  errors[Part::multipliers] = std::abs(state.lambda[0] - exact.lambda);
  return errors;
}

void check_errors(const Errors& found, const Errors& expected) {
  for (const Part part : all_parts) {
    CAPTURE(name_of(part, false));
    CHECK(std::abs(found[part] - expected[part]) <=
          1e-10 * expected[part] + 2e-14);  // roundoff of the formula
  }
}

}  // namespace

TEST_CASE("errors against an exact solution, residuals, energy and counters are those of the run") {
  const ProblemComparison c = compared(request_of("knife_edge", {{"hht"}}, {0.1, 0.05}, 2.0));
  CHECK(c.reference.method == "exact solution");
  CHECK(c.end == 2.0);
  REQUIRE(c.instants.size() == 20);
  CHECK(c.instants.front() == doctest::Approx(0.1).epsilon(1e-14));
  CHECK(c.instants.back() == 2.0);
  REQUIRE(c.runs.size() == 2);
  const ComparedRun& row = c.runs[0];

  EachState trail;
  const Record record = run_of("knife_edge", "hht", 0.1, 2.0, trail);
  REQUIRE(trail.states.size() == 21);
  Errors largest;
  for (std::size_t k = 1; k < trail.states.size(); ++k) largest.raise_to(skate_errors(trail.states[k]));
  check_errors(row.largest, largest);
  check_errors(row.at_end, skate_errors(trail.states.back()));
  CHECK(row.largest[Part::multipliers] > row.at_end[Part::multipliers]);  // else the two could be exchanged

  const Report& report = record.report;
  CHECK(row.position == report.monitor.position.value);
  CHECK(row.velocity == report.monitor.velocity.value);
  CHECK(row.acceleration == report.monitor.acceleration.value);
  CHECK(row.energy == report.monitor.energy_error.value);
  CHECK(row.energy > 1e-3);
  CHECK(std::isnan(row.angular_momentum));
  CHECK(c.about.empty());
  CHECK(row.steps == 20);
  CHECK(row.rejected == 0);
  CHECK(row.newton_iterations == report.statistics.newton_iterations);
  CHECK(row.factorizations == report.statistics.factorizations);
  CHECK(row.unknowns == 6 + 1);
  CHECK(row.key.size() == 64);
  CHECK(row.guards == "on");
  CHECK(row.status == "ok");
  CHECK(row.seconds.size() == 1);
  CHECK(row.undisturbed > 0.0);
  CHECK(row.undisturbed <= row.fastest());  // the fastest step is none of the others
}

TEST_CASE("multipliers of the middle of a step are compared at its end") {
  const ProblemComparison c = compared(request_of("knife_edge", {{"alpha_rattle"}}, {0.05}, 2.0));
  EachState trail;
  run_of("knife_edge", "alpha_rattle", 0.05, 2.0, trail);
  const State &last = trail.states.back(), &before = trail.states[trail.states.size() - 2];
  const double at_end = 1.5 * last.lambda[0] - 0.5 * before.lambda[0];
  const double error = std::abs(at_end - exact_motion(KnifeEdgeParameters{}, 2.0).lambda);
  CHECK(c.runs[0].at_end[Part::multipliers] == doctest::Approx(error).epsilon(1e-9));
  CHECK(error < 0.2 * std::abs(last.lambda[0] - exact_motion(KnifeEdgeParameters{}, 2.0).lambda));
}

TEST_CASE("the drift of momentum is that about the axis that the problem names") {
  const ProblemComparison c = compared(request_of("heavy_top", {{"generalized_alpha"}}, {2e-3}, 0.1));
  CHECK(c.about == std::vector<std::string>{"z"});
  EachState trail;
  run_of("heavy_top", "generalized_alpha", 2e-3, 0.1, trail);
  const auto momentum_about_z = [](const State& s) {  // m (x v_y - y v_x) and the third row of R J Omega
    const double w = s.q[3], x = s.q[4], y = s.q[5], z = s.q[6];
    const double row[3] = {2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)};
    const double spin[3] = {0.234375 * s.v[3], 0.46875 * s.v[4], 0.234375 * s.v[5]};
    return 15.0 * (s.q[0] * s.v[1] - s.q[1] * s.v[0]) + row[0] * spin[0] + row[1] * spin[1] +
           row[2] * spin[2];
  };
  double drift = 0.0;
  for (const State& state : trail.states)
    drift = std::max(drift, std::abs(momentum_about_z(state) - momentum_about_z(trail.states.front())));
  CHECK(drift > 0.1);
  CHECK(c.runs[0].angular_momentum == doctest::Approx(drift).epsilon(1e-10));
}

TEST_CASE(
    "the drifts of linear and angular momentum are those along and about the axes that the problem names") {
  CompareRequest request = request_of("space_manipulator", {{"generalized_alpha"}}, {2e-3}, 0.1);
  request.parameters = {{"form", "maximal"}};
  const ProblemComparison c = compared(request);
  CHECK(c.about == std::vector<std::string>{"x", "y", "z"});
  CHECK(c.along == std::vector<std::string>{"x", "y", "z"});
  EachState trail;
  RunContext context;
  context.listeners.observers.push_back(&trail);
  Scenario scenario{.problem = "space_manipulator", .stepper = "generalized_alpha", .step = 2e-3, .end = 0.1};
  scenario.set("form", "maximal");
  run(scenario, comparing_catalog(), context);
  SpaceManipulatorParameters of_bodies;
  of_bodies.form = ManipulatorForm::maximal;
  const SpaceManipulator problem(of_bodies);
  const MultibodySystem system(problem.model());
  double angular = 0.0, linear = 0.0;
  for (const State& state : trail.states) {
    const Momentum now = momentum(system.model(), system.bodies(state));
    const std::vector<Invariant> kept = problem.invariants();
    for (int axis = 0; axis < 3; ++axis) {
      const std::string name(1, static_cast<char>('x' + axis));
      for (const Invariant& one : kept) {
        if (one.name == "linear momentum along world " + name)
          linear = std::max(linear, std::abs(now.linear[axis] - one.value));
        if (one.name == "angular momentum about world " + name)
          angular = std::max(angular, std::abs(now.angular[axis] - one.value));
      }
    }
  }
  CHECK(angular > 1e-8);
  CHECK(c.runs[0].angular_momentum == doctest::Approx(angular).epsilon(1e-6));
  CHECK(linear > 0.0);
  CHECK(linear < 1e-10);  // forces of joints are equal and opposite: what is left is roundoff
  CHECK(c.runs[0].linear_momentum < 1e-10);
}

TEST_CASE("of a model file momentum is compared along and about the axes that its motion keeps") {
  // Two bodies on a spring fall along z and drift along x: gravity has a moment about x and y, and none about z.
  const catena_test::TemporaryFolder folder;
  const std::string file = (folder.path() / "pair.yaml").string();
  const auto write = [&](const char* forces) {
    std::ofstream(file)
        << "gravity: [0, 0, -9.81]\n"
           "bodies:\n"
           "  - {name: one, mass: 1, inertia: [0.1, 0.2, 0.3], position: [0.5, 0, 0], velocity: "
           "[1, 0.5, 0], angular_velocity: [1, 2, 3]}\n"
           "  - {name: two, mass: 2, inertia: [0.1, 0.2, 0.3], position: [-0.5, 0, 0.2]}\n"
           "forces:\n"
           "  - {type: spring_damper, bodies: [one, two], stiffness: 20, rest_length: 0.8, damping: 0.5}\n"
        << forces;
  };
  write("");
  Catalog catalog = builtin();
  catalog.add(yaml_models());
  const ProblemComparison free = compared(request_of(file, {{"generalized_alpha"}}, {2e-3}, 0.2), catalog);
  CHECK(free.kept_by_reference);
  CHECK(free.along == std::vector<std::string>{"x", "y"});
  CHECK(free.about == std::vector<std::string>{"z"});
  CHECK(free.runs[0].linear_momentum < 1e-9);
  CHECK(free.runs[0].angular_momentum > 0.0);
  CHECK(free.runs[0].angular_momentum < 1e-3);
  // A spring to a point of the ground on the z axis pulls along x and y, with no moment about z.
  write("  - {type: spring_damper, bodies: [ground, one], stiffness: 5, rest_length: 0.1, damping: 0}\n");
  const ProblemComparison held = compared(request_of(file, {{"generalized_alpha"}}, {2e-3}, 0.2), catalog);
  CHECK(held.kept_by_reference);
  CHECK(held.along.empty());
  CHECK(held.about == std::vector<std::string>{"z"});
  // What a problem states counts.
  CHECK(!compared(request_of("heavy_top", {{"generalized_alpha"}}, {2e-3}, 0.1)).kept_by_reference);
}

TEST_CASE("a reference of two methods agrees with published digits, and its estimate covers the difference") {
  const ProblemComparison c = compared(request_of("heavy_top", {{"generalized_alpha"}}, {1e-3}, 0.1));
  CHECK(c.reference.method == "dormand_prince with tolerances of 1e-12");
  CHECK(c.reference.checked == "radau with tolerances of 1e-12");
  CHECK(c.reference.published <= c.reference.estimate[Part::position]);
  CHECK(c.reference.estimate[Part::position] <= 1e-9);
  CHECK(c.reference.published_source == "computed for Catena; problem: Bruels, Cardona, Arnold 2012");
  CHECK(c.reference.notes.empty());
}

TEST_CASE("errors over tolerances are those of positions over the largest body, and of rotations") {
  CompareRequest request = request_of("heavy_top", {{"dop853"}, {"generalized_alpha"}}, {1e-3}, 0.1);
  request.tolerances = {1e-3, 1e-6};
  const ProblemComparison c = compared(request);
  CHECK(c.reference.length == MultibodySystem(HeavyTop().model()).layout().scale[0]);
  REQUIRE(c.runs.size() == 3);
  for (const ComparedRun& run : c.runs)
    if (run.controlled)
      CHECK(run.over_tolerance == doctest::Approx(0.5 *
                                                  std::max(run.largest[Part::position] / c.reference.length,
                                                           run.largest[Part::rotation]) /
                                                  run.setting));
    else
      CHECK(std::isnan(run.over_tolerance));
  // A method that refuses the problem has seen no body, wherever it is in the list.
  CompareRequest refused = request_of("rolling_disc", {{"dormand_prince"}, {"rattle"}}, {}, 0.1);
  refused.tolerances = {1e-4};
  CHECK(compared(refused).reference.length > 0.0);
  Errors errors;
  CHECK(std::isnan(in_tolerances(errors, 2.0, 1e-3)));
  errors[Part::position] = 4e-3;
  errors[Part::rotation] = 1e-3;
  CHECK(in_tolerances(errors, 2.0, 1e-3) == doctest::Approx(1.0));
  CHECK(in_tolerances(errors, 8.0, 1e-3) == doctest::Approx(0.5));
  CHECK(std::isnan(in_tolerances(errors, std::nan(""), 1e-3)));
}

TEST_CASE("fitted orders are those of theory on smooth problems") {
  struct Smooth {
    const char* problem;
    std::map<std::string, std::string> parameters;
    std::vector<double> steps;
    double end;
    std::vector<ComparedStepper> steppers;
    int order;
    std::vector<Part> without = {};  // whose errors are roundoff, or not there
  };
  const auto fixed = [](const char* name) { return ComparedStepper{name, {{"control", "fixed"}}}; };
  const std::vector<ComparedStepper> of_order_2{
      {"generalized_alpha"}, {"alpha_rattle"}, {"hht"}, {"lie_dae"}, {"rattle"}};
  std::vector<ComparedStepper> of_the_top = of_order_2;
  of_the_top.push_back({"discrete_action"});
  const std::vector<double> of_helix{4e-3, 2e-3, 1e-3, 5e-4, 2.5e-4},
      of_boxes{1e-2, 5e-3, 2.5e-3, 1.25e-3, 6.25e-4};
  // The fast top would take newmark shorter steps until its order of 1 shows. Steps of the others are between those that are
  // too long for the next term of the error to be small and those whose errors are roundoff, against an exact solution.
  const Smooth problems[] = {
      {"heavy_top", {}, {1e-3, 5e-4, 2.5e-4, 1.25e-4, 6.25e-5}, 0.1, of_the_top, 2},
      {"helix_chain", {{"n", "4"}}, of_helix, 0.2, of_order_2, 2},
      {"helix_chain", {{"n", "4"}}, of_helix, 0.2, {{"newmark"}}, 1},
      {"straight_box_chain", {{"n", "3"}}, of_boxes, 0.42, of_order_2, 2},
      {"straight_box_chain", {{"n", "3"}}, of_boxes, 0.42, {{"newmark"}}, 1},
      {"rotary_pendulum",
       {},
       {1e-2, 5e-3, 2.5e-3, 1.25e-3, 6.25e-4},
       0.4,
       {{"runge_kutta_4"}},
       4,
       {Part::rotation, Part::angular_velocity, Part::multipliers}},
      {"rolling_disc",
       {{"motion", "steady"}},
       {2e-2, 1.25e-2, 1e-2, 6.25e-3, 5e-3, 4e-3},
       10.0,
       {fixed("dormand_prince")},
       5},
      {"simple_pendulum", {}, {0.1, 0.05, 0.025, 0.0125, 0.00625}, 2.0, {fixed("radau")}, 5},
      {"knife_edge",
       {{"spin", "1"}},
       {0.6, 0.5, 0.4, 0.3, 0.25, 0.2},
       6.0,
       {fixed("dop853")},
       8,
       {Part::rotation, Part::angular_velocity}}};
  for (const Smooth& smooth : problems) {
    CAPTURE(smooth.problem);
    CompareRequest request = request_of(smooth.problem, smooth.steppers, smooth.steps, smooth.end);
    request.parameters = smooth.parameters;
    const ProblemComparison c = compared(request);
    REQUIRE(c.orders.size() == smooth.steppers.size());
    for (const ComparedOrders& orders : c.orders)
      for (const Part part : all_parts) {
        const FittedOrder& found = orders.fitted[static_cast<std::size_t>(part)];
        CAPTURE(orders.stepper.label());
        CAPTURE(name_of(part, false));
        CAPTURE(found.order);
        CAPTURE(found.uncertainty);
        CAPTURE(found.why_none);
        if (std::find(smooth.without.begin(), smooth.without.end(), part) != smooth.without.end()) {
          CHECK_FALSE(found.known());
          CHECK((found.given == 0 || found.why_none.find("errors are above the floor") != std::string::npos));
          continue;
        }
        CHECK(orders.promised[static_cast<std::size_t>(part)] == smooth.order);
        REQUIRE(found.known());
        CHECK(std::abs(found.order - smooth.order) <= 0.05);
        CHECK(std::abs(found.order - smooth.order) <= found.uncertainty);
      }
  }
}

TEST_CASE("an error at the end that falls faster than the largest one is not the order") {
  // At t = 1 s the errors of runge_kutta_4 happen to fall as h^5 down to the floor of the reference.
  const ProblemComparison c =
      compared(request_of("rotary_pendulum", {{"runge_kutta_4"}}, {2e-2, 1e-2, 5e-3, 2.5e-3, 1.25e-3}, 1.0));
  REQUIRE(c.orders.size() == 1);
  const FittedOrder& found = c.orders[0].fitted[static_cast<std::size_t>(Part::position)];
  CAPTURE(found.order);
  CHECK_FALSE(found.known());
  CHECK(found.why_none.starts_with("the local orders of the finest steps, 4.8"));
  const FittedOrder& rates = c.orders[0].fitted[static_cast<std::size_t>(Part::velocity)];
  CHECK(std::abs(rates.order - 4.0) <= rates.uncertainty);
}

TEST_CASE("multipliers of redundant rows are not compared, and the rows are named") {
  const ProblemComparison c = compared(request_of("four_bar", {{"generalized_alpha"}}, {1e-2}, 0.1));
  const std::string& why = c.reference.refused[static_cast<std::size_t>(Part::multipliers)];
  CHECK(why.starts_with("multipliers: not unique, "));
  CHECK(why.find("redundant") != std::string::npos);
  CHECK(std::isnan(c.runs[0].largest[Part::multipliers]));
  CHECK(std::isnan(c.runs[0].at_end[Part::multipliers]));
  CHECK(c.runs[0].largest[Part::position] > 0.0);
}

TEST_CASE("errors of a chaotic motion are not given") {
  CompareRequest request = request_of("rod_chain", {{"generalized_alpha"}}, {1e-2}, 24.0);
  request.parameters["n"] = "2";
  const ProblemComparison c = compared(request, catalog_of_few());
  const std::string& why = c.reference.refused[static_cast<std::size_t>(Part::position)];
  CAPTURE(why);
  CHECK(why.starts_with("position: dormand_prince with tolerances of 1e-12 and "));
  CHECK(why.find("chaotic, or not resolved") != std::string::npos);
  CHECK(std::isnan(c.runs[0].largest[Part::position]));
  CHECK(c.runs[0].energy > 0.0);  // what is kept still counts
  CHECK(c.orders.empty());
}

// The motion of the driven snakeboard ends in a pole of its multipliers at t = 1.2537 s.
TEST_CASE("runs that fail and methods that refuse are rows with their reasons") {
  const ProblemComparison c =
      compared(request_of("snakeboard", {{"generalized_alpha"}, {"runge_kutta_4"}}, {2e-3, 1e-3}, 1.4),
               catalog_of_few());
  CHECK_FALSE(c.reference.known);
  CHECK(c.own);  // known of the system
  REQUIRE(c.reference.notes.size() >= 2);
  CHECK(c.reference.notes[0].starts_with("dormand_prince with tolerances of 1e-12: "));
  REQUIRE(c.runs.size() == 3);
  for (const int k : {0, 1}) {
    const ComparedRun& row = c.runs[static_cast<std::size_t>(k)];
    CHECK_FALSE(row.ok());
    CHECK(row.setting == (k == 0 ? 2e-3 : 1e-3));
    CHECK(row.status.find(" at t = 1.2") != std::string::npos);
    CHECK(row.failure.find(" at t = 1.2") != std::string::npos);
    CHECK(row.failure.size() > row.status.size());
    CHECK(std::isnan(row.largest[Part::position]));
    CHECK(std::isnan(row.fastest()));
  }
  CHECK(c.runs[2].stepper.name == "runge_kutta_4");  // one row, not one a step
  CHECK(c.runs[2].status == "refused");
  CHECK(c.runs[2].setting == 0.0);
  CHECK(c.runs[2].failure.find("solves no constraints") != std::string::npos);
}

TEST_CASE("variants: options varied, plain methods, and what is wrong with a request") {
  const Catalog& catalog = comparing_catalog();
  CompareRequest request = request_of("heavy_top", {{"generalized_alpha"}, {"runge_kutta_4"}}, {1e-3}, 0.01);
  request.vary["rho_inf"] = {"0.5", "1"};
  request.plain = true;
  std::vector<std::string> labels;
  for (const ComparedStepper& stepper : variants(request, catalog)) labels.push_back(stepper.label());
  CHECK(labels == std::vector<std::string>{"generalized_alpha rho_inf=0.5",
                                           "generalized_alpha guards=off rho_inf=0.5",
                                           "generalized_alpha rho_inf=1",
                                           "generalized_alpha guards=off rho_inf=1", "runge_kutta_4"});
  request.plain = false;
  request.vary = {{"alpha", {"0.1"}}};
  CHECK_THROWS_WITH_AS(variants(request, catalog),
                       "--vary alpha: none of the steppers has this option to vary", UsageError);
  request.vary.clear();
  request.steppers = {{"generalised_alpha"}};
  CHECK_THROWS_WITH_AS(variants(request, catalog), doctest::Contains("did you mean \"generalized_alpha\""),
                       UsageError);
  request.steppers = {{"generalized_alpha", {{"rho", "1"}}}};
  CHECK_THROWS_WITH_AS(compared(request), doctest::Contains("rho"), UsageError);
  CHECK(compared_stepper("generalized_alpha:rho_inf=0.5:index=2").label() ==
        "generalized_alpha index=2 rho_inf=0.5");
  for (const char* wrong : {"", ":rho_inf=1", "rho_inf=1", "ida:", "ida:rtol", "ida:=1"}) {
    CAPTURE(wrong);
    CHECK_THROWS_WITH_AS(compared_stepper(wrong),
                         doctest::Contains("a stepper is a name, with options behind colons: "
                                           "generalized_alpha:rho_inf=0.5:index=2"),
                         UsageError);
  }
}

TEST_CASE("a method that controls its error takes tolerances, by its options too") {
  CompareRequest request =
      request_of("heavy_top",
                 {{"generalized_alpha", {{"tolerance", "1e-3"}}}, {"dormand_prince", {{"control", "fixed"}}}},
                 {2e-3, 1e-3}, 0.02);
  request.tolerances = {1e-2, 1e-4};
  const ProblemComparison c = compared(request);
  REQUIRE(c.runs.size() == 4);
  CHECK(c.runs[0].controlled);
  CHECK(c.runs[1].setting == 1e-4);
  CHECK(c.runs[1].steps > 2 * c.runs[0].steps);  // the tolerance of the row, not that of the option
  CHECK_FALSE(c.runs[2].controlled);
  CHECK(c.runs[3].steps == 20);
}

TEST_CASE("a method of fixed steps that could choose them does so where tolerances are given, and no steps") {
  CompareRequest request = request_of("heavy_top",
                                      {{"generalized_alpha"},
                                       {"alpha_rattle"},
                                       {"rattle"},
                                       {"dormand_prince", {{"control", "fixed"}}},
                                       {"hht", {{"tolerance", "0"}}}},
                                      {}, 0.01);
  request.tolerances = {1e-2};
  const ProblemComparison c = compared(request);
  std::map<std::string, bool> controlled;
  for (const ComparedRun& run : c.runs) controlled[run.stepper.label()] = run.controlled;
  CHECK(controlled == std::map<std::string, bool>{{"generalized_alpha", true},
                                                  {"alpha_rattle", true},
                                                  {"rattle", false},
                                                  {"dormand_prince control=fixed", false},
                                                  {"hht tolerance=0", false}});
  // Steps beside the tolerances are for them.
  request.steps = {1e-3};
  for (const ComparedRun& run : compared(request).runs) CHECK_FALSE(run.controlled);
}

TEST_CASE("steps, tolerances and an end that no run can have are refused by their names") {
  const auto refusal = [](std::vector<double> steps, std::vector<double> tolerances, double end) {
    CompareRequest request =
        request_of("heavy_top", {{"generalized_alpha"}, {"dormand_prince"}}, std::move(steps), end);
    request.tolerances = std::move(tolerances);
    try {
      compared(request);
    } catch (const UsageError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(refusal({-1.0, 1e-300}, {1e-4}, 0.2) ==
        "--steps -1: -1 is out of range [1e-12, 1000000] s\n"
        "--steps 1e-300: 1e-300 is out of range [1e-12, 1000000] s");
  CHECK(refusal({0.0}, {1e-4}, 0.2) == "--steps 0: 0 is out of range [1e-12, 1000000] s");
  CHECK(refusal({std::numeric_limits<double>::quiet_NaN()}, {1e-4}, 0.2) ==
        "--steps nan: \"nan\" is not a number");
  CHECK(refusal({std::numeric_limits<double>::infinity()}, {1e-4}, 0.2) ==
        "--steps inf: \"inf\" is not a number");
  CHECK(refusal({1e-12}, {1e-4}, 0.2) ==
        "--steps 1e-12: a run to 0.2 s has 2e+11 of these steps, a comparison takes 1e+09 at most");
  CHECK(refusal({1e-2}, {-1.0}, 0.2) == "--tolerances -1: a tolerance is a positive number");
  CHECK(refusal({1e-2}, {1e-4}, 0.0) ==
        "--end 0: the run begins at 0 s and has no steps to compare: give a later end");
}

TEST_CASE("common instants are those of all numbers of steps, a hundred at most") {
  CHECK(common_instants(0.0, 2.0, {20, 40, 50}).size() == 10);
  CHECK(common_instants(0.0, 1.0, {1000, 2000}).size() == 100);
  CHECK(common_instants(0.0, 1.0, {997}).size() == 1);  // a prime number: the end alone
  CHECK(common_instants(0.0, 1.0, {}).size() == 100);
  const std::vector<double> instants = common_instants(0.0, 3.0, {3});
  CHECK(instants == std::vector<double>{1.0, 2.0, 3.0});
}
