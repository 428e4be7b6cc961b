#include <catena/cli/detail/compare_text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>

namespace catena::detail {
namespace {

struct ComparisonTable {
  std::string title;
  std::vector<std::string> columns = {};
  std::vector<std::vector<std::string>> rows = {};  // a row that ends early ends with a sentence
};

// In characters, of UTF-8.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string plain_text(const ComparisonTable& table) {
  std::vector<std::size_t> widths;
  for (const std::string& column : table.columns) widths.push_back(width_of(column));
  for (const std::vector<std::string>& row : table.rows)
    for (std::size_t k = 0; k < row.size(); ++k)
      if (k + 1 < row.size() || row.size() == widths.size())
        widths[k] = std::max(widths[k], width_of(row[k]));
  const auto line = [&](const std::vector<std::string>& cells) {
    std::string text;
    for (std::size_t k = 0; k < cells.size(); ++k) {
      text += "  " + cells[k];
      if (k + 1 < cells.size()) text += std::string(widths[k] - width_of(cells[k]), ' ');
    }
    return text + '\n';
  };
  std::string text = table.title + '\n' + line(table.columns);
  for (const std::vector<std::string>& row : table.rows) text += line(row);
  return text + '\n';
}

std::string markdown_text(const ComparisonTable& table) {
  const auto line = [&](std::vector<std::string> cells) {
    cells.resize(table.columns.size());
    std::string text;
    for (const std::string& cell : cells) text += (cell.empty() ? "| " : "| " + cell + ' ');
    return text + "|\n";
  };
  std::string text = line(table.columns);
  for (std::size_t k = 0; k < table.columns.size(); ++k) text += "|---";
  text += "|\n";
  for (const std::vector<std::string>& row : table.rows) text += line(row);
  return text + '\n';
}

// "Simeon 2013, table 2": a year, before a semicolon. "computed for Catena; problem: Simeon 2013" has the problem from there
// alone.
bool names_publication(const std::string& source) {
  const std::string digits_of = source.substr(0, source.find(';'));
  constexpr std::size_t of_year = 4;
  std::size_t digits = 0;
  for (const char c : digits_of + ' ') {
    const bool digit = c >= '0' && c <= '9';
    if (!digit && digits == of_year) return true;
    digits = digit ? digits + 1 : 0;
  }
  return false;
}

std::string cell(double value) { return std::isfinite(value) ? fmt::format("{:.1e}", value) : "-"; }

// An error; where it is not above what the reference is known to, that.
std::string error_cell(double error, double estimate) {
  if (error <= estimate && estimate > 0.0) return '<' + cell(estimate);
  return cell(error);
}

std::string with_unit(const std::string& name, const std::string& unit) {
  return unit.empty() ? name : fmt::format("{} [{}]", name, unit);
}

std::vector<Part> parts_of(const ProblemComparison& p) {
  std::vector<Part> parts;
  for (const Part part : all_parts)
    if (!p.own || (part != Part::rotation && part != Part::angular_velocity)) parts.push_back(part);
  return parts;
}

class ComparisonWriter {
 public:
  ComparisonWriter(const ProblemComparison& comparison, const ComparisonText& wanted)
      : p_(comparison), wanted_(wanted), parts_(parts_of(comparison)) {}

  std::string operator()() const {
    std::string text;
    if (wants("errors")) text += head();
    if (wants("errors")) text += written(errors(false));
    if (wants("end")) text += written(errors(true));
    if (wants("tolerances")) text += of_tolerances();
    if (wants("kept")) text += written(kept());
    if (wants("work")) text += written(work());
    if (wants("orders") && !p_.orders.empty()) text += written(orders()) + without_order();
    return text;
  }

 private:
  bool wants(const std::string& table) const {
    return wanted_.tables.empty() || wanted_.tables.count(table) > 0;
  }
  std::string written(const ComparisonTable& table) const {
    return wanted_.markdown ? markdown_text(table) : plain_text(table);
  }

