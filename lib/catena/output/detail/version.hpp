#pragma once

namespace catena::detail {

// "0.1.0"
const char* version();

}  // namespace catena::detail
