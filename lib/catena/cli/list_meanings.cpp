#include <catena/cli/cli.hpp>
#include <catena/cli/detail/list_command.hpp>
#include <catena/sparse/backends/backends.hpp>
#include <catena/system/status.hpp>

#include <algorithm>
#include <array>
#include <string_view>

namespace catena::detail {
namespace {

struct Explanation {
  const char *meaning, *remedy;
};

constexpr std::array all_statuses{Status::ok,
                                  Status::newton_not_converged,
                                  Status::singular_kkt,
                                  Status::not_finite,
                                  Status::step_too_small,
                                  Status::inconsistent_start,
                                  Status::unsupported,
                                  Status::unstable,
                                  Status::stopped,
                                  Status::event,
                                  Status::exception};
static_assert(all_statuses.size() == static_cast<std::size_t>(Status::exception) + 1,
              "a status is not explained");

// A switch, so that the compiler asks for a new status.
Explanation explain(Status status) {
  switch (status) {
    case Status::ok:
      return {"the run reached its end", "nothing"};
    case Status::newton_not_converged:
      return {"a step used all its iterations, or the corrections grew",
              "nothing, the driver halves the step; where many steps are cut, choose a smaller --step, more "
              "max_newton_iterations, or newton=exact"};
    case Status::singular_kkt:
      return {
          "a pivot vanished, or the matrix is indefinite: rows are dependent, or a negative stiffness "
          "exceeds "
          "the mass over h^2",
          "check the named joint or body: redundant joints, a body held only by a negative spring, a "
          "compressed "
          "chain at a large step; try --backend klu"};
    case Status::not_finite:
      return {
          "a force, a constraint or a division returned NaN or infinity; or, at the end of a run, a state or "
          "an "
          "energy is not finite",
          "check the named element: a division by zero, a number that overflows"};
    case Status::step_too_small:
      return {
          "the minimum step failed too (h/1024 on a grid; roundoff of t where the stepper chooses its "
          "steps); "
          "the message has the cause",
          "read the cause and the culprit; the motion may end here (rows that become dependent, a pole of "
          "the coordinates)"};
    case Status::inconsistent_start:
      return {"no velocities, accelerations or multipliers satisfy the constraints at the start",
              "move the bodies so that the named joint is closed, or close it with project_positions "
              "(kkt/consistent.hpp); remove contradicting rows"};
    case Status::unsupported:
      return {"the stepper does not take this system, or these options of it",
              "take one of the steppers that the message names"};
    case Status::unstable:
      return {
          "steps converge, but a joint is open by more than a thousandth of its largest body, the energy has "
          "grown beyond all sense, or the system is stiff for an explicit method",
          "a smaller step, an index that enforces these rows, an implicit stepper"};
    case Status::stopped:
      return {"the user, an observer or a sink stopped the run", "nothing; the results so far are written"};
    case Status::event:
      return {"a terminal event ended the run", "nothing; the state is that of the event"};
    case Status::exception:
      return {
          "a force, a joint, a controller, an event, a quantity or an observer threw an exception; the "
          "message has its name and text",
          "mend that code, then `catena resume DIR` where the run had checkpoints"};
  }
  return {"", ""};
}

// A switch, so that the compiler asks for a new key.
const char* meaning(RemarkKey key) {
  switch (key) {
    case RemarkKey::guard:
      return "a guard with the mode report would have refused steps; name and value are of the first of them";
    case RemarkKey::step_errors:
      return "the errors of the steps add up to the size of the motion";
    case RemarkKey::drift:
      return "rates or accelerations of a joint are not kept as the method promises; with --gaps remark also "
             "a joint left open";
    case RemarkKey::energy:
      return "the balance of energy is off by more than a tenth of the energies exchanged: kinetic and "
             "potential "
             "energy minus the work of forces; the sentence names the body whose oscillation the steps do "
             "not "
             "resolve, where there is one";
    case RemarkKey::work:
      return "the work of forces and drives is not known to a tenth of itself: steps are too long for their "
             "powers; or the balance of energy is open by as much, within what that work may be off by";
    case RemarkKey::coarse_steps:
      return "the local error of a step is a tenth of the size of a body, or more; or the steps make the "
             "phase of an oscillation, or the exponent of a growth, wrong while the energy is kept; or a "
             "sine "
             "or chirp that a drive or force follows repeats within four steps; or a step passes over a bump "
             "of a table that they follow";
    case RemarkKey::turn:
      return "a body turned by more than half a turn within a step";
    case RemarkKey::jump:
      return "a force or joint has jumped between two steps, as a bushing that turns past half a turn, or a "
             "step has passed over a bump in a table: the motion behind it is another one";
    case RemarkKey::indefinite:
      return "steps were accepted whose matrix was indefinite: negative stiffness or compression stronger "
             "than "
             "inertia within a step";
    case RemarkKey::standstill:
      return "nothing moves in the whole run: it begins at rest, and no force acts along any free motion";
    case RemarkKey::lost_events:
      return "results.h5 does not have all events";
    case RemarkKey::exception:
      return "code threw an exception after something else had ended the run";
    case RemarkKey::redundant_rows:
      return "rows of the initial state are redundant, or look like it; name and value are of the weakest";
    case RemarkKey::singular_state:
      return "the initial state is singular: rows depend on each other there, and not near it, so that "
             "forces depend "
             "on the method";
    case RemarkKey::initial_velocities:
      return "the constraints do not allow the initial velocities: they were moved to the nearest that they "
             "do; name and value are of the row that they missed by the most";
    case RemarkKey::results_size:
      return "the results will take more than 100 MB";
    case RemarkKey::checkpoint:
      return "a resumed run begins anew, is finished already, or refused a checkpoint";
  }
  return "";
}

const char* kind(Status status) {
  if (recoverable(status)) return "recoverable";
  return status == Status::ok || status == Status::stopped || status == Status::event ? "no failure"
                                                                                      : "fatal";
}

struct Dependency {
  const char *name, *package, *licence, *needed_by, *use;
  bool of_cholmod = false;
};

constexpr std::array dependencies{
    Dependency{"oneTBB", "libtbb-dev", "Apache-2.0", "core", "threads"},
    Dependency{"AMD, CAMD", "libsuitesparse-dev", "BSD-3-Clause", "core", "orderings"},
    Dependency{"Eigen 3.4", "libeigen3-dev", "MPL-2.0", "backends",
               "SparseLU; headers, not passed on to users"},
    Dependency{"Spectra", "libspectra-dev", "MPL-2.0", "backends",
               "modes of large mechanisms; headers, not passed on to users"},
    Dependency{"KLU", "libsuitesparse-dev", "LGPL-2.1-or-later", "backends, solvers (ida)",
               "pivoting LU; brings BTF (LGPL-2.1-or-later) and COLAMD (BSD-3-Clause)"},
    Dependency{"CHOLMOD", "libsuitesparse-dev", "LGPL-2.1-or-later AND GPL-2.0-or-later", "backends",
               "supernodal and simplicial Cholesky; Debian builds it with the GPL modules; brings METIS "
               "(Apache-2.0), LAPACK and BLAS; optional",
               true},
    Dependency{"SPQR", "libsuitesparse-dev", "GPL-2.0-or-later", "backends",
               "rank of the constraint rows; optional", true},
    Dependency{"OpenBLAS", "libopenblas-dev", "BSD-3-Clause", "backends", "below CHOLMOD and SPQR", true},
    Dependency{"SUNDIALS IDA", "libsundials-dev", "BSD-3-Clause", "solvers", "the stepper ida; optional"},
    Dependency{"Open MPI", "libopenmpi-dev", "BSD-3-Clause", "study", "sweeps over ranks; optional"},
    Dependency{"SQLite", "libsqlite3-dev", "public domain", "study", "tables of sweeps"},
    Dependency{"Boost", "libboost-dev", "BSL-1.0", "study",
               "Sobol's sequence, quantiles; headers, not passed on to users"},
    Dependency{"zlib", "zlib1g-dev", "Zlib", "experiment", "numbers in pages of catena report"},
    Dependency{"{fmt}", "libfmt-dev", "MIT", "io", "text"},
    Dependency{"JSON for Modern C++", "nlohmann-json3-dev", "MIT", "io", "reports; headers only"},
    Dependency{"CLI11", "libcli11-dev", "BSD-3-Clause", "io", "the command line; headers only"},
    Dependency{"libyaml", "libyaml-dev", "MIT", "io", "model files"},
    Dependency{"pybind11", "pybind11-dev", "BSD-3-Clause", "python", "import catena; headers only; optional"},
    Dependency{"Python", "python3-dev", "PSF-2.0", "python",
               "import catena; headers, nothing is linked; optional"},
    Dependency{"HDF5", "libhdf5-dev", "BSD-3-Clause", "io", "results; optional"},
    Dependency{"three.js", "npm: three", "MIT", "experiment", "the page of catena report; optional"},
    Dependency{"Apache ECharts", "npm: echarts", "Apache-2.0", "experiment",
               "the page of catena report; brings zrender (BSD-3-Clause) and tslib (0BSD); optional"}};

}  // namespace

void list_statuses(Listing& listing) {
  listing.page("How runs end",
               "A step ends with a status, a run with a status, the program with an exit code. "
               "[When a step fails](../howto/when_a_step_fails.md) shows each of them on a run.");
  listing.entry("statuses", "of a step and of a run");
  std::vector<Listing::Cells> rows{{"status", "kind", "meaning", "what to do"}};
  for (const Status status : all_statuses) {
    const Explanation e = explain(status);
    rows.push_back({to_string(status), kind(status), e.meaning, e.remedy});
  }
  listing.table(rows);
  listing.paragraph(
      "Recoverable: the driver tries again with half of the step, ten times at most; the run then ends as "
      "step_too_small and names the cause. Fatal: the run ends at once. Either way the state stays that of "
      "the "
      "last accepted step, and everything up to there is written.");
  listing.end_entry();
  listing.entry("exit codes", "of the program");
  rows = {{"code", "meaning"}};
  for (const ExitCode code : {exit_ok, exit_run_ended_early, exit_bad_input, exit_cannot_write, exit_remarks,
                              exit_fewer_digits, exit_time_limit, exit_interrupted})
    rows.push_back({std::to_string(code), to_string(code)});
  listing.table(rows);
  listing.end_entry();
  listing.entry("remarks", "of a run that may be a success: `remarks` of the report, each with its key");
  rows = {{"key", "meaning"}};
  for (int k = 0; k < remark_keys; ++k) rows.push_back({to_string(RemarkKey(k)), meaning(RemarkKey(k))});
  listing.table(rows);
  listing.end_entry();
}

void list_licences(Listing& listing) {
  listing.page(
      "Licences of what Catena links",
      "Catena is under the BSD 3-Clause licence. What it links is not part of it and has licences of "
      "its own; those below are of the packages of Debian 12. This page is no legal advice.");
  listing.entry("libraries", "by the component of Catena that needs them");
  std::vector<Listing::Cells> rows{{"library", "licence", "component", "use", "Debian package"}};
  const bool cholmod = std::any_of(backends().begin(), backends().end(), [](const BackendInfo& b) {
    return b.name == std::string_view("cholmod");
  });
  for (const Dependency& d : dependencies)
    if (cholmod || !d.of_cholmod) rows.push_back({d.name, d.licence, d.needed_by, d.use, d.package});
  listing.table(rows);
  listing.end_entry();
  listing.entry("what follows", "for a program that you pass on");
  listing.paragraph(
      cholmod
          ? "What you run or change for yourself is free of all this. A program that you give to others and "
            "that links catena::backends, catena::io or the whole catena::catena, as the Python module in "
            "python3-catena and in a wheel does, contains calls into the GPL parts of CHOLMOD and SPQR: it "
            "has to be passed on as a whole under the GPL, version 2 or later (version 3 where Apache-2.0 "
            "libraries are linked too, as oneTBB is), with its sources. The BSD licence of Catena allows "
            "that."
          : "This build has neither CHOLMOD nor SPQR (CATENA_WITH_CHOLMOD is OFF): nothing that it links is "
            "under the GPL.");
  listing.paragraph(
      "Configured with -DCATENA_WITH_CHOLMOD=OFF, no part of Catena links anything under the GPL; "
      "`CATENA_CMAKE_ARGS=-DCATENA_WITH_CHOLMOD=OFF pip wheel .` makes such a wheel. What is lost: the "
      "linear solvers `cholmod`, `cholmod_schur` and `spqr`. What is slower: plane rotations of our own "
      "find redundant rows in place of SPQR, in 2.4 times the time in a chain of 1000 links, 4 times in a "
      "net of 30 x 30. KLU and BTF (LGPL) stay.");
  listing.paragraph(
      "A program that links catena::core alone has no GPL and no LGPL part: its factorisation is Catena's "
      "own. "
      "catena::solvers adds KLU (LGPL) through SUNDIALS; configured with -DCATENA_WITH_SUNDIALS=OFF it adds "
      "nothing. With the LGPL the user must be able to exchange the library, which a shared library allows.");
  listing.end_entry();
}

}  // namespace catena::detail
