// What varies: from text and back, rows of products, and numbers that depend on seed and number of a sample alone.
#include <catena/builtin/builtin.hpp>
#include <catena/experiment/parts/usage_error.hpp>
#include <catena/study/parts/sweep_rows.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <set>
#include <string>
#include <vector>

using namespace catena;

namespace {

using Words = std::vector<std::string>;

Words values_of(const std::string& text) { return axis_from_text(text).front().values; }

Sweep sweep_over(const Words& axes) {
  Sweep sweep{.base = {.problem = "helix_chain"}};
  for (const std::string& axis : axes) sweep.axes.push_back(axis_from_text(axis));
  return sweep;
}

// Why there are no rows; "none": there are.
std::string complaint_of(Sweep sweep) {
  try {
    const SweepRows rows(std::move(sweep));
  } catch (const UsageError& error) {
    return error.what();
  }
  return "none";
}

}  // namespace

TEST_CASE("lists and ranges have the values that they say") {
  CHECK(values_of("n=10,20, 40") == Words{"10", "20", "40"});
  CHECK(values_of("stepper=lie_dae,generalized_alpha") == Words{"lie_dae", "generalized_alpha"});
  CHECK(values_of("k=1..10:4") == Words{"1", "4", "7", "10"});
  CHECK(values_of("k=10..1:4") == Words{"10", "7", "4", "1"});
  CHECK(values_of("k=0.1..0.3:3") == Words{"0.1", "0.2", "0.3"});
  CHECK(values_of("k=1..1000:4:log") == Words{"1", "10", "100", "1000"});
  CHECK(values_of("k=1e-3..1e-1:3:log") == Words{"0.001", "0.01", "0.1"});
  CHECK(values_of("k=10..40:4 kN/m") == Words{"10 kN/m", "20 kN/m", "30 kN/m", "40 kN/m"});
  CHECK(values_of("k=40,50 kN/m") == Words{"40 kN/m", "50 kN/m"});
  CHECK(values_of("k=8,9") == Words{"8", "9"});
  CHECK(values_of("joints.knee.axis=[0, 0, 1],[0,1,0]") == Words{"[0, 0, 1]", "[0,1,0]"});
  CHECK(values_of("k=40 kN/m,50 kN/m") == Words{"40 kN/m", "50 kN/m"});
  CHECK(values_of("problem=../a..b.yaml,c.yaml") == Words{"../a..b.yaml", "c.yaml"});
  const Axis zipped = axis_from_text("n=10,20 with step=1e-3..5e-4:2");
  REQUIRE(zipped.size() == 2);
  CHECK(zipped[1].key == "step");
  CHECK(zipped[1].values == Words{"0.001", "0.0005"});
  const Axis named = axis_from_text("n=3,4 with bodies.rod with hook.mass=1,2 with step=1e-3,1e-4");
  REQUIRE(named.size() == 3);
  CHECK(named[1].key == "bodies.rod with hook.mass");
  CHECK(named[1].values == Words{"1", "2"});
  CHECK(axis_from_text("bodies.rod with hook.mass=1,2").front().key == "bodies.rod with hook.mass");
  CHECK(values_of("problem=rod with hook.yaml,rod.yaml") == Words{"rod with hook.yaml", "rod.yaml"});
}

TEST_CASE("an axis becomes text that reads back to the same values") {
  for (const char* text : {"n=10,20", "k=uniform:0.9:1.1", "k=loguniform:0.001:1 kN/m", "k=normal:-1:0.1",
                           "k=lognormal:1:0.1", "n=1,2 with step=0.1,0.2"})
    CHECK(to_text(axis_from_text(text)) == text);
  CHECK(to_text(axis_from_text("k=1..10:4")) == "k=1,4,7,10");
}

