// Why a mechanism that is free to move stays where it is.
#pragma once
#include <catena/system/system.hpp>

#include <string>

namespace catena::detail {

// 'the axis of joint "pivot" (revolute) is parallel to gravity, that of ...': hinges about which gravity has no moment, and
// slides along which it has no force, the first three of them; 'there is no gravity' of models without it. Empty: neither.
std::string standstill_reason(const System& system, const State& state);

}  // namespace catena::detail
