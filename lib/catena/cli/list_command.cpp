#include <catena/cli/list_command.hpp>
#include <catena/cli/options.hpp>
#include <catena/cli/usage_error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ostream>

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

std::string promises(const Traits& t) {
  std::string text = fmt::format("order: q {}, v {}, multipliers {}", t.order_q, t.order_v, t.order_lambda);
  struct Word {
    bool yes;
    const char* word;
  };
  const auto add = [&](const char* title, std::initializer_list<Word> words) {
    std::string list;
    for (const Word& w : words)
      if (w.yes) list += std::string(list.empty() ? "" : ", ") + w.word;
    if (!list.empty()) text += fmt::format("\n  {}: {}", title, list);
  };
  add("residuals that vanish", {{t.position_residual, "position"},
                                {t.velocity_residual, "velocity"},
                                {t.acceleration_residual, "acceleration"}});
  add("properties", {{t.symmetric, "symmetric"},
                     {t.reversible, "reversible"},
                     {t.symplectic, "symplectic"},
                     {t.variable_step, "variable step"},
                     {t.batchable, "batchable"},
                     {t.velocity_constraints, "takes velocity constraints"},
                     {t.copyable_memory, "a copy of the state continues the run"}});
  text += t.coordinates == Coordinates::lagrangian ? "\n  works on: plain coordinates with a Lagrangian "
                                                     "(bodies in seven: position and unit quaternion)"
                                                   : "\n  works on: any system (bodies in R^3 x SO(3))";
  return text;
}

void list_steppers(const Catalog& catalog, std::ostream& out) {
  for (const StepperEntry& entry : catalog.steppers()) {
    const std::unique_ptr<StepperSetup> setup = entry.setup();
    const std::unique_ptr<Stepper> stepper = setup->make({}, {});
    const Traits traits = stepper->traits();
    out << entry.name << ": " << traits.summary << "\n  " << promises(traits) << '\n';
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
