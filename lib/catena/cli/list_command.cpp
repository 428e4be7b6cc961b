#include <catena/cli/detail/grammar.hpp>
#include <catena/cli/detail/list_command.hpp>
#include <catena/cli/detail/stepper_choices.hpp>
#include <catena/experiment/parts/options.hpp>
#include <catena/experiment/parts/usage_error.hpp>
#include <catena/io/detail/number_with_unit.hpp>
#include <catena/io/detail/run_section.hpp>

#include <CLI/App.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace catena::detail {
namespace {

using Cells = Listing::Cells;

const char* const introduction =
    "`catena run chain.yaml` runs a model from a file, `catena check` looks it over, `catena write` writes "
    "one. [Write a "
    "model file](../howto/write_a_model_file.md) shows the whole; this page lists every key. Files are YAML "
    "in UTF-8, one "
    "document, without tags. Numbers are plain, or have a unit that measures the same as the unit of their "
    "key: `2 deg`, "
    "`9.81 m/s^2`, `12 kg`; or they name one of the `parameters` of the file, with a sign or a factor: "
    "`$k`, `-$k`, `2*$k`. There are no other expressions. Mistakes are reported together, with line and "
    "column; those of sections that refer to others (drives, forces on joints, initial coordinates, what is "
    "recorded) once the "
    "others are right.";

void table(Listing& listing, const std::vector<KeyInfo>& keys) {
  std::vector<Cells> rows{{"key", "form", "unit", "default", "meaning"}};
  for (const KeyInfo& k : keys) rows.push_back({k.key, k.form, k.unit, k.standard, k.meaning});
  listing.table(rows);
}

void members(Listing& listing, const std::vector<OptionRow>& of_type) {
  std::vector<Cells> rows{{"key", "default", "unit", "range", "meaning"}};
  for (const OptionRow& m : of_type) {
    const bool required = std::string(m.value.name) == "bodies" || std::string(m.value.name) == "joint";
    rows.push_back(
        {m.value.name, required ? "required" : to_text(m.value), m.value.unit, m.range, m.meaning});
  }
  listing.table(rows);
}

void members(Listing& listing, const std::vector<CatalogElement>& elements) {
  for (const CatalogElement& e : elements) {
    if (e.members.empty()) continue;
    listing.paragraph("type: " + e.name + ", " + e.summary + ".");
    members(listing, e.members);
  }
}

void functions(Listing& listing) {
  for (const Function::Kind& kind : Function::kinds()) {
    listing.paragraph(std::string("type: ") + kind.name + ", " + kind.summary + ".");
    std::vector<OptionRow> rows = function_rows(kind.name);
    if (std::string(kind.name) == "table") {
      rows.push_back(
          {{"file", "", std::string()},
           "of the points, from the folder of this file, in place of x and y; columns are separated "
           "by semicolons, else commas, else tabs where the first line has names with one tab between, "
           "else blanks and tabs",
           "any text"});
      rows.push_back(
          {{"columns", "", std::string("1, 2")},
           "of the file: numbers from 1, or names in its first line, where units may be: angle [deg]",
           "two"});
    }
    members(listing, rows);
  }
}

}  // namespace

void list_model_file(const Catalog& catalog, Listing& listing) {
  listing.page("Model files", introduction);
  for (const KeyTable& t : model_file_tables()) {
    listing.entry(t.title, t.about);
    table(listing, t.keys);
    listing.end_entry();
  }
  listing.entry(
      "Joints",
      "Items of joints and elements. bodies are names of bodies, or ground; one alone needs no list. A joint "
      "with "
      "point_a and point_b of which the points meet can be given by one place in the world instead, where "
      "the bodies "
      "are at first: at: [x, y, z] in place of its points, axis: and side: in place of its axes and sides. "
      "An "
      "axis is three numbers or its letter: x, y, z, -x, -y, -z.");
  members(listing, catalog.constraints());
  listing.end_entry();
  listing.entry(
      "Forces",
      "Items of forces and elements. One with axis_a and axis_b can be given by one place in the world, as a "
      "joint.");
  members(listing, catalog.forces());
  listing.end_entry();
  listing.entry(
      "Functions",
      "What drives follow and forces depend on: a number, or a map with these keys. Their argument is the "
      "time, in the members spring and damper a coordinate and its rate.");
  functions(listing);
  listing.end_entry();
  listing.entry(
      "Run",
      "How to run the model. What the command line says counts more. sweep, compare and scale pass over "
      "output, format, interval and checkpoint: their runs have no folders of their own.");
  table(listing, run_section_keys());
  listing.end_entry();
  listing.entry("Units",
                "Products and quotients of these, with powers: N s/m, kg m^2, m/s^2, g/cm^3 or g/cm3, in "
                "superscripts too. A slash divides by the one behind it; angles are no pure numbers.");
  std::vector<Cells> rows{{"unit", "is"}};
  for (const UnitName& u : unit_names()) rows.push_back({u.name, u.meaning});
  listing.table(rows);
  listing.end_entry();
}

