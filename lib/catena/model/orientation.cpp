#include <catena/math/detail/nearest.hpp>
#include <catena/model/parts/error.hpp>
#include <catena/model/parts/orientation.hpp>

#include <cctype>
#include <cmath>
#include <vector>

namespace catena {
using namespace detail;

Quat orientation_from_matrix(const Mat3& R) {
  const Mat3 gram = transpose_times(R, R) - Mat3::Identity();
  double defect = 0.0;
  for (int k = 0; k < 9; ++k)
    defect = std::isfinite(gram[k]) ? std::fmax(defect, std::abs(gram[k])) : INFINITY;
  if (!(defect <= 1e-9))
    throw ModelError("orientation matrix is not orthonormal: R^T R - I has an entry of size " +
                     message_number(defect));
  const Vec3 x{{R(0, 0), R(1, 0), R(2, 0)}}, y{{R(0, 1), R(1, 1), R(2, 1)}}, z{{R(0, 2), R(1, 2), R(2, 2)}};
  if (dot(cross(x, y), z) < 0.0)
    throw ModelError("orientation matrix is a reflection: its determinant is -1");
  return normalized(quaternion_along(R));
}

Quat orientation_from_axis_angle(const Vec3& axis, double angle) {
  const double length = norm(axis);
  if (!(length > 0.0) || !std::isfinite(length) || !std::isfinite(angle))
    throw ModelError(
        "orientation from axis and angle needs finite numbers and an axis that is not zero, has length " +
        message_number(length) + " and angle " + message_number(angle));
  const double s = std::sin(0.5 * angle) / length;
  return {std::cos(0.5 * angle), s * axis[0], s * axis[1], s * axis[2]};
}

Quat orientation_from_euler(const std::string& sequence, const Vec3& angles) {
  static const std::vector<std::string> known = {"xyz", "xzy", "yxz", "yzx", "zxy", "zyx",
                                                 "xyx", "xzx", "yxy", "yzy", "zxz", "zyz"};
  std::string lower;
  bool upper_case = !sequence.empty(), lower_case = true;
  for (const char c : sequence) {
    const auto u = static_cast<unsigned char>(c);
    upper_case = upper_case && std::isupper(u) != 0;
    lower_case = lower_case && std::islower(u) != 0;
    lower += static_cast<char>(std::tolower(u));
  }
  bool valid = upper_case || lower_case;
  if (valid) {
    valid = false;
    for (const std::string& name : known) valid = valid || name == lower;
  }
  if (!valid) {
    const std::string hint = nearest_hint(lower, known);
    throw ModelError(
        "Euler sequence \"" + sequence +
        "\" is unknown: give three axes, no two equal neighbours, in lower case (axes of the body) or "
        "in upper case (axes of the world)" +
        (hint.empty() ? "" : "; " + hint));
  }
  Quat q = Quat::Identity();
  for (int k = 0; k < 3; ++k) {
    const Quat turn =
        orientation_from_axis_angle(Vec3::Unit(lower[static_cast<std::size_t>(k)] - 'x'), angles[k]);
    q = upper_case ? turn * q : q * turn;
  }
  return q;
}

Vec3 to_body_axes(const Quat& orientation, const Vec3& world) {
  return transpose_times(rotation_matrix(orientation), world);
}

}  // namespace catena
