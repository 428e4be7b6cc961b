// What the files of one instant hold: bodies, joints, lines.
#include <catena/kkt/detail/redundancy.hpp>
#include <catena/output/detail/vtk_sink.hpp>
#include <catena/output/detail/vtk_xml.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace catena::detail {
namespace {

void put(std::vector<double>& out, const Vec3& v) { out.insert(out.end(), {v[0], v[1], v[2]}); }

}  // namespace

Vec3 VtkSink::vector(const char* name, int number) const {
  const double* at = row_.data() + motion_->find(name)->column(number);
  return {{at[0], at[1], at[2]}};
}

std::string VtkSink::array(const std::string& name, int components, const std::vector<double>& values) const {
  return vtk_array(name, components, values, recording_.precision);
}

// Numbers of joints at the points of their sides; nan for a joint that was not chosen. Joints and sides are in the order
// of their constraints.
std::string VtkSink::arrays_of_joints() const {
  const MeasuredSystem& measured = recorded_->measured();
  std::string text;
  for (const MeasuredColumns& c : recorded_->columns()) {
    if (c.quantity.items != Items::joint) continue;
    const auto constraint = [&](int k) {
      const int item = c.items.empty() ? k : c.items[static_cast<std::size_t>(k)];
      return measured.joints()[static_cast<std::size_t>(item)].constraint;
    };
    std::vector<double> values;
    int k = 0;
    for (const ReactionSide& side : measured.sides()) {
      while (k < c.count && constraint(k) < side.constraint) ++k;
      const bool chosen = k < c.count && constraint(k) == side.constraint;
      for (int i = 0; i < c.block; ++i)
        values.push_back(chosen ? recorded_row_[static_cast<std::size_t>(c.column(k, i))]
                                : std::numeric_limits<double>::quiet_NaN());
    }
    text += array(c.quantity.name + " [" + c.quantity.unit + "]", c.block, values);
  }
  return text;
}

std::string VtkSink::recorded_arrays(Items items) const {
  std::string text;
  for (const MeasuredColumns& c : recorded_->columns()) {
    const Items of = c.quantity.items;
    const bool whole_system = of != Items::body && of != Items::side && of != Items::joint;
    if (c.count == 0 || (items == Items::one ? !whole_system : of != items)) continue;
    std::vector<double> values;
    if (items != Items::one)  // of items that were not chosen there is no number
      values.resize(static_cast<std::size_t>(recorded_->measured().count(items) * c.block),
                    std::numeric_limits<double>::quiet_NaN());
    for (int k = 0; k < c.count; ++k)
      for (int i = 0; i < c.block; ++i) {
        const double value = recorded_row_[static_cast<std::size_t>(c.column(k, i))];
        if (items == Items::one)
          values.push_back(value);
        else
          values[static_cast<std::size_t>(
              (c.items.empty() ? k : c.items[static_cast<std::size_t>(k)]) * c.block + i)] = value;
      }
    text += array(c.quantity.name + " [" + c.quantity.unit + "]", c.block, values);
  }
  return text;
}

Mat3 VtkSink::turn(int body) const {
  const double* e = row_.data() + motion_->find("bodies/orientation")->column(body);
  return rotation_matrix(Quat{e[0], e[1], e[2], e[3]});
}

std::string VtkSink::bodies() const {
  const MeasuredColumns& turns = *motion_->find("bodies/orientation");
  const int count = turns.count;
  std::vector<double> points, position, quaternion, velocity, angular,
      reaction(static_cast<std::size_t>(count), 0.0);
  std::vector<long long> number, corners, ends, faces, face_ends;
  std::vector<std::uint8_t> types;
  for (int b = 0; b < count; ++b) {
    const double* e = row_.data() + turns.column(b);
    const Vec3 x = vector("bodies/position", b);
    const Mat3 R = turn(b);
    const VtkShape& shape = shapes_[static_cast<std::size_t>(b)];
    const auto first = static_cast<long long>(points.size() / 3);
    for (const Vec3& point : shape.points) {
      corners.push_back(static_cast<long long>(points.size() / 3));
      put(points, x + R * point);
    }
    ends.push_back(static_cast<long long>(corners.size()));
    types.push_back(static_cast<std::uint8_t>(shape.cell_type()));
    if (!shape.faces.empty()) faces.push_back(static_cast<long long>(shape.faces.size()));
    for (const std::vector<long long>& face : shape.faces) {
      faces.push_back(static_cast<long long>(face.size()));
      for (const long long corner : face) faces.push_back(first + corner);
    }
    face_ends.push_back(shape.faces.empty() ? -1 : static_cast<long long>(faces.size()));
    number.push_back(b);
    put(position, x);
    quaternion.insert(quaternion.end(), e, e + 4);
    put(velocity, vector("bodies/velocity", b));
    put(angular, R * vector("bodies/angular_velocity", b));
  }
  const std::vector<ReactionSide>& sides = motion_->measured().sides();
  for (std::size_t s = 0; s < sides.size(); ++s) {
    const double force = norm(vector("reactions/force", static_cast<int>(s)));
    for (const int body : {sides[s].block, opposite_[s]})
      if (body >= 0)
        reaction[static_cast<std::size_t>(body)] = std::max(reaction[static_cast<std::size_t>(body)], force);
  }
  const std::string whole = recorded_arrays(Items::one);
  const std::string of_faces =
      faces.empty() ? "" : vtk_array("faces", 1, faces) + vtk_array("faceoffsets", 1, face_ends);
  return vtk_file(
      "UnstructuredGrid",
      (whole.empty() ? "" : "<FieldData>\n" + whole + "</FieldData>\n") +
          fmt::format("<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n", points.size() / 3, count) +
          "<Points>\n" + array("Points", 3, points) + "</Points>\n<Cells>\n" +
          vtk_array("connectivity", 1, corners) + vtk_array("offsets", 1, ends) + vtk_types(types) +
          of_faces + "</Cells>\n<CellData>\n" + vtk_array("body", 1, number) +
          array("position [m]", 3, position) + array("quaternion wxyz", 4, quaternion) +
          array("velocity [m/s]", 3, velocity) + array("angular velocity, world [rad/s]", 3, angular) +
          array("largest joint force [N]", 1, reaction) + recorded_arrays(Items::body) +
          "</CellData>\n</Piece>\n");
}

