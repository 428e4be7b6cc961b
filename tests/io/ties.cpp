// Joints and forces between the bodies of two repetitions.
#include "io/support_models.hpp"

#include <doctest/doctest.h>

#include <utility>

using catena_test::complaints;
using catena_test::read_text;

namespace {

// A chain of bodies in a column at x.
std::string column(const std::string& name, int count, const std::string& x, const std::string& more = "") {
  return "  - {name: " + name + ", count: " + std::to_string(count) + ", body: {name: \"" + name +
         " {i}\", mass: 1, inertia: [1, 1, 1], position: [" + x + ", 0, 0]}, step: {translate: [0, 1, 0]}" +
         more + "}\n";
}

// Names of the bodies of every element.
std::vector<std::pair<std::string, std::string>> pairs_of(
    const catena::Model& model, const std::vector<catena::Model::ElementRef>& list) {
  const auto name = [&](catena::BodyId id) { return id == catena::ground ? "ground" : model.body(id).name; };
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const catena::Model::ElementRef& r : list) {
    const auto& pool = *model.pools()[static_cast<std::size_t>(r.pool)];
    pairs.emplace_back(name(pool.body(r.element, 0)), name(pool.body(r.element, 1)));
  }
  return pairs;
}

using Pairs = std::vector<std::pair<std::string, std::string>>;
const char* const rung = "joint: {type: distance, name: \"rung {i}\", length: 1}";

std::string tied(const std::string& tie, int right = 3) {
  return "repeat:\n" + column("left", 3, "0") + column("right", right, "1", ", tie: " + tie);
}

}  // namespace

TEST_CASE("a tie joins body i of a chain with body i of another one: the rungs of a ladder") {
  const catena::Model m = read_text(tied(std::string("{to: left, ") + rung + "}")).model;
  CHECK(pairs_of(m, m.constraints()) ==
        Pairs{{"right 1", "left 1"}, {"right 2", "left 2"}, {"right 3", "left 3"}});
  CHECK(m.constraint_name(catena::ConstraintId{1}) == "rung 2");
}

TEST_CASE("a tie to the ground holds every body of a chain there") {
  const auto chain = [](const std::string& more, const std::string& name = "left") {
    return "repeat:\n" +
           column(name, 3, "0",
                  ", tie: {to: ground, force: {type: spring_damper, name: \"mooring {i}\", stiffness: "
                  "1, point_b: [0, 0, 2]}" +
                      more + "}");
  };
  const catena::Model m = read_text(chain("")).model;
  CHECK(pairs_of(m, m.forces()) == Pairs{{"left 1", "ground"}, {"left 2", "ground"}, {"left 3", "ground"}});
  CHECK(m.force_label(catena::ForceId{2}) == "force \"mooring 3\" (spring_damper)");
  CHECK(complaints(chain(", offset: 1")).find("offset: the ground is one for all bodies") !=
        std::string::npos);
  CHECK(complaints(chain("", "ground")).find("the name ground is that of the inertial frame") !=
        std::string::npos);
}

TEST_CASE("an offset shifts the partner, and bodies without one are left out") {
  const auto pairs = [](const std::string& offset, int right) {
    const catena::Model m =
        read_text(
            tied("{to: left, offset: " + offset + ", force: {type: spring_damper, stiffness: 1}}", right))
            .model;
    return pairs_of(m, m.forces());
  };
  CHECK(pairs("1", 3) == Pairs{{"right 1", "left 2"}, {"right 2", "left 3"}});
  CHECK(pairs("-2", 3) == Pairs{{"right 3", "left 1"}});
  CHECK(pairs("0", 5).size() == 3);
}

TEST_CASE("several ties, of a repetition to itself and of a chain to a net") {
  const catena::Model m =
      read_text("repeat:\n" +
                column("left", 4, "0", ", tie: {to: left, offset: 2, joint: {type: distance, length: 2}}") +
                "grid:\n  name: net\n  count: [2, 3]\n  body: {name: \"knot {i} {j}\", mass: 1, inertia: [1, "
                "1, 1], "
                "position: [1, 0, 0]}\n  step: [{translate: [0, 1, 0]}, {translate: [1, 0, 0]}]\n  tie:\n"
                "    - {to: left, force: {type: spring_damper, name: \"edge {i} {j}\", stiffness: 1}}\n"
                "    - {to: net, offset: [1, 1], force: {type: spring_damper, stiffness: 1}}\n")
          .model;
  CHECK(pairs_of(m, m.constraints()) == Pairs{{"left 1", "left 3"}, {"left 2", "left 4"}});
  // A chain is a net of one column.
  CHECK(pairs_of(m, m.forces()) == Pairs{{"knot 1 1", "left 1"},
                                         {"knot 2 1", "left 2"},
                                         {"knot 1 1", "knot 2 2"},
                                         {"knot 1 2", "knot 2 3"}});
}

