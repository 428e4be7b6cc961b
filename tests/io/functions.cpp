// Functions, drives and forces by functions in model files: read, written and read again, refused.
#include <catena/io/parts/write_model.hpp>
#include <catena/model/detail/element_digest.hpp>
#include <catena/model/forces.hpp>
#include <catena/model/joints.hpp>

#include "io/support_models.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

namespace functions_in_files {
using namespace catena;
using catena_test::builtin_types;
using catena_test::read_texts;

const std::string hinge = R"(bodies:
  - {name: arm, mass: 1, inertia: [1, 1, 1]}
joints:
  - {type: revolute, name: hip, bodies: [ground, arm]}
)";

std::string with_target(const std::string& target) {
  return hinge + "  - {type: drive, name: motor, joint: hip, target: " + target + "}\n";
}

// The members of all elements, functions by their values at some places.
class Functions : public ElementVisitor {
 public:
  std::vector<double> values;
  std::vector<std::string> kinds;
  std::vector<Function> functions;
  void bodies(const OptionInfo&, BodyId*, int) override {}
  void real(const OptionInfo&, double& x) override { values.push_back(x); }
  void integer(const OptionInfo&, int& x) override { values.push_back(x); }
  void vector(const OptionInfo&, Vec3& v) override { values.insert(values.end(), v.e, v.e + 3); }
  void direction(const OptionInfo& i, Vec3& v) override { vector(i, v); }
  void flag(const OptionInfo&, bool& x) override { values.push_back(x ? 1.0 : 0.0); }
  void text(const OptionInfo&, std::string&) override {}
  void choice(const OptionInfo&, int& x, const std::vector<std::string>&) override { values.push_back(x); }
  void joint(const OptionInfo&, ConstraintId& joint) override { values.push_back(static_cast<int>(joint)); }
  void function(const OptionInfo&, Function& f, const FunctionUnits&) override {
    kinds.emplace_back(f.kind());
    functions.push_back(f);
    for (const double x : {0.0, 0.3, 0.7, 1.0, 1.9}) {
      const FunctionValue u = f.at(x);
      for (const double y : {u.value, u.slope, u.curvature}) values.push_back(std::isnan(y) ? 1e99 : y);
    }
  }
};

Functions functions_of(const Model& model) {
  Functions found;
  for (const auto* list : {&model.constraints(), &model.forces()})
    for (const Model::ElementRef& r : *list)
      model.pools()[static_cast<std::size_t>(r.pool)]->list_members(r.element, found);
  return found;
}

Function target_of(const std::string& target, const std::map<std::string, std::string>& more = {}) {
  std::map<std::string, std::string> texts = more;
  texts["main.yaml"] = with_target(target);
  const Model model = read_texts(texts, builtin_types(), {.open_joints = true}).model;
  return functions_of(model).functions.at(0);
}

std::string complaint(const std::string& text, const std::map<std::string, std::string>& more = {}) {
  std::map<std::string, std::string> texts = more;
  texts["main.yaml"] = text;
  try {
    read_texts(texts, builtin_types(), {.open_joints = true});
  } catch (const ModelFileError& error) {
    return error.what();
  }
  return "";
}

}  // namespace functions_in_files
using namespace functions_in_files;

