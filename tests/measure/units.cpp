// The unit of a quantity is what its definition makes it: beside force, length and time.
#include <catena/io/detail/number_with_unit.hpp>
#include <catena/measure/parts/builtin_quantities.hpp>

#include <doctest/doctest.h>

namespace units_tests {

using namespace catena;

TEST_CASE("units of quantities are those of what they are made of") {
  const QuantityCatalog all = builtin_quantities();
  int found = 0;
  const struct {
    const char *name, *unit;
  } expected[] = {
      {"time", "s"},
      {"step/size", "s"},
      {"energy/kinetic", "kg m^2/s^2"},
      {"energy/potential", "N m"},
      {"energy/total", "N m"},
      {"energy/error", "N m"},
      {"energy/work", "N m"},
      {"energy/gravity", "kg m^2/s^2"},
      {"energy/forces", "N m"},
      {"momentum/linear", "N s"},     // a force over a time
      {"momentum/angular", "N m s"},  // a torque over a time
      {"bodies/position", "m"},
      {"bodies/velocity", "m/s"},
      {"bodies/angular_velocity", "rad/s"},
      {"points/position", "m"},
      {"points/velocity", "m/s"},
      {"reactions/force", "kg m/s^2"},
      {"reactions/torque", "kg m^2/s^2"},
      {"lambda_bar/force", "N"},
      {"lambda_bar/torque", "N m"},
      {"joints/angle", "rad"},
      {"joints/angle_rate", "rad/s"},
      {"joints/displacement", "m"},
      {"joints/displacement_rate", "m/s"},
      {"forces/power", "N m/s"},
      {"forces/work", "N m"},
      {"drives/power", "N m/s"},
      {"drives/work", "N m"},
  };
  for (const auto& pair : expected) {
    const std::string name = pair.name;  // CAPTURE takes no part of a binding
    CAPTURE(name);
    for (const Quantity& quantity : all.all()) {
      if (quantity.name != name) continue;
      ++found;
      const detail::NumberWithUnit one = detail::parse_quantity("1 " + quantity.unit, pair.unit);
      CHECK(one.error.empty());
      CHECK(one.value == 1.0);
    }
  }
  CHECK(found == static_cast<int>(std::size(expected)));
}

}  // namespace units_tests
