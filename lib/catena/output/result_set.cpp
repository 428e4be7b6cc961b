#include <catena/driver/run.hpp>
#include <catena/output/csv_sink.hpp>
#include <catena/output/hdf5_sink.hpp>
#include <catena/output/result_set.hpp>
#include <catena/output/vtk_sink.hpp>

#include <algorithm>
#include <cassert>
#include <utility>

namespace catena {
namespace {

const std::vector<std::string> formats = {"csv", "hdf5", "vtk"};

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

template <class S>
std::function<std::vector<std::filesystem::path>()> files_of(const S& sink) {
  return [&sink] { return sink.files(); };
}

}  // namespace

ResultsOptions default_results() {
  ResultsOptions options;
  if (!has_hdf5()) options.format = "csv";
  return options;
}

void visit(OptionVisitor& visitor, ResultsOptions& o) {
  visitor.text({"format", "",
                "of the results: csv, hdf5, vtk, or several with commas between; hdf5 alone is the quickest"},
               o.format);
  visitor.real(
      {"interval", "s",
       "an instant is in results.h5 so long after it at the latest, on the wall's clock; a killed run loses "
       "no more than that",
       0.01, 3600.0},
      o.interval);
}

std::string results_defect(const ResultsOptions& options) {
  std::vector<std::string> seen;
  for (const std::string& name : chosen(options.format)) {
    if (std::find(formats.begin(), formats.end(), name) == formats.end())
      return "there is no format \"" + name + "\": csv, hdf5, vtk";
    if (std::find(seen.begin(), seen.end(), name) != seen.end())
      return "the format \"" + name + "\" is given twice";
    if (name == "hdf5" && !has_hdf5())
      return "the format \"hdf5\" was left out when this Catena was built: install libhdf5-dev and configure "
             "it again";
    seen.push_back(name);
  }
  return {};
}

std::string results_defect(const ResultsOptions& options, const System& system) {
  const std::vector<std::string> names = chosen(options.format);
  if (std::find(names.begin(), names.end(), "vtk") != names.end() &&
      system.bodies(system.initial_state()).empty())
    return "the format \"vtk\" shows bodies, and this system has coordinates alone: choose csv or hdf5";
  return {};
}

ResultSet::ResultSet(std::filesystem::path folder, const ResultsOptions& options, ResultsContext context) {
  assert(results_defect(options).empty());
  const auto* bodies = dynamic_cast<const BodySystem*>(context.system);
  const Model* model = bodies == nullptr ? nullptr : &bodies->model();
  if (context.stepper != nullptr) steps_ = std::make_unique<StepCounter>(*context.stepper);
  for (const std::string& name : chosen(options.format)) {
    if (name == "csv") {
      auto sink = std::make_unique<CsvSink>(folder, model, context.points);
      auto files = files_of(*sink);
      parts_.push_back({std::move(sink), std::move(files)});
    } else if (name == "vtk") {
      auto sink = std::make_unique<VtkSink>(folder, RecordSources{{}, steps_.get(), context.monitor});
      auto files = files_of(*sink);
      parts_.push_back({std::move(sink), std::move(files)});
    } else {
      const RecordSources sources{context.points, steps_.get(), context.monitor};
      auto sink =
          std::make_unique<Hdf5Sink>(folder, context.manifest, sources, Hdf5Options{options.interval});
      auto files = files_of(*sink);
      parts_.push_back({std::move(sink), std::move(files)});
    }
  }
}

ResultSet::~ResultSet() = default;

void ResultSet::take_part(Listeners& listeners) {
  if (steps_) listeners.observers.push_back(steps_.get());
  for (const Part& part : parts_) listeners.sinks.push_back(part.sink.get());
}

std::vector<std::filesystem::path> ResultSet::files() const {
  std::vector<std::filesystem::path> all;
  for (const Part& part : parts_)
    for (std::filesystem::path& file : part.files()) all.push_back(std::move(file));
  return all;
}

}  // namespace catena
