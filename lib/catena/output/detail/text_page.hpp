// Text for people, line by line.
#pragma once
#include <fmt/format.h>

#include <iterator>
#include <string>
#include <utility>

namespace catena::detail {

class TextPage {
 public:
  // Blanks at its end are left out.
  template <class... T>
  void line(fmt::format_string<T...> format, T&&... values) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<T>(values)...);
    while (!text_.empty() && text_.back() == ' ') text_.pop_back();
    text_ += '\n';
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

}  // namespace catena::detail
