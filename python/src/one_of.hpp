// Values that Python gives by name.
#pragma once
#include <catena/experiment/parts/usage_error.hpp>

#include <string>
#include <utility>
#include <vector>

namespace catena::python {

// Throws UsageError with the nearest words.
template <class Value>
Value one_of(const char* kind, const std::string& word,
             const std::vector<std::pair<std::string, Value>>& values) {
  std::vector<std::string> words;
  for (const auto& [name, value] : values) {
    if (name == word) return value;
    words.push_back(name);
  }
  throw UsageError(unknown_name(kind, word, words));
}

}  // namespace catena::python
