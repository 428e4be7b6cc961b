#include <catena/assembly/parts/body_system.hpp>
#include <catena/driver/detail/grid.hpp>
#include <catena/experiment/detail/folder_for_a_while.hpp>
#include <catena/experiment/detail/setup.hpp>
#include <catena/math/detail/index.hpp>
#include <catena/study/detail/compared_orders.hpp>
#include <catena/study/detail/foreign_results.hpp>
#include <catena/study/detail/method_comparison.hpp>
#include <catena/study/detail/peer.hpp>
#include <catena/study/detail/tolerance_options.hpp>

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

namespace catena::detail {
namespace {

constexpr double not_measured = std::numeric_limits<double>::quiet_NaN();

// The instants of a row are every K-th step, and K has nine digits.
constexpr double most_steps_of_row = 1e9;

// Holds the calling thread to the processor that it is on.
class OneProcessor {
 public:
  OneProcessor() {
    const int here = sched_getcpu();
    if (here < 0 || sched_getaffinity(0, sizeof before_, &before_) != 0) return;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<unsigned>(here), &one);
    held_ = sched_setaffinity(0, sizeof one, &one) == 0;
  }
  OneProcessor(const OneProcessor&) = delete;
  OneProcessor& operator=(const OneProcessor&) = delete;
  ~OneProcessor() {
    if (held_) sched_setaffinity(0, sizeof before_, &before_);
  }

 private:
  cpu_set_t before_;
  bool held_ = false;
};

Scenario base_scenario(const CompareRequest& request, std::size_t problem) {
  Scenario base;
  base.problem = request.problems[problem];
  base.parameters = request.parameters;
  base.end = request.end;
  base.gaps = "remark";  // they are measured
  return base;
}

// One row to be.
struct Row {
  Scenario scenario;
  ComparedRun run;
};

class Comparing {
 public:
  Comparing(const CompareRequest& request, std::size_t problem, const Catalog& catalog,
            const CompareContext& context)
      : request_(request), catalog_(catalog), context_(context), base_(base_scenario(request, problem)) {}

  // Throws for what cannot be asked, and runs nothing.
  void prepare() {
    Complaints complaints;
    const Setup setup = set_up(base_, {}, catalog_, complaints);
    complaints.throw_if_any();
    base_.options.clear();
    result_.problem = base_.problem;
    result_.parameters = setup.parameters;
    result_.end = setup.run.end;
    base_.end = setup.run.end;
    const std::unique_ptr<System> system = make_system(*setup.problem, Coordinates::any);
    const State start = system->initial_state();
    start_ = sample_of(*system, start);
    result_.begin = start.t;
    result_.own = bodies_of(*system) == nullptr;
    if (!result_.own) find_axes(*setup.problem);
    if (!result_.own && setup.problem->invariants().empty()) model_ = bodies_of(*system)->model();
    choose_settings(setup.run.step);
    check_settings(complaints);
    for (const ComparedStepper& stepper : variants(request_, catalog_)) add_rows(stepper, complaints);
    complaints.throw_if_any();
    set_grid();
    read_foreign();
    if (!request_.peers.empty()) const FolderForAWhile is_there;  // before anything is measured
  }

  ProblemComparison operator()() {
    prepare();
    const OneProcessor held;
    result_.reference = reference_motion(base_, catalog_, result_.instants, finest_, context_.stop);
    if (model_ && result_.reference.known) find_axes(result_.reference.motion);
    for (int turn = 0; turn < request_.repeat && !stopped(); ++turn) take_turn(turn);
    result_.interrupted = stopped();
    finish_rows();
    result_.orders = compared_orders(result_, traits_);
    for (const ForeignCode& code : foreign_)
      for (ForeignRun& run : measured(code, result_.reference)) result_.foreign.push_back(std::move(run));
    if (!stopped()) ask_peers();
    return std::move(result_);
  }

 private:
  bool stopped() const { return context_.stop != nullptr && context_.stop->load(); }

