#include <catena/math/detail/named_error.hpp>
#include <catena/math/detail/printed.hpp>
#include <catena/stepper/detail/consistent_start.hpp>
#include <catena/stepper/detail/hermite.hpp>
#include <catena/stepper/simple_stepper.hpp>
#include <catena/system/detail/fit.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

namespace catena {
using namespace detail;
namespace {

// What an advance() has made of the sizes of its state would be written over what lies behind its arrays.
void check_sizes(const Stepper& stepper, const System& system, const State& s) {
  if (!misfit_of(system.layout(), s).empty())
    throw NamedError(
        "stepper " + stepper.traits().name,
        printed("advance() has changed the sizes of its state, which has %zu coordinates, %zu "
                "velocities, %zu accelerations and %zu multipliers now; the system has %d, %d, "
                "%d and %d",
                s.q.size(), s.v.size(), s.a.size(), s.lambda.size(), system.layout().q_size,
                system.layout().v_size(), system.layout().v_size(), system.layout().lambda_size()));
}

}  // namespace

Outcome SimpleStepper::set_up(const System& system) {
  consistent_.reset();
  std::string why = kkt_.attach(system, {});
  if (!why.empty()) return failure(Status::unsupported, {std::move(why), "analysis", 0.0});
  h_taken_ = 0.0;
  discrete_ = system.initial_state().discrete;
  consistent_.emplace(system, kkt_, discrete_.data());
  increment_.resize(static_cast<std::size_t>(system.layout().v_size()));
  return {};
}

Outcome SimpleStepper::begin(State& state, double, bool) {
  std::copy_n(state.discrete.begin(), discrete_.size(), discrete_.begin());
  const KktReport report = make_consistent_values(*consistent_, kkt_, state, true);
  state.memory.clear();
  return failure(report.status, report.status == Status::ok ? Culprit{} : report.culprit);
}

Outcome SimpleStepper::take_step(State& state, double h) {
  assert(consistent_ && "call attach() first");
  std::copy_n(state.discrete.begin(), discrete_.size(), discrete_.begin());
  next_ = state;
  h_taken_ = 0.0;
  KktReport report = advance(next_, h);
  check_sizes(*this, *system_, next_);
  if (report.status == Status::ok && !(std::abs(next_.t - (state.t + h)) <= 0.1 * std::abs(h)))
    throw NamedError(
        "stepper " + traits().name,
        printed("advance() has left s.t at %.9g s, and the step ends at %.9g s: it must set s.t += h",
                next_.t, state.t + h));
  if (report.status == Status::ok) report = finite(next_);
  if (report.status != Status::ok) {
    ++statistics_.rejected_steps;
    Outcome outcome = failure(report.status, report.culprit);
    outcome.h_next = 0.5 * h;
    return outcome;
  }
  std::swap(before_, state);
  std::swap(state, next_);
  h_taken_ = h;
  next_ = state;  // the end, for interpolate()
  Outcome outcome;
  outcome.h_taken = outcome.h_next = h;
  return outcome;
}

// The step taken stays, for interpolate().
Outcome SimpleStepper::exchanged(State& state, double) {
  std::copy_n(state.discrete.begin(), discrete_.size(), discrete_.begin());
  const KktReport report = find_accelerations(state);
  if (report.status != Status::ok) h_taken_ = 0.0;
  return failure(report.status, report.culprit);
}

// A method that closes nothing may have left numbers that are none.
KktReport SimpleStepper::finite(const State& s) const {
  KktReport report;
  const auto look_at = [&](const std::vector<double>& x, const char* quantity, int first) {
    for (std::size_t k = 0; k < x.size() && report.status == Status::ok; ++k) {
      if (std::isfinite(x[k])) continue;
      report.status = Status::not_finite;
      report.culprit = {first < 0 ? "" : kkt_.owner(first + static_cast<int>(k)), quantity, x[k]};
    }
  };
  look_at(s.q, "coordinate", -1);
  look_at(s.v, "velocity", 0);
  look_at(s.a, "acceleration", 0);
  look_at(s.lambda, "multiplier", system_->layout().v_size());
  return report;
}

void SimpleStepper::interpolate(double theta, double* q, double* v) const {
  assert(h_taken_ != 0.0 && "only after a step that succeeded");
  between_.resize(before_.v.size());
  change_.resize(before_.v.size());
  system_->difference(before_.q.data(), next_.q.data(), change_.data());
  interpolate_on_group(*system_,
                       {h_taken_, before_.q.data(), change_.data(), before_.v.data(), next_.v.data(),
                        before_.a.data(), next_.a.data()},
                       theta, between_.data(), q, v);
}

void SimpleStepper::move(State& s, const std::vector<double>& v, double h) {
  check_sizes(*this, *system_, s);
  if (v.size() != increment_.size())
    throw NamedError(
        "stepper " + traits().name,
        printed("move() was given %zu velocities; the system has %zu", v.size(), increment_.size()));
  for (std::size_t k = 0; k < increment_.size(); ++k) increment_[k] = h * v[k];
  system_->retract(s.q.data(), increment_.data(), s.q.data());
}

KktReport SimpleStepper::close_positions(State& s) {
  check_sizes(*this, *system_, s);
  double size = 1.0, change = 0.0;
  for (const double x : s.q) size = std::max(size, std::abs(x));
  ++statistics_.solves;
  return consistent_->project_positions(s.t, s.q.data(), 1e-13 * size, change);
}

KktReport SimpleStepper::close_velocities(State& s) {
  check_sizes(*this, *system_, s);
  double change = 0.0;
  ++statistics_.factorizations;
  ++statistics_.solves;
  return consistent_->project_velocities(s.t, s.q.data(), s.v.data(), change);
}

KktReport SimpleStepper::find_accelerations(State& s) {
  check_sizes(*this, *system_, s);
  ++statistics_.factorizations;
  ++statistics_.solves;
  return consistent_->accelerations(s.t, s.q.data(), s.v.data(), s.a.data(), s.lambda.data());
}

KktReport SimpleStepper::close(State& s) {
  KktReport report = close_positions(s);
  if (report.status == Status::ok) report = close_velocities(s);
  if (report.status == Status::ok) report = find_accelerations(s);
  return report;
}

}  // namespace catena
