// A key of a model file, for the reader and for the reference page: both use the same tables.
#pragma once
#include <string>
#include <vector>

namespace catena::detail {

struct KeyInfo {
  const char* key;
  const char* form;      // form of its value: "number", "[x, y, z]", "text", "map"
  const char* unit;      // "" where none is
  std::string standard;  // the value without it; "required" where it must be given
  const char* meaning;
};

// The tables, for the reference page. Members of joints and forces have theirs in the catalog.
struct KeyTable {
  const char* title;
  const char* about;
  std::vector<KeyInfo> keys;
};
std::vector<KeyTable> model_file_tables();

}  // namespace catena::detail
