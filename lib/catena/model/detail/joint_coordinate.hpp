// The coordinate of a joint that another element refers to.
#pragma once
#include <catena/model/element_listing.hpp>
#include <catena/model/parts/joint_term.hpp>
#include <catena/model/rows/markers.hpp>

#include <array>
#include <string>

namespace catena {
class Model;
}  // namespace catena
namespace catena::detail {

const char* word_for(JointCoordinate coordinate);  // "angle"

struct CoordinateOf {
  std::string defect = {};  // why there is none
  std::array<BodyId, 2> bodies = {};
  rows::Markers markers = {};
};

// The markers between which the coordinates of a joint are measured; false: it has none. An axis of the second body that no
// row reads, as of a point on a line, is the one that is parallel to that of the first where the bodies are at first.
bool marked_coordinate(const Model& model, ConstraintId joint, rows::Markers& out);

// Of a joint that the model must have, between two markers, and that does not hold the coordinate itself: one whose rows
// determine it where the bodies are at first, or where its markers coincide, is refused.
CoordinateOf coordinate_of(const Model& model, ConstraintId joint, JointCoordinate coordinate);

// The same for an element that keeps the joint's bodies and markers.
template <class Element>
ElementDefect join_coordinate(const Model& model, Element& element) {
  const CoordinateOf found = coordinate_of(model, element.joint, element.coordinate);
  if (!found.defect.empty()) return {"joint: " + found.defect, "joint"};
  element.bodies = found.bodies;
  element.between = found.markers;
  return {};
}

inline rows::AngleOf<double> angle_between(const rows::Markers& m) {
  return {rows::triad(m.axis_a, m.side_a), rows::side_across(rows::unit(m.axis_b), m.side_b)};
}
inline rows::InPlane<double> displacement_between(const rows::Markers& m) {
  return rows::in_plane(m.point_a, m.point_b, m.axis_a);
}

}  // namespace catena::detail
