// The text of a choice: words with commas between, each with items behind colons. A comma or a colon between quotation marks is a
// plain letter.
#pragma once
#include <string>
#include <vector>

namespace catena::detail {

struct Choice {
  std::string word;
  std::vector<std::string> items;
};

// A quotation mark in a name between such marks is written twice. Throws SelectionError for a missing word or item, and for a quotation mark that is not closed.
std::vector<Choice> parse_choices(const std::string& text);

}  // namespace catena::detail
