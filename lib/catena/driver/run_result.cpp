#include <catena/driver/parts/run_result.hpp>
#include <catena/math/detail/printed.hpp>

#include <algorithm>
#include <cmath>

namespace catena {
using namespace detail;
namespace {

// Twelve digits: after three steps of 0.1 s the clock is at 0.30000000000000004.
std::string instant(double t) { return printed("%.12g", t); }

// Not one step of the grid was completed: the step itself is the first suspect.
std::string advice(const RunResult& r) {
  const bool by_steps = r.status != Status::unsupported && r.status != Status::stopped &&
                        r.status != Status::event && r.status != Status::exception && !r.chosen_steps;
  const bool by_roundoff = r.culprit.quantity.find("a larger step") != std::string::npos;
  if (by_steps && !by_roundoff && r.rejected > 0 && r.t_end < r.t_begin + 0.999 * r.step)
    return "; a step of " + printed("%.3g", r.step) + " s was asked for and cut " +
           std::to_string(r.rejected) + " times: take a smaller one";
  // What the steps before have made of the motion may end where the motion passes.
  if (by_steps && r.cause == Status::singular_kkt)
    return "; take a smaller step than " + printed("%.3g", r.step) +
           " s: where the motion itself ends, it ends at the same time";
  return {};
}

}  // namespace

std::string to_text(const RunResult& r) {
  if (r.status == Status::ok) return "ok: reached t = " + instant(r.t_end) + " s";
  std::string text = std::string(to_string(r.status)) + " at t = " + instant(r.t_end) + " s";
  if (r.cause != Status::ok) text += " (" + std::string(to_string(r.cause)) + " at the smallest step)";
  if (!r.message.empty()) text += ": " + r.message;
  // A message on the culprit says what is wrong with it.
  const Culprit& c = r.culprit;
  const bool whole = !c.why.empty() && r.message == c.why;
  const bool said = whole || (r.message.starts_with(c.name + ": ") && !c.why.empty());
  // What a stepper refuses is a sentence in place of a name (Stepper::attach).
  if (r.status == Status::unsupported && c.quantity == "analysis" && r.message.empty())
    return text + ": " + c.name;
  if (!said && (!c.quantity.empty() || !c.name.empty())) {
    const double value = std::isnan(c.value) ? std::abs(c.value) : c.value;  // some processors make -nan
    text += ": " + (c.quantity.empty() ? "value" : c.quantity) + printed(" %.3g", value);
    if (!c.name.empty()) text += " of " + c.name;
  }
  return whole ? text : text + advice(r);
}

void add(StepperStatistics& sum, const StepperStatistics& more) {
  for (long StepperStatistics::*const count :
       {&StepperStatistics::steps, &StepperStatistics::rejected_steps, &StepperStatistics::rejected_by_error,
        &StepperStatistics::rejected_by_newton, &StepperStatistics::newton_iterations,
        &StepperStatistics::evaluations, &StepperStatistics::factorizations, &StepperStatistics::solves,
        &StepperStatistics::refinements, &StepperStatistics::indefinite_factorizations,
        &StepperStatistics::growing_factorizations, &StepperStatistics::stagnations,
        &StepperStatistics::dropped_geometric_stiffness, &StepperStatistics::fallback_factorizations,
        &StepperStatistics::restarts})
    sum.*count += more.*count;
  for (double StepperStatistics::*const time :
       {&StepperStatistics::seconds_evaluate, &StepperStatistics::seconds_factorize,
        &StepperStatistics::seconds_solve, &StepperStatistics::seconds_start})
    sum.*time += more.*time;
  for (const GuardCount& guard : more.guards) {
    const auto same = [&](const GuardCount& g) { return g.name == guard.name && g.reports == guard.reports; };
    const auto known = std::find_if(sum.guards.begin(), sum.guards.end(), same);
    if (known == sum.guards.end()) {
      sum.guards.push_back(guard);
      continue;
    }
    if (known->count == 0)
      *known = guard;
    else
      known->count += guard.count;
  }
  sum.multiplier_noise = std::max(sum.multiplier_noise, more.multiplier_noise);
}

}  // namespace catena
