// Orientations as users state them, all as the unit quaternion body -> world.
#pragma once
#include <catena/math/rotation.hpp>

#include <string>

namespace catena {

// From the rotation matrix body -> world (its columns are the body's axes in the world frame). Throws
// ModelError unless R^T R = I to 1e-9 and det R > 0.
Quat orientation_from_matrix(const Mat3& R);

// Turned about the axis (any length but zero, same components in body and world frame) by angle [rad].
Quat orientation_from_axis_angle(const Vec3& axis, double angle);

// From three successive turns [rad] about the named axes. Lower case ("zxz", "xyz", ...): about the axes of
// the turning body, R = R1(angles[0]) R2(angles[1]) R3(angles[2]). Upper case ("ZXZ", "XYZ", ...): about the
// axes of the world, R = R3(angles[2]) R2(angles[1]) R1(angles[0]). The twelve sequences without two equal
// neighbours are known; anything else throws ModelError with the nearest ones.
Quat orientation_from_euler(const std::string& sequence, const Vec3& angles);

// Components along the body's axes of a vector given in the world frame, such as an angular velocity.
Vec3 to_body_axes(const Quat& orientation, const Vec3& world);

}  // namespace catena