  void read_foreign() {
    for (const std::string& file : request_.add) {
      ForeignCode code = read_foreign_results(file);
      if (code.problem != base_.problem) continue;
      refuse_other_model(code, start_, result_.instants);
      foreign_.push_back(std::move(code));
    }
  }

  // Programs that run the problem too. One that does not, or that comes to another motion, is said and not compared.
  void ask_peers() {
    if (request_.peers.empty() || !context_.model_text || !result_.reference.known) return;
    PeerRequest asked{.problem = base_.problem, .begin = result_.begin, .end = result_.end};
    asked.instants = result_.instants;
    asked.tolerances = tolerances_;
    asked.repeat = request_.repeat;
    for (const std::string& peer : request_.peers) try {
        if (asked.model.empty()) asked.model = context_.model_text(base_);
        const ForeignCode answer = ask_peer(peer, asked);
        refuse_other_model(answer, start_, result_.instants);
        std::vector<ForeignRun> runs = measured(answer, result_.reference);
        if (const std::string why = not_the_same_motion(runs, result_.reference.extent); !why.empty())
          throw UsageError("--peers " + peer + ": " + why);
        for (ForeignRun& run : runs) result_.foreign.push_back(std::move(run));
      } catch (const UsageError& error) {
        result_.not_compared.emplace_back(error.what());
      }
  }

  void find_axes(const Problem& problem) {
    const auto note = [](const std::string& name, std::string_view head, std::vector<std::string>& names,
                         std::vector<int>& axes) {
      if (!name.starts_with(head) || name.size() != head.size() + 1) return;
      names.push_back(name.substr(head.size()));
      axes.push_back(name.back() - 'x');
    };
    for (const Invariant& kept : problem.invariants()) {
      note(kept.name, "angular momentum about world ", result_.about, kept_.about);
      note(kept.name, "linear momentum along world ", result_.along, kept_.along);
    }
  }

  // Of a model that nothing is stated of.
  void find_axes(const SampledMotion& reference) {
    kept_ = momentum_kept_by(*model_, start_, reference);
    const auto name = [](const std::vector<int>& axes, std::vector<std::string>& names) {
      for (const int axis : axes) names.emplace_back(1, static_cast<char>('x' + axis));
    };
    name(kept_.about, result_.about);
    name(kept_.along, result_.along);
    result_.kept_by_reference = !kept_.about.empty() || !kept_.along.empty();
  }

  void choose_settings(double own_step) {
    steps_ = request_.steps;
    tolerances_ = request_.tolerances;
    if (steps_.empty())
      for (const double factor : {4.0, 2.0, 1.0, 0.5, 0.25}) steps_.push_back(factor * own_step);
    if (tolerances_.empty()) tolerances_ = {1e-4, 1e-6, 1e-8, 1e-10};
    finest_ = *std::min_element(steps_.begin(), steps_.end());
  }

  void check_settings(Complaints& complaints) const {
    if (!(result_.end > result_.begin))
      complaints.add(
          fmt::format("--end {}: the run begins at {} s and has no steps to compare: give a later end",
                      result_.end, result_.begin));
    for (const double step : steps_)
      complaints.attempt([&] {
        const std::string text = fmt::format("{}", step), what = "--steps " + text;
        RunOptions options;
        set_option([&](OptionVisitor& v) { visit(v, options); }, "step", text, what);
        const double count = (result_.end - result_.begin) / step;
        if (count > most_steps_of_row)
          throw UsageError(
              fmt::format("{}: a run to {} s has {:.3g} of these steps, a comparison takes {:g} at most",
                          what, result_.end, count, most_steps_of_row));
      });
    for (const double tolerance : tolerances_)
      if (!(tolerance > 0.0 && std::isfinite(tolerance)))
        complaints.add(fmt::format("--tolerances {}: a tolerance is a positive number", tolerance));
  }