TEST_CASE(
    "windows of a four-bar: posts, cranks and couplers are three chains, closed to 1e-9 where they are "
    "placed") {
  const catena::Model m = read_text(R"(
repeat:
  - {name: posts, count: 4, body: {name: "post {i}", fixed: true}, step: {translate: [1, 0, 0]}}
  - name: cranks
    count: 4
    body: {name: "crank {i}", mass: 1, inertia: [1, 1, 1], position: [0, 0.5, 0]}
    step: {translate: [1, 0, 0]}
    tie: {to: posts, joint: {type: revolute, name: "foot {i}", point_a: [0, -0.5, 0]}}
  - name: couplers
    count: 3
    body: {name: "coupler {i}", mass: 1, inertia: [1, 1, 1], position: [0.5, 1, 0]}
    step: {translate: [1, 0, 0]}
    tie:
      - {to: cranks, joint: {type: revolute, name: "left {i}", point_a: [-0.5, 0, 0], point_b: [0, 0.5, 0]}}
      - {to: cranks, offset: 1, joint: {type: revolute, name: "right {i}", point_a: [0.5, 0, 0], point_b: [0, 0.5, 0]}}
)")
                              .model;
  CHECK(m.body_count() == 11);
  const Pairs pairs = pairs_of(m, m.constraints());
  REQUIRE(pairs.size() == 10);
  CHECK(pairs[3] == Pairs::value_type{"crank 4", "post 4"});
  CHECK(pairs[6] == Pairs::value_type{"coupler 3", "crank 3"});
  CHECK(pairs[9] == Pairs::value_type{"coupler 3", "crank 4"});
  CHECK(m.constraint_name(catena::ConstraintId{9}) == "right 3");
  CHECK(m.open_constraints().empty());
}

TEST_CASE("what is wrong with a tie is said at its place") {
  const auto said = [](const std::string& tie, const std::string& sentence) {
    const std::string all = complaints(tied(tie));
    CAPTURE(all);
    CHECK(all.find(sentence) != std::string::npos);
    CHECK(all.find('\n') == std::string::npos);
  };
  said(std::string("{to: lft, ") + rung + "}",
       "repeat: tie: to: no repeat or grid before this one is called \"lft\" (did you mean \"left\"?)");
  said(std::string("{to: left, offset: 3, ") + rung + "}",
       "repeat: tie: with this offset no body has a partner");
  said("{to: left}", "repeat: tie: give a joint or a force");
  said("{to: left, joint: {type: knife_edge}}", "joint (knife_edge): acts on one body; a tie joins two");
  said(std::string("{to: left, offset: 0.5, ") + rung + "}",
       "repeat: tie: offset: a whole number belongs here, not \"0.5\"");
  said(std::string("{to: left, rungs: 1, ") + rung + "}", "repeat: tie: unknown key \"rungs\"");
  said(std::string("{to: left, offset: 1e7, ") + rung + "}", "offset");
  CHECK(complaints("repeat:\n" + column("a", 2, "0") + column("a", 2, "1"))
            .find("repeat: name: another repetition is called \"a\"") != std::string::npos);
  CHECK(complaints(tied(std::string("{to: left, ") + rung + "}").replace(0, 0, "")).empty());
  // Of a repetition that has an error itself nothing more is said.
  std::string wrong = tied(std::string("{to: left, ") + rung + "}");
  wrong.replace(wrong.find("mass: 1"), 7, "mass: x");
  CHECK(complaints(wrong).find("\"x\" is not a number") != std::string::npos);
  CHECK(complaints(wrong).find('\n') == std::string::npos);
  // A joint of a tie is placed as any other: an open one is refused.
  CHECK(complaints(tied("{to: left, joint: {type: distance, name: \"rung {i}\", length: 2}}"))
            .find("the initial positions leave it open by 1 m") != std::string::npos);
}
