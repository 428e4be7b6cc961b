// `catena check`: what is wrong is found and named, what is right is left alone.
#include <catena/cli/cli.hpp>
#include <catena/model/joints.hpp>
#include <catena/model/parts/inertia.hpp>
#include <catena/model/parts/spring_damper.hpp>

#include "support/ask.hpp"
#include "support/relative.hpp"
#include "support/temporary_folder.hpp"
#include "support/toy.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>
#include <functional>
#include <sstream>

using namespace catena;
using namespace catena::detail;
using catena_test::Answer;
using catena_test::relative;
using Json = nlohmann::json;

namespace {

// What may be wrong with Slot and Drag.
enum class Fault { none, jacobian, drift, bias, rate_jacobian, geometric_stiffness, damping, stiffness };
Fault fault = Fault::none;

// The centre of one body stays in the moving plane z = t, at the distance of an arm from the x axis: all derivatives
// by hand.
struct Slot {
  static constexpr int rows = 2;
  static constexpr const char* type_name = "slot";
  std::array<BodyId, 1> bodies;
  std::string name = {};

  template <class S>
  Vec<S, 2> gap(const BodyFrame<S>& A, const S& t) const {
    return {{A.x[2] - t, S(0.5) * (A.x[1] * A.x[1] + A.x[2] * A.x[2]) - S(0.5)}};
  }
  void jacobian(const BodyFrame<double>* f, double, Mat<double, 2, 6>* G) const {
    G[0] = Mat<double, 2, 6>::Zero();
    G[0](0, 2) = 1.0;
    G[0](1, 1) = f[0].x[1];
    G[0](1, 2) = fault == Fault::jacobian ? -f[0].x[2] : f[0].x[2];
  }
  Vec<double, 2> drift(const BodyFrame<double>*, double) const {
    return {{fault == Fault::drift ? 1.0 : -1.0, 0.0}};
  }
  Vec<double, 2> bias(const BodyFrame<double>* f, double) const {
    const Vec3& v = f[0].v;
    return {{0.0, (fault == Fault::bias ? 2.0 : 1.0) * (v[1] * v[1] + v[2] * v[2])}};
  }
  void rate_jacobian(const BodyFrame<double>* f, double, Mat<double, 2, 6>* N) const {
    N[0] = Mat<double, 2, 6>::Zero();
    N[0](1, 1) = fault == Fault::rate_jacobian ? 0.0 : f[0].v[1];
    N[0](1, 2) = f[0].v[2];
  }
  void geometric_stiffness(const BodyFrame<double>*, double, const Vec<double, 2>& lambda,
                           Mat<double, 6, 6>* K) const {
    K[0] = Mat<double, 6, 6>::Zero();
    K[0](1, 1) = lambda[1];
    K[0](2, 2) = fault == Fault::geometric_stiffness ? 0.5 * lambda[1] : lambda[1];
  }
};

// A force -|x|^2 x - v on one body.
struct Drag {
  static constexpr const char* type_name = "drag";
  std::array<BodyId, 1> bodies;
  std::string name = {};

  template <class S>
  Vec<S, 6> wrench(const BodyFrame<S>& A, const S&) const {
    Vec<S, 6> w = Vec<S, 6>::Zero();
    const S square = dot(A.x, A.x);
    for (int k = 0; k < 3; ++k) w[k] = -square * A.x[k] - A.v[k];
    return w;
  }
  void derivatives(const BodyFrame<double>* f, double, Mat<double, 6, 6>* K, Mat<double, 6, 6>* D) const {
    K[0] = D[0] = Mat<double, 6, 6>::Zero();
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) K[0](i, j) = 2.0 * f[0].x[i] * f[0].x[j];
      K[0](i, i) += fault == Fault::stiffness ? 0.0 : dot(f[0].x, f[0].x);
      D[0](i, i) = fault == Fault::damping ? 2.0 : 1.0;
    }
  }
};

// A force that is not finite at the origin.
struct Pole {
  std::array<BodyId, 1> bodies;
  std::string name;
  template <class S>
  Vec<S, 6> wrench(const BodyFrame<S>& A, const S&) const {
    Vec<S, 6> w = Vec<S, 6>::Zero();
    w[0] = S(1.0) / A.x[0];
    return w;
  }
};

