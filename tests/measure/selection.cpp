// The list of quantities, and choices from it by text.
#include <catena/assembly/multibody_system.hpp>
#include <catena/measure/measurements.hpp>
#include <catena/measure/parts/builtin_quantities.hpp>
#include <catena/model/joints.hpp>

#include "support/toy.hpp"

#include <doctest/doctest.h>

using namespace catena;
using namespace catena::detail;

namespace {

std::vector<std::string> names_of(const Selection& selection) {
  std::vector<std::string> names;
  for (const ChosenQuantity& chosen : selection) names.push_back(chosen.quantity.name);
  return names;
}

std::string refusal(const std::string& text) {
  try {
    select(builtin_quantities(), text);
  } catch (const SelectionError& error) {
    return error.what();
  }
  return "";
}

std::string refusal_of(const System& system, const std::string& text) {
  const Selection selection = select(builtin_quantities(), text);
  try {
    const Measurements measurements(system, selection);
  } catch (const SelectionError& error) {
    return error.what();
  }
  return "";
}

Model two_links() {
  Model model;
  const BodyId a = model.add(Body{.name = "upper, left", .position = {{0.5, 0.0, 0.0}}});
  const BodyId b = model.add(Body{.name = "lower", .position = {{1.5, 0.0, 0.0}}});
  model.add(SphericalJoint{.bodies = {ground, a}, .point_b = {{-0.5, 0.0, 0.0}}, .name = "hip"});
  model.add(SphericalJoint{
      .bodies = {a, b}, .point_a = {{0.5, 0.0, 0.0}}, .point_b = {{-0.5, 0.0, 0.0}}, .name = "knee"});
  return model;
}

}  // namespace

TEST_CASE("a selection names quantities and groups, and is in the order of the catalog") {
  const QuantityCatalog all = builtin_quantities();
  using Names = std::vector<std::string>;
  CHECK(names_of(select(all, "momentum/linear,energy/total")) == Names{"energy/total", "momentum/linear"});
  CHECK(names_of(select(all, " momentum ")) == Names{"momentum/linear", "momentum/angular"});
  CHECK(names_of(select(all, "")) == names_of(standard_selection(all)));
  CHECK(names_of(select(all, "all")).size() == all.all().size());
  CHECK(names_of(select(all, "standard")).size() + 16 ==
        all.all().size());  // without peaks, joints, forces, drives and error bars
  const Selection twice = select(all, "reactions:hip,reactions/force:knee:hip");
  REQUIRE(twice.size() == 2);
  CHECK(twice[0].items == Names{"hip", "knee"});
  CHECK(twice[1].items == Names{"hip"});
  CHECK(select(all, "reactions:hip,reactions")[0].items.empty());  // all of them, and one of these
}

TEST_CASE("a selection that cannot be is refused with the nearest names") {
  CHECK(refusal("enrgy") == "there is no quantity \"enrgy\": did you mean \"energy\"?");
  CHECK(refusal("energy,momentun/linear") ==
        "there is no quantity \"momentun/linear\": did you mean \"momentum/linear\"?");
  CHECK(refusal("xyzzy").find(
            "there is no quantity \"xyzzy\": there are standard, all, time, step, energy") == 0);
  CHECK(refusal("energy:hip") ==
        "\"energy\" belongs to the whole system and has no items: leave \":hip\" out");
  CHECK(refusal("energy,,q") == "a name is missing in \"energy,,q\"");
  CHECK(refusal("q:") == "an item is missing behind a colon in \"q:\"");
  CHECK(refusal("bodies:\"upper") == "a quotation mark is not closed in \"bodies:\"upper\"");
}

TEST_CASE("items that a system does not have are refused with the nearest of those that it has") {
  const MultibodySystem system(two_links());
  CHECK(refusal_of(system, "reactions:hip").empty());
  CHECK(refusal_of(system, "bodies:\"upper, left\"").empty());
  CHECK(refusal_of(system, "reactions:hipp") ==
        "\"reactions/force\" has no side \"hipp\": did you mean \"hip\"?");
  CHECK(refusal_of(system, "lambda:knie") == "\"lambda\" has no row \"knie\": did you mean \"knee\"?");
  CHECK(refusal_of(system, "lambda:0") == "\"lambda\" has no row \"0\"; there are hip, knee");
  const std::string of_state = refusal_of(system, "q:link");
  CHECK(of_state == "\"q\" has no coordinate \"link\"; there are 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 4 more");
  CHECK(refusal_of(system, "points") == "\"points\" cannot be recorded: this problem follows no points");
  const catena_test::ToyPendulum own;
  CHECK(refusal_of(own, "momentum") ==
        "\"momentum\" cannot be recorded: this system has no such bodies or joints");
  CHECK(refusal_of(own, "energy").empty());  // of the group what is there
  CHECK(refusal_of(own, "all").empty());
}

TEST_CASE("a catalog takes a quantity of the user's once, and none that cannot be shown") {
  QuantityCatalog all = builtin_quantities();
  const Quantity height{
      .name = "tip/height", .unit = "m", .evaluate = [](const Instant&, double* out) { *out = 0.0; }};
  all.add(height);
  CHECK(all.find("tip/height") != nullptr);
  CHECK(all.find("tip") == nullptr);
  CHECK(names_of(select(all, "tip")) == std::vector<std::string>{"tip/height"});
  CHECK_THROWS_WITH(all.add(height), "the name \"tip/height\" of a quantity is taken");
  Quantity bad = height;
  bad.name = "tip height";
  CHECK_THROWS_AS(all.add(bad), std::invalid_argument);
  bad.name = "/tip";
  CHECK_THROWS_AS(all.add(bad), std::invalid_argument);
  bad = height;
  bad.name = "tip/speed";
  bad.evaluate = nullptr;
  CHECK_THROWS_WITH(all.add(bad), "the quantity \"tip/speed\" has no function that evaluates it");
  bad = height;
  bad.name = "tip/place";
  bad.components = {"x", "y"};
  bad.titles = {"x"};
  CHECK_THROWS_WITH(all.add(bad), "the quantity \"tip/place\" has 1 titles for 2 components");
}
