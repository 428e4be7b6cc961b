// The tree from the events of yaml-cpp.
#include <catena/io/document.hpp>
#include <catena/io/file_errors.hpp>
#include <catena/io/plain_yaml.hpp>
#include <catena/io/utf8.hpp>

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <sstream>
#include <utility>

namespace catena {
namespace {

constexpr std::size_t most_levels = 100;
constexpr double most_values = 1e7;                // behind aliases
constexpr std::size_t most_entries = 100'000'000;  // of a file

}  // namespace

class DocumentBuilder final : public YAML::EventHandler {
 public:
  explicit DocumentBuilder(Document& document) : d_(document) {}

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    add(mark, Document::Kind::null, anchor);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    if (anchor >= anchors_.size() || anchors_[anchor] == nobody) refuse(mark, "an alias of nothing");
    const std::uint32_t target = anchors_[anchor];
    for (const Level& level : open_)
      if (level.entry == target) refuse(mark, "an alias inside of what it stands for");
    const double values = values_[target];
    Document::Entry& e = add(mark, Document::Kind::alias, YAML::NullAnchor, values - 1.0);
    e.size = target;
    if (total_ > most_values) refuse(mark, "the aliases of this file unfold to more than 10^7 values");
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    check_tag(mark, tag);
    Document::Entry& e = add(mark, Document::Kind::scalar, anchor);
    e.quoted = tag == "!";
    // yaml-cpp calls only the empty scalar and ~ null; the words are null in every version of YAML.
    if (!e.quoted && (value == "null" || value == "Null" || value == "NULL" || value == "~" || value.empty()))
      e.kind = Document::Kind::null;
    if (e.kind == Document::Kind::null) return;
    d_.texts_.push_back(value);
    e.text = d_.texts_.back();
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    check_tag(mark, tag);
    begin(mark, Document::Kind::sequence, anchor);
  }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    check_tag(mark, tag);
    begin(mark, Document::Kind::map, anchor);
  }
  void OnSequenceEnd() override { end(); }
  void OnMapEnd() override { end(); }

 private:
  struct Level {
    std::uint32_t entry;
    std::uint32_t last = 0;  // child
    double values = 1.0;     // of the subtree, aliases unfolded
  };
  static constexpr std::uint32_t nobody = ~0U;

  [[noreturn]] void refuse(const YAML::Mark& mark, const std::string& why) const {
    throw ModelFileError(d_.name(), mark.line + 1, mark.column + 1, why);
  }
  void check_tag(const YAML::Mark& mark, const std::string& tag) const {
    if (!tag.empty() && tag != "?" && tag != "!")
      refuse(mark, "tags (\"" + tag.substr(0, 40) + "\") have no meaning in a model file");
  }
  Document::Entry& add(const YAML::Mark& mark, Document::Kind kind, YAML::anchor_t anchor,
                       double more_values = 0.0) {
    if (d_.entries_.size() >= most_entries) refuse(mark, "more than 10^8 values");
    const auto entry = static_cast<std::uint32_t>(d_.entries_.size());
    if (!open_.empty()) {
      Level& parent = open_.back();
      if (parent.last != 0) d_.entries_[parent.last].next = entry;
      parent.last = entry;
      parent.values += 1.0 + more_values;
      ++d_.entries_[parent.entry].size;
    }
    total_ += more_values;
    Document::Entry e;
    e.line = static_cast<std::uint32_t>(std::max(mark.line, 0));
    e.column = static_cast<std::uint32_t>(std::max(mark.column, 0));
    e.kind = kind;
    d_.entries_.push_back(e);
    if (anchor != YAML::NullAnchor) {
      if (anchors_.size() <= anchor) anchors_.resize(anchor + 1, nobody);
      anchors_[anchor] = entry;
      values_.resize(entry + 1, 1.0);
    }
    return d_.entries_.back();
  }
  void begin(const YAML::Mark& mark, Document::Kind kind, YAML::anchor_t anchor) {
    if (open_.size() >= most_levels) refuse(mark, "more than 100 levels of lists and maps");
    add(mark, kind, anchor);
    open_.push_back({static_cast<std::uint32_t>(d_.entries_.size() - 1)});
  }
  void end() {
    const Level closed = open_.back();
    open_.pop_back();
    if (closed.entry < values_.size()) values_[closed.entry] = closed.values;
    if (!open_.empty()) open_.back().values += closed.values - 1.0;
  }

  Document& d_;
  std::vector<Level> open_;
  std::vector<std::uint32_t> anchors_;  // entry of each, by the number that yaml-cpp gives it
  std::vector<double> values_;          // of anchored entries
  double total_ = 0.0;                  // values that aliases add
};

