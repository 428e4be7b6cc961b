#include <catena/assembly/multibody_system.hpp>
#include <catena/cli/detail/commands.hpp>
#include <catena/cli/detail/console_text.hpp>
#include <catena/cli/detail/linear_text.hpp>
#include <catena/experiment/parts/opened_problem.hpp>
#include <catena/experiment/parts/options.hpp>
#include <catena/experiment/parts/usage_error.hpp>
#include <catena/io/parts/write_model.hpp>
#include <catena/math/detail/index.hpp>
#include <catena/output/detail/csv_table.hpp>
#include <catena/output/detail/vtk_sink.hpp>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <ostream>

namespace catena::detail {
namespace {

struct Opened {
  OpenedProblem problem;
  std::unique_ptr<System> system;
  State state;
};

Opened open(const LinearRequest& request, const Catalog& catalog) {
  if (request.count < 1) throw UsageError("--count must be at least 1");
  if (!(request.tolerance > 0.0)) throw UsageError("--steady must be positive");
  const Scenario asked{.problem = request.problem, .parameters = parse_settings(request.parameters, "--set")};
  Opened o{open_problem(asked, catalog), nullptr, {}};
  set_parameters(o.problem, asked);
  o.system = o.problem.problem->own_system();
  if (!o.system) o.system = std::make_unique<MultibodySystem>(o.problem.problem->model());
  o.state = o.system->initial_state();
  return o;
}

// The state to linearize about: the initial one, or the equilibrium near it. False: there is none, as the report says.
bool base_state(const LinearRequest& request, Opened& o, LinearReport& report) {
  if (!request.equilibrium) return true;
  const Equilibrium rest = find_equilibrium(*o.system, o.state, {.stability = false});
  o.state = rest.state;
  report.status = rest.status;
  report.culprit = rest.culprit;
  return rest.status == Status::ok;
}

// The model with its bodies where they rest.
void write_at_rest(const LinearRequest& request, const Opened& o, const Catalog& catalog) {
  const auto* bodies = bodies_of(*o.system);
  if (bodies == nullptr)
    throw UsageError("problem " + request.problem + " has no bodies: it has no form in a file");
  Model model = bodies->model();
  const std::vector<RigidBodyState> at = bodies->bodies(o.state);
  for (int b = 0; b < model.body_count(); ++b) {
    Body& body = model.body(BodyId{b});
    if (body.fixed) continue;
    body.position = at[index(b)].position;
    body.orientation = at[index(b)].orientation;
    body.velocity = body.angular_velocity = Vec3::Zero();
  }
  const std::string text =
      write_model(model, catalog.element_types(), {.title = "At rest: " + o.problem.problem->summary()});
  if (!write_text(request.output, text)) throw SinkError("cannot write " + request.output);
}

void write_table(const System& system, const Modes& modes, const std::filesystem::path& file) {
  CsvTable table(
      file,
      "mode,real [1/s],imaginary [1/s],frequency [Hz],damping ratio,of,component,shape real,shape imaginary");
  const BlockPattern& p = *system.layout().pattern;
  for (std::size_t k = 0; k < modes.modes.size(); ++k) {
    const Mode& mode = modes.modes[k];
    for (int b = 0; b < p.primal_count(); ++b)
      for (int c = 0; c < p.primal_size[index(b)]; ++c) {
        const std::complex<double> x = mode.shape[index(p.primal_offset[index(b)] + c)];
        table.cells(std::to_string(k + 1));
        for (const double number :
             {mode.eigenvalue.real(), mode.eigenvalue.imag(), mode.frequency, mode.damping_ratio})
          table.number(number, Precision::float64);
        table.cells("," + csv_cell(system.velocity_block_name(b)) + "," + std::to_string(c + 1));
        table.number(x.real(), Precision::float64);
        table.number(x.imag(), Precision::float64);
        table.end_row();
      }
  }
  table.close();
}

// One period, or for real eigenvalues a swing to both sides, at a tenth of the size of a body.
void animate(const System& system, const LinearMotion& motion, const Mode& mode,
             const std::filesystem::path& folder) {
  constexpr int frames = 24;
  constexpr double amplitude = 0.2, turn = 6.283185307179586;
  VtkSink sink(folder);
  sink.begin(system);
  std::vector<double> delta(mode.shape.size());
  State state = motion.state;
  const double period = mode.frequency > 0.0 ? 1.0 / mode.frequency : 1.0;
  for (int k = 0; k <= frames; ++k) {
    const std::complex<double> phase = std::polar(amplitude, turn * k / frames);
    for (std::size_t i = 0; i < delta.size(); ++i) delta[i] = (mode.shape[i] * phase).real();
    system.retract(motion.state.q.data(), delta.data(), state.q.data());
    state.t = motion.state.t + period * k / frames;
    sink.accept(state, {});
  }
  sink.end();
}

void write_modes(const Opened& o, const LinearMotion& motion, const Modes& modes, const std::string& folder) {
  const std::filesystem::path to(folder);
  std::filesystem::create_directories(to);
  write_table(*o.system, modes, to / "modes.csv");
  if (bodies_of(*o.system) == nullptr) return;
  for (std::size_t k = 0; k < modes.modes.size(); ++k)
    animate(*o.system, motion, modes.modes[k], to / ("mode_" + std::to_string(k + 1)));
}

// Runs a command, prints its report or what the user did wrong, and writes the JSON.
ExitCode report_of(const LinearRequest& request, const Console& console,
                   const std::function<void(LinearReport&)>& work) {
  LinearReport report;
  report.problem = request.problem;
  ExitCode code = exit_ok;
  try {
    work(report);
  } catch (const std::exception&) {
    return refused(console);
  }
  if (report.status != Status::ok) code = exit_run_ended_early;
  const bool json_to_out = request.json == "-";
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
    Equilibrium rest = find_equilibrium(*o.system, o.state);
    o.state = rest.state;
    report.status = rest.status;
    report.culprit = rest.culprit;
    report.reactions = reactions_at(*o.system, o.state);
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
    const LinearMotion motion = linearize(*o.system, o.state, {.tolerance = request.tolerance});
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
    if (!base_state(request, o, report)) return;
    const LinearMotion motion = linearize(*o.system, o.state, {.tolerance = request.tolerance});
    describe(motion, report);
    if (report.status != Status::ok) return;
    report.modes = find_modes(motion, {.count = request.count, .shift = request.shift});
    report.status = report.modes->status;
    report.culprit = report.modes->culprit;
    if (report.status == Status::ok && !request.output.empty())
      write_modes(o, motion, *report.modes, request.output);
  });
}

}  // namespace catena::detail
