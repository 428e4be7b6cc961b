#include <catena/problems/catalog.hpp>
#include <catena/solvers/catalog.hpp>
#include <catena/studies/audit.hpp>
#include <catena/studies/audit_run.hpp>
#include <catena/studies/audit_symplectic.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <stdexcept>
#include <utility>

namespace catena {
namespace {

using namespace audit_detail;

constexpr int levels = 3;
// Of steppers that control their error, in place of three step sizes.
constexpr std::array<const char*, levels> tolerance_texts{"1e-5", "1e-7", "1e-9"};
constexpr double tolerance_ratio = 100.0;
double tolerance_of(std::size_t level) { return std::strtod(tolerance_texts[level], nullptr); }
constexpr double largest_estimate = 1e-3;  // of the motion
constexpr double safety = 3.0;             // on error estimates

// Reads the tolerance that iterations end at; sets those of the error control.
class Tolerances : public OptionVisitor {
 public:
  explicit Tolerances(const char* control) : control_(control) {}
  double newton = 1e-10;  // of steppers that have none to tell

  void real(const OptionInfo& info, double& value) override {
    const std::string name = info.name;
    if (name == "newton_tolerance") newton = value;
    const bool controls = name.rfind("rtol", 0) == 0 || name.rfind("atol", 0) == 0;
    if (controls && value > 0.0 && control_ != nullptr) value = std::strtod(control_, nullptr);
  }
  void integer(const OptionInfo&, int&) override {}
  void flag(const OptionInfo&, bool&) override {}
  void text(const OptionInfo&, std::string&) override {}
  void choice(const OptionInfo&, int&, const std::vector<std::string>&) override {}

 private:
  const char* control_;
};

struct Made {
  std::unique_ptr<Stepper> stepper;
  double newton_tolerance;
};

// level: sets the tolerances of steppers that control their error; -1: as they are.
Made make(const AuditStepper& which, int level) {
  const std::unique_ptr<StepperSetup> setup = which.entry.setup();
  set_options([&](OptionVisitor& v) { setup->visit(v); }, which.options, "stepper " + which.entry.name);
  Made made;
  made.stepper = setup->make({}, {});
  const bool controlled = made.stepper->traits().chooses_step && level >= 0;
  Tolerances tolerances(controlled ? tolerance_texts[static_cast<std::size_t>(level)] : nullptr);
  setup->visit(tolerances);
  if (controlled) made.stepper = setup->make({}, {});
  made.newton_tolerance = tolerances.newton;
  return made;
}

// Where a stepper ended, with its own estimate of the error of that.
struct End {
  std::string stepper;
  Vector q, v;
  double q_error = 0.0, v_error = 0.0;
};

// All checks of one stepper on one case.
class Pair {
 public:
  Pair(const AuditStepper& stepper, const AuditCase& which, const Subject& subject, AuditResult& result)
      : stepper_(stepper), case_(which), subject_(subject), result_(result) {
    made_ = make(stepper, -1);
  }

  // False: a run failed, and there is no end to compare.
  bool operator()(End& end) {
    ++result_.pairs;
    if (!run_levels()) return false;
    check_order("order of q", traits().order_q, [](const Sample& s) -> const Vector& { return s.q; });
    check_order("order of v", traits().order_v, [](const Sample& s) -> const Vector& { return s.v; });
    if (subject_.system().layout().lambda_size() > 0 && !case_.redundant)
      // M v' - f = -G^T lambda: an error of v over a step is one of v'.
      check_order(
          "order of lambda", traits().order_lambda, [](const Sample& s) -> const Vector& { return s.lambda; },
          case_.end / traces_[1].smallest_step);
    check_residuals();
    check_invariants();
    check_end(end);
    if (traits().reversible && case_.reversible) check_reversal();
    return true;
  }

 private:
  const Traits& traits() const { return made_.stepper->traits(); }
  bool controlled() const { return traits().chooses_step; }

  AuditCheck& add(const std::string& check, double measured, double bound) {
    result_.checks.push_back({stepper_.name(), case_.name(), check, measured, bound});
    return result_.checks.back();
  }

