// The axes, places and numbers of what the files for ParaView hold of an instant.
#include <catena/assembly/multibody_system.hpp>
#include <catena/measure/parts/builtin_quantities.hpp>
#include <catena/model/forces.hpp>
#include <catena/model/joints.hpp>
#include <catena/output/detail/vtk_sink.hpp>
#include <catena/output/detail/vtk_xml.hpp>

#include "support/temporary_folder.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <vector>

namespace vtk_frames_tests {

using namespace catena;
using namespace catena::detail;

TEST_CASE(
    "VTK files have turns along the axes of the world, joints at their places, and rods by their numbers") {
  // A bar that is turned by half a turn about z: what is along x and y of the bar is along -x and -y of the world.
  Model model;
  const BodyId bar = model.add(Body{.name = "bar",
                                    .position = {{1.0, 1.0, 1.0}},
                                    .orientation = {0.0, 0.0, 0.0, 1.0},
                                    .angular_velocity = {{2.0, 3.0, 5.0}}}),
               ball = model.add(Body{.name = "ball", .position = {{1.0, 1.0, 4.0}}});
  model.add(SphericalJoint{
      .bodies = {ground, bar}, .point_a = {{0.5, 0.75, 1.125}}, .point_b = {{0.5, 0.25, 0.125}}});
  model.add(DistanceConstraint{.bodies = {bar, ball}, .length = 3.0});
  model.add(SpringDamper{.bodies = {ground, ball}, .point_a = {{1.0, 1.0, 6.0}}, .stiffness = 1.0});
  const MultibodySystem system(model);
  const catena_test::TemporaryFolder folder;
  VtkSink sink(folder.path());
  sink.begin(system);
  sink.accept(system.initial_state(), {});
  sink.end();
  const auto holds = [&](const char* file, const std::string& array) {
    return catena_test::file_text(folder.path() / "vtk" / file).find(array) != std::string::npos;
  };
  using Numbers = std::vector<double>;
  using Whole = std::vector<long long>;
  CHECK(holds("bodies_000000.vtu",
              vtk_array("angular velocity, world [rad/s]", 3, Numbers{-2.0, -3.0, 5.0, 0.0, 0.0, 0.0})));
  // The rod has a side on each of its bodies, or on its last one; the first side is that of the ball joint on the bar.
  const std::string joints = catena_test::file_text(folder.path() / "vtk/joints_000000.vtp");
  const MeasuredSystem measured(system, {});
  Numbers places;
  for (const ReactionSide& side : measured.sides()) {
    const Vec3 place = side.constraint == 0 ? Vec3{{0.5, 0.75, 1.125}}
                       : side.body == bar   ? Vec3{{1.0, 1.0, 1.0}}
                                            : Vec3{{1.0, 1.0, 4.0}};
    places.insert(places.end(), {place[0], place[1], place[2]});
  }
  CHECK(joints.find(vtk_array("Points", 3, places)) != std::string::npos);
  // The rod is constraint 1, the spring force 0.
  CHECK(holds("lines_000000.vtp", vtk_array("constraint", 1, Whole{1, -1})));
  CHECK(holds("lines_000000.vtp", vtk_array("force", 1, Whole{-1, 0})));
  CHECK(holds("lines_000000.vtp", vtk_array("length [m]", 1, Numbers{3.0, 2.0})));
}

TEST_CASE("in VTK files a joint has its own number, and one that was not chosen has none") {
  Model model;
  for (const double height : {0.25, 0.5, 0.75}) {
    const BodyId sledge = model.add(Body{.position = {{0.0, 0.0, height}}});
    model.add(PrismaticJoint{.bodies = {ground, sledge},
                             .name = height == 0.5  ? "middle"
                                     : height < 0.5 ? "low"
                                                    : "high"});
  }
  const MultibodySystem system(model);
  const catena_test::TemporaryFolder folder;
  VtkSink sink(folder.path(), {select(builtin_quantities(), "joints/displacement:middle"), {}});
  sink.begin(system);
  sink.accept(system.initial_state(), {});
  sink.end();
  const double none = std::numeric_limits<double>::quiet_NaN();
  CHECK(catena_test::file_text(folder.path() / "vtk/joints_000000.vtp")
            .find(vtk_array("joints/displacement [m]", 1, std::vector<double>{none, 0.5, none})) !=
        std::string::npos);
}

}  // namespace vtk_frames_tests
