// Lines between two points of bodies in the files for ParaView: springs, struts, rods.
#pragma once
#include <catena/model/model.hpp>

#include <vector>

namespace catena::detail {

struct VtkLine {
  bool joint = false;
  int element = 0;  // of the constraints, or of the forces
  struct End {
    int body = -1;              // among the moving bodies; -1: the point does not move
    Vec3 point = Vec3::Zero();  // frame of the body, or of the world [m]
  };
  End ends[2] = {};
};

// Constraints that keep a length between two points, then forces between two points that their listing calls point_a and
// point_b.
std::vector<VtkLine> vtk_lines(const Model& model);

}  // namespace catena::detail