void list_options(const CLI::App& app, Listing& listing) {
  listing.page("Options of the command line",
               "Commands and their options, as `catena COMMAND --help` lists them. [The command "
               "line](command_line.md) "
               "explains them.");
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    listing.entry(app.get_name() + " " + command->get_name(), command->get_description());
    std::vector<Listing::Cells> rows{{"argument", "meaning"}};
    for (const CLI::Option* option : command->get_options()) {
      std::string meaning = option->get_description();
      if (names_of(*option) == "-h,--help") continue;
      std::replace(meaning.begin(), meaning.end(), '\n', ' ');
      rows.push_back({usage_of(*option), meaning});
    }
    if (rows.size() > 1) listing.table(rows);
    listing.end_entry();
  }
}

namespace {

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
    if (problem->seed() != nullptr) listing.remark("random: its numbers follow from --seed N");
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
          yes(t.reaction_forces),
          t.coordinates == Coordinates::lagrangian ? "lagrangian" : "any"};
}

const char* const legend =
    "order: of q, v and the multipliers. residuals: of the rows that vanish at every step, p position, v "
    "velocity, a acceleration. variable: h may change without loss of order. control: chooses h by its "
    "error. "
    "copy: a copy of the state continues the run. velocity rows: takes rows at velocity level. reaction "
    "forces: "
    "takes forces that depend on multipliers, such as joint_friction. coordinates: "
    "any "
    "(bodies in R^3 x SO(3)), or plain ones with a Lagrangian (bodies in seven: position and unit "
    "quaternion). "
    "All with default options; other options may promise something else.";

void list_choices(const Catalog& catalog, Listing& listing) {
  std::vector<std::string> there;
  for (const StepperEntry& entry : catalog.steppers()) there.push_back(entry.name);
  listing.entry("Which one to take",
                "in short; docs/theory/method_comparison.md has the measurements and the reasons");
  for (const StepperChoice& choice : stepper_choices())
    if (const std::string steppers = text_of(choice, there); !steppers.empty())
      listing.remark(fmt::format("{}: {}", choice.problem, steppers));
  listing.end_entry();
}

void list_steppers(const Catalog& catalog, Listing& listing) {
  listing.page(
      "Steppers",
      "`catena run PROBLEM --stepper NAME --option OPTION=VALUE` takes one. "
      "[Choose a stepper](../howto/choose_a_stepper.md) compares them. The table is what they promise, and "
      "the audit holds them to it ([Add a stepper](../howto/add_a_stepper.md)).");
  std::vector<Cells> rows{{"stepper", "order q", "v", "lambda", "residuals", "symmetric", "reversible",
                           "symplectic", "variable", "control", "copy", "velocity rows", "reaction forces",
                           "coordinates"}};
  for (const StepperEntry& entry : catalog.steppers())
    rows.push_back(promises(entry.name, entry.setup()->make({}, {})->traits()));
  listing.table(rows);
  listing.paragraph(legend);
  for (const LeftOutStepper& stepper : catalog.left_out())
    listing.paragraph("Not here: " + stepper.reason + ".");
  listing.end_entry();
  list_choices(catalog, listing);
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

void list_quantities(const Catalog& catalog, Listing& listing) {
  listing.page(
      "Quantities",
      "What can be measured of a run. `catena run --record NAME,NAME:ITEM` chooses; a group, as `energy`, is "
      "all of its members. [Results](results.md) lists how files hold them, and [Run a "
      "sweep](../howto/run_a_sweep.md) adds one.");
  std::vector<Cells> rows{{"quantity", "unit", "frame", "shape", "of", "standard", "meaning"}};
  for (const Quantity& q : catalog.quantities().all())
    rows.push_back({q.name, q.unit, q.frame.empty() ? "-" : q.frame, q.shape().empty() ? "1" : q.shape(),
                    describe(q.needs), q.standard ? "yes" : "no", q.meaning});
  listing.table(rows);
  listing.paragraph("standard: recorded where nothing is chosen.");
  listing.end_entry();
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
  static const std::vector<std::string> subjects{"problems", "steppers",   "backends", "constraints",
                                                 "forces",   "quantities", "options",  "statuses",
                                                 "licences", "model_file"};
  return subjects;
}

void list_command(const std::string& subject, const Catalog& catalog, Listing& listing) {
  if (subject == "problems") return list_problems(catalog, listing);
  if (subject == "steppers") return list_steppers(catalog, listing);
  if (subject == "backends") return list_backends(catalog, listing);
  if (subject == "quantities") return list_quantities(catalog, listing);
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

}  // namespace catena::detail
