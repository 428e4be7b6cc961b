#include <catena/driver/sink.hpp>
#include <catena/output/detail/markup_text.hpp>
#include <catena/output/detail/page_file.hpp>
#include <catena/output/detail/version.hpp>
#include <catena/output/parts/manifest.hpp>

#include <nlohmann/json.hpp>

#include <cstddef>
#include <fstream>
#include <string_view>
#include <system_error>

#ifdef CATENA_HAS_PAGE
extern "C" {
extern const char catena_page_script[], catena_page_script_end[];  // page_script.S
extern const char catena_page_charts[], catena_page_charts_end[];
extern const char catena_page_style[], catena_page_style_end[];
}
#endif

namespace catena::detail {

std::string why_not_replaced(const std::filesystem::path& file) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (fs::exists(status) && !fs::is_regular_file(status)) return {};  // a pipe, /dev/stdout
  if (fs::is_symlink(fs::symlink_status(file, error))) return "it is a link, and links are not followed";
  if (!fs::exists(status) || fs::file_size(file, error) == 0) return {};
  constexpr std::size_t head = 400;
  std::string text(head, '\0');
  std::ifstream(file, std::ios::binary).read(text.data(), head);
  return text.find("name=\"generator\" content=\"Catena ") == std::string::npos
             ? "the file is there and is no page of Catena's: name another one, or move it away"
             : "";
}

#ifdef CATENA_HAS_PAGE

namespace {

// A text inside an element <script> or <title>: no "<" can end it early.
void append_inside_script(std::string& text, std::string_view json) {
  for (const char c : json) {
    if (c == '<')
      text += "\\u003c";
    else
      text += c;
  }
}

// Longer arrays are written behind the script, which begins to draw before a browser has read them. The first frame of 10 000 bodies
// is as long as this, and stays before it.
constexpr std::size_t late_size = 200'000;

// Cards as they are written: the text before the script, and the arrays behind it.
struct Parts {
  std::string before;
  std::vector<std::string_view> late;

  // A quotation mark inside a JSON text is escaped, so that "data":" is always a key and its value, which is base64.
  void add(std::string_view card) {
    constexpr std::string_view key = "\"data\":\"";
    std::size_t from = 0;
    for (std::size_t at = card.find(key); at != std::string_view::npos; at = card.find(key, from)) {
      const std::size_t begin = at + key.size(), end = card.find('"', begin);
      append_inside_script(before, card.substr(from, begin - from));
      const std::string_view data = card.substr(begin, end - begin);
      if (data.size() > late_size) {
        before += '@' + std::to_string(late.size());
        late.push_back(data);
      } else
        append_inside_script(before, data);
      from = end;
    }
    append_inside_script(before, card.substr(from));
  }
};

}  // namespace

std::string why_no_page() { return {}; }

void write_page(const std::filesystem::path& file, const std::string& title,
                const std::vector<std::string>& cards) {
  const std::string_view script(catena_page_script,
                                static_cast<std::size_t>(catena_page_script_end - catena_page_script));
  const std::string_view charts(catena_page_charts,
                                static_cast<std::size_t>(catena_page_charts_end - catena_page_charts));
  const std::string_view style(catena_page_style,
                               static_cast<std::size_t>(catena_page_style_end - catena_page_style));
  const nlohmann::json words(title);
  Parts parts;
  append_inside_script(parts.before, words.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  parts.before += ",\"cards\":[";
  for (std::size_t k = 0; k < cards.size(); ++k) {
    if (k > 0) parts.before += ',';
    parts.add(cards[k]);
  }
  if (const std::string why = why_not_replaced(file); !why.empty())
    throw SinkError("cannot write " + file.string() + ": " + why);
  std::ofstream out(file, std::ios::binary);
  out << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
         "<meta name=\"generator\" content=\"Catena "
      << version() << "\">\n<title>" << markup_text(title) << "</title>\n<style>" << style
      << "</style>\n</head>\n<body>\n<main id=\"page\"><noscript>This page needs JavaScript. The same "
         "numbers are in "
         "the files beside it.</noscript></main>\n<script type=\"application/json\" id=\"catena-data\">"
      << "{\"catena_page\":1,\"version\":\"" << version() << "\",\"made\":\"" << date_now()
      << "\",\"title\":" << parts.before << "]}</script>\n<script>" << script << "</script>\n";
  for (std::size_t k = 0; k < parts.late.size(); ++k)
    out << "<script type=\"text/plain\" id=\"catena-data-" << k << "\">" << parts.late[k] << "</script>\n";
  out << "<script type=\"text/plain\" id=\"catena-charts\">" << charts << "</script>\n</body>\n</html>\n"
      << std::flush;
  if (!out) throw SinkError("cannot write " + file.string());
}

#else

std::string why_no_page() {
  return "this build has no page: npm was not found, or failed, when it was configured; on Debian and Ubuntu "
         "`apt-get install nodejs npm`, then configure and build again";
}

void write_page(const std::filesystem::path& file, const std::string& title,
                const std::vector<std::string>& cards) {
  (void)cards, (void)title;
  throw SinkError("cannot write " + file.string() + ": " + why_no_page());
}

#endif

}  // namespace catena::detail
