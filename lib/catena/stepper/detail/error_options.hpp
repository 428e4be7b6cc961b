// The options of steppers that choose their steps by errors of positions and velocities.
#pragma once
#include <catena/math/option.hpp>
#include <catena/stepper/detail/error_control.hpp>
#include <catena/stepper/detail/max_step.hpp>

#include <cstdint>
#include <string>

namespace catena::detail {

// What tolerances allow: an error a step, or an error per second of the motion in each step.
enum class ErrorPer : std::uint8_t { step, second };

// Lists the tolerances of kinds that a method has.
struct ListedKinds {
  ErrorPer per = ErrorPer::step;
  bool velocities = true, multipliers = true;
};
inline void visit_kinds(OptionVisitor& visitor, KindTolerances& o, const ListedKinds& listed) {
  const auto by = [&](const char* a_step, const char* a_second) {
    return listed.per == ErrorPer::step ? a_step : a_second;
  };
  visitor.real({"atol_length", by("m", "m/s"),
                "error of lengths, in place of that in characteristic sizes; 0: that one", 0.0, 1e6},
               o.atol_length);
  visitor.real({"atol_angle", by("rad", "rad/s"),
                "error of angles, in place of that in characteristic sizes; 0: that one", 0.0, 1e6},
               o.atol_angle);
  if (listed.velocities) {
    visitor.real(
        {"atol_linear_velocity", by("m/s", "m/s^2"),
         "error of velocities of lengths, in place of that in characteristic sizes; 0: that one", 0.0, 1e6},
        o.atol_linear_velocity);
    visitor.real(
        {"atol_angular_velocity", by("rad/s", "rad/s^2"),
         "error of velocities of angles, in place of that in characteristic sizes; 0: that one", 0.0, 1e6},
        o.atol_angular_velocity);
  }
  if (!listed.multipliers) return;
  visitor.flag({"control_lambda", "", "errors of multipliers choose the steps as well"}, o.control_lambda);
  visitor.real({"rtol_lambda", "1",
                "error of a multiplier relative to the largest one, with control_lambda; 0: as of positions",
                0.0, 1.0},
               o.rtol_lambda);
  visitor.real(
      {"atol_lambda", "N", "error of a multiplier, of torques in N m, with control_lambda", 0.0, 1e12},
      o.atol_lambda);
}

// Lists control, the four tolerances, those of kinds, initial_step and max_step.
template <class Options>
void visit_error_control(OptionVisitor& visitor, Options& o, ErrorPer per = ErrorPer::step) {
  const auto by = [&](const char* a_step, const char* a_second) {
    return per == ErrorPer::step ? a_step : a_second;
  };
  visit_choice(visitor, {"control", "", "adaptive: steps follow the error; fixed: the step of the run"},
               o.control, {"adaptive", "fixed"});
  visitor.real(
      tolerance_option({"rtol_position", by("1", "1/s"),
                        by("error of a coordinate relative to it; of a body: to its size",
                           "error of a coordinate per second, relative to it; of a body: to its size"),
                        0.0, 1.0}),
      o.rtol_position);
  visitor.real(tolerance_option({"atol_position", by("1", "1/s"),
                                 by("error of a coordinate in characteristic sizes",
                                    "error of a coordinate per second, in characteristic sizes"),
                                 0.0, 1.0}),
               o.atol_position);
  visitor.real(tolerance_option({"rtol_velocity", by("1", "1/s"),
                                 by("error of a velocity relative to it",
                                    "error of a velocity per second, relative to it"),
                                 0.0, 1.0}),
               o.rtol_velocity);
  visitor.real(tolerance_option({"atol_velocity", by("1/s", "1/s^2"),
                                 by("error of a velocity in characteristic sizes per second",
                                    "error of a velocity per second, in characteristic sizes per second"),
                                 0.0, 1e6}),
               o.atol_velocity);
  visit_kinds(visitor, o.kinds, {.per = per});
  visitor.real({"initial_step", "s", "first step tried; 0: found from two derivatives", 0.0, 1e6},
               o.initial_step);
  visitor.real({"max_step", "s", "no step is larger; 0: no limit", 0.0, 1e6}, o.max_step);
}

// Lists tolerance, max_step and the tolerances of kinds of a method whose steps are of fixed size without a tolerance.
template <class Options>
void visit_tolerance(OptionVisitor& visitor, Options& o) {
  visitor.real(
      tolerance_option({"tolerance", "1/s",
                        "local error in characteristic sizes per second, which chooses the steps; 0: "
                        "the step of the run",
                        0.0, 1.0}),
      o.tolerance);
  visitor.real({"max_step", "s", "with a tolerance no step is larger; 0: no limit", 0.0, 1e6}, o.max_step);
  visit_kinds(visitor, o.kinds, {.per = ErrorPer::second, .velocities = false});
}

template <class Options>
ErrorTolerances tolerances_of(const Options& o) {
  return {.rtol_position = o.rtol_position,
          .atol_position = o.atol_position,
          .rtol_velocity = o.rtol_velocity,
          .atol_velocity = o.atol_velocity,
          .max_step = o.max_step,
          .kinds = o.kinds};
}

// Empty, or why no step is small enough for these tolerances.
template <class Options>
std::string no_step_small_enough(const Options& o) {
  if (std::string wrong = endless_max_step(o.max_step); !wrong.empty()) return wrong;
  const auto of_both_kinds = [](double length, double angle) { return length > 0.0 && angle > 0.0; };
  if ((o.rtol_position + o.atol_position == 0.0 && !of_both_kinds(o.kinds.atol_length, o.kinds.atol_angle)) ||
      (o.rtol_velocity + o.atol_velocity == 0.0 &&
       !of_both_kinds(o.kinds.atol_linear_velocity, o.kinds.atol_angular_velocity)))
    return "no step is small enough for rtol = atol = 0: one of the two must be positive, for positions and "
           "for velocities";
  if (o.kinds.control_lambda && o.kinds.rtol_lambda + o.kinds.atol_lambda + o.rtol_position == 0.0)
    return "no step is small enough for rtol_lambda = atol_lambda = rtol_position = 0 with control_lambda: "
           "one of the "
           "first two must be positive";
  return {};
}

}  // namespace catena::detail
