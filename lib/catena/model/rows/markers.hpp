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
  bool has_axis = true;                                 // false: no row reads axis_a, nobody has chosen it
  bool has_axis_b = true;                               // false: no row reads axis_b; see marked_coordinate()
};

// Which directions of the markers a primitive reads; every one may read the points.
struct MarkersRead {
  bool axis_a = false, axis_b = false, sides = false;
  constexpr MarkersRead operator|(const MarkersRead& o) const {
    return {axis_a || o.axis_a, axis_b || o.axis_b, sides || o.sides};
  }
};

template <template <class> class P>
struct FromMarkers;
template <>
struct FromMarkers<Coincide> {
  static constexpr MarkersRead reads{};
  static auto make(const Markers& m) { return coincide(m.point_a, m.point_b); }
};
template <>
struct FromMarkers<OnLine> {
  static constexpr MarkersRead reads{.axis_a = true};
  static auto make(const Markers& m) { return on_line(m.point_a, m.point_b, m.axis_a); }
};
template <>
struct FromMarkers<InPlane> {
  static constexpr MarkersRead reads{.axis_a = true};
  static auto make(const Markers& m) { return in_plane(m.point_a, m.point_b, m.axis_a); }
};
template <>
struct FromMarkers<Distance> {
  static constexpr MarkersRead reads{};
  static auto make(const Markers& m) { return distance(m.point_a, m.point_b, m.length); }
};
template <>
struct FromMarkers<Parallel> {
  static constexpr MarkersRead reads{.axis_a = true, .axis_b = true};
  static auto make(const Markers& m) { return parallel(m.axis_a, m.axis_b); }
};
template <>
struct FromMarkers<Perpendicular> {
  static constexpr MarkersRead reads{.axis_a = true, .axis_b = true};
  static auto make(const Markers& m) { return perpendicular(m.axis_a, m.axis_b); }
};
template <>
struct FromMarkers<Displacement> {
  static constexpr MarkersRead reads{.axis_a = true};
  static auto make(const Markers& m) { return displacement(m.point_a, m.point_b, m.axis_a, m.displacement); }
};
template <>
struct FromMarkers<Angle> {
  static constexpr MarkersRead reads{.axis_a = true, .axis_b = true, .sides = true};
  static auto make(const Markers& m) { return angle(m.axis_a, m.side_a, m.axis_b, m.side_b, m.angle); }
};
template <>
struct FromMarkers<Locked> {
  static constexpr MarkersRead reads{.axis_a = true, .axis_b = true, .sides = true};
  static auto make(const Markers& m) { return locked(triad(m.axis_a, m.side_a), triad(m.axis_b, m.side_b)); }
};

template <template <class> class... P>
constexpr MarkersRead markers_read() {
  return (FromMarkers<P>::reads | ...);
}

}  // namespace catena::rows
