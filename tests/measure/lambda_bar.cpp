// Multipliers recomputed from positions and velocities, and the error bars that they give.
#include <catena/assembly/multibody_system.hpp>
#include <catena/builtin/builtin.hpp>
#include <catena/driver/run.hpp>
#include <catena/experiment/experiment.hpp>
#include <catena/measure/measurements.hpp>
#include <catena/measure/parts/builtin_quantities.hpp>
#include <catena/measure/parts/multiplier_choice.hpp>
#include <catena/problems/heavy_top.hpp>
#include <catena/problems/rotary_pendulum.hpp>
#include <catena/solvers/alpha_rattle.hpp>
#include <catena/solvers/dop853.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

using namespace catena;

namespace {

constexpr double end = 0.05;

State end_of(const System& system, Stepper& stepper, double h) {
  State state = system.initial_state();
  REQUIRE(run(system, stepper, state, {.step = h, .end = end, .verdict = false}).status == Status::ok);
  return state;
}

State exact_end(const System& system) {
  ExplicitOptions tight;
  tight.rtol_position = tight.atol_position = tight.rtol_velocity = tight.atol_velocity = 1e-12;
  Dop853 stepper(tight);
  return end_of(system, stepper, end);
}

// The numbers of a quantity at a state.
std::vector<double> measured(const System& system, const State& state, const std::string& name,
                             MultiplierChoice multipliers = MultiplierChoice::method) {
  Measurements measure(system, select(builtin_quantities(), name), {.multipliers = multipliers});
  std::vector<double> row(static_cast<std::size_t>(measure.width()));
  measure(state, {}, row.data());
  const MeasuredColumns* columns = measure.find(name);
  REQUIRE(columns != nullptr);
  std::vector<double> numbers;
  for (int k = 0; k < columns->count; ++k)
    for (int i = 0; i < columns->block; ++i)
      numbers.push_back(row[static_cast<std::size_t>(columns->column(k, i))]);
  return numbers;
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) largest = std::max(largest, std::abs(a[k] - b[k]));
  return largest;
}

}  // namespace

TEST_CASE("recomputed multipliers have the order of q and v where the method's have a lower one") {
  const MultibodySystem top(HeavyTop().model());
  const State exact = exact_end(top);
  const auto errors = [&](double h) {
    AlphaRattle stepper;  // multipliers of half a step ago
    const State state = end_of(top, stepper, h);
    return std::pair{distance(measured(top, state, "lambda"), exact.lambda),
                     distance(measured(top, state, "lambda", MultiplierChoice::recomputed), exact.lambda)};
  };
  const auto [own, recomputed] = errors(5e-4);
  const auto [own_fine, recomputed_fine] = errors(2.5e-4);
  CHECK(std::log2(own / own_fine) == doctest::Approx(1.0).epsilon(0.1));
  CHECK(std::log2(recomputed / recomputed_fine) == doctest::Approx(2.0).epsilon(0.05));
}

TEST_CASE(
    "the error bar is the difference of both, and covers the error of a method whose multipliers are the "
    "worse") {
  const MultibodySystem top(HeavyTop().model());
  AlphaRattle stepper;
  const State state = end_of(top, stepper, 5e-4), exact = exact_end(top);
  const std::vector<double> own = measured(top, state, "lambda"),
                            bar = measured(top, state, "lambda_bar/row"),
                            other = measured(top, state, "lambda", MultiplierChoice::recomputed);
  for (std::size_t k = 0; k < own.size(); ++k) CHECK(bar[k] == std::abs(own[k] - other[k]));
  CHECK(distance(own, exact.lambda) <= 3.0 * *std::max_element(bar.begin(), bar.end()));
  // Of reactions likewise: the ball joint's force is its multiplier, in other axes.
  const std::vector<double> force = measured(top, state, "reactions/force"),
                            force_bar = measured(top, state, "lambda_bar/force"),
                            torque_bar = measured(top, state, "lambda_bar/torque"),
                            other_force =
                                measured(top, state, "reactions/force", MultiplierChoice::recomputed);
  for (std::size_t k = 0; k < force.size(); ++k)
    CHECK(force_bar[k] == doctest::Approx(std::abs(force[k] - other_force[k])).epsilon(1e-9));
  CHECK(torque_bar.size() == force.size());
  // What stays the same by either choice.
  CHECK(measured(top, state, "lambda_bar/row", MultiplierChoice::recomputed) == bar);
}

