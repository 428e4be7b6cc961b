// Orientations and solids as files state them.
#pragma once
#include <catena/io/detail/fields.hpp>
#include <catena/io/detail/key_info.hpp>
#include <catena/math/rotation.hpp>

#include <optional>
#include <vector>

namespace catena::detail {

// [w, x, y, z], or a map with matrix, or axis and angle, or sequence and angles. Nothing after an error.
std::optional<Quat> read_orientation(Fields& owner, const FileNode& node);
const std::vector<KeyInfo>& orientation_keys();

// A homogeneous solid about its centre of mass.
struct Solid {
  double volume = 0.0;                      // [m^3]
  std::optional<double> density;            // [kg/m^3]
  Mat3 inertia_of_unit = Mat3::Identity();  // of 1 kg [m^2]
};
std::optional<Solid> read_solid(Fields& owner, const FileNode& node);
const std::vector<KeyInfo>& solid_keys();

}  // namespace catena::detail
