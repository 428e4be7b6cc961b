// Which joints are named where forces grow: those with the largest ones, and how many others.
#include <catena/assembly/multibody_system.hpp>
#include <catena/model/joints.hpp>
#include <catena/stepper/guards/detail/strongest_constraints.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace strongest_constraints_tests {

using namespace catena;
using namespace catena::detail;

TEST_CASE(
    "the joints with a tenth of the largest force and more are named, six of them, and the rest is counted") {
  Model model;
  for (int k = 0; k < 9; ++k)
    model.add(SphericalJoint{.bodies = {ground, model.add(Body{})}, .name = "ball " + std::to_string(k)});
  const MultibodySystem system(model);
  const State state = system.initial_state();
  std::vector<double> lambda(27, 0.0);
  const auto named = [&] {
    Point at = point_of(state);
    at.lambda = lambda.data();
    return strongest_constraints(system, at);
  };
  const auto label = [](int k) { return "joint \"ball " + std::to_string(k) + "\" (spherical)"; };
  lambda[3 * 2 + 1] = -100.0;
  lambda[3 * 5] = 11.0;
  lambda[3 * 7 + 2] = 9.0;
  CHECK(named() == label(2) + ", " + label(5));
  std::string six = label(1);
  for (int k = 2; k < 7; ++k) six += ", " + label(k);
  for (const int k : {1, 2, 3, 4, 5, 6}) lambda[static_cast<std::size_t>(3 * k)] = 50.0;
  CHECK(named() == six);
  for (const int k : {7, 8}) lambda[static_cast<std::size_t>(3 * k)] = 50.0;
  CHECK(named() == six + " and 2 more");
}

}  // namespace strongest_constraints_tests
