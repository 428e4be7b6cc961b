// What the contract of a stepper says of its memory and of the step in between its ends.
#include <catena/driver/run.hpp>
#include <catena/math/detail/largest.hpp>
#include <catena/studies/detail/audit_pair_checks.hpp>

#include <limits>

namespace catena::detail::audit_detail {
namespace {

constexpr int before = 8, behind = 8;  // steps of the run that is continued: more than a history is long
// Of a step there are `part` and the rest, neither of them near a half, where errors of interpolants cancel.
constexpr double part = 0.3;
constexpr double infinity = std::numeric_limits<double>::infinity();

// The last step of a run and three states of its interpolant.
class LastStep : public Observer {
 public:
  LastStep(const Subject& subject, double end) : subject_(subject), end_(end) {}
  bool observe(const State&) override { return true; }
  bool wants_steps() const override { return true; }
  void step(const AcceptedStep& step) override {
    if (step.after().t < end_ - 0.5 * step.h()) return;
    left = step.before();
    h = step.h();
    from = subject_.sample(step.before());
    to = subject_.sample(step.after());
    State inside;
    const auto at = [&](double theta) {
      step.at(theta, inside);
      return subject_.sample(inside);
    };
    first = at(0.0);
    within = at(part);
    last = at(1.0);
  }

  State left;
  double h = 0.0;  // [s]
  Sample from, to, first, within, last;

 private:
  const Subject& subject_;
  double end_;
};

bool reached(const RunResult& result) { return result.status == Status::ok; }

}  // namespace

// Another stepper, which has seen nothing but the state, takes the same steps to the same bits; and a third one, which
// has just worked on other states of the same system.
void PairChecks::check_continuation() {
  const std::string name = "continues from a copy of its state, bits that differ";
  if (!traits().copyable_memory) {
    leave_out(name, "its history is no part of the state");
    return;
  }
  const System& system = subject_.system();
  const double h = case_.end / steps();
  const Made first = make(stepper_, middle_tolerance);
  State state = system.initial_state();
  const double middle = state.t + before * h, end = state.t + (before + behind) * h;
  const auto failed = [&] { leave_out(name, "a run of equal steps did not reach its end"); };
  if (!reached(catena::run(system, *first.stepper, state,
                           {.step = h, .end = middle, .max_cuts = 0, .verdict = false})))
    return failed();
  const State copy = state;
  const RunOptions rest{
      .step = h, .end = end, .max_cuts = 0, .resume = true, .attached = true, .verdict = false};
  if (!reached(catena::run(system, *first.stepper, state, rest))) return failed();
  for (const bool fresh : {true, false}) {
    const Made other = make(stepper_, middle_tolerance);
    RunOptions options = rest;
    options.attached = !fresh;
    State elsewhere = system.initial_state();
    if (!fresh &&
        !reached(catena::run(system, *other.stepper, elsewhere,
                             {.step = h, .end = elsewhere.t + 3 * h, .max_cuts = 0, .verdict = false})))
      return failed();
    State again = copy;
    double differ = reached(catena::run(system, *other.stepper, again, options)) ? 0.0 : infinity;
    const auto compare = [&](const Vector& a, const Vector& b) {
      if (a.size() != b.size()) differ = infinity;
      for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) differ += a[i] == b[i] ? 0.0 : 1.0;
    };
    compare(state.q, again.q);
    compare(state.v, again.v);
    compare(state.lambda, again.lambda);
    compare(state.a, again.a);
    compare(state.memory, again.memory);
    compare(state.discrete, again.discrete);
    add(name, differ, 0.0).remark = fresh ? "numbers of the state; a stepper that was only attached"
                                          : "the same after steps from elsewhere";
  }
}

// States inside a step. Both ends are those of the step. A part of a step is also what a step of that part reaches: the
// two differ by the error of one step and by that of the interpolant. From h to h/2 these shrink by 2^(p + 1) in q, and in
// v by 2^p (index 3: the multipliers follow the step). With a wrong term the interpolant of q shrinks by 4 and that of v
// by 2, as methods of order 1 do, but none of a higher order.
void PairChecks::check_between() {
  const std::string name = "between the ends of a step: order of q",
                    name_v = "between the ends of a step: order of v";
  const System& system = subject_.system();
  double apart_q[2] = {}, apart_v[2] = {}, ends = 0.0, size_q = 0.0, size_v = 0.0, shortest = 0.0;
  for (int level = 0; level < 2; ++level) {
    const double h = case_.end / steps() / (2 << level);
    shortest = h;
    const Made made = make(stepper_, middle_tolerance), shorter = make(stepper_, middle_tolerance);
    State state = system.initial_state();
    const double end = state.t + ((before << (level + 1)) + 1) * h;
    LastStep step(subject_, end);
    const bool through = reached(catena::run(system, *made.stepper, state,
                                             {.step = h, .end = end, .max_cuts = 0, .verdict = false},
                                             {.observers = {&step}}));
    if (!through || std::abs(step.h - h) > 1e-9 * h) {
      leave_out(name, "a step of the run was shorter than asked for");
      return;
    }
    // A method with a history is at its order behind its first steps; where it may not change the step, and would have to
    // for the part, it has no second way.
    if (!step.left.memory.empty() && !traits().variable_step) {
      leave_out(name, "the step must not change, and there is no other way to a part of it");
      return;
    }
    size_q = std::max(size_q, largest_or_nan(step.to.q));
    size_v = std::max(size_v, largest_or_nan(step.to.v));
    const double worst[] = {distance(step.first.q, step.from.q) / (1.0 + size_q),
                            distance(step.last.q, step.to.q) / (1.0 + size_q),
                            distance(step.first.v, step.from.v) / (1.0 + size_v),
                            distance(step.last.v, step.to.v) / (1.0 + size_v)};
    for (const double end_error : worst)  // one that is no number stays
      if (!(end_error <= ends) && !std::isnan(ends)) ends = end_error;
    State there = step.left;
    const RunResult part_of_it = catena::run(system, *shorter.stepper, there,
                                             {.step = part * h,
                                              .end = there.t + part * h,
                                              .max_cuts = 0,
                                              .resume = traits().copyable_memory,
                                              .verdict = false});
    if (!reached(part_of_it) || part_of_it.steps != 1) {
      leave_out(name, "a part of a step was shorter than asked for");
      return;
    }
    const Sample met = subject_.sample(there);
    apart_q[level] = distance(step.within.q, met.q);
    apart_v[level] = distance(step.within.v, met.v);
  }
  // Coefficients of interpolants have up to three digits, and add a few products.
  add("between the ends of a step: these ends, relative", ends, 1e-13);
  // Roundoff of a few sums of q, and what it makes of a velocity over a part of a step.
  const double least_q = 30.0 * std::numeric_limits<double>::epsilon() * (1.0 + size_q);
  const double least_v = std::max(least_q / (part * shortest), 10.0 * floor() * (1.0 + size_v));
  const auto order = [&](const std::string& what, const double* apart, double promised, double least) {
    if (apart[1] <= least) {
      leave_out(what, "nothing is left but roundoff");
      return;
    }
    constexpr double most = 3.0;  // a cubic
    add(what, std::log2(apart[0] / apart[1]), std::min(most, promised) - between_slack).at_least = true;
  };
  order(name, apart_q, traits().order_q + 1.0, least_q);
  order(name_v, apart_v, traits().order_v, least_v);
}

}  // namespace catena::detail::audit_detail
