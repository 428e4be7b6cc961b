#include <catena/math/option_range.hpp>
#include <catena/solvers/dormand_prince.hpp>
#include <catena/solvers/dormand_prince_memory.hpp>
#include <catena/solvers/dormand_prince_tableau.hpp>
#include <catena/solvers/max_step.hpp>
#include <catena/system/undefined.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace catena {

namespace tableau = dormand_prince_tableau;

void visit(OptionVisitor& visitor, DormandPrinceOptions& o) {
  visit_choice(visitor, {"control", "", "adaptive: steps follow the error; fixed: the step of the run"},
               o.control, {"adaptive", "fixed"});
  visitor.real(
      {"rtol_position", "1", "error of a coordinate relative to it; of a body: to its size", 0.0, 1.0},
      o.rtol_position);
  visitor.real({"atol_position", "1", "error of a coordinate in characteristic sizes", 0.0, 1.0},
               o.atol_position);
  visitor.real({"rtol_velocity", "1", "error of a velocity relative to it", 0.0, 1.0}, o.rtol_velocity);
  visitor.real({"atol_velocity", "1/s", "error of a velocity in characteristic sizes per second", 0.0, 1e6},
               o.atol_velocity);
  visitor.real({"initial_step", "s", "first step tried; 0: found from two derivatives", 0.0, 1e6},
               o.initial_step);
  visitor.real({"max_step", "s", "no step is larger; 0: no limit", 0.0, 1e6}, o.max_step);
  visitor.flag({"stiffness_check", "", "end a run whose steps stability limits, not accuracy"},
               o.stiffness_check);
}

std::string DormandPrince::refuses(const System&) const {
  const DormandPrinceOptions& o = options_;
  if (std::string wrong = out_of_range(o); !wrong.empty()) return wrong;
  if (std::string wrong = endless_max_step(o.max_step); !wrong.empty()) return wrong;
  if (adaptive() && (o.rtol_position + o.atol_position == 0.0 || o.rtol_velocity + o.atol_velocity == 0.0))
    return "no step is small enough for rtol = atol = 0: one of the two must be positive, for positions and "
           "for "
           "velocities";
  return {};
}

DormandPrince::DormandPrince(DormandPrinceOptions options, LinearSolverFactory backend)
    : options_(options), backend_(std::move(backend)) {}

const Traits& DormandPrince::traits() const {
  static const Traits adaptive_traits = [] {
    Traits t;
    t.name = "dormand_prince";
    t.summary = "Dormand-Prince 5(4) with step control on the Lie group, index 1 with projection";
    t.order_q = t.order_v = t.order_lambda = 5;
    t.position_residual = t.velocity_residual = t.acceleration_residual = true;
    t.variable_step = true;
    t.chooses_step = true;
    t.velocity_constraints = true;
    return t;
  }();
  static const Traits fixed_traits = [] {
    Traits t = adaptive_traits;
    t.chooses_step = false;
    return t;
  }();
  return adaptive() ? adaptive_traits : fixed_traits;
}

Outcome DormandPrince::take_on(const System& system) {
  system_ = &system;
  statistics_ = {};
  KktOptions kkt;
  kkt.backend = backend_;
  const std::string refusal = kkt_.attach(system, kkt);
  if (!refusal.empty()) {
    KktReport report;
    report.status = Status::unsupported;
    report.culprit = {refusal, "analysis", 0.0};
    return failure(report);
  }
  const SystemLayout& layout = system.layout();
  const auto n = static_cast<std::size_t>(layout.v_size()),
             m = static_cast<std::size_t>(layout.lambda_size());
  const auto nq = static_cast<std::size_t>(layout.q_size);
  plain_ = system.has_rate();
  sized_ = plain_ || nq == n;
  const std::size_t nx = plain_ ? nq : n;
  for (auto& k : kx_) k.assign(nx, 0.0);
  for (auto& k : kv_) k.assign(n, 0.0);
  for (auto& r : dense_x_) r.assign(nx, 0.0);
  for (auto& r : dense_v_) r.assign(n, 0.0);
  for (auto* x : {&x_, &x_stage_, &between_, &taken_x_}) x->assign(nx, 0.0);
  for (auto* x : {&v_, &v_stage_, &v_before_, &a_, &taken_v_}) x->assign(n, 0.0);
  q_.assign(nq, 0.0);
  q_before_.assign(nq, 0.0);
  lambda_.assign(m, 0.0);
  lambda_before_.assign(m, 0.0);
  discrete_before_.assign(static_cast<std::size_t>(layout.discrete_size), 0.0);
  rhs_.assign(n + m, 0.0);
  pole_.attach(system, traits().order_lambda, statistics_);
  roundoff_length_ = layout.roundoff_length;
  h_taken_ = h_before_ = 0.0;
  look_for_redundant_rows();
  return {};
}

double DormandPrince::proposed_step(const State& state) const {
  return state.memory.size() == Memory::size ? Memory::of(state).h() : 0.0;
}

