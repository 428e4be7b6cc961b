#include <catena/assembly/multibody_system.hpp>
#include <catena/cli/detail/commands.hpp>
#include <catena/cli/detail/console_text.hpp>
#include <catena/cli/detail/linear_text.hpp>
#include <catena/cli/detail/mode_files.hpp>
#include <catena/driver/sink.hpp>
#include <catena/experiment/parts/opened_problem.hpp>
#include <catena/experiment/parts/options.hpp>
#include <catena/experiment/parts/usage_error.hpp>
#include <catena/io/parts/write_model.hpp>
#include <catena/math/detail/index.hpp>

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <ostream>
#include <utility>

namespace catena::detail {
namespace {

struct LinearOptions {
  LinearizeOptions motion;
  ModesOptions modes;
};

// Of the command line: numbers are read, and ranges checked, as those of all options.
void visit(OptionVisitor& v, LinearOptions& o) {
  v.real({.name = "steady",
          .unit = "1",
          .meaning = "relative change of the motion that is taken as none",
          .minimum = 0.0,
          .above_minimum = true},
         o.motion.tolerance);
  v.integer({"count", "1", "of modes", 1.0}, o.modes.count);
  v.real({"shift", "1/s", "modes nearest to this number"}, o.modes.shift);
}

void refuse_unwritable(const std::string& file) {
  if (const std::string why = unwritable(file); !why.empty())
    throw SinkError("cannot write " + file + ": " + why + "; nothing was computed");
}

struct Opened {
  OpenedProblem problem;
  std::unique_ptr<System> system;
  State state;
  LinearOptions options;
};

Opened open(const LinearRequest& request, const Catalog& catalog) {
  Complaints complaints;
  LinearOptions options;
  const auto read = [&](const std::string& name, const std::optional<std::string>& text) {
    if (text)
      complaints.attempt([&] {
        set_option([&](OptionVisitor& v) { visit(v, options); }, name, *text, "--" + name + ' ' + *text);
      });
  };
  read("steady", request.steady);
  read("count", request.count);
  read("shift", request.shift);
  Scenario asked{.problem = request.problem};
  complaints.attempt([&] { asked.parameters = parse_settings(request.parameters, "--set"); });
  OpenedProblem problem;
  complaints.attempt([&] {
    problem = open_problem(asked, catalog);
    set_parameters(problem, asked);
  });
  complaints.throw_if_any();
  Opened o{std::move(problem), nullptr, {}, options};
  o.system = o.problem.problem->own_system();
  if (!o.system) o.system = std::make_unique<MultibodySystem>(o.problem.problem->model());
  o.state = o.system->initial_state();
  return o;
}

// The state to linearize about: the initial one, or the equilibrium near it. False: there is none, as the report says.
bool base_state(const LinearRequest& request, Opened& o, LinearReport& report) {
  report.equilibrium_asked = request.equilibrium;
  if (!request.equilibrium) return true;
  const Equilibrium rest = find_equilibrium(*o.system, o.state, {.stability = false});
  o.state = rest.state;
  report.status = rest.status;
  report.culprit = rest.culprit;
  if (rest.status != Status::ok) add_friction_remark(*o.system, report);
  return rest.status == Status::ok;
}

// Before the work.
void refuse_output(const LinearRequest& request, const Opened& o) {
  if (request.output.empty()) return;
  if (bodies_of(*o.system) == nullptr)
    throw UsageError("--output " + request.output + ": problem " + request.problem +
                     " has no bodies: it has no form in a file");
  refuse_unwritable(request.output);
}

// Counted turns begin anew with the poses of a file: a force that follows them is another one there.
void refuse_lost_turns(const LinearRequest& request, const BodySystem& bodies, const State& rest,
                       const State& of_file) {
  constexpr double turned = 1.0;  // rad; whole turns apart, or not at all
  const auto look = [&](int offset, const std::string& label) {
    if (offset < 0 || !(std::abs(rest.discrete[index(offset)] - of_file.discrete[index(offset)]) > turned))
      return;
    throw UsageError(
        fmt::format("--output {}: at rest the angle of {} has counted {:.6g} rad, and a file, which holds "
                    "poses, begins it at {:.6g} "
                    "rad: its model would not be at rest; leave --output out",
                    request.output, label, rest.discrete[index(offset)], of_file.discrete[index(offset)]));
  };
  const Model& model = bodies.model();
  for (int k = 0; k < static_cast<int>(model.constraints().size()); ++k)
    look(bodies.discrete_offset(ConstraintId{k}), model.constraint_label(ConstraintId{k}));
  for (int k = 0; k < static_cast<int>(model.forces().size()); ++k)
    look(bodies.discrete_offset(ForceId{k}), model.force_label(ForceId{k}));
}

// The model with its bodies where they rest.
void write_at_rest(const LinearRequest& request, const Opened& o, const Catalog& catalog) {
  const auto* bodies = bodies_of(*o.system);
  Model model = bodies->model();
  const std::vector<RigidBodyState> at = bodies->bodies(o.state);
  for (int b = 0; b < model.body_count(); ++b) {
    Body& body = model.body(BodyId{b});
    if (body.fixed) continue;
    body.position = at[index(b)].position;
    body.orientation = at[index(b)].orientation;
    body.velocity = body.angular_velocity = Vec3::Zero();
  }
  if (!o.state.discrete.empty())
    refuse_lost_turns(request, *bodies, o.state, MultibodySystem(model).initial_state());
  const std::string text =
      write_model(model, catalog.element_types(), {.title = "At rest: " + o.problem.problem->summary()});
  if (!write_text(request.output, text)) throw SinkError("cannot write " + request.output);
}

// Runs a command, prints its report or what the user did wrong, and writes the JSON.
ExitCode report_of(const LinearRequest& request, const Console& console,
                   const std::function<void(LinearReport&)>& work) {
  LinearReport report;
  report.problem = request.problem;
  ExitCode code = exit_ok;
  const bool json_to_out = request.json == "-";
  try {
    if (!request.json.empty() && !json_to_out) refuse_unwritable(request.json);
    work(report);
  } catch (const std::exception&) {
    return refused(console);
  }
  if (report.status != Status::ok) code = exit_run_ended_early;
  if (!request.json.empty() && !json_to_out && !write_text(request.json, to_json(report)))
    throw SinkError("cannot write " + request.json);
  (json_to_out ? console.err : console.out) << to_text(report);
  if (json_to_out) console.out << to_json(report) << std::flush;
  return code;
}

}  // namespace

ExitCode equilibrium_command(const LinearRequest& request, const Catalog& catalog, const Console& console) {
  return report_of(request, console, [&](LinearReport& report) {
    report.command = "equilibrium";
    Opened o = open(request, catalog);
    refuse_output(request, o);
    Equilibrium rest = find_equilibrium(*o.system, o.state);
    o.state = rest.state;
    report.status = rest.status;
    report.culprit = rest.culprit;
    add_reactions(*o.system, o.state, report);
    add_friction_remark(*o.system, report);
    report.modes = rest.modes;
    report.equilibrium = std::move(rest);
    if (report.status == Status::ok && !request.output.empty()) write_at_rest(request, o, catalog);
  });
}

ExitCode linearize_command(const LinearRequest& request, const Catalog& catalog, const Console& console) {
  return report_of(request, console, [&](LinearReport& report) {
    report.command = "linearize";
    Opened o = open(request, catalog);
    if (!base_state(request, o, report)) return;
    const LinearMotion motion = linearize(*o.system, o.state, o.options.motion);
    describe(motion, report);
    if (report.status != Status::ok) return;
    report.space = state_space(motion);
    report.status = report.space->status;
    report.culprit = report.space->culprit;
  });
}

ExitCode modes_command(const LinearRequest& request, const Catalog& catalog, const Console& console) {
  return report_of(request, console, [&](LinearReport& report) {
    report.command = "modes";
    Opened o = open(request, catalog);
    if (!request.output.empty()) refuse_foreign_modes(request.output, *o.system, o.options.modes.count);
    if (!base_state(request, o, report)) return;
    const LinearMotion motion = linearize(*o.system, o.state, o.options.motion);
    describe(motion, report);
    if (report.status != Status::ok) return;
    report.count = o.options.modes.count;
    report.shift = o.options.modes.shift;
    report.modes = find_modes(motion, o.options.modes);
    report.status = report.modes->status;
    report.culprit = report.modes->culprit;
    const bool none = report.modes->modes.empty() && report.modes->zeros == 0 && motion.idle_count == 0;
    if (report.status == Status::ok && none) {
      report.status = Status::unsupported;
      report.culprit = {.name = "", .quantity = "", .why = "nothing can move, so that there are no modes"};
    }
    if (report.status == Status::ok && !request.output.empty())
      write_modes(*o.system, motion, *report.modes, request.output);
  });
}

}  // namespace catena::detail
