// The folder of `catena modes --output`: what is in it, and whose it is.
#include <catena/output/detail/file_list.hpp>

#include "support/ask.hpp"
#include "support/temporary_folder.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>

namespace mode_files_tests {

using catena::detail::FileList;
using catena_test::Answer;
using catena_test::ask;
using catena_test::file_text;
namespace fs = std::filesystem;

void put(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << text;
}

// Two points on springs: 1, 2, 3 rad/s along x, y, z, and 4, 5, 6.
std::string springs(const fs::path& folder) {
  const fs::path file = folder / "springs.yaml";
  put(file,
      "bodies:\n"
      "  - {name: slow, mass: 1, motion: point}\n"
      "  - {name: fast, mass: 1, motion: point}\n"
      "forces:\n"
      "  - {type: bushing, bodies: [ground, slow], stiffness: [1, 4, 9, 0, 0, 0]}\n"
      "  - {type: bushing, bodies: [ground, fast], stiffness: [16, 25, 36, 0, 0, 0]}\n");
  return file.string();
}

TEST_CASE("modes replaces the modes of an earlier command in its folder, all of them") {
  const catena_test::TemporaryFolder folder;
  const std::string model = springs(folder.path()), out = (folder.path() / "out").string();
  REQUIRE(ask({"modes", model, "--output", out, "--count", "3"}).code == 0);
  CHECK(fs::exists(out + "/mode_3/vtk/bodies_000024.vtu"));
  put(out + "/notes.txt", "mine");
  put(out + "/mode_2/notes.txt", "mine");
  REQUIRE(ask({"modes", model, "--output", out, "--count", "1"}).code == 0);
  CHECK(fs::exists(out + "/mode_1/motion.pvd"));
  CHECK_FALSE(fs::exists(out + "/mode_3"));
  CHECK_FALSE(fs::exists(out + "/mode_2/motion.pvd"));
  CHECK_FALSE(fs::exists(out + "/mode_2/vtk"));
  CHECK(file_text(out + "/notes.txt") == "mine");
  CHECK(file_text(out + "/mode_2/notes.txt") == "mine");
  const FileList list(out);
  CHECK(list.lists("modes.csv"));
  CHECK(list.lists("mode_1/vtk/bodies_000024.vtu"));
  CHECK_FALSE(list.lists("mode_2/motion.pvd"));
}

TEST_CASE("modes refuses a folder with files of others under its names, and leaves them") {
  for (const char* name :
       {"modes.csv", "mode_1/motion.pvd", "mode_2/vtk/bodies_000003.vtu", "mode_1/vtk/bodies_000099.vtu"})
    for (const bool used : {false, true}) {
      const catena_test::TemporaryFolder folder;
      const std::string model = springs(folder.path()), out = (folder.path() / "out").string();
      if (used) REQUIRE(ask({"modes", model, "--output", out, "--count", "1"}).code == 0);
      const fs::path file = fs::path(out) / name;
      if (fs::exists(file)) continue;
      CAPTURE(name);
      CAPTURE(used);
      put(file, "mine");
      const Answer a = ask({"modes", model, "--output", out, "--count", "2"});
      CHECK(a.code == 2);
      CHECK(a.out.empty());
      CHECK(a.err.starts_with("catena: --output " + out + ": the folder " + out + " holds " + name +
                              ", which is not in"));
      CHECK(file_text(file) == "mine");
      CHECK(fs::exists(out + "/mode_1/vtk/bodies_000012.vtu") == used);
    }
  // A link leads elsewhere.
  const catena_test::TemporaryFolder folder;
  const fs::path out = folder.path() / "out", other = folder.path() / "other.csv";
  put(other, "mine");
  fs::create_directories(out);
  fs::create_symlink(other, out / "modes.csv");
  CHECK(ask({"modes", springs(folder.path()), "--output", out.string()}).code == 2);
  CHECK(file_text(other) == "mine");
}

TEST_CASE("modes beside the results of a run leaves them, and --overwrite removes both") {
  const catena_test::TemporaryFolder folder;
  const std::string model = springs(folder.path()), out = (folder.path() / "out").string();
  REQUIRE(ask({"run", model, "--end", "0.01", "--format", "csv", "--output", out}).code == 0);
  const std::string report = file_text(out + "/report.json"), scalars = file_text(out + "/scalars.csv");
  REQUIRE(ask({"modes", model, "--output", out, "--count", "1"}).code == 0);
  CHECK(file_text(out + "/report.json") == report);
  CHECK(file_text(out + "/scalars.csv") == scalars);
  CHECK(FileList(out).lists("scalars.csv"));
  CHECK(ask({"resume", out, "--end", "0.02"}).code == 0);
  put(out + "/mode_1/vtk/bodies_000077.vtu", "mine");
  CHECK(ask({"run", model, "--end", "0.01", "--format", "csv", "--output", out, "--overwrite"}).code == 2);
  fs::remove(out + "/mode_1/vtk/bodies_000077.vtu");
  CHECK(ask({"run", model, "--end", "0.01", "--format", "csv", "--output", out, "--overwrite"}).code == 0);
  CHECK_FALSE(fs::exists(out + "/mode_1"));
  CHECK_FALSE(fs::exists(out + "/modes.csv"));
}

TEST_CASE("a folder that cannot be made is an error of writing") {
  const catena_test::TemporaryFolder folder;
  put(folder.path() / "file", "");
  const Answer a =
      ask({"modes", springs(folder.path()), "--output", (folder.path() / "file" / "out").string()});
  CHECK(a.code == 3);
}

TEST_CASE("modes.csv and the JSON name the motion of every component, of points and planar bodies too") {
  const catena_test::TemporaryFolder folder;
  const std::string model = (folder.path() / "mixed.yaml").string(), out = (folder.path() / "out").string();
  put(model,
      "bodies:\n"
      "  - {name: whole, mass: 1, inertia: [1, 1, 1]}\n"
      "  - {name: level, mass: 1, inertia: 1, motion: planar, normal: y}\n"
      "  - {name: slanted, mass: 1, inertia: 1, motion: planar, normal: [0.6, 0, 0.8]}\n"
      "  - {name: bead, mass: 1, motion: point}\n"
      "forces:\n"
      "  - {type: bushing, bodies: [ground, level], stiffness: [2, 2, 2, 1, 1, 1]}\n");
  const Answer a = ask({"modes", model, "--output", out, "--count", "1", "--json", "-"});
  REQUIRE(a.code == 0);
  const nlohmann::json components = nlohmann::json::parse(a.out)["components"];
  REQUIRE(components.size() == 4);
  CHECK(components[0]["motions"] ==
        nlohmann::json{"along x", "along y", "along z", "about x", "about y", "about z"});
  CHECK(components[1]["motions"] == nlohmann::json{"along z", "along x", "about y"});
  CHECK(components[2]["motions"] == nlohmann::json{"along (0.8, 0, -0.6)", "along y", "about (0.6, 0, 0.8)"});
  CHECK(components[3]["motions"] == nlohmann::json{"along x", "along y", "along z"});
  const std::string csv = file_text(out + "/modes.csv");
  CHECK(
      csv.starts_with("mode,real [1/s],imaginary [1/s],frequency [Hz],damping ratio,of,component,shape real,"
                      "shape imaginary,motion\n"));
  CHECK(csv.find("\"body \"\"level\"\"\",3,1,0,about y\n") != std::string::npos);
  CHECK(csv.find(",\"along (0.8, 0, -0.6)\"\n") != std::string::npos);
}

TEST_CASE("the frames of a mode are those of one of its periods") {
  const catena_test::TemporaryFolder folder;
  const std::string out = (folder.path() / "out").string();
  REQUIRE(ask({"modes", springs(folder.path()), "--output", out, "--count", "2"}).code == 0);
  const auto last_time = [&](const char* mode) {
    const std::string list = file_text(out + "/" + mode + "/motion.pvd"), key = "timestep=\"";
    CHECK(list.find(key + "0\"") != std::string::npos);
    return std::stod(list.substr(list.rfind(key) + key.size()));
  };
  CHECK(last_time("mode_1") == doctest::Approx(2.0 * std::acos(-1.0)).epsilon(1e-9));  // 1 rad/s
  CHECK(last_time("mode_2") == doctest::Approx(std::acos(-1.0)).epsilon(1e-9));        // 2 rad/s
}

}  // namespace mode_files_tests
