// What the contract of a stepper says of its memory and of the step in between its ends.
#include <catena/studies/detail/audit_pair_checks.hpp>

#include <limits>

namespace catena::detail::audit_detail {
namespace {

constexpr int before = 8, behind = 8;  // steps of the run that is continued: more than a history is long
// Of a step there are `part` and the rest, neither of them near a half, where errors of interpolants cancel.
constexpr double part = 0.3;
constexpr double infinity = std::numeric_limits<double>::infinity();

// The stepper brought to state by so many steps of h; false: one of them failed, or was shorter.
bool advance(Stepper& stepper, State& state, double h, int count) {
  for (int k = 0; k < count; ++k) {
    const Outcome outcome = stepper.step(state, h);
    if (outcome.status != Status::ok || outcome.h_taken != h) return false;
  }
  return true;
}

bool begin(Stepper& stepper, const System& system, State& state, double h) {
  return stepper.attach(system).status == Status::ok && stepper.start(state, h).status == Status::ok;
}

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
  const Made first = make(stepper_, middle_tolerance);
  State state = system.initial_state();
  double h = case_.end / steps();
  if (!begin(*first.stepper, system, state, h)) return;  // the runs above have said so
  Vector sizes;                                          // of the steps that were asked for
  const auto follow = [&](Stepper& stepper, State& s) {
    const Outcome outcome = stepper.step(s, h);
    sizes.push_back(h);
    if (controlled() && outcome.h_next > 0.0) h = outcome.h_next;
    return outcome.status == Status::ok;
  };
  for (int k = 0; k < before; ++k)
    if (!follow(*first.stepper, state)) return;
  const State copy = state;
  for (int k = 0; k < behind; ++k)
    if (!follow(*first.stepper, state)) return;
  for (const bool fresh : {true, false}) {
    const Made other = make(stepper_, middle_tolerance);
    if (other.stepper->attach(system).status != Status::ok) return;
    if (!fresh) {
      State elsewhere = system.initial_state();
      if (other.stepper->start(elsewhere, sizes[0]).status != Status::ok) return;
      for (int k = 0; k < 3; ++k)
        if (other.stepper->step(elsewhere, sizes[0]).status != Status::ok) return;
    }
    State again = copy;
    bool reached = true;
    for (std::size_t k = before; k < sizes.size() && reached; ++k)
      reached = other.stepper->step(again, sizes[k]).status == Status::ok;
    double differ = reached ? 0.0 : infinity;
    const auto compare = [&](const Vector& a, const Vector& b) {
      for (std::size_t i = 0; i < a.size(); ++i) differ += a[i] == b[i] ? 0.0 : 1.0;
      differ += a.size() == b.size() ? 0.0 : infinity;
    };
    compare(state.q, again.q);
    compare(state.v, again.v);
    compare(state.lambda, again.lambda);
    add(name, differ, 0.0).remark = fresh ? "numbers of q, v, lambda; a stepper that was only attached"
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
    if (!begin(*made.stepper, system, state, h)) return;
    // A method with a history is at its order behind its first steps; where it may not change the step, and would have to
    // for the part, it has no second way.
    const bool history = !state.memory.empty();
    if (history && !traits().variable_step) {
      leave_out(name, "the step must not change, and there is no other way to a part of it");
      return;
    }
    if (!advance(*made.stepper, state, h, before << (level + 1))) {
      leave_out(name, "a step of the run was shorter than asked for");
      return;
    }
    const State left = state;
    if (!advance(*made.stepper, state, h, 1)) {
      leave_out(name, "a step of the run was shorter than asked for");
      return;
    }
    const auto at = [&](double theta) {
      State s = state;
      s.t = left.t + theta * h;
      made.stepper->interpolate(theta, s.q.data(), s.v.data());
      return subject_.sample(s);
    };
    const Sample from = subject_.sample(left), to = subject_.sample(state), inside = at(part);
    const Sample first = at(0.0), last = at(1.0);
    size_q = std::max(size_q, largest(to.q));
    size_v = std::max(size_v, largest(to.v));
    ends =
        std::max({ends, distance(first.q, from.q) / (1.0 + size_q), distance(last.q, to.q) / (1.0 + size_q),
                  distance(first.v, from.v) / (1.0 + size_v), distance(last.v, to.v) / (1.0 + size_v)});
    State there = left;
    const bool copied = traits().copyable_memory;
    if (shorter.stepper->attach(system).status != Status::ok) return;
    if (!copied && shorter.stepper->start(there, part * h).status != Status::ok) return;
    if (!advance(*shorter.stepper, there, part * h, 1)) {
      leave_out(name, "a part of a step was shorter than asked for");
      return;
    }
    const Sample reached = subject_.sample(there);
    apart_q[level] = distance(inside.q, reached.q);
    apart_v[level] = distance(inside.v, reached.v);
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
