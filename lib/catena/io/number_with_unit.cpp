#include <catena/io/detail/number_with_unit.hpp>
#include <catena/math/detail/nearest.hpp>

#include <array>
#include <charconv>
#include <cmath>
#include <numbers>
#include <optional>
#include <system_error>

namespace catena::detail {
namespace {

constexpr int dimensions = 4;  // metre, kilogram, second, radian

// A unit is numerator/denominator times a product of powers. Both are whole numbers where that can be, so that
// 250 mm is 250/1000 m, rounded once.
struct Unit {
  std::array<int, dimensions> power{};
  double numerator = 1.0, denominator = 1.0;
};

struct Known {
  UnitName shown;
  Unit unit;
};

const std::vector<Known>& known_units() {
  constexpr double pi = std::numbers::pi;
  using P = std::array<int, dimensions>;
  // The inch, the foot and the pound are what the agreement of 1959 says; g_n = 9.80665 m/s^2 makes the pound a force.
  constexpr P m{1, 0, 0, 0}, kg{0, 1, 0, 0}, s{0, 0, 1, 0}, rad{0, 0, 0, 1}, newton{1, 1, -2, 0},
      joule{2, 1, -2, 0}, watt{2, 1, -3, 0}, pascal{-1, 1, -2, 0}, hertz{0, 0, -1, 0};
  static const std::vector<Known> units{
      {{"m", "metre"}, {m}},
      {{"mm", "1/1000 m"}, {m, 1.0, 1e3}},
      {{"cm", "1/100 m"}, {m, 1.0, 1e2}},
      {{"um", "1e-6 m"}, {m, 1.0, 1e6}},
      {{"km", "1000 m"}, {m, 1e3}},
      {{"in", "inch, 0.0254 m"}, {m, 254.0, 1e4}},
      {{"ft", "foot, 0.3048 m"}, {m, 3048.0, 1e4}},
      {{"kg", "kilogram"}, {kg}},
      {{"g", "gram, 1/1000 kg"}, {kg, 1.0, 1e3}},
      {{"mg", "1e-6 kg"}, {kg, 1.0, 1e6}},
      {{"t", "1000 kg"}, {kg, 1e3}},
      {{"lb", "pound, a mass: 0.45359237 kg"}, {kg, 45359237.0, 1e8}},
      {{"s", "second"}, {s}},
      {{"ms", "1/1000 s"}, {s, 1.0, 1e3}},
      {{"us", "1e-6 s"}, {s, 1.0, 1e6}},
      {{"min", "60 s"}, {s, 60.0}},
      {{"h", "3600 s"}, {s, 3600.0}},
      {{"rad", "radian"}, {rad}},
      {{"mrad", "1/1000 rad"}, {rad, 1.0, 1e3}},
      {{"deg", "pi/180 rad"}, {rad, pi, 180.0}},
      {{"rev", "2 pi rad"}, {rad, 2.0 * pi}},
      {{"rpm", "2 pi/60 rad/s"}, {{0, 0, -1, 1}, 2.0 * pi, 60.0}},
      {{"N", "kg m/s^2"}, {newton}},
      {{"mN", "1/1000 N"}, {newton, 1.0, 1e3}},
      {{"kN", "1000 N"}, {newton, 1e3}},
      {{"MN", "1e6 N"}, {newton, 1e6}},
      {{"lbf", "pound, a force: lb times 9.80665 m/s^2"}, {newton, 45359237.0 * 980665.0, 1e13}},
      {{"Nm", "N m"}, {joule}},
      {{"J", "N m"}, {joule}},
      {{"kJ", "1000 J"}, {joule, 1e3}},
      {{"W", "J/s"}, {watt}},
      {{"kW", "1000 W"}, {watt, 1e3}},
      {{"Pa", "N/m^2"}, {pascal}},
      {{"kPa", "1000 Pa"}, {pascal, 1e3}},
      {{"MPa", "1e6 Pa"}, {pascal, 1e6}},
      {{"GPa", "1e9 Pa"}, {pascal, 1e9}},
      {{"Hz", "1/s"}, {hertz}},
      {{"kHz", "1000/s"}, {hertz, 1e3}},
  };
  return units;
}

// Other spellings of these, which are read but not listed.
std::string_view usual_name(std::string_view name) {
  constexpr std::array<std::array<std::string_view, 2>, 12> spelled{{{"inch", "in"},
                                                                     {"inches", "in"},
                                                                     {"foot", "ft"},
                                                                     {"feet", "ft"},
                                                                     {"lbs", "lb"},
                                                                     {"metre", "m"},
                                                                     {"meter", "m"},
                                                                     {"sec", "s"},
                                                                     {"degree", "deg"},
                                                                     {"degrees", "deg"},
                                                                     {"radian", "rad"},
                                                                     {"radians", "rad"}}};
  for (const auto& [other, usual] : spelled)
    if (name == other) return usual;
  return name;
}

// Signs of print in the letters of a keyboard: superscripts, a raised dot, the signs of degrees and of micro.
std::string in_letters(std::string_view text) {
  constexpr std::array<std::array<std::string_view, 2>, 6> signs{{{"\u00b2", "2"},
                                                                  {"\u00b3", "3"},
                                                                  {"\u00b7", " "},
                                                                  {"\u00b0", "deg"},
                                                                  {"\u00b5", "u"},
                                                                  {"\u03bc", "u"}}};
  std::string out;
  while (!text.empty()) {
    std::size_t length = 1;
    std::string_view letter = text.substr(0, 1);
    for (const auto& [sign, plain] : signs)
      if (text.starts_with(sign)) {
        letter = plain;
        length = sign.size();
      }
    out += letter;
    text.remove_prefix(length);
  }
  return out;
}

std::string shortened(std::string_view text) {
  std::string out;
  for (const char c : text.substr(0, 40)) out += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  return '"' + out + (text.size() > 40 ? "...\"" : "\"");
}

struct UnitOrError {
  Unit unit;
  std::string error;
};

// Factors one after the other, "/" before those that divide: "kg m^2/s", "N*s/m", "g/cm3", "1/s".
UnitOrError parse_unit(std::string_view given) {
  const std::string text = in_letters(given);
  UnitOrError out;
  const auto fail = [&](const std::string& why) {
    out.error = why;
    return out;
  };
  std::size_t k = 0;
  bool any = false;
  const auto skip_spaces = [&] {
    while (k < text.size() && text[k] == ' ') ++k;
  };
  for (skip_spaces(); k < text.size(); skip_spaces()) {
    int sign = 1;
    if (text[k] == '*' || text[k] == '/') {
      if (text[k] == '*' && !any) return fail("no unit: " + shortened(given));
      sign = text[k] == '/' ? -1 : 1;
      ++k;
      skip_spaces();
    }
    const std::size_t begin = k;
    while (k < text.size() && ((text[k] >= 'a' && text[k] <= 'z') || (text[k] >= 'A' && text[k] <= 'Z'))) ++k;
    const std::string name(usual_name(std::string_view(text).substr(begin, k - begin)));
    const Known* found = nullptr;
    for (const Known& u : known_units())
      if (name == u.shown.name) found = &u;
    if (name.empty() && sign == 1 && !any && k < text.size() && text[k] == '1') {  // "1/s"
      ++k;
      any = true;
      continue;
    }
    if (found == nullptr) {
      if (name.empty()) return fail("no unit: " + shortened(given));
      std::vector<std::string> names;
      for (const Known& u : known_units()) names.emplace_back(u.shown.name);
      const std::string hint = nearest_hint(name, names);
      return fail("unknown unit " + shortened(name) + (hint.empty() ? "" : " (" + hint + ")"));
    }
    int power = 1;
    const bool raised = k < text.size() && text[k] == '^';
    if (raised || (k < text.size() && text[k] >= '0' && text[k] <= '9')) {  // "m^3" or "m3"
      const auto [stopped, error] =
          std::from_chars(text.data() + k + (raised ? 1 : 0), text.data() + text.size(), power);
      if (error != std::errc() || power == 0 || std::abs(power) > 9)
        return fail("a unit's power is a whole number from -9 to 9: " + shortened(given));
      k = static_cast<std::size_t>(stopped - text.data());
    }
    any = true;
    power *= sign;
    for (int d = 0; d < dimensions; ++d)
      out.unit.power[static_cast<std::size_t>(d)] += power * found->unit.power[static_cast<std::size_t>(d)];
    for (int p = 0; p < std::abs(power); ++p) {
      out.unit.numerator *= power > 0 ? found->unit.numerator : found->unit.denominator;
      out.unit.denominator *= power > 0 ? found->unit.denominator : found->unit.numerator;
    }
  }
  return out;
}

// The number at the beginning of text, and its end; nothing: there is none.
std::optional<double> leading_number(std::string_view text, std::size_t& end) {
  const std::size_t plus = text.starts_with('+') && !text.starts_with("+-") ? 1 : 0;
  double value = 0.0;
  const auto [stopped, error] = std::from_chars(text.data() + plus, text.data() + text.size(), value);
  if (error == std::errc::invalid_argument) return std::nullopt;
  end = static_cast<std::size_t>(stopped - text.data());
  if (error == std::errc::result_out_of_range) {
    const std::string_view digits = text.substr(0, end);
    const bool tiny =
        digits.find("e-") != std::string_view::npos || digits.find("E-") != std::string_view::npos;
    value = tiny ? std::copysign(0.0, text.front() == '-' ? -1.0 : 1.0) : HUGE_VAL;
  }
  return value;
}

std::string not_finite(std::string_view text) { return "must be a finite number, is " + shortened(text); }

// .inf and .nan are how YAML writes them.
bool names_infinity_or_nan(std::string_view text) {
  std::string word;
  for (const char c : text.substr(0, 10)) word += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  if (word.starts_with('+') || word.starts_with('-')) word.erase(0, 1);
  if (word.starts_with('.')) word.erase(0, 1);
  return word == "inf" || word == "nan" || word == "infinity";
}

}  // namespace

const std::vector<UnitName>& unit_names() {
  static const std::vector<UnitName> names = [] {
    std::vector<UnitName> all;
    for (const Known& u : known_units()) all.push_back(u.shown);
    return all;
  }();
  return names;
}

NumberWithUnit parse_plain_number(std::string_view text) {
  std::size_t end = 0;
  const std::optional<double> value = leading_number(text, end);
  if (value && end == text.size()) {
    if (!std::isfinite(*value)) return {0.0, not_finite(text)};
    return {*value, ""};
  }
  if (names_infinity_or_nan(text)) return {0.0, not_finite(text)};
  return {0.0, shortened(text) + " is not a number"};
}

namespace {

// A number and the text of its unit behind it.
struct Parts {
  double number = 0.0;
  std::string_view given = {};  // as typed; empty: there is no unit
  Unit unit = {};
  std::string error = {};       // of the number or of the form
  std::string unit_error = {};  // the unit is not known
};

Parts parts_of(std::string_view text) {
  Parts out;
  std::size_t end = 0;
  const std::optional<double> value = leading_number(text, end);
  if (!value || end == text.size()) {
    const NumberWithUnit plain = parse_plain_number(text);
    out.number = plain.value;
    out.error = plain.error;
    return out;
  }
  out.number = *value;
  if (!std::isfinite(*value)) {
    out.error = not_finite(text);
    return out;
  }
  out.given = text.substr(end);
  const bool spaced = out.given.front() == ' ';
  while (!out.given.empty() && out.given.front() == ' ') out.given.remove_prefix(1);
  UnitOrError mine = parse_unit(out.given);
  if (!spaced)
    out.error = shortened(text) +
                (mine.error.empty() ? ": write a space between the number and its unit" : " is not a number");
  out.unit = mine.unit;
  out.unit_error = std::move(mine.error);
  return out;
}

bool is_pure(std::string_view unit) { return unit.empty() || unit == "1"; }

}  // namespace

bool is_unit(std::string_view text) { return !text.empty() && parse_unit(text).error.empty(); }

bool same_measure(std::string_view a, std::string_view b) {
  if (is_pure(a) || is_pure(b)) return is_pure(a) && is_pure(b);
  const UnitOrError first = parse_unit(a), second = parse_unit(b);
  if (!first.error.empty() || !second.error.empty()) return a == b;
  return first.unit.power == second.unit.power;
}

NumberWithUnit parse_any_quantity(std::string_view text) {
  Parts parts = parts_of(text);
  return {parts.number, parts.error.empty() ? std::move(parts.unit_error) : std::move(parts.error)};
}

NumberWithUnit parse_quantity(std::string_view text, const char* unit) {
  Parts mine = parts_of(text);
  if (!mine.error.empty()) return {0.0, std::move(mine.error)};
  if (mine.given.empty()) return {mine.number, ""};
  const auto no_unit = [&] {
    return NumberWithUnit{0.0, "takes a number without a unit, has " + shortened(mine.given)};
  };
  if (is_pure(unit)) return no_unit();
  if (!mine.unit_error.empty()) return {0.0, std::move(mine.unit_error)};
  const UnitOrError asked = parse_unit(unit);
  if (!asked.error.empty()) return no_unit();
  if (mine.unit.power != asked.unit.power)
    return {0.0, "needs the unit " + std::string(unit) + ", has " + shortened(mine.given)};
  const double scaled = mine.number * (mine.unit.numerator * asked.unit.denominator) /
                        (mine.unit.denominator * asked.unit.numerator);
  if (!std::isfinite(scaled)) return {0.0, not_finite(text)};
  return {scaled, ""};
}

}  // namespace catena::detail