  std::string head() const {
    const std::string end = wanted_.markdown ? "\n\n" : "\n";
    const auto plural = [](std::size_t n) { return n == 1 ? "" : "s"; };
    std::string text = fmt::format("{} to t = {:g} s, compared at {} instant{}", p_.problem, p_.end,
                                   p_.instants.size(), plural(p_.instants.size()));
    for (const OptionValue& parameter : p_.parameters)
      text += fmt::format(", {} {}", parameter.name, to_text(parameter));
    text += end;
    const ReferenceMotion& reference = p_.reference;
    if (!reference.known) {
      text += "no reference: no method reached the end; errors are not known" + end;
    } else if (reference.method == "exact solution") {
      text += "reference: exact solution" + end;
    } else if (reference.checked.empty()) {
      text += fmt::format("reference: {}; {}{}", reference.method,
                          p_.interrupted ? "interrupted before a second method could check it"
                                         : "no second method reached the end to check it",
                          end);
    } else {
      text += fmt::format("reference: {}; {} differs from it by", reference.method, reference.checked);
      const char* before = " ";
      for (const Part part : parts_) {
        const double estimate = reference.estimate[part];
        if (!std::isfinite(estimate)) continue;
        text +=
            fmt::format("{}{} in {}", before, with_last_unit(cell(estimate), part), name_of(part, p_.own));
        before = ", ";
      }
      text += end;
    }
    if (std::isfinite(reference.published))
      text += fmt::format("{} digits ({}): the reference is within {:.1e} of them{}",
                          names_publication(reference.published_source) ? "published" : "known",
                          reference.published_source, reference.published, end);
    if (p_.kept_by_reference) {
      const auto axes = [](const std::vector<std::string>& names) {
        return names.empty() ? std::string("none") : fmt::format("{}", fmt::join(names, ", "));
      };
      text += fmt::format("momentum that the reference keeps to 1e-8: along {}, about {}{}", axes(p_.along),
                          axes(p_.about), end);
    }
    for (const std::string& why : reference.refused)
      if (!why.empty()) text += "not compared: " + why + end;
    for (const std::string& note : reference.notes) text += "not a reference: " + note + end;
    for (const std::string& why : p_.not_compared) text += "not compared: " + why + end;
    return text + (wanted_.markdown ? "" : "\n");
  }

  std::string with_last_unit(const std::string& number, Part part) const {
    const std::string unit = unit_of(part, p_.own);
    return unit.empty() ? number : number + ' ' + unit;
  }

  std::string title(const std::string& text) const { return p_.problem + ": " + text; }
  std::string stepper_cell(const ComparedStepper& stepper) const {
    if (!wanted_.markdown) return stepper.label();
    return fmt::format("`{}`{}", stepper.name, stepper.label().substr(stepper.name.size()));
  }
  static std::string setting(const ComparedRun& run) {
    if (run.setting == 0.0) return "-";
    if (run.controlled) return fmt::format("tol = {:g}", run.setting);
    const std::string asked = fmt::format("{:g}", run.setting), taken = fmt::format("{:g}", run.mean_step);
    const bool other = std::isfinite(run.mean_step) && taken != asked;
    return fmt::format("h = {} s{}", asked, other ? fmt::format(" (mean {} s)", taken) : "");
  }
  bool repeated() const {
    return std::any_of(p_.runs.begin(), p_.runs.end(),
                       [](const ComparedRun& r) { return r.seconds.size() > 1; });
  }
  std::vector<std::string> row_of(const ComparedRun& run) const {
    return {stepper_cell(run.stepper), setting(run)};
  }
  // The rest of a row of a run that did not get there; of a refusal its first reason.
  static std::string failed(const ComparedRun& run) {
    if (run.status != "refused") return run.status;
    std::string why = run.failure.substr(0, run.failure.find('\n'));
    if (const std::size_t colon = why.find("s: ");
        why.starts_with("unsupported at t = ") && colon != std::string::npos)
      why.erase(0, colon + 3);
    return "refused: " + why.substr(0, why.find(';'));
  }
  // Those that took the problem: a refusal is said once, in the table of errors.
  std::vector<const ComparedRun*> accepted() const {
    std::vector<const ComparedRun*> runs;
    for (const ComparedRun& run : p_.runs)
      if (run.status != "refused") runs.push_back(&run);
    return runs;
  }

