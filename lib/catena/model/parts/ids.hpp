#pragma once

namespace catena {

// Handles into a Model; names for people are kept beside them.
enum class BodyId : int {};
enum class ConstraintId : int {};
enum class ForceId : int {};

// The inertial frame as a body: fixed at the origin, never moving.
inline constexpr BodyId ground{-1};

}  // namespace catena