  int steps(int level) const {
    const int order = traits().order_q;
    int count = order >= 4 ? case_.steps_high : order == 1 ? case_.steps_low : case_.steps;
    if (count == 0) count = order >= 4 ? case_.steps / 4 : 16 * case_.steps;
    count = (count + samples_per_run - 1) / samples_per_run * samples_per_run;
    return count << (controlled() ? 0 : level);
  }

  bool run_levels() {
    for (int level = 0; level < levels; ++level) {
      Made made = make(stepper_, level);
      Trace& trace = traces_[static_cast<std::size_t>(level)];
      trace = run_trace(subject_, *made.stepper, case_.end, steps(level));
      if (trace.failure.empty()) continue;
      add("reaches the end", 0.0, 1.0).at_least = true;
      result_.checks.back().remark = trace.failure;
      return false;
    }
    return true;
  }

  // Largest distance of two runs over their common instants after the start.
  template <class Part>
  double apart(std::size_t one, std::size_t other, Part part) const {
    double worst = 0.0;
    for (std::size_t k = 1; k < traces_[one].samples.size(); ++k) {
      const double d = distance(part(traces_[one].samples[k]), part(traces_[other].samples[k]));
      worst = d > worst || std::isnan(d) ? d : worst;
    }
    return worst;
  }
  template <class Part>
  double size(Part part) const {
    double worst = 0.0;
    for (const Sample& s : traces_.back().samples) worst = std::max(worst, largest(part(s)));
    return worst;
  }

  // What roundoff and unfinished iterations leave, relative to the size of a quantity.
  double floor() const { return std::max(1e-12, 0.01 * made_.newton_tolerance); }
  // By how much an error shrinks from level to level.
  double ratio(int order) const { return controlled() ? 0.1 * tolerance_ratio : std::pow(2.0, order); }

  // amplified: how much larger the relative error of the part may be than that of what the tolerance is on.
  template <class Part>
  void check_order(const char* what, int promised, Part part, double amplified = 1.0) {
    if (promised == 0) return;
    const double coarse = apart(0, 1, part), fine = apart(1, 2, part);
    if (fine <= floor() * size(part)) {  // nothing left to measure an order with
      add(what, fine, floor() * size(part)).remark = "at roundoff";
    } else if (controlled()) {
      add(what, fine, std::max(coarse / ratio(promised), 10.0 * tolerance_of(1) * amplified * size(part)))
          .remark = "the error follows the tolerance";
    } else {
      add(what, std::log2(coarse / fine), promised - order_slack).at_least = true;
    }
  }

  // Iterations end where a correction of q is below newton_tolerance, which is one of that over h in v and over h^2 in
  // a; rows weigh them with numbers of the size of what they constrain.
  void check_residuals() {
    if (subject_.system().layout().lambda_size() == 0) return;
    const Trace& t = traces_[0];
    const Traits& promised = traits();
    const double tolerance = controlled() ? 10.0 * tolerance_of(0) : made_.newton_tolerance;
    const double h = t.smallest_step, gap = case_.redundant ? 2e-8 / h * t.largest_a : 0.0;
    if (promised.position_residual)
      add("position residual", t.residuals.position, tolerance * (1.0 + t.largest_q) + gap * h * h);
    const double velocity = tolerance * (1.0 + t.largest_v + 1.0 / h) + gap * h;
    if (promised.velocity_residual)
      add("velocity residual", t.residuals.velocity, velocity);
    else if (promised.position_residual && t.residuals.velocity_rows > 0.0)
      add("velocity rows", t.residuals.velocity_rows, velocity);
    if (promised.acceleration_residual)
      add("acceleration residual", t.residuals.acceleration,
          tolerance * (1.0 + t.largest_a + t.largest_v * t.largest_v + 1.0 / (h * h)) + gap);
  }

