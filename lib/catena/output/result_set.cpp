#include <catena/driver/run.hpp>
#include <catena/output/detail/csv_sink.hpp>
#include <catena/output/detail/hdf5_sink.hpp>
#include <catena/output/detail/result_set.hpp>
#include <catena/output/detail/vtk_sink.hpp>

#include <algorithm>
#include <cassert>
#include <utility>

namespace catena::detail {
namespace {

const std::vector<std::string> formats = {"csv", "scalars", "hdf5", "vtk"};

std::vector<std::string> chosen(const std::string& text) {
  std::vector<std::string> names(1);
  for (const char c : text) {
    if (c == ',')
      names.emplace_back();
    else if (c != ' ')
      names.back() += c;
  }
  return names;
}

// Instants may be far apart; after every step the tables are shown in time.
class CsvClock : public Observer {
 public:
  explicit CsvClock(CsvSink& sink) : sink_(sink) {}
  bool observe(const State&) override {
    sink_.show_in_time();
    return true;
  }

 private:
  CsvSink& sink_;
};

template <class S>
std::function<std::vector<std::filesystem::path>()> files_of(const S& sink) {
  return [&sink] { return sink.files(); };
}

}  // namespace

std::string default_format(const System& system) {
  if (!has_hdf5()) return "csv";
  return system.body_names().size() > csv_bodies ? "scalars,hdf5" : "csv,hdf5";
}

std::vector<std::string> chosen_formats(const ResultsOptions& options, const System& system) {
  return chosen(options.format.empty() ? default_format(system) : options.format);
}

void visit(OptionVisitor& visitor, ResultsOptions& o) {
  visitor.text(
      {"format", "",
       "of the results: csv, scalars (of csv what does not grow with the bodies), hdf5, vtk, or several with "
       "commas between"},
      o.format);
  visitor.real(
      {"interval", "s",
       "an instant is in results.h5 so long after it at the latest, on the wall's clock; a killed run loses "
       "no more than that",
       0.01, 3600.0},
      o.interval);
}

std::string results_defect(const ResultsOptions& options) {
  if (options.format.empty()) return {};
  std::vector<std::string> seen;
  for (const std::string& name : chosen(options.format)) {
    if (std::find(formats.begin(), formats.end(), name) == formats.end())
      return "there is no format \"" + name + "\": csv, scalars, hdf5, vtk";
    if (std::find(seen.begin(), seen.end(), name) != seen.end())
      return "the format \"" + name + "\" is given twice";
    if (name == "hdf5" && !has_hdf5())
      return "the format \"hdf5\" was left out when this Catena was built: install libhdf5-dev and configure "
             "it again";
    seen.push_back(name);
  }
  if (std::count(seen.begin(), seen.end(), "csv") + std::count(seen.begin(), seen.end(), "scalars") > 1)
    return "scalars is a part of csv: leave one of them out";
  return {};
}

std::string results_defect(const ResultsOptions& options, const System& system) {
  const std::vector<std::string> names = chosen(options.format);
  if (std::find(names.begin(), names.end(), "vtk") != names.end() &&
      system.bodies(system.initial_state()).empty())
    return "the format \"vtk\" shows bodies, and this system has coordinates alone: choose csv or hdf5";
  return {};
}

std::string record_defect(const std::string& record, const QuantityCatalog& quantities) {
  try {
    select(quantities, record);
  } catch (const SelectionError& error) {
    return error.what();
  }
  return {};
}

std::string record_defect(const std::string& record, const QuantityCatalog& quantities, const System& system,
                          const MeasureSources& sources) {
  try {
    const Measurements probe(system, select(quantities, record), sources);
  } catch (const SelectionError& error) {
    return error.what();
  }
  return {};
}

std::vector<std::string> names_of_results(const std::string& format) {
  std::vector<std::string> names = Hdf5Sink::names();
  const auto add = [&](std::vector<std::string> more) {
    for (std::string& name : more) names.push_back(std::move(name));
  };
  add(CsvSink::names());
  add(VtkSink::names());
  const std::vector<std::string> formats_of_run = chosen(format);
  if (std::find(formats_of_run.begin(), formats_of_run.end(), "vtk") != formats_of_run.end())
    add(VtkSink::names_of_frames());
  return names;
}

ResultSet::ResultSet(const std::filesystem::path& folder, const ResultsOptions& options,
                     const ResultsContext& context) {
  assert(results_defect(options).empty());
  const System& system = *context.system;
  if (context.stepper != nullptr) steps_ = std::make_unique<StepCounter>(*context.stepper);
  recording_ = {select(context.quantities != nullptr ? *context.quantities : builtin_quantities(),
                       options.record, context.multipliers),
                {context.points, steps_.get(), context.monitor, context.integrals, context.redundancy,
                 context.reactions, context.multipliers},
                options.precision};
  for (const std::string& name : chosen_formats(options, system)) {
    if (name == "csv" || name == "scalars") {
      auto sink = std::make_unique<CsvSink>(
          folder, recording_, name == "csv" ? CsvTables::all : CsvTables::scalars, options.interval);
      clock_ = std::make_unique<CsvClock>(*sink);
      auto files = files_of(*sink);
      parts_.push_back({std::move(sink), std::move(files)});
    } else if (name == "vtk") {
      auto sink = std::make_unique<VtkSink>(folder, recording_);
      auto files = files_of(*sink);
      parts_.push_back({std::move(sink), std::move(files)});
    } else {
      auto sink = std::make_unique<Hdf5Sink>(folder, context.manifest, recording_,
                                             Hdf5Options{options.interval, options.compress});
      auto files = files_of(*sink);
      parts_.push_back({std::move(sink), std::move(files)});
    }
  }
}

ResultSet::~ResultSet() = default;

void ResultSet::attach_to(Listeners& listeners) {
  if (steps_) listeners.observers.push_back(steps_.get());
  if (clock_) listeners.observers.push_back(clock_.get());
  for (const Part& part : parts_) listeners.sinks.push_back(part.sink.get());
}

std::vector<std::filesystem::path> ResultSet::files() const {
  std::vector<std::filesystem::path> all;
  for (const Part& part : parts_)
    for (std::filesystem::path& file : part.files()) all.push_back(std::move(file));
  return all;
}

}  // namespace catena::detail
