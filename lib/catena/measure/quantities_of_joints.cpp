// What joints and forces do: reactions, coordinates, power and work.
#include <catena/measure/detail/quantity_groups.hpp>
#include <catena/measure/parts/instant.hpp>

#include <algorithm>
#include <utility>

namespace catena::detail {
namespace {

// Three of the six numbers of each side, from the first of them on.
auto three_of_six(const double* (Instant::*sides)() const, int first) {
  return [sides, first](const Instant& at, double* out) {
    const double* six = (at.*sides)();
    for (int s = 0; s < at.measured().count(Items::side); ++s)
      std::copy_n(six + 6 * s + first, 3, out + 3 * s);
  };
}

Quantity of_sides(const char* name, const char* unit, const char* meaning, std::vector<std::string> titles) {
  return {.name = name,
          .unit = unit,
          .frame = "world",
          .meaning = meaning,
          .items = Items::side,
          .components = xyz,
          .titles = std::move(titles),
          .needs = Needs::sides};
}

}  // namespace

void add_reactions(QuantityCatalog& all) {
  const auto part = [&](Quantity quantity, int first) {
    quantity.complete = three_of_six(&Instant::reactions, first);
    all.add(std::move(quantity));
  };
  part(of_sides("reactions/force", "N", "on the body", {"force x", "force y", "force z"}), 0);
  part(of_sides("reactions/torque", "N m", "on the body, about the point",
                {"torque x", "torque y", "torque z"}),
       3);
  const auto bar = [&](Quantity quantity, int first) {
    quantity.standard = false;
    quantity.evaluate = three_of_six(&Instant::reaction_bar, first);
    all.add(std::move(quantity));
  };
  bar(of_sides("lambda_bar/force", "N", "error bar of reactions/force, as lambda_bar/row",
               {"error bar of force x", "error bar of force y", "error bar of force z"}),
      0);
  bar(of_sides("lambda_bar/torque", "N m", "error bar of reactions/torque, as lambda_bar/row",
               {"error bar of torque x", "error bar of torque y", "error bar of torque z"}),
      3);
}

void add_joints(QuantityCatalog& all) {
  using Write = std::function<void(const Instant&, double*)>;
  const auto of = [](double JointCoordinates::*number) {
    return [number](const Instant& at, double* out) {
      for (const JointCoordinates& joint : at.joints()) *out++ = joint.*number;
    };
  };
  const auto part = [&](const char* name, const char* unit, const char* meaning,
                        double JointCoordinates::*number, bool counted = false) {
    all.add({.name = name,
             .unit = unit,
             .meaning = meaning,
             .items = Items::joint,
             .standard = false,
             .counted = counted,
             .needs = Needs::markers,
             .evaluate = counted ? Write(of(&JointCoordinates::angle_rate)) : Write(),
             .complete = of(number)});
  };
  part("joints/angle", "rad",
       "of the second body about the axis of the first, from side_a to side_b (universal: of axis_b about "
       "axis_a; spherical, which has no axis: about z), over full turns; at the start in (-pi, pi]",
       &JointCoordinates::angle, true);
  part("joints/angle_rate", "rad/s", "its time derivative", &JointCoordinates::angle_rate);
  part("joints/displacement", "m",
       "of the second body's point from the first one's, along the axis of the first",
       &JointCoordinates::displacement);
  part("joints/displacement_rate", "m/s", "its time derivative", &JointCoordinates::displacement_rate);
}

void add_forces(QuantityCatalog& all) {
  const auto copy_power = [](const Instant& at, double* out) {
    const std::vector<double>& power = at.force_power();
    std::copy(power.begin(), power.end(), out);
  };
  all.add({.name = "forces/power",
           .unit = "W",
           .meaning = "what a force supplies beside its potential; negative of a damper",
           .items = Items::force,
           .standard = false,
           .needs = Needs::forces,
           .complete = copy_power});
  all.add({.name = "forces/work",
           .unit = "J",
           .meaning = "integral of forces/power since the start",
           .items = Items::force,
           .standard = false,
           .integrated = true,
           .needs = Needs::forces,
           .evaluate = copy_power});
}

void add_drives(QuantityCatalog& all) {
  const auto copy_power = [](const Instant& at, double* out) {
    const std::vector<double>& power = at.drive_power();
    std::copy(power.begin(), power.end(), out);
  };
  all.add({.name = "drives/power",
           .unit = "W",
           .meaning = "what a constraint supplies that moves by itself, lambda . g_t; 0 of joints without a "
                      "drive",
           .items = Items::constraint,
           .standard = false,
           .needs = Needs::constraints,
           .complete = copy_power});
  all.add({.name = "drives/work",
           .unit = "J",
           .meaning = "integral of drives/power since the start",
           .items = Items::constraint,
           .standard = false,
           .integrated = true,
           .multipliers = true,
           .needs = Needs::constraints,
           .evaluate = copy_power});
}

}  // namespace catena::detail
