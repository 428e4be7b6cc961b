#include <catena/io/detail/function_keys.hpp>
#include <catena/io/detail/number_with_unit.hpp>
#include <catena/math/detail/nearest.hpp>

#include <algorithm>
#include <charconv>
#include <string_view>

namespace catena::detail {
namespace {

constexpr std::string_view blanks = " \t\r";

// by_tabs: where there is one, tabs separate and blanks do not. What is in quotation marks is one cell.
std::vector<std::string_view> cells_of(std::string_view line, bool by_tabs) {
  std::string outside(line);  // of quotation marks
  for (std::size_t k = 0, marks = 0; k < line.size(); ++k) {
    if (line[k] == '"') ++marks;
    if (marks % 2 == 1) outside[k] = '"';
  }
  // Beside semicolons a comma is that of a decimal number, which is no number here.
  const auto has = [&](char mark) { return outside.find(mark) != std::string::npos; };
  const std::string_view marks = has(';') ? ";" : has(',') ? "," : by_tabs && has('\t') ? "\t" : blanks;
  const bool by_blanks = marks == blanks;
  std::vector<std::string_view> cells;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(outside.find_first_of(marks, begin), line.size());
    std::string_view cell = line.substr(begin, end - begin);
    while (!cell.empty() && blanks.find(cell.front()) != std::string_view::npos) cell.remove_prefix(1);
    while (!cell.empty() && blanks.find(cell.back()) != std::string_view::npos) cell.remove_suffix(1);
    if (cell.size() > 1 && cell.front() == '"' && cell.back() == '"') cell = cell.substr(1, cell.size() - 2);
    if (!cell.empty() || !by_blanks) cells.push_back(cell);
    begin = end + 1;
  }
  return cells;
}

bool is_number(std::string_view cell) { return parse_plain_number(cell).error.empty(); }

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

// The names of a comment above rows of numbers, as numpy.savetxt writes a header: one for each column, with units behind some.
std::vector<std::string> names_in_comment(std::string_view comment, std::size_t columns) {
  comment.remove_prefix(std::min(comment.find_first_not_of("# \t"), comment.size()));
  const std::vector<std::string_view> cells = cells_of(comment, true);
  bool any = false;
  for (const std::string_view cell : cells) {
    const ColumnName of_cell = column_name(cell);
    if (of_cell.name.empty()) return {};
    any = any || !of_cell.unit.empty();
  }
  if (!any || cells.size() != columns) return {};
  return {cells.begin(), cells.end()};
}

// The first unit in brackets of a comment that a column could have; "": none.
std::string unit_in_comment(std::string_view comment, const FunctionUnits& units) {
  for (std::size_t open = comment.find('['); open != std::string_view::npos;
       open = comment.find('[', open + 1)) {
    const std::size_t close = comment.find(']', open);
    if (close == std::string_view::npos) break;
    std::string unit(comment.substr(open + 1, close - open - 1));
    for (const char* const wanted : {units.argument, units.value})
      if (!unit.empty() && parse_quantity("1 " + unit, wanted).error.empty()) return unit;
  }
  return {};
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
  bool first = true, by_tabs = false, separated = false;
  std::vector<double> values[2];
  std::string unit[2];       // of the column; "": what is wanted
  std::string_view comment;  // the last one above the first line
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
    if (start == std::string_view::npos) continue;
    if (line[start] == '#') {
      if (first) comment = line;
      continue;
    }
    std::vector<std::string_view> cells = cells_of(line, by_tabs || first);
    if (first) {
      first = false;
      // A row of numbers, one of which is wrong, is no header: it is refused below.
      const bool header = std::none_of(cells.begin(), cells.end(), is_number);
      // One tab separates names; several of them in a row align columns, as blanks do.
      const bool aligned = std::any_of(cells.begin(), cells.end(), [](auto cell) { return cell.empty(); });
      by_tabs = header && !aligned && line.find('\t') != std::string_view::npos;
      if (!by_tabs) cells = cells_of(line, false);
      if (header)
        names.assign(cells.begin(), cells.end());
      else if (names = names_in_comment(comment, cells.size()); names.empty())
        if (const std::string in = unit_in_comment(comment, units); !in.empty())
          return where + "the comment above has the unit [" + in + "] and not a name for each of " +
                 std::to_string(cells.size()) + " columns: write time [ms], angle [deg]";
      separated = line.find_first_of(",;") != std::string_view::npos;
      while (!names.empty() && names.back().empty()) names.pop_back();
      for (int k = 0; k < 2; ++k) {
        const std::string& wanted = k == 0 ? x : y;
        column[k] = column_of(wanted, names);
        if (column[k] >= 0) {
          if (column[k] < static_cast<int>(names.size())) {
            const std::string& name = names[static_cast<std::size_t>(column[k])];
            unit[k] = column_name(name).unit;
            if (unit[k].empty() && name.find('[') != std::string::npos)
              return "column \"" + name + "\": a unit in brackets comes at the end of a name";
          }
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
    if (separated && names.size() > cells.size())
      return where + "has " + std::to_string(cells.size()) + " columns, and the names above are " +
             std::to_string(names.size()) + ": a name with a separator in it is put in quotation marks";
  }
  if (values[0].empty()) return "it has no rows of numbers";
  out.x = std::move(values[0]);
  out.y = std::move(values[1]);
  return {};
}

}  // namespace catena::detail