  ComparisonTable errors(bool at_end) const {
    ComparisonTable table{title(at_end ? fmt::format("errors at t = {:g} s", p_.end)
                                       : "largest errors at these instants, and the time in stepping")};
    table.columns = {"stepper", "setting", "steps"};
    if (!at_end) table.columns.emplace_back("time [ms]");
    if (!at_end && repeated()) table.columns.insert(table.columns.end(), {"spread [%]", "undisturbed [ms]"});
    for (const Part part : parts_)
      table.columns.push_back(with_unit(name_of(part, p_.own), unit_of(part, p_.own)));
    const Errors& estimate = at_end ? p_.reference.estimate_at_end : p_.reference.estimate;
    for (const ComparedRun& run : p_.runs) {
      if (at_end && run.status == "refused") continue;
      std::vector<std::string> row = row_of(run);
      row.push_back(run.status == "refused" ? "-" : std::to_string(run.steps));
      if (!run.ok()) {
        row.push_back(failed(run));
      } else {
        if (!at_end) row.push_back(fmt::format("{:.3g}", 1e3 * run.fastest()));
        if (!at_end && repeated()) {
          row.push_back(fmt::format("{:.0f}", 1e2 * run.spread()));
          row.push_back(fmt::format("{:.3g}", 1e3 * run.undisturbed));
        }
        for (const Part part : parts_)
          row.push_back(error_cell((at_end ? run.at_end : run.largest)[part], estimate[part]));
      }
      table.rows.push_back(std::move(row));
    }
    for (const ForeignRun& run : p_.foreign) {
      std::vector<std::string> row{run.code, run.setting, run.steps > 0 ? std::to_string(run.steps) : "-"};
      if (!at_end) row.push_back(std::isfinite(run.seconds) ? fmt::format("{:.3g}", 1e3 * run.seconds) : "-");
      if (!at_end && repeated()) row.insert(row.end(), {"-", "-"});
      for (const Part part : parts_)
        row.push_back(error_cell((at_end ? run.at_end : run.largest)[part], estimate[part]));
      table.rows.push_back(std::move(row));
    }
    return table;
  }

  std::string of_tolerances() const {
    const ComparisonTable table = tolerances();
    if (!table.rows.empty()) return written(table);
    if (wanted_.tables.count("tolerances") == 0) return {};
    return title(
        "no errors over tolerances: they are those of methods that control their error, on bodies\n");
  }

  // What was achieved of what was asked for: a row a method, a column a tolerance.
  ComparisonTable tolerances() const {
    ComparisonTable table{title("largest errors of positions and rotations over what the tolerance allows")};
    std::vector<double> settings;
    for (const ComparedRun* run : accepted())
      if (run->controlled && std::find(settings.begin(), settings.end(), run->setting) == settings.end())
        settings.push_back(run->setting);
    table.columns = {"stepper"};
    for (const double setting : settings) table.columns.push_back(fmt::format("{:g}", setting));
    const std::vector<const ComparedRun*> runs = accepted();
    for (std::size_t k = 0; k < runs.size();) {
      std::vector<std::string> row(table.columns.size(), "-");
      row[0] = stepper_cell(runs[k]->stepper);
      bool any = false;
      const std::size_t first = k;
      for (; k < runs.size() && runs[k]->stepper == runs[first]->stepper; ++k) {
        const ComparedRun& run = *runs[k];
        if (!run.controlled) continue;
        const auto at = std::find(settings.begin(), settings.end(), run.setting) - settings.begin();
        const double known = in_tolerances(p_.reference.estimate, p_.reference.length, run.setting);
        std::string& cell = row[static_cast<std::size_t>(at) + 1];
        if (!run.ok())
          cell = run.status.substr(0, run.status.find(' '));
        else if (run.over_tolerance <= known)
          cell = fmt::format("<{:.2g}", known);
        else if (std::isfinite(run.over_tolerance))
          cell = fmt::format("{:.2g}", run.over_tolerance);
        any = any || cell != "-";
      }
      if (any) table.rows.push_back(std::move(row));
    }
    return table;
  }

