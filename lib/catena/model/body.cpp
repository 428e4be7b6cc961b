#include <catena/math/detail/printed.hpp>
#include <catena/math/detail/square.hpp>
#include <catena/model/body.hpp>
#include <catena/model/parts/error.hpp>
#include <catena/model/parts/inertia.hpp>

#include <cmath>
#include <utility>

namespace catena {
using namespace detail;
namespace {

[[noreturn]] void refuse(const Body& body, const char* member, const std::string& reason) {
  throw ModelError("body \"" + body.name + "\": " + reason, member);
}

void check_finite(const Body& body, const char* what, const double* x, int n) {
  for (int k = 0; k < n; ++k)
    if (!std::isfinite(x[k]))
      refuse(body, what, std::string(what) + " must be finite, has " + message_number(x[k]));
    else if (!has_square(x[k]))
      refuse(body, what,
             std::string(what) + " must be below " + message_number(square_limit) +
                 " to have a finite square, " + (n == 1 ? "is " : "has ") + message_number(x[k]));
}

void check_energy(const Body& body) {
  const Vec3 &v = body.velocity, &omega = body.angular_velocity;
  const double linear = body.mass * dot(v, v), angular = dot(omega, body.inertia * omega);
  if (!std::isfinite(linear + angular))
    refuse(body, std::isfinite(linear) ? "angular_velocity" : "velocity",
           "its kinetic energy at the start is not finite");
}

void check_inertia(const Body& body) {
  const Mat3& J = body.inertia;
  double scale = 0.0;
  for (int k = 0; k < 9; ++k) scale = std::fmax(scale, std::abs(J[k]));
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < i; ++j)
      if (std::abs(J(i, j) - J(j, i)) > 1e-12 * scale)
        refuse(body, "inertia",
               "inertia must be symmetric, entries (" + std::to_string(j) + ", " + std::to_string(i) +
                   ") and (" + std::to_string(i) + ", " + std::to_string(j) + ") are " +
                   message_number(J(j, i)) + " and " + message_number(J(i, j)));
  const Vec3 p = principal_inertia(J).moments;
  if (!(p[0] > 1e-14 * scale)) {
    const char* way_out =
        p[0] < 0.0 ? ""
        : p[2] > 0.0
            ? "; a bar has a small moment about its axis too, as the solid of its size gives it; a body that "
              "turns about one axis alone needs no other moment (motion: planar)"
            : "; a mass without moments of inertia is a point (motion: point)";
    refuse(
        body, "inertia",
        "principal moments of inertia must be positive, the smallest is " + message_number(p[0]) + way_out);
  }
  if (p[0] + p[1] < p[2] * (1.0 - 1e-9))
    refuse(body, "inertia",
           "principal moments of inertia " + message_number(p[0]) + ", " + message_number(p[1]) + ", " +
               message_number(p[2]) + " violate the triangle inequality: no mass distribution has them");
}

// Components that a point or a planar body does not have, beyond the roundoff of the given ones.
void check_motion(Body& body) {
  constexpr double roundoff = 1e-12;
  const Vec3& v = body.velocity;
  if (body.motion == BodyMotion::point) {
    if (norm(body.angular_velocity) > 0.0)
      refuse(body, "angular_velocity", "a point does not turn, but has an angular velocity");
    return;
  }
  check_finite(body, "normal", body.normal.e, 3);
  const double length = norm(body.normal);
  if (!(length > 0.0))
    refuse(body, "normal", "the normal of its plane has no direction: all components are zero");
  if (std::abs(length - 1.0) > 4e-16)
    body.normal = (1.0 / length) * body.normal;  // to do it twice changes no bit
  const double out = dot(v, body.normal);
  if (std::abs(out) > roundoff * norm(v))
    refuse(body, "velocity", "it moves in a plane, but has " + message_number(out) + " m/s along the normal");
  const Vec3 turn = rotation_matrix(normalized(body.orientation)) * body.angular_velocity;
  const double across = norm(turn - dot(turn, body.normal) * body.normal);
  if (across > roundoff * norm(turn))
    refuse(body, "angular_velocity",
           "it turns about the normal of its plane, but has " + message_number(across) +
               " rad/s about an axis across it");
}

}  // namespace

std::string message_number(double x) { return printed("%.6g", x); }

void check_and_normalize(Body& body) {
  check_finite(body, "mass", &body.mass, 1);
  check_finite(body, "inertia", body.inertia.e, 9);
  if (body.motion == BodyMotion::point) body.inertia = Mat3::Zero();
  check_finite(body, "position", body.position.e, 3);
  const double e[4] = {body.orientation.w, body.orientation.x, body.orientation.y, body.orientation.z};
  check_finite(body, "orientation", e, 4);
  check_finite(body, "velocity", body.velocity.e, 3);
  check_finite(body, "angular_velocity", body.angular_velocity.e, 3);
  if (body.fixed) {
    for (const auto& [member, x] :
         {std::pair{"velocity", body.velocity}, std::pair{"angular_velocity", body.angular_velocity}})
      if (x[0] != 0.0 || x[1] != 0.0 || x[2] != 0.0)
        refuse(body, member,
               std::string("a fixed body does not move, but has the ") + member + " [" +
                   message_number(x[0]) + ", " + message_number(x[1]) + ", " + message_number(x[2]) + "]");
  } else {
    if (!(body.mass > 0.0)) refuse(body, "mass", "mass must be positive, is " + message_number(body.mass));
    constexpr double smallest = 1e-150;  // [kg] the square of its inverse is a number
    if (body.mass < smallest)
      refuse(body, "mass", "mass must be at least 1e-150 kg, is " + message_number(body.mass));
    if (body.motion != BodyMotion::point) check_inertia(body);
    check_energy(body);
  }
  const double length = std::sqrt(squared_norm(body.orientation));
  if (!(std::abs(length - 1.0) <= 1e-6))
    refuse(body, "orientation",
           "orientation must be a unit quaternion to 1e-6, has length " + message_number(length));
  // A unit quaternion within roundoff stays as it is: to normalise twice changes no bit.
  if (std::abs(squared_norm(body.orientation) - 1.0) > 8e-16) body.orientation = normalized(body.orientation);
  if (!body.fixed && body.motion != BodyMotion::rigid) check_motion(body);
}

}  // namespace catena
