// The largest joint force of every body in the files for ParaView.
#include <catena/assembly/multibody_system.hpp>
#include <catena/io/read_model.hpp>
#include <catena/output/detail/vtk_sink.hpp>
#include <catena/output/detail/vtk_xml.hpp>

#include "io/support_models.hpp"
#include "support/temporary_folder.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace catena;
using namespace catena::detail;

TEST_CASE("both bodies of a joint feel its force, and of several joints a body has the largest") {
  const MultibodySystem system(catena_test::read_text(R"(
bodies:
  - {name: bar, mass: 1, inertia: [1, 1, 1], position: [0, 0, -1]}
  - {name: heavy, mass: 1, inertia: [1, 1, 1], position: [0, 0, -2]}
  - {name: free, mass: 1, inertia: [1, 1, 1]}
  - {name: held, mass: 1, inertia: [1, 1, 1]}
  - {name: post, fixed: true}
joints:
  - {type: spherical, bodies: [ground, bar], at: [0, 0, 0]}
  - {type: spherical, bodies: [heavy, bar], at: [0, 0, -1.5]}
  - {type: spherical, bodies: [held, post], at: [0, 0, 0]}
)")
                                   .model);
  State state = system.initial_state();
  state.lambda = {0.0, 3.0, 4.0, 0.0, 0.0, 12.0, 0.0, 0.0, -7.0};  // of ball joints: forces [N]
  const catena_test::TemporaryFolder folder;
  VtkSink sink(folder.path());
  sink.begin(system);
  sink.accept(state, {});
  sink.end();
  const std::string text = catena_test::file_text(folder.path() / "vtk/bodies_000000.vtu");
  const std::vector<double> largest{12.0, 12.0, 0.0, 7.0};
  CHECK(text.find(vtk_array("largest joint force [N]", 1, largest)) != std::string::npos);
}