  ComparisonTable kept() const {
    ComparisonTable table{
        title("what is kept: largest residuals, balance of energy and momentum, of all steps")};
    table.columns = {
        "stepper",   "setting", "gap [m, rad]", "its rate [m/s, rad/s]", "its rate's rate [m/s^2, rad/s^2]",
        "energy [J]"};
    if (!p_.about.empty())
      table.columns.push_back(fmt::format("momentum about {} [kg m^2/s]", fmt::join(p_.about, ", ")));
    if (!p_.along.empty())
      table.columns.push_back(fmt::format("momentum along {} [kg m/s]", fmt::join(p_.along, ", ")));
    for (const ComparedRun* accepted_run : accepted()) {
      const ComparedRun& run = *accepted_run;
      std::vector<std::string> row = row_of(run);
      if (run.ok()) {
        for (const double value : {run.position, run.velocity, run.acceleration, run.energy})
          row.push_back(cell(value));
        if (!p_.about.empty()) row.push_back(cell(run.angular_momentum));
        if (!p_.along.empty()) row.push_back(cell(run.linear_momentum));
      } else {
        row.push_back(failed(run));
      }
      table.rows.push_back(std::move(row));
    }
    return table;
  }

  ComparisonTable work() const {
    ComparisonTable table{title("work")};
    table.columns = {"stepper",        "setting",  "steps",       "repeated", "Newton a step",
                     "factorisations", "unknowns", "memory [kB]", "remarks"};
    for (const ComparedRun* accepted_run : accepted()) {
      const ComparedRun& run = *accepted_run;
      std::vector<std::string> row = row_of(run);
      if (run.ok()) {
        const double steps = static_cast<double>(std::max(1L, run.steps));
        row.push_back(std::to_string(run.steps));
        row.push_back(std::to_string(run.rejected));
        row.push_back(fmt::format("{:.2f}", static_cast<double>(run.newton_iterations) / steps));
        row.push_back(std::to_string(run.factorizations));
        row.push_back(std::to_string(run.unknowns));
        row.push_back(std::isfinite(run.heap) ? fmt::format("{:.0f}", 1e-3 * run.heap) : "-");
        row.push_back(run.remarks.empty() ? "-" : run.remarks);
      } else {
        row.push_back(failed(run));
      }
      table.rows.push_back(std::move(row));
    }
    return table;
  }

  ComparisonTable orders() const {
    ComparisonTable table{title("orders, with an interval of 95 %; promised ones in brackets")};
    table.columns = {"stepper", "over"};
    for (const Part part : parts_) table.columns.emplace_back(name_of(part, p_.own));
    for (const ComparedOrders& orders : p_.orders) {
      std::vector<std::string> row{stepper_cell(orders.stepper), orders.controlled ? "tolerance" : "step"};
      for (const Part part : parts_) {
        const auto k = static_cast<std::size_t>(part);
        const FittedOrder& f = orders.fitted[k];
        std::string text = f.known() ? fmt::format("{:.3f} ± {:.3f}", f.order, f.uncertainty) : "-";
        if (!orders.controlled && orders.promised[k] > 0) text += fmt::format(" ({})", orders.promised[k]);
        row.push_back(std::move(text));
      }
      table.rows.push_back(std::move(row));
    }
    return table;
  }

  // Why orders are missing in the table: a line for each stepper and reason.
  std::string without_order() const {
    std::string text;
    for (const ComparedOrders& orders : p_.orders) {
      std::map<std::string, std::string> parts;  // by reason
      for (const Part part : parts_) {
        const FittedOrder& f = orders.fitted[static_cast<std::size_t>(part)];
        if (f.known() || f.given == 0) continue;
        std::string& names = parts[f.why_none];
        names += (names.empty() ? "" : ", ") + std::string(name_of(part, p_.own));
      }
      for (const auto& [why, names] : parts)
        text += fmt::format("{}no order of {} by {}: {}\n", wanted_.markdown ? "* " : "  ", names,
                            stepper_cell(orders.stepper), why);
    }
    return text.empty() ? text : text + '\n';
  }

  const ProblemComparison& p_;
  const ComparisonText& wanted_;
  const std::vector<Part> parts_;
};

}  // namespace

const std::vector<std::string>& comparison_tables() {
  static const std::vector<std::string> names{"errors", "end", "tolerances", "kept", "work", "orders"};
  return names;
}

std::string to_text(const ProblemComparison& comparison, const ComparisonText& wanted) {
  return ComparisonWriter(comparison, wanted)();
}

}  // namespace catena::detail
