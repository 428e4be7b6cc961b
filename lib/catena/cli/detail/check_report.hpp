// What `catena check` finds, as data; to people as text, to programs as JSON.
#pragma once
#include <catena/experiment/catalog.hpp>
#include <catena/kkt/derivative_check.hpp>
#include <catena/kkt/detail/redundancy.hpp>
#include <catena/measure/detail/named_motions.hpp>
#include <catena/output/parts/report.hpp>

#include <string>
#include <vector>

namespace catena::detail {

// The largest and the smallest of something, and whose they are.
struct Scale {
  std::string quantity, unit;
  double smallest = 0.0, largest = 0.0;
  std::string smallest_of = {}, largest_of = {};
  double ratio() const { return largest / smallest; }
};

// Elements of one type.
struct KindCount {
  std::string type;
  int count = 0, rows = 0;  // rows of all of them; 0: forces
};

// Bodies that joints tie together.
struct PartReport {
  std::vector<std::string> bodies;  // primal blocks of a system in its own coordinates
  bool on_ground = false, forces_ground = false, forces_others = false;
};

// A constraint that the initial state does not satisfy.
struct Violation {
  std::string name;
  double size = 0.0;  // of the largest row [m or rad, or that per s]
  int constraint = 0;
  std::string place = {};  // "chain.yaml:12:5" of its place in a file
  std::string by = {};     // the size for people: of open joints '0.75 m and 0.02 rad', else the number alone
};

struct StepperVerdict {
  std::string name;
  std::string refusal;  // empty: takes the system
};

struct CheckReport {
  std::string problem, version;
  std::vector<OptionValue> parameters;

  int bodies = 0, fixed_bodies = 0;  // of a model
  int blocks = 0, velocities = 0;
  int constraints = 0, position_rows = 0, velocity_rows = 0, forces = 0;
  std::vector<KindCount> kinds;
  Redundancy redundancy;
  // Independent velocities: those that the rows leave, redundant rows counted once.
  int degrees_of_freedom() const { return velocities - redundancy.rank; }

  std::vector<NamedMotion> free_motions;  // of models with six degrees of freedom at most
  std::vector<std::string> held;          // blocks of velocities that nothing can move, while others can

  DerivativeCheck derivatives;
  std::vector<Scale> scales;
  std::vector<PartReport> parts;
  bool has_ground = false;  // false: a system in its own coordinates, whose ground is unknown
  // Of a file that asks for it.
  bool assembled = false;
  bool rates_disagree =
      false;  // its assembly has found positions, but no velocities: the positions here are those before it
  std::vector<MovedBody> moves;           // those that moved most first
  double assembly_velocity_change = 0.0;  // in units of SystemLayout::scale
  std::vector<Violation> disagreements;   // joints and coordinates that contradict one another
  std::string remedy = "correct them, or call project_positions";   // for positions off their joints
  std::vector<Violation> position_violations, velocity_violations;  // the largest first
  double largest_position = 0.0, largest_velocity = 0.0;            // residuals of all rows
  double velocity_change = 0.0;  // by which a start moves v, in units of SystemLayout::scale
  std::vector<StepperVerdict> steppers;

  std::vector<std::string> errors;   // why it cannot be run, or would run wrongly
  std::vector<std::string> remarks;  // what a user may want to know
  bool fit() const { return errors.empty(); }

  int exit_status = 0;
  std::string exit_text;
};

// Residuals of the initial state above these are violations: position rows [m, rad], velocity rows [m/s, rad/s].
inline constexpr double check_position_tolerance = 1e-9, check_velocity_tolerance = 1e-9;
// Ratios above this are remarked on: solutions of the KKT systems were verified up to it.
inline constexpr double check_largest_ratio = 1e6;

// Everything but parameters, version and exit. Throws ModelError where the model makes no sense.
void inspect(const Problem& problem, const Catalog& catalog, CheckReport& report);

std::string to_text(const CheckReport& report);
std::string to_json(const CheckReport& report);  // docs/howto/check_a_model.md lists the keys

}  // namespace catena::detail
