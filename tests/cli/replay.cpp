// Failure records: what a run that fails writes, and `catena replay`.
#include "support/ask.hpp"
#include "support/source_folder.hpp"
#include "support/temporary_folder.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace fs = std::filesystem;
using namespace catena;
using catena_test::Answer;
using catena_test::ask;
using catena_test::file_text;
using catena_test::TemporaryFolder;
using Json = nlohmann::json;

namespace {

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

long lines_in(const std::string& text) { return std::count(text.begin(), text.end(), '\n'); }

// A top that turns too fast for two iterations; more: arguments behind these.
std::vector<std::string> failing(const fs::path& out, const std::string& stepper = "generalized_alpha") {
  return {
      "run",        "heavy_top", "--set",
      "spin=10000", "--stepper", stepper,
      "--step",     "0.1",       "--end",
      "1",          "--option",  stepper == "alpha_rattle" ? "max_iterations=2" : "max_newton_iterations=2",
      "--output",   out.string()};
}

void write(const fs::path& file, const std::string& text) { std::ofstream(file, std::ios::binary) << text; }

}  // namespace

TEST_CASE(
    "a run that fails writes what it takes to take the step again, and replay takes it to the same "
    "iterates") {
  const TemporaryFolder folder;
  for (const std::string stepper : {"generalized_alpha", "lie_dae", "discrete_action"}) {
    CAPTURE(stepper);
    const fs::path out = folder.path() / stepper, file = out / "failure.json",
                   again = folder.path() / "again.json";
    const Answer run = ask(failing(out, stepper));
    REQUIRE(run.code == exit_run_ended_early);
    CHECK(says(run.err, "catena replay " + file.string()));
    CHECK(says(run.err, "  iterate  matrix  force balance"));
    REQUIRE(fs::exists(file));
    CHECK(ask({"replay", out.string()}).out ==
          ask({"replay", file.string()}).out);  // the folder of the run will do
    const Json record = Json::parse(file_text(file));
    CHECK(record.at("phase") == "step");
    CHECK(record.at("step") < 0.1);
    const Json& examined = record.at("examination");
    CHECK(examined.at("status") == "newton_not_converged");
    // Two corrections, for some two more with the pivoting fallback, and what they left.
    const Json& iterates = examined.at("iterates");
    CHECK(iterates.size() == (stepper == "generalized_alpha" ? 3 : 5));
    CHECK(iterates.front().at("new_matrix") == true);
    CHECK(iterates.front().at("correction").at("name") != "");
    CHECK(iterates.back().at("correction").is_null());

    const Answer same = ask({"replay", file.string(), "--json", again.string()});
    CHECK(same.code == exit_run_ended_early);
    CHECK(Json::parse(file_text(again)) == examined);
    CHECK(says(same.out, "newton_not_converged"));

    const Answer good = ask({"replay", file.string(), "--option", "max_newton_iterations=20"});
    CHECK(good.code == exit_ok);
    CHECK(says(good.out, "s: ok\n"));
    const Answer shorter = ask({"replay", file.string(), "--step", "1e-7"});
    CHECK(shorter.code == exit_ok);
    CHECK(says(shorter.out, "of 1e-07 s: ok\n"));
  }
}

