// A scaling study as tables for people.
#pragma once
#include <catena/study/detail/scaling.hpp>

#include <string>

namespace catena::detail {

std::string to_text(const Scaling& scaling);

}  // namespace catena::detail