TEST_CASE("a method with multipliers of the index-1 system has bars of roundoff") {
  const MultibodySystem top(HeavyTop().model());
  const State exact = exact_end(top);
  const std::vector<double> bar = measured(top, exact, "lambda_bar/row");
  double largest = 0.0;
  for (const double x : exact.lambda) largest = std::max(largest, std::abs(x));
  CHECK(*std::max_element(bar.begin(), bar.end()) <= 1e-10 * largest);
}

TEST_CASE("bars need constraints, and the choice of multipliers is one of two words") {
  const auto pendulum = RotaryPendulum().own_system();
  CHECK_THROWS_AS(Measurements(*pendulum, select(builtin_quantities(), "lambda_bar")), SelectionError);
  CHECK(multiplier_choice("") == MultiplierChoice::method);
  CHECK(multiplier_choice("method") == MultiplierChoice::method);
  CHECK(multiplier_choice("recomputed") == MultiplierChoice::recomputed);
  CHECK_THROWS_WITH_AS(multiplier_choice("exact"),
                       "there are no \"exact\" multipliers: method, or recomputed", SelectionError);
}

TEST_CASE(
    "recomputed multipliers are recorded beside their error bars, by the same words and of the same items") {
  const auto bars_beside = [](const std::string& words) {
    const Selection selection = select(builtin_quantities(), words, MultiplierChoice::recomputed);
    std::vector<std::string> found;
    for (const ChosenQuantity& one : selection)
      if (one.quantity.name.starts_with("lambda_bar/")) {
        std::string items;
        for (const std::string& item : one.items) items += ':' + item;
        found.push_back(one.quantity.name + items + ' ' + one.word);
      }
    return found;
  };
  using Names = std::vector<std::string>;
  CHECK(bars_beside("standard") ==
        Names{"lambda_bar/row standard", "lambda_bar/force standard", "lambda_bar/torque standard"});
  CHECK(bars_beside("reactions/force:hip:knee,energy") == Names{"lambda_bar/force:hip:knee reactions/force"});
  CHECK(bars_beside("energy,bodies").empty());
  CHECK(bars_beside("lambda,lambda_bar/row") == Names{"lambda_bar/row lambda_bar/row"});
  // In the order of the catalog, as everywhere.
  const Selection selection = select(builtin_quantities(), "standard", MultiplierChoice::recomputed),
                  usual = select(builtin_quantities(), "standard", MultiplierChoice::method);
  CHECK(usual.size() + 3 == selection.size());
  const Selection whole = select(builtin_quantities(), "standard,lambda_bar");
  REQUIRE(selection.size() == whole.size());
  for (std::size_t k = 0; k < whole.size(); ++k) CHECK(selection[k].quantity.name == whole[k].quantity.name);
}

TEST_CASE("a run with recomputed multipliers records their bars") {
  const auto columns = [](const std::string& multipliers) {
    const Record record = run({.problem = "heavy_top",
                               .stepper = "alpha_rattle",
                               .step = 1e-3,
                               .end = 0.01,
                               .record = "lambda",
                               .multipliers = multipliers},
                              builtin(), {.keep_standard = true});
    std::vector<std::string> names;
    for (const std::string& name : record.table.columns)
      if (name.starts_with("lambda_bar/row")) names.push_back(name);
    return names.size();
  };
  CHECK(columns("method") == 0);
  CHECK(columns("recomputed") == 3);
}

TEST_CASE("a quantity that is named is chosen by its name, whatever is before it") {
  for (const char* words : {"standard,reactions", "reactions,standard"})
    for (const ChosenQuantity& one : select(builtin_quantities(), words)) {
      CAPTURE(one.quantity.name);
      CHECK(one.word == (one.quantity.name.starts_with("reactions/") ? "reactions" : "standard"));
    }
}