TEST_CASE(
    "residuals of a failure record belong to their blocks, in SI units, and the matrix is that of its "
    "unknowns") {
  const TemporaryFolder folder;
  const fs::path out = folder.path() / "out";
  REQUIRE(ask(failing(out)).code == exit_run_ended_early);
  const Json record = Json::parse(file_text(out / "failure.json"));
  const Json& examined = record.at("examination");
  const Json& blocks = examined.at("blocks");
  REQUIRE(blocks.size() == 2);
  CHECK(blocks[0] == Json{{"name", "body \"top\""}, {"first", 0}, {"size", 6}});
  CHECK(blocks[1] == Json{{"name", "joint \"fixed point\" (spherical)"}, {"first", 6}, {"size", 3}});
  const Json& matrix = examined.at("matrix");
  CHECK(matrix.at("column_pointers").size() == 10);
  CHECK(matrix.at("residual").size() == 9);
  CHECK(matrix.at("values").size() == matrix.at("column_pointers").back().get<std::size_t>());

  // The largest of the body's six is what the last iterate and the sentence on the end name.
  const Json& residuals = examined.at("residuals");
  REQUIRE(residuals.size() == 2);
  double largest = 0.0;
  for (std::size_t k = 0; k < 6; ++k)
    if (const double x = matrix.at("residual")[k]; std::abs(x) > std::abs(largest)) largest = x;
  CHECK(residuals[0].at("quantity") == "force balance");
  CHECK(residuals[0].at("value") == largest);
  CHECK(residuals[0] == examined.at("iterates")[2].at("residuals")[0]);
  CHECK(residuals[1].at("quantity") == "position residual");
  CHECK(residuals[1] == examined.at("iterates")[2].at("residuals")[1]);
  CHECK(says(record.at("termination"), "of body \"top\""));
  CHECK(examined.at("culprit").at("value") == residuals[0].at("value"));
  // Mass 15 kg, the unit of the unknowns of all methods without a scale of their own.
  CHECK(matrix.at("values")[0] == 15.0);
  const Json& diagnosis = examined.at("diagnosis");
  CHECK(diagnosis.at("condition") > 1.0);
  CHECK(diagnosis.at("condition") < 100.0);
  CHECK(diagnosis.at("null_vectors").empty());
}

TEST_CASE("a failure record holds its model files") {
  const TemporaryFolder folder;
  const fs::path models = folder.path() / "models", out = folder.path() / "out";
  fs::create_directories(models / "parts");
  const Answer written = ask({"write", "heavy_top", "--set", "spin=10000"});
  REQUIRE(written.code == exit_ok);
  write(models / "parts" / "top.yaml", written.out);
  write(models / "main.yaml", "include: parts/top.yaml\n");
  const Answer run = ask({"run", (models / "main.yaml").string(), "--step", "0.1", "--end", "1", "--option",
                          "max_newton_iterations=2", "--output", out.string()});
  INFO(run.err);
  REQUIRE(run.code == exit_run_ended_early);
  const fs::path file = folder.path() / "taken_elsewhere.json";
  fs::copy(out / "failure.json", file);
  fs::remove_all(models);
  fs::remove_all(out);
  const Answer again = ask({"replay", file.string(), "--json", "-"});
  CHECK(again.code == exit_run_ended_early);
  CHECK(Json::parse(again.out) == Json::parse(file_text(file)).at("examination"));
  CHECK(says(again.err, "newton_not_converged"));
}

TEST_CASE("rows that become dependent are named with their singular value") {
  const TemporaryFolder folder;
  const fs::path out = folder.path() / "out";
  const Answer run = ask({"run", "snakeboard", "--end", "2", "--output", out.string()});
  REQUIRE(run.code == exit_run_ended_early);
  CHECK(says(run.err, "weakest pivot of the rows: "));
  CHECK(lines_in(run.err) <= 12);
  const Json examined = Json::parse(file_text(out / "failure.json")).at("examination");
  CHECK(examined.at("status") == "singular_kkt");
  CHECK(examined.at("diagnosis").at("condition") > 1e8);
  CHECK(says(examined.at("iterates").back().at("residuals").back().at("name"), "wheels"));
}