TEST_CASE("an axis that makes no sense is refused with what would be right") {
  const auto wrong = [](const char* text, const char* why) {
    CHECK_THROWS_WITH_AS(axis_from_text(text), (std::string(text) + ": " + why).c_str(), UsageError);
  };
  wrong("n", "write key=values, n=10,20,40 say");
  wrong("=1,2", "write key=values, n=10,20,40 say");
  wrong("n=", "there are no values behind the \"=\"");
  wrong("n=1,,2", "a value between two commas is empty");
  const char* const units =
      "some values have a unit and some have none: write it behind each, or behind the last for all";
  for (const char* text : {"k=10 kN/m,20", "k=10 kN/m,20,30 kN/m", "k=10 kN/m,20 N/m,30"}) wrong(text, units);
  for (const char* text : {"k=[0,0,1", "k=0,0]", "k=]1,[0"})
    wrong(text, "a bracket is not closed, or was not opened");
  wrong("k=1..2", "a range is first..last:count or first..last:count:log, 1..10:4 say");
  wrong("k=1..2:3:exp", "a range is first..last:count or first..last:count:log, 1..10:4 say");
  wrong("k=1..2:1", "a range has at least two values");
  wrong("k=1..2:1000000000",
        "a range has at most 10000000 values, because its table lists them: draw them instead, uniform:1:2 "
        "say, with "
        "--samples");
  wrong("k=0..2:3:log", "a range of equal ratios is above 0");
  wrong("k=uniform:1", "uniform has two numbers, uniform:1:2");
  wrong("k=normal:a:2", "normal has two numbers, normal:1:2");
  wrong("k=uniform:2:1", "the lower bound comes first, and the upper one is above it");
  wrong("k=loguniform:0:1", "bounds of a logarithm are above 0");
  wrong("k=normal:1:0", "a standard deviation is above 0");
  wrong("k=lognormal:0:1", "the median of lognormal is above 0");
  for (const char* text : {"gravity=gauss:1:2", "k=gauss:1:2 kN/m", "k=gauss:1e-3:.5"})
    wrong(text,
          "no distribution \"gauss\"; there are uniform:LOWER:UPPER, loguniform:LOWER:UPPER, "
          "normal:MEAN:DEVIATION and lognormal:MEDIAN:DEVIATION");
  CHECK(values_of("reactions=stiffness:1e6:1e4") == Words{"stiffness:1e6:1e4"});
  wrong("n=1,2 with k=uniform:0:1", "what is drawn is an axis of its own: \"with\" is for lists and ranges");
  wrong("n=1,2 with k=1,2,3", "n has 2 values and k has 3: together they need as many each");
}

TEST_CASE("quantiles invert the distributions") {
  const auto at = [](const char* text, double u) {
    return axis_from_text(text).front().distribution.quantile(u);
  };
  CHECK(at("k=uniform:2:6", 0.25) == 3.0);
  CHECK(at("k=loguniform:1:100", 0.5) == doctest::Approx(10.0).epsilon(1e-15));
  CHECK(at("k=normal:3:2", 0.5) == 3.0);
  CHECK(at("k=lognormal:3:2", 0.5) == 3.0);
  for (const double u : {1e-6, 0.1, 0.3, 0.8, 0.999}) {
    CAPTURE(u);
    const double x = (at("k=normal:3:2", u) - 3.0) / 2.0;
    CHECK(0.5 * std::erfc(-x / std::sqrt(2.0)) == doctest::Approx(u).epsilon(1e-13));
    CHECK(std::log(at("k=lognormal:5:2", u) / 5.0) / 2.0 == doctest::Approx(x).epsilon(1e-13));
  }
  CHECK(std::isfinite(at("k=normal:0:1", 0.0)));
  CHECK(at("k=normal:0:1", 1.0) == doctest::Approx(8.2095).epsilon(1e-4));  // erfc(x / sqrt(2)) = 2^-52
  CHECK(at("k=loguniform:1e-300:1e300", 0.0) == doctest::Approx(1e-300).epsilon(1e-12));
  CHECK(at("k=loguniform:1e-300:1e300", 0.5) == doctest::Approx(1.0).epsilon(1e-12));
  CHECK(at("k=loguniform:1e-300:1e300", 0.75) == doctest::Approx(1e150).epsilon(1e-12));
  CHECK(at("k=loguniform:0.1:0.7", 0.3) == 0.1 * std::pow(0.7 / 0.1, 0.3));  // rows are known by these bits
}

TEST_CASE("rows are every combination of the axes, the last one fastest, and those joined go together") {
  const SweepRows rows(sweep_over({"n=5,10", "option.rho_inf=0.8,0.9,1 with step=1e-3,2e-3,3e-3"}));
  REQUIRE(rows.count() == 6);
  CHECK(rows.keys() == Words{"n", "option.rho_inf", "step"});
  CHECK(rows.values(0) == Words{"5", "0.8", "1e-3"});
  CHECK(rows.values(1) == Words{"5", "0.9", "2e-3"});
  CHECK(rows.values(5) == Words{"10", "1", "3e-3"});
  const Scenario scenario = rows.scenario(4);
  CHECK(scenario.problem == "helix_chain");
  CHECK(scenario.parameters == Settings{{"n", "10"}});
  CHECK(scenario.options == Settings{{"rho_inf", "0.9"}});
  CHECK(scenario.step == 2e-3);
}

TEST_CASE("all that a run can set is a key") {
  const SweepRows rows(sweep_over({"problem=a.yaml,b.yaml", "stepper=lie_dae", "backend=klu", "end=2",
                                   "seed=7", "tolerance=1e-6", "every=3", "set.step=9", "max_cuts=4"}));
  const Scenario s = rows.scenario(1);
  CHECK(s.problem == "b.yaml");
  CHECK(s.stepper == "lie_dae");
  CHECK(s.backend == "klu");
  CHECK(s.end == 2.0);
  CHECK(s.seed == 7U);
  CHECK(s.tolerance == 1e-6);
  CHECK(s.every == 3);
  CHECK(s.max_cuts == 4);
  CHECK(s.parameters == Settings{{"step", "9"}});
}

