// Numbers as they are typed behind an option.
#pragma once
#include <catena/experiment/detail/number.hpp>
#include <catena/experiment/parts/usage_error.hpp>

#include <limits>
#include <string>

namespace catena::detail {

// option: "--steps". Throws UsageError for what is no whole number, or less than `least`.
inline int whole_number(const std::string& option, const std::string& text, int least) {
  if (const std::optional<int> number = parse_integer(text); number && *number >= least) return *number;
  const bool too_large = text.find_first_not_of("0123456789") == std::string::npos && !parse_integer(text);
  throw UsageError(option + " " + text + ": this is a whole number from " + std::to_string(least) +
                   (too_large ? " to " + std::to_string(std::numeric_limits<int>::max()) : ""));
}

}  // namespace catena::detail