TEST_CASE("the record of a method without an iteration has residuals and the matrix where the step begins") {
  const TemporaryFolder folder;
  const fs::path file = catena_test::source_folder() / "tests/cli/broken/crank_past_its_dead_point.yaml";
  for (const char* stepper : {"dormand_prince", "radau", "lie_bdf"}) {
    CAPTURE(stepper);
    const fs::path out = folder.path() / stepper;
    const Answer run = ask({"run", file.string(), "--stepper", stepper, "--output", out.string()});
    REQUIRE(run.code == exit_run_ended_early);
    CHECK(says(run.err, "  where the step begins: force "));
    CHECK(says(run.err, "condition of the matrix of masses and rows"));
    const Json examined = Json::parse(file_text(out / "failure.json")).at("examination");
    const Json& blocks = examined.at("blocks");
    REQUIRE(examined.at("residuals").size() == blocks.size());
    for (std::size_t k = 0; k < blocks.size(); ++k)
      CHECK(examined.at("residuals")[k].at("name") == blocks[k].at("name"));
    CHECK(examined.at("residuals").back().at("quantity") == "position residual");
    CHECK(std::abs(examined.at("residuals").back().at("value").get<double>()) < 1e-9);
    CHECK(examined.at("matrix_of") == "beginning");
    CHECK(examined.at("matrix").at("values").size() ==
          examined.at("matrix").at("column_pointers").back().get<std::size_t>());
    CHECK(examined.at("diagnosis").at("condition") > 1e6);
    CHECK(examined.at("diagnosis").at("null_vectors").size() > 0);
    CHECK(says(examined.at("weakest_pivot").at("name"), "joint"));
    const Answer again =
        ask({"replay", (out / "failure.json").string(), "--json", (folder.path() / "again.json").string()});
    CHECK(Json::parse(file_text(folder.path() / "again.json")) == examined);
  }
}

TEST_CASE("failure records that are none, damaged or not of the model are refused with their name") {
  const TemporaryFolder folder;
  const fs::path out = folder.path() / "out", bad = folder.path() / "bad.json";
  REQUIRE(ask(failing(out)).code == exit_run_ended_early);
  const std::string good = file_text(out / "failure.json");
  const auto refusal = [&](const std::string& text) {
    write(bad, text);
    const Answer a = ask({"replay", bad.string()});
    CHECK(a.code == exit_bad_input);
    CHECK(says(a.err, "catena: "));
    return a.err;
  };
  CHECK(says(refusal(file_text(out / "report.json")), bad.string() + ": is no record of a failure"));
  CHECK(says(refusal(good.substr(0, good.size() / 2)), "was damaged"));
  const auto changed = [&](const auto& change) {
    Json json = Json::parse(good);
    change(json);
    return refusal(json.dump());
  };
  CHECK(says(changed([](Json& j) { j["format_version"] = 99; }), "this program reads format 1"));
  CHECK(says(changed([](Json& j) { j["state"]["q"].push_back(1.0); }),
             "it has 11 positions, the system has 10"));
  CHECK(says(changed([](Json& j) { j["state"]["q"][0] = nullptr; }), "was damaged"));
  CHECK(says(changed([](Json& j) { j["step"] = -1.0; }), "holds no size of a step"));
  CHECK(says(changed([](Json& j) {
               j["model"] = {{{"name", "../x.yaml"}, {"text", ""}}};
             }),
             "outside of its folder"));
  CHECK(says(changed([](Json& j) { j["scenario"]["problem"] = "heavy_tp"; }), "did you mean \"heavy_top\"?"));
  // Another version may have other bits; it is said.
  write(bad, [&] {
    Json json = Json::parse(good);
    json["version"] = "0.0.1";
    return json.dump();
  }());
  CHECK(says(ask({"replay", bad.string()}).out, "the record was made by catena 0.0.1, this is "));
  CHECK(says(ask({"replay", (folder.path() / "none.json").string()}).err, "none.json: it cannot be read"));
  CHECK(says(ask({"replay", bad.string(), "--step", "0"}).err, "--step 0"));
  CHECK(says(ask({"replay", bad.string(), "--option", "max_newton_iteration=3"}).err, "did you mean"));
  CHECK(says(ask({"replay", bad.string(), "--backend", "kluu"}).err, "did you mean \"klu\"?"));
  // Of other options than the history belongs to the step starts anew.
  const Answer other = ask({"replay", (out / "failure.json").string(), "--option", "jacobian=when_slow"});
  CHECK(says(other.out, "it starts anew from this state"));
}

