#include <catena/io/detail/other_words.hpp>

#include <algorithm>
#include <cctype>
#include <initializer_list>

namespace catena::detail {
namespace {

// A word here, and those of other programs for it, as plain() writes them.
struct Words {
  const char* own;
  std::initializer_list<std::string_view> others;
};

constexpr std::size_t longest = 60;  // longer words are none

// In small letters, "_" between words: "Hinge Joint", "hinge-joint" and "HingeJoint" are hinge_joint.
std::string plain(std::string_view word) {
  std::string out;
  bool small = false;
  for (const char c : word.substr(0, longest)) {
    const auto letter = static_cast<unsigned char>(c);
    if (std::isupper(letter) != 0 && small) out += '_';
    small = std::islower(letter) != 0;
    out += c == ' ' || c == '-' ? '_' : static_cast<char>(std::tolower(letter));
  }
  return out;
}

bool any_of(const Words& words, std::string_view word) {
  return word == words.own || std::find(words.others.begin(), words.others.end(), word) != words.others.end();
}

const std::initializer_list<Words>& words_of_types() {
  static const std::initializer_list<Words> words{
      {"spherical", {"ball", "ball_and_socket", "socket"}},
      {"revolute", {"hinge", "pin", "rotational", "turn"}},
      {"prismatic", {"slider", "slide", "translational", "translation", "linear"}},
      {"universal", {"cardan", "hooke", "u", "cross"}},
      {"weld", {"fixed", "rigid", "lock", "bolt", "glue", "clamp", "fix"}},
      {"planar", {"plane"}},
      {"point_on_line", {"inline", "in_line", "point_line", "point_on_curve"}},
      {"point_in_plane", {"inplane", "in_plane", "point_plane", "point_on_plane"}},
      {"constant_orientation", {"orientation", "same_orientation"}},
      {"distance", {"rod", "link", "massless_link", "rigid_rod", "cable"}},
      {"screw", {"helical", "helix", "lead_screw"}},
      {"rack_and_pinion", {"rack_pinion", "rackpinion", "rack"}},
      {"rolling_disc", {"wheel", "no_slip", "no_slip_wheel", "rolling", "rolling_disk", "disc", "disk"}},
      {"disc_contact", {"disk_contact"}},
      {"knife_edge", {"skate", "blade"}},
      {"coupling", {"coupler", "belt", "pulley"}},
      {"drive", {"motor", "motion", "driver", "prescribed_motion"}},
      {"joint_force", {"actuator", "joint_spring", "joint_damper"}},
      {"joint_friction", {"friction", "coulomb", "coulomb_friction", "dry_friction"}},
      {"torsion_spring", {"rotational_spring", "torsional_spring", "rsda", "torsional_spring_damper"}},
      {"spring_damper", {"spring", "damper", "tsda", "linear_spring_damper"}},
      {"point_force", {"force", "load"}},
      {"torque", {"moment"}},
      {"pid", {"controller", "pid_controller"}}};
  return words;
}

// A word may mean several keys: the first that is known counts.
const std::initializer_list<Words>& words_of_keys() {
  static const std::initializer_list<Words> words{
      {"mass", {"m", "weight"}},
      {"inertia", {"i", "j", "moment_of_inertia", "inertia_tensor", "moments"}},
      {"position", {"pos", "origin", "center", "centre", "com", "xyz", "place"}},
      {"orientation", {"quat", "quaternion", "rotation", "rot", "attitude", "euler", "rpy"}},
      {"angular_velocity", {"omega", "angular_rate", "angvel", "w"}},
      {"velocity", {"v", "vel"}},
      {"solid", {"geometry", "geom"}},
      {"fixed", {"static", "is_fixed"}},
      {"bodies",
       {"body", "parent", "child", "parent_body", "child_body", "body1", "body2", "body_1", "body_2",
        "body_a", "body_b", "between", "links", "parts"}},
      {"at", {"pos", "position", "location", "anchor", "place", "origin", "center", "centre", "point"}},
      {"axis", {"hinge_axis", "joint_axis", "rotation_axis", "axis_of_rotation", "dir", "direction", "xyz"}},
      {"point_a", {"anchor_a", "anchor1", "point1", "point_1", "pos1", "station_1"}},
      {"point_b", {"anchor_b", "anchor2", "point2", "point_2", "pos2", "station_2"}},
      {"stiffness", {"k", "spring_constant", "spring_rate"}},
      {"damping", {"c", "d", "damping_coefficient", "viscosity"}},
      {"rest_length", {"l0", "free_length", "natural_length", "unstretched_length", "length"}},
      {"free", {"free_angle", "rest_angle", "rest_length", "free_length", "neutral"}},
      {"free_angle", {"rest_angle", "neutral_angle", "free"}},
      {"coefficient", {"mu", "friction_coefficient", "friction"}},
      {"proportional", {"kp", "p", "p_gain"}},
      {"integral", {"ki", "i", "i_gain"}},
      {"derivative", {"kd", "d", "d_gain"}},
      {"target", {"setpoint", "set_point", "reference", "motion", "function", "value", "angle", "speed"}},
      {"limit", {"max", "saturation", "max_force", "max_torque"}},
      {"period", {"dt", "sample_time", "sampling_time"}},
      {"step", {"dt", "h", "timestep", "time_step", "step_size"}},
      {"end", {"t_end", "tend", "end_time", "stop_time", "final_time", "t_final", "duration"}},
      {"stepper", {"integrator", "method", "solver"}},
      {"backend", {"linear_solver"}},
      {"gravity", {"g", "gravitational_acceleration"}},
      {"joints", {"constraints", "connectors"}},
      {"forces", {"springs", "loads", "actuators", "force_elements"}},
      {"parameters", {"variables", "constants", "params"}},
      {"run", {"simulation", "settings", "simulate"}}};
  return words;
}

}  // namespace

std::string own_type_for(std::string_view word) {
  std::string typed = plain(word);
  for (const std::string_view end : {"_joint", "_constraint", "_element"})
    if (typed.ends_with(end)) typed.resize(typed.size() - end.size());
  if (typed.size() > 5 && typed.ends_with("joint")) typed.resize(typed.size() - 5);  // ujoint
  for (const Words& w : words_of_types())
    if (any_of(w, typed)) return w.own;
  return "";
}

std::string own_key_for(std::string_view word, const std::vector<std::string>& known) {
  const std::string typed = plain(word);
  const auto here = [&](std::string_view own) {
    return std::find(known.begin(), known.end(), own) != known.end();
  };
  if (typed != word && here(typed)) return typed;
  for (const Words& w : words_of_keys())
    if (here(w.own) && any_of(w, typed)) return w.own;
  return "";
}

bool names_inertial_frame(std::string_view word) {
  const std::string typed = plain(word);
  constexpr std::string_view names[] = {"ground",         "world",   "fixed",       "inertial",
                                        "inertial_frame", "earth",   "world_frame", "ground_body",
                                        "base_frame",     "universe"};
  return std::find(std::begin(names), std::end(names), typed) != std::end(names);
}

}  // namespace catena::detail