  void add_rows(const ComparedStepper& stepper, Complaints& complaints) {
    Scenario scenario = base_;
    scenario.stepper = stepper.name;
    scenario.options = stepper.options;
    Complaints wrong;
    const Setup setup = set_up(scenario, {}, catalog_, wrong);
    if (wrong.any()) return complaints.add(wrong);
    const bool controlled = chooses_step(stepper, request_, catalog_);
    if (controlled)
      for (const std::string& name : tolerance_options(catalog_, stepper.name)) scenario.options.erase(name);
    for (const double setting : controlled ? tolerances_ : steps_) {
      Row row{scenario, {}};
      row.run.stepper = stepper;
      row.run.controlled = controlled;
      row.run.setting = setting;
      (controlled ? row.scenario.tolerance : row.scenario.step) = setting;
      if (controlled) refuse_tolerance(row, complaints);
      rows_.push_back(std::move(row));
    }
    fixed_steps_ = fixed_steps_ || !controlled;
  }

  // A tolerance becomes options of the stepper, which have ranges.
  void refuse_tolerance(const Row& row, Complaints& complaints) const {
    Complaints wrong;
    set_up(row.scenario, {}, catalog_, wrong);
    complaints.attempt([&] {
      try {
        wrong.throw_if_any();
      } catch (const UsageError& error) {
        throw UsageError(
            fmt::format("--tolerances {}: {}: {}", row.run.setting, row.run.stepper.label(), error.what()));
      }
    });
  }

  // Output at the common instants, and at no others.
  void set_grid() {
    std::vector<long> counts;
    if (fixed_steps_)
      for (const double step : steps_) counts.push_back(Grid(result_.begin, result_.end, step).steps());
    result_.instants = common_instants(result_.begin, result_.end, counts);
    const auto parts = static_cast<long>(result_.instants.size());
    for (Row& row : rows_) {
      if (row.run.controlled) {
        row.scenario.step = (result_.end - result_.begin) / static_cast<double>(parts);
        row.scenario.every = 1;
      } else {
        row.scenario.every =
            static_cast<int>(Grid(result_.begin, result_.end, *row.scenario.step).steps() / parts);
      }
    }
  }

  void take_turn(int turn) {
    const int all = static_cast<int>(rows_.size());
    for (int k = 0; k < all && !stopped(); ++k) {
      Row& row = rows_[index(k)];
      // A method that has refused the problem does so with every step.
      if (turn == 0 ? refused_.count(row.run.stepper.label()) == 0 : row.run.ok() && !row.run.seconds.empty())
        run(row, turn == 0);
      if (context_.progress) context_.progress(turn * all + k + 1, request_.repeat * all);
    }
  }

  void run(Row& row, bool first) {
    if (!first) {
      const Record record = try_run(row.scenario, catalog_, {.listeners = {.stop = context_.stop}});
      if (record.ok()) note_time(record.report.run, row.run);
      return;
    }
    const SampledRun done = sampled_run(row.scenario, catalog_, result_.instants, kept_, context_.stop);
    const Report& report = done.record.report;
    ComparedRun& run = row.run;
    run.key = done.record.key;
    for (const OptionValue& option : report.options)
      if (option.name == "guards") run.guards = to_text(option);
    traits_[row.run.stepper.label()] = report.traits;
    note_end(report, run);
    if (run.setting == 0.0) refused_.insert(run.stepper.label());
    for (const Remark& remark : report.run.remarks)
      run.remarks += (run.remarks.empty() ? "" : " ") + std::string(to_string(remark.key));
    if (run.setting != 0.0 && report.monitor.states > 0) {
      run.position = report.monitor.position.value;
      run.velocity = report.monitor.velocity.value;
      run.acceleration = report.monitor.acceleration.value;
      run.energy = report.monitor.energy_error.value;
    }
    run.angular_momentum = done.angular_drift;
    run.linear_momentum = done.linear_drift;
    run.steps = report.run.steps;
    if (run.ok() && run.steps > 0)
      run.mean_step = (result_.end - result_.begin) / static_cast<double>(run.steps);
    run.rejected = report.run.rejected;
    run.newton_iterations = report.statistics.newton_iterations;
    run.factorizations = report.statistics.factorizations;
    run.unknowns = report.velocities + report.rows;
    run.heap = done.heap;
    if (run.ok()) note_time(report.run, run);
    if (run.ok() && result_.reference.known) measure(done.motion, run);
  }