using Build = std::function<void(Model&)>;
Build build;

struct UserProblem : Problem {
  std::string summary() const override { return "what the test builds"; }
  void visit(OptionVisitor&) override {}
  Model model() const override {
    Model m;
    build(m);
    return m;
  }
  ProblemDefaults defaults() const override { return {"generalized_alpha", 1e-3, 1.0}; }
};

// In its own coordinates; a toy that computes rows and balance but writes no matrix.
struct NoMatrix : Problem {
  std::string summary() const override { return "a mass point on a rod"; }
  void visit(OptionVisitor&) override {}
  std::unique_ptr<System> own_system() const override { return std::make_unique<catena_test::ToyPendulum>(); }
  ProblemDefaults defaults() const override { return {"generalized_alpha", 1e-3, 1.0}; }
};

BodyId add_box(Model& m, const char* name, const Vec3& place, double mass = 1.0) {
  return m.add(
      Body{.name = name, .mass = mass, .inertia = box_inertia(mass, {{0.1, 0.2, 0.3}}), .position = place});
}
void hang(Model& m, const char* name, BodyId one, BodyId other, const Vec3& place) {
  const auto from = [&](BodyId id) { return id == ground ? place : place - m.body(id).position; };
  m.add(SphericalJoint{.bodies = {one, other}, .point_a = from(one), .point_b = from(other), .name = name});
}
void slotted(Model& m) {
  const BodyId plate = add_box(m, "plate", {{0.3, 1.0, 0.0}});
  m.body(plate).velocity = {{0.0, 0.0, 1.0}};
  m.add(Slot{{plate}, "groove"});
  m.add(Drag{{plate}, "air"});
}

