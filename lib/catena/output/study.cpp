#include <catena/driver/detail/stop_scope.hpp>
#include <catena/driver/sink.hpp>
#include <catena/math/detail/printed.hpp>
#include <catena/output/detail/file_list.hpp>
#include <catena/output/parts/study.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <ostream>
#include <system_error>

namespace catena {
using namespace detail;

std::string study_number(double value, int digits) {
  if (std::isnan(value)) return "-";
  return printed("%.*g", digits, value);
}

bool Comparison::holds() const {
  const double expected = std::isnan(reference) ? source : reference;
  switch (kind) {
    case Kind::value:
      return std::abs(measured - expected) <= tolerance * std::abs(expected) + absolute;
    case Kind::at_most:
      return measured <= expected;
    case Kind::at_least:
      return !(measured < expected);  // what has become NaN has gone beyond any bound
  }
  return false;
}

bool Comparison::source_agrees() const {
  if (std::isnan(source)) return true;
  if (kind == Kind::at_most) return measured <= source;
  if (kind == Kind::at_least) return !(measured < source);
  return std::abs(measured - source) <= source_digits * std::abs(source) + absolute;
}

std::string Comparison::verdict() const {
  if (!holds()) return "WRONG";
  if (std::isnan(source)) return "as expected";
  return source_agrees() ? "agrees" : "the source is wrong";
}

StudyReport::StudyReport(std::ostream& text, std::filesystem::path folder, bool quick)
    : text_(text), folder_(std::move(folder)), quick_(quick) {}

StudyReport::~StudyReport() = default;

void StudyReport::print(const std::string& line) {
  StopScope::check();
  text_ << line << '\n' << std::flush;
}

void StudyReport::check_folder() const {
  if (folder_.empty()) return;
  std::error_code failed;
  std::filesystem::create_directories(folder_, failed);
  const std::filesystem::path path = folder_ / "report.md";
  std::vector<std::string> names = parts_of_list();
  names.emplace_back("report.md");
  FileList(folder_).claim(names);
  const bool was_there = std::filesystem::exists(path, failed);
  if (!std::ofstream(path, std::ios::app)) throw SinkError("cannot write " + path.string());
  if (!was_there) std::filesystem::remove(path, failed);
}

void StudyReport::title(const std::string& title, const std::string& source) {
  print("\n" + title + "\n" + std::string(title.size(), '=') + "\nSource: " + source);
  markdown_ += "# " + title + "\n\nSource: " + source + "\n";
}

void StudyReport::section(const std::string& heading, const std::string& text) {
  print("\n" + heading + "\n" + std::string(heading.size(), '-'));
  markdown_ += "\n## " + heading + "\n";
  if (!text.empty()) paragraph(text);
}

void StudyReport::paragraph(const std::string& text) {
  print(text);
  markdown_ += "\n" + text + "\n";
}

void StudyReport::compare(const std::string& caption, const std::vector<Comparison>& rows) {
  std::vector<std::vector<std::string>> cells;
  for (const Comparison& row : rows) {
    ++comparisons_;
    const double expected = std::isnan(row.reference) ? row.source : row.reference;
    const char* relation = row.kind == Comparison::Kind::at_most    ? "<= "
                           : row.kind == Comparison::Kind::at_least ? ">= "
                                                                    : "";
    const std::string verdict = row.verdict();
    const double allowed = row.tolerance * std::abs(expected) + row.absolute;
    const std::string within =
        row.kind == Comparison::Kind::value && !std::isnan(allowed) ? " +- " + study_number(allowed, 2) : "";
    cells.push_back({row.what, study_number(row.source), relation + study_number(expected, 7) + within,
                     study_number(row.measured, 7), verdict + (row.remark.empty() ? "" : "; " + row.remark)});
    if (!row.holds())
      failures_.push_back(caption + ": " + row.what + " is " + study_number(row.measured, 9) + ", expected " +
                          relation + study_number(expected, 9));
  }
  table(caption, {"figure", "source", "expected", "Catena", "verdict"}, cells);
}

void StudyReport::table(const std::string& caption, const std::vector<std::string>& columns,
                        const std::vector<std::vector<std::string>>& rows) {
  // columns counts characters, not bytes: captions and names may hold Greek letters
  const auto width_of = [](const std::string& s) {
    return static_cast<std::size_t>(std::count_if(
        s.begin(), s.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
  };
  std::vector<std::size_t> width;
  for (const std::string& c : columns) width.push_back(width_of(c));
  for (const auto& row : rows)
    for (std::size_t k = 0; k < row.size() && k < width.size(); ++k)
      width[k] = std::max(width[k], width_of(row[k]));
  const auto line = [&](const std::vector<std::string>& row) {
    std::string text = "  ";
    for (std::size_t k = 0; k < row.size() && k < width.size(); ++k)
      text += row[k] + std::string(k + 1 < row.size() ? width[k] - width_of(row[k]) + 2 : 0, ' ');
    return text;
  };
  const auto markdown = [](const std::vector<std::string>& row) {
    std::string text = "|";
    for (const std::string& cell : row) {
      text += ' ';
      for (const char c : cell) text += c == '|' ? std::string("\\|") : std::string(1, c);
      text += " |";
    }
    return text + "\n";
  };
  print("\n" + caption + "\n" + line(columns));
  for (const auto& row : rows) print(line(row));
  markdown_ += "\n**" + caption + "**\n\n" + markdown(columns) +
               markdown(std::vector<std::string>(columns.size(), "---"));
  for (const auto& row : rows) markdown_ += markdown(row);
}

void StudyReport::figure(const Figure& figure) {
  if (folder_.empty()) return;
  FileList(folder_).claim(figure_files(figure.name));
  const bool drawn = draw(figure, folder_);
  const std::filesystem::path file = folder_ / (figure.name + (drawn ? ".png" : ".csv"));
  print("\nfigure " + file.string() + ": " + figure.caption);
  if (!drawn && drawn_all_) print("  (gnuplot draws it; it is missing or failed. Debian: gnuplot-nox)");
  drawn_all_ = drawn_all_ && drawn;
  markdown_ += "\n![" + figure.caption + "](" + figure.name + ".png)\n";
}

void StudyReport::error(const SourceError& error) {
  ++comparisons_;
  const std::string verdict = error.shown ? "shown" : "NOT SHOWN";
  print("\nError of the source, " + error.where + " (" + verdict + ")\n  printed:  " + error.printed +
        "\n  correct:  " + error.correct + "\n  evidence: " + error.evidence);
  markdown_ += "\n- **" + error.where + "** (" + verdict + "). Printed: " + error.printed +
               ". Correct: " + error.correct + ". Evidence: " + error.evidence + ".\n";
  if (!error.shown) failures_.push_back("error of the source not borne out: " + error.where);
}

void StudyReport::finish() {
  const std::string sum = std::to_string(comparisons_) + " figures and errors of the source, " +
                          std::to_string(failures_.size()) + " not as expected";
  print("\n" + sum);
  for (const std::string& f : failures_) print("  WRONG: " + f);
  if (folder_.empty()) return;
  std::error_code failed;
  std::filesystem::create_directories(folder_, failed);
  FileList(folder_).claim({"report.md"});
  const std::filesystem::path path = folder_ / "report.md";
  std::ofstream out(path);
  out << markdown_ << "\n" << sum << ".\n";
  out.close();
  if (!out) throw SinkError("cannot write " + path.string());
  print("written to " + path.string());
}

}  // namespace catena
