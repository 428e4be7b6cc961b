// Numbers as users may type them, and nothing else: no spaces, no trailing letters, no nan, no inf, no hexadecimals.
#pragma once
#include <optional>
#include <string_view>

namespace catena::detail {

std::optional<double> parse_real(std::string_view text);  // "1e-3", "-2", ".5"
std::optional<int> parse_integer(std::string_view text);  // "-7"; not "1e3", not "7.0"
std::optional<bool> parse_flag(std::string_view text);    // "true" or "false"

// [s] of "10", "10s", "2.5min" or "1h"; not negative.
std::optional<double> parse_duration(std::string_view text);

}  // namespace catena::detail
