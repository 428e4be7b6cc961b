// What there is to say after a run, as data; to people as text, to programs as JSON.
#pragma once
#include <catena/driver/run.hpp>
#include <catena/kkt/detail/redundancy.hpp>
#include <catena/measure/parts/monitor.hpp>
#include <catena/output/parts/digits.hpp>
#include <catena/output/parts/error_bars.hpp>
#include <catena/output/parts/recording.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace catena {

// A parameter or option with the value that was used.
struct OptionValue {
  std::string name, unit;
  std::variant<double, int, bool, std::string> value;
};
std::string to_text(const OptionValue& option);  // "0.8", "true", "spherical"

// The final value of one constraint's multipliers.
struct ConstraintForce {
  std::string name;
  std::vector<double> lambda;  // [N] for rows in m, [N m] for rows in rad
};

// A quantity at the last state.
struct FinalQuantity {
  std::string name, unit, frame, meaning;
  std::string axes;                     // of the values: "", "3", "body", "side, 3"
  std::vector<std::string> components;  // names; empty: one number an item
  std::vector<std::string> items;       // names; empty: of the whole system
  std::vector<double> values;           // item by item
};

// By an assembly.
struct MovedBody {
  std::string name;
  double distance = 0.0, turn = 0.0;  // [m], [rad]
};

struct Report {
  std::string problem, stepper, backend;
  std::vector<OptionValue> parameters;  // of the problem
  std::vector<OptionValue> options;     // of the stepper
  std::optional<std::uint64_t> seed;    // of a random problem

  std::vector<MovedBody> moved;  // by the assembly of its file, those that moved most first

  std::vector<Remark> notices;  // before the run: redundant rows, the size of results, checkpoints
  RunResult run;
  StepperStatistics statistics;
  StepperStatistics
      before_steps;  // of them: the set-up and the start; where the run was resumed, of its last part
  Traits traits;
  MonitorResult monitor;
  detail::Redundancy redundancy;  // of the initial state
  std::string reactions;          // which of those that it leaves open are reported
  std::string worst_position, worst_velocity, worst_acceleration;  // constraints of the residual peaks

  int bodies = 0;  // of the model, fixed ones included
  int blocks = 0;  // primal blocks: moving bodies, or 1 for a system in its own coordinates
  int velocities = 0, constraints = 0, rows = 0;
  int every = 1;               // of the output
  double end = 0.0;            // [s] asked for
  double seconds_build = 0.0;  // making model and system, before the run

  // Final state.
  std::vector<std::string> body_names;
  std::vector<RigidBodyState> final_bodies;
  std::vector<ConstraintForce> forces;
  std::vector<double> q, v;  // systems in their own coordinates only
  std::vector<FinalQuantity> quantities;
  ErrorBars error_bars;
  Digits digits;

  // Where and with what it was computed.
  std::string version, processor, instruction_set;
  int threads = 1;
  std::vector<std::string> files;

  std::vector<std::string> failure;  // lines on the step that failed, where it was examined
  std::string failure_file;          // that takes it again; empty: none

  int exit_status = 0;               // of the program
  std::string exit_text;             // the same in words
  std::string resumed_from;          // the checkpoint; empty: begun at the start (see RunResult::t_resumed)
  bool resume_restarted = false;     // the stepper has no copyable memory: the bits are not those of one run
  std::vector<std::string> refused;  // checkpoints that were not used, and why
  bool finished_before = false;      // there was nothing left to do
  std::string error;                 // why nothing was run, where that is so

  // Stepping alone; set-up and output excluded. 0 without steps.
  double ns_per_step_per_body() const;
  double newton_iterations_per_step() const;
};

// Sizes, traits, figures of the run and machine. The rest is the caller's.
void fill_from_run(Report& report, const System& system, const State& state, const Stepper& stepper,
                   const Monitor& monitor, const RunResult& run);
// The final state with its names, which only the JSON report shows: some 250 bytes a body.
void fill_final_values(Report& report, const System& system, const State& state);

// The recorded quantities at the final state, without those that fill_final_values() fills under names of their own:
// standard numbers of the state, bodies and multipliers.
void fill_quantities(Report& report, const System& system, const State& state, const Recording& recording);

// A sentence: 'ok: reached t = 2 s', 'step_too_small at t = 0.31 s: position residual 3e-4 of joint "..."'.
std::string termination(const Report& report);

// "snake states no power", where the balance of its energy is not known; else empty.
std::string why_energy_error_is_unknown(const Report& report);

// The whole in one word: "ok", "remarks" where something is to be said against the result of a run that did not fail
// (RunResult::remarks), "failed", or "error" where nothing was run.
const char* verdict(const Report& report);

std::string to_text(const Report& report);
// One JSON object; values that are not finite become null. docs/reference/command_line.md lists the keys.
std::string to_json(const Report& report);

}  // namespace catena
