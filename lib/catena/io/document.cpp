#include <catena/io/detail/document.hpp>

namespace catena::detail {
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

const std::string& FileNode::given() const {
  static const std::string none;
  for (const Document::Given& given : document_->given())
    if (entry_ >= given.begin && entry_ < given.end) return given.remark;
  return none;
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

}  // namespace catena::detail
