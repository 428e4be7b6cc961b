// The report for people, laid out like the full report of an optimiser: a name on the left, numbers in columns.
#include <catena/output/detail/text_page.hpp>
#include <catena/output/parts/report.hpp>
#include <catena/stepper/guards/detail/step_resolution.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace catena {
using namespace detail;
namespace {

class Page : public TextPage {
 public:
  void title(const std::string& text) { line("\n{}", text); }
  void row(const std::string& name, const std::string& value) { line("{:<30}{:>16}", name, value); }
  void row(const std::string& name, const std::string& value, const std::string& remark) {
    line("{:<30}{:>16}   {}", name, value, remark);
  }
  void count(const std::string& name, long value, const std::string& remark = "") {
    remark.empty() ? row(name, std::to_string(value)) : row(name, std::to_string(value), remark);
  }
  void time(const std::string& name, double seconds, double total) {
    row(name, fmt::format("{:.6f}", seconds),
        total > 0.0 ? fmt::format("{:5.1f} %", 100.0 * seconds / total) : "");
  }
};

std::string listed(const std::vector<OptionValue>& values) {
  std::string text;
  for (const OptionValue& v : values) {
    text += text.empty() ? "" : ", ";
    text += v.name + " = " + to_text(v);
    if (v.unit != "1" && !v.unit.empty()) text += " " + v.unit;
  }
  return text;
}

std::string where(const Peak& peak, const std::string& constraint) {
  std::string text = fmt::format("at t = {:.6g} s", peak.t);
  if (!constraint.empty()) text += ", " + constraint;
  return text;
}

std::string per_step(long count, long steps) {
  return steps == 0 ? ""
                    : fmt::format("{:.2f} per step", static_cast<double>(count) / static_cast<double>(steps));
}

void write_head(Page& page, const Report& r) {
  page.line("Catena {} report", r.version);
  page.line("");
  page.line("{:<20}{}", "Problem", r.problem);
  if (!r.parameters.empty()) page.line("{:<20}{}", "  parameters", listed(r.parameters));
  if (r.seed) page.line("{:<20}{}", "  seed", *r.seed);
  page.line("{:<20}{}", "Stepper", r.stepper);
  if (!r.options.empty()) page.line("{:<20}{}", "  options", listed(r.options));
  if (!r.backend.empty()) page.line("{:<20}{}", "Back end", r.backend);
  page.line("{:<20}{}, {}, {} thread{}", "Machine", r.processor, r.instruction_set, r.threads,
            r.threads == 1 ? "" : "s");
}

void write_counts(Page& page, const Report& r) {
  const StepperStatistics& s = r.statistics;
  const long steps = r.run.steps;
  page.title("System");
  page.count("Bodies", r.bodies);
  page.count("Velocities", r.velocities);
  page.count("Constraints", r.constraints, fmt::format("{} rows", r.rows));
  constexpr std::size_t shown = 6;
  if (!r.moved.empty()) page.count("Moved by the assembly", static_cast<long>(r.moved.size()));
  for (std::size_t k = 0; k < std::min(shown, r.moved.size()); ++k)
    page.row("", "",
             fmt::format("body \"{}\" by {:.3g} m and {:.3g} rad", r.moved[k].name, r.moved[k].distance,
                         r.moved[k].turn));
  if (r.moved.size() > shown) page.row("", "", fmt::format("and {} more", r.moved.size() - shown));
  if (r.redundancy.suspected)
    page.count("Redundant rows", r.redundancy.rows - r.redundancy.rank,
               r.redundancy.proven() ? dependent_constraints(r.redundancy) : to_text(r.redundancy));
  for (std::size_t k = 0; k < std::min(shown, r.redundancy.open.size()); ++k)
    page.row(k == 0 ? "  open reactions" : "", "",
             r.redundancy.open[k].name + ": " + components(r.redundancy.open[k]));
  if (r.redundancy.open.size() > shown)
    page.row("", "", fmt::format("and of {} more", r.redundancy.open.size() - shown));
  if (!r.redundancy.open.empty()) page.row("  reported", "", r.reactions);
  page.title("Steps");
  if (r.traits.chooses_step) {
    page.row("Output [s]", fmt::format("{:.6g}", r.run.step), "steps are chosen by their error");
    page.row("Smallest, largest step [s]", fmt::format("{:.6g}", r.run.smallest_step),
             fmt::format("{:.6g}", r.run.largest_step));
  } else {
    page.row("Size [s]", fmt::format("{:.6g}", r.run.step),
             r.run.smallest_step < 0.999 * r.run.step
                 ? fmt::format("smallest taken {:.3g}", r.run.smallest_step)
                 : "");
  }
  if (const Culprit& remark = r.run.start_remark; !remark.quantity.empty())
    page.row("Remark of the start", fmt::format("{:.3e}", remark.value),
             remark.quantity + (remark.name.empty() ? "" : ", " + remark.name));
  page.count("Accepted", steps, fmt::format("from t = {:.6g} s to {:.6g} s", r.run.t_begin, r.run.t_end));
  page.count(r.traits.chooses_step ? "Rejected and repeated" : "Cut and repeated", r.run.rejected);
  if (r.run.resumes > 0)
    page.count(
        "Resumed", r.run.resumes,
        fmt::format("last from {} at t = {:.6g} s{}", r.resumed_from, r.run.t_resumed,
                    r.resume_restarted ? "; the stepper began anew there: not the bits of one run" : ""));
  if (!r.run.events.empty()) page.count("Events", static_cast<long>(r.run.events.size()));
  if (r.run.samples > 0) page.count("Samples of controllers", r.run.samples);
  if (s.multiplier_noise > StepResolution::remarkable)
    page.row("Noise of multipliers", fmt::format("{:.1e}", s.multiplier_noise),
             "of the largest; roundoff of positions over h^2, which index = 2 has not");
  if (r.run.unfinished > 0)
    page.count("Unfinished states in steps", r.run.unfinished,
               r.run.unfinished_remark.quantity +
                   (r.run.unfinished_remark.name.empty() ? "" : ", " + r.run.unfinished_remark.name));
  page.count("Newton iterations", s.newton_iterations, per_step(s.newton_iterations, steps));
  page.count("Evaluations", s.evaluations, per_step(s.evaluations, steps));
  page.count("Factorisations", s.factorizations, per_step(s.factorizations, steps));
  page.count("Solves", s.solves, per_step(s.solves, steps));
  if (s.refinements > 0) page.count("Refinements", s.refinements);
  if (s.indefinite_factorizations > 0) page.count("Indefinite matrices", s.indefinite_factorizations);
  if (s.growing_factorizations > 0) page.count("Matrices with pivot growth", s.growing_factorizations);
  if (s.stagnations > 0) page.count("Newton stagnated", s.stagnations, "and continued with pivoting");
  if (s.dropped_geometric_stiffness > 0)
    page.count("Geometric stiffness dropped", s.dropped_geometric_stiffness);
  if (s.fallback_factorizations > 0) page.count("Pivoting factorisations", s.fallback_factorizations);
}

void write_times(Page& page, const Report& r) {
  const StepperStatistics& s = r.statistics;
  const double total = r.seconds_build + r.run.seconds_total;
  const double rest = r.run.seconds_stepping - s.seconds_evaluate - s.seconds_factorize - s.seconds_solve;
  page.title("Time [s]");
  page.time("Model and system", r.seconds_build, total);
  page.time("Set-up and start", r.run.seconds_setup, total);
  page.time("Stepping", r.run.seconds_stepping, total);
  if (s.seconds_evaluate + s.seconds_factorize + s.seconds_solve > 0.0) {
    page.time("  Evaluate and fill", s.seconds_evaluate, total);
    page.time("  Factorise, first solve", s.seconds_factorize, total);
    page.time("  Further solves", s.seconds_solve, total);
    page.time("  Rest of the step", std::max(0.0, rest), total);
  }
  page.time("Output and monitoring", r.run.seconds_output, total);
  page.time("Total", total, total);
  page.row("Per step and body [ns]", fmt::format("{:.1f}", r.ns_per_step_per_body()),
           fmt::format("fastest step {:.1f}", r.run.seconds_fastest_step * 1e9 / std::max(1, r.blocks)));
}

// Work is shown where something has done any.
void write_balance(Page& page, const Report& r) {
  const MonitorResult& m = r.monitor;
  if (const std::string why = why_energy_error_is_unknown(r); !why.empty())
    return page.row("Balance", "not known", why);
  if (m.work.forces != 0.0) page.row("Work of forces [J]", fmt::format("{:.10g}", m.work.forces));
  if (m.work.drives != 0.0) page.row("Work of drives [J]", fmt::format("{:.10g}", m.work.drives));
  page.row("Balance at the end [J]", fmt::format("{:.3e}", m.energy_balance()), "final - initial - work");
  page.row(m.energy_error_is_absolute() ? "Largest error [J]" : "Largest error, relative",
           fmt::format("{:.3e}", m.energy_error_max()), where(m.energy_error, ""));
}

void write_accuracy(Page& page, const Report& r) {
  const MonitorResult& m = r.monitor;
  if (m.states == 0) return;
  page.title("Energy");
  const auto energy = [&](const char* name, const Energy& e) {
    page.row(name, fmt::format("{:.10g}", e.total()),
             fmt::format("kinetic {:.6g}, potential {:.6g}", e.kinetic, e.potential));
  };
  energy("Initial [J]", m.energy_initial);
  energy("Final [J]", m.energy_final);
  write_balance(page, r);
  if (const Culprit& error = r.run.largest_error; !error.quantity.empty())
    page.row("Local error of a step", fmt::format("{:.1e}", error.value),
             fmt::format("of the size of {}, at t = {:.6g} s", error.name, r.run.t_largest_error));
  if (r.rows == 0) return;
  page.title("Largest residuals");
  page.row("Position", fmt::format("{:.3e}", m.position.value), where(m.position, r.worst_position));
  page.row("Velocity", fmt::format("{:.3e}", m.velocity.value), where(m.velocity, r.worst_velocity));
  page.row("Acceleration", fmt::format("{:.3e}", m.acceleration.value),
           where(m.acceleration, r.worst_acceleration));
}

// Of items the one with the largest number.
void write_quantities(Page& page, const Report& r) {
  if (r.quantities.empty()) return;
  page.title("Quantities at the end");
  for (const FinalQuantity& q : r.quantities) {
    const std::size_t block = std::max<std::size_t>(1, q.components.size());
    std::size_t item = 0;
    if (!q.items.empty()) {
      const auto largest = std::max_element(q.values.begin(), q.values.end(),
                                            [](double a, double b) { return std::abs(a) < std::abs(b); });
      item = static_cast<std::size_t>(largest - q.values.begin()) / block;
    }
    for (std::size_t i = 0; i < block; ++i) {
      std::string name = q.name;
      if (!q.components.empty()) name += ' ' + q.components[i];
      page.row(fmt::format("{} [{}]", name, q.unit), fmt::format("{:.6g}", q.values[item * block + i]),
               q.items.empty() ? "" : "largest: " + q.items[item]);
    }
  }
}

void write_error_bars(Page& page, const ErrorBars& found) {
  if (found.companion.empty()) return;
  page.title("Error bars");
  page.row("Companion run", fmt::format("{:.3f} s", found.seconds), found.companion);
  if (!found.missing.empty()) return page.row("", "none", found.missing);
  for (const ErrorBar& bar : found.bars) {
    if (!(bar.largest > 0.0)) continue;  // what is nothing in both runs
    page.row(fmt::format("{} [{}]", bar.quantity, bar.unit), fmt::format("{:.1e}", bar.at_end),
             fmt::format("at the end; at most {:.1e} at t = {:.6g} s, {}", bar.largest, bar.t, bar.column));
  }
}

void write_digits(Page& page, const Digits& found) {
  if (found.asked == 0) return;
  page.title("Digits");
  page.row("Asked for", fmt::format("{}", found.asked), found.setting);
  page.row("Reached", fmt::format("{:.1f}", found.reached),
           found.quantity.empty() ? found.missing
                                  : fmt::format("fewest: {}, off by at most {:.1e} of {:.3g} {}",
                                                found.quantity, found.bar, found.size, found.unit));
  for (const std::string& tried : found.tried) page.row("", "tried", tried);
}

}  // namespace

std::string to_text(const Report& report) {
  Page page;
  write_head(page, report);
  if (report.error.empty()) {
    write_counts(page, report);
    write_times(page, report);
    write_accuracy(page, report);
    write_quantities(page, report);
    write_digits(page, report.digits);
    write_error_bars(page, report.error_bars);
  }
  for (std::size_t k = 0; k < report.files.size(); ++k)
    page.line("{}{:<20}{}", k == 0 ? "\n" : "", k == 0 ? "Written" : "", report.files[k]);
  page.line("\n{:<20}{}", "Termination", termination(report));
  return page.take();
}

}  // namespace catena
