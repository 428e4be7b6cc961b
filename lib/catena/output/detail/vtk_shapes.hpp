// What bodies look like in the files for ParaView: one cell a body.
#pragma once
#include <catena/model/body.hpp>

#include <vector>

namespace catena::detail {

// A convex body in its own frame. Without faces it is a hexahedron of eight points in VTK's order.
struct VtkShape {
  std::vector<Vec3> points = {};                   // [m]
  std::vector<std::vector<long long>> faces = {};  // numbers of points, counter-clockwise from outside

  int cell_type() const { return faces.empty() ? 12 : 42; }  // VTK's number: a hexahedron, a polyhedron
};

// Of its shape; where it has none, the box of uniform density with its mass and its moments of inertia about its axes.
VtkShape vtk_shape(const Body& body);
// Half the edges of the box that a body without a shape is shown as [m].
Vec3 shown_half_sides(const Body& body);
// Of a body without inertia: a cube of 0.1 m.
VtkShape vtk_shape();

}  // namespace catena::detail
