// All the files of the results of one run: which formats, and the sinks that write them.
#pragma once
#include <catena/output/parts/manifest.hpp>
#include <catena/output/parts/recording.hpp>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace catena {
struct Listeners;
}  // namespace catena
namespace catena::detail {

struct ResultsOptions {
  std::string format =
      {};  // some of csv, scalars (a part of csv), hdf5, vtk, none twice; empty: default_format()
  double interval =
      2.0;  // [s] on the wall's clock: an instant is in results.h5 and in the tables so long after it at the latest
  std::string record =
      {};  // names of quantities (measure/parts/quantity_catalog.hpp); empty: the standard ones
  Precision precision = Precision::float64;
  int compress = 0;  // of results.h5 when the run has ended: 0 none, 1 quick to 9 small
};
// csv,hdf5; for more bodies than csv_bodies scalars,hdf5, since text costs more than the run itself then; csv where the
// library was built without HDF5.
std::string default_format(const System& system);
inline constexpr int csv_bodies = 100;
// The formats that are written, one by one.
std::vector<std::string> chosen_formats(const ResultsOptions& options, const System& system);
void visit(OptionVisitor& visitor, ResultsOptions& options);
// Empty, or the sentence that says what is wrong with the format: an unknown name, one met twice, one left out of
// this build.
std::string results_defect(const ResultsOptions& options);
// The same of the results of one system: vtk shows bodies.
std::string results_defect(const ResultsOptions& options, const System& system);
// Empty, or the sentence that says what is wrong with the choice of quantities, with the nearest names.
std::string record_defect(const std::string& record, const QuantityCatalog& quantities);
// The same for one system and what it follows.
std::string record_defect(const std::string& record, const QuantityCatalog& quantities, const System& system,
                          const MeasureSources& sources);

// The names that results of these formats may have in their folder; `*` means digits. Of all formats but the frames of
// VTK, which only runs with this format write, since another run before may have had other formats.
std::vector<std::string> names_of_results(const std::string& format);

// What the files say and follow besides the states. All pointers outlive the set.
struct ResultsContext {
  const System* system = nullptr;
  const Stepper* stepper = nullptr;  // attached or not; null: no counts of its work
  const Monitor* monitor = nullptr;  // an observer of the run; saves a second look at what it has seen
  const StepIntegrals* integrals =
      nullptr;                             // an observer of the run; null: no quantities that are integrated
  const Redundancy* redundancy = nullptr;  // of the initial state; null: it was not looked for
  ReactionRule reactions = {};             // which of those that are open
  MultiplierChoice multipliers = MultiplierChoice::method;
  std::vector<TrackedPoint> points = {};
  Manifest manifest = {};
  const QuantityCatalog* quantities = nullptr;  // to choose from; null: those of the library
};

class ResultSet {
 public:
  // Makes nothing on disk yet. The options are without defect.
  ResultSet(const std::filesystem::path& folder, const ResultsOptions& options,
            const ResultsContext& context);
  ~ResultSet();

  // Adds the sinks, and the observer that they need, to the listeners of a run.
  void attach_to(Listeners& listeners);
  // Of all formats; those that are there after Sink::begin() or resume().
  std::vector<std::filesystem::path> files() const;
  const Recording& recording() const { return recording_; }

 private:
  struct Part {
    std::unique_ptr<Sink> sink;
    std::function<std::vector<std::filesystem::path>()> files;
  };
  std::unique_ptr<StepCounter> steps_;
  std::unique_ptr<Observer> clock_;  // of the tables in CSV
  Recording recording_;
  std::vector<Part> parts_;
};

}  // namespace catena::detail