TEST_CASE("a record of a failure goes with the run that it belongs to") {
  const TemporaryFolder folder;
  const fs::path out = folder.path() / "out";
  REQUIRE(ask(failing(out)).code == exit_run_ended_early);
  REQUIRE(fs::exists(out / "failure.json"));
  const Answer good = ask({"run", "heavy_top", "--end", "0.01", "--output", out.string(), "--overwrite"});
  CHECK(good.code == exit_ok);
  CHECK_FALSE(fs::exists(out / "failure.json"));
  // One that is not ours stays, and the run is refused.
  const fs::path other = folder.path() / "other";
  fs::create_directories(other);
  write(other / "failure.json", "mine");
  const Answer refused = ask({"run", "heavy_top", "--end", "0.01", "--output", other.string()});
  CHECK(refused.code == exit_bad_input);
  CHECK(says(refused.err, "failure.json"));
  CHECK(file_text(other / "failure.json") == "mine");
}

TEST_CASE("without a folder the terminal shows the failed step all the same, and says how to keep it") {
  const Answer run = ask({"run", "heavy_top", "--set", "spin=10000", "--step", "0.1", "--end", "1",
                          "--option", "max_newton_iterations=2", "--json", "-"});
  CHECK(run.code == exit_run_ended_early);
  CHECK(says(run.err, "to keep the record of this failure: run it with --output DIR"));
  const Json report = Json::parse(run.out);
  CHECK(report.at("failed_step").at("lines").size() > 4);
  CHECK(report.at("failed_step").at("record") == "");
  CHECK(
      Json::parse(ask({"run", "heavy_top", "--end", "0.01", "--json", "-"}).out).at("failed_step").is_null());
}

TEST_CASE("a start that fails writes its record and its report into a folder that was not there") {
  const TemporaryFolder folder;
  const fs::path model = folder.path() / "two_rates.yaml", out = folder.path() / "new" / "folder";
  write(model,
        "bodies: [{name: b, mass: 1, inertia: [1, 1, 1]}]\n"
        "joints:\n"
        "  - {type: revolute, name: h, bodies: [ground, b], at: [0, 0, 0], axis: [0, 0, 1]}\n"
        "  - {type: drive, name: d, joint: h, rate: true, target: 1}\n"
        "  - {type: drive, name: e, joint: h, rate: true, target: 2}\n"
        "run: {step: 10 ms, end: 1 s}\n");
  const Answer run = ask({"run", model.string(), "--output", out.string()});
  CHECK(run.code == exit_run_ended_early);
  CHECK(says(run.err, "catena replay " + (out / "failure.json").string()));
  CHECK(!says(run.err, "no record of this failure"));
  CHECK(!says(run.err, "run it with --output DIR"));
  REQUIRE(fs::exists(out / "failure.json"));
  CHECK(Json::parse(file_text(out / "failure.json")).at("phase") == "start");
  REQUIRE(fs::exists(out / "report.json"));
  CHECK(Json::parse(file_text(out / "report.json")).at("status") == "inconsistent_start");
  CHECK(ask({"replay", out.string()}).code == exit_run_ended_early);
  // It is the folder of a run as any other.
  CHECK(fs::exists(out / "run.json"));
  CHECK(ask({"resume", out.string()}).code == exit_run_ended_early);
  CHECK(ask({"run", model.string(), "--output", out.string()}).code == exit_bad_input);
  CHECK(ask({"run", model.string(), "--output", out.string(), "--overwrite"}).code == exit_run_ended_early);
}

