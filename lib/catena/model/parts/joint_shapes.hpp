// Joints between two bodies, one template over their rows. What they are made of: model/joints.hpp.
#pragma once
#include <catena/model/element_listing.hpp>
#include <catena/model/parts/ids.hpp>
#include <catena/model/rows/list.hpp>
#include <catena/model/rows/markers.hpp>

#include <array>
#include <cstddef>
#include <string>
#include <type_traits>

namespace catena {

// A text as a template argument.
template <std::size_t n>
struct Text {
  char letters[n] = {};
  // NOLINTNEXTLINE(google-explicit-constructor): written as a literal
  constexpr Text(const char (&text)[n]) {
    for (std::size_t k = 0; k < n; ++k) letters[k] = text[k];
  }
};

namespace rows {
// The primitives P, in their order, between two markers.
template <template <class> class... P>
auto between(const Markers& m) {
  return list(FromMarkers<P>::make(m)...);
}
}  // namespace rows

namespace joint_detail {

// In place of a direction that no row of the joint reads.
template <int>
struct Absent {};
template <bool read, int number>
using DirectionIf = std::conditional_t<read, Vec3, Absent<number>>;
template <class Direction>
constexpr Direction starts_as(const Vec3& value) {
  if constexpr (std::is_same_v<Direction, Vec3>)
    return value;
  else
    return (void)value, Direction{};
}

void visit_points(ElementVisitor& v, BodyId* bodies, Vec3& point_a, Vec3& point_b);
void visit_axes(ElementVisitor& v, Vec3& axis_a, Vec3* axis_b);
void visit_sides(ElementVisitor& v, Vec3& side_a, Vec3& side_b);
void visit_name(ElementVisitor& v, std::string& name);
void measure_cross(rows::Markers& markers);
}  // namespace joint_detail

// Whether a side has no part across its axis that a triad could be made of; false where one of the two is zero.
bool lies_along(const Vec3& axis, const Vec3& side);
// "" unless a side lies along its axis.
std::string defect_of_sides(const Vec3& axis_a, const Vec3& side_a, const Vec3& axis_b, const Vec3& side_b);

// A joint made of the primitives P; its rows are in their order, see rows/*.hpp for each. It has the members that they
// read: axis_a of a line or a plane of A, axis_b where B has an axis too, sides where whole triads count (z along the
// axis, x towards the side). A side of zero leaves its direction across the axis to the library, which takes the same
// one for equal axes. lambda of the rows of a point: minus the force on B along the row [N]; of an angle: the moment
// [N m].
template <Text name_of_type, Text meaning, template <class> class... P>
struct MarkerJoint {
  static constexpr const char* type_name = name_of_type.letters;
  static constexpr const char* summary = meaning.letters;
  static constexpr rows::MarkersRead reads = rows::markers_read<P...>();
  // Its axes are perpendicular: one frame gives its axis to the first body and its side to the second (model/marker.hpp).
  static constexpr bool crosses = (std::is_same_v<P<double>, rows::Perpendicular<double>> || ...);
  using AxisA = joint_detail::DirectionIf<reads.axis_a, 0>;
  using AxisB = joint_detail::DirectionIf<reads.axis_b, 1>;
  using SideA = joint_detail::DirectionIf<reads.sides, 2>;
  using SideB = joint_detail::DirectionIf<reads.sides, 3>;

  std::array<BodyId, 2> bodies;                                                        // A, B
  Vec3 point_a = Vec3::Zero();                                                         // frame of A [m]
  Vec3 point_b = Vec3::Zero();                                                         // frame of B [m]
  [[no_unique_address]] AxisA axis_a = joint_detail::starts_as<AxisA>(Vec3::Unit(2));  // frame of A
  [[no_unique_address]] AxisB axis_b = joint_detail::starts_as<AxisB>(Vec3::Unit(2));  // frame of B
  // Across the axes, any length but that of a vector along them.
  [[no_unique_address]] SideA side_a = joint_detail::starts_as<SideA>(Vec3::Zero());  // frame of A
  [[no_unique_address]] SideB side_b = joint_detail::starts_as<SideB>(Vec3::Zero());  // frame of B
  std::string name = {};

  rows::Markers markers() const {
    rows::Markers m{.point_a = point_a, .point_b = point_b};
    m.has_axis = reads.axis_a;
    m.has_axis_b = reads.axis_b;
    if constexpr (reads.axis_a) m.axis_a = axis_a;
    if constexpr (reads.axis_b) m.axis_b = axis_b;
    if constexpr (reads.sides) m.side_a = side_a, m.side_b = side_b;
    return m;
  }
  // Those between which angle and displacement are measured. The angle of a cross is that of the second axis about the first,
  // and 0 where the frames of the bodies are aligned.
  rows::Markers markers_of_coordinates() const {
    rows::Markers m = markers();
    if constexpr (crosses) joint_detail::measure_cross(m);
    return m;
  }
  auto made_of() const { return rows::between<P...>(markers()); }
  std::string defect() const {
    if constexpr (reads.sides)
      return defect_of_sides(axis_a, side_a, axis_b, side_b);
    else
      return {};
  }
};

template <Text t, Text m, template <class> class... P>
void visit(ElementVisitor& v, MarkerJoint<t, m, P...>& e) {
  constexpr rows::MarkersRead reads = MarkerJoint<t, m, P...>::reads;
  joint_detail::visit_points(v, e.bodies.data(), e.point_a, e.point_b);
  if constexpr (reads.axis_b)
    joint_detail::visit_axes(v, e.axis_a, &e.axis_b);
  else if constexpr (reads.axis_a)
    joint_detail::visit_axes(v, e.axis_a, nullptr);
  if constexpr (reads.sides) joint_detail::visit_sides(v, e.side_a, e.side_b);
  joint_detail::visit_name(v, e.name);
}

}  // namespace catena
