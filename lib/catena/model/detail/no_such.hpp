// Numbers of bodies, joints and forces that a model does not have.
#pragma once
#include <string>

namespace catena::detail {

// 'body number 3 does not exist; the model has 1 body (number 0)'. kind: "body", "joint" or "force".
std::string no_such(const std::string& kind, int number, int count);

// Throws ModelError with that unless the number is one of count.
void check_number(const char* kind, int number, int count);

}  // namespace catena::detail
