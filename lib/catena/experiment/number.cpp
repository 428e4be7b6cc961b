#include <catena/experiment/detail/number.hpp>

#include <charconv>
#include <cmath>
#include <system_error>

namespace catena::detail {
namespace {

template <class T>
std::optional<T> parse(std::string_view text) {
  T value{};
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stopped != end) return std::nullopt;
  return value;
}

}  // namespace

std::optional<double> parse_real(std::string_view text) {
  const std::optional<double> value = parse<double>(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

std::optional<int> parse_integer(std::string_view text) { return parse<int>(text); }

std::optional<bool> parse_flag(std::string_view text) {
  if (text == "true") return true;
  if (text == "false") return false;
  return std::nullopt;
}

std::optional<double> parse_duration(std::string_view text) {
  struct Unit {
    std::string_view name;
    double seconds;
  };
  double seconds = 1.0;
  for (const Unit& unit : {Unit{"min", 60.0}, Unit{"s", 1.0}, Unit{"h", 3600.0}})
    if (text.ends_with(unit.name)) {
      text.remove_suffix(unit.name.size());
      if (text.ends_with(' ')) text.remove_suffix(1);  // as in model files
      seconds = unit.seconds;
      break;
    }
  const std::optional<double> value = parse_real(text);
  return value && *value >= 0.0 && std::isfinite(*value * seconds) ? std::optional(*value * seconds)
                                                                   : std::nullopt;
}

}  // namespace catena::detail