  // An invariant that is kept in the limit has an error D_h = c h^p, so |D_{h/2}| <= |D_h - D_{h/2}|/(2^p - 1).
  void check_invariants() {
    for (std::size_t i = 0; i < subject_.invariants().size(); ++i) {
      const Invariant& invariant = subject_.invariants()[i];
      double change = 0.0, error = 0.0;
      for (std::size_t k = 0; k < traces_[0].samples.size(); ++k) {
        const double coarse = traces_[0].samples[k].invariants[i], fine = traces_[1].samples[k].invariants[i];
        change = std::max(change, std::abs(coarse - fine));
        error = std::max(error, std::isnan(fine) ? INFINITY : std::abs(fine));
      }
      const double scale = std::max({1.0, std::abs(invariant.value), traces_[0].largest_energy});
      add(invariant.name, error,
          safety * change / (ratio(traits().order_v) - 1.0) +
              (controlled() ? 10.0 * tolerance_of(1) : 100.0 * floor()) * scale);
    }
  }

  // The end of the run with h/2, whose error is estimated from the two finer runs.
  void check_end(End& end) {
    const auto q = [](const Sample& s) -> const Vector& { return s.q; };
    const auto v = [](const Sample& s) -> const Vector& { return s.v; };
    const auto estimate = [&](double difference, int order) {
      return difference / (1.0 - 1.0 / ratio(order));
    };
    const Sample &first = traces_[1].samples.front(), &last = traces_[1].samples.back(),
                 &finer = traces_[2].samples.back();
    end = {stepper_.name(), last.q, last.v, estimate(distance(last.q, finer.q), traits().order_q),
           estimate(distance(last.v, finer.v), traits().order_v)};
    double q_motion = 0.0;
    for (const Sample& s : traces_[1].samples) q_motion = std::max(q_motion, distance(s.q, first.q));
    add("error of q at the end, of the motion", end.q_error / q_motion, largest_estimate);
    add("error of v at the end, of the motion", end.v_error / size(v), largest_estimate);
    const double least = controlled() ? tolerance_of(1) : floor();
    end.q_error = std::max(end.q_error, least * size(q));
    end.v_error = std::max(end.v_error, least * size(v));
    const ReferenceError error = subject_.reference_error(traces_[1].end);
    if (error.q >= 0.0) add("known digits of q", error.q, safety * end.q_error);
    if (error.v >= 0.0) add("known digits of v", error.v, safety * end.v_error);
  }

  // Forward, turned, and as many steps back: what is left are unfinished iterations, one a step.
  void check_reversal() {
    Made back = make(stepper_, 0);
    State turned = traces_[0].end;
    const double begin = 0.0;
    for (double& x : turned.v) x = -x;
    turned.memory.clear();
    turned.t = begin;
    const Trace trace = run_trace(subject_, *back.stepper, case_.end, steps(0), &turned);
    if (!trace.failure.empty()) {
      add("returns when turned back", INFINITY, 0.0).remark = trace.failure;
      return;
    }
    const Sample &start = traces_[0].samples.front(), &end = trace.samples.back();
    double error = distance(end.q, start.q);
    for (std::size_t k = 0; k < end.v.size(); ++k) error = std::max(error, std::abs(end.v[k] + start.v[k]));
    add("returns when turned back", error,
        made_.newton_tolerance * steps(0) * (1.0 + std::max(largest(start.q), traces_[0].largest_v)));
  }

