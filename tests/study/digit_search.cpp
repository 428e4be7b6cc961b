// catena run --digits: the digits that a search promises against the true errors, which a much finer run gives.
#include <catena/builtin/builtin.hpp>
#include <catena/experiment/experiment.hpp>
#include <catena/experiment/parts/usage_error.hpp>
#include <catena/study/detail/digit_search.hpp>

#include "support/ask.hpp"
#include "support/temporary_folder.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

using namespace catena;
using namespace catena::detail;

namespace {

const Catalog& digits_catalog() {
  static const Catalog catalog = builtin();
  return catalog;
}

// The largest true error of a quantity over its largest value.
double relative_error(const Table& of, const Table& truth, const std::string& quantity) {
  double error = 0.0, size = 0.0;
  REQUIRE(of.rows() == truth.rows());
  for (const std::string& column : of.columns) {
    if (!column.starts_with(quantity + ' ') && column != quantity) continue;
    const std::vector<double> a = of.column(column), b = truth.column(column);
    for (std::size_t k = 0; k < a.size(); ++k) {
      error = std::max(error, std::abs(a[k] - b[k]));
      size = std::max(size, std::abs(b[k]));
    }
  }
  REQUIRE(size > 0.0);
  return error / size;
}

Scenario chain(double step) {
  Scenario scenario{.problem = "helix_chain", .step = step, .end = 0.2};
  scenario.set("n", 4);
  return scenario;
}

}  // namespace

TEST_CASE("as many digits as asked for are there, joint forces included, by a stepper that was not named") {
  Scenario fine = chain(1e-2);
  fine.stepper = "dop853";
  fine.tolerance = 1e-13;
  const Table truth = run(fine, digits_catalog(), {.keep_standard = true}).table;
  for (const int digits : {3, 6, 9}) {
    CAPTURE(digits);
    const FoundDigits found = find_digits(chain(1e-2), digits, digits_catalog(), 1);
    CHECK(found.digits.missing.empty());
    CHECK(found.digits.asked == digits);
    CHECK(found.digits.reached >= digits);
    const std::string& stepper = found.scenario.stepper;
    CHECK((stepper == "dop853" || (stepper == "dormand_prince" && digits == 3)));
    CHECK(found.digits.setting.starts_with(stepper + " with a tolerance of "));
    const Table table = run(found.scenario, digits_catalog(), {.keep_standard = true}).table;
    for (const char* quantity : {"bodies/position", "bodies/velocity", "energy/kinetic", "reactions/force"}) {
      CAPTURE(quantity);
      // A bar is an estimate: the true error was within three bars at 95 % of the instants (companion_run.cpp).
      CHECK(relative_error(table, truth, quantity) <= 3.0 * 0.5 * std::pow(10.0, -digits));
    }
    CHECK(found.measured.bars.rows() == table.rows());
    // The others that control their error, with what was against them.
    for (const char* other :
         {stepper == "dop853" ? "dormand_prince: " : "dop853: ", "generalized_alpha: ", "radau: "})
      CHECK(std::any_of(found.digits.tried.begin(), found.digits.tried.end(),
                        [&](const std::string& text) { return text.starts_with(other); }));
  }
}

TEST_CASE("a stepper with fixed steps that was named has them halved until the digits are there") {
  Scenario scenario{.problem = "simple_pendulum", .stepper = "rattle", .step = 2e-2, .end = 1.0};
  const FoundDigits found = find_digits(scenario, 3, digits_catalog(), 1);
  CHECK(found.digits.missing.empty());
  CHECK(found.digits.reached >= 3.0);
  CHECK(found.scenario.stepper == "rattle");
  REQUIRE(found.scenario.step);
  CHECK(*found.scenario.step < 2e-2);
  const double halvings = std::log2(2e-2 / *found.scenario.step);
  CHECK(halvings == std::round(halvings));
  REQUIRE(found.digits.tried.size() == static_cast<std::size_t>(halvings));
  CHECK(found.digits.tried.front().starts_with("rattle with a step of 0.02 s: "));
  Scenario coarser = found.scenario;  // with twice the step there are fewer: the search does not go too far
  *coarser.step *= 2.0;
  const Record record = run(coarser, digits_catalog(), {.keep_standard = true});
  const Companion how = companion_of(record, digits_catalog());
  const Record finer = run(how.scenario, digits_catalog(), {.keep_standard = true});
  CHECK(digits_of(record.table, error_bars(record, finer, how).summary).reached < 3.0);
}

