// The events of libyaml into a Document.
#include <catena/io/detail/document_builder.hpp>
#include <catena/io/detail/file_errors.hpp>
#include <catena/io/detail/utf8.hpp>

#include <yaml.h>

#include <new>
#include <string>
#include <utility>

namespace catena {
using namespace detail;
namespace {

using Place = DocumentBuilder::Place;

// Text of a file is UTF-8 without control characters.
void check_characters(const std::string& name, const std::string& text) {
  int line = 1, column = 1;
  for (std::size_t k = 0; k < text.size(); ++column) {
    const auto c = static_cast<unsigned char>(text[k]);
    const std::size_t n = c < 0x80 ? 1 : utf8_length(std::string_view(text).substr(k, 4));
    const bool control = (c < ' ' && c != '\n' && c != '\r' && c != '\t') || c == 0x7F;
    if (n == 0 || control) {
      const char* const digits = "0123456789abcdef";
      throw ModelFileError(name, line, column,
                           std::string("not text in UTF-8: the byte 0x") + digits[c / 16] + digits[c % 16]);
    }
    k += n;
    if (c == '\n') {
      ++line;
      column = 0;
    }
  }
}

bool tab_in_indentation(std::string_view text, std::uint32_t line) {
  for (; line > 0; --line) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return false;
    text.remove_prefix(end + 1);
  }
  return text.substr(0, text.find_first_not_of(" \t")).find('\t') != std::string_view::npos;
}

Place place_at_byte(std::string_view text, std::size_t byte) {
  Place place;
  for (const char c : text.substr(0, byte)) {
    if (c == '\n')
      place = {place.line + 1, 0};
    else if ((static_cast<unsigned char>(c) & 0xC0U) != 0x80U)  // a byte that begins a character
      ++place.column;
  }
  return place;
}

std::string_view view(const yaml_char_t* text) {
  return text == nullptr ? std::string_view() : reinterpret_cast<const char*>(text);
}

// One pass of libyaml over a text, which must outlive it.
class YamlReader {
 public:
  YamlReader(std::string_view text, DocumentBuilder& builder) : text_(text), builder_(builder) {
    if (yaml_parser_initialize(&parser_) == 0) throw std::bad_alloc();
    yaml_parser_set_encoding(&parser_, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(text.data()), text.size());
  }
  YamlReader(const YamlReader&) = delete;
  YamlReader& operator=(const YamlReader&) = delete;
  ~YamlReader() { yaml_parser_delete(&parser_); }

  void read() {
    for (bool more = true; more;) {
      Event event;
      if (yaml_parser_parse(&parser_, &event.e) == 0) fail();
      more = event.e.type != YAML_STREAM_END_EVENT;
      take(event.e);
    }
    if (builder_.empty()) builder_.fail({}, "the file holds nothing");
  }

 private:
  struct Event {
    yaml_event_t e = {};
    Event() = default;
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;
    ~Event() { yaml_event_delete(&e); }
  };

  void take(const yaml_event_t& event) {
    const Place place = place_of(event.start_mark);
    switch (event.type) {
      case YAML_DOCUMENT_START_EVENT:
        if (!builder_.empty()) builder_.fail(place, "a second document begins; a model file is one");
        break;
      case YAML_SCALAR_EVENT: {
        const auto& scalar = event.data.scalar;
        refuse_tag(place, scalar.tag);
        builder_.scalar(place, {reinterpret_cast<const char*>(scalar.value), scalar.length},
                        scalar.style != YAML_PLAIN_SCALAR_STYLE, view(scalar.anchor));
        break;
      }
      case YAML_ALIAS_EVENT:
        builder_.alias(place, view(event.data.alias.anchor));
        break;
      case YAML_SEQUENCE_START_EVENT:
        refuse_tag(place, event.data.sequence_start.tag);
        builder_.begin(place, Document::Kind::sequence, view(event.data.sequence_start.anchor));
        break;
      case YAML_MAPPING_START_EVENT:
        refuse_tag(place, event.data.mapping_start.tag);
        builder_.begin(place, Document::Kind::map, view(event.data.mapping_start.anchor));
        break;
      case YAML_SEQUENCE_END_EVENT:
      case YAML_MAPPING_END_EVENT:
        builder_.end();
        break;
      default:
        break;
    }
  }

  void refuse_tag(Place place, const yaml_char_t* tag) const {
    if (tag != nullptr)
      builder_.fail(
          place, "tags (\"" + std::string(view(tag).substr(0, 40)) + "\") have no meaning in a model file");
  }

  static Place place_of(const yaml_mark_t& mark) {
    return {static_cast<std::uint32_t>(mark.line), static_cast<std::uint32_t>(mark.column)};
  }

  [[noreturn]] void fail() const {
    if (parser_.error == YAML_MEMORY_ERROR) throw std::bad_alloc();
    std::string why = std::string("not YAML: ") + parser_.problem;
    if (parser_.error == YAML_READER_ERROR) builder_.fail(place_at_byte(text_, parser_.problem_offset), why);
    const Place place = place_of(parser_.problem_mark);
    if (tab_in_indentation(text_, place.line)) builder_.fail(place, "not YAML: a tab; indent with spaces");
    if (parser_.context != nullptr) {  // "while parsing a flow mapping"
      const std::string_view context = parser_.context;
      const auto has = [&](const char* word) { return context.find(word) != std::string_view::npos; };
      const Place from = place_of(parser_.context_mark);
      why += " (";
      why += has("mapping") ? "in the map" : has("sequence") || has("collection") ? "in the list" : context;
      why += " that begins in line " + std::to_string(from.line + 1) + ", column " +
             std::to_string(from.column + 1) + ')';
    }
    builder_.fail(place, why);
  }

  std::string_view text_;
  DocumentBuilder& builder_;
  yaml_parser_t parser_ = {};
};

}  // namespace

std::unique_ptr<const Document> Document::parse(std::string name, std::string text,
                                                std::shared_ptr<FileParameters> parameters) {
  if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);  // byte order mark
  check_characters(name, text);
  DocumentBuilder builder(std::move(name), text.size(), std::move(parameters));
  YamlReader(text, builder).read();
  return builder.take();
}

}  // namespace catena
