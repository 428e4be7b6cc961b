#include <catena/cli/detail/joined_units.hpp>
#include <catena/io/detail/number_with_unit.hpp>

#include <algorithm>

namespace catena::detail {

std::vector<std::string> join_units(const std::vector<std::string>& arguments,
                                    const std::vector<std::string>& problems) {
  std::vector<std::string> joined;
  bool takes_unit = false;  // the last one is an assignment of a number
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    const std::string& argument = arguments[k];
    const bool is_problem = std::find(problems.begin(), problems.end(), argument) != problems.end();
    if (takes_unit && !is_problem && !argument.starts_with('/') && is_unit(argument)) {
      joined.back() += ' ' + argument;
      continue;
    }
    const std::size_t equals = argument.find('=');
    takes_unit = k > 0 && arguments[k - 1] == "--set" && equals != std::string::npos &&
                 parse_any_quantity(argument.substr(equals + 1)).error.empty();
    joined.push_back(argument);
  }
  return joined;
}

}  // namespace catena::detail