TEST_CASE("functions in files are those of C++, with units, and come back as they were written") {
  constexpr double deg = 3.14159265358979323846 / 180.0;
  const std::pair<const char*, Function> all[] = {
      {"30 deg", 30.0 * deg},
      {"{type: constant, value: 30 deg}", 30.0 * deg},
      {"{type: ramp, from: 10 deg, to: 1 rad, start: 200 ms, end: 0.9 s}",
       functions::Ramp{10.0 * deg, 1.0, 0.2, 0.9}},
      {"{type: step, to: 90 deg, start: 0.1, end: 1.5}", functions::SmoothStep{0.0, 90.0 * deg, 0.1, 1.5}},
      {"{type: sine, amplitude: 5 deg, frequency: 2 Hz, phase: 90 deg, offset: -1}",
       functions::Sine{5.0 * deg, 2.0, 90.0 * deg, -1.0}},
      {"{type: chirp, amplitude: 2, frequency: 1 Hz, end_frequency: 3 Hz, duration: 2 s}",
       functions::Chirp{.amplitude = 2.0, .frequency = 1.0, .end_frequency = 3.0, .duration = 2.0}},
      {"{type: polynomial, coefficients: [0.5, -1, 0.25]}", functions::Polynomial{{0.5, -1.0, 0.25}}},
      {"{type: table, x: [0, 1, 2], y: [0, 0.5, 0.6], spline: monotone, beyond: hold}",
       functions::Table{
           {0.0, 1.0, 2.0}, {0.0, 0.5, 0.6}, functions::Spline::monotone, functions::Beyond::hold}}};
  for (const auto& each : all) {
    const std::string text = each.first;
    CAPTURE(text);
    const Function read = target_of(text);
    CHECK(std::string(read.kind()) == each.second.kind());
    for (const double x : {0.0, 0.3, 0.85, 1.7}) {
      CHECK(read.at(x).value == doctest::Approx(each.second.at(x).value).epsilon(1e-15));
      CHECK(read.at(x).slope == doctest::Approx(each.second.at(x).slope).epsilon(1e-14));
      CHECK(read.at(x).curvature == doctest::Approx(each.second.at(x).curvature).epsilon(1e-13));
    }
    const Model model =
        read_texts({{"main.yaml", with_target(text)}}, builtin_types(), {.open_joints = true}).model;
    const std::string written = write_model(model, builtin_types());
    const Model again = read_texts({{"main.yaml", written}}, builtin_types(), {.open_joints = true}).model;
    CHECK(functions_of(again).values == functions_of(model).values);
    CHECK(functions_of(again).kinds == functions_of(model).kinds);
  }
}

TEST_CASE("forces by functions in files come back as they were written") {
  const std::string text = hinge + R"(forces:
  - {type: joint_force, joint: hip, stiffness: 3 N m/rad, free: 90 deg, friction: 0.1, spring: {type: polynomial, coefficients: [0, 1]},
     actuator: {type: sine, amplitude: 2 N m}}
  - {type: joint_friction, joint: hip, coefficient: 0.2, radius: 5 mm, speed: 2 mm/s, light_load: 0.5 N, viscous: 3 N s/m}
  - {type: strut, bodies: [ground, arm], point_a: [1, 0, 0], damping: 3, damper: {type: table, x: [-9, 9], y: [-1, 1]}}
  - {type: varying_force, bodies: arm, force: [1, 2, 3], factor: {type: step, end: 0.1}}
  - {type: varying_torque, bodies: arm, torque: [1, 2, 3], axes: body, factor: 2}
  - {type: pid, joint: hip, target: {type: ramp, to: 90 deg}, proportional: 3 N m/rad, integral: 2 N m/rad/s, derivative: 1 N m s/rad,
     limit: 4 N m, period: 10 ms}
)";
  const Model model = read_texts({{"main.yaml", text}}).model;
  const Functions read = functions_of(model);
  CHECK(read.kinds == std::vector<std::string>{"polynomial", "constant", "sine", "constant", "table",
                                               "constant", "step", "constant", "ramp"});
  const Functions again =
      functions_of(read_texts({{"main.yaml", write_model(model, builtin_types())}}).model);
  CHECK(again.values == read.values);
  CHECK(again.kinds == read.kinds);
  // Units of a controller of an angle are those of moments.
  CHECK(read.values.at(read.values.size() - 1) == 0.01);
}

