#include <catena/io/detail/body_keys.hpp>
#include <catena/io/detail/pose_keys.hpp>
#include <catena/model/parts/inertia.hpp>
#include <catena/model/parts/orientation.hpp>

#include <utility>

namespace catena::detail {
namespace {

// The values of the keys of one body, before they are combined.
struct Draft {
  Body body;
  bool mass = false, inertia = false, solid_given = false, shape_given = false, normal = false;
  FileNode about_normal = {};  // the only moment of inertia that a planar body has
  std::optional<Solid> solid;
  bool world_rotation = false;
};

void read_mass(Fields& f, const FileNode& node, Draft& d) {
  d.mass = true;
  read_real(f, node, {"mass", "kg", ""}, d.body.mass);
}

void read_principal(Fields& owner, const FileNode& node, Draft& d) {
  Fields f(node, "inertia", owner);
  const FileNode moments = f.need("moments"), axes = f.take("axes");
  f.finish();
  Vec3 J;
  if (f.failed() || !read_vector(f, moments, {"moments", "kg m^2", ""}, J)) return;
  const std::optional<Quat> turned = axes ? read_orientation(f, axes) : Quat::Identity();
  if (!turned) return;
  const double length = squared_norm(*turned);
  if (!(length > 1.0 - 2e-6 && length < 1.0 + 2e-6))
    return f.fail(axes, "orientation must be a unit quaternion to 1e-6");
  d.body.inertia = inertia_from_principal(J, rotation_matrix(normalized(*turned)));
}

void read_inertia(Fields& f, const FileNode& node, Draft& d) {
  d.inertia = true;
  const OptionInfo info{"inertia", "kg m^2", ""};
  if (node.is_map()) {
    read_principal(f, node, d);
  } else if (node.is_sequence() && node.size() == 3 && node.first().is_sequence()) {
    read_matrix(f, node, info, d.body.inertia);
  } else if (node.is_scalar()) {  // one number: read once the kind of motion is known
    d.about_normal = node;
  } else {
    Vec3 moments;
    if (read_vector(f, node, info, moments)) d.body.inertia = diagonal(moments);
  }
}

void read_motion(Fields& f, const FileNode& node, Draft& d) {
  static const std::vector<std::string> motions{"rigid", "point", "planar"};  // in the order of BodyMotion
  int motion = 0;
  if (read_choice(f, node, "motion", motions, motion)) d.body.motion = static_cast<BodyMotion>(motion);
}

void read_normal(Fields& f, const FileNode& node, Draft& d) {
  d.normal = true;
  read_direction(f, node, {"normal", "", ""}, d.body.normal);
}

void read_angular_velocity(Fields& owner, const FileNode& node, Draft& d) {
  const OptionInfo info{"angular_velocity", "rad/s", ""};
  if (!node.is_map()) {
    read_vector(owner, node, info, d.body.angular_velocity);
    return;
  }
  Fields f(node, "angular_velocity", owner);
  const FileNode world = f.take("world"), body = f.take("body");
  f.finish();
  if (f.failed()) return;
  if (static_cast<bool>(world) == static_cast<bool>(body))
    return f.fail(node, "give either body or world, the axes of its components");
  d.world_rotation = static_cast<bool>(world);
  read_vector(f, world ? world : body, info, d.body.angular_velocity);
}

// The listing of a body: the keys with their readers.
struct BodyKey {
  KeyInfo info;
  void (*read)(Fields&, const FileNode&, Draft&);
};

const std::vector<BodyKey>& listing() {
  static const std::vector<BodyKey> keys{
      {{"name", "text", "", "body and a number",
        "unique in the model; not ground, which is the inertial frame"},
       [](Fields&, const FileNode&, Draft&) {}},
      {{"mass", "number", "kg", "required",
        "positive; not needed by a fixed body or with the density of a solid"},
       read_mass},
      {{"inertia", "[x, y, z], three rows of three, {moments, axes}, or a number", "kg m^2", "required",
        "about the centre of mass: moments about the body's axes, the full matrix in the body frame, "
        "principal "
        "moments with the orientation of their axes in the body, or that of a planar body about the normal; "
        "not "
        "needed by a fixed body, a point or with a solid"},
       read_inertia},
      {{"motion", "rigid, point or planar", "", "rigid",
        "a point moves without turning, a planar body across its normal, turning about it: three velocities "
        "in place of six"},
       read_motion},
      {{"normal", "[x, y, z] or x, y, z, -x, -y, -z", "", "[0, 0, 1]",
        "of the plane of a planar body, world frame"},
       read_normal},
      {{"solid", "map", "", "-", "a homogeneous solid gives the inertia, and with its density the mass"},
       [](Fields& f, const FileNode& node, Draft& d) {
         d.solid_given = true;
         d.solid = read_solid(f, node);
         if (d.solid) d.body.shape = d.solid->shape;
       }},
      {{"shape", "map", "", "that of the solid",
        "what the body looks like in pictures, without an effect on the motion: as a solid without density; "
        "without it, the box of its inertia"},
       [](Fields& f, const FileNode& node, Draft& d) {
         d.shape_given = true;
         if (const std::optional<BodyShape> shape = read_shape(f, node)) d.body.shape = *shape;
       }},
      {{"position", "[x, y, z]", "m", "[0, 0, 0]", "of the centre of mass, world frame"},
       [](Fields& f, const FileNode& node, Draft& d) {
         read_vector(f, node, {"position", "m", ""}, d.body.position);
       }},
      {{"orientation", "[w, x, y, z] or map", "1", "[1, 0, 0, 0]",
        "body to world, unit quaternion, scalar first; or one of the forms below"},
       [](Fields& f, const FileNode& node, Draft& d) {
         if (const std::optional<Quat> q = read_orientation(f, node)) d.body.orientation = *q;
       }},
      {{"velocity", "[x, y, z]", "m/s", "[0, 0, 0]", "of the centre of mass, world frame"},
       [](Fields& f, const FileNode& node, Draft& d) {
         read_vector(f, node, {"velocity", "m/s", ""}, d.body.velocity);
       }},
      {{"angular_velocity", "[x, y, z], {body: [x, y, z]} or {world: [x, y, z]}", "rad/s", "[0, 0, 0]",
        "components along the body's axes, or those of the world"},
       read_angular_velocity},
      {{"fixed", "true or false", "", "false", "stays where it is, like the ground"},
       [](Fields& f, const FileNode& node, Draft& d) { read_flag(f, node, "fixed", d.body.fixed); }},
  };
  return keys;
}

// What only points and planar bodies have, or do not have.
void fit_motion(Fields& f, Draft& d) {
  const bool point = d.body.motion == BodyMotion::point, planar = d.body.motion == BodyMotion::planar;
  if (d.normal && !planar) return f.fail(f.map(), "a normal belongs to a planar body: add motion: planar");
  if (point && d.inertia) return f.fail(f.map(), "a point has no inertia: leave the key out");
  if (!d.about_normal) return;
  if (!planar)
    return f.fail(d.about_normal,
                  "inertia must have three moments or three rows; one number is that of a body with "
                  "motion: planar");
  double about = 0.0;
  if (read_real(f, d.about_normal, {"inertia", "kg m^2", ""}, about))
    d.body.inertia = diagonal(Vec3::Constant(about));
}

// Mass and inertia from a solid, and what is missing.
void weigh(Fields& f, Draft& d) {
  fit_motion(f, d);
  if (d.solid_given && d.inertia) return f.fail(f.map(), "give inertia or a solid, not both");
  if (d.solid && d.solid->density && d.mass) return f.fail(f.map(), "give mass or a density, not both");
  if (d.solid_given && d.shape_given) return f.fail(f.map(), "give a solid or a shape, not both");
  if (d.solid) {
    if (d.solid->density) d.body.mass = *d.solid->density * volume(d.solid->shape);
    if (d.solid->density || d.mass) d.body.inertia = d.body.mass * shape_inertia(1.0, d.solid->shape);
    d.mass = d.mass || d.solid->density.has_value();
  }
  if (d.body.fixed) return;
  if (!d.mass) f.fail(f.map(), "the key \"mass\" is missing");
  if (!d.inertia && !d.solid_given && d.body.motion != BodyMotion::point)
    f.fail(f.map(), "the key \"inertia\" is missing (or give a solid)");
}

}  // namespace

const std::vector<KeyInfo>& body_keys() {
  static const std::vector<KeyInfo> keys = [] {
    std::vector<KeyInfo> all;
    for (const BodyKey& key : listing()) all.push_back(key.info);
    return all;
  }();
  return keys;
}

std::optional<Body> read_body(const FileNode& node, FileErrors& errors, std::string& name) {
  // The name first: errors of the other keys contain it.
  std::string context = "body";
  if (node.is_map())
    for (FileNode key = node.first(); key; key = key.next().next())
      if (key.is_scalar() && key.text() == "name" && key.next().is_scalar())
        context = "body " + key.next().what();
  Fields f(node, std::move(context), errors);
  if (!node.is_map()) return std::nullopt;
  Draft d;
  for (const BodyKey& key : listing()) {
    const FileNode value = f.take(key.info.key);
    if (!value) continue;
    if (&key == &listing().front()) {
      if (!read_text(f, value, "name", d.body.name)) continue;
      if (d.body.name == "ground") f.fail(value, "the name ground is that of the inertial frame");
      if (d.body.name.empty()) f.fail(value, "the name is empty");
    } else {
      key.read(f, value, d);
    }
  }
  f.finish();
  name = d.body.name;
  if (!f.failed()) weigh(f, d);
  if (f.failed()) return std::nullopt;
  const double length = squared_norm(d.body.orientation);  // far from 1 the model refuses it
  if (d.world_rotation && length > 0.5 && length < 2.0)
    d.body.angular_velocity = to_body_axes(normalized(d.body.orientation), d.body.angular_velocity);
  return std::move(d.body);
}

}  // namespace catena::detail
