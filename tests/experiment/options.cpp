#include <catena/experiment/detail/number.hpp>
#include <catena/experiment/parts/options.hpp>
#include <catena/experiment/parts/usage_error.hpp>

#include <doctest/doctest.h>

#include <initializer_list>
#include <string>

using namespace catena;
using namespace catena::detail;

namespace {

enum class Kind { first, second };

struct SomeOptions {
  double rate = 0.5;
  int count = 3;
  bool on = false;
  std::string title = "none";
  Kind kind = Kind::first;
};

void visit(OptionVisitor& v, SomeOptions& o) {
  v.real({"rate", "1/s", "how fast", 0.0, 1.0}, o.rate);
  v.integer({"count", "1", "how many", 1, 1e7}, o.count);
  v.flag({"on", "1", "whether"}, o.on);
  v.text({"title", "1", "what to call it"}, o.title);
  visit_choice(v, {"kind", "1", "which"}, o.kind, {"first", "second"});
}

std::string refusal(const std::vector<std::string>& assignments) {
  SomeOptions o;
  try {
    set_options([&](OptionVisitor& v) { visit(v, o); }, parse_settings(assignments, "--set"), "--set",
                "problem p");
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("numbers are read whole and strictly") {
  CHECK(parse_real("1e-3") == 1e-3);
  CHECK(parse_real("-2") == -2.0);
  CHECK(parse_real(".5") == 0.5);
  CHECK(parse_real("0.1") == 0.1);
  CHECK(parse_integer("-7") == -7);
  CHECK(parse_integer("007") == 7);
  CHECK(parse_flag("true") == true);
  CHECK(parse_flag("false") == false);
  for (const char* text : {"", " ", " 1", "1 ", "1x", "1e", "1e-3s", "0x10", "1,5", "1.2.3", "nan", "inf",
                           "-inf", "infinity", "1e999", "+1", "--1", "1_000"}) {
    CAPTURE(text);
    CHECK(!parse_real(text));
  }
  for (const char* text : {"", "1.0", "1e3", " 1", "1 ", "99999999999", "0x10", "one", "+1"}) {
    CAPTURE(text);
    CHECK(!parse_integer(text));
  }
  for (const char* text : {"", "1", "0", "yes", "True", "true "}) CHECK(!parse_flag(text));
}

TEST_CASE("options are set by name") {
  SomeOptions o;
  set_options([&](OptionVisitor& v) { visit(v, o); },
              parse_settings({"rate=0.25", "count=9", "on=true", "title=a=b", "kind=second"}, "--set"),
              "--set", "problem p");
  CHECK(o.rate == 0.25);
  CHECK(o.count == 9);
  CHECK(o.on);
  CHECK(o.title == "a=b");
  CHECK(o.kind == Kind::second);
}

TEST_CASE("what cannot be set is refused in words that say what could") {
  CHECK(refusal({"rat=1"}) == "--set rat=1 (problem p): no option \"rat\": did you mean \"rate\"?");
  CHECK(refusal({"zzzzzz=1"}) ==
        "--set zzzzzz=1 (problem p): no option \"zzzzzz\"; there are rate, count, on, title, kind");
  CHECK(refusal({"rate=2"}) == "--set rate=2 (problem p): 2 is out of range [0, 1] 1/s");
  CHECK(refusal({"count=0"}) == "--set count=0 (problem p): 0 is out of range [1, 10000000]");
  CHECK(refusal({"count=3000000000"}) ==
        "--set count=3000000000 (problem p): 3000000000 is out of range [1, 10000000]");
  CHECK(refusal({"count=2.5"}) == "--set count=2.5 (problem p): \"2.5\" is not a whole number");
  CHECK(refusal({"rate=1x"}) == "--set rate=1x (problem p): \"1x\" is not a number");
  CHECK(refusal({"on=yes"}) == "--set on=yes (problem p): \"yes\" is neither true nor false");
  CHECK(refusal({"kind=secnd"}) ==
        "--set kind=secnd (problem p): no choice \"secnd\": did you mean \"second\"?");
  CHECK(refusal({"rate"}) == "--set rate: write key=value");
  CHECK(refusal({"=1"}) == "--set =1: write key=value");
  CHECK(refusal({"rate=0.1", "rate=0.2"}) == "--set rate=0.2: \"rate\" is given twice");
}

TEST_CASE("listings show defaults, units and ranges") {
  SomeOptions o;
  const std::vector<OptionRow> rows = option_rows([&](OptionVisitor& v) { visit(v, o); });
  REQUIRE(rows.size() == 5);
  CHECK(rows[0].value.name == "rate");
  CHECK(rows[0].value.unit == "1/s");
  CHECK(rows[0].range == "[0, 1]");
  CHECK(to_text(rows[0].value) == "0.5");
  CHECK(rows[1].range == "[1, 10000000]");
  CHECK(rows[4].range == "first, second");
  CHECK(to_text(rows[4].value) == "first");
}
