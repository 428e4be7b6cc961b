#include <catena/cli/list_command.hpp>
#include <catena/cli/list_meanings.hpp>
#include <catena/cli/list_model_file.hpp>
#include <catena/experiment/options.hpp>
#include <catena/experiment/usage_error.hpp>

#include <fmt/format.h>

#include <utility>

namespace catena {
namespace {

using Cells = Listing::Cells;

void write_rows(Listing& listing, const char* title, const std::vector<OptionRow>& listed) {
  std::vector<Cells> rows{{title, "default", "unit", "range", "meaning"}};
  for (const OptionRow& row : listed)
    rows.push_back({row.value.name, to_text(row.value), row.value.unit, row.range, row.meaning});
  if (rows.size() > 1) listing.table(rows);
}

void write_options(Listing& listing, const Visitable& options) {
  write_rows(listing, "option", option_rows(options));
}

void list_problems(const Catalog& catalog, Listing& listing) {
  listing.page("Problems",
               "`catena run NAME --set OPTION=VALUE` runs one. [Add a problem](../howto/add_a_problem.md) of "
               "your own.");
  for (const ProblemEntry& entry : catalog.problems()) {
    const std::unique_ptr<Problem> problem = entry.make();
    const ProblemDefaults defaults = problem->defaults();
    listing.entry(entry.name, problem->summary());
    listing.remark(
        fmt::format("runs with {}, step {} s, to t = {} s", defaults.stepper, defaults.step, defaults.end));
    if (!listing.options_last()) write_options(listing, [&](OptionVisitor& v) { problem->visit(v); });
    for (const Invariant& kept : problem->invariants())
      listing.remark(fmt::format("keeps {} = {:.10g} {}: {}", kept.name, kept.value, kept.unit, kept.reason));
    const std::vector<Reference> known = problem->references();
    if (!known.empty())
      listing.remark(fmt::format("reference digits: {} values, {}", known.size(), known.front().source));
    if (listing.options_last()) write_options(listing, [&](OptionVisitor& v) { problem->visit(v); });
    listing.end_entry();
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
    "order: of q, v and the multipliers. residuals: of the rows that vanish at every step, p position, v "
    "velocity, a acceleration. variable: h may change without loss of order. control: chooses h by its "
    "error. "
    "copy: a copy of the state continues the run. velocity rows: takes rows at velocity level. coordinates: "
    "any "
    "(bodies in R^3 x SO(3)), or plain ones with a Lagrangian (bodies in seven: position and unit "
    "quaternion). "
    "All with default options; other options may promise something else.";

void list_steppers(const Catalog& catalog, Listing& listing) {
  listing.page(
      "Steppers",
      "`catena run PROBLEM --stepper NAME --option OPTION=VALUE` takes one. "
      "[Choose a stepper](../howto/choose_a_stepper.md) compares them. The table is what they promise, and "
      "the audit holds them to it ([Add a stepper](../howto/add_a_stepper.md)).");
  std::vector<Cells> rows{{"stepper", "order q", "v", "lambda", "residuals", "symmetric", "reversible",
                           "symplectic", "variable", "control", "copy", "velocity rows", "coordinates"}};
  for (const StepperEntry& entry : catalog.steppers())
    rows.push_back(promises(entry.name, entry.setup()->make({}, {})->traits()));
  listing.table(rows);
  listing.paragraph(legend);
  for (const LeftOutStepper& stepper : catalog.left_out())
    listing.paragraph("Not here: " + stepper.reason + ".");
  listing.end_entry();
  for (const StepperEntry& entry : catalog.steppers()) {
    const std::unique_ptr<StepperSetup> setup = entry.setup();
    listing.entry(entry.name, setup->make({}, {})->traits().summary);
    write_options(listing, [&](OptionVisitor& v) { setup->visit(v); });
    listing.end_entry();
  }
}

void list_backends(const Catalog& catalog, Listing& listing) {
  listing.page("Linear solvers",
               "`catena run PROBLEM --backend NAME` takes one; [the KKT layer](../theory/kkt.md) says what "
               "they solve.");
  std::vector<Cells> rows{{"back end", "LDL^T", "LDU", "pivots", "meaning"}};
  const auto yes = [](bool b) { return std::string(b ? "yes" : "no"); };
  for (const CatalogBackend& b : catalog.backends())
    rows.push_back({b.name, yes(b.ldlt), yes(b.ldu), yes(b.pivoting), b.summary});
  listing.table(rows);
  listing.paragraph("The first is the default.");
}

void list_elements(const std::vector<CatalogElement>& elements, Listing& listing) {
  for (const CatalogElement& e : elements) {
    listing.entry(e.name, e.summary);
    std::string sizes = fmt::format("{} {}", e.bodies, e.bodies == 1 ? "body" : "bodies");
    if (e.rows > 0)
      sizes += fmt::format(", {} {} row{}", e.rows, e.level == Level::position ? "position" : "velocity",
                           e.rows == 1 ? "" : "s");
    listing.remark(sizes);
    write_rows(listing, "member", e.members);
    listing.end_entry();
  }
}

const char* const element_signs =
    " Frames and signs are those of the [conventions](conventions.md). "
    "[A joint of your own](../tutorial/2_own_joint.md) is a small struct.";

}  // namespace

const std::vector<std::string>& list_subjects() {
  static const std::vector<std::string> subjects{"problems", "steppers", "backends", "constraints", "forces",
                                                 "options",  "statuses", "licences", "model_file"};
  return subjects;
}

void list_command(const std::string& subject, const Catalog& catalog, Listing& listing) {
  if (subject == "problems") return list_problems(catalog, listing);
  if (subject == "steppers") return list_steppers(catalog, listing);
  if (subject == "backends") return list_backends(catalog, listing);
  if (subject == "statuses") return list_statuses(listing);
  if (subject == "licences") return list_licences(listing);
  if (subject == "model_file") return list_model_file(catalog, listing);
  if (subject == "constraints") {
    listing.page("Constraints", std::string("Joints and other rows between bodies.") + element_signs);
    return list_elements(catalog.constraints(), listing);
  }
  if (subject == "forces") {
    listing.page("Forces", std::string("Forces and torques; gravity belongs to the model.") + element_signs);
    return list_elements(catalog.forces(), listing);
  }
  throw UsageError(unknown_name("listing", subject, list_subjects()));
}

}  // namespace catena