TEST_CASE("a residual that is not a number is shown without a sign, with the reason that its element gives") {
  const TemporaryFolder folder;
  const fs::path model = folder.path() / "table.yaml", out = folder.path() / "out";
  write(model,
        "bodies: [{name: b, mass: 2, inertia: [1, 1, 1]}]\n"
        "joints:\n"
        "  - {type: prismatic, name: r, bodies: [ground, b], at: [0, 0, 0], axis: [1, 0, 0]}\n"
        "  - {type: drive, name: d, joint: r, coordinate: displacement, target: {type: table, x: [0, 0.1, "
        "0.2], y: [0, 0.1, 0.2]}}\n"
        "run: {step: 10 ms, end: 1 s}\n");
  const Answer run = ask({"run", model.string(), "--output", out.string()});
  REQUIRE(run.code == exit_run_ended_early);
  CHECK(says(run.err, "nan joint \"d\" (drive)"));
  CHECK(!says(run.err, "-nan"));
  const Answer again = ask({"replay", out.string()});
  CHECK(says(again.out, "nan joint \"d\" (drive)"));
  CHECK(!says(again.out, "-nan"));
  CHECK(says(again.out, "\n  joint \"d\" (drive): target: the table ends at 0.2"));
}

#ifdef CATENA_HAS_SUNDIALS
TEST_CASE("ida, which cuts its steps by itself, leaves a record of the step that it could not take") {
  const TemporaryFolder folder;
  const fs::path model = folder.path() / "linkage.yaml", out = folder.path() / "out";
  // Crank, coupler and rocker of 1 m on a ground of 2.2 m: the crank cannot turn.
  write(model,
        "gravity: [0, 0, -9.81]\n"
        "bodies:\n"
        "  - {name: a, mass: 1, inertia: [0.01, 0.1, 0.1], position: [0.5, 0, 0]}\n"
        "  - {name: b, mass: 1, inertia: [0.01, 0.1, 0.1], position: [1.3, 0, 0.4],\n"
        "     orientation: {axis: [0, 1, 0], angle: -53.1301 deg}}\n"
        "  - {name: c, mass: 1, inertia: [0.01, 0.1, 0.1], position: [1.9, 0, 0.4],\n"
        "     orientation: {axis: [0, 1, 0], angle: 53.1301 deg}}\n"
        "assemble: true\n"
        "joints:\n"
        "  - {type: revolute, name: A, bodies: [ground, a], point_b: [-0.5, 0, 0], axis_a: y, axis_b: y}\n"
        "  - {type: spherical, name: B, bodies: [a, b], point_a: [0.5, 0, 0], point_b: [-0.5, 0, 0]}\n"
        "  - {type: universal, name: C, bodies: [b, c], point_a: [0.5, 0, 0], point_b: [-0.5, 0, 0],\n"
        "     axis_a: y, axis_b: z}\n"
        "  - {type: revolute, name: D, bodies: [ground, c], point_a: [2.2, 0, 0], point_b: [0.5, 0, 0],\n"
        "     axis_a: y, axis_b: y}\n"
        "  - {type: drive, name: motor, joint: A, target: {type: polynomial, coefficients: [0, -2]},\n"
        "     as_placed: true}\n"
        "run: {step: 5 ms, end: 2 s}\n");
  // At looser tolerances the last step before the dead point may leave an energy that ends the run as unstable.
  const Answer run =
      ask({"run", model.string(), "--stepper", "ida", "--tolerance", "1e-8", "--output", out.string()});
  REQUIRE(run.code == exit_run_ended_early);
  CHECK(says(run.err, "step_too_small at t = "));
  CHECK(says(run.err, "catena replay " + (out / "failure.json").string()));
  REQUIRE(fs::exists(out / "failure.json"));
  const Json record = Json::parse(file_text(out / "failure.json"));
  CHECK(record.at("phase") == "step");
  CHECK(record.at("examination").at("matrix_of") == "beginning");
  CHECK(says(ask({"replay", out.string()}).out, "the step from t = "));
}
#endif
