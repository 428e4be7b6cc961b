#pragma once
#include <stdexcept>
#include <string>
#include <vector>

namespace catena {

// What the user typed makes no sense; the message says what would.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// 'no stepper "gneralized_alpha": did you mean "generalized_alpha"?', or all names when none is near.
std::string unknown_name(const std::string& kind, const std::string& typed,
                         const std::vector<std::string>& names);

}  // namespace catena
