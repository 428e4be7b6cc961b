#include <catena/io/detail/body_keys.hpp>
#include <catena/io/detail/key_info.hpp>
#include <catena/io/detail/model_reader.hpp>
#include <catena/io/detail/model_top_keys.hpp>
#include <catena/io/detail/pose_keys.hpp>
#include <catena/io/detail/tie_section.hpp>

namespace catena::detail {

std::vector<KeyTable> model_file_tables() {
  return {
      {"File", "The keys of the top level.", model_top_keys()},
      {"Body", "An item of bodies, and the first one of repeat and grid.", body_keys()},
      {"Orientation", "One of three forms, in place of a quaternion.", orientation_keys()},
      {"Solid",
       "A homogeneous one about its centre of mass: box, or sphere, or cylinder or capsule with radius. A "
       "shape has the same keys but the density.",
       solid_keys()},
      {"Repeat", "A chain: bodies one after the other, with joints and forces between neighbours.",
       repeat_keys()},
      {"Step", "From a body of repeat or grid to the next.", repeat_step_keys()},
      {"Grid", "A net: bodies in rows, columns and layers. Joints to other bodies are listed under joints.",
       grid_keys()},
      {"Tie", "Joints and forces between the bodies of two repetitions: the rungs of a ladder.", tie_keys()},
      {"Point", "An item of points.", model_point_keys()},
      {"Assembly", "The value of assemble, where it is a map.", assemble_keys()},
      {"Initial coordinate", "Of a joint between two markers, under its name in initial.", initial_keys()},
  };
}

}  // namespace catena::detail
