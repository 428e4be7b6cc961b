#include <catena/experiment/catalog.hpp>
#include <catena/experiment/detail/number.hpp>
#include <catena/experiment/experiment.hpp>
#include <catena/experiment/parts/opened_problem.hpp>
#include <catena/measure/detail/verdict.hpp>
#include <catena/output/detail/result_size.hpp>
#include <catena/output/detail/version.hpp>
#include <catena/study/detail/sweep_identity.hpp>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <new>
#include <set>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace catena::detail {
namespace {

std::string titled(const std::string& name, const std::string& unit) {
  return unit.empty() || unit == "1" ? name : name + " [" + unit + "]";
}

// The key of the row; of one that is refused, that of `other`, because a refusal does not know the text of the file.
std::string key_of(const SweepRows& rows, std::size_t row, std::size_t other, const Catalog& catalog) {
  const Scenario scenario = rows.scenario(row);
  try {
    Experiment experiment(scenario, {.file_says_output = false}, catalog);
    experiment.check();
    return experiment.key();
  } catch (const std::bad_alloc&) {  // with more memory there is another key
    throw;
  } catch (const std::exception& error) {
    return row == other ? refused_key(scenario, error.what()) : key_of(rows, other, other, catalog);
  }
}

// Whether an axis over it has rows whose files a row of another value does not know: a problem, or the name of a file that
// is there, beside the model or in the folder of the program.
bool names_file(const Variable& variable, const std::string& value, const Sweep& sweep) {
  if (variable.key == "problem") return true;
  if (variable.range || parse_real(value)) return false;  // of a million values each look-up of a file counts
  std::error_code none;
  const std::filesystem::path beside = std::filesystem::path(sweep.base.problem).parent_path() / value;
  return std::filesystem::is_regular_file(beside, none) || std::filesystem::is_regular_file(value, none);
}

// One key for each model and each file: rows of different ones are different rows, and shards may have seen different ones.
void add_keys(const SweepRows& rows, const Catalog& catalog, SweepIdentity& identity) {
  const std::size_t last = rows.count() - 1;
  std::size_t apart = rows.samples();  // rows, of neighbouring values of an axis
  const std::vector<Axis>& axes = rows.sweep().axes;
  bool of_problems = false;
  for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis) {
    for (const Variable& variable : *axis) {
      const bool of_problem = variable.key == "problem";
      of_problems = of_problems || of_problem;
      std::set<std::string> seen;
      const std::size_t values = variable.values.size();
      for (std::size_t k = 0; k < values; ++k)
        if (const std::string& value = variable.values[k];
            names_file(variable, value, rows.sweep()) && seen.insert(value).second)
          identity.entries.emplace_back(
              of_problem ? "the key of a row of " + value + ", that is the model or its file,"
                         : "the key of a row with " + variable.key + " = " + value + ", that is this file,",
              key_of(rows, k * apart, last - (values - 1 - k) * apart, catalog));
    }
    apart *= std::max<std::size_t>(1, axis->front().values.size());
  }
  if (!of_problems)
    identity.entries.emplace_back("the key of the first row, that is the model or its file,",
                                  key_of(rows, 0, last, catalog));
}

std::string outside_of(const Table& table, const std::vector<Reduction>& keep) {
  const bool instants = std::any_of(keep.begin(), keep.end(), [](const Reduction& reduction) {
    return reduction.kind == Reduction::Kind::instant;
  });
  if (!instants || table.rows() == 0) return {};
  const std::vector<double> t = table.column("time");
  return outside(keep, t.front(), t.back());
}

// Of a series as many instants as a run has that keeps nothing else, where there are more for the sake of other numbers.
std::vector<double> thinned(const std::vector<double>& series, bool every_step) {
  if (!every_step || series.size() < 2) return series;
  const auto stride = static_cast<std::size_t>(standard_every(static_cast<double>(series.size() - 1)));
  std::vector<double> some;
  for (std::size_t k = 0; k < series.size(); k += stride) some.push_back(series[k]);
  if ((series.size() - 1) % stride != 0) some.push_back(series.back());
  return some;
}