std::string VtkSink::lines() const {
  std::vector<double> points, length;
  std::vector<long long> constraint, force, corners, ends;
  for (const VtkLine& line : lines_) {
    Vec3 at[2];
    for (int k = 0; k < 2; ++k) {
      const VtkLine::End& end = line.ends[k];
      at[k] = end.body < 0 ? end.point : vector("bodies/position", end.body) + turn(end.body) * end.point;
      corners.push_back(static_cast<long long>(points.size() / 3));
      put(points, at[k]);
    }
    ends.push_back(static_cast<long long>(corners.size()));
    length.push_back(norm(at[1] - at[0]));
    constraint.push_back(line.joint ? line.element : -1);
    force.push_back(line.joint ? -1 : line.element);
  }
  return vtk_file(
      "PolyData",
      fmt::format("<Piece NumberOfPoints=\"{}\" NumberOfLines=\"{}\">\n", points.size() / 3, lines_.size()) +
          "<Points>\n" + array("Points", 3, points) + "</Points>\n<Lines>\n" +
          vtk_array("connectivity", 1, corners) + vtk_array("offsets", 1, ends) + "</Lines>\n<CellData>\n" +
          vtk_array("constraint", 1, constraint) + vtk_array("force", 1, force) +
          array("length [m]", 1, length) + "</CellData>\n</Piece>\n");
}

std::string VtkSink::joints() const {
  const std::vector<ReactionSide>& sides = motion_->measured().sides();
  const Redundancy* const redundancy = motion_->measured().sources().redundancy;
  std::vector<double> points, force, torque;
  std::vector<long long> constraint, body, open, vertices, ends;
  for (std::size_t s = 0; s < sides.size(); ++s) {
    put(points, vector("bodies/position", sides[s].block) + turn(sides[s].block) * sides[s].point);
    put(force, vector("reactions/force", static_cast<int>(s)));
    put(torque, vector("reactions/torque", static_cast<int>(s)));
    constraint.push_back(sides[s].constraint);
    body.push_back(sides[s].block);
    for (const bool is_open : open_components(redundancy, sides[s].constraint))
      open.push_back(redundancy == nullptr ? -1 : is_open ? 1 : 0);
    vertices.push_back(static_cast<long long>(s));
    ends.push_back(static_cast<long long>(s) + 1);
  }
  const bool any_open = std::find(open.begin(), open.end(), 1) != open.end();
  const std::string& rule = motion_->measured().sources().reactions.text;
  const std::string field =
      any_open ? "<FieldData>\n" + vtk_text("rule of open reactions", rule.empty() ? "stepper" : rule) +
                     "</FieldData>\n"
               : "";
  return vtk_file(
      "PolyData",
      field + fmt::format("<Piece NumberOfPoints=\"{0}\" NumberOfVerts=\"{0}\">\n", sides.size()) +
          "<Points>\n" + array("Points", 3, points) + "</Points>\n<Verts>\n" +
          vtk_array("connectivity", 1, vertices) + vtk_array("offsets", 1, ends) + "</Verts>\n<PointData>\n" +
          vtk_array("constraint", 1, constraint) + vtk_array("body", 1, body) +
          vtk_array("open, axes of the joint", 6, open) + array("force on the body [N]", 3, force) +
          array("torque on the body [N m]", 3, torque) + recorded_arrays(Items::side) + arrays_of_joints() +
          "</PointData>\n</Piece>\n");
}

}  // namespace catena::detail
