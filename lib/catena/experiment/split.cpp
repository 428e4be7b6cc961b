#include <catena/experiment/detail/split.hpp>

namespace catena::detail {

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts{""};
  for (const char c : text)
    if (c == separator)
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

}  // namespace catena::detail