  const AuditStepper& stepper_;
  const AuditCase& case_;
  const Subject& subject_;
  AuditResult& result_;
  Made made_;
  std::array<Trace, levels> traces_;
};

// Of all pairs of ends the worst one of each stepper.
void compare(const std::vector<End>& ends, const AuditCase& which, AuditResult& result) {
  for (const End& end : ends) {
    double worst = 0.0;
    std::string with;
    for (const End& other : ends) {
      if (&other == &end) continue;
      const double apart = std::max(distance(end.q, other.q) / (safety * (end.q_error + other.q_error)),
                                    distance(end.v, other.v) / (safety * (end.v_error + other.v_error)));
      if (apart <= worst) continue;
      worst = apart;
      with = other.stepper;
    }
    if (ends.size() < 2) continue;
    result.checks.push_back({end.stepper, which.name(), "same end as all others", worst, 1.0, false,
                             "of the tolerance; farthest: " + with});
  }
}

const ProblemEntry& find(const std::vector<ProblemEntry>& problems, const std::string& name) {
  const auto at =
      std::find_if(problems.begin(), problems.end(), [&](const auto& p) { return p.name == name; });
  if (at == problems.end())
    throw std::invalid_argument("the audit has a case of no problem \"" + name + "\"");
  return *at;
}

void check_complete(const std::vector<ProblemEntry>& problems, const std::vector<AuditCase>& cases) {
  for (const ProblemEntry& p : problems)
    if (std::none_of(cases.begin(), cases.end(), [&](const AuditCase& c) { return c.problem == p.name; }))
      throw std::invalid_argument("the audit has no case of problem \"" + p.name +
                                  "\": add one with its end and its number of steps to audit_cases()");
}

bool begins(const std::string& text, const std::string& beginning) { return text.rfind(beginning, 0) == 0; }

std::string exception_of(const AuditStepper& stepper, const AuditCase& which) {
  for (const AuditException& e : audit_exceptions())
    if (begins(stepper.name(), e.stepper) && begins(which.name(), e.problem)) return e.reason;
  return {};
}

void audit_case(const std::vector<AuditStepper>& steppers, const AuditCase& which, const ProblemEntry& entry,
                AuditResult& result) {
  const std::unique_ptr<Problem> problem = entry.make();
  set_options([&](OptionVisitor& v) { problem->visit(v); }, which.parameters, "problem " + entry.name);
  std::unique_ptr<Subject> in[2];  // by Coordinates
  std::vector<End> ends;
  for (const AuditStepper& stepper : steppers) {
    std::string reason = !which.skip.empty() ? which.skip : exception_of(stepper, which);
    const Subject* subject = nullptr;
    if (reason.empty()) {
      const Made made = make(stepper, -1);
      const Coordinates coordinates = made.stepper->traits().coordinates;
      std::unique_ptr<Subject>& made_for = in[coordinates == Coordinates::lagrangian ? 1 : 0];
      if (!made_for) made_for = std::make_unique<Subject>(*problem, coordinates);
      subject = made_for.get();
      reason = made.stepper->refuses(subject->system());
    }
    if (!reason.empty()) {
      result.skipped.push_back({stepper.name(), which.name(), reason});
      continue;
    }
    End end;
    if (Pair(stepper, which, *subject, result)(end)) ends.push_back(std::move(end));
  }
  const auto& any = in[0] ? in[0] : in[1];  // both know the same invariants
  if (any)
    for (const std::string& name : any->unknown_invariants())
      result.skipped.push_back(
          {"all", which.name(), "the audit cannot measure the invariant \"" + name + "\""});
  compare(ends, which, result);
}

}  // namespace

AuditResult audit(const std::vector<AuditStepper>& steppers, const std::vector<AuditCase>& cases,
                  const std::vector<ProblemEntry>& problems) {
  check_complete(problems, cases);
  AuditResult result;
  for (const AuditCase& which : cases) audit_case(steppers, which, find(problems, which.problem), result);
  for (const AuditStepper& stepper : steppers) {
    Made made = make(stepper, -1);
    if (!made.stepper->traits().symplectic) continue;
    result.checks.push_back({stepper.name(), "two bodies", "symplectic: |A^T Omega A - Omega|",
                             symplectic_defect(*made.stepper), symplectic_tolerance});
  }
  return result;
}

AuditResult audit(const std::vector<AuditStepper>& steppers, const std::vector<AuditCase>& cases) {
  return audit(steppers, cases, builtin_problems());
}

AuditResult audit(const StepperEntry& stepper) {
  std::vector<AuditStepper> both{{stepper}};
  for (const StepperEntry& entry : builtin_steppers())
    if (entry.name == "dormand_prince") both.push_back({entry, {{"control", "fixed"}}});
  return audit(both, audit_cases());
}

}  // namespace catena