TEST_CASE("a bushing in a file has a diagonal or whole matrices, which come back") {
  const auto forces = [](const std::string& members) {
    return "bodies:\n  - {name: arm, mass: 1, inertia: [1, 1, 1]}\nforces:\n  - {type: bushing, name: mount, "
           "bodies: "
           "[ground, arm], " +
           members + "}\n";
  };
  const std::string rows =
      "[[1, 2, 0, 0, 0, 0], [2, 5, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0], [0, 0, 0, 1, 0, 0], "
      "[0, 0, 0, 0, 1, 0], [0, 0, 0, 0, 0, 1]]";
  const Model model =
      read_texts({{"main.yaml", forces("stiffness: [1, 2, 3, 4, 5, 6], damping: " + rows)}}).model;
  const std::string written = write_model(model, builtin_types());
  CHECK(written.find("stiffness: [[1, 0, 0, 0, 0, 0], [0, 2, 0, 0, 0, 0], ") != std::string::npos);
  CHECK(written.find("damping: [[1, 2, 0, 0, 0, 0], [2, 5, 0, 0, 0, 0], ") != std::string::npos);
  CHECK(write_model(read_texts({{"main.yaml", written}}).model, builtin_types()) == written);
  CHECK(complaint(forces("stiffness: [1, 2]")).find("stiffness: a list of 6 numbers belongs here") !=
        std::string::npos);
  CHECK(complaint(forces("stiffness: 3"))
            .find("stiffness: 6 numbers, the diagonal, or 6 rows of 6 belong here") != std::string::npos);
  CHECK(complaint(forces("stiffness: [[1, 2]]")).find("stiffness: 6 numbers, the diagonal, or 6 rows of 6") !=
        std::string::npos);
}

TEST_CASE("a table may be in a file of numbers, by numbers or names of its columns") {
  const char* const csv = "# measured\ntime, angle, other\n0, 0.5, 9\n1, 0.7, 8\n\n2.5, 0.1, 7\n";
  for (const std::string columns : {"", ", columns: [time, angle]", ", columns: [1, 2]"}) {
    CAPTURE(columns);
    const Function f =
        target_of("{type: table, file: motion.csv, spline: linear" + columns + "}", {{"motion.csv", csv}});
    CHECK(f.at(0.5).value == doctest::Approx(0.6).epsilon(1e-15));
    CHECK(f.at(2.5).value == 0.1);
  }
  CHECK(
      target_of("{type: table, file: m.txt, spline: linear, columns: [2, 1]}", {{"m.txt", "1 0\r\n3\t2\r\n"}})
          .at(1.0)
          .value == 2.0);
  const ModelFile file =
      read_texts({{"main.yaml", with_target("{type: table, file: m.txt}")}, {"m.txt", "0 1\n2 3"}},
                 builtin_types(), {.open_joints = true});
  CHECK(file.files() == std::vector<std::string>{"main.yaml", "m.txt"});
}

TEST_CASE("a bushing takes units and a place in the world; so do a screw and a torsion spring") {
  const auto force = [](const std::string& members) {
    return "parameters: {kx: 1 kN/mm}\nbodies: [{name: arm, mass: 1, inertia: [1, 1, 1], position: [1, 0, "
           "0]}]\n"
           "forces: [{name: f, bodies: [ground, arm], " +
           members + "}]\n";
  };
  const std::string matrix = "type: bushing, stiffness: [$kx, 2 N/mm, 3, 4 N m/rad, 5, 6]";
  const Model model = read_texts({{"main.yaml", force(matrix + ", at: [1, 0, 2], axis: [1, 0, 0]")}}).model;
  const std::string written = write_model(model, builtin_types());
  CHECK(written.find("stiffness: [[1000000, 0, 0, 0, 0, 0], [0, 2000, 0, 0, 0, 0], ") != std::string::npos);
  CHECK(written.find("point_a: [1, 0, 2]") != std::string::npos);
  CHECK(written.find("point_b: [0, 0, 2]") != std::string::npos);
  CHECK(written.find("axis_b: [1, 0, 0]") != std::string::npos);
  CHECK(complaint(force("type: bushing, stiffness: [$kx, 2 N m/rad, 3, 4, 5, 6]"))
            .find("stiffness: needs the unit N/m, has \"N m/rad\"") != std::string::npos);
  const std::string bodies = "bodies: [{name: arm, mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}]\n";
  CHECK(
      write_model(read_texts({{"main.yaml", bodies + "forces: [{type: torsion_spring, bodies: [ground, arm], "
                                                     "stiffness: 3, axis: [0, 1, 0]}]\n"}})
                      .model,
                  builtin_types())
          .find("axis_a: [0, 1, 0]") != std::string::npos);
  CHECK(write_model(
            read_texts({{"main.yaml", bodies + "joints: [{type: screw, bodies: [ground, arm], at: [1, 0, 0], "
                                               "axis: [0, 0, 1]}]\n"}})
                .model,
            builtin_types())
            .find("point_a: [1, 0, 0]") != std::string::npos);
  CHECK(complaint(bodies + "forces: [{type: torsion_spring, bodies: [ground, arm], at: [0, 0, 0]}]\n")
            .find("unknown key \"at\"") != std::string::npos);
}