TEST_CASE("threads of a row vary beside the scenario, which they do not change") {
  const SweepRows rows(sweep_over({"n=5,10", "threads=1,4"}));
  CHECK(rows.most_threads() == 4);
  CHECK(rows.threads(0) == 1);
  CHECK(rows.threads(3) == 4);
  CHECK(rows.scenario(2) == rows.scenario(3));
  const SweepRows none(sweep_over({"n=5,10"}));
  CHECK(none.most_threads() == 0);
  CHECK(none.threads(1) == 0);
}

TEST_CASE("a sweep that makes no sense is refused with all complaints") {
  const auto complaint = [](Sweep sweep) -> std::string {
    try {
      const SweepRows rows(std::move(sweep));
    } catch (const UsageError& error) {
      return error.what();
    }
    return "none";
  };
  CHECK(complaint(sweep_over({})) == "nothing varies: --vary n=10,20,40 say");
  CHECK(complaint(sweep_over({"n=1,2", "n=3"})) == "--vary n: it varies twice");
  CHECK(complaint(sweep_over({"set.n=2,3", "n=4,5"})) ==
        "--vary set.n and --vary n: n varies twice: leave one of them out");
  CHECK(complaint(sweep_over({"gravity.y=-1,-2", "gravity=[0,-9.81,0],[0,-5,0]"})) ==
        "--vary gravity.y and --vary gravity: gravity.y varies twice: leave one of them out");
  CHECK(complaint(sweep_over({"gravity.x=1", "gravity.y=1", "bodies.rod.mass=1", "bodies.rod 2.mass=1"})) ==
        "none");
  CHECK(complaint(sweep_over({"step=1e-3", "set.step=2"})) == "none");  // of the scenario, and a parameter
  CHECK(complaint(sweep_over({"k=uniform:0:1"})) ==
        "--samples N is missing: how often the variables are drawn");
  Sweep nothing_drawn = sweep_over({"n=1,2"});
  nothing_drawn.samples = 3;
  CHECK(complaint(nothing_drawn) == "--samples 3: nothing is drawn: --vary k=uniform:0.9:1.1 say");
  CHECK(complaint(sweep_over({"step=-1,a", "end=x"})).find("--step -1") != std::string::npos);
  CHECK(complaint(sweep_over({"step=1e-3", "end=x"})).find("--end x") != std::string::npos);
  CHECK(complaint(sweep_over({"threads=1,0"})) == "--vary threads=0: whole numbers from 1");
  CHECK(complaint(sweep_over({"threads=uniform:1:4"})).find("nothing is drawn from") != std::string::npos);
  Sweep large = sweep_over({"n=1..1000000:1000000", "k=uniform:0:1"});
  large.samples = 10'000'000;
  CHECK(complaint(large) == "1e+13 rows are too many: at most 1e+12");
}

TEST_CASE("drawn numbers depend on seed and sample alone: not on other rows, and not on what else varies") {
  Sweep sweep = sweep_over({"k=uniform:0:1", "m=normal:0:1"});
  sweep.samples = 5;
  sweep.seed = 11;
  const SweepRows few(sweep);
  sweep.samples = 1'000'000;
  const SweepRows many(sweep);
  sweep.axes.insert(sweep.axes.begin(), axis_from_text("n=5,10"));
  sweep.samples = 5;
  const SweepRows combined(sweep);
  sweep.seed = 12;
  const SweepRows other(sweep);
  REQUIRE(combined.count() == 10);
  std::set<std::string> different;
  for (std::size_t k = 0; k < 5; ++k) {
    const Words alone = few.values(k);
    CHECK(many.values(k) == alone);
    for (const std::size_t row : {k, k + 5}) {
      CHECK(combined.values(row)[1] == alone[0]);
      CHECK(combined.values(row)[2] == alone[1]);
      CHECK(other.values(row)[1] != alone[0]);
    }
    different.insert(alone.begin(), alone.end());
  }
  CHECK(different.size() == 10);
}

