#include <catena/model/parts/inertia.hpp>

#include <cmath>

namespace catena {
namespace {

// Rotates rows and columns i, j of a so that a(i, j) vanishes, and the columns of axes with them (Jacobi).
void eliminate(Mat3& a, Mat3& axes, int i, int j) {
  if (a(i, j) == 0.0) return;
  const double theta = (a(j, j) - a(i, i)) / (2.0 * a(i, j));
  const double t = std::copysign(1.0, theta) / (std::abs(theta) + std::hypot(theta, 1.0));
  const double c = 1.0 / std::hypot(t, 1.0), s = t * c;
  for (int k = 0; k < 3; ++k) {
    const double x = a(k, i), y = a(k, j);
    a(k, i) = c * x - s * y;
    a(k, j) = s * x + c * y;
  }
  for (int k = 0; k < 3; ++k) {
    const double x = a(i, k), y = a(j, k);
    a(i, k) = c * x - s * y;
    a(j, k) = s * x + c * y;
  }
  for (int k = 0; k < 3; ++k) {
    const double x = axes(k, i), y = axes(k, j);
    axes(k, i) = c * x - s * y;
    axes(k, j) = s * x + c * y;
  }
}

Mat3 about_axis(double across, double along, int axis) {
  Vec3 d = Vec3::Constant(across);
  d[axis] = along;
  return diagonal(d);
}

}  // namespace

PrincipalInertia principal_inertia(const Mat3& inertia) {
  Mat3 a = inertia;
  PrincipalInertia p;
  // Converges quadratically: six sweeps reach roundoff for any 3 x 3 matrix; two more cost nothing.
  for (int sweep = 0; sweep < 8; ++sweep) {
    eliminate(a, p.axes, 0, 1);
    eliminate(a, p.axes, 0, 2);
    eliminate(a, p.axes, 1, 2);
  }
  int order[3] = {0, 1, 2};
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2 - i; ++j)
      if (a(order[j + 1], order[j + 1]) < a(order[j], order[j])) {
        const int k = order[j];
        order[j] = order[j + 1];
        order[j + 1] = k;
      }
  Mat3 axes;
  for (int k = 0; k < 3; ++k) {
    p.moments[k] = a(order[k], order[k]);
    for (int r = 0; r < 3; ++r) axes(r, k) = p.axes(r, order[k]);
  }
  const Vec3 x{{axes(0, 0), axes(1, 0), axes(2, 0)}}, y{{axes(0, 1), axes(1, 1), axes(2, 1)}};
  const Vec3 z = cross(x, y);  // right-handed
  for (int r = 0; r < 3; ++r) axes(r, 2) = z[r];
  p.axes = axes;
  return p;
}

Mat3 inertia_from_principal(const Vec3& moments, const Mat3& axes) {
  Mat3 J = axes * diagonal(moments) * axes.transpose();
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < i; ++j) J(i, j) = J(j, i) = 0.5 * (J(i, j) + J(j, i));
  return J;
}

Mat3 box_inertia(double mass, const Vec3& size) {
  const double x = size[0] * size[0], y = size[1] * size[1], z = size[2] * size[2];
  return diagonal(Vec3{{mass * (y + z) / 12.0, mass * (x + z) / 12.0, mass * (x + y) / 12.0}});
}

Mat3 cylinder_inertia(double mass, double radius, double length, int axis) {
  const double r2 = radius * radius;
  return about_axis(mass * (3.0 * r2 + length * length) / 12.0, 0.5 * mass * r2, axis);
}

Mat3 rod_inertia(double mass, double length, int axis, double moment_about_axis) {
  return about_axis(mass * length * length / 12.0, moment_about_axis, axis);
}

Mat3 sphere_inertia(double mass, double radius) {
  return diagonal(Vec3::Constant(0.4 * mass * radius * radius));
}

Mat3 capsule_inertia(double mass, double radius, double length, int axis) {
  // The volumes of cylinder and sphere are as length to 4/3 radius.
  const double whole = length + 4.0 / 3.0 * radius, cylinder = mass * length / whole,
               sphere = mass - cylinder, r2 = radius * radius, l2 = length * length;
  const double along = cylinder * 0.5 * r2 + sphere * 0.4 * r2;
  // A half sphere has its centre of mass 3/8 of the radius from its plane: Steiner's terms of both.
  const double across =
      cylinder * (3.0 * r2 + l2) / 12.0 + sphere * (0.4 * r2 + 0.25 * l2 + 0.375 * length * radius);
  return about_axis(across, along, axis);
}

}  // namespace catena
