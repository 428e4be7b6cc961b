#include <catena/math/detail/square.hpp>
#include <catena/model/parts/bushing.hpp>
#include <catena/model/parts/error.hpp>
#include <catena/model/parts/joint_shapes.hpp>

#include <cmath>

namespace catena {

std::string Bushing::defect() const {
  if (std::string why = defect_of_sides(axis_a, side_a, axis_b, side_b); !why.empty()) return why;
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) {
      if (!detail::has_square(stiffness(i, j))) return "stiffness must be finite";
      if (!detail::has_square(damping(i, j))) return "damping must be finite";
      if (stiffness(i, j) != stiffness(j, i))
        return "stiffness must be symmetric: entry (" + std::to_string(i + 1) + ", " + std::to_string(j + 1) +
               ") is " + message_number(stiffness(i, j)) + ", its counterpart " +
               message_number(stiffness(j, i));
    }
  return {};
}

bool Bushing::does_work() const {
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j)
      if (damping(i, j) != 0.0) return true;
  return false;
}

std::string Bushing::defect_at(const BodyFrame<double>* f, double) const {
  // Below, a rotation vector keeps half of its digits.
  constexpr double near_half_turn = 1e-8;
  const Vec3 phi = kernel<double>().law.coordinates(f[0], f[1]).phi;
  if (3.14159265358979323846 - norm(phi) > near_half_turn) return {};
  return "its markers are turned against each other by half a turn";
}

// The rotation vector goes over to the opposite one at half a turn, and with it what its stiffness makes of that.
bool Bushing::jumped(const BodyFrame<double>* before, const BodyFrame<double>* after) const {
  constexpr double quarter_turn = 1.5707963267948966;
  constexpr double roundoff = 1e-9;  // of a joint that keeps the axis, in parts of the stiffness
  const detail::BushingLaw law = kernel<double>().law;
  const Vec3 from = law.coordinates(before[0], before[1]).phi, to = law.coordinates(after[0], after[1]).phi;
  if (!(norm(from) > quarter_turn && norm(to) > quarter_turn && dot(from, to) < 0.0)) return false;
  const Vec3 change = to - from;
  for (int i = 0; i < 6; ++i) {
    double pull = 0.0, size = 0.0;
    for (int j = 0; j < 3; ++j) {
      pull += stiffness(i, 3 + j) * change[j];
      size += std::abs(stiffness(i, 3 + j)) * norm(change);
    }
    if (std::abs(pull) > roundoff * size) return true;
  }
  return false;
}

void visit(ElementVisitor& v, Bushing& e) {
  joint_detail::visit_points(v, e.bodies.data(), e.point_a, e.point_b);
  joint_detail::visit_axes(v, e.axis_a, &e.axis_b);
  joint_detail::visit_sides(v, e.side_a, e.side_b);
  v.square(
      {"stiffness", "SI",
       "K of the displacements and the rotation vector along side_a, axis_a x side_a and axis_a, symmetric; "
       "without units in SI units; unequal ones across axis_a want a side_a: without it, and with axis_a "
       "along z, the first one is along y and the second one along -x of the frame"},
      &e.stiffness(0, 0), 6);
  v.square({"damping", "SI", "C of their rates"}, &e.damping(0, 0), 6);
  joint_detail::visit_name(v, e.name);
}

}  // namespace catena