TEST_CASE("values of the axis stepper bring options along, as in a comparison") {
  const SweepRows rows(sweep_over({"stepper=generalized_alpha:rho_inf=0.5:index=2,dormand_prince"}));
  CHECK(rows.values(0) == Words{"generalized_alpha:rho_inf=0.5:index=2"});
  CHECK(rows.scenario(0).stepper == "generalized_alpha");
  CHECK(rows.scenario(0).options == Settings{{"index", "2"}, {"rho_inf", "0.5"}});
  CHECK(rows.scenario(1).stepper == "dormand_prince");
  CHECK(rows.scenario(1).options.empty());
  CHECK(complaint_of(sweep_over({"stepper=generalized_alpha:rho_inf,hht"})) ==
        "--vary stepper generalized_alpha:rho_inf: a stepper is a name, with options behind colons: "
        "generalized_alpha:rho_inf=0.5:index=2");
  CHECK(complaint_of(sweep_over({"stepper=generalized_alpha:rho_inf=0.5,hht", "option.rho_inf=0.8,1"})) ==
        "--vary option.rho_inf varies what --vary stepper sets (rho_inf): leave one of them out");
  Sweep sweep = sweep_over({"stepper=generalized_alpha:rho_inf=0.5,hht"});
  sweep.base.options["rho_inf"] = "0.8";
  CHECK(complaint_of(sweep) ==
        "--option rho_inf=0.8 is for all rows, and --vary stepper sets rho_inf: leave one of them out");
}

TEST_CASE("what is set for all rows and varies is refused, and so is sampling where nothing is drawn") {
  Sweep sweep = sweep_over({"n=5,10", "option.rho_inf=0.5,1", "stepper=hht", "end=0.1,0.2", "set.k=1,2"});
  sweep.base.parameters = {{"n", "4"}, {"k", "3"}, {"joint", "revolute"}};
  sweep.base.options = {{"rho_inf", "0.8"}, {"index", "2"}};
  sweep.base.stepper = "alpha_rattle";
  sweep.base.end = 1.0;
  sweep.base.step = 1e-3;
  CHECK(complaint_of(sweep) ==
        "--set n=4 is for all rows, and --vary n varies it: leave one of them out\n"
        "--option rho_inf=0.8 is for all rows, and --vary option.rho_inf varies it: leave one of them out\n"
        "--stepper alpha_rattle is for all rows, and --vary stepper varies it: leave one of them out\n"
        "--end 1 is for all rows, and --vary end varies it: leave one of them out\n"
        "--set k=3 is for all rows, and --vary set.k varies it: leave one of them out");
  Sweep part = sweep_over({"gravity.y=-1,-2"});
  part.base.parameters = {{"gravity", "[0,-5,0]"}, {"gravit", "1"}};
  CHECK(complaint_of(part) ==
        "--set gravity=[0,-5,0] is for all rows, and --vary gravity.y varies it: leave one of them out");
  Sweep idle = sweep_over({"n=5,10"});
  idle.seed = 5;
  idle.sampling = Sampling::latin_hypercube;
  CHECK(complaint_of(idle) ==
        "--sample-seed 5: nothing is drawn: --vary k=uniform:0.9:1.1 say\n"
        "--sampling latin: nothing is drawn: --vary k=uniform:0.9:1.1 say");
}

TEST_CASE("keys that are whole numbers have them in ranges and where they are drawn") {
  const Catalog catalog = builtin();
  const auto range = [&](const std::string& text) {
    return SweepRows(sweep_over({text}), catalog).sweep().axes.front().front().values;
  };
  CHECK(range("n=10..100:4:log") == Words{"10", "22", "46", "100"});
  CHECK(range("set.n=1..4:3") == Words{"1", "3", "4"});
  CHECK(range("every=1..2:2") == Words{"1", "2"});
  CHECK(range("seed=0..9:3") == Words{"0", "5", "9"});
  CHECK(range("threads=1..4:3") == Words{"1", "3", "4"});
  CHECK(range("option.max_newton_iterations=5..8:3") == Words{"5", "7", "8"});
  CHECK(range("gravity=9..10:3") == Words{"9", "9.5", "10"});
  CHECK(range("n=5.5,6") == Words{"5.5", "6"});  // as it was typed, to be refused
  CHECK_THROWS_WITH_AS(range("n=1..3:5"),
                       "--vary n: it is a whole number, of which 3 are in the range from 1 to 3, and 5 "
                       "values are asked for",
                       UsageError);
  const Axis together =
      SweepRows(sweep_over({"n=1..3:5 with gravity=1,2,3,4,5"}), catalog).sweep().axes.front();
  CHECK(together[0].values == Words{"1", "2", "2", "3", "3"});

  Sweep drawn = sweep_over({"n=uniform:5:10", "gravity=uniform:9:10"});
  drawn.samples = 40;
  const SweepRows rows(drawn, catalog), as_drawn(drawn);
  std::set<std::string> sizes;
  for (std::size_t k = 0; k < rows.count(); ++k) {
    sizes.insert(rows.values(k)[0]);
    CHECK(rows.values(k)[0] == std::to_string(std::lround(std::stod(as_drawn.values(k)[0]))));
    CHECK(rows.values(k)[1] == as_drawn.values(k)[1]);
  }
  CHECK(sizes == std::set<std::string>{"10", "5", "6", "7", "8", "9"});
}
