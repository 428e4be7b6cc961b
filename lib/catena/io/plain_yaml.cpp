#include <catena/io/plain_yaml.hpp>

#include <array>
#include <cstddef>
#include <limits>

namespace catena {
namespace {

// What a character may be in a word without quotes.
enum : unsigned char { never = 0, inside_block = 1, inside = 2, first = 4 };

constexpr std::array<unsigned char, 256> classes() {
  std::array<unsigned char, 256> c{};
  for (const char x : {' ', '^', '*', '=', '+', '-', ')', '(', '.', '/', '_'})
    c[static_cast<unsigned char>(x)] = inside | inside_block;
  for (const char x : {',', ';', '{', '}', '<', '>'}) c[static_cast<unsigned char>(x)] = inside_block;
  for (int x = '0'; x <= '9'; ++x) c[static_cast<std::size_t>(x)] = inside | inside_block | first;
  for (int x = 'a'; x <= 'z'; ++x)
    c[static_cast<std::size_t>(x)] = c[static_cast<std::size_t>(x - 'a' + 'A')] =
        inside | inside_block | first;
  for (const char x : {'+', '-', '.', '/', '_', '('}) c[static_cast<unsigned char>(x)] |= first;
  return c;
}
constexpr std::array<unsigned char, 256> char_class = classes();

using Entry = Document::Entry;
using Kind = Document::Kind;

// Recursive descent over lines. Whatever it does not know makes it give up.
class PlainParser {
 public:
  PlainParser(std::string_view text, std::vector<Entry>& entries) : text_(text), entries_(entries) {
    entries_.reserve(text.size() / 12 + 16);
  }

  bool parse() {
    if (text_.size() >= std::numeric_limits<std::uint32_t>::max() / 2) return false;
    next_line();
    if (at_end_ || indent_ != 0 || starts_item()) return false;
    Parent none;
    return block(none, 0, 0) && at_end_ && !refused_;
  }

 private:
  static constexpr int deepest = 40;
  static constexpr std::size_t most_entries = 100'000'000;  // beyond it yaml-cpp's reader has the sentence

  struct Parent {
    std::uint32_t entry = none;
    std::uint32_t last = 0;
    static constexpr std::uint32_t none = ~0U;
  };

  char at(std::size_t k) const { return k < text_.size() ? text_[k] : '\n'; }
  bool line_ends(std::size_t k) const { return k >= text_.size() || text_[k] == '\n'; }

  std::uint32_t add(Parent& parent, Kind kind, std::size_t where) {
    if (entries_.size() >= most_entries) refused_ = true;
    const auto entry = static_cast<std::uint32_t>(entries_.size());
    if (parent.entry != Parent::none) {
      if (parent.last != 0) entries_[parent.last].next = entry;
      parent.last = entry;
      ++entries_[parent.entry].size;
    }
    Entry e;
    e.line = line_;
    e.column = static_cast<std::uint32_t>(where - begin_);
    e.kind = kind;
    entries_.push_back(e);
    return entry;
  }
  void add_text(Parent& parent, std::size_t from, std::size_t to, std::size_t where, bool quoted) {
    const std::uint32_t entry = add(parent, Kind::scalar, where);
    entries_[entry].text = text_.substr(from, to - from);
    entries_[entry].quoted = quoted;
  }

  // The next line with something on it: k_ stands behind its indentation.
  void next_line() {
    for (;;) {
      if (started_) {
        const std::size_t end = text_.find('\n', k_);
        if (end == std::string_view::npos) {
          at_end_ = true;
          return;
        }
        begin_ = end + 1;
        ++line_;
      }
      started_ = true;
      k_ = begin_;
      if (begin_ >= text_.size()) {
        at_end_ = true;
        return;
      }
      while (at(k_) == ' ') ++k_;
      if (text_.size() > k_ && text_[k_] == '#') {
        if (!comment(k_)) refused_ = true;
        continue;
      }
      if (line_ends(k_)) continue;
      indent_ = static_cast<int>(k_ - begin_);
      return;
    }
  }
  // Only characters that cannot surprise anybody.
  bool comment(std::size_t k) const {
    for (; !line_ends(k); ++k)
      if (static_cast<unsigned char>(text_[k]) < ' ' || text_[k] == '\x7f') return false;
    return true;
  }
  // The rest of the line is empty or a comment.
  bool ends(std::size_t k) const {
    const std::size_t begin = k;
    while (at(k) == ' ' && k < text_.size()) ++k;
    if (line_ends(k)) return true;
    return text_[k] == '#' && k > begin && comment(k);
  }

  bool starts_item() const { return at(k_) == '-' && (at(k_ + 1) == ' ' || line_ends(k_ + 1)); }

  // A list or a map whose first entry begins at k_, in column `indent`. Ends at the first line that is not its own.
  bool block(Parent& parent, int indent, int depth) {
    if (depth > deepest) return false;
    return starts_item() ? list(parent, indent, depth) : map(parent, indent, depth);
  }

  bool list(Parent& parent, int indent, int depth) {
    Parent me{add(parent, Kind::sequence, k_)};
    for (;;) {
      std::size_t k = k_ + 1;
      while (at(k) == ' ' && k < text_.size()) ++k;
      if (line_ends(k) || text_[k] == '#') return false;  // the item stands on the next line
      k_ = k;
      const int inner = static_cast<int>(k_ - begin_);
      if (starts_item() || key_end(k_) != 0) {
        if (!block(me, inner, depth + 1)) return false;
      } else {
        if (!value(me, depth + 1)) return false;
        next_line();
      }
      if (refused_) return false;
      if (at_end_ || indent_ < indent) return true;
      if (indent_ > indent) return false;
      if (!starts_item()) return true;  // the map around it goes on
    }
  }

