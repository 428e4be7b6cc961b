// Numbers with units, as files hold them: "2 deg", "9.81 m/s^2", "12 kg", "-1e-3".
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace catena::detail {

struct NumberWithUnit {
  double value = 0.0;      // in the unit that was asked for
  std::string error = {};  // empty: value holds
};

// A finite number, with or without a unit that measures the same as `unit` (as listings write it: "m/s^2",
// "N s/m", "kg m^2", "1" and "" for a pure number). Without one it counts in `unit`. Angles are no pure numbers.
NumberWithUnit parse_quantity(std::string_view text, const char* unit);

// The same in any unit: whether the text is a number, with or without a unit that is known; its value is the number alone.
NumberWithUnit parse_any_quantity(std::string_view text);

// Whether units measure the same: "N/m" and "kg/s^2". "" and "1" are those of a pure number.
bool same_measure(std::string_view a, std::string_view b);
// Whether the text is a product of known units.
bool is_unit(std::string_view text);

// A finite number and nothing else.
NumberWithUnit parse_plain_number(std::string_view text);

struct UnitName {
  const char* name;
  const char* meaning;  // "1e-3 m"
};
const std::vector<UnitName>& unit_names();

}  // namespace catena::detail
