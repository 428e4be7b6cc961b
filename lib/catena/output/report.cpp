#include <catena/math/parts/cpu.hpp>
#include <catena/math/parts/threads.hpp>
#include <catena/output/detail/version.hpp>
#include <catena/output/parts/report.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace catena {
using namespace detail;

std::string to_text(const OptionValue& option) {
  struct Printer {
    std::string operator()(double x) const { return fmt::format("{}", x); }
    std::string operator()(int x) const { return fmt::format("{}", x); }
    std::string operator()(bool x) const { return x ? "true" : "false"; }
    std::string operator()(const std::string& x) const { return x; }
  };
  return std::visit(Printer{}, option.value);
}

double Report::ns_per_step_per_body() const {
  if (run.steps == 0) return 0.0;
  return run.seconds_stepping * 1e9 / (static_cast<double>(run.steps) * std::max(1, blocks));
}

double Report::newton_iterations_per_step() const {
  return run.steps == 0 ? 0.0
                        : static_cast<double>(statistics.newton_iterations) / static_cast<double>(run.steps);
}

void fill_from_run(Report& report, const System& system, const State& state, const Stepper& stepper,
                   const Monitor& monitor, const RunResult& run) {
  const SystemLayout& layout = system.layout();
  const BlockPattern& pattern = *layout.pattern;
  const auto name_of = [&](const Peak& peak) {
    return peak.constraint < 0 ? std::string() : system.constraint_name(peak.constraint);
  };
  report.run = run;
  report.statistics = run.earlier;
  add(report.statistics, stepper.statistics());
  report.traits = stepper.traits();
  report.monitor = monitor.result();
  report.worst_position = name_of(report.monitor.position);
  report.worst_velocity = name_of(report.monitor.velocity);
  report.worst_acceleration = name_of(report.monitor.acceleration);

  report.bodies = static_cast<int>(system.bodies(state).size());
  report.blocks = pattern.primal_count();
  report.velocities = layout.v_size();
  report.constraints = pattern.dual_count();
  report.rows = layout.lambda_size();
  report.version = version();
  report.processor = processor_name();
  report.instruction_set = instruction_set_name(instruction_set());
  report.threads = threads();
}

void fill_final_values(Report& report, const System& system, const State& state) {
  const BlockPattern& pattern = *system.layout().pattern;
  report.body_names = system.body_names();
  report.final_bodies = system.bodies(state);
  if (report.final_bodies.empty()) {
    report.q = state.q;
    report.v = state.v;
  }
  report.forces.clear();
  report.forces.reserve(static_cast<std::size_t>(pattern.dual_count()));
  for (int block = 0; block < pattern.dual_count(); ++block) {
    const std::size_t b = static_cast<std::size_t>(block);
    const auto begin = state.lambda.begin() + (pattern.dual_offset[b] - pattern.primal_dimension);
    report.forces.push_back({system.constraint_name(block), {begin, begin + pattern.dual_size[b]}});
  }
}

void fill_quantities(Report& report, const System& system, const State& state, const Recording& recording) {
  Selection selection;
  for (const ChosenQuantity& chosen : recording.selection) {
    const std::string& name = chosen.quantity.name;
    const Items items = chosen.quantity.items;
    const bool shown = items == Items::row || items == Items::coordinate || items == Items::velocity ||
                       items == Items::discrete || name.starts_with("bodies/");
    if (name != "time" && !(shown && chosen.word == "standard")) selection.push_back(chosen);
  }
  Measurements measurements(system, selection, recording.sources);
  std::vector<double> row(static_cast<std::size_t>(measurements.width()));
  Outcome outcome;
  outcome.h_taken = report.run.step;
  measurements(state, outcome, row.data());
  report.quantities.clear();
  for (const MeasuredColumns& c : measurements.columns()) {
    const Quantity& q = c.quantity;
    if (q.name == "time" || c.count == 0) continue;
    FinalQuantity quantity{q.name, q.unit, q.frame, q.meaning, q.shape(), q.components, {}, {}};
    for (int k = 0; k < c.count; ++k) {
      if (q.items != Items::one) quantity.items.push_back(measurements.item_name(c, k));
      for (int i = 0; i < c.block; ++i)
        quantity.values.push_back(row[static_cast<std::size_t>(c.column(k, i))]);
    }
    report.quantities.push_back(std::move(quantity));
  }
}

std::string why_energy_error_is_unknown(const Report& report) {
  switch (report.monitor.work_known) {
    case WorkKnown::no_power:
      return report.problem + " states no power";
    case WorkKnown::no_multipliers:
      return report.stepper + " computes no multipliers, which the work of drives needs";
    case WorkKnown::yes:
      break;
  }
  return {};
}

const char* verdict(const Report& report) {
  if (!report.error.empty()) return "error";
  const Status status = report.run.status;
  if (status != Status::ok && status != Status::event && status != Status::stopped) return "failed";
  return report.run.remarks.empty() ? "ok" : "remarks";
}

std::string termination(const Report& report) {
  return report.error.empty() ? to_text(report.run) : report.error;
}

}  // namespace catena
