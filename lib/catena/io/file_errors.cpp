#include <catena/io/detail/file_errors.hpp>

#include <algorithm>

namespace catena::detail {
namespace {

std::string place(const std::string& file, int line, int column) {
  return line == 0 ? file : file + ':' + std::to_string(line) + ':' + std::to_string(column);
}

}  // namespace

std::string place(const FileNode& node) { return place(node.document().name(), node.line(), node.column()); }

ModelFileError::ModelFileError(const std::string& file, int line, int column, const std::string& why)
    : FileError(place(file, line, column) + ": " + why) {}

void FileErrors::add(const FileNode& at, const std::string& why) {
  if (count_++ < most) errors_.push_back({&at.document(), at.line(), at.column(), why + at.given()});
}

void FileErrors::add(const ModelFileError& error) {
  if (count_++ < most) errors_.push_back({nullptr, 0, 0, error.what()});
}

void FileErrors::throw_if_any() const {
  if (count_ > 0) throw ModelFileError(text());
}

std::string FileErrors::text() const {
  std::vector<Error> sorted = errors_;
  std::stable_sort(sorted.begin(), sorted.end(), [](const Error& a, const Error& b) {
    if (a.document != b.document) return false;  // files stay in the order of their first errors
    return a.line != b.line ? a.line < b.line : a.column < b.column;
  });
  std::string text;
  for (const Error& c : sorted) {
    if (!text.empty()) text += '\n';
    text += c.document == nullptr ? c.text : place(c.document->name(), c.line, c.column) + ": " + c.text;
  }
  if (count_ > most) text += "\nand " + std::to_string(count_ - most) + " more";
  return text;
}

}  // namespace catena::detail
