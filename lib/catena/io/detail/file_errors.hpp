// The errors of a model file, all at once, each with file, line and column.
#pragma once
#include <catena/experiment/parts/usage_error.hpp>
#include <catena/io/detail/document.hpp>

#include <string>
#include <vector>

namespace catena::detail {

// 'chain.yaml:12:5: body "link 3": unknown key "mas" (did you mean "mass"?)', one line an error.
class ModelFileError : public FileError {
 public:
  // line and column from 1; line 0: the file as a whole.
  ModelFileError(const std::string& file, int line, int column, const std::string& why);
  explicit ModelFileError(const std::string& lines) : FileError(lines) {}
};

// "chain.yaml:12:5"
std::string place(const FileNode& node);

// Collects errors. The first twenty are kept, which fill a screen; the others are counted.
class FileErrors {
 public:
  void add(const FileNode& at, const std::string& why);
  // An error that was thrown while an included file was read.
  void add(const ModelFileError& error);

  int count() const { return count_; }
  // False: further errors are only counted, so that their texts need not be made.
  bool wants_more() const { return count_ < most; }
  // By file and line, then the number of further ones; empty without errors.
  std::string text() const;
  // Throws ModelFileError with that text where there is an error.
  void throw_if_any() const;

 private:
  static constexpr int most = 20;
  struct Error {
    const Document* document;  // null: text is the whole line
    int line, column;
    std::string text;
  };
  std::vector<Error> errors_;
  int count_ = 0;
};

}  // namespace catena::detail
