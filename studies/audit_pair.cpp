#include <catena/studies/audit_pair.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace catena::audit_detail {
namespace {

constexpr int levels = 3;
// Of steppers that control their error, in place of three step sizes.
constexpr std::array<double, levels> control_tolerances{1e-5, 1e-7, 1e-9};
constexpr double tolerance_ratio = 100.0;
constexpr double unevenness = 0.25;  // of steps, where variable_step is promised
// Local tolerances add up over the thirty and more steps of a run.
constexpr double control_slack = 30.0;
constexpr double largest_estimate = 1e-3;  // of the motion
// Of multipliers, which are no motion: 1.2 % on the top that spins at order 1 and index 1, else below 0.15 %.
constexpr double largest_lambda_estimate = 2e-2;
// A run that is far too coarse: so much longer steps, or this tolerance; a bounded motion is not faster than so many
// times the resolved one.
constexpr int coarser = 20;
constexpr double coarse_tolerance = 1e-3, bounded = 10.0;
// Iterations contract slowly in such steps: what a last correction below the tolerance leaves of the residuals.
constexpr double coarse_slack = 100.0;

// Reads the tolerance that iterations end at; sets those of the error control.
class Tolerances : public OptionVisitor {
 public:
  explicit Tolerances(double control) : control_(control) {}
  double newton = 1e-10;  // of steppers that have none to tell

  void real(const OptionInfo& info, double& value) override {
    const std::string name = info.name;
    if (name == "newton_tolerance") newton = value;
    const bool controls = name.rfind("rtol", 0) == 0 || name.rfind("atol", 0) == 0;
    if (controls && value > 0.0 && control_ > 0.0) value = control_;
  }
  void integer(const OptionInfo&, int&) override {}
  void flag(const OptionInfo&, bool&) override {}
  void text(const OptionInfo&, std::string&) override {}
  void choice(const OptionInfo&, int&, const std::vector<std::string>&) override {}

 private:
  double control_;  // 0: leave them
};

}  // namespace

Made make(const AuditStepper& which, int level) {
  const std::unique_ptr<StepperSetup> setup = which.entry.setup();
  set_options([&](OptionVisitor& v) { setup->visit(v); }, which.options, "stepper " + which.entry.name);
  Made made;
  made.stepper = setup->make({}, {});
  const bool controlled = made.stepper->traits().chooses_step && level >= 0;
  Tolerances tolerances(!controlled       ? 0.0
                        : level >= levels ? coarse_tolerance
                                          : control_tolerances[static_cast<std::size_t>(level)]);
  setup->visit(tolerances);
  if (controlled) made.stepper = setup->make({}, {});
  made.newton_tolerance = tolerances.newton;
  return made;
}

