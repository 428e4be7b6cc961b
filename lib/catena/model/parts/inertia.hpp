// Inertia tensors [kg m^2] about the centre of mass, body frame.
#pragma once
#include <catena/math/small.hpp>

namespace catena {

// Principal moments in ascending order; column k of axes is the direction that belongs to moment k, in the
// frame in which the tensor was given. axes is a rotation.
struct PrincipalInertia {
  Vec3 moments = Vec3::Zero();
  Mat3 axes = Mat3::Identity();
};
PrincipalInertia principal_inertia(const Mat3& inertia);  // inertia symmetric

// Tensor with the given moments about the columns of axes (a rotation; default: the body's own axes).
Mat3 inertia_from_principal(const Vec3& moments, const Mat3& axes = Mat3::Identity());

// Homogeneous solids; mass [kg], lengths [m], axis 0, 1, 2 the body's x, y, z.
Mat3 box_inertia(double mass, const Vec3& size);  // edges along x, y, z
Mat3 cylinder_inertia(double mass, double radius, double length, int axis);
Mat3 rod_inertia(double mass, double length, int axis, double moment_about_axis);  // thin: m l^2/12 across
Mat3 sphere_inertia(double mass, double radius);
// A cylinder of that length with a half sphere at both ends.
Mat3 capsule_inertia(double mass, double radius, double length, int axis);

}  // namespace catena
