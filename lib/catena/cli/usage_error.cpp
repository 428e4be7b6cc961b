#include <catena/cli/usage_error.hpp>
#include <catena/math/nearest.hpp>

namespace catena {

std::string signed_lines(const std::string& complaints) {
  std::string text = "catena: ";
  for (const char c : complaints) {
    text += c;
    if (c == '\n') text += "catena: ";
  }
  return text + '\n';
}

std::string unknown_name(const std::string& kind, const std::string& typed,
                         const std::vector<std::string>& names) {
  const std::string hint = nearest_hint(typed, names);
  std::string text = "no " + kind + " \"" + typed + "\"";
  if (!hint.empty()) return text + ": " + hint;
  if (names.empty()) return text + ": there are none";
  text += "; there are";
  for (std::size_t k = 0; k < names.size(); ++k) text += (k == 0 ? " " : ", ") + names[k];
  return text;
}

}  // namespace catena
