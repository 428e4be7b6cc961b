// 10^5 bodies and joints from YAML to an assembled system, as a chain by repeat and listed one by one.
#include <catena/assembly/multibody_system.hpp>
#include <catena/io/parts/write_model.hpp>

#include "io/support_models.hpp"
#include "support/temporary_folder.hpp"

#include <doctest/doctest.h>

#include <ctime>
#include <fstream>

using namespace catena;
using catena_test::builtin_types;
using catena_test::TemporaryFolder;

namespace {

const char* const chain = R"(
gravity: [0, 0, -9.81]
repeat:
  count: 100000
  body: {name: "link {i}", mass: 4, inertia: [0.0066, 0.0566, 0.0566], position: [0.2, 0, 0]}
  step: {rotate: {axis: [0, 0, 1], angle: 3.6 deg}}
  first: {type: spherical, point_b: [-0.2, 0, 0]}
  joint: {type: spherical, point_a: [0.2, 0, 0], point_b: [-0.2, 0, 0]}
)";

// Processor time, which neighbours on the machine lengthen less than they do time by the clock.
double seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// Reads and assembles; says how long each took.
Model timed(const std::string& path, const char* what) {
  const double begin = seconds();
  ModelFile file = read_model_file(path, builtin_types());
  const double read = seconds();
  const MultibodySystem system(file.model);
  const double assembled = seconds();
  MESSAGE(what << ": read in " << read - begin << " s, assembled in " << assembled - read << " s");
  CHECK(system.layout().pattern->dual_count() == 100000);
  return std::move(file.model);
}

}  // namespace

TEST_CASE("10^5 bodies are read and assembled") {
  const TemporaryFolder folder;
  const std::string short_file = (folder.path() / "short.yaml").string(),
                    long_file = (folder.path() / "long.yaml").string();
  std::ofstream(short_file) << chain;
  const Model model = timed(short_file, "by repeat");
  std::ofstream(long_file) << write_model(model, builtin_types());
  const Model again = timed(long_file, "listed one by one");
  CHECK(again.body_count() == model.body_count());
}