TEST_CASE("numbers of tables and polynomials may have units, in lists and in the first line of a file") {
  const double deg = std::numbers::pi / 180.0;
  CHECK(target_of("{type: table, x: [0, 500 ms], y: [0, 90 deg], spline: linear}").at(0.25).value ==
        doctest::Approx(45.0 * deg).epsilon(1e-14));
  CHECK(target_of("{type: polynomial, coefficients: [10 deg, 60 rpm, 0, 1 rad/s^3]}").at(2.0).value ==
        doctest::Approx(10.0 * deg + 4.0 * std::numbers::pi + 8.0).epsilon(1e-14));
  const char* const csv = "t [ms];angle [deg]\n0;0\n500;90\n1000;45\n";
  for (const std::string columns : {"", ", columns: [t, angle]", ", columns: ['t [ms]', 'angle [deg]']"})
    CHECK(target_of("{type: table, file: m.csv, spline: linear" + columns + "}", {{"m.csv", csv}})
              .at(0.25)
              .value == doctest::Approx(45.0 * deg).epsilon(1e-14));
  // Round brackets, as most write them, and the mark of UTF-8 that spreadsheets put first.
  const char* const exported = "\xEF\xBB\xBFtime (ms),angle (deg)\n0,0\n500,90\n1000,45\n";
  for (const std::string columns :
       {"", ", columns: [time, angle]", ", columns: ['time (ms)', 'angle (deg)']"})
    CHECK(target_of("{type: table, file: m.csv, spline: linear" + columns + "}", {{"m.csv", exported}})
              .at(0.25)
              .value == doctest::Approx(45.0 * deg).epsilon(1e-14));
  CHECK(target_of("{type: table, file: m.csv, spline: linear}", {{"m.csv",
                                                                  "\xEF\xBB\xBF"
                                                                  "0,0\n1,2\n"}})
            .at(0.5)
            .value == 1.0);
}

TEST_CASE("units are seen in a comment that is a header, and in names between quotation marks, or refused") {
  const double deg = std::numbers::pi / 180.0;
  const auto quarter = [](const char* text) {
    return target_of("{type: table, file: m.csv, spline: linear}", {{"m.csv", text}}).at(0.25).value;
  };
  for (const char* const text :
       {"# time [ms], angle [deg]\n0,0\n500,90\n", "# measured\n#time [ms]\tangle [deg]\n0 0\n500 90\n",
        "time [ms],\"angle, of the crank [deg]\"\n0,0\n500,90\n",
        "\"time [ms]\" \"angle [deg]\"\n0 0\n500 90\n"}) {
    CAPTURE(text);
    CHECK(quarter(text) == doctest::Approx(45.0 * deg).epsilon(1e-14));
  }
  // Comments that name no columns.
  for (const char* const text : {"# made [today]\n0,0\n0.5,2\n", "# a, b\n0,0\n0.5,2\n"})
    CHECK(quarter(text) == 1.0);
  const auto wrong = [](const char* text) {
    return complaint(with_target("{type: table, file: m.csv}"), {{"m.csv", text}});
  };
  CHECK(wrong("time [ms],angle in [deg] of crank\n0,0\n500,90\n")
            .find("column \"angle in [deg] of crank\": a unit in brackets comes at the end of a name") !=
        std::string::npos);
  CHECK(wrong("time [ms],angle, crank [deg]\n0,0\n500,90\n")
            .find("line 2: has 2 columns, and the names above are 3: a name with a separator in it is put in "
                  "quotation marks") != std::string::npos);
  CHECK(wrong("time [ms] angle [deg]\n0 0\n500 90\n").find("column \"[ms]\"") != std::string::npos);
  for (const char* const text : {"# time [ms] angle [deg]\n0 0\n500 90\n", "# a, b [ms], c\n0,0\n500,90\n"})
    CHECK(wrong(text).find(
              "line 2: the comment above has the unit [ms] and not a name for each of 2 columns") !=
          std::string::npos);
}

