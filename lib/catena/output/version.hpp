#pragma once

namespace catena {

// "0.1.0"
const char* version();

}  // namespace catena
