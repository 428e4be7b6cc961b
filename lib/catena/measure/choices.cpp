#include <catena/measure/detail/choices.hpp>
#include <catena/measure/parts/quantity_catalog.hpp>

#include <utility>

namespace catena::detail {
namespace {

std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(' ');
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

}  // namespace

std::vector<Choice> parse_choices(const std::string& text) {
  std::vector<std::vector<std::string>> parts(1, std::vector<std::string>(1));
  bool quoted = false;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
    if (quoted && text.compare(k, 2, "\"\"") == 0)
      parts.back().back() += text[++k];
    else if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      parts.emplace_back(1);
    else if (c == ':' && !quoted)
      parts.back().emplace_back();
    else
      parts.back().back() += c;
  }
  if (quoted) throw SelectionError("a quotation mark is not closed in \"" + text + "\"");
  std::vector<Choice> choices;
  for (const std::vector<std::string>& part : parts) {
    Choice choice{trimmed(part.front()), {}};
    if (choice.word.empty()) throw SelectionError("a name is missing in \"" + text + "\"");
    for (std::size_t k = 1; k < part.size(); ++k) {
      choice.items.push_back(trimmed(part[k]));
      if (choice.items.back().empty())
        throw SelectionError("an item is missing behind a colon in \"" + text + "\"");
    }
    choices.push_back(std::move(choice));
  }
  return choices;
}

}  // namespace catena::detail