  static void note_time(const RunResult& result, ComparedRun& run) {
    run.seconds.push_back(result.seconds_stepping);
    const double undisturbed =
        result.seconds_fastest_step * static_cast<double>(result.steps + result.rejected);
    if (!(run.undisturbed <= undisturbed)) run.undisturbed = undisturbed;
  }

  static void note_end(const Report& report, ComparedRun& run) {
    const RunResult& result = report.run;
    run.status = "ok";
    if (!report.error.empty() || result.status == Status::unsupported) {
      run.setting = 0.0;
      run.status = "refused";
      run.failure = termination(report);
    } else if (result.status != Status::ok || result.interrupted) {
      run.status =
          fmt::format("{} at t = {:.6g} s",
                      result.interrupted ? interrupted_status : to_string(result.reason()), result.t_end);
      run.failure = termination(report);
    }
  }

  void measure(const SampledMotion& motion, ComparedRun& run) const {
    run.largest = largest_distance(motion, result_.reference.motion);
    run.at_end = distance(motion.samples.back(), result_.reference.motion.samples.back());
    for (const Part part : all_parts)
      if (!result_.reference.refused[static_cast<std::size_t>(part)].empty())
        run.largest[part] = run.at_end[part] = not_measured;
    if (run.controlled)
      run.over_tolerance = in_tolerances(run.largest, result_.reference.length, run.setting);
  }

  void finish_rows() {
    for (Row& row : rows_)
      if (!row.run.status.empty()) result_.runs.push_back(std::move(row.run));
  }

  const CompareRequest& request_;
  const Catalog& catalog_;
  const CompareContext& context_;
  Scenario base_;
  MotionSample start_;   // of the model, for the numbers of its bodies, coordinates and rows
  double finest_ = 0.0;  // [s]
  bool fixed_steps_ = false;
  std::vector<double> steps_, tolerances_;
  KeptMomentum kept_;
  std::optional<Model> model_;  // of which nothing is stated: the reference shows what is kept
  std::vector<Row> rows_;
  std::map<std::string, Traits> traits_;  // by label
  std::set<std::string> refused_;         // labels
  std::vector<ForeignCode> foreign_;
  ProblemComparison result_;
};

}  // namespace

double in_tolerances(const Errors& errors, double length, double tolerance) {
  const double allowed = 2.0 * tolerance;  // atol and rtol
  const double position = errors[Part::position] / (length * allowed),
               rotation = errors[Part::rotation] / allowed;
  return std::isnan(position) || std::isnan(rotation) ? not_measured : std::max(position, rotation);
}

double ComparedRun::fastest() const {
  return seconds.empty() ? not_measured : *std::min_element(seconds.begin(), seconds.end());
}

double ComparedRun::spread() const {
  return seconds.empty() ? not_measured : *std::max_element(seconds.begin(), seconds.end()) / fastest() - 1.0;
}

void check_comparison(const CompareRequest& request, const Catalog& catalog) {
  Complaints complaints;
  std::set<std::string> said;  // steppers and steps are the same for all problems
  for (std::size_t k = 0; k < request.problems.size(); ++k)
    complaints.attempt([&] {
      try {
        Comparing(request, k, catalog, {}).prepare();
      } catch (const UsageError& error) {
        if (said.insert(error.what()).second) throw;
      }
    });
  complaints.throw_if_any();
}

ProblemComparison compare(const CompareRequest& request, std::size_t problem, const Catalog& catalog,
                          const CompareContext& context) {
  return Comparing(request, problem, catalog, context)();
}

}  // namespace catena::detail
