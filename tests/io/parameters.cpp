// The section `parameters` of a model file.
#include <catena/model/detail/passing_visitor.hpp>

#include "io/support_models.hpp"
#include "support/relative.hpp"

#include <doctest/doctest.h>

#include <numbers>

using namespace catena;
using namespace catena::detail;
using catena_test::complaints;
using catena_test::read_text;
using catena_test::read_texts;
using catena_test::relative;

namespace {

// A body on a spring; section: of the parameters, {...}.
std::string sprung(const std::string& section, const std::string& stiffness) {
  return "parameters: " + section +
         "\nbodies: [{name: a, mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}]\n"
         "forces: [{type: spring_damper, bodies: [ground, a], stiffness: " +
         stiffness + "}]\n";
}

// Reads the stiffness of its only force.
class Stiffness final : public detail::PassingVisitor {
 public:
  double found = 0.0;
  void real(const OptionInfo& info, double& value) override {
    if (std::string(info.name) == "stiffness") found = value;
  }
};

double stiffness_of(const ModelFile& file) {
  Stiffness read;
  const Model::ElementRef& force = file.model.forces().front();
  file.model.pools()[static_cast<std::size_t>(force.pool)]->list_members(force.element, read);
  return read.found;
}

ModelFile read_with(const std::map<std::string, std::string>& texts, const Settings& parameters) {
  return read_model_file(
      "main.yaml", catena_test::builtin_types(), [&](const std::string& path) { return texts.at(path); }, {},
      {}, parameters);
}

std::string refusal_of(const std::map<std::string, std::string>& texts, const Settings& parameters = {}) {
  try {
    read_with(texts, parameters);
    return "";
  } catch (const ModelFileError& error) {
    return error.what();
  }
}

}  // namespace

TEST_CASE("a parameter means its number, with a sign or a factor") {
  const auto value = [](const std::string& written) {
    return stiffness_of(read_text(sprung("{k: 30 kN/m}", written)));
  };
  CHECK(value("$k") == 30000.0);
  CHECK(value("-$k") == -30000.0);
  CHECK(value("+$k") == 30000.0);
  CHECK(value("2*$k") == 60000.0);
  CHECK(value("0.5 * $k") == 15000.0);
  CHECK(value("-2*$k") == -60000.0);
  CHECK(value("\"$k\"") == 30000.0);
}

TEST_CASE("parameters count wherever a number does, with one rounding error, and whole numbers too") {
  const ModelFile file = read_text(R"(
parameters: {L: 0.4 m, m: 500 g, g: 9.81, turn: 90 deg, J: 0.02, n: 3, rho: 1, h: 2 ms, a_1: 1}
gravity: [0, 0, -$g]
repeat:
  count: $n
  body:
    name: "link {i}"
    mass: $m
    inertia: [$J, 2*$J, 2*$J]
    position: [0.5*$L, 0, 0]
    orientation: {axis: [0, 0, $a_1], angle: $turn}
  joint: {type: spherical, point_a: [0.5*$L, 0, 0], point_b: [-0.5*$L, 0, 0]}
forces: [{type: varying_force, bodies: link 1, force: [1, 0, 0], factor: {type: sine, amplitude: $rho}}]
run: {step: $h}
)");
  CHECK(file.model.gravity[2] == -9.81);
  REQUIRE(file.model.body_count() == 3);
  const Body& first = file.model.body(BodyId{0});
  CHECK(first.mass == 0.5);
  CHECK(first.inertia(1, 1) == 0.04);
  CHECK(first.position[0] == 0.2);
  CHECK(first.orientation.z == relative(std::numbers::sqrt2 / 2.0, 1e-15));
  CHECK(file.model.body(BodyId{2}).position[1] == relative(0.8, 1e-15));
}

