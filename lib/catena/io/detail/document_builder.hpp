// Builds a Document value by value and keeps its limits: levels, values, and what aliases expand to.
#pragma once
#include <catena/io/detail/document.hpp>

#include <cstddef>
#include <unordered_map>
#include <utility>

namespace catena::detail {

class DocumentBuilder {
 public:
  // Both from 0, as entries hold them.
  struct Place {
    std::uint32_t line = 0, column = 0;
  };
  // A list or a map that has begun and not ended.
  struct Level {
    std::uint32_t entry;
    std::uint32_t last = 0;  // child, 0: none yet
    double values = 1.0;     // of the subtree, aliases expanded
  };

  // bytes: of the text that will be read.
  DocumentBuilder(std::string name, std::size_t bytes, std::shared_ptr<FileParameters> parameters);

  bool empty() const { return document_->entries_.empty(); }
  // Each takes the anchor that names the value, "" where there is none.
  void scalar(Place place, std::string_view text, bool quoted, std::string_view anchor);
  void begin(Place place, Document::Kind kind, std::string_view anchor);  // a sequence or a map
  void end();
  void alias(Place place, std::string_view anchor);
  // The next value, with all that is in it, is not in the text of the file; what messages of it say: FileNode::given().
  void begin_given(std::string remark);
  void end_given();

  // Throws ModelFileError.
  [[noreturn]] void fail(Place place, const std::string& why) const;
  std::unique_ptr<const Document> take() { return std::move(document_); }

 private:
  Document::Entry& add(Place place, Document::Kind kind, std::string_view anchor, double more_values = 0.0);

  std::unique_ptr<Document> document_;
  std::string_view keep(std::string_view text);  // as long as the document lives

  std::vector<Level> open_;
  std::unordered_map<std::string, std::uint32_t> anchors_;  // the entry of each name
  std::vector<double> values_;                              // of anchored entries, aliases expanded
  double total_ = 0.0;                                      // values that aliases add
};

}  // namespace catena::detail
