#include <catena/measure/detail/body_rows.hpp>
#include <catena/measure/detail/reaction_meter.hpp>
#include <catena/model/detail/joint_axes.hpp>
#include <catena/model/detail/passing_visitor.hpp>
#include <catena/output/detail/page_scene.hpp>
#include <catena/output/detail/vtk_lines.hpp>
#include <catena/output/detail/vtk_shapes.hpp>

#include <nlohmann/json.hpp>

#include <cmath>
#include <optional>
#include <string_view>
#include <vector>

namespace catena::detail {
namespace {

using SceneJson = nlohmann::ordered_json;

SceneJson json_of(const Vec3& v) { return {v[0], v[1], v[2]}; }

SceneJson json_of(const BodyShape& s, const Body& body) {
  switch (s.kind) {
    case BodyShape::Kind::none:
      break;
    case BodyShape::Kind::box:
      return {{"kind", "box"}, {"edges", json_of(s.edges)}};
    case BodyShape::Kind::sphere:
      return {{"kind", "sphere"}, {"radius", s.radius}};
    case BodyShape::Kind::cylinder:
      return {{"kind", "cylinder"}, {"radius", s.radius}, {"length", s.length}, {"axis", s.axis}};
    case BodyShape::Kind::capsule:
      return {{"kind", "capsule"}, {"radius", s.radius}, {"length", s.length}, {"axis", s.axis}};
  }
  if (body.motion == BodyMotion::point) return {{"kind", "point"}};
  if (body.motion == BodyMotion::planar) {
    // A disc of that moment about the normal, where that is an axis of the body.
    const Vec3 normal = rotation_matrix(body.orientation).transpose() * body.normal;
    for (int axis = 0; axis < 3; ++axis)
      if (std::abs(normal[axis]) > 1.0 - 1e-9 && body.inertia(axis, axis) > 0.0) {
        const double radius = std::sqrt(2.0 * body.inertia(axis, axis) / body.mass);
        return {{"kind", "cylinder"},
                {"radius", radius},
                {"length", 0.1 * radius},
                {"axis", axis},
                {"of_inertia", true}};
      }
  }
  return {{"kind", "box"}, {"edges", json_of(2.0 * shown_half_sides(body))}, {"of_inertia", true}};
}

// Where a joint without markers is drawn: along a direction of one of its bodies, by the names of its members.
struct Glyph {
  std::string_view type, axis, point;  // point "": the centre of the body
  int body;
};
constexpr Glyph glyphs[] = {{"knife_edge", "side", "point", 0},       {"disc_contact", "axis", "centre", 0},
                            {"rolling_disc", "axis", "centre", 0},    {"gear", "wheel_axis_1", "", 1},
                            {"rack_and_pinion", "wheel_axis", "", 1}, {"differential", "axis_case", "", 1}};

class GlyphReader final : public PassingVisitor {
 public:
  explicit GlyphReader(const Glyph& glyph) : glyph_(glyph) {}
  void vector(const OptionInfo& info, Vec3& value) override {
    if (info.name == glyph_.point) point = value;
  }
  void direction(const OptionInfo& info, Vec3& value) override {
    if (info.name == glyph_.axis) axis = value;
  }
  Vec3 point{}, axis{};

 private:
  const Glyph& glyph_;
};

// The joints that an element names, as drives and couplings do.
class NamedJoints final : public PassingVisitor {
 public:
  void joint(const OptionInfo&, ConstraintId& value) override { found.push_back(value); }
  void joint_terms(const OptionInfo&, std::vector<JointTerm>& value) override {
    for (const JointTerm& term : value) found.push_back(term.joint);
  }
  std::vector<ConstraintId> found;
};

class SceneOfModel {
 public:
  explicit SceneOfModel(const MeasuredSystem& measured)
      : measured_(measured), model_(measured.model_system()->model()) {}

