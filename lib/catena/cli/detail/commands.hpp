// The commands of the program, as typed, and what runs them. None of them throws: what the user did wrong is printed, and
// is in the JSON where one was asked for.
#pragma once
#include <catena/cli/cli.hpp>
#include <catena/experiment/parts/run_context.hpp>
#include <catena/experiment/scenario.hpp>

#include <optional>
#include <string>
#include <vector>

namespace catena::detail {

// `catena run`, as typed. Numbers stay text until they are checked against the listing of their option.
struct RunRequest {
  std::string problem = {};
  Settings members = {};  // of the scenario, by name: {"step", "1e-3"}; empty: not given
  RunSettings settings = {};
  std::vector<std::string> parameters = {};  // --set key=value
  std::vector<std::string> options = {};     // --option key=value
  std::optional<std::string> threads = {}, interval = {};
  std::optional<std::string> checkpoint = {};  // "10s"
  std::string json = {};                       // file or "-"; empty: none
  std::string report = {};                     // file of a page; empty: none
  bool strict = false;                         // remarks on the result have an exit code of their own
  bool error_bars = false;                     // a second run with a finer setting
  std::optional<std::string> digits = {};      // of all quantities: stepper and setting are chosen
};

// `catena resume`, as typed. What is not given stays as it was.
struct ResumeRequest {
  std::string folder = {};
  std::optional<std::string> threads = {}, end = {}, checkpoint = {};
  std::string json = {};  // file or "-"; empty: none
  bool strict = false;
};

// Both run and report. They never throw: what the user did wrong is printed, and in the JSON where one was asked for.
ExitCode run_command(const RunRequest& request, const Catalog& catalog, const Console& console);
ExitCode resume_command(const ResumeRequest& request, const Catalog& catalog, const Console& console);

// `catena replay`, as typed.
struct ReplayRequest {
  std::string file = {};                  // failure.json
  std::vector<std::string> options = {};  // --option key=value
  std::string backend = {};               // empty: as it was
  std::optional<std::string> step = {};   // [s]
  std::string json = {};                  // file or "-"; empty: none
};

// Takes a step that failed again, and prints each iterate. exit_ok: it succeeds now; exit_run_ended_early: it fails;
// exit_bad_input: it cannot be taken. Throws UsageError and what models throw.
ExitCode replay_command(const ReplayRequest& request, const Catalog& catalog, const Console& console);

// `catena check`, as typed.
struct CheckRequest {
  std::string problem;                  // its name
  std::vector<std::string> parameters;  // --set key=value
  std::string json;                     // file or "-"; empty: none
};

// Looks a problem over without running it. exit_ok: fit to run; exit_run_ended_early: something would make a run fail
// or wrong; exit_bad_input: there is nothing to look at. Never throws: what the user did wrong is printed.
ExitCode check_command(const CheckRequest& request, const Catalog& catalog, const Console& console);

struct WriteRequest {
  std::string problem;                  // or a model file
  std::vector<std::string> parameters;  // --set key=value
  std::string output;                   // file; empty or "-": stdout
};

// `catena write`: the model of a problem, or of a file with all that it includes and repeats, as one plain model file.
ExitCode write_command(const WriteRequest& request, const Catalog& catalog, const Console& console);
// Its text. Throws UsageError and ModelError for what has no form in a file.
std::string model_text(const Scenario& scenario, const Catalog& catalog);

// `catena equilibrium`, `catena linearize` and `catena modes`, as typed.
struct LinearRequest {
  std::string problem;                  // or a model file
  std::vector<std::string> parameters;  // --set key=value
  bool equilibrium = false;             // linearize, modes: about the equilibrium that the problem sinks to
  std::optional<std::string> steady = {};             // linearize, modes: LinearizeOptions::tolerance
  std::optional<std::string> count = {}, shift = {};  // modes: of ModesOptions
  std::string output;  // equilibrium: a model file; modes: a folder; empty: none
  std::string json;    // file or "-"; empty: none
};

// exit_run_ended_early: no equilibrium, no steady motion or no modes were found; the culprit is printed.
ExitCode equilibrium_command(const LinearRequest& request, const Catalog& catalog, const Console& console);
ExitCode linearize_command(const LinearRequest& request, const Catalog& catalog, const Console& console);
ExitCode modes_command(const LinearRequest& request, const Catalog& catalog, const Console& console);

struct ReproduceRequest {
  std::string study;   // name in the catalog, or "all"
  std::string output;  // empty: no figures
  bool quick = false;
};

// Runs studies of published sources. Throws UsageError for an unknown name; exit_run_ended_early where a figure is
// not as expected.
int reproduce_command(const ReproduceRequest& request, const Catalog& catalog, const Console& console);

// `catena compare`, as typed.
struct CompareCommand {
  std::vector<std::string> problems = {};    // names or model files
  std::vector<std::string> parameters = {};  // --set key=value
  std::string steppers = {};                 // "generalized_alpha:rho_inf=0.5,ida"; empty: all
  std::string steps = {}, tolerances = {};   // numbers with commas between
  std::vector<std::string> vary = {};        // option=value,value
  std::string end = {};                      // [s]
  bool plain = false;                        // with guards=off too
  std::string repeat = {};
  std::string tables = {};  // names with commas between; empty: all
  bool markdown = false;
  std::string output = {};            // folder; empty: none
  bool overwrite = false;             // another comparison in it
  std::string again = {};             // folder of an earlier comparison
  std::vector<std::string> add = {};  // files
  std::string peers = {};             // names or files with commas between; empty: none
  std::string report = {};            // file of a page; empty: none
};

// Compares methods on problems. exit_ok also where rows failed, which is a finding; exit_bad_input for what cannot be asked.
// Throws SinkError where the output cannot be written.
ExitCode compare_command(const CompareCommand& typed, const Catalog& catalog, const Console& console);

// `catena scale`, as typed: lists with commas between; empty: the default.
struct ScaleCommand {
  std::string problem;                       // name or model file
  std::vector<std::string> parameters = {};  // --set key=value
  std::string bodies = {}, by = {};
  std::string steppers = {}, backends = {}, threads = {};
  std::string step = {}, steps = {}, repeat = {}, scenarios = {}, ranks = {};
  std::string output = {};  // folder; empty: none
  bool overwrite = false;   // another study in it
  std::string report = {};  // file of a page; empty: none
};

// Measures how the costs of a run grow with its size. exit_ok also where rows failed, which is a finding; exit_bad_input for
// what cannot be asked. Throws SinkError where the output cannot be written.
ExitCode scale_command(const ScaleCommand& typed, const Catalog& catalog, const Console& console);

struct AuditRequest {
  std::string stepper;               // name in the catalog; empty: all, with their variants
  std::string problem;               // of the audit's cases; empty: all
  std::vector<std::string> options;  // --option key=value of the stepper
  bool all = false;                  // print every check, not only those that fail
};

// `catena audit`: holds steppers to what their traits promise. exit_run_ended_early where a check fails, exit_bad_input
// where nothing was looked at. Throws UsageError for unknown names.
int audit_command(const AuditRequest& request, const Catalog& catalog, const Console& console);

// `catena sweep`, as typed, or as a file of a sweep says.
struct SweepRequest {
  std::string problem = {};                  // or a model file, or a file of a sweep
  Settings members = {};                     // of the scenario, as for run
  std::vector<std::string> parameters = {};  // --set key=value
  std::vector<std::string> options = {};     // --option key=value
  std::vector<std::string> vary = {};        // --vary n=10,20,40
  std::vector<std::string> keep = {};        // --keep "max energy/kinetic"
  std::string samples = {}, sampling = {}, sample_seed = {};
  std::string output = {};  // folder; empty: the summary alone
  std::string threads = {}, threads_of_row = {}, shard = {}, row_limit = {}, time_limit = {},
              allow_failed = {};
  std::vector<std::string> retry = {};
  std::string report = {};  // file of a page; empty: none
};

// Fills what the request leaves empty from a file of a sweep: a map with the names of the options, that has the key `vary`.
// Axes, parameters and options of the stepper are filled key by key.
// False: it is no such file. Throws FileError for mistakes in it, UsageError where it cannot be read.
bool read_sweep_file(SweepRequest& request);

// exit_run_ended_early: more rows failed than --allow-failed; exit_time_limit, and that of a signal: rows are left. Throws
// UsageError, FileError and SinkError.
ExitCode sweep_command(const SweepRequest& request, const Catalog& catalog, const Console& console);

// `catena study`, as typed.
struct StudyRequest {
  std::string action = {};               // collect
  std::vector<std::string> tables = {};  // folders or files of `catena sweep`
  std::string output = {};               // a table; empty: none
  std::string csv = {}, hdf5 = {};       // files; empty: none
  std::string pictures = {};             // a folder; empty: none
  std::string allow_failed = {};
};

// exit_run_ended_early: more rows failed or are missing than --allow-failed. Throws UsageError, SinkError.
ExitCode study_command(const StudyRequest& request, const Console& console);

}  // namespace catena::detail
