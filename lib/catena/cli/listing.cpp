#include <catena/cli/detail/listing.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <string_view>

namespace catena::detail {
namespace {

constexpr std::size_t text_width = 110;  // of paragraphs

class TextListing : public Listing {
 public:
  explicit TextListing(std::ostream& out) : out_(out) {}
  void page(const std::string&, const std::string&) override {}
  void entry(const std::string& name, const std::string& summary) override {
    out_ << name << ": " << summary << '\n';
  }
  void remark(const std::string& sentence) override { out_ << "  " << sentence << '\n'; }
  // Columns as wide as their widest cell, the last one open.
  void table(const std::vector<Cells>& rows) override {
    std::vector<std::size_t> width;
    for (const Cells& cells : rows) {
      width.resize(std::max(width.size(), cells.size()));
      for (std::size_t k = 0; k < cells.size(); ++k) width[k] = std::max(width[k], cells[k].size());
    }
    for (const Cells& cells : rows) {
      std::string line = "  ";
      for (std::size_t k = 0; k < cells.size(); ++k)
        line += k + 1 == cells.size() ? cells[k] : fmt::format("{:<{}}  ", cells[k], width[k]);
      while (!line.empty() && line.back() == ' ') line.pop_back();
      out_ << line << '\n';
    }
  }
  void paragraph(const std::string& sentences) override {
    std::string_view rest = sentences;
    while (!rest.empty()) {
      std::size_t end = rest.size() <= text_width ? rest.size() : rest.rfind(' ', text_width);
      if (end == std::string_view::npos) end = rest.size();
      out_ << "  " << rest.substr(0, end) << '\n';
      rest.remove_prefix(std::min(rest.size(), end + 1));
    }
  }
  void end_entry() override { out_ << '\n'; }
  bool options_last() const override { return false; }

 private:
  std::ostream& out_;
};

// Text that Markdown is to leave as it is.
std::string plain(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (std::string_view("|<>*~$").find(c) != std::string_view::npos) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

class MarkdownListing : public Listing {
 public:
  explicit MarkdownListing(std::ostream& out) : out_(out) {}
  void page(const std::string& title, const std::string& introduction) override {
    out_ << "# " << title << "\n\n" << introduction << '\n';
  }
  void entry(const std::string& name, const std::string& summary) override {
    out_ << "\n## " << name << "\n\n" << plain(summary) << '\n';
    listed_ = false;
  }
  void remark(const std::string& sentence) override {
    out_ << (listed_ ? "" : "\n") << "* " << plain(sentence) << '\n';
    listed_ = true;
  }
  void table(const std::vector<Cells>& rows) override {
    const std::size_t columns = rows.front().size();
    out_ << '\n';
    for (std::size_t i = 0; i < rows.size(); ++i) {
      out_ << '|';
      for (std::size_t k = 0; k < columns; ++k) {
        const std::string cell = k < rows[i].size() ? rows[i][k] : "";
        const bool name = i > 0 && k == 0 && !cell.empty();
        out_ << ' ' << (name ? "`" + cell + "`" : plain(cell)) << (cell.empty() ? "|" : " |");
      }
      out_ << '\n';
      if (i > 0) continue;
      out_ << '|';
      for (std::size_t k = 0; k < columns; ++k) out_ << "---|";
      out_ << '\n';
    }
    listed_ = false;
  }
  void paragraph(const std::string& sentences) override {
    out_ << '\n' << plain(sentences) << '\n';
    listed_ = false;
  }
  void end_entry() override {}
  bool options_last() const override { return true; }

 private:
  std::ostream& out_;
  bool listed_ = false;  // the line before was an item
};

}  // namespace

std::unique_ptr<Listing> Listing::text(std::ostream& out) { return std::make_unique<TextListing>(out); }

std::unique_ptr<Listing> Listing::markdown(std::ostream& out) {
  return std::make_unique<MarkdownListing>(out);
}

}  // namespace catena::detail