TEST_CASE("tabs separate the columns of a file whose first line has them between its names") {
  const double deg = std::numbers::pi / 180.0;
  const char* const tabs = "time [ms]\tthe angle [deg]\tnote\t\n0\t0\t\n500\t90\tend of ramp\n1000\t45\t-\n";
  for (const std::string columns :
       {"", ", columns: [time, the angle]", ", columns: ['time [ms]', 'the angle [deg]']"})
    CHECK(target_of("{type: table, file: m.txt, spline: linear" + columns + "}", {{"m.txt", tabs}})
              .at(0.25)
              .value == doctest::Approx(45.0 * deg).epsilon(1e-14));
  // Aligned by tabs; the names alone separated by one; no names.
  for (const char* const blanks :
       {"time\t\tangle\n0\t\t0\n1\t\t2\n", "time\tangle\n0 0\n1   2\n", "0\t\t0\n1 \t2\n"})
    CHECK(target_of("{type: table, file: m.txt, spline: linear}", {{"m.txt", blanks}}).at(0.5).value == 1.0);
  CHECK(complaint(with_target("{type: table, file: m.txt, columns: [time, c]}"),
                  {{"m.txt", "time\tb\tc\n0\t\t0\n1\t2\n"}})
            .find("line 3: has 2 columns, column 3 is wanted") != std::string::npos);
}

TEST_CASE("functions that files write wrongly are refused with the place and the name") {
  const std::pair<const char*, const char*> wrong[] = {
      {"{type: sinus}",
       "5:59: joint \"motor\" (drive): target: type: constant, ramp, step, sine, chirp, polynomial or "
       "table belongs here, not \"sinus\""},
      {"{amplitude: 3}", "the key \"type\" is missing"},
      {"{type: sine, amplitud: 3}", "target: unknown key \"amplitud\" (did you mean \"amplitude\"?)"},
      {"{type: sine, amplitude: 3 m}", "amplitude: "},
      {"{type: sine, frequency: 3 m}", "frequency: "},
      {"[1, 2]", "target: a number or a map with a type belongs here, not a list of 2"},
      {"{type: ramp, start: 1, end: 1}", "target: end must be after start"},
      {"{type: table, x: [0, 1], y: [1]}", "target: x and y must have as many numbers, have 2 and 1"},
      {"{type: table, x: [0, 1 m], y: [1, 2]}", "x: needs the unit s, has \"m\""},
      {"{type: table, x: [0, 1], y: [1, 2 s]}", "y: needs the unit rad, has \"s\""},
      {"{type: polynomial, coefficients: [1, 2 rad]}", "coefficients: needs the unit rad/s, has \"rad\""},
      {"{type: table, file: metres.csv}",
       "file: metres.csv: column \"angle [m]\": needs the unit rad, has \"m\""},
      {"{type: table, file: german.csv}", "file: german.csv: line 2: "},
      {"{type: table, x: 3, y: [1, 2]}", "x: a list of numbers belongs here, not \"3\""},
      {"{type: table, columns: [1, 2]}", "columns: belongs to a file of numbers, and no file is given"},
      {"{type: table, file: gone.csv}", "file: gone.csv: there is no such file"},
      {"{type: table, file: bad.csv}", "file: bad.csv: line 3: "},
      {"{type: table, file: typed.csv}", "file: typed.csv: line 1: "},
      {"{type: table, file: short.csv}", "file: short.csv: line 2: has 1 columns, column 2 is wanted"},
      {"{type: table, file: bad.csv, columns: [time, angel]}",
       "file: bad.csv: there is no column \"angel\"; did you mean \"angle\"?"},
      {"{type: table, file: bad.csv, x: [1, 2]}", "x: the points are in the file"},
      {"{type: table, file: empty.csv}", "file: empty.csv: it has no rows of numbers"}};
  const std::map<std::string, std::string> files = {{"bad.csv", "time,angle\n0,1\n1,zwei\n"},
                                                    {"typed.csv", "0.O,1\n1,2\n"},
                                                    {"short.csv", "0 1\n2\n"},
                                                    {"empty.csv", "# nothing\n"},
                                                    {"metres.csv", "time [s],angle [m]\n0,1\n1,2\n"},
                                                    {"german.csv", "1;2\n2,5;3\n"}};
  for (const auto& each : wrong) {
    const std::string target = each.first, why = each.second;
    CAPTURE(target);
    const std::string said = complaint(with_target(target), files);
    CAPTURE(said);
    CHECK(said.find(why) != std::string::npos);
    CHECK(said.find("motor") != std::string::npos);
  }
}

