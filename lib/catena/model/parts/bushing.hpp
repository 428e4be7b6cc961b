// Bushing: spring and damper in all directions between two markers.
#pragma once
#include <catena/model/detail/bushing_wrench.hpp>
#include <catena/model/element_listing.hpp>
#include <catena/model/model.hpp>
#include <catena/model/rows/locked.hpp>

#include <array>
#include <string>

namespace catena {

// Of the coordinates s = (d, phi), d [m] from the first marker to the second in the axes of the first (z along axis_a, x
// towards side_a), phi [rad] the rotation vector of the second against the first: Q = -K s - C s', the force at the point of
// B and the moment, along the axes of the first marker (exactly so for small phi; model/detail/bushing_wrench.hpp). It
// has the potential s.K s / 2. Half a turn away phi has two values, and the bushing none.
struct Bushing {
  static constexpr const char* type_name = "bushing";
  static constexpr const char* summary = "spring and damper in all six directions between two markers";
  static constexpr bool couples = true;
  static constexpr const char* jump =
      "its markers have turned past half a turn against each other, where its moment changes its sign";

  std::array<BodyId, 2> bodies;  // A, B
  Vec3 point_a = Vec3::Zero();   // frame of A [m]
  Vec3 point_b = Vec3::Zero();   // frame of B [m]
  Vec3 axis_a = Vec3::Unit(2);   // frame of A, any length but zero
  Vec3 axis_b = Vec3::Unit(2);   // frame of B
  Vec3 side_a = Vec3::Zero();  // frame of A, across axis_a; zero: some direction, the same one for equal axes
  Vec3 side_b = Vec3::Zero();  // frame of B, across axis_b
  Mat<double, 6, 6> stiffness = Mat<double, 6, 6>::Zero();  // K, symmetric [N/m; N/rad, N m/m; N m/rad]
  Mat<double, 6, 6> damping = Mat<double, 6, 6>::Zero();    // C [N s/m; ...]
  std::string name = {};

  std::string defect() const;  // a side along its axis, K not symmetric
  std::string defect_at(const BodyFrame<double>* f, double t) const;
  bool jumped(const BodyFrame<double>* before, const BodyFrame<double>* after) const;
  bool does_work() const;

  template <class S>
  detail::BushingWrench<S> kernel() const {
    detail::BushingWrench<S> k{{cast<S>(point_a), cast<S>(point_b)}};
    k.law = law_between(point_a, point_b);
    return k;
  }
  template <class Kernel>
  void complete(Kernel& k) const {
    k.law = law_between(k.ends.point_a, k.ends.point_b);
  }

 private:
  detail::BushingLaw law_between(const Vec3& a, const Vec3& b) const {
    return {a, b, rows::triad(axis_a, side_a), rows::triad(axis_b, side_b), &stiffness, &damping};
  }
};

void visit(ElementVisitor& visitor, Bushing& force);

// Compiled once, in compiled_elements.cpp.
extern template ForceId Model::add(Bushing);

}  // namespace catena
