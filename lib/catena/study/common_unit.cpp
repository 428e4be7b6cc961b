#include <catena/study/detail/common_unit.hpp>

#include <charconv>
#include <system_error>

namespace catena::detail {
namespace {

bool is_number(const std::string& text) {
  double number = 0.0;
  const char* const end = text.data() + text.size();
  const auto [read, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && read == end;
}

}  // namespace

std::string without_unit(const std::string& cell) { return cell.substr(0, cell.find(' ')); }

std::string common_unit(Database& database, const std::string& column) {
  Statement values(database, "SELECT DISTINCT " + quoted(column) + " FROM rows");
  std::string unit;
  while (values.next()) {
    const std::string cell = values.cell(0), number = without_unit(cell);
    if (number.size() == cell.size() || !is_number(number)) return {};
    const std::string of_this = cell.substr(number.size() + 1);
    if (!unit.empty() && unit != of_this) return {};
    unit = of_this;
  }
  return unit;
}

}  // namespace catena::detail
