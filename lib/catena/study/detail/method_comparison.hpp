// Methods compared on one problem: errors against a common reference, what they keep, and what they cost.
#pragma once
#include <catena/study/detail/fitted_order.hpp>
#include <catena/study/detail/reference_motion.hpp>

#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace catena::detail {

struct ComparedStepper {
  std::string name;
  Settings options = {};

  std::string label() const;         // "generalized_alpha rho_inf=0.5"
  std::string options_text() const;  // "rho_inf=0.5 index=2"; empty: there are none
  friend bool operator==(const ComparedStepper&, const ComparedStepper&) = default;
};

// "generalized_alpha:rho_inf=0.5:index=2". Throws UsageError that begins with the flag.
ComparedStepper compared_stepper(const std::string& text, const std::string& flag = "--steppers");

// What is asked for.
struct CompareRequest {
  std::vector<std::string> problems = {};  // names or model files
  Settings parameters = {};
  std::optional<double> end = {};              // [s]
  std::vector<ComparedStepper> steppers = {};  // empty: all of the catalog
  std::map<std::string, std::vector<std::string>> vary =
      {};                               // values of options, of all steppers that have them
  std::vector<double> steps = {};       // [s] empty: 4, 2, 1, 1/2, 1/4 of the problem's own
  std::vector<double> tolerances = {};  // empty: 1e-4, 1e-6, 1e-8, 1e-10
  bool plain = false;                   // each method with guards=off too
  int repeat = 1;                       // runs of each row, for their times
  std::vector<std::string> add = {};    // files with results of other codes
  std::vector<std::string> peers = {};  // other programs that run the same problems: peer.hpp

  friend bool operator==(const CompareRequest&, const CompareRequest&) = default;
};

// The status of a run that was stopped begins so.
inline constexpr const char* interrupted_status = "interrupted";

// One stepper with one step or tolerance.
struct ComparedRun {
  ComparedStepper stepper;
  std::string key = {};              // content_key()
  std::string guards = {};           // "on", "report", "off"; empty: it has none
  bool controlled = false;           // `setting` is a tolerance; else a step [s]
  double setting = 0.0;              // 0: it was refused before
  std::string failure = {};          // a sentence; empty: it reached the end
  std::string status = {};           // "ok", or in short why not: "newton_not_converged at t = 0.31 s"
  std::string remarks = {};          // keys of the remarks on its result
  Errors largest = {}, at_end = {};  // nan: not compared
  double over_tolerance = std::numeric_limits<double>::quiet_NaN();  // in_tolerances() of the largest errors
  // Largest residuals and energy/error [J]; nan: not known.
  double position = std::numeric_limits<double>::quiet_NaN(),
         velocity = std::numeric_limits<double>::quiet_NaN(),
         acceleration = std::numeric_limits<double>::quiet_NaN(),
         energy = std::numeric_limits<double>::quiet_NaN();
  // Drift of what the problem keeps of angular and linear momentum [kg m^2/s], [kg m/s]; nan: it keeps none.
  double angular_momentum = std::numeric_limits<double>::quiet_NaN(),
         linear_momentum = std::numeric_limits<double>::quiet_NaN();
  // The time of the run over its steps [s]; nan: it did not reach the end. Less than the step that was asked for where the
  // time is no multiple of that, or where steps were cut.
  double mean_step = std::numeric_limits<double>::quiet_NaN();
  long steps = 0, rejected = 0, newton_iterations = 0, factorizations = 0;
  int unknowns = 0;                  // velocities and rows of the system that it works on; 0: not known
  std::vector<double> seconds = {};  // in stepping, of each repetition
  double heap = std::numeric_limits<double>::quiet_NaN();  // largest use of the heap seen in the run [bytes]
  // The number of attempts times the fastest step of all repetitions, which other programs have not disturbed [s]: less
  // than the time of a run whose steps differ.
  double undisturbed = std::numeric_limits<double>::quiet_NaN();

  bool ok() const { return failure.empty(); }
  double fastest() const;  // [s] nan: it was not run
  double spread() const;   // of the slowest against the fastest: 0.04 for 4 % more
};

// The larger one of the errors of positions, over the size of the largest body [m], and of rotations, over 1 rad, in what a
// tolerance allows as absolute and relative one: twice of it. nan: one of them is not known, or there is no length.
double in_tolerances(const Errors& errors, double length, double tolerance);

// Of a stepper that has errors; where they show no order, with the reason.
struct ComparedOrders {
  ComparedStepper stepper;
  bool controlled = false;  // exponents of the error over the tolerance; else over the mean step
  // Of the largest errors. Of those at the end where these say the same in a narrower interval: the first instants may show
  // how a method begins, and where the largest error is changes with the step then.
  std::array<FittedOrder, part_count> fitted = {};
  std::array<bool, part_count> of_end = {};   // which they are
  std::array<int, part_count> promised = {};  // by Traits; 0: none
};

// A result of another code, measured against the same reference.
struct ForeignRun {
  std::string code, setting;  // "mbdyn 1.7", "h = 0.001 s"
  long steps = 0;             // 0: not said
  double seconds = 0.0;       // nan: not said
  int instants = 0;           // that it has in common with the comparison
  Errors largest = {}, at_end = {};
};

struct ProblemComparison {
  std::string problem;
  std::vector<OptionValue> parameters = {};
  bool own = false;               // own coordinates
  double begin = 0.0, end = 0.0;  // [s]
  std::vector<double> instants = {};
  std::vector<std::string> about = {}, along = {};  // axes of angular and of linear momentum that are kept
  bool kept_by_reference = false;  // these are what the reference motion keeps; else the problem names them
  ReferenceMotion reference = {};
  std::vector<ComparedRun> runs = {};
  std::vector<ComparedOrders> orders = {};
  std::vector<ForeignRun> foreign = {};
  std::vector<std::string> not_compared = {};  // peers that do not run this problem: a sentence each
  bool interrupted = false;
};

struct CompareContext {
  const std::atomic<bool>* stop = nullptr;
  std::function<void(int done, int of)> progress = {};  // runs
  // The model of a scenario as the text of a model file, for peers. Throws UsageError where it has none. Null: no peers are
  // asked.
  std::function<std::string(const Scenario&)> model_text = {};
};

// The steppers of a request with all variants, in the order of the rows. Throws UsageError with all complaints.
std::vector<ComparedStepper> variants(const CompareRequest& request, const Catalog& catalog);

// Whether a stepper runs by tolerances: it chooses its steps by its options, or could, was asked for by name, and no steps are
// given beside the tolerances.
bool chooses_step(const ComparedStepper& stepper, const CompareRequest& request, const Catalog& catalog);

// Throws UsageError where steps or tolerances are given that no stepper takes, and for peers that are not there.
void refuse_unused(const CompareRequest& request, const Catalog& catalog);

// Throws what compare() would throw for any problem of the request, with all complaints, and runs nothing.
void check_comparison(const CompareRequest& request, const Catalog& catalog);

// The problem of the request by its number. Rows that fail are rows; throws UsageError, FileError, ModelError for what
// cannot be asked. Repetitions are interleaved: every row once, then every row again. The thread stays on one processor
// meanwhile.
ProblemComparison compare(const CompareRequest& request, std::size_t problem, const Catalog& catalog,
                          const CompareContext& context = {});

}  // namespace catena::detail
