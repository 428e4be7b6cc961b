// Row primitives from the markers of a joint: a point, an axis and a direction across it in each of two bodies.
#pragma once
#include <catena/model/detail/compiled_kernels.hpp>

namespace catena::rows {

// A line of the table of joints is made from these; all in the frames of their bodies.
struct Markers {
  Vec<double, 3> point_a = Vec<double, 3>::Zero(), point_b = Vec<double, 3>::Zero();  // [m]
  Vec<double, 3> axis_a = Vec<double, 3>::Unit(2),
                 axis_b = Vec<double, 3>::Unit(2);  // z, any length but zero
  Vec<double, 3> side_a = Vec<double, 3>::Zero(),
                 side_b = Vec<double, 3>::Zero();       // towards x; zero: see triad()
  double length = 1.0;                                  // of a distance [m]
  TimeFunction<double> displacement = {0.0, 0.0, 0.0};  // that the coordinate follows [m, m/s, m/s^2]
  TimeFunction<double> angle = {0.0, 0.0, 0.0};         // [rad, rad/s, rad/s^2]
};

template <template <class> class P>
struct FromMarkers;
template <>
struct FromMarkers<Coincide> {
  static auto make(const Markers& m) { return coincide(m.point_a, m.point_b); }
};
template <>
struct FromMarkers<OnLine> {
  static auto make(const Markers& m) { return on_line(m.point_a, m.point_b, m.axis_a); }
};
template <>
struct FromMarkers<InPlane> {
  static auto make(const Markers& m) { return in_plane(m.point_a, m.point_b, m.axis_a); }
};
template <>
struct FromMarkers<Distance> {
  static auto make(const Markers& m) { return distance(m.point_a, m.point_b, m.length); }
};
template <>
struct FromMarkers<Parallel> {
  static auto make(const Markers& m) { return parallel(m.axis_a, m.axis_b); }
};
template <>
struct FromMarkers<Perpendicular> {
  static auto make(const Markers& m) { return perpendicular(m.axis_a, m.axis_b); }
};
template <>
struct FromMarkers<Displacement> {
  static auto make(const Markers& m) { return displacement(m.point_a, m.point_b, m.axis_a, m.displacement); }
};
template <>
struct FromMarkers<Angle> {
  static auto make(const Markers& m) { return angle(m.axis_a, m.side_a, m.axis_b, m.side_b, m.angle); }
};
template <>
struct FromMarkers<Locked> {
  static auto make(const Markers& m) { return locked(triad(m.axis_a, m.side_a), triad(m.axis_b, m.side_b)); }
};

}  // namespace catena::rows
