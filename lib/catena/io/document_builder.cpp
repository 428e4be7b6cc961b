#include <catena/io/detail/document_builder.hpp>
#include <catena/io/detail/file_errors.hpp>

#include <algorithm>
#include <utility>

namespace catena::detail {
namespace {

// A model file nests about ten levels; a hundred keep a reader that walks the tree recursively within a small stack.
constexpr std::size_t most_levels = 100;
// A text of 300 bytes can name 10^9 values by aliases of aliases. 10^7 is what the largest models hold (10^6 bodies
// of ten values), and takes seconds to read, not hours.
constexpr double most_alias_values = 1e7;
// 4 GB of entries: a file of the largest size that is read, 1 GiB, holds fewer unless it is made of brackets.
constexpr std::size_t most_entries = 100'000'000;

}  // namespace

DocumentBuilder::DocumentBuilder(std::string name, std::size_t bytes,
                                 std::shared_ptr<FileParameters> parameters)
    : document_(new Document) {
  document_->parameters_ = std::move(parameters);
  document_->name_ = std::move(name);
  document_->entries_.reserve(bytes / 12 + 16);  // a number and its comma: 8 to 20 bytes
}

void DocumentBuilder::scalar(Place place, std::string_view text, bool quoted, std::string_view anchor) {
  const bool is_null =
      !quoted && (text.empty() || text == "~" || text == "null" || text == "Null" || text == "NULL");
  Document::Entry& e = add(place, is_null ? Document::Kind::null : Document::Kind::scalar, anchor);
  if (is_null) return;
  e.text = keep(text);
  e.quoted = quoted;
}

void DocumentBuilder::begin(Place place, Document::Kind kind, std::string_view anchor) {
  if (open_.size() >= most_levels) fail(place, "more than 100 levels of lists and maps");
  add(place, kind, anchor);
  open_.push_back({static_cast<std::uint32_t>(document_->entries_.size() - 1)});
}

void DocumentBuilder::end() {
  const Level ended = open_.back();
  open_.pop_back();
  if (ended.entry < values_.size()) values_[ended.entry] = ended.values;
  if (!open_.empty()) open_.back().values += ended.values - 1.0;
}

void DocumentBuilder::alias(Place place, std::string_view anchor) {
  const std::string name(anchor);
  const auto found = anchors_.find(name);
  if (found == anchors_.end()) fail(place, "the alias *" + name.substr(0, 40) + " has no anchor before it");
  const std::uint32_t target = found->second;
  for (const Level& level : open_)
    if (level.entry == target)
      fail(place, "the alias *" + name.substr(0, 40) + " is inside the value that it names");
  Document::Entry& e = add(place, Document::Kind::alias, "", values_[target] - 1.0);
  e.size = target;
  if (total_ > most_alias_values) fail(place, "the aliases of this file expand to more than 10^7 values");
}

void DocumentBuilder::begin_given(std::string remark) {
  const auto next = static_cast<std::uint32_t>(document_->entries_.size());
  document_->given_.push_back({next, next, std::move(remark)});
}

void DocumentBuilder::end_given() {
  document_->given_.back().end = static_cast<std::uint32_t>(document_->entries_.size());
}

void DocumentBuilder::fail(Place place, const std::string& why) const {
  throw ModelFileError(document_->name_, static_cast<int>(place.line) + 1, static_cast<int>(place.column) + 1,
                       why);
}

std::string_view DocumentBuilder::keep(std::string_view text) {
  std::deque<std::string>& blocks = document_->texts_;
  if (blocks.empty() || blocks.back().capacity() - blocks.back().size() < text.size())
    blocks.emplace_back().reserve(std::max<std::size_t>(text.size(), 1U << 16U));
  std::string& block = blocks.back();  // never reallocated: views of it stay valid
  const std::size_t begin = block.size();
  block += text;
  return std::string_view(block).substr(begin);
}

Document::Entry& DocumentBuilder::add(Place place, Document::Kind kind, std::string_view anchor,
                                      double more_values) {
  std::vector<Document::Entry>& entries = document_->entries_;
  if (entries.size() >= most_entries) fail(place, "more than 10^8 values");
  const auto entry = static_cast<std::uint32_t>(entries.size());
  if (!open_.empty()) {
    Level& parent = open_.back();
    if (parent.last != 0) entries[parent.last].next = entry;
    parent.last = entry;
    parent.values += 1.0 + more_values;
    ++entries[parent.entry].size;
  }
  total_ += more_values;
  Document::Entry& e = entries.emplace_back();
  e.line = place.line;
  e.column = place.column;
  e.kind = kind;
  if (!anchor.empty()) {
    anchors_[std::string(anchor)] = entry;
    values_.resize(entry + 1, 1.0);
  }
  return e;
}

}  // namespace catena::detail