Answer ask(const std::vector<std::string>& arguments) {
  static const Catalog catalog = [] {
    Catalog c = builtin();
    c.add<UserProblem>("user").add<NoMatrix>("no_matrix");
    return c;
  }();
  return catena_test::ask(arguments, catalog);
}
Answer check(const Build& what) {
  build = what;
  return ask({"check", "user"});
}
Json check_json(const Build& what) {
  build = what;
  return Json::parse(ask({"check", "user", "--json", "-"}).out);
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("every problem of the library is fit to run: nothing right is called wrong") {
  const Catalog library = builtin();
  for (const ProblemEntry& problem : library.problems()) {
    CAPTURE(problem.name);
    const Answer a = ask({"check", problem.name});
    CAPTURE(a.out);
    CHECK(a.code == exit_ok);
    CHECK(contains(a.out, "fit to run"));
    CHECK(contains(a.out, "at 3 configurations, 0 wrong"));
  }
}

TEST_CASE("bodies, rows and degrees of freedom are counted") {
  const Json top = Json::parse(ask({"check", "heavy_top", "--json", "-"}).out);
  CHECK(top["bodies"] == 1);
  CHECK(top["position_rows"] == 3);
  CHECK(top["degrees_of_freedom"] == 3);
  const Json chain = Json::parse(ask({"check", "rod_chain", "--set", "n=5", "--json", "-"}).out);
  CHECK(chain["bodies"] == 5);
  CHECK(chain["velocities"] == 30);
  CHECK(chain["fit"] == true);
}

TEST_CASE("redundant rows of a four-bar are counted and their joints named") {
  // Four hinges with parallel axes: 20 rows of rank 17 leave one motion; the twin's three rows add nothing.
  for (const auto& [twin, rows] : {std::pair{"false", 20}, std::pair{"true", 23}}) {
    const Answer a = ask({"check", "four_bar", "--set", std::string("twin=") + twin, "--json", "-"});
    const Json json = Json::parse(a.out);
    CHECK(a.code == exit_ok);
    CHECK(json["position_rows"] == rows);
    CHECK(json["independent_rows"] == 17);
    CHECK(json["degrees_of_freedom"] == 1);
    CHECK(json["redundancy"]["redundant_rows"] == rows - 17);
    CHECK(contains(json["redundancy"]["dependencies"].dump(), "twin of a") == (std::string(twin) == "true"));
  }
}

TEST_CASE("what nothing can move, and what does not begin to move, is said with the reason") {
  const auto hinge = [](Model& m, const char* name, const Vec3& axis) {
    m.add(RevoluteJoint{.bodies = {ground, BodyId{0}}, .axis_a = axis, .axis_b = axis, .name = name});
  };
  const Answer still = check([&](Model& m) {
    m.gravity = {{0.0, 0.0, -9.81}};
    add_box(m, "leaf", Vec3::Zero());
    hinge(m, "pivot", Vec3::Unit(2));
  });
  CHECK(still.code == exit_ok);
  CHECK(contains(
      still.out,
      "remark: nothing moves: the initial state is at rest, and no force acts along any free motion; "
      "the axis of joint \"pivot\" (revolute) is parallel to gravity"));
  const Answer held = check([&](Model& m) {
    m.gravity = {{0.0, 0.0, -9.81}};
    add_box(m, "shelf", Vec3::Zero());
    hinge(m, "one", Vec3::Unit(0));
    hinge(m, "other", Vec3::Unit(2));
    hang(m, "hook", ground, add_box(m, "lamp", {{1.0, 3.0, 0.0}}), {{0.0, 3.0, 0.0}});
  });
  CHECK(contains(held.out, "remark: the constraints hold body \"shelf\": nothing can move it"));
  CHECK_FALSE(contains(held.out, "nothing moves"));
  const Answer locked = check([&](Model& m) {
    add_box(m, "shelf", Vec3::Zero());
    hinge(m, "one", Vec3::Unit(0));
    hinge(m, "other", Vec3::Unit(2));
  });
  CHECK(contains(locked.out, "remark: nothing can move: the constraints leave no free motion"));
}

TEST_CASE("a joint that is listed twice is named with its double") {
  const Answer a = check([](Model& m) {
    const BodyId arm = add_box(m, "arm", {{1.0, 0.0, 0.0}});
    hang(m, "first", ground, arm, Vec3::Zero());
    hang(m, "second", ground, arm, Vec3::Zero());
  });
  CHECK(a.code == exit_ok);  // redundant rows can be run
  CHECK(contains(a.out, "3 of 6 constraint rows are redundant"));
  CHECK(contains(a.out, "joint \"first\" (spherical), joint \"second\" (spherical)"));
  CHECK(contains(a.out, "degrees of freedom          3"));
}

TEST_CASE("wrong derivatives of the user's own constraints and forces are named with row and coordinate") {
  fault = Fault::none;
  CHECK(check(slotted).code == exit_ok);
  const std::pair<Fault, const char*> cases[] = {
      {Fault::jacobian, "joint \"groove\" (slot): Jacobian is wrong in row 2 at body \"plate\", z: "},
      {Fault::drift, "joint \"groove\" (slot): drift is wrong in row 1: "},
      {Fault::bias, "joint \"groove\" (slot): bias is wrong in row 2: "},
      {Fault::rate_jacobian,
       "joint \"groove\" (slot): rate Jacobian is wrong in row 2 at body \"plate\", y: "},
      {Fault::geometric_stiffness,
       "joint \"groove\" (slot): geometric stiffness is wrong at body \"plate\", z: "},
      {Fault::damping, "force \"air\" (drag) on body \"plate\": damping is wrong in "},
      {Fault::stiffness, "force \"air\" (drag) on body \"plate\": stiffness is wrong in "}};
  for (const auto& one : cases) {
    const char* const sentence = one.second;
    CAPTURE(sentence);
    fault = one.first;
    const Answer a = check(slotted);
    CAPTURE(a.out);
    CHECK(a.code == exit_run_ended_early);
    CHECK(contains(a.out, sentence));
    CHECK(contains(a.out, "not fit to run"));
    CHECK(contains(a.out, "3 configurations, 1 wrong"));  // one cause, one line
  }
  fault = Fault::jacobian;
  const Json wrong = check_json(slotted)["wrong_derivatives"][0];
  CHECK(wrong["row"] == 2);
  CHECK(wrong["component"] == 3);
  // z is 0 at the start and 0.03 ... 0.1 rms radii at the second configuration; the sign alone is wrong.
  CHECK(wrong["given"].get<double>() == relative(-wrong["differences"].get<double>(), 1e-6));
  fault = Fault::none;
}

TEST_CASE("systems in their own coordinates are checked too, and their blocks and components named") {
  const Answer a = ask({"check", "no_matrix"});
  CHECK(a.code == exit_run_ended_early);
  CHECK(contains(a.out, "blocks of coordinates       1"));
  // G = (sin 1, -cos 1) at the start; the row that the matrix has is empty.
  CHECK(contains(
      a.out,
      "rod (distance): Jacobian is wrong in row 1 at point, component 1: 0, differences give 0.841471"));
  CHECK(contains(a.out, "point: mass matrix is wrong in component 1: 0, differences give"));
}

TEST_CASE("parts that nothing connects, and parts that nothing holds, are reported") {
  const Build three = [](Model& m) {
    const BodyId a = add_box(m, "a", {{1.0, 0.0, 0.0}}), b = add_box(m, "b", {{2.0, 0.0, 0.0}}),
                 c = add_box(m, "c", {{5.0, 0.0, 0.0}});
    add_box(m, "d", {{9.0, 0.0, 0.0}});
    hang(m, "1", ground, a, Vec3::Zero());
    hang(m, "2", a, b, {{1.5, 0.0, 0.0}});
    m.add(SpringDamper{.bodies = {ground, c}, .stiffness = 10.0, .rest_length = 5.0});
  };
  const Answer answer = check(three);
  CHECK(answer.code == exit_ok);
  CHECK(contains(answer.out, "the bodies form 3 separate parts"));
  CHECK(contains(answer.out, "2 parts are not tied to the ground by a joint"));
  const Json parts = check_json(three)["parts"];
  REQUIRE(parts.size() == 3);
  CHECK(parts[0]["bodies"] == Json({"a", "b"}));
  CHECK(parts[0]["on_ground"] == true);
  CHECK(parts[1]["bodies"] == Json({"c"}));
  CHECK(parts[1]["forces_to_ground"] == true);
  CHECK(parts[2]["forces_to_ground"] == false);

  // Two pendulums on one ceiling are two mechanisms, also where the ceiling is a fixed body.
  const Json two = check_json([](Model& m) {
    const BodyId ceiling = m.add(Body{.name = "ceiling", .fixed = true});
    hang(m, "1", ceiling, add_box(m, "a", {{1.0, 0.0, 0.0}}), Vec3::Zero());
    hang(m, "2", ceiling, add_box(m, "b", {{0.0, 1.0, 0.0}}), Vec3::Zero());
  });
  CHECK(two["parts"].size() == 2);
  CHECK(two["fixed_bodies"] == 1);
  CHECK(two["parts"][1]["on_ground"] == true);
}

TEST_CASE("initial positions off their joints are an error with sizes, the worst first") {
  const Build off = [](Model& m) {
    const BodyId a = add_box(m, "a", {{1.0, 0.0, 0.0}}), b = add_box(m, "b", {{2.0, 0.0, 0.0}});
    hang(m, "small", ground, a, Vec3::Zero());
    hang(m, "large", a, b, {{1.5, 0.0, 0.0}});
    m.body(a).position[2] += 1e-6;
    m.body(b).position[2] += 0.25;
  };
  const Answer a = check(off);
  CHECK(a.code == exit_run_ended_early);
  CHECK(contains(a.out,
                 "the initial positions violate 2 constraints, joint \"large\" (spherical) by 0.249999 m"));
  const Json found = check_json(off)["initial_state"]["position_violations"];
  REQUIRE(found.size() == 2);
  CHECK(found[0]["residual"].get<double>() == relative(0.25 - 1e-6, 1e-9));
  CHECK(found[1]["residual"].get<double>() == relative(1e-6, 1e-9));
}

TEST_CASE("initial velocities off their joints are remarked on, with what a start will move") {
  const Build moving = [](Model& m) {
    const BodyId arm = add_box(m, "arm", {{1.0, 0.0, 0.0}});
    hang(m, "pin", ground, arm, Vec3::Zero());
    m.body(arm).velocity = {{2.0, 0.0, 0.0}};  // along the arm: nothing of it fits
  };
  const Answer a = check(moving);
  CHECK(a.code == exit_ok);
  CHECK(contains(a.out, "the initial velocities violate 1 constraint, joint \"pin\" (spherical) by 2"));
  const Json json = check_json(moving);
  // All 2 m/s go; the scale is the rms radius, sqrt(trace of the inertia / 2 m) = sqrt(0.14 / 12) m.
  CHECK(json["initial_state"]["velocity_change"].get<double>() ==
        relative(2.0 / std::sqrt(0.14 / 12.0), 1e-9));
}

TEST_CASE("check of a file that is assembled says what moved, those that moved most first") {
  const catena_test::TemporaryFolder temporary;
  const std::string path = (temporary.path() / "two.yaml").string();
  std::ofstream(path)
      << "assemble: true\n"
         "bodies:\n"
         "  - {name: near, mass: 1, inertia: [1, 1, 1], position: [0, 0, 0.1]}\n"
         "  - {name: far, mass: 1, inertia: [1, 1, 1], position: [0, 0, -0.3], velocity: [2, 0, 0]}\n"
         "joints:\n"
         "  - {type: weld, name: one, bodies: [ground, near]}\n"
         "  - {type: weld, name: two, bodies: [ground, far]}\n";
  const Answer a = catena_test::ask({"check", path});
  CAPTURE(a.out);
  CHECK(a.code == exit_ok);
  CHECK(contains(a.out,
                 "\nAssembly\n"
                 "  bodies moved                0.3 m       0 rad       body \"far\"\n"
                 "                              0.1 m       0 rad       body \"near\"\n"));
  const Json json = Json::parse(catena_test::ask({"check", path, "--json", "-"}).out)["assembly"];
  CHECK(json["moves"].size() == 2);
  CHECK(json["moves"][0]["body"] == "far");
  CHECK(json["moves"][0]["distance"].get<double>() == relative(0.3, 1e-12));
  CHECK(json["moves"][1]["turn"].get<double>() == 0.0);
  CHECK(json["velocity_change"].get<double>() == relative(2.0 / std::sqrt(1.5), 1e-12));
  CHECK(json["disagreements"].empty());
  // So does a run.
  const Answer run = catena_test::ask({"run", path, "--step", "0.01", "--end", "0.01"});
  CHECK(contains(run.out, "Moved by the assembly                        2\n"));
  CHECK(contains(run.out, "body \"far\" by 0.3 m and 0 rad\n"));
  CHECK(
      Json::parse(catena_test::ask({"run", path, "--end", "0.01", "--json", "-"}).out)["moved"][1]["body"] ==
      "near");
  // Nothing is said of files that ask for no assembly.
  CHECK(!contains(check([](Model& m) { add_box(m, "box", Vec3::Zero()); }).out, "Assembly"));
}

TEST_CASE("scales are reported with their owners, ratios beyond what is verified are remarked on") {
  const Json json = check_json([](Model& m) {
    const BodyId a = add_box(m, "ship", {{1.0, 0.0, 0.0}}, 1e7),
                 b = add_box(m, "bolt", {{2.0, 0.0, 0.0}}, 0.5);
    hang(m, "1", ground, a, Vec3::Zero());
    hang(m, "2", a, b, {{1.5, 0.0, 0.0}});
  });
  const Json& mass = json["scales"][0];
  CHECK(mass["quantity"] == "mass");
  CHECK(mass["smallest_of"] == "body \"bolt\"");
  CHECK(mass["largest_of"] == "body \"ship\"");
  CHECK(mass["ratio"] == 2e7);
  CHECK(contains(json["remarks"].dump(), "mass: 2e+07 between"));
  CHECK(json["fit"] == true);
}

TEST_CASE("a force that is not finite in the initial state is refused by name") {
  const Answer a = check([](Model& m) { m.add(Pole{{add_box(m, "probe", Vec3::Zero())}, "north"}); });
  CHECK(a.code == exit_bad_input);
  CHECK(contains(a.err, "force \"north\" (force): the force is not finite in the initial state"));
}

TEST_CASE("steppers that refuse a problem say why; one's own choice among them is an error") {
  const Json json = Json::parse(ask({"check", "knife_edge", "--json", "-"}).out);
  bool refused = false;
  for (const Json& s : json["steppers"])
    if (s["takes"] == false) refused = refused || !s["reason"].get<std::string>().empty();
  CHECK(refused);
  CHECK(json["velocity_rows"] == 1);
}

TEST_CASE("the initial state is shown level by level: joints that are closed and whose bodies leave them") {
  const catena_test::TemporaryFolder folder;
  const std::string file = (folder.path() / "ball.yaml").string();
  std::ofstream(file) << "bodies: [{name: ball, mass: 1, inertia: [1, 1, 1], velocity: [0.5, 0, 0]}]\n"
                         "joints: [{type: spherical, name: hook, bodies: [ground, ball], at: [0, 0, 0]}]\n";
  const Answer a = ask({"check", file});
  CHECK(contains(a.out, "position residual           0 at worst\n"));
  CHECK(contains(a.out, "velocity residual           0.5 at worst, violated:\n"));
  CHECK(contains(a.out, "0.5         joint \"hook\" (spherical), " + file + ":2:10\n"));
}

TEST_CASE("a check says what holds each part, and which coordinates of joints are free") {
  const catena_test::TemporaryFolder folder;
  const std::string file = (folder.path() / "yard.yaml").string();
  const std::string held =
                        "bodies:\n"
                        "  - {name: cart, mass: 1, inertia: [1, 1, 1]}\n"
                        "  - {name: door, mass: 1, inertia: [1, 1, 1], position: [0, 3, 0]}\n",
                    others =
                        "  - {name: buoy, mass: 1, inertia: [1, 1, 1], position: [0, 6, 0]}\n"
                        "  - {name: stone, mass: 1, inertia: [1, 1, 1], position: [0, 9, 0]}\n",
                    joints =
                        "joints:\n"
                        "  - {type: prismatic, name: rail, bodies: [ground, cart], at: [0, 0, 0], axis: x}\n"
                        "  - {type: revolute, name: hinge, bodies: [ground, door], at: [1, 3, 0], axis: z}\n",
                    mooring = "forces: [{type: spring_damper, bodies: [ground, buoy], stiffness: 1}]\n";
  std::ofstream(file) << held << others << joints << mooring;
  const std::string text = ask({"check", file}).out;
  CHECK(contains(text, "on the ground by joints: cart\n"));
  CHECK(contains(text, "on the ground by joints: door\n"));
  CHECK(contains(text, "held by forces only: buoy\n"));
  CHECK(contains(text, "free: stone\n"));
  std::ofstream(file) << held << joints;
  const Json motions = Json::parse(ask({"check", file, "--json", "-"}).out)["free_motions"];
  REQUIRE(motions.size() == 2);
  int found = 0;
  for (const Json& motion : motions) {
    REQUIRE(motion["joints"].size() == 1);
    const bool rail = contains(motion["joints"][0]["joint"], "rail");
    CHECK(contains(motion["joints"][0]["joint"], rail ? "rail" : "hinge"));
    CHECK(motion["joints"][0]["coordinate"] == (rail ? "displacement" : "angle"));
    found += rail ? 1 : 2;
  }
  CHECK(found == 3);
}

TEST_CASE("what the run section of a file asks for, and does not exist, is an error as it is of a run") {
  const catena_test::TemporaryFolder folder;
  const std::string file = (folder.path() / "door.yaml").string();
  for (const auto& each :
       {std::pair{"record: energi", "no quantity \"energi\""}, {"reactions: 'norm:0'", "norm:0"}}) {
    const std::string section = each.first, said = each.second;
    CAPTURE(section);
    std::ofstream(file) << "bodies: [{name: a, mass: 1, inertia: [1, 1, 1]}]\n"
                           "joints: [{type: revolute, bodies: [ground, a]}]\n"
                           "run: {end: 0.1, "
                        << section << "}\n";
    const Answer a = ask({"check", file});
    CHECK(a.code == exit_run_ended_early);
    CHECK(contains(a.out, "error: "));
    CHECK(contains(a.out, said));
    CHECK(contains(a.out, "not fit to run"));
  }
}

TEST_CASE("what cannot be looked at ends with 2 and a sentence") {
  CHECK(ask({"check", "no_such_problem"}).code == exit_bad_input);
  const Answer parameter = ask({"check", "rod_chain", "--set", "n=0"});
  CHECK(parameter.code == exit_bad_input);
  CHECK(contains(parameter.err, "n=0"));
  build = [](Model& m) { m.add(Body{.name = "ghost", .mass = -1.0}); };
  const Answer bad = ask({"check", "user", "--json", "-"});
  CHECK(bad.code == exit_bad_input);
  CHECK(contains(bad.err, "body \"ghost\": mass must be positive"));
  CHECK(Json::parse(bad.out)["fit"] == false);
  CHECK(ask({"check"}).code == exit_bad_input);
}
