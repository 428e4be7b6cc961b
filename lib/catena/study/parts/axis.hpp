// What varies from row to row of a sweep.
#pragma once
#include <catena/experiment/scenario.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace catena {

// How the numbers of an axis are drawn. Each row has its own, which depends on the seed and the number of the sample alone.
struct Distribution {
  enum class Kind { uniform, loguniform, normal, lognormal };
  Kind kind = Kind::uniform;
  double a = 0.0;  // lower bound; of normal the mean; of lognormal the median
  double b =
      1.0;  // upper bound; of normal the standard deviation; of lognormal that of the natural logarithm

  // The number below which the share u of all lies, 0 < u < 1.
  double quantile(double u) const;
};

// One thing that varies. key: a parameter of the problem or of the model file ("n"), a member of a body, joint or force of
// the file by its path ("bodies.rod.mass", "joints.hip.stiffness", "gravity.z"), a member of the scenario ("stepper",
// "step", "tolerance", "end", "backend", "seed", ...), "option.rho_inf" for an option of the stepper, or "threads", those of
// the row. "set.step" is the parameter where a member has its name.
struct Variable {
  std::string key;
  std::vector<std::string> values = {};  // one after the other; empty: drawn
  Distribution distribution = {};
  std::string unit = {};  // behind a number that is drawn, of a model file: "kN/m"
  bool range = false;     // the values are those of a range
  bool whole = false;     // what is drawn is rounded to the nearest whole number

  bool drawn() const { return values.empty(); }
};

// Variables that change together: as many values each. A sweep has every combination of its axes. All drawn variables of a
// sweep make one axis more, of as many samples as the sweep says.
using Axis = std::vector<Variable>;

// From text, as on the command line:
//
//   n=10,20,40               these values
//   k=1..10:4                four of equal distance: 1, 4, 7, 10
//   k=1..1000:4:log          four of equal ratio: 1, 10, 100, 1000
//   k=uniform:0.9:1.1        drawn between bounds
//   k=loguniform:1e-3:1      drawn, uniform in the logarithm
//   k=normal:1:0.1           drawn: mean and standard deviation
//   k=lognormal:1:0.1        drawn: median and standard deviation of the logarithm
//   n=10,20 with step=1e-3,5e-4     together, value by value
//
// A stepper may have options behind colons: "stepper=generalized_alpha:rho_inf=0.5,dormand_prince". Ranges and
// distributions may have a unit at their end: "k=10..40:4 kN/m". Throws UsageError that begins with the text.
Axis axis_from_text(const std::string& text);
// The text again, values listed.
std::string to_text(const Axis& axis);

inline constexpr const char *threads_key = "threads", *stepper_key = "stepper";
inline constexpr std::string_view option_prefix = "option.", parameter_prefix = "set.";

// The parameter that the key sets, "n" of "n" and of "set.n"; nothing: it sets something else.
std::optional<std::string> parameter_of(const std::string& key);
// Sets what the key says; of threads it checks the number. Throws UsageError for a member that the text does not fit; whether the problem has the parameter
// is checked when the scenario is run.
void set_by_key(Scenario& scenario, const std::string& key, const std::string& text);

}  // namespace catena