  bool map(Parent& parent, int indent, int depth) {
    Parent me{add(parent, Kind::map, k_)};
    for (;;) {
      const std::size_t colon = key_end(k_);
      if (colon == 0) return false;
      add_text(me, k_, colon, k_, false);
      std::size_t k = colon + 1;
      while (at(k) == ' ' && k < text_.size()) ++k;
      if (line_ends(k) || text_[k] == '#') {
        if (!line_ends(k) && !comment(k)) return false;
        k_ = k;
        next_line();
        if (refused_ || at_end_) return false;  // nothing stands behind the key
        const bool item = starts_item();
        if (item ? indent_ < indent : indent_ <= indent) return false;
        if (!block(me, indent_, depth + 1)) return false;
      } else {
        k_ = k;
        if (!value(me, depth + 1)) return false;
        next_line();
      }
      if (refused_) return false;
      if (at_end_ || indent_ < indent) return true;
      if (indent_ > indent || starts_item()) return false;
    }
  }

  // Where the colon of "key: " or "key:" at the end of a line stands; 0: none.
  std::size_t key_end(std::size_t k) const {
    const std::size_t begin = k;
    while ((at(k) >= 'a' && at(k) <= 'z') || (at(k) >= 'A' && at(k) <= 'Z') || at(k) == '_' ||
           (k > begin && at(k) >= '0' && at(k) <= '9'))
      ++k;
    if (k == begin || k - begin > 200 || k >= text_.size() || text_[k] != ':') return 0;
    if (at(k + 1) != ' ' && !line_ends(k + 1)) return 0;
    return is_null(text_.substr(begin, k - begin)) ? 0 : k;
  }
  static bool is_null(std::string_view word) { return word == "null" || word == "Null" || word == "NULL"; }

  // A value on this line, to its end.
  bool value(Parent& parent, int depth) {
    std::size_t k = k_;
    if (!one(parent, k, false, depth) || !ends(k)) return false;
    k_ = k;
    return true;
  }

  // One value; k goes behind it.
  bool one(Parent& parent, std::size_t& k, bool flow, int depth) {
    const char c = at(k);
    if (k >= text_.size()) return false;
    if (c == '[' || c == '{') return depth <= deepest && brackets(parent, k, depth);
    if (c == '"' || c == '\'') return quoted(parent, k);
    return word(parent, k, flow);
  }

  bool word(Parent& parent, std::size_t& k, bool flow) {
    const std::size_t begin = k;
    if ((char_class[static_cast<unsigned char>(at(k))] & first) == 0 || k >= text_.size()) return false;
    if (at(k) == '-' && (at(k + 1) == ' ' || line_ends(k + 1))) return false;
    const unsigned char mask = flow ? inside : inside_block;
    while (k < text_.size() && (char_class[static_cast<unsigned char>(text_[k])] & mask) != 0) ++k;
    std::size_t end = k;
    while (text_[end - 1] == ' ') --end;
    // What ended it: the line, a comment, or in brackets a comma or a bracket.
    const char c = at(k);
    const bool good = line_ends(k) || (c == '#' && end < k) || (flow && (c == ',' || c == ']' || c == '}'));
    if (!good || is_null(text_.substr(begin, end - begin))) return false;
    if (end - begin >= 3 && begin == begin_ &&
        (text_.substr(begin, 3) == "---" || text_.substr(begin, 3) == "..."))
      return false;
    k = end;
    add_text(parent, begin, end, begin, false);
    return true;
  }

  bool quoted(Parent& parent, std::size_t& k) {
    const char mark = text_[k];
    const std::size_t begin = k + 1;
    for (k = begin; !line_ends(k) && text_[k] != mark; ++k)
      if (text_[k] < ' ' || text_[k] > '~' || text_[k] == '\\') return false;
    if (line_ends(k) || at(k + 1) == mark) return false;
    add_text(parent, begin, k, begin - 1, true);
    ++k;
    return true;
  }

  bool brackets(Parent& parent, std::size_t& k, int depth) {
    const bool is_map = text_[k] == '{';
    const char close = is_map ? '}' : ']';
    Parent me{add(parent, is_map ? Kind::map : Kind::sequence, k)};
    const auto skip = [&] {
      while (at(k) == ' ' && k < text_.size()) ++k;
    };
    ++k;
    skip();
    if (at(k) == close) {
      ++k;
      return true;
    }
    for (;;) {
      if (is_map) {
        const std::size_t colon = key_end(k);
        if (colon == 0) return false;
        add_text(me, k, colon, k, false);
        k = colon + 1;
        skip();
      }
      if (!one(me, k, true, depth + 1) || refused_) return false;
      skip();
      if (at(k) == close && k < text_.size()) {
        ++k;
        return true;
      }
      if (at(k) != ',' || k >= text_.size()) return false;
      ++k;
      skip();
    }
  }

  std::string_view text_;
  std::vector<Entry>& entries_;
  std::size_t begin_ = 0, k_ = 0;  // of the line; where reading stands
  std::uint32_t line_ = 0;
  int indent_ = 0;
  bool started_ = false, at_end_ = false, refused_ = false;
};

}  // namespace

bool parse_plain_yaml(Document& document) {
  document.entries_.clear();
  PlainParser parser(document.source_, document.entries_);
  if (parser.parse()) return true;
  document.entries_.clear();
  document.entries_.shrink_to_fit();
  return false;
}

}  // namespace catena
