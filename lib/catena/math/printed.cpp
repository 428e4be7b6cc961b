#include <catena/math/detail/printed.hpp>

#include <cstdarg>
#include <cstdio>

namespace catena::detail {

std::string printed(const char* format, ...) {
  std::va_list values, again;
  va_start(values, format);
  va_copy(again, values);
  const int length = std::vsnprintf(nullptr, 0, format, values);
  va_end(values);
  std::string text(length > 0 ? static_cast<std::size_t>(length) : 0, '\0');
  if (length > 0) std::vsnprintf(text.data(), text.size() + 1, format, again);
  va_end(again);
  return text;
}

std::string joined(const std::vector<std::string>& names, const char* last) {
  std::string text;
  for (std::size_t k = 0; k < names.size(); ++k)
    text += (k == 0 ? "" : k + 1 == names.size() ? last : ", ") + names[k];
  return text;
}

std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t shown = 6;
  if (names.size() <= shown) return joined(names);
  return joined({names.begin(), names.begin() + shown}) + " and " + std::to_string(names.size() - shown) +
         " more";
}

}  // namespace catena::detail