namespace {

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
    if (!run_levels(traces_, 0.0)) return false;
    check_orders(traces_, "", order_slack);
    if (controlled())
      leave_out("order in h", "it chooses its steps: the slope over the tolerance stands in its place");
    check_residuals(traces_[0], controlled() ? control_tolerances[0] : 0.0, "");
    check_invariants();
    check_end(end);
    check_coarse();
    if (traits().reversible && case_.reversible) check_reversal();
    if (traits().variable_step && !controlled()) {
      std::array<Trace, levels> uneven;
      if (run_levels(uneven, unevenness)) check_orders(uneven, ", uneven steps", uneven_order_slack);
    }
    return true;
  }

 private:
  const Traits& traits() const { return made_.stepper->traits(); }
  bool controlled() const { return traits().chooses_step; }

  AuditCheck& add(const std::string& check, double measured, double bound) {
    result_.checks.push_back({stepper_.name(), case_.name(), check, measured, bound});
    return result_.checks.back();
  }

  void leave_out(const std::string& check, const std::string& reason) {
    result_.skipped.push_back({stepper_.name(), case_.name(), reason, check});
  }

  int steps(int level) const {
    const int order = traits().order_q;
    int count = order >= 4 ? case_.steps_high : order == 1 ? case_.steps_low : case_.steps;
    if (count == 0) count = order >= 4 ? case_.steps / 4 : 16 * case_.steps;
    count = (count + 2 * samples_per_run - 1) / (2 * samples_per_run) * (2 * samples_per_run);
    return count << (controlled() ? 0 : level);
  }

  bool run_levels(std::array<Trace, levels>& traces, double uneven) {
    for (int level = 0; level < levels; ++level) {
      Made made = make(stepper_, level);
      Trace& trace = traces[static_cast<std::size_t>(level)];
      trace = run_trace(subject_, *made.stepper, case_.end, steps(level), uneven);
      if (trace.failure.empty()) continue;
      add(uneven > 0.0 ? "reaches the end, uneven steps" : "reaches the end", 0.0, 1.0).at_least = true;
      result_.checks.back().remark = trace.failure;
      return false;
    }
    return true;
  }

  // Largest distance of two runs over their common instants after the start.
  static double apart(const Trace& one, const Trace& other, Vector Sample::*part) {
    double worst = 0.0;
    for (std::size_t k = 1; k < one.samples.size(); ++k) {
      const double d = distance(one.samples[k].*part, other.samples[k].*part);
      worst = d > worst || std::isnan(d) ? d : worst;
    }
    return worst;
  }
  double size(Vector Sample::*part) const {
    double worst = 0.0;
    for (const Sample& s : traces_.back().samples) worst = std::max(worst, largest(s.*part));
    return worst;
  }

  // What roundoff and unfinished iterations leave, relative to the size of a quantity.
  double floor() const { return std::max(1e-12, 0.01 * made_.newton_tolerance); }
  // By how much an error shrinks from level to level.
  double ratio(int order) const { return controlled() ? 0.1 * tolerance_ratio : std::pow(2.0, order); }

  void check_orders(const std::array<Trace, levels>& traces, const std::string& how, double slack) {
    check_order(traces, "order of q" + how, traits().order_q, &Sample::q, slack);
    check_order(traces, "order of v" + how, traits().order_v, &Sample::v, slack);
    // M v' - f = -G^T lambda: an error of v over a step is one of v'.
    if (subject_.system().layout().lambda_size() == 0) return;
    if (case_.redundant)
      leave_out("order of lambda" + how, "rows depend on each other: their multipliers are not unique");
    else if (traits().order_lambda == 0)
      leave_out("order of lambda" + how, "no order is promised");
    else
      check_order(traces, "order of lambda" + how, traits().order_lambda, &Sample::lambda, slack,
                  case_.end / traces[1].smallest_step);
  }

  // amplified: how much larger the relative error of the part may be than that of what the tolerance is on.
  void check_order(const std::array<Trace, levels>& traces, const std::string& what, int promised,
                   Vector Sample::*part, double slack, double amplified = 1.0) {
    const double coarse = apart(traces[0], traces[1], part), fine = apart(traces[1], traces[2], part);
    if (fine <= floor() * size(part)) {  // nothing left to measure an order with
      add(what, fine, floor() * size(part)).remark = "at roundoff";
    } else if (controlled()) {
      const double slope = std::log(coarse / fine) / std::log(tolerance_ratio);
      const std::string of_tolerance = ", by the tolerance";
      if (!(slope < tolerance_slope)) {
        add(what + of_tolerance, slope, tolerance_slope).at_least = true;
        result_.checks.back().remark = "slope of the error over the tolerance";
      } else {
        add(what + of_tolerance, fine, control_slack * control_tolerances[1] * amplified * size(part))
            .remark = "within thirty tolerances; slope " + std::to_string(slope);
      }
    } else {
      add(what, std::log2(coarse / fine), promised - slack).at_least = true;
    }
  }

  // Iterations end where a correction of q is below newton_tolerance, which is one of that over h in v and over h^2 in
  // a; rows weigh them with numbers of the size of what they constrain.
  void check_residuals(const Trace& t, double control, const std::string& how) {
    if (subject_.system().layout().lambda_size() == 0) return;
    const Traits& promised = traits();
    const double slack = how.empty() ? 1.0 : coarse_slack;
    const double tolerance = control > 0.0 ? control_slack * control : slack * made_.newton_tolerance;
    const double h = t.smallest_step, gap = case_.redundant ? 2e-8 / h * t.largest_a : 0.0;
    if (promised.position_residual)
      add("position residual" + how, t.residuals.position, tolerance * (1.0 + t.largest_q) + gap * h * h);
    const double velocity = tolerance * (1.0 + t.largest_v + 1.0 / h) + gap * h;
    if (promised.velocity_residual)
      add("velocity residual" + how, t.residuals.velocity, velocity);
    else if (promised.position_residual && t.residuals.velocity_rows > 0.0)
      add("velocity rows" + how, t.residuals.velocity_rows, velocity);
    if (promised.acceleration_residual)
      add("acceleration residual" + how, t.residuals.acceleration,
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
        error = std::max(error, std::isnan(fine) ? std::numeric_limits<double>::infinity() : std::abs(fine));
      }
      const double scale = std::max({1.0, std::abs(invariant.value), traces_[0].largest_energy});
      add(invariant.name, error,
          safety * change / (ratio(traits().order_v) - 1.0) +
              (controlled() ? control_slack * control_tolerances[1] : 100.0 * floor()) * scale);
    }
  }

  // The end of the run with h/2, whose error is estimated from the two finer runs.
  void check_end(End& end) {
    const auto estimate = [&](double difference, int order) {
      return difference / (1.0 - 1.0 / ratio(order));
    };
    const Sample &first = traces_[1].samples.front(), &last = traces_[1].samples.back(),
                 &finer = traces_[2].samples.back();
    end.stepper = stepper_.name();
    end.q = last.q;
    end.v = last.v;
    end.q_error = estimate(distance(last.q, finer.q), traits().order_q);
    end.v_error = estimate(distance(last.v, finer.v), traits().order_v);
    double q_motion = 0.0;
    for (const Sample& s : traces_[1].samples) q_motion = std::max(q_motion, distance(s.q, first.q));
    add("error of q at the end, of the motion", end.q_error / q_motion, largest_estimate);
    add("error of v at the end, of the motion", end.v_error / size(&Sample::v), largest_estimate);
    const double least = controlled() ? control_tolerances[1] : floor();
    end.q_error = std::max(end.q_error, least * size(&Sample::q));
    end.v_error = std::max(end.v_error, least * size(&Sample::v));
    if (!last.lambda.empty() && !case_.redundant && traits().order_lambda > 0) {
      end.lambda = last.lambda;
      end.lambda_error = estimate(distance(last.lambda, finer.lambda), traits().order_lambda);
      add("error of lambda at the end, of its size", end.lambda_error / size(&Sample::lambda),
          largest_lambda_estimate);
      // v' is known to the tolerance over a step
      const double amplified = controlled() ? case_.end / traces_[1].smallest_step : 1.0;
      end.lambda_error = std::max(end.lambda_error, least * amplified * size(&Sample::lambda));
    }
    const ReferenceError error = subject_.reference_error(traces_[1].end);
    if (error.q >= 0.0) add("known digits of q", error.q, safety * end.q_error);
    if (error.v >= 0.0) add("known digits of v", error.v, safety * end.v_error);
  }

  // Steps far too long: a failure names its culprit, or the motion stays bounded and keeps what is promised.
  void check_coarse() {
    Made made = make(stepper_, levels);
    const Trace trace =
        run_coarse(subject_, *made.stepper, case_.end, std::max(2, steps(0) / (controlled() ? 1 : coarser)));
    if (!trace.failure.empty()) {
      const bool named = !trace.culprit.name.empty() && !trace.culprit.quantity.empty();
      add("coarse: a failure is named", named ? 1.0 : 0.0, 1.0).at_least = true;
      result_.checks.back().remark = trace.failure;
      return;
    }
    add("coarse: bounded velocities", trace.largest_v,
        bounded * std::max(traces_[2].largest_v, size(&Sample::q) / case_.end));
    check_residuals(trace, controlled() ? coarse_tolerance : 0.0, ", coarse");
  }

  // Forward, turned, and as many steps back: what is left are unfinished iterations, one a step.
  void check_reversal() {
    Made back = make(stepper_, 0);
    State turned = traces_[0].end;
    const double begin = 0.0;
    for (double& x : turned.v) x = -x;
    turned.memory.clear();
    turned.t = begin;
    const Trace trace = run_trace(subject_, *back.stepper, case_.end, steps(0), 0.0, &turned);
    if (!trace.failure.empty()) {
      add("returns when turned back", std::numeric_limits<double>::infinity(), 0.0).remark = trace.failure;
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

}  // namespace

bool audit_pair(const AuditStepper& stepper, const AuditCase& which, const Subject& subject,
                AuditResult& result, End& end) {
  return Pair(stepper, which, subject, result)(end);
}

}  // namespace catena::audit_detail
