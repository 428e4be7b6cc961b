#include <catena/io/detail/utf8.hpp>
#include <catena/io/parts/write_model.hpp>

#include <fmt/format.h>

#include <iterator>
#include <string_view>

namespace catena {
using namespace detail;
namespace {

bool is_word(std::string_view text) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  if (text.empty() || !letter(text.front()) || text.back() == ' ') return false;
  for (const char c : text)
    if (!letter(c) && !(c >= '0' && c <= '9') && c != ' ' && c != '-' && c != '.' && c != '/') return false;
  for (const char* word : {"null", "Null", "NULL"})
    if (text == word) return false;
  return true;
}

// Characters that YAML refuses or takes for line breaks, unless they are escaped: U+0080 to U+009F, U+2028, U+2029,
// U+FEFF, U+FFFE and U+FFFF. Their number; 0: it is none of them.
unsigned must_be_escaped(std::string_view character) {
  const auto byte = [&](std::size_t k) {
    return static_cast<unsigned>(static_cast<unsigned char>(character[k]));
  };
  unsigned number = 0;
  if (character.size() == 2) number = (byte(0) & 0x1FU) << 6U | (byte(1) & 0x3FU);
  if (character.size() == 3) number = (byte(0) & 0x0FU) << 12U | (byte(1) & 0x3FU) << 6U | (byte(2) & 0x3FU);
  const bool found = (number >= 0x80 && number < 0xA0) || number == 0x2028 || number == 0x2029 ||
                     number == 0xFEFF || number == 0xFFFE || number == 0xFFFF;
  return found ? number : 0;
}

}  // namespace

std::string yaml_text(const std::string& text) {
  if (text.size() > 1000) throw ModelError("a text is longer than 1000 bytes");
  if (is_word(text)) return text;
  std::string out = "\"";
  for (std::size_t k = 0; k < text.size();) {
    const std::size_t n = utf8_length(std::string_view(text).substr(k));
    const auto c = static_cast<unsigned char>(text[k]);
    if (n == 0) throw ModelError("the text \"" + text + "\" is not UTF-8");
    if (c < ' ' || c == 0x7F) throw ModelError("the text has a line break or another control character");
    if (c == '"' || c == '\\') out += '\\';
    if (const unsigned number = must_be_escaped(std::string_view(text).substr(k, n)); number != 0)
      fmt::format_to(std::back_inserter(out), "\\u{:04X}", number);
    else
      out.append(text, k, n);
    k += n;
  }
  return out + '"';
}

}  // namespace catena
