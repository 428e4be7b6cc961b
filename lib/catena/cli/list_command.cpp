#include <catena/cli/list_command.hpp>
#include <catena/cli/options.hpp>
#include <catena/cli/usage_error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ostream>
#include <utility>

namespace catena {
namespace {

using Cells = std::vector<std::string>;

// Columns as wide as their widest cell, the last one open.
void write_table(std::ostream& out, const std::vector<Cells>& rows) {
  std::vector<std::size_t> width;
  for (const Cells& cells : rows) {
    width.resize(std::max(width.size(), cells.size()));
    for (std::size_t k = 0; k < cells.size(); ++k) width[k] = std::max(width[k], cells[k].size());
  }
  for (const Cells& cells : rows) {
    std::string line = "  ";
    for (std::size_t k = 0; k < cells.size(); ++k)
      line += k + 1 == cells.size() ? cells[k] : fmt::format("{:<{}}  ", cells[k], width[k]);
    while (!line.empty() && line.back() == ' ') line.pop_back();
    out << line << '\n';
  }
}

void write_rows(std::ostream& out, const char* title, const std::vector<OptionRow>& listed) {
  std::vector<Cells> rows{{title, "default", "unit", "range", "meaning"}};
  for (const OptionRow& row : listed)
    rows.push_back({row.value.name, to_text(row.value), row.value.unit, row.range, row.meaning});
  if (rows.size() > 1) write_table(out, rows);
}

void write_options(std::ostream& out, const Visitable& options) {
  write_rows(out, "option", option_rows(options));
}

void list_problems(const Catalog& catalog, std::ostream& out) {
  for (const ProblemEntry& entry : catalog.problems()) {
    const std::unique_ptr<Problem> problem = entry.make();
    const ProblemDefaults defaults = problem->defaults();
    out << entry.name << ": " << problem->summary() << '\n';
    out << fmt::format("  runs with {}, step {} s, to t = {} s\n", defaults.stepper, defaults.step,
                       defaults.end);
    write_options(out, [&](OptionVisitor& v) { problem->visit(v); });
    for (const Invariant& kept : problem->invariants())
      out << fmt::format("  keeps {} = {:.10g} {}: {}\n", kept.name, kept.value, kept.unit, kept.reason);
    const std::vector<Reference> known = problem->references();
    if (!known.empty())
      out << fmt::format("  reference digits: {} values, {}\n", known.size(), known.front().source);
    out << '\n';
  }
}

// One row a stepper, of what its traits promise.
Cells promises(const std::string& name, const Traits& t) {
  const auto yes = [](bool b) { return std::string(b ? "yes" : "-"); };
  std::string vanish;
  for (const auto& [does, letter] :
       {std::pair{t.position_residual, 'p'}, {t.velocity_residual, 'v'}, {t.acceleration_residual, 'a'}})
    if (does) vanish += vanish.empty() ? std::string(1, letter) : std::string{' ', letter};
  return {name,
          std::to_string(t.order_q),
          std::to_string(t.order_v),
          std::to_string(t.order_lambda),
          vanish.empty() ? "-" : vanish,
          yes(t.symmetric),
          yes(t.reversible),
          yes(t.symplectic),
          yes(t.variable_step),
          yes(t.chooses_step),
          yes(t.copyable_memory),
          yes(t.velocity_constraints),
          t.coordinates == Coordinates::lagrangian ? "lagrangian" : "any"};
}

const char* const legend =
    "  order: of q, v and the multipliers. residuals: of the rows that vanish at every step, p position, v "
    "velocity,\n"
    "  a acceleration. variable: h may change without loss of order. control: chooses h by its error. copy: "
    "a copy of\n"
    "  the state continues the run. velocity rows: takes rows at velocity level. coordinates: any (bodies "
    "in\n"
    "  R^3 x SO(3)), or plain ones with a Lagrangian (bodies in seven: position and unit quaternion).\n"
    "  All with default options; other options may promise something else.\n";

void list_steppers(const Catalog& catalog, std::ostream& out) {
  std::vector<Cells> rows{{"stepper", "order q", "v", "lambda", "residuals", "symmetric", "reversible",
                           "symplectic", "variable", "control", "copy", "velocity rows", "coordinates"}};
  for (const StepperEntry& entry : catalog.steppers())
    rows.push_back(promises(entry.name, entry.setup()->make({}, {})->traits()));
  write_table(out, rows);
  out << legend << '\n';
  for (const StepperEntry& entry : catalog.steppers()) {
    const std::unique_ptr<StepperSetup> setup = entry.setup();
    out << entry.name << ": " << setup->make({}, {})->traits().summary << '\n';
    write_options(out, [&](OptionVisitor& v) { setup->visit(v); });
    out << '\n';
  }
}

void list_backends(const Catalog& catalog, std::ostream& out) {
  std::vector<Cells> rows{{"back end", "LDL^T", "LDU", "pivots", "meaning"}};
  const auto yes = [](bool b) { return std::string(b ? "yes" : "no"); };
  for (const CatalogBackend& b : catalog.backends())
    rows.push_back({b.name, yes(b.ldlt), yes(b.ldu), yes(b.pivoting), b.summary});
  write_table(out, rows);
  out << "The first is the default.\n";
}

void list_elements(const std::vector<CatalogElement>& elements, std::ostream& out) {
  for (const CatalogElement& e : elements) {
    out << e.name << ": " << e.summary
        << fmt::format("\n  {} {}", e.bodies, e.bodies == 1 ? "body" : "bodies");
    if (e.rows > 0)
      out << fmt::format(", {} {} row{}", e.rows, e.level == Level::position ? "position" : "velocity",
                         e.rows == 1 ? "" : "s");
    out << '\n';
    write_rows(out, "member", e.members);
    out << '\n';
  }
}

}  // namespace

const std::vector<std::string>& list_subjects() {
  static const std::vector<std::string> subjects{"problems", "steppers", "backends", "constraints", "forces"};
  return subjects;
}

void list_command(const std::string& subject, const Catalog& catalog, std::ostream& out) {
  if (subject == "problems") return list_problems(catalog, out);
  if (subject == "steppers") return list_steppers(catalog, out);
  if (subject == "backends") return list_backends(catalog, out);
  if (subject == "constraints") return list_elements(catalog.constraints(), out);
  if (subject == "forces") return list_elements(catalog.forces(), out);
  throw UsageError(unknown_name("listing", subject, list_subjects()));
}

}  // namespace catena