namespace {

bool tab_in_indentation(const std::string& text, int line) {
  std::size_t k = 0;
  for (; line > 0 && k != std::string::npos; --line) {
    k = text.find('\n', k);
    if (k != std::string::npos) ++k;
  }
  if (k == std::string::npos) return false;
  const std::size_t word = text.find_first_not_of(" \t", k);
  return text.substr(k, word == std::string::npos ? word : word - k).find('\t') != std::string::npos;
}

// Text of a file is UTF-8 without control characters.
void check_text(const std::string& name, const std::string& text) {
  int line = 1;
  std::size_t begin = 0;
  for (std::size_t k = 0; k < text.size();) {
    const auto c = static_cast<unsigned char>(text[k]);
    const std::size_t n = c < 0x80 ? 1 : utf8_length(std::string_view(text).substr(k, 4));
    const bool control = (c < ' ' && c != '\n' && c != '\r' && c != '\t') || c == 0x7F;
    if (n == 0 || control) {
      const char* const digits = "0123456789abcdef";
      throw ModelFileError(name, line, static_cast<int>(k - begin) + 1,
                           std::string("not text in UTF-8: the byte 0x") + digits[c / 16] + digits[c % 16]);
    }
    k += n;
    if (c == '\n') {
      ++line;
      begin = k;
    }
  }
}

}  // namespace

std::unique_ptr<const Document> Document::parse_yaml(std::string name, std::string text) {
  std::unique_ptr<Document> d(new Document);
  d->name_ = std::move(name);
  d->source_ = std::move(text);
  std::istringstream stream(d->source_);
  try {
    YAML::Parser parser(stream);
    DocumentBuilder builder(*d);
    if (!parser.HandleNextDocument(builder) || d->entries_.empty())
      throw ModelFileError(d->name_, 1, 1, "the file holds nothing");
    const std::size_t first = d->entries_.size();
    if (parser.HandleNextDocument(builder) && d->entries_.size() > first) {
      const Entry& second = d->entries_[first];
      throw ModelFileError(d->name_, static_cast<int>(second.line) + 1, static_cast<int>(second.column) + 1,
                           "a second document begins; a model file is one");
    }
  } catch (const YAML::Exception& error) {
    const int line = std::max(error.mark.line, 0);
    throw ModelFileError(d->name_, line + 1, std::max(error.mark.column, 0) + 1,
                         tab_in_indentation(d->source_, line) ? "not YAML: a tab; indent with spaces"
                                                              : "not YAML: " + error.msg);
  }
  return d;
}

std::unique_ptr<const Document> Document::parse_plain(std::string name, std::string text) {
  std::unique_ptr<Document> d(new Document);
  d->name_ = std::move(name);
  d->source_ = std::move(text);
  if (!parse_plain_yaml(*d)) return nullptr;
  return d;
}

std::unique_ptr<const Document> Document::parse(std::string name, std::string text) {
  std::unique_ptr<Document> d(new Document);
  d->name_ = std::move(name);
  d->source_ = std::move(text);
  if (d->source_.starts_with("\xEF\xBB\xBF")) d->source_.erase(0, 3);  // a mark of UTF-8
  check_text(d->name_, d->source_);
  if (parse_plain_yaml(*d)) return d;
  return parse_yaml(std::move(d->name_), std::move(d->source_));
}

namespace {

const Document::Entry& resolved(const Document& d, std::uint32_t entry) {
  const Document::Entry& e = d.entries()[entry];
  return e.kind == Document::Kind::alias ? d.entries()[e.size] : e;
}

}  // namespace

bool FileNode::is_null() const { return resolved(*document_, entry_).kind == Document::Kind::null; }
bool FileNode::is_scalar() const { return resolved(*document_, entry_).kind == Document::Kind::scalar; }
bool FileNode::is_sequence() const { return resolved(*document_, entry_).kind == Document::Kind::sequence; }
bool FileNode::is_map() const { return resolved(*document_, entry_).kind == Document::Kind::map; }
std::string_view FileNode::text() const { return resolved(*document_, entry_).text; }
bool FileNode::quoted() const { return resolved(*document_, entry_).quoted; }
int FileNode::line() const { return static_cast<int>(document_->entries()[entry_].line) + 1; }
int FileNode::column() const { return static_cast<int>(document_->entries()[entry_].column) + 1; }

int FileNode::size() const {
  const Document::Entry& e = resolved(*document_, entry_);
  return static_cast<int>(e.kind == Document::Kind::map ? e.size / 2 : e.size);
}

FileNode FileNode::first() const {
  const Document::Entry& e = resolved(*document_, entry_);
  if (e.size == 0 || (e.kind != Document::Kind::sequence && e.kind != Document::Kind::map)) return {};
  return {*document_, static_cast<std::uint32_t>(&e - document_->entries().data()) + 1};
}

FileNode FileNode::next() const {
  const std::uint32_t next = document_->entries()[entry_].next;
  return next == 0 ? FileNode{} : FileNode{*document_, next};
}

std::string FileNode::what() const {
  if (is_null()) return "nothing";
  if (is_map()) return "a map";
  if (is_sequence()) return "a list of " + std::to_string(size());
  constexpr std::size_t most = 40;
  std::string shown(text().substr(0, most));
  for (char& c : shown)
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  if (text().size() > most) {
    while (!shown.empty() && (static_cast<unsigned char>(shown.back()) & 0xC0U) == 0x80U) shown.pop_back();
    shown += "...";
  }
  return '"' + shown + '"';
}

}  // namespace catena
