#include <catena/io/detail/model_top_keys.hpp>

namespace catena::detail {

const std::vector<KeyInfo>& model_top_keys() {
  static const std::vector<KeyInfo> keys{
      {"catena", "1", "", "1", "version of this format"},
      {"title", "text", "", "-", "one line for reports"},
      {"parameters", "map of numbers", "", "-",
       "names for numbers, {k: 30 kN/m}, which may be written behind a dollar sign wherever a number "
       "belongs; "
       "each is used, in places of one unit; those of an including file override those of included files, "
       "and "
       "--set overrides all"},
      {"include", "file or list of files", "", "-",
       "read before this file: what they name is in themselves or in files before them; paths from the "
       "folder of this file"},
      {"gravity", "[x, y, z]", "m/s^2", "[0, 0, 0]",
       "world frame; the including file overrides included ones"},
      {"bodies", "list of bodies", "", "-", "see below"},
      {"repeat", "map or list of maps", "", "-",
       "chains: a body and its joints, repeated; numbered after the bodies"},
      {"grid", "map or list of maps", "", "-",
       "nets: bodies in rows, columns and layers; numbered after the chains"},
      {"joints", "list of joints", "", "-",
       "in the order of their multipliers; numbered after those of repeat and grid"},
      {"forces", "list of forces", "", "-", "numbered after those of repeat and grid"},
      {"elements", "list of joints and forces", "", "-",
       "numbered after the forces, in any order but joints before what names them; only the last bits of a "
       "run depend on it"},
      {"points", "list of {name, body, point}", "m", "-",
       "points that the results follow; point is in the body's frame, default [0, 0, 0]"},
      {"assemble", "true or false, or map", "", "false",
       "moves the initial positions and velocities onto the joints, bodies by the metric of their masses; "
       "otherwise positions that miss a joint by more than 1e-9 of the size of its bodies are refused"},
      {"project", "true or false", "", "false", "an older name of assemble"},
      {"initial", "map of joints", "", "-",
       "coordinates of joints at first, {hip: {angle: 30 deg, speed: 60 rpm}}; the bodies are assembled to "
       "them, "
       "and nothing holds them afterwards. A joint here replaces that of an included file"},
      {"problem", "word", "", "-", "a problem of the catalog (catena list problems) in place of bodies"},
      {"set", "map", "", "-",
       "its parameters; where this file does not give one, that of an included file with the same problem is "
       "used"},
      {"run", "map", "", "-",
       "how to run it; the command line overrides it key by key, and it overrides the run of included files; "
       "options of a stepper that is not used are dropped"},
  };
  return keys;
}

}  // namespace catena::detail
