#include <catena/driver/sink.hpp>
#include <catena/output/detail/page_file.hpp>
#include <catena/output/detail/version.hpp>
#include <catena/output/parts/manifest.hpp>

#include <nlohmann/json.hpp>

#include <cstddef>
#include <fstream>
#include <string_view>

#ifdef CATENA_HAS_PAGE
extern "C" {
extern const char catena_page_script[], catena_page_script_end[];  // page_script.S
extern const char catena_page_style[], catena_page_style_end[];
}
#endif

namespace catena::detail {
namespace {

// A text inside an element <script> or <title>: no "<" can end it early.
std::string inside_script(const std::string& json) {
  std::string text;
  text.reserve(json.size());
  for (const char c : json) {
    if (c == '<')
      text += "\\u003c";
    else
      text += c;
  }
  return text;
}

std::string html_text(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else
      out += c;
  }
  return out;
}

}  // namespace

#ifdef CATENA_HAS_PAGE

std::string why_no_page() { return {}; }

void write_page(const std::filesystem::path& file, const std::string& title,
                const std::vector<std::string>& cards) {
  const std::string_view script(catena_page_script,
                                static_cast<std::size_t>(catena_page_script_end - catena_page_script));
  const std::string_view style(catena_page_style,
                               static_cast<std::size_t>(catena_page_style_end - catena_page_style));
  const nlohmann::json words(title);
  const std::string quoted = words.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  std::ofstream out(file, std::ios::binary);
  out << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
         "<meta name=\"generator\" content=\"Catena "
      << version() << "\">\n<title>" << html_text(title) << "</title>\n<style>" << style
      << "</style>\n</head>\n<body>\n<main id=\"page\"><noscript>This page needs JavaScript. The same "
         "numbers are in "
         "the files beside it.</noscript></main>\n<script type=\"application/json\" id=\"catena-data\">"
      << "{\"catena_page\":1,\"version\":\"" << version() << "\",\"made\":\"" << date_now()
      << "\",\"title\":" << inside_script(quoted) << ",\"cards\":[";
  for (std::size_t k = 0; k < cards.size(); ++k) out << (k > 0 ? "," : "") << inside_script(cards[k]);
  out << "]}</script>\n<script>" << script << "</script>\n</body>\n</html>\n" << std::flush;
  if (!out) throw SinkError("cannot write " + file.string());
}

#else

std::string why_no_page() {
  return "this build has no page: npm was not found, or failed, when it was configured; on Debian and Ubuntu "
         "`apt-get install nodejs npm`, then configure and build again";
}

void write_page(const std::filesystem::path& file, const std::string& title,
                const std::vector<std::string>& cards) {
  (void)cards, (void)html_text(title), (void)inside_script(title);
  throw SinkError("cannot write " + file.string() + ": " + why_no_page());
}

#endif

}  // namespace catena::detail
