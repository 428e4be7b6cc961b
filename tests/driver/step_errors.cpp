// The sum of the errors of a method of order 1, on motions with known second derivatives.
#include <catena/driver/detail/step_errors.hpp>

#include "support/toy.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace catena;
using namespace catena::detail;
using catena_test::ToyPendulum;
using catena_test::ToyStepper;

namespace {

// A speed along x of offset + 1 and offset - 1 in turn, in steps of these sizes.
std::string remark_of(const std::vector<double>& steps, double offset) {
  const ToyPendulum system;
  const ToyStepper stepper;
  State state = system.initial_state();
  StepErrors errors;
  state.v = {offset + 1.0, 0.0};
  errors.attach(system, stepper, state);
  double sign = -1.0;
  for (const double h : steps) {
    state.v = {offset + sign, 0.0};
    state.t += h;
    errors.add(state, h);
    sign = -sign;
  }
  return errors.remark();
}

}  // namespace

TEST_CASE("errors of order 1 add up to h^2 v''/2 of each step, over the mean speed") {
  // Each step leaves h^2 |4/h| / (2 h) = 2 behind; the mean speed is 1.
  CHECK(remark_of(std::vector<double>(11, 0.1), 0.0).find("add up to 20 times the mean speed") !=
        std::string::npos);
  CHECK(remark_of(std::vector<double>(11, 1e-3), 0.0).find("add up to 20 times the mean speed") !=
        std::string::npos);
  // Steps of two sizes: h^2 (2/h + 2/k) / (h + k) = 2 h / k, 4 and 1 in turn.
  std::vector<double> uneven;
  for (int k = 0; k < 11; ++k) uneven.push_back(k % 2 == 0 ? 0.1 : 0.2);
  CHECK(remark_of(uneven, 0.0).find("add up to 25 times the mean speed") != std::string::npos);
}

TEST_CASE("errors of order 1 below the mean speed are not remarked on") {
  CHECK(remark_of(std::vector<double>(11, 0.1), 30.0).empty());
  CHECK_FALSE(remark_of(std::vector<double>(11, 0.1), 10.0).empty());
}
