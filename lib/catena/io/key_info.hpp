// A key of a model file as the reader and its reference page know it: both go through the same tables.
#pragma once
#include <string>
#include <vector>

namespace catena {

struct KeyInfo {
  const char* key;
  const char* form;      // what stands behind it: "number", "[x, y, z]", "text", "map"
  const char* unit;      // "" where none is
  std::string standard;  // what holds without it; "required" where it must stand
  const char* meaning;
};

// The tables, for the reference page. Members of joints and forces have theirs in the catalog.
struct KeyTable {
  const char* title;
  const char* about;
  std::vector<KeyInfo> keys;
};
std::vector<KeyTable> model_file_tables();

}  // namespace catena
