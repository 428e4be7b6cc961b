#include <catena/io/detail/function_keys.hpp>
#include <catena/io/detail/number_with_unit.hpp>
#include <catena/math/detail/nearest.hpp>

#include <algorithm>
#include <charconv>
#include <string_view>

namespace catena::detail {
namespace {

constexpr std::string_view blanks = " \t\r";

// by_tabs: where there is one, tabs separate and blanks do not.
std::vector<std::string_view> cells_of(std::string_view line, bool by_tabs) {
  // Beside semicolons a comma is that of a decimal number, which is no number here.
  const auto has = [&](char mark) { return line.find(mark) != std::string_view::npos; };
  const std::string_view marks = has(';') ? ";" : has(',') ? "," : by_tabs && has('\t') ? "\t" : blanks;
  const bool by_blanks = marks == blanks;
  std::vector<std::string_view> cells;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find_first_of(marks, begin), line.size());
    std::string_view cell = line.substr(begin, end - begin);
    while (!cell.empty() && blanks.find(cell.front()) != std::string_view::npos) cell.remove_prefix(1);
    while (!cell.empty() && blanks.find(cell.back()) != std::string_view::npos) cell.remove_suffix(1);
    if (cell.size() > 1 && cell.front() == '"' && cell.back() == '"') cell = cell.substr(1, cell.size() - 2);
    if (!cell.empty() || !by_blanks) cells.push_back(cell);
    begin = end + 1;
  }
  return cells;
}

// A name in the first line, and the unit in brackets behind it: 'angle [deg]' or 'angle (deg)', "" without one.
struct ColumnName {
  std::string name, unit;
};

ColumnName column_name(std::string_view cell) {
  const bool round = !cell.empty() && cell.back() == ')';
  const std::size_t open = cell.find(round ? '(' : '[');
  if (open == std::string_view::npos || (!round && cell.back() != ']')) return {std::string(cell), ""};
  std::string_view name = cell.substr(0, open);
  while (!name.empty() && blanks.find(name.back()) != std::string_view::npos) name.remove_suffix(1);
  return {std::string(name), std::string(cell.substr(open + 1, cell.size() - open - 2))};
}

// The place of a column among `names`, or by its number from 1; -1: there is none.
int column_of(const std::string& wanted, const std::vector<std::string>& names) {
  auto found = std::find(names.begin(), names.end(), wanted);
  if (found == names.end())
    found = std::find_if(names.begin(), names.end(),
                         [&](const std::string& name) { return column_name(name).name == wanted; });
  if (found != names.end()) return static_cast<int>(found - names.begin());
  int number = 0;
  const auto [end, error] = std::from_chars(wanted.data(), wanted.data() + wanted.size(), number);
  return error == std::errc() && end == wanted.data() + wanted.size() && number >= 1 ? number - 1 : -1;
}

}  // namespace

std::string read_columns(const std::string& text, const std::string& x, const std::string& y,
                         const FunctionUnits& units, functions::Table& out) {
  std::vector<std::string> names;
  int column[2] = {-1, -1};
  int number = 0;
  bool first = true, by_tabs = false;
  std::vector<double> values[2];
  std::string unit[2];  // of the column; "": what is wanted
  const char* const wanted_unit[2] = {units.argument, units.value};
  constexpr std::string_view mark_of_utf8 = "\xEF\xBB\xBF";
  for (std::size_t begin = text.starts_with(mark_of_utf8) ? mark_of_utf8.size() : 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line = std::string_view(text).substr(begin, end - begin);
    line = line.substr(0, line.find_last_not_of(blanks) + 1);
    begin = end + 1;
    ++number;
    const std::string where = "line " + std::to_string(number) + ": ";
    const std::size_t start = line.find_first_not_of(blanks);
    if (start == std::string_view::npos || line[start] == '#') continue;
    std::vector<std::string_view> cells = cells_of(line, by_tabs || first);
    if (first) {
      first = false;
      // A row of numbers, one of which is wrong, is no header: it is refused below.
      const bool header = std::none_of(cells.begin(), cells.end(), [](std::string_view cell) {
        return parse_plain_number(cell).error.empty();
      });
      // One tab separates names; several of them in a row align columns, as blanks do.
      const bool aligned = std::any_of(cells.begin(), cells.end(), [](auto cell) { return cell.empty(); });
      by_tabs = header && !aligned && line.find('\t') != std::string_view::npos;
      if (!by_tabs) cells = cells_of(line, false);
      if (header) names.assign(cells.begin(), cells.end());
      for (int k = 0; k < 2; ++k) {
        const std::string& wanted = k == 0 ? x : y;
        column[k] = column_of(wanted, names);
        if (column[k] >= 0) {
          if (column[k] < static_cast<int>(names.size()))
            unit[k] = column_name(names[static_cast<std::size_t>(column[k])]).unit;
          const NumberWithUnit one = parse_quantity("1 " + unit[k], wanted_unit[k]);
          if (!unit[k].empty() && !one.error.empty())
            return "column \"" + names[static_cast<std::size_t>(column[k])] + "\": " + one.error;
          continue;
        }
        const std::string hint = nearest_hint(wanted, names);
        return "there is no column \"" + wanted + '"' + (hint.empty() ? "" : "; " + hint);
      }
      if (header) continue;
    }
    for (int k = 0; k < 2; ++k) {
      if (column[k] >= static_cast<int>(cells.size()))
        return where + "has " + std::to_string(cells.size()) + " columns, column " +
               std::to_string(column[k] + 1) + " is wanted";
      const std::string_view cell = cells[static_cast<std::size_t>(column[k])];
      NumberWithUnit value = parse_plain_number(cell);
      if (value.error.empty() && !unit[k].empty())
        value = parse_quantity(std::string(cell) + ' ' + unit[k], wanted_unit[k]);
      if (!value.error.empty()) return where + value.error;
      values[k].push_back(value.value);
    }
  }
  if (values[0].empty()) return "it has no rows of numbers";
  out.x = std::move(values[0]);
  out.y = std::move(values[1]);
  return {};
}

}  // namespace catena::detail
