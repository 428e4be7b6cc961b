#include <catena/io/detail/pose_keys.hpp>
#include <catena/model/parts/error.hpp>
#include <catena/model/parts/orientation.hpp>

namespace catena::detail {
namespace {

enum OrientationKey { matrix_key, axis_key, angle_key, sequence_key, angles_key };
enum SolidKey { box_key, sphere_key, cylinder_key, capsule_key, radius_key, solid_axis_key, density_key };

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
      {"axis", "[x, y, z] or x, y, z, -x, -y, -z", "1", "-",
       "turned about this axis, of any length but zero; with angle"},
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
      {"capsule", "number", "m", "-",
       "length between the centres of the half spheres at its ends; with radius and axis"},
      {"radius", "number", "m", "-", "of the cylinder or capsule"},
      {"axis", "x, y or z", "", "z", "of the cylinder or capsule, one of the body's"},
      {"density", "number", "kg/m^3", "-", "of a solid: gives the mass, which is then not given"},
  };
  return keys;
}

namespace {

OptionInfo positive(const char* name, const char* unit) {
  return {.name = name, .unit = unit, .meaning = "", .minimum = 0.0, .above_minimum = true};
}

std::optional<BodyShape> shape_of(Fields& fields) {
  const auto take = [&](SolidKey k) { return fields.take(solid_keys()[static_cast<std::size_t>(k)].key); };
  const FileNode box = take(box_key), sphere = take(sphere_key), cylinder = take(cylinder_key),
                 capsule = take(capsule_key), radius = take(radius_key), axis = take(solid_axis_key);
  fields.finish();
  if (fields.failed()) return std::nullopt;
  const FileNode& long_one = cylinder ? cylinder : capsule;
  if (static_cast<bool>(box) + static_cast<bool>(sphere) + static_cast<bool>(cylinder) +
              static_cast<bool>(capsule) !=
          1 ||
      static_cast<bool>(long_one) != static_cast<bool>(radius) || (axis && !long_one)) {
    fields.fail(
        fields.map(),
        "give either box: [x, y, z], or sphere: radius, or cylinder: length or capsule: length with radius");
    return std::nullopt;
  }
  BodyShape shape;
  if (box) {
    shape.kind = BodyShape::Kind::box;
    if (!read_vector(fields, box, {"box", "m", ""}, shape.edges)) return std::nullopt;
    for (int k = 0; k < 3; ++k)
      if (!(shape.edges[k] > 0.0)) {
        fields.fail(box, "box: edges must be positive, one is " + message_number(shape.edges[k]));
        return std::nullopt;
      }
  } else if (sphere) {
    shape.kind = BodyShape::Kind::sphere;
    if (!read_real(fields, sphere, positive("sphere", "m"), shape.radius)) return std::nullopt;
  } else {
    shape.kind = cylinder ? BodyShape::Kind::cylinder : BodyShape::Kind::capsule;
    if (!read_real(fields, long_one, positive(cylinder ? "cylinder" : "capsule", "m"), shape.length))
      return std::nullopt;
    if (!read_real(fields, radius, positive("radius", "m"), shape.radius)) return std::nullopt;
    if (axis && !read_choice(fields, axis, "axis", {"x", "y", "z"}, shape.axis)) return std::nullopt;
  }
  return shape;
}

}  // namespace

std::optional<BodyShape> read_shape(Fields& owner, const FileNode& node) {
  Fields fields(node, "shape", owner);
  fields.refuse("density", "density: a shape is for pictures alone; a solid has a density");
  return fields.failed() ? std::nullopt : shape_of(fields);
}

std::optional<Solid> read_solid(Fields& owner, const FileNode& node) {
  Fields fields(node, "solid", owner);
  const FileNode density = fields.take(solid_keys()[density_key].key);
  const std::optional<BodyShape> shape = shape_of(fields);
  if (!shape) return std::nullopt;
  Solid solid{.shape = *shape};
  if (density) {
    double value = 0.0;
    if (!read_real(fields, density, positive("density", "kg/m^3"), value)) return std::nullopt;
    solid.density = value;
  }
  return solid;
}

}  // namespace catena::detail