TEST_CASE("a drive in a file names a joint that leaves the coordinate free") {
  CHECK(complaint(hinge + "  - {type: drive, name: motor, joint: hip, coordinate: displacement}\n")
            .find("joint \"motor\" (drive): joint: joint \"hip\" (revolute) holds its displacement itself") !=
        std::string::npos);
  CHECK(complaint(hinge + "  - {type: drive, name: motor, joint: hop}\n").find("there is no joint \"hop\"") !=
        std::string::npos);
  CHECK(complaint(hinge + "  - {type: drive, name: motor}\n").find("the key \"joint\" is missing") !=
        std::string::npos);
}

TEST_CASE("a function made in C++ has no form in a file, and its values are in the model's key") {
  const auto model_with = [](double rate) {
    Model model = read_texts({{"main.yaml", hinge}}).model;
    model.add(JointDrive{
        .joint = ConstraintId{0}, .target = Function::of([=](auto t) { return rate * t; }), .name = "motor"});
    return model;
  };
  try {
    write_model(model_with(1.0), builtin_types());
    FAIL("a function made in C++ was written");
  } catch (const ModelError& error) {
    CHECK(std::string(error.what()) ==
          "this model has no form in a file: joint \"motor\" (drive): target is a function made in C++");
  }
  CHECK(element_digest(model_with(1.0)) == element_digest(model_with(1.0)));
  CHECK(element_digest(model_with(1.0)) != element_digest(model_with(1.0000001)));
  const auto digest_of = [](const std::string& target) {
    return element_digest(
        read_texts({{"main.yaml", with_target(target)}}, builtin_types(), {.open_joints = true}).model);
  };
  CHECK(digest_of("{type: sine, phase: 1 rad}") != digest_of("{type: sine, phase: 1.001 rad}"));
  CHECK(digest_of("{type: table, x: [0, 1], y: [0, 1]}") !=
        digest_of("{type: table, x: [0, 1], y: [0, 1.001]}"));
}