TEST_CASE("a parameter in place of a whole number is one") {
  const auto text = [](const std::string& n) {
    return "parameters: {n: " + n +
           "}\nrepeat: {count: $n, body: {name: \"b {i}\", mass: 1, inertia: [1, 1, 1]}, step: {translate: "
           "[1, 0, "
           "0]}}\n";
  };
  CHECK(read_text(text("4")).model.body_count() == 4);
  CHECK(complaints(text("2.5")) ==
        "main.yaml:2:17: repeat: count: a whole number belongs here, \"$n\" is 2.5");
  CHECK(complaints(text("1e10")).find("a whole number belongs here, \"$n\" is 1e+10") != std::string::npos);
  CHECK(complaints(text("3 m")).find("count: takes a number without a unit, has \"m\" (n is 3 m at ") !=
        std::string::npos);
}

TEST_CASE(
    "the parameters of a file are listed with the values that count, in the unit of their first place") {
  const ModelFile file = read_text(sprung("{k: 30 kN/m}", "2*$k"));
  REQUIRE(file.parameters.size() == 1);
  CHECK(file.parameters[0].name == "k");
  CHECK(file.parameters[0].unit == "N/m");
  CHECK(std::get<double>(file.parameters[0].value) == 30000.0);
}

TEST_CASE("a parameter has the unit of the places that name it: the error names both") {
  CHECK(complaints(sprung("{k: 30 kN}", "$k")) ==
        "main.yaml:3:64: force (spring_damper): stiffness: needs the unit N/m, has \"kN\" (k is 30 kN at "
        "main.yaml:1:17)");
  CHECK(complaints(sprung("{k: 3 kg/s^2}", "$k")) == "");  // the same measure
  // A plain number has the unit of the first place.
  CHECK(complaints("parameters: {x: 2}\nbodies: [{name: a, mass: $x, inertia: [1, 1, 1], position: [$x, 0, "
                   "0]}]\n") ==
        "main.yaml:2:61: body \"a\": position: counts in m here and in kg at main.yaml:2:26: two parameters "
        "are needed (x is 2 at main.yaml:1:17)");
  CHECK(complaints("parameters: {x: 2}\nbodies: [{name: a, mass: $x, inertia: [1, 1, 1], orientation: {axis: "
                   "[$x, 0, 0], angle: 1}}]\n")
            .find("axis: counts as a pure number here and in kg at main.yaml:2:26") != std::string::npos);
}

TEST_CASE("names that are not there get the nearest; a parameter that no number names is an error") {
  CHECK(complaints(sprung("{stiff: 30}", "$stif")) ==
        "main.yaml:3:64: force (spring_damper): stiffness: there is no parameter \"stif\" (did you mean "
        "\"stiff\"?)");
  CHECK(
      complaints("bodies: [{name: a, mass: $m, inertia: [1, 1, 1]}]") ==
      "main.yaml:1:26: body \"a\": mass: there is no parameter \"m\"; the section parameters would give it");
  CHECK(complaints(sprung("{k: 30, c: 2 N s/m}", "$k")) ==
        "main.yaml:1:24: parameters: c: no number names it: write $c where it counts, or remove it");
}

TEST_CASE("a factor and a name, and nothing else") {
  for (const char* written :
       {"$k/2", "2$k", "$k*2", "$k + 1", "--$k", "2*3*$k", "$k N/m", "$", "- $", "2*$2"}) {
    CAPTURE(written);
    const std::string said = complaints(sprung("{k: 30}", std::string("\"") + written + '"'));
    CHECK(said.find("stiffness: a parameter is named as $k, -$k or 2*$k, not \"" + std::string(written) +
                    "\"; there are no expressions") != std::string::npos);
  }
  CHECK(complaints(sprung("{k: 1e300}", "1e300*$k")) ==
        "main.yaml:3:64: force (spring_damper): stiffness: must be a finite number, is \"1e300*$k\" (k is "
        "1e300 at main.yaml:1:17)");
}

