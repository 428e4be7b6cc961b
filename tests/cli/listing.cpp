#include <catena/builtin/builtin.hpp>
#include <catena/cli/detail/list_command.hpp>
#include <catena/cli/detail/stepper_choices.hpp>
#include <catena/experiment/parts/usage_error.hpp>
#include <catena/studies/detail/scenarios.hpp>

#include "support/source_folder.hpp"
#include "support/temporary_folder.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <sstream>
#include <string>

using namespace catena;
using namespace catena::detail;

namespace {

void write_example(Listing& listing) {
  listing.page("Title", "Introduction.");
  listing.entry("thing", "is a | b");
  listing.remark("first");
  listing.remark("second");
  listing.table({{"name", "range"}, {"x_1", "<1"}, {"longer", "*"}});
  listing.end_entry();
}

std::string listed(const std::string& subject, bool markdown) {
  std::ostringstream out;
  const auto listing = markdown ? Listing::markdown(out) : Listing::text(out);
  list_command(subject, builtin(), *listing);
  return out.str();
}

}  // namespace

TEST_CASE("a listing as text: aligned columns, no title") {
  std::ostringstream out;
  write_example(*Listing::text(out));
  CHECK(out.str() ==
        "thing: is a | b\n"
        "  first\n"
        "  second\n"
        "  name    range\n"
        "  x_1     <1\n"
        "  longer  *\n"
        "\n");
}

TEST_CASE("a listing as Markdown: headings, items, tables, and nothing of the text is taken for markup") {
  std::ostringstream out;
  write_example(*Listing::markdown(out));
  CHECK(out.str() ==
        "# Title\n"
        "\n"
        "Introduction.\n"
        "\n"
        "## thing\n"
        "\n"
        "is a \\| b\n"
        "\n"
        "* first\n"
        "* second\n"
        "\n"
        "| name | range |\n"
        "|---|---|\n"
        "| `x_1` | \\<1 |\n"
        "| `longer` | \\* |\n");
}

TEST_CASE("paragraphs of a listing are broken at spaces, and no word is lost") {
  std::string words, joined;
  for (int k = 0; k < 60; ++k) words += (k == 0 ? "word" : " word") + std::to_string(k);
  std::ostringstream out;
  Listing::text(out)->paragraph(words);
  std::istringstream lines(out.str());
  for (std::string line; std::getline(lines, line);) {
    CHECK(line.size() <= 112);
    joined += (joined.empty() ? "" : " ") + line.substr(2);
  }
  CHECK(joined == words);
}

TEST_CASE("every subject of catena list has both forms; options are those of the grammar and not here") {
  for (const std::string& subject : list_subjects()) {
    if (subject == "options") continue;
    CAPTURE(subject);
    CHECK(listed(subject, false).size() > 100);
    const std::string page = listed(subject, true);
    CHECK(page.starts_with("# "));
    CHECK(page.find("\n| ") != std::string::npos);
  }
  CHECK_THROWS_AS(listed("stepers", false), UsageError);
}

TEST_CASE("the listing of steppers repeats the table of the page that compares methods, row by row") {
  const std::string page =
      catena_test::file_text(catena_test::source_folder() / "docs/theory/method_comparison.md");
  std::string text;
  for (const StepperChoice& choice : stepper_choices())
    text += std::string("\n  ") + choice.problem + ": " +
            text_of(choice, {choice.steppers.begin(), choice.steppers.end()}) + '\n';
  CHECK(
      listed("steppers", false).find("\n  smooth, whatever the accuracy: dop853, dormand_prince, radau\n") !=
      std::string::npos);
  std::istringstream lines(page.substr(page.find("| the problem | take | because |")));
  std::string line;
  for (int head = 0; head < 2; ++head) std::getline(lines, line);
  std::size_t rows = 0;
  for (; std::getline(lines, line) && line.starts_with("| "); ++rows) {
    std::string row = line.substr(2, line.find(" | ", line.find(" | ") + 3) - 2);
    std::erase(row, '`');
    row.replace(row.find(" | "), 3, ": ");
    CAPTURE(row);
    CHECK(text.find("\n  " + row + '\n') != std::string::npos);
  }
  CHECK(rows == stepper_choices().size());
}

TEST_CASE("a choice names the steppers of the catalog alone") {
  const StepperChoice some{"p", false, {"a", "b"}}, but{"p", true, {"b"}};
  CHECK(text_of(some, {"b", "a"}) == "a, b");
  CHECK(text_of(some, {"b"}) == "b");
  CHECK(text_of(but, {"a", "b"}) == "any but b");
  CHECK(text_of(but, {"a"}).empty());
}

TEST_CASE("the listing of statuses has every exit code") {
  const std::string codes = listed("statuses", true);
  for (const char* row :
       {"| `0` | ", "| `1` | ", "| `2` | ", "| `3` | ", "| `4` | ", "| `5` | ", "| `75` | ", "| `130` | "})
    CHECK(codes.find(row) != std::string::npos);
}
