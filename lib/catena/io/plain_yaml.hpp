// The YAML that large model files consist of, read about ten times faster than yaml-cpp reads it: block maps and
// lists, lists and maps in brackets on one line, plain and quoted words on one line, comments. It gives the same
// tree as yaml-cpp (tests compare them, and so does the fuzzer); for anything else, mistakes included, it gives up.
#pragma once
#include <catena/io/document.hpp>

namespace catena {

// Fills the entries of a document that has its source; false, and no entries: yaml-cpp must read it.
bool parse_plain_yaml(Document& document);

}  // namespace catena