TEST_CASE("what is no parameter is said where it is given, and not again where it is named") {
  for (const auto& [section, said] :
       {std::pair{"{k: 3O}", "main.yaml:1:17: parameters: k: \"3O\" is not a number"},
        {"{k: 3 kN/n}", "main.yaml:1:17: parameters: k: unknown unit \"n\""},
        {"{k: 2*$j}",
         "main.yaml:1:17: parameters: k: a number with or without a unit belongs here, not "
         "\"2*$j\""},
        {"{k: [1]}",
         "main.yaml:1:17: parameters: k: a number with or without a unit belongs here, not a list of 1"},
        {"{k: }", "main.yaml:1:14: parameters: no value after \"k\""},
        {"{k: 1, k: 2}", "main.yaml:1:20: parameters: the key \"k\" is given twice, first in line 1"},
        {"{2k: 1}",
         "main.yaml:1:14: parameters: the name of a parameter has letters, digits and _, and "
         "begins with a letter, not \"2k\""},
        {"3", "main.yaml:1:13: parameters: a map of keys and values belongs here, not \"3\""}}) {
    const std::string text = section;
    CAPTURE(text);
    const std::string all = complaints(sprung(text, "$k"));
    CHECK(all.find(said) == 0);
  }
  for (const char* section : {"{k: 3O}", "{k: [1]}"})
    CHECK(complaints(sprung(section, "$k")).find('\n') == std::string::npos);
}

TEST_CASE("an including file overrides the parameters of included files; these see its own") {
  const std::string link = sprung("{k: 30 kN/m}", "$k");
  CHECK(stiffness_of(read_texts({{"main.yaml", "include: link.yaml\n"}, {"link.yaml", link}})) == 30000.0);
  CHECK(stiffness_of(read_texts(
            {{"main.yaml", "include: link.yaml\nparameters: {k: 5 N/m}\n"}, {"link.yaml", link}})) == 5.0);
  const std::string bare = link.substr(link.find('\n') + 1);
  CHECK(stiffness_of(read_texts(
            {{"main.yaml", "parameters: {k: 7}\ninclude: bare.yaml\n"}, {"bare.yaml", bare}})) == 7.0);
  // A file of constants.
  CHECK(stiffness_of(read_texts({{"main.yaml", "include: numbers.yaml\n" + bare},
                                 {"numbers.yaml", "parameters: {k: 8}\n"}})) == 8.0);
}

TEST_CASE(
    "two included files with different values of one name are refused, unless the file above gives it") {
  const std::string link = sprung("{k: 1}", "$k"), numbers = "parameters: {k: 2}\n";
  const std::string both = "include: [link.yaml, numbers.yaml]\n";
  CHECK(refusal_of({{"main.yaml", both}, {"link.yaml", link}, {"numbers.yaml", numbers}}) ==
        "numbers.yaml:1:17: parameters: k: link.yaml:1:17 gives it another value, and neither file includes "
        "the other: give it in the file that includes both");
  CHECK(refusal_of(
            {{"main.yaml", "parameters: {k: 3}\n" + both}, {"link.yaml", link}, {"numbers.yaml", numbers}}) ==
        "");
  CHECK(refusal_of({{"main.yaml", both}, {"link.yaml", link}, {"numbers.yaml", "parameters: {k: 1}"}}) == "");
  CHECK(refusal_of({{"main.yaml", both}, {"link.yaml", link}, {"numbers.yaml", numbers}}, {{"k", "4"}}) ==
        "");
}

TEST_CASE("given values count more than those of the files, and their errors name both places") {
  const std::map<std::string, std::string> texts{{"main.yaml", sprung("{k: 30 kN/m}", "2*$k")}};
  CHECK(stiffness_of(read_with(texts, {{"k", "40 kN/m"}})) == 80000.0);
  CHECK(stiffness_of(read_with(texts, {{"k", "40"}})) == 80.0);  // in the unit of the place
  CHECK(refusal_of(texts, {{"k", "40 kN"}}) ==
        "main.yaml:3:64: force (spring_damper): stiffness: needs the unit N/m, has \"kN\" (k is 40 kN by "
        "--set, in place of main.yaml:1:17)");
  CHECK(refusal_of(texts, {{"k", "4O"}}) ==
        "main.yaml:1:17: parameters: k: --set k=4O: \"4O\" is not a number");
}

TEST_CASE("a problem of the catalog takes no parameters of a file") {
  CHECK(complaints("problem: heavy_top\nparameters: {k: 1}\n") ==
        "main.yaml:2:13: parameters: belongs to bodies of a file; a problem has its own, and set: gives its "
        "parameters");
}
