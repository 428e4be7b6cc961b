// The sentences on a step that failed: whose residuals, which iterates, which shares.
#include <catena/assembly/multibody_system.hpp>
#include <catena/experiment/detail/step_examination.hpp>

#include "support/toy.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace failed_step_lines_tests {

using namespace catena;
using namespace catena::detail;

TEST_CASE("shares of a vector are parts of the whole, the largest first, until nine tenths are named") {
  const std::vector<NamedBlock> blocks{{"a", 0, 2}, {"b", 2, 1}, {"c", 3, 1}, {"d", 4, 1}};
  CHECK(shares_by_name(blocks, {0.05, 0.15, 0.5, 0.22, 0.08}) == "b 50 %, c 22 %, a 20 %");
  CHECK(shares_by_name(blocks, {1.0, 1.0, 0.0, 0.0, 6.0}) == "d 75 %, a 25 %");
  std::vector<NamedBlock> many;
  for (int k = 0; k < 10; ++k) many.push_back({std::to_string(k), k, 1});
  CHECK(shares_by_name(many, std::vector<double>(10, 0.1)) == "0 10 %, 1 10 %, 2 10 %, 3 10 %, 4 10 %");
}

TEST_CASE("of many iterates the first and the last ones are shown, and how many lie between") {
  Model model;
  model.add(Body{.name = "top"});
  const MultibodySystem system(model);
  StepExamination examined{.traced = true};
  examined.outcome.status = Status::newton_not_converged;
  for (int k = 0; k < 8; ++k) {
    NewtonTrace::Iterate& iterate = examined.trace.iterates.emplace_back();
    iterate.residuals = {{"body \"top\"", "force balance", 1.0 + k}};
    iterate.correction = {"body \"top\"", "", 0.5};
  }
  const auto count = [&](int iterates, const char* words) {
    const std::vector<std::string> lines = lines_of(system, examined, iterates);
    return std::count_if(lines.begin(), lines.end(),
                         [&](const std::string& line) { return line.find(words) != std::string::npos; });
  };
  CHECK(count(3, "e+00 body \"top\"") == 3);
  CHECK(count(3, "5 more") == 1);
  CHECK(count(3, "2.00e+00 body") == 1);  // the second of the first two
  CHECK(count(3, "8.00e+00 body") == 1);  // the last one
  CHECK(count(8, "e+00 body \"top\"") == 8);
  CHECK(count(8, "more") == 0);
}

namespace {

// Leaves what a step that fails would, and fails.
struct Traced : catena_test::ToyStepper {
  Traced() {
    fails = [](double, double) { return Status::newton_not_converged; };
  }
  NewtonTrace* into = nullptr;
  bool trace(NewtonTrace* to) override {
    into = to;
    return true;
  }
  Outcome take_step(State& state, double h) override {
    into->column = {0, 1, 2, 3};
    into->row = {0, 1, 2};
    into->value = {1.0, 1.0, 1.0};
    into->residual = {2.0, -3.0, -0.5};
    into->quantity = {"force balance", "position residual"};
    return ToyStepper::take_step(state, h);
  }
};

}  // namespace

TEST_CASE("of each body and joint the largest component of its residual is examined, whatever its sign") {
  const catena_test::ToyPendulum system;
  Traced stepper;
  REQUIRE(stepper.attach(system).status == Status::ok);
  const StepExamination examined = examine_step(system, stepper, system.initial_state(), 0.1, false);
  REQUIRE(examined.residuals.size() == 2);
  CHECK(examined.residuals[0].name == "point");
  CHECK(examined.residuals[0].quantity == "force balance");
  CHECK(examined.residuals[0].value == -3.0);
  CHECK(examined.residuals[1].name == "rod (distance)");
  CHECK(examined.residuals[1].quantity == "position residual");
  CHECK(examined.residuals[1].value == -0.5);
}

}  // namespace failed_step_lines_tests
