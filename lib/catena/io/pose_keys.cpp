#include <catena/io/detail/pose_keys.hpp>
#include <catena/model/parts/error.hpp>
#include <catena/model/parts/inertia.hpp>
#include <catena/model/parts/orientation.hpp>

#include <numbers>

namespace catena::detail {
namespace {

enum OrientationKey { matrix_key, axis_key, angle_key, sequence_key, angles_key };
enum SolidKey { box_key, sphere_key, cylinder_key, radius_key, solid_axis_key, density_key };

std::optional<Quat> from_map(Fields& owner, const FileNode& node) {
  const auto key = [](OrientationKey k) { return orientation_keys()[static_cast<std::size_t>(k)].key; };
  Fields fields(node, "orientation", owner);
  const FileNode matrix = fields.take(key(matrix_key)), axis = fields.take(key(axis_key)),
                 angle = fields.take(key(angle_key)), sequence = fields.take(key(sequence_key)),
                 angles = fields.take(key(angles_key));
  fields.finish();
  if (fields.failed()) return std::nullopt;
  const bool by_axis = axis && angle, by_angles = sequence && angles;
  if (static_cast<bool>(matrix) + by_axis + by_angles != 1 || static_cast<bool>(axis) != by_axis ||
      static_cast<bool>(angle) != by_axis || static_cast<bool>(sequence) != by_angles ||
      static_cast<bool>(angles) != by_angles) {
    fields.fail(node, "give either matrix, or axis and angle, or sequence and angles");
    return std::nullopt;
  }
  try {
    if (matrix) {
      Mat3 R;
      if (!read_matrix(fields, matrix, {"matrix", "1", ""}, R)) return std::nullopt;
      return orientation_from_matrix(R);
    }
    if (by_axis) {
      Vec3 e;
      double turn = 0.0;
      if (!read_direction(fields, axis, {"axis", "1", ""}, e)) return std::nullopt;
      if (!read_real(fields, angle, {"angle", "rad", ""}, turn)) return std::nullopt;
      return orientation_from_axis_angle(e, turn);
    }
    std::string letters;
    Vec3 turns;
    if (!read_text(fields, sequence, "sequence", letters)) return std::nullopt;
    if (!read_vector(fields, angles, {"angles", "rad", ""}, turns)) return std::nullopt;
    return orientation_from_euler(letters, turns);
  } catch (const ModelError& error) {
    fields.fail(matrix ? matrix : by_axis ? axis : sequence, error.what());
    return std::nullopt;
  }
}

}  // namespace

const std::vector<KeyInfo>& orientation_keys() {
  static const std::vector<KeyInfo> keys{
      {"matrix", "three rows of three", "1", "-",
       "rotation matrix, body to world: its columns are the body's axes"},
      {"axis", "[x, y, z]", "1", "-", "turned about this axis, of any length but zero; with angle"},
      {"angle", "number", "rad", "-", "by this angle"},
      {"sequence", "three letters", "", "-",
       "zxz, xyz, ...: turned about the body's own axes; ZXZ, XYZ, ...: about those of the world; with "
       "angles"},
      {"angles", "[a, b, c]", "rad", "-", "by these, one after the other"},
  };
  return keys;
}

std::optional<Quat> read_orientation(Fields& owner, const FileNode& node) {
  if (node.is_map()) return from_map(owner, node);
  double e[4] = {};
  if (!node.is_sequence() || node.size() != 4) {
    owner.fail(node, "orientation: a quaternion [w, x, y, z] or a map belongs here, not " + node.what());
    return std::nullopt;
  }
  if (!read_numbers(owner, node, {"orientation", "1", ""}, 4, e)) return std::nullopt;
  return Quat{e[0], e[1], e[2], e[3]};
}

const std::vector<KeyInfo>& solid_keys() {
  static const std::vector<KeyInfo> keys{
      {"box", "[x, y, z]", "m", "-", "edges along the body's axes"},
      {"sphere", "number", "m", "-", "radius"},
      {"cylinder", "number", "m", "-", "length; with radius and axis"},
      {"radius", "number", "m", "-", "of the cylinder"},
      {"axis", "x, y or z", "", "z", "of the cylinder, one of the body's"},
      {"density", "number", "kg/m^3", "-", "gives the mass, which is then not given"},
  };
  return keys;
}

std::optional<Solid> read_solid(Fields& owner, const FileNode& node) {
  const auto key = [](SolidKey k) { return solid_keys()[static_cast<std::size_t>(k)].key; };
  Fields fields(node, "solid", owner);
  const FileNode box = fields.take(key(box_key)), sphere = fields.take(key(sphere_key)),
                 cylinder = fields.take(key(cylinder_key)), radius = fields.take(key(radius_key)),
                 axis = fields.take(key(solid_axis_key)), density = fields.take(key(density_key));
  fields.finish();
  if (fields.failed()) return std::nullopt;
  const auto length = [](const char* name, const char* unit = "m") {
    return OptionInfo{.name = name, .unit = unit, .meaning = "", .minimum = 0.0, .above_minimum = true};
  };
  if (static_cast<bool>(box) + static_cast<bool>(sphere) + static_cast<bool>(cylinder) != 1 ||
      static_cast<bool>(cylinder) != static_cast<bool>(radius) || (axis && !cylinder)) {
    fields.fail(node, "give either box, or sphere, or cylinder with radius");
    return std::nullopt;
  }
  Solid solid;
  if (box) {
    Vec3 e;
    if (!read_vector(fields, box, {"box", "m", ""}, e)) return std::nullopt;
    for (int k = 0; k < 3; ++k)
      if (!(e[k] > 0.0)) {
        fields.fail(box, "box: edges must be positive, one is " + message_number(e[k]));
        return std::nullopt;
      }
    solid.volume = e[0] * e[1] * e[2];
    solid.inertia_of_unit = box_inertia(1.0, e);
  } else if (sphere) {
    double r = 0.0;
    if (!read_real(fields, sphere, length("sphere"), r)) return std::nullopt;
    solid.volume = 4.0 / 3.0 * std::numbers::pi * r * r * r;
    solid.inertia_of_unit = sphere_inertia(1.0, r);
  } else {
    double l = 0.0, r = 0.0;
    int along = 2;
    if (!read_real(fields, cylinder, length("cylinder"), l)) return std::nullopt;
    if (!read_real(fields, radius, length("radius"), r)) return std::nullopt;
    if (axis && !read_choice(fields, axis, "axis", {"x", "y", "z"}, along)) return std::nullopt;
    solid.volume = std::numbers::pi * r * r * l;
    solid.inertia_of_unit = cylinder_inertia(1.0, r, l, along);
  }
  if (density) {
    double value = 0.0;
    if (!read_real(fields, density, length("density", "kg/m^3"), value)) return std::nullopt;
    solid.density = value;
  }
  return solid;
}

}  // namespace catena::detail