Outcome DormandPrince::step(State& state, double h) {
  if (state.memory.size() != Memory::size) {
    KktReport report;
    report.status = Status::unsupported;
    report.culprit = {"the state was not started by this stepper: call start()", "memory",
                      static_cast<double>(state.memory.size())};
    return failure(report);
  }
  discrete_ = state.discrete.data();
  h_taken_ = jumps_hide_below_ = 0.0;
  const Memory memory = Memory::of(state);
  const double asked = h;
  Outcome outcome;
  bool rejected = false;
  while (true) {
    KktReport report = attempt(state, h);
    if (!adaptive() && report.status == Status::ok) {
      const Outcome seen = judged({}, state, h);
      report.status = seen.status;
      report.culprit = seen.culprit;
    }
    const double err = report.status == Status::ok && adaptive() ? error(state, h) : 0.0;
    if (report.status == Status::ok && err <= 1.0) {
      double kept[Memory::size];
      std::copy(memory.base, memory.base + Memory::size, kept);
      if (adaptive()) memory.h() = advice(memory, h, asked, err, rejected);
      if (adaptive()) memory.error() = std::max(err, 1e-4);
      if (adaptive() && options_.stiffness_check && limited_by_stability(memory, h)) {
        report.status = Status::unstable;
        report.culprit = {kkt_.owner(worst_velocity_change()),
                          "h times the largest eigenvalue; stability limits the steps, not accuracy: take an "
                          "implicit stepper",
                          stiffness_};
      } else {
        report = accept(state, h);
      }
      if (report.status == Status::ok) break;
      std::copy(kept, kept + Memory::size, memory.base);
      if (report.status == Status::unstable) return failure(report);
    }
    ++statistics_.rejected_steps;
    if (report.status != Status::ok) {
      outcome = failure(report);
      if (!adaptive()) return judged(std::move(outcome), state, h);
    } else {
      outcome = too_inaccurate(state.t, h);
    }
    rejected = true;
    h *= cut_after(err);
    constexpr double epsilon = std::numeric_limits<double>::epsilon();
    if (!(h > std::max(16.0 * epsilon * std::max(std::abs(state.t), asked * epsilon), jumps_hide_below_)))
      return judged(std::move(outcome), state, asked);
  }
  outcome = {};
  outcome.h_taken = h;
  outcome.h_next = adaptive() ? memory.h() : h;
  return outcome;
}

// What the watch over dependent rows makes of an attempt: steps cut to nothing are its business whatever they
// failed of.
Outcome DormandPrince::judged(Outcome outcome, const State& state, double h) {
  if (lambda_.empty() || redundant_) return outcome;  // multipliers of redundant rows are open
  const Status status = outcome.status;
  if (status == Status::step_too_small || status == Status::not_finite)
    outcome.status = Status::newton_not_converged;
  Point next = at(state.t + h, q_.data(), v_.data());
  next.lambda = lambda_.data();
  MultiplierPole::Loan loan{rhs_.data(), dense_v_[0].data(), dense_v_[1].data(), q_before_.data(), kkt_, {}};
  loan.weights.mass = 1.0;
  outcome =
      pole_.judged(std::move(outcome), state, next, h_before_ > 0.0 ? lambda_before_.data() : nullptr, loan);
  if (outcome.status == Status::newton_not_converged) outcome.status = status;
  return outcome;
}

// The stages, and the end of the step on the constraints in q_, v_, a_, lambda_.
KktReport DormandPrince::attempt(const State& state, double h) {
  const std::size_t n = v_.size(), nx = x_.size();
  const double* from = plain_ ? state.q.data() : nullptr;  // x of the start; else 0
  std::copy(state.a.begin(), state.a.end(), kv_[0].begin());
  if (plain_)
    system_->rate(at(state.t, state.q.data(), state.v.data()), kx_[0].data());
  else
    std::copy(state.v.begin(), state.v.end(), kx_[0].begin());
  for (int s = 1; s < stages; ++s) {
    for (std::size_t i = 0; i < nx; ++i) {
      double sum = 0.0;
      for (int j = 0; j < s; ++j) sum += tableau::a[s][j] * kx_[j][i];
      x_[i] = (from == nullptr ? 0.0 : from[i]) + h * sum;
    }
    for (std::size_t i = 0; i < n; ++i) {
      double sum = 0.0;
      for (int j = 0; j < s; ++j) sum += tableau::a[s][j] * kv_[j][i];
      v_[i] = state.v[i] + h * sum;
    }
    place(state, x_.data());
    const double t = state.t + tableau::c[s] * h;
    KktReport report;
    if (s + 1 < stages) {
      report = accelerate(t);
      if (s + 2 == stages) {
        std::copy(x_.begin(), x_.end(), x_stage_.begin());
        std::copy(v_.begin(), v_.end(), v_stage_.begin());
      }
    } else {
      report = finish_and_compare(state, h);
    }
    if (report.status == Status::not_finite)
      find_undefined(*system_, at(t, q_.data(), v_.data()), report.culprit);
    if (report.status != Status::ok) return report;
    if (plain_)
      system_->rate(at(t, q_.data(), v_.data()), kx_[s].data());
    else
      system_->inverse_tangent(x_.data(), v_.data(), kx_[s].data());
    std::copy(a_.begin(), a_.end(), kv_[s].begin());
  }
  return {};
}

// q_ of the stage x.
void DormandPrince::place(const State& state, const double* x) {
  if (plain_)
    std::copy(x, x + q_.size(), q_.begin());
  else
    system_->retract(state.q.data(), x, q_.data());
}

Outcome DormandPrince::failure(const KktReport& report) const {
  Outcome o;
  o.status = report.status;
  o.culprit = report.culprit;
  return o;
}

Point DormandPrince::at(double t, const double* q, const double* v) const {
  Point p;
  p.t = t;
  p.q = q;
  p.v = v;
  p.discrete = discrete_;
  return p;
}

}  // namespace catena
