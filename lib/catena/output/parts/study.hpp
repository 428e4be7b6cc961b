// How a study of a published source reports: its tables beside ours with a verdict, its figures, and its errors,
// each with the run that shows it. `catena reproduce` prints what a study reports, and writes it as Markdown.
//
//   void reproduce_mine(StudyReport& report) {
//     report.section("Table 1", "T = 1 s, h = 1e-4 s.");
//     report.compare("largest energy error", {
//         {.what = "index 3, dH [J]", .source = 0.1307, .reference = 0.130692, .measured = run_it(),
//          .tolerance = 1e-3}});
//   }
#pragma once
#include <catena/output/detail/figure.hpp>

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <limits>
#include <string>
#include <vector>

namespace catena {

// A figure of the source beside the one that the program finds.
struct Comparison {
  static constexpr double none = std::numeric_limits<double>::quiet_NaN();
  enum class Kind {
    value,    // measured is to be reference +- tolerance |reference| + absolute
    at_most,  // measured <= reference: the source's entry is a bound, or the theory gives one
    at_least  // measured >= reference: where the source's formula is to be seen failing, say
  };

  std::string what;             // with the unit
  double source = none;         // as printed; none: the source has no figure
  double reference = none;      // what a correct implementation finds; none: the same as source
  double measured = none;       // by this run
  double tolerance = 1e-3;      // relative
  double absolute = 0.0;        // in the unit of the figure
  double source_digits = 0.01;  // relative: where source agrees with measured as far as this, both agree
  Kind kind = Kind::value;
  std::string remark = {};  // printed behind the verdict

  bool holds() const;           // against the reference; a NaN or infinite value only holds at_least
  bool source_agrees() const;   // the source's own figure against the one measured
  std::string verdict() const;  // "agrees", "the source is wrong", "WRONG", "not in the source, as expected"
};

// An error of the source and the run that shows it.
struct SourceError {
  std::string where;     // "equation (18)", "Table 2, rows DAE1 and DAE3"
  std::string printed;   // what is printed there
  std::string correct;   // what is right
  std::string evidence;  // with the numbers of this run: "as printed: dH = 0.1307; corrected: 0.0765"
  bool shown = false;    // the run bears it out
};

class StudyReport {
 public:
  // text: printed as it comes. folder: empty, or where report.md and the figures go. quick: the study may leave its
  // long runs out (it says so).
  explicit StudyReport(std::ostream& text, std::filesystem::path folder = {}, bool quick = false);
  ~StudyReport();
  StudyReport(const StudyReport&) = delete;
  StudyReport& operator=(const StudyReport&) = delete;

  bool quick() const { return quick_; }
  // Throws SinkError where the folder cannot be written: before hours of runs, not after them.
  void check_folder() const;

  void title(const std::string& title, const std::string& source);
  void section(const std::string& heading, const std::string& text = {});
  void paragraph(const std::string& text);
  // A table with the columns: figure, source, Catena, verdict.
  void compare(const std::string& caption, const std::vector<Comparison>& rows);
  // Any other table; cells as they are to be printed.
  void table(const std::string& caption, const std::vector<std::string>& columns,
             const std::vector<std::vector<std::string>>& rows);
  void figure(const detail::Figure& figure);
  void error(const SourceError& error);

  int comparisons() const { return comparisons_; }
  // Comparisons that do not hold and errors of the source that were not borne out.
  const std::vector<std::string>& failures() const { return failures_; }
  // Writes report.md. Throws SinkError.
  void finish();

 private:
  void print(const std::string& line);

  std::ostream& text_;
  std::filesystem::path folder_;
  bool quick_ = false;
  int comparisons_ = 0;
  bool drawn_all_ = true;
  std::vector<std::string> failures_;
  std::string markdown_;
};

// A number as studies print it: "%.*g", "-" for none.
std::string study_number(double value, int digits = 6);

// A study as a catalog holds it.
struct StudyEntry {
  std::string name;     // as typed by the user: "A"
  std::string summary;  // one line: the source and its subject
  std::function<void(StudyReport&)> run;
};

}  // namespace catena