TEST_CASE(
    "where a stepper does not reach the end the search continues with a finer setting and with the next "
    "stepper") {
#ifdef CATENA_HAS_SUNDIALS
  const Scenario top{.problem = "heavy_top", .stepper = "ida", .end = 0.2};  // unstable at 1e-4
  const FoundDigits finer = find_digits(top, 3, digits_catalog(), 1);
  CHECK(finer.digits.reached >= 3.0);
  CHECK(finer.digits.missing == "");
  CHECK(!finer.digits.tried.empty());
#endif
  CHECK_THROWS_WITH_AS(
      find_digits({.problem = "heavy_top", .options = {{"rho_inf", "0.5"}}}, 3, digits_catalog(), 1),
      "--option beside --digits: options belong to a stepper, which is chosen here; name one by --stepper",
      UsageError);
}

TEST_CASE("digits count from half a unit of the last one, and of the largest value with a unit") {
  Table table;
  table.columns = {
      "time", "bodies/position x of a", "bodies/position y of a", "bodies/positions", "joints/gap", "p"};
  table.units = {"s", "m", "m", "m", "m", "1"};
  table.values = {0.0, -200.0, 1.0, 199.0, 5e-5, 3.0, 1.0, 0.0, 2.0, 199.0, 0.0, 3.0};
  ErrorBars bars{.companion = "a finer one"};
  bars.bars = {{.quantity = "bodies/position", .unit = "m", .largest = 0.01},
               {.quantity = "joints/gap", .unit = "m", .largest = 5e-5},
               {.quantity = "p", .unit = "1", .largest = 0.0}};
  const Digits digits = digits_of(table, bars);
  CHECK(digits.reached == doctest::Approx(4.0));  // 0.01 is half a unit of the fourth digit of 200.0
  CHECK(digits.quantity == "bodies/position");
  CHECK(digits.unit == "m");
  CHECK(digits.size == 200.0);
  CHECK(digits.bar == 0.01);
  bars.bars[0].largest = 1e6;
  CHECK(digits_of(table, bars).reached == 0.0);
  bars.bars[0].largest = 0.0;
  // A gap of 5e-5 m that is not known at all beside 200 m; torques that vanish have no digits to lose.
  CHECK(digits_of(table, bars).quantity == "joints/gap");
  CHECK(digits_of(table, bars).reached == doctest::Approx(-std::log10(2.0 * 5e-5 / 200.0)));
  bars.bars[2].largest = 1e-15;
  table.values[5] = table.values[11] = 1e-15;
  CHECK(digits_of(table, bars).quantity == "joints/gap");
}

TEST_CASE(
    "catena run --digits: report, JSON, error_bars.csv; a result with fewer digits has an exit code of its "
    "own") {
  const catena_test::TemporaryFolder folder;
  const std::string out = (folder.path() / "out").string();
  const catena_test::Answer good =
      catena_test::ask({"run", "simple_pendulum", "--end", "0.5", "--digits", "5", "--step", "1e-2",
                        "--output", out, "--format", "csv", "--json", "-"});
  REQUIRE(good.code == exit_ok);
  const auto json = nlohmann::json::parse(good.out);
  CHECK(json["digits"]["asked"] == 5);
  CHECK(json["digits"]["reached"] >= 5.0);
  CHECK(json["digits"]["missing"] == "");
  CHECK(json["digits"]["setting"] == json["stepper"].get<std::string>() + " with a tolerance of 1e-06");
  CHECK(json["digits"]["bar"] ==
        json["error_bars"]["bars"][json["digits"]["quantity"].get<std::string>()]["largest"]);
  CHECK(good.err.find("Digits\nAsked for") != std::string::npos);
  CHECK(std::filesystem::exists(std::filesystem::path(out) / "error_bars.csv"));

#ifdef CATENA_HAS_SUNDIALS
  // ida at a tolerance of 1e-13 does not reach twelve digits of anything.
  const catena_test::Answer poor =
      catena_test::ask({"run", "simple_pendulum", "--end", "0.5", "--digits", "12", "--step", "1e-2",
                        "--stepper", "ida", "--json", "-"});
  CHECK(poor.code == exit_fewer_digits);
  const auto fewer = nlohmann::json::parse(poor.out);
  CHECK(fewer["exit_status"] == int(exit_fewer_digits));
  CHECK(fewer["digits"]["reached"] < 12.0);
  CHECK(fewer["digits"]["missing"] != "");
  CHECK(poor.err.find("catena: 12 digits were asked for, the result has ") != std::string::npos);
#endif

  for (const char* wrong : {"0", "13", "six", "2.5", "-1"}) {
    CAPTURE(wrong);
    const catena_test::Answer refused = catena_test::ask({"run", "simple_pendulum", "--digits", wrong});
    CHECK(refused.code == exit_bad_input);
    CHECK(refused.err.find(std::string("--digits ") + wrong + ": a whole number from 1 to 12") !=
          std::string::npos);
  }
  CHECK(catena_test::ask({"run", "simple_pendulum", "--digits", "3", "--tolerance", "1e-3"})
            .err.find("--tolerance beside --digits, which chooses the tolerance: give one of the two") !=
        std::string::npos);
}
