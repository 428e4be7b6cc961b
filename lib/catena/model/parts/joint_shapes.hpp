// The shapes of joints between two bodies: which members they have. What they are made of: model/joints.hpp.
#pragma once
#include <catena/model/element_listing.hpp>
#include <catena/model/parts/ids.hpp>
#include <catena/model/rows/list.hpp>
#include <catena/model/rows/markers.hpp>

#include <array>
#include <cstddef>
#include <string>

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

// lambda of the rows of a point: minus the force on B along the row [N]; of an angle: the moment [N m]. The rows are in
// the order of the primitives; see rows/*.hpp for each.
template <Text name_of_type, Text meaning, template <class> class... P>
struct PointJoint {
  static constexpr const char* type_name = name_of_type.letters;
  static constexpr const char* summary = meaning.letters;

  std::array<BodyId, 2> bodies;  // A, B
  Vec3 point_a = Vec3::Zero();   // frame of A [m]
  Vec3 point_b = Vec3::Zero();   // frame of B [m]
  std::string name = {};

  rows::Markers markers() const { return {.point_a = point_a, .point_b = point_b}; }
  auto made_of() const { return rows::between<P...>(markers()); }
};

// With a direction in A alone.
template <Text name_of_type, Text meaning, template <class> class... P>
struct LineJoint {
  static constexpr const char* type_name = name_of_type.letters;
  static constexpr const char* summary = meaning.letters;

  std::array<BodyId, 2> bodies;  // A, B
  Vec3 point_a = Vec3::Zero();   // frame of A [m]
  Vec3 point_b = Vec3::Zero();   // frame of B [m]
  Vec3 axis_a = Vec3::Unit(2);   // frame of A, any length but zero
  std::string name = {};

  rows::Markers markers() const { return {.point_a = point_a, .point_b = point_b, .axis_a = axis_a}; }
  auto made_of() const { return rows::between<P...>(markers()); }
};

template <Text name_of_type, Text meaning, template <class> class... P>
struct AxisJoint {
  static constexpr const char* type_name = name_of_type.letters;
  static constexpr const char* summary = meaning.letters;

  std::array<BodyId, 2> bodies;  // A, B
  Vec3 point_a = Vec3::Zero();   // frame of A [m]
  Vec3 point_b = Vec3::Zero();   // frame of B [m]
  Vec3 axis_a = Vec3::Unit(2);   // frame of A, any length but zero
  Vec3 axis_b = Vec3::Unit(2);   // frame of B, any length but zero
  std::string name = {};

  rows::Markers markers() const {
    return {.point_a = point_a, .point_b = point_b, .axis_a = axis_a, .axis_b = axis_b};
  }
  auto made_of() const { return rows::between<P...>(markers()); }
};

// "" unless a side lies along its axis.
std::string defect_of_sides(const Vec3& axis_a, const Vec3& side_a, const Vec3& axis_b, const Vec3& side_b);

// With whole triads: z along the axis, x towards the side. A side of zero leaves its direction across the axis to the
// library, which takes the same one for equal axes.
template <Text name_of_type, Text meaning, template <class> class... P>
struct TriadJoint {
  static constexpr const char* type_name = name_of_type.letters;
  static constexpr const char* summary = meaning.letters;

  std::array<BodyId, 2> bodies;  // A, B
  Vec3 point_a = Vec3::Zero();   // frame of A [m]
  Vec3 point_b = Vec3::Zero();   // frame of B [m]
  Vec3 axis_a = Vec3::Unit(2);   // frame of A, any length but zero
  Vec3 axis_b = Vec3::Unit(2);   // frame of B, any length but zero
  Vec3 side_a = Vec3::Zero();    // frame of A, not along axis_a
  Vec3 side_b = Vec3::Zero();    // frame of B, not along axis_b
  std::string name = {};

  rows::Markers markers() const {
    return {.point_a = point_a,
            .point_b = point_b,
            .axis_a = axis_a,
            .axis_b = axis_b,
            .side_a = side_a,
            .side_b = side_b};
  }
  auto made_of() const { return rows::between<P...>(markers()); }
  std::string defect() const { return defect_of_sides(axis_a, side_a, axis_b, side_b); }
};

namespace joint_detail {
void visit_points(ElementVisitor& v, BodyId* bodies, Vec3& point_a, Vec3& point_b);
void visit_axes(ElementVisitor& v, Vec3& axis_a, Vec3* axis_b);
void visit_sides(ElementVisitor& v, Vec3& side_a, Vec3& side_b);
void visit_name(ElementVisitor& v, std::string& name);
}  // namespace joint_detail

template <Text t, Text m, template <class> class... P>
void visit(ElementVisitor& v, PointJoint<t, m, P...>& e) {
  joint_detail::visit_points(v, e.bodies.data(), e.point_a, e.point_b);
  joint_detail::visit_name(v, e.name);
}
template <Text t, Text m, template <class> class... P>
void visit(ElementVisitor& v, LineJoint<t, m, P...>& e) {
  joint_detail::visit_points(v, e.bodies.data(), e.point_a, e.point_b);
  joint_detail::visit_axes(v, e.axis_a, nullptr);
  joint_detail::visit_name(v, e.name);
}
template <Text t, Text m, template <class> class... P>
void visit(ElementVisitor& v, AxisJoint<t, m, P...>& e) {
  joint_detail::visit_points(v, e.bodies.data(), e.point_a, e.point_b);
  joint_detail::visit_axes(v, e.axis_a, &e.axis_b);
  joint_detail::visit_name(v, e.name);
}
template <Text t, Text m, template <class> class... P>
void visit(ElementVisitor& v, TriadJoint<t, m, P...>& e) {
  joint_detail::visit_points(v, e.bodies.data(), e.point_a, e.point_b);
  joint_detail::visit_axes(v, e.axis_a, &e.axis_b);
  joint_detail::visit_sides(v, e.side_a, e.side_b);
  joint_detail::visit_name(v, e.name);
}

}  // namespace catena