  SceneJson operator()() const {
    SceneJson scene{{"gravity", json_of(model_.gravity)}};
    scene["bodies"] = SceneJson::array();
    scene["fixed"] = SceneJson::array();
    for (const Body& body : model_.bodies()) {
      SceneJson one{{"name", body.name}, {"mass", body.mass}, {"shape", json_of(body.shape, body)}};
      if (body.fixed) {
        one["position"] = json_of(body.position);
        const Quat& q = body.orientation;
        one["orientation"] = {q.w, q.x, q.y, q.z};
      }
      scene[body.fixed ? "fixed" : "bodies"].push_back(std::move(one));
    }
    scene["joints"] = SceneJson::array();
    for (std::size_t k = 0; k < model_.constraints().size(); ++k)
      scene["joints"].push_back(joint(static_cast<int>(k)));
    scene["forces"] = SceneJson::array();
    for (const Model::ElementRef& r : model_.forces()) scene["forces"].push_back(element(r));
    scene["lines"] = SceneJson::array();
    for (const VtkLine& line : vtk_lines(model_)) {
      SceneJson one{{"joint", line.joint}, {"element", line.element}, {"ends", SceneJson::array()}};
      for (const VtkLine::End& end : line.ends)
        one["ends"].push_back({{"body", end.body}, {"point", json_of(end.point)}});
      scene["lines"].push_back(std::move(one));
    }
    scene["sides"] = SceneJson::array();
    for (const ReactionSide& side : measured_.sides())
      scene["sides"].push_back(
          {{"joint", side.constraint}, {"body", side.block}, {"point", json_of(side.point)}});
    scene["marked"] = SceneJson::array();
    for (const MarkedJoint& joint : measured_.joints()) scene["marked"].push_back(joint.constraint);
    return scene;
  }

 private:
  int block(BodyId id) const {
    return id == ground ? -1 : measured_.rows().block_of_body(static_cast<int>(id));
  }

  SceneJson element(const Model::ElementRef& r) const {
    const ElementPool& pool = *model_.pools()[static_cast<std::size_t>(r.pool)];
    SceneJson one{{"name", pool.name(r.element)}, {"type", pool.type_name()}, {"bodies", SceneJson::array()}};
    for (int i = 0; i < pool.bodies(); ++i) one["bodies"].push_back(block(pool.body(r.element, i)));
    return one;
  }

  SceneJson joint(int number) const {
    const Model::ElementRef& r = model_.constraints()[static_cast<std::size_t>(number)];
    const ElementPool& pool = *model_.pools()[static_cast<std::size_t>(r.pool)];
    SceneJson one = element(r);
    one["rows"] = pool.rows();
    one["level"] = pool.level() == Level::position ? "position" : "velocity";
    if (const std::optional<MarkedJoint> m = marked_joint(model_, ConstraintId{number})) {
      one["frames"] = {frame(m->body_a, m->point_a, m->triad_a), frame(m->body_b, m->point_b, m->triad_b)};
      return one;
    }
    for (const Glyph& glyph : glyphs) {
      if (glyph.type != pool.type_name()) continue;
      GlyphReader reader(glyph);
      pool.list_members(r.element, reader);
      one["glyph"] = place(pool.body(r.element, glyph.body), reader.point, reader.axis);
    }
    NamedJoints named;
    pool.list_members(r.element, named);
    for (const ConstraintId of : named.found)
      if (const std::optional<MarkedJoint> m = marked_joint(model_, of))
        one["around"].push_back(
            place(m->body_a, m->point_a, {{m->triad_a(0, 2), m->triad_a(1, 2), m->triad_a(2, 2)}}));
    return one;
  }

  // A marker's point, axis (z) and side (x).
  SceneJson frame(BodyId id, const Vec3& point, const Mat3& triad) const {
    const auto column = [&](int c) { return Vec3{{triad(0, c), triad(1, c), triad(2, c)}}; };
    SceneJson one = place(id, point, column(2));
    one["side"] = json_of(block(id) >= 0 ? column(0) : model_.initial_frame(id).direction(column(0)));
    return one;
  }

  // A point and a direction of a body, in its frame or, of one that does not move, in the world.
  SceneJson place(BodyId id, const Vec3& point, const Vec3& axis) const {
    if (const int of = block(id); of >= 0)
      return {{"body", of}, {"point", json_of(point)}, {"axis", json_of(axis)}};
    const BodyFrame<double> f = model_.initial_frame(id);
    return {{"body", -1}, {"point", json_of(f.point(point))}, {"axis", json_of(f.direction(axis))}};
  }

  const MeasuredSystem& measured_;
  const Model& model_;
};

// Of a system in its own coordinates: bodies by their names, as cubes.
SceneJson scene_of_coordinates(const MeasuredSystem& measured) {
  SceneJson scene{{"bodies", SceneJson::array()}};
  for (int k = 0; k < measured.body_count(); ++k)
    scene["bodies"].push_back(
        {{"name", measured.item_name(Items::body, k)}, {"shape", {{"kind", "sphere"}, {"radius", 0.05}}}});
  for (const char* none : {"fixed", "joints", "forces", "lines", "sides", "marked"})
    scene[none] = SceneJson::array();
  return scene;
}

}  // namespace

std::string page_scene(const MeasuredSystem& measured) {
  const SceneJson scene =
      measured.model_system() != nullptr ? SceneOfModel(measured)() : scene_of_coordinates(measured);
  return scene.dump(-1, ' ', false, SceneJson::error_handler_t::replace);
}

}  // namespace catena::detail
