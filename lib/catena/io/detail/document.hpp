// A YAML document as a compact tree in which every value knows its line and column. Anchored values are shared, not
// copied, so that a file of a few lines cannot fill the memory.
#pragma once
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace catena::detail {

class Document;
class FileParameters;

// A value of a document; it must not outlive it.
class FileNode {
 public:
  FileNode() = default;  // no value
  FileNode(const Document& document, std::uint32_t entry) : document_(&document), entry_(entry) {}

  explicit operator bool() const { return document_ != nullptr; }
  bool is_null() const;  // the key has no value, or the value is ~ or null
  bool is_scalar() const;
  bool is_sequence() const;
  bool is_map() const;

  std::string_view text() const;  // of a scalar, without quotes
  bool quoted() const;
  int size() const;  // values of a sequence, pairs of a map

  // Children one after the other: values, or key, value, key, value.
  FileNode first() const;
  FileNode next() const;

  int line() const;    // from 1; of the value, for an alias of the alias itself
  int column() const;  // from 1, in characters
  const Document& document() const { return *document_; }
  std::string what() const;  // "text", "a list of 3", "a map", "nothing": for messages
  // " (by --set bodies.rod.mass=2)" of a value that is not in the text of the file; else empty. For messages.
  const std::string& given() const;

 private:
  const Document* document_ = nullptr;
  std::uint32_t entry_ = 0;
};

class Document {
 public:
  enum class Kind : std::uint8_t { null, scalar, sequence, map, alias };

  // Reads text, one YAML document. Throws ModelFileError (file_errors.hpp) with line and column: not UTF-8, not
  // YAML, a second document, tags, aliases without an anchor or inside the value that they name, aliases that
  // expand to more than 10^7 values, more than 100 levels, more than 10^8 values.
  static std::unique_ptr<const Document> parse(std::string name, std::string text,
                                               std::shared_ptr<FileParameters> parameters = nullptr);

  const std::string& name() const { return name_; }
  // That its numbers may name (file_parameters.hpp); null: none.
  const std::shared_ptr<FileParameters>& parameters() const { return parameters_; }
  FileNode root() const { return {*this, 0}; }

  // In the order of the text; the children of an entry follow it.
  struct Entry {
    std::string_view text = {};
    std::uint32_t next = 0;    // sibling, 0: none
    std::uint32_t line = 0;    // from 0
    std::uint32_t column = 0;  // from 0
    std::uint32_t size = 0;    // of a map: keys and values; of an alias: the entry that it names
    Kind kind = Kind::null;
    bool quoted = false;
  };
  const std::vector<Entry>& entries() const { return entries_; }
  // Entries that are not in the text (given_members.hpp), and what messages say of them.
  struct Given {
    std::uint32_t begin, end;
    std::string remark;
  };
  const std::vector<Given>& given() const { return given_; }

 private:
  friend class DocumentBuilder;
  Document() = default;

  std::string name_;
  std::shared_ptr<FileParameters> parameters_;
  std::deque<std::string> texts_;  // of the scalars, many in each
  std::vector<Entry> entries_;
  std::vector<Given> given_;
};

}  // namespace catena::detail
