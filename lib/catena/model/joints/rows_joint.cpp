#include <catena/math/detail/nearest.hpp>
#include <catena/model/parts/joint_shapes.hpp>
#include <catena/model/parts/rows_joint.hpp>
#include <catena/model/rows/named.hpp>

#include <algorithm>

namespace catena {
using namespace detail;
namespace {

std::vector<std::string> names_of_rows() {
  std::vector<std::string> names;
  for (const rows::NamedRows& r : rows::named_rows()) names.emplace_back(r.name);
  return names;
}

}  // namespace

std::string RowsJoint::defect() const {
  if (rows.empty()) return "rows must name at least one group of rows";
  bool lengths = true;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const rows::NamedRows* found = rows::find_rows(rows[k]);
    if (found == nullptr) {
      const std::string hint = nearest_hint(rows[k], names_of_rows());
      return "there are no rows \"" + rows[k] + '"' + (hint.empty() ? "" : "; " + hint);
    }
    if (std::find(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(k), rows[k]) !=
        rows.begin() + static_cast<std::ptrdiff_t>(k))
      return "rows names \"" + rows[k] + "\" twice";
    const bool in_metres = found->info.meaning.unit == RowUnit::length;
    if (in_metres && !lengths) return "rows in metres must come first: move \"" + rows[k] + "\" to the front";
    lengths = in_metres;
  }
  return defect_of_sides(axis_a, side_a, axis_b, side_b);
}

rows::Markers RowsJoint::markers_of_coordinates() const {
  rows::Markers m = markers();
  const auto has = [&](const char* group) {
    return std::find(rows.begin(), rows.end(), group) != rows.end();
  };
  if (has("perpendicular") && !has("angle") && !has("locked")) joint_detail::measure_cross(m);
  return m;
}

void visit(ElementVisitor& v, RowsJoint& e) {
  joint_detail::visit_points(v, e.bodies.data(), e.point_a, e.point_b);
  joint_detail::visit_axes(v, e.axis_a, &e.axis_b);
  joint_detail::visit_sides(v, e.side_a, e.side_b);
  v.real({.name = "length",
          .unit = "m",
          .meaning = "of the rows distance",
          .minimum = 0.0,
          .above_minimum = true},
         e.length);
  v.real({"displacement", "m", "of the rows displacement, at t = 0"}, e.displacement);
  v.real({"speed", "m/s", "its rate at t = 0"}, e.speed);
  v.real({"acceleration", "m/s^2", "its acceleration"}, e.acceleration);
  v.real({"angle", "rad", "of the rows angle, at t = 0"}, e.angle);
  v.real({"angular_speed", "rad/s", "its rate at t = 0"}, e.angular_speed);
  v.real({"angular_acceleration", "rad/s^2", "its acceleration"}, e.angular_acceleration);
  v.words({"rows", "", "groups of rows, those in metres first"}, e.rows, names_of_rows());
  joint_detail::visit_name(v, e.name);
}

rows::Shape RowsJoint::shape() const {
  rows::Shape shape{.bodies = 2};
  for (const std::string& group : rows) shape.kernels.push_back(rows::find_rows(group)->info);
  return shape;
}

void RowsJoint::save(double* out) const {
  const rows::Markers at = markers();
  for (const std::string& group : rows) {
    const rows::NamedRows& named = *rows::find_rows(group);
    named.save(at, out);
    out += named.info.parameters;
  }
}

}  // namespace catena
