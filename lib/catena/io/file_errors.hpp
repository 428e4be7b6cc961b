// What is wrong with a model file: all of it at once, each complaint with file, line and column.
#pragma once
#include <catena/experiment/usage_error.hpp>
#include <catena/io/document.hpp>

#include <string>
#include <vector>

namespace catena {

// 'chain.yaml:12:5: body "link 3": unknown key "mas" (did you mean "mass"?)', one line a complaint.
class ModelFileError : public FileError {
 public:
  // line and column from 1; line 0: the file as a whole.
  ModelFileError(const std::string& file, int line, int column, const std::string& why);
  explicit ModelFileError(const std::string& lines) : FileError(lines) {}
};

// "chain.yaml:12:5"
std::string place(const FileNode& node);

// Collects complaints. The first twenty are kept, the others counted.
class FileErrors {
 public:
  void add(const FileNode& at, const std::string& why);
  // One that was thrown while another file was read.
  void add(const ModelFileError& error);

  int count() const { return count_; }
  // Hints and texts are worth their time only while this holds.
  bool wants_more() const { return count_ < most; }
  // By file and line, then how many more there are; empty without any.
  std::string text() const;
  // Throws ModelFileError with that text where there is any complaint.
  void throw_if_any() const;

 private:
  static constexpr int most = 20;
  struct Complaint {
    const Document* document;  // null: line holds the whole text
    int line, column;
    std::string text;
  };
  std::vector<Complaint> complaints_;
  int count_ = 0;
};

}  // namespace catena
