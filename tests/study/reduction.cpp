// What is kept of a column: by its definition, from text and back.
#include <catena/experiment/parts/usage_error.hpp>
#include <catena/study/parts/reduction.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace catena;

namespace {

// Instants of unequal distance; y never changes.
Table table() {
  return {.columns = {"time", "x", "y"},
          .units = {"s", "m", "1"},
          .values = {0.0, 2.0, 5.0, 1.0, 0.0, 5.0, 3.0, -4.0, 5.0, 4.0, 6.0, 5.0}};
}

double value(const char* text) { return reduced(reduction_from_text(text), table()).value; }

}  // namespace

TEST_CASE("reductions are what their words say") {
  CHECK(value("end x") == 6.0);
  CHECK(value("min x") == -4.0);
  CHECK(value("max x") == 6.0);
  CHECK(value("mean x") == doctest::Approx((1.0 - 4.0 + 1.0) / 4.0));
  CHECK(value("mean y") == 5.0);
  CHECK(value("rms y") == 5.0);
  CHECK(value("rms x") == doctest::Approx(std::sqrt((2.0 + 16.0 + 26.0) / 4.0)));
  CHECK(value("crossing=0 x") == 1.0);
  CHECK(value("crossing=2 x") == 0.0);
  CHECK(std::isnan(value("crossing=7 x")));
  CHECK(value("at=0 x") == 2.0);
  CHECK(value("at=1 x") == 0.0);
  CHECK(value("at=4 x") == 6.0);
  CHECK(std::isnan(value("at=4.5 x")));
  CHECK(reduced(reduction_from_text("at=1 x"), table()).unit == "m");
  CHECK(reduced(reduction_from_text("max x"), table()).unit == "m");
  CHECK(reduced(reduction_from_text("crossing=1 x"), table()).unit == "s");
  CHECK_THROWS_AS(value("max xx"), std::invalid_argument);
}

TEST_CASE("between two instants a column is the cubic through the four nearest") {
  const auto cubic = [](double t) { return 1.0 + t - 2.0 * t * t + 0.5 * t * t * t; };
  Table table{.columns = {"time", "x"}, .units = {"s", "m"}};
  for (const double t : {0.0, 0.5, 0.8, 1.7, 2.0, 3.0, 3.5})
    table.values.insert(table.values.end(), {t, cubic(t)});
  for (const double t : {0.1, 0.6, 1.0, 1.9, 2.2, 3.4})
    CHECK(reduced({Reduction::Kind::instant, "x", t}, table).value ==
          doctest::Approx(cubic(t)).epsilon(1e-13));
  for (const double t : {0.6, 1.2, 1.6})  // x falls from 0.3 to 2.3
    CHECK(reduced({Reduction::Kind::crossing, "x", cubic(t)}, table).value ==
          doctest::Approx(t).epsilon(1e-13));
  // Of t^4 the cubic through 1, 2, 3, 4 leaves 1.5 * 0.5 * 0.5 * 1.5 at 2.5; through other instants it leaves something else.
  std::vector<double> fourth;
  for (const double t : {0.0, 1.0, 2.0, 3.0, 4.0, 5.0}) fourth.insert(fourth.end(), {t, t * t * t * t});
  CHECK(reduced({Reduction::Kind::instant, "x", 2.5}, {{"time", "x"}, {"s", "m"}, std::move(fourth)}).value ==
        doctest::Approx(39.0625 - 0.5625).epsilon(1e-13));
  // Three instants have a parabola, two a line, and beside what is no number there is a line.
  const auto at = [](std::vector<double> values, double t) {
    return reduced({Reduction::Kind::instant, "x", t}, {{"time", "x"}, {"s", "m"}, std::move(values)}).value;
  };
  CHECK(at({0.0, 0.0, 1.0, 1.0, 2.0, 4.0}, 1.5) == doctest::Approx(2.25));
  CHECK(at({0.0, 0.0, 1.0, 1.0}, 0.25) == 0.25);
  CHECK(at({0.0, NAN, 1.0, 1.0, 2.0, 4.0}, 1.5) == 2.5);
}

TEST_CASE("an instant is one of the run up to the roundoff of its steps, and what lies outside is refused") {
  double end = 0.0;
  for (int step = 0; step < 10; ++step) end += 0.1;
  REQUIRE(end < 1.0);
  const Table table{.columns = {"time", "x"}, .units = {"s", "m"}, .values = {0.5, 2.0, end, 6.0}};
  const auto at = [](double t) { return Reduction{Reduction::Kind::instant, "x", t}; };
  CHECK(reduced(at(1.0), table).value == 6.0);
  CHECK(std::isnan(reduced(at(1.0 + 1e-9), table).value));
  CHECK(std::isnan(reduced(at(0.4), table).value));
  CHECK(outside({at(0.5), at(1.0)}, 0.5, end).empty());
  CHECK(outside({at(1.5)}, 0.5, end) == "--keep at=1.5 x: the run ends at t = 1 s, before that instant");
  CHECK(outside({at(1.0), at(0.4)}, 0.5, end) ==
        "--keep at=0.4 x: the run begins at t = 0.5 s, behind that instant");
}

TEST_CASE("a reduction becomes text again, and names what must be measured for it") {
  for (const char* text : {"end a/b", "min a", "max bodies/position x of link 3", "mean a", "rms a",
                           "crossing=0.5 a", "at=0.1 a", "series a/b"})
    CHECK(to_text(reduction_from_text(text)) == text);
  const std::vector<Reduction> two = reductions_from_text("at=0.1,0.2 a of b");
  REQUIRE(two.size() == 2);
  CHECK(to_text(two[0]) == "at=0.1 a of b");
  CHECK(to_text(two[1]) == "at=0.2 a of b");
  CHECK(reductions_from_text("max a=b") == std::vector<Reduction>{reduction_from_text("max a=b")});
  CHECK(quantity_of(reduction_from_text("max energy/kinetic")) == "energy/kinetic");
  CHECK(quantity_of(reduction_from_text("max bodies/position x of link 3")) == "bodies/position:\"link 3\"");
  CHECK(quantity_of(reduction_from_text("max forces/work of force \"motor 1\" (torque)")) ==
        "forces/work:\"motor 1\"");
  CHECK(quantity_of(reduction_from_text("max bodies/position x of pipe 6\" \"b\"")) ==
        "bodies/position:\"pipe 6\"\" \"\"b\"\"\"");
  CHECK(quantity_of(
            reduction_from_text("max reactions/force x of joint \"the \"hip\"\" (revolute) on pipe 6\"")) ==
        "reactions/force:\"the \"\"hip\"\"\"");
}

TEST_CASE("a reduction that makes no sense is refused with what would be right") {
  const auto wrong = [](const char* text, const char* why) {
    CHECK_THROWS_WITH_AS(reduction_from_text(text), (std::string(text) + ": " + why).c_str(), UsageError);
  };
  wrong("max", "write what is kept and of which column, \"max energy/kinetic\" say");
  wrong("maxx energy", "no word \"maxx\": did you mean \"max\"?");
  wrong("crossing energy", "write crossing=VALUE");
  wrong("max=3 energy", "only crossing and at have a value");
  wrong("series=3 energy", "only crossing and at have a value");
  wrong("at energy", "write at=TIME");
  wrong("at=soon energy", "the time is a number");
  wrong("at=-1 energy", "a run begins at 0 or later");
  wrong("crossing=a energy", "the value that is crossed is a number");
}
