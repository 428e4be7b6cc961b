// A model as a file that reads to the same model, bit for bit.
#pragma once
#include <catena/experiment/parts/element_type.hpp>
#include <catena/io/read_model.hpp>

#include <string>
#include <utility>
#include <vector>

namespace catena {

// Contents of the file besides the model.
struct FileNotes {
  std::string title = {};
  std::vector<FilePoint> points = {};
  std::vector<std::pair<std::string, std::string>> run = {};  // key and value of the section `run`
};

// Numbers in the fewest digits that read to the same bits, in the units of the listings. Throws ModelError that names
// everything without a form in a file: joints and forces of types that are not among `types` or have no listing,
// names that are no text of one line, a body called "ground".
std::string write_model(const Model& model, const ElementTypes& types, const FileNotes& notes = {});

// A word as YAML has it, in quotes where it needs them. Throws ModelError for control characters, what is not
// UTF-8, and more than 1000 bytes.
std::string yaml_text(const std::string& text);

}  // namespace catena
