// Orientations, solids and shapes as files state them.
#pragma once
#include <catena/io/detail/fields.hpp>
#include <catena/io/detail/key_info.hpp>
#include <catena/math/rotation.hpp>
#include <catena/model/parts/shape.hpp>

#include <optional>
#include <vector>

namespace catena::detail {

// [w, x, y, z], or a map with matrix, or axis and angle, or sequence and angles. Nothing after an error.
std::optional<Quat> read_orientation(Fields& owner, const FileNode& node);
const std::vector<KeyInfo>& orientation_keys();

// A homogeneous solid about its centre of mass.
struct Solid {
  BodyShape shape = {};
  std::optional<double> density = {};  // [kg/m^3]
};
// The same keys but for the density.
std::optional<BodyShape> read_shape(Fields& owner, const FileNode& node);
std::optional<Solid> read_solid(Fields& owner, const FileNode& node);
const std::vector<KeyInfo>& solid_keys();

}  // namespace catena::detail