TEST_CASE("a joint may be given by one place in the world, where its bodies are at first") {
  const std::string bodies = R"(bodies:
  - {name: a, mass: 1, inertia: [1, 1, 1], position: [0.1, 0.2, 0.3], orientation: {axis: [1, 2, 3], angle: 50 deg}}
  - {name: b, mass: 2, inertia: [1, 2, 2], position: [0.4, -0.2, 1], orientation: {axis: [0, 1, 3], angle: -20 deg}}
joints:
  - )";
  // Closed as placed: no joint is open.
  for (const std::string joint :
       {"spherical", "revolute", "prismatic", "weld", "rows, rows: [on_line, locked]"}) {
    const bool turns = joint != "spherical";
    CAPTURE(joint);
    const std::string text = bodies + "{type: " + joint + ", name: hip, bodies: [a, b], at: [1, 2, 50 cm]" +
                             (turns ? ", axis: [1, 1, 0], side: [0, 0, 2]" : "") + "}\n";
    const Model model = read_texts({{"main.yaml", text}}).model;
    CHECK(model.open_constraints().empty());
  }
  const auto said = [&](const std::string& members) {
    return complaint(bodies + "{type: revolute, name: hip, bodies: [a, b], " + members + "}\n");
  };
  CHECK(said("at: [1, 2, 3], point_a: [0, 0, 1]").find("point_a: the place of the joint is given by at") !=
        std::string::npos);
  CHECK(said("axis: [1, 2, 3], axis_b: [0, 0, 1]").find("axis_b: the axis of the joint is given by axis") !=
        std::string::npos);
  CHECK(said("at: [1, 2, 3], side: [0, 0, 1]").find("side: across an axis, and no axis is given") !=
        std::string::npos);
  CHECK(said("at: [1, 2, 3], axis: [0, 1, 0], side: [0, 2, 0]").find("side: must not lie along axis") !=
        std::string::npos);
  CHECK(said("axis: [0, 0, 0]").find("axis must have a direction, has length 0") != std::string::npos);
  CHECK(complaint(bodies + "{type: spherical, bodies: [a, b], axis: [1, 2, 3]}\n")
            .find("unknown key \"axis\"") != std::string::npos);
}

TEST_CASE("words of other programs are answered with the word here") {
  const auto said = [](const std::string& joint) {
    return complaint("bodies:\n  - {name: arm, mass: 1, inertia: [1, 1, 1]}\njoints:\n  - " + joint + "\n");
  };
  CHECK(said("{type: hinge, bodies: [ground, arm]}")
            .find("no joint of type \"hinge\"; it is called revolute here") != std::string::npos);
  CHECK(said("{type: ball, bodies: [ground, arm]}").find("it is called spherical here") != std::string::npos);
  CHECK(said("{type: slider, bodies: [ground, arm]}").find("it is called prismatic here") !=
        std::string::npos);
  CHECK(said("{type: fixed, bodies: [ground, arm]}").find("it is called weld here") != std::string::npos);
  for (const auto& pair : {std::pair("Hinge Joint", "revolute"), std::pair("revolute_joint", "revolute"),
                           std::pair("u-joint", "universal"), std::pair("BallJoint", "spherical"),
                           std::pair("helical", "screw"), std::pair("Revolute", "revolute"),
                           std::pair("no slip wheel", "rolling_disc"), std::pair("bolt", "weld")}) {
    const std::string word = pair.first, own = pair.second;
    CHECK_MESSAGE(said("{type: " + word + ", bodies: [ground, arm]}").find("it is called " + own + " here") !=
                      std::string::npos,
                  word);
  }
  CHECK(said("{type: spring, bodies: [ground, arm]}").find("it is called spring_damper here, a force") !=
        std::string::npos);
  for (const auto& pair : {std::pair("hinge_axis", "axis"), std::pair("hinge axis", "axis"),
                           std::pair("JointAxis", "axis"), std::pair("parent", "bodies"),
                           std::pair("body1", "bodies"), std::pair("anchor", "at"), std::pair("pos", "at")}) {
    const std::string key = pair.first, own = pair.second;
    CHECK_MESSAGE(
        said("{type: revolute, " + key + ": 1}")
                .find("unknown key \"" + key + "\" (it is called \"" + own + "\" here)") != std::string::npos,
        key);
  }
  const std::string body =
      complaint("bodies: [{name: arm, m: 1, I: [1, 1, 1], omega: [0, 0, 1]}]\ng: 9.81\ndt: 1e-3\n");
  for (const char* own : {"\"m\" (it is called \"mass\" here)", "\"I\" (it is called \"inertia\" here)",
                          "\"omega\" (it is called \"angular_velocity\" here)",
                          "\"g\" (it is called \"gravity\" here)", "the key \"dt\" belongs into run"})
    CHECK_MESSAGE(body.find(own) != std::string::npos, body);
  CHECK(said("{type: revolute, bodies: [World Frame, arm]}").find("(the inertial frame is called ground)") !=
        std::string::npos);
  CHECK(said("{type: revolute, bodies: [world, arm]}")
            .find("there is no body \"world\" (the inertial frame is called ground)") != std::string::npos);
}
