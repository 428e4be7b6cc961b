// What results.h5 says of the parts of a model: of bodies that do not move, of constraints and of the sides of reactions.
#include <catena/assembly/multibody_system.hpp>
#include <catena/model/joints.hpp>
#include <catena/output/detail/hdf5_sink.hpp>
#include <catena/output/detail/results_reader.hpp>

#include "support/temporary_folder.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace described_parts_tests {

using namespace catena;
using namespace catena::detail;

namespace {

// A post, a skate that hangs on it and whose blade slides, and a ball on the skate. The post is the first body of the model, and
// none of those that move.
Model skate_and_ball() {
  Model model;
  const BodyId post = model.add(Body{
      .name = "post", .position = {{1.0, 2.0, 3.0}}, .orientation = {0.0, 0.6, 0.0, 0.8}, .fixed = true});
  const BodyId skate = model.add(Body{.name = "skate", .position = {{1.0, 2.0, 3.0}}}),
               ball = model.add(Body{.name = "ball", .position = {{1.0, 2.0, 2.0}}});
  model.add(SphericalJoint{.bodies = {post, skate}});
  model.add(KnifeEdge{.bodies = {skate}});
  model.add(SphericalJoint{.bodies = {skate, ball}, .point_b = {{0.0, 0.0, 1.0}}});
  return model;
}

}  // namespace

TEST_CASE("results.h5 says where bodies are that do not move, and which rows and bodies constraints have") {
  if (!has_hdf5()) return;
  const MultibodySystem system(skate_and_ball());
  const catena_test::TemporaryFolder folder;
  Hdf5Sink sink(folder.path(), {}, {});
  sink.begin(system);
  sink.accept(system.initial_state(), {});
  sink.end();
  const ResultsReader results(sink.files().front());
  using Numbers = std::vector<double>;
  CHECK(results.all("fixed_bodies/position") == Numbers{1.0, 2.0, 3.0});
  CHECK(results.all("fixed_bodies/orientation") == Numbers{0.0, 0.6, 0.0, 0.8});  // w, x, y, z
  // Three rows of a ball joint, one of a blade, three again: they begin at the numbers of /lambda.
  CHECK(results.all("constraints/first_row") == Numbers{0.0, 3.0, 4.0});
  CHECK(results.all("constraints/rows") == Numbers{3.0, 1.0, 3.0});
  CHECK(results.all("constraints/level") == Numbers{0.0, 1.0, 0.0});  // velocities: the blade
  // The last body of a joint feels its reaction; bodies are counted as in /bodies, without the post.
  CHECK(results.names("bodies/name") == std::vector<std::string>{"skate", "ball"});
  CHECK(results.all("reactions/constraint") == Numbers{0.0, 1.0, 2.0});
  CHECK(results.all("reactions/body") == Numbers{0.0, 0.0, 1.0});
}

}  // namespace described_parts_tests