void add_kept(const SweepRows& rows, const Record& record, RowResult& result, std::string& missing) {
  const std::vector<Reduction>& keep = rows.sweep().keep;
  const Table& table = record.table;
  if (keep.empty()) {
    for (std::size_t k = 0; table.rows() > 0 && k < table.columns.size(); ++k)
      if (table.columns[k] != "time")
        result.numbers.emplace_back(titled("end " + table.columns[k], table.units[k]),
                                    table.at(table.rows() - 1, k));
    return;
  }
  for (const Reduction& reduction : keep) try {
      if (reduction.kind == Reduction::Kind::series) {
        if (result.series.empty())
          result.series.push_back({"time [s]", thinned(table.column("time"), rows.every_step())});
        result.series.push_back({titled(reduction.column, table.unit(reduction.column)),
                                 thinned(table.column(reduction.column), rows.every_step())});
        continue;
      }
      const ReducedNumber number = reduced(reduction, table);
      result.numbers.emplace_back(titled(to_text(reduction), number.unit), number.value);
    } catch (const std::invalid_argument& error) {
      missing += (missing.empty() ? "" : "\n") + to_text(reduction) + ": " + error.what();
    }
}

}  // namespace

const char* to_string(Sampling sampling) {
  switch (sampling) {
    case Sampling::random:
      return "random";
    case Sampling::latin_hypercube:
      return "latin";
    case Sampling::sobol:
      return "sobol";
    case Sampling::saltelli:
      return "saltelli";
  }
  return "unknown";
}

SweepIdentity identity_of(const SweepRows& rows, const Catalog& catalog) {
  const Sweep& sweep = rows.sweep();
  SweepIdentity identity;
  auto& entries = identity.entries;
  Scenario base = sweep.base;
  base.model = nullptr;  // the keys of rows know its numbers
  const std::string place = names_model_file(base.problem) ? std::exchange(base.problem, {}) : "";
  entries.emplace_back("the version of Catena", version());
  if (!place.empty()) entries.emplace_back(identity_names::place, place);
  entries.emplace_back("the scenario", to_json(base));
  for (const Axis& axis : sweep.axes) entries.emplace_back(identity_names::axis, to_text(axis));
  entries.emplace_back(identity_names::rows, std::to_string(rows.count()));
  identity.grows =
      rows.drawn() > 0 && rows.count() == rows.samples() && sweep.sampling != Sampling::latin_hypercube;
  if (rows.drawn() > 0) {
    entries.emplace_back(identity_names::sampling, to_string(sweep.sampling));
    entries.emplace_back("the seed of the samples", std::to_string(sweep.seed));
    entries.emplace_back(identity_names::drawn, std::to_string(rows.drawn()));
  }
  for (const Reduction& reduction : sweep.keep) entries.emplace_back("what is kept", to_text(reduction));
  add_keys(rows, catalog, identity);
  return identity;
}

RowResult result_of(std::size_t row, const SweepRows& rows, const Record& record, std::string& missing) {
  const Report& report = record.report;
  RowResult result{.row = row, .key = record.key, .values = rows.values(row)};
  if (!report.error.empty()) {
    result.status = "refused";
    result.error = report.error;
    result.t = std::numeric_limits<double>::quiet_NaN();
    return result;
  }
  result.status = to_string(report.run.status);
  result.verdict = verdict(report);
  result.t = report.run.t_end;
  result.steps = report.run.steps;
  result.seconds = report.seconds_build + report.run.seconds_total;
  if (!record.ok()) {  // what was measured until then is no result
    result.error = termination(report);
    result.culprit = report.run.culprit.name;
    if (record.lacks_memory()) {
      result.status = no_memory_status;
      result.error = report.run.message + ": the same command runs the row again";
    }
    return result;
  }
  result.error = outside_of(record.table, rows.sweep().keep);
  if (!result.error.empty()) {
    result.status = "refused";
    return result;
  }
  for (const NamedPeak& peak : named_peaks())
    result.numbers.emplace_back(titled(peak.name, peak.unit), (report.monitor.*peak.peak).value);
  add_kept(rows, record, result, missing);
  return result;
}

}  // namespace catena::detail
