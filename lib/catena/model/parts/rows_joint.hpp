// A joint whose rows are named while the program runs, as in model files. It is evaluated by the same compiled functions
// as the joints of the table; a list that the table has gives the same bits.
#pragma once
#include <catena/model/element_listing.hpp>
#include <catena/model/model.hpp>
#include <catena/model/parts/ids.hpp>
#include <catena/model/rows/markers.hpp>
#include <catena/model/rows/plan.hpp>

#include <array>
#include <string>
#include <vector>

namespace catena {

struct RowsJoint {
  static constexpr const char* type_name = "rows";
  static constexpr const char* summary = "a joint of chosen groups of rows, up to six, between two markers";

  std::array<BodyId, 2> bodies;        // A, B
  std::vector<std::string> rows = {};  // names of rows/named.hpp; those in metres first
  Vec3 point_a = Vec3::Zero();         // frame of A [m]
  Vec3 point_b = Vec3::Zero();         // frame of B [m]
  Vec3 axis_a = Vec3::Unit(2);         // frame of A, any length but zero
  Vec3 axis_b = Vec3::Unit(2);         // frame of B, any length but zero
  Vec3 side_a = Vec3::Zero();          // frame of A, across axis_a; zero: some direction
  Vec3 side_b = Vec3::Zero();          // frame of B, across axis_b; zero: some direction
  double length = 1.0;                 // of a distance [m], positive
  double displacement = 0.0;           // of point_b along axis_a, at t = 0 [m]
  double speed = 0.0;                  // of it, at t = 0 [m/s]
  double acceleration = 0.0;           // of it [m/s^2]
  double angle = 0.0;                  // of side_b about axis_a, at t = 0 [rad]
  double angular_speed = 0.0;          // of it, at t = 0 [rad/s]
  double angular_acceleration = 0.0;   // of it [rad/s^2]
  std::string name = {};

  rows::Markers markers() const {
    return {point_a,
            point_b,
            axis_a,
            axis_b,
            side_a,
            side_b,
            length,
            {displacement, speed, acceleration},
            {angle, angular_speed, angular_acceleration}};
  }
  // Those between which angle and displacement are measured: of perpendicular axes as a universal joint has them, unless another
  // group reads the sides.
  rows::Markers markers_of_coordinates() const;
  rows::Shape shape() const;     // of rows without a defect
  void save(double* out) const;  // parameters of their kernels
  std::string defect() const;  // no rows, a name that is unknown or given twice, lengths behind others, sides
};

void visit(ElementVisitor& visitor, RowsJoint& joint);

// Compiled once, in compiled_elements.cpp.
extern template ConstraintId Model::add(RowsJoint);

}  // namespace catena
