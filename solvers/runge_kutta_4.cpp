#include <catena/solvers/runge_kutta_4.hpp>
#include <catena/stepper/phase_timer.hpp>
#include <catena/system/undefined.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>

namespace catena {
namespace {

constexpr double nodes[] = {0.0, 0.5, 0.5, 1.0};
constexpr double weights[] = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0};

// The first number that is not finite, -1: none.
int first_bad(const std::vector<double>& x) {
  for (std::size_t k = 0; k < x.size(); ++k)
    if (!std::isfinite(x[k])) return static_cast<int>(k);
  return -1;
}

}  // namespace

const Traits& RungeKutta4::traits() const {
  static const Traits value = [] {
    Traits t;
    t.name = "runge_kutta_4";
    t.summary = "classical Runge-Kutta of order 4, fixed step, systems without constraints";
    t.order_q = t.order_v = 4;
    t.variable_step = true;
    return t;
  }();
  return value;
}

std::string RungeKutta4::refuses(const System& system) const {
  if (system.layout().lambda_size() == 0) return {};
  return "runge_kutta_4 solves no constraints, and this system has " +
         std::to_string(system.layout().lambda_size()) +
         " rows of them: take dormand_prince, which projects on them, or an implicit stepper";
}

Outcome RungeKutta4::take_on(const System& system) {
  system_ = &system;
  statistics_ = {};
  KktOptions kkt;
  kkt.backend = backend_;
  const std::string refusal = kkt_.attach(system, kkt);
  if (!refusal.empty()) return failure(Status::unsupported, {refusal, "analysis", 0.0});
  const SystemLayout& layout = system.layout();
  const auto n = static_cast<std::size_t>(layout.v_size()), nq = static_cast<std::size_t>(layout.q_size);
  plain_ = system.has_rate();
  const std::size_t nx = plain_ ? nq : n;
  for (auto& k : kx_) k.assign(nx, 0.0);
  for (auto& k : kv_) k.assign(n, 0.0);
  for (auto* x : {&x_, &x_end_, &kx_end_, &between_}) x->assign(nx, 0.0);
  for (auto* x : {&v_, &a_, &v_before_, &a_before_, &a_end_}) x->assign(n, 0.0);
  for (auto* x : {&q_, &q_before_}) x->assign(nq, 0.0);
  discrete_before_.assign(static_cast<std::size_t>(layout.discrete_size), 0.0);
  h_taken_ = 0.0;
  return {};
}

Outcome RungeKutta4::start(State& state, double) {
  const PhaseTimer timer(statistics_.seconds_start);
  discrete_ = state.discrete.data();
  const KktReport report = accelerate(state.t, state.q.data(), state.v.data(), a_.data());
  if (report.status != Status::ok) return failure(Status::inconsistent_start, report.culprit);
  state.a = a_;
  state.memory.clear();
  return {};
}

Outcome RungeKutta4::step(State& state, double h) {
  h_taken_ = 0.0;
  discrete_ = state.discrete.data();
  std::copy(state.a.begin(), state.a.end(), kv_[0].begin());
  std::fill(x_.begin(), x_.end(), 0.0);
  KktReport report = derivatives(state.t, x_.data(), state.q.data(), state.v.data(), kx_[0].data(), nullptr);
  const auto place = [&](int s, double c) {  // the stage reached with c times the slopes of stage s
    const auto k = static_cast<std::size_t>(s);
    for (std::size_t i = 0; i < x_.size(); ++i) x_[i] = (plain_ ? state.q[i] : 0.0) + c * h * kx_[k][i];
    for (std::size_t i = 0; i < v_.size(); ++i) v_[i] = state.v[i] + c * h * kv_[k][i];
  };
  const auto put_q = [&] {
    if (plain_)
      std::copy(x_.begin(), x_.end(), q_.begin());
    else
      system_->retract(state.q.data(), x_.data(), q_.data());
  };
  for (int s = 1; s < stages && report.status == Status::ok; ++s) {
    const auto k = static_cast<std::size_t>(s);
    place(s - 1, nodes[s]);
    put_q();
    report =
        derivatives(state.t + nodes[s] * h, x_.data(), q_.data(), v_.data(), kx_[k].data(), kv_[k].data());
  }
  if (report.status == Status::ok) {
    const auto sum = [](const std::vector<double>* k, std::size_t i) {
      return weights[0] * k[0][i] + weights[1] * k[1][i] + weights[2] * k[2][i] + weights[3] * k[3][i];
    };
    for (std::size_t i = 0; i < x_.size(); ++i) x_[i] = (plain_ ? state.q[i] : 0.0) + h * sum(kx_, i);
    for (std::size_t i = 0; i < v_.size(); ++i) v_[i] = state.v[i] + h * sum(kv_, i);
    put_q();
    report = derivatives(state.t + h, x_.data(), q_.data(), v_.data(), kx_end_.data(), a_.data());
  }
  return report.status == Status::ok ? accept(state, h) : failure(report.status, report.culprit);
}

Outcome RungeKutta4::accept(State& state, double h) {
  std::copy(x_.begin(), x_.end(), x_end_.begin());
  std::copy(a_.begin(), a_.end(), a_end_.begin());
  q_before_.swap(state.q);
  v_before_.swap(state.v);
  a_before_.swap(state.a);
  std::copy(q_.begin(), q_.end(), state.q.begin());
  std::copy(v_.begin(), v_.end(), state.v.begin());
  std::copy(a_.begin(), a_.end(), state.a.begin());
  std::copy_n(state.discrete.begin(), discrete_before_.size(), discrete_before_.begin());
  // Where the system exchanges equations, accelerations by the new ones.
  if (system_->update_discrete(state)) {
    const KktReport report = accelerate(state.t + h, state.q.data(), state.v.data(), state.a.data());
    if (report.status != Status::ok) {
      state.q.swap(q_before_);
      state.v.swap(v_before_);
      state.a.swap(a_before_);
      std::copy(discrete_before_.begin(), discrete_before_.end(), state.discrete.begin());
      return failure(report.status, report.culprit);
    }
  }
  state.t += h;
  h_taken_ = h;
  ++statistics_.steps;
  Outcome outcome;
  outcome.h_taken = outcome.h_next = h;
  return outcome;
}

KktReport RungeKutta4::derivatives(double t, const double* x, const double* q, const double* v, double* kx,
                                   double* kv) {
  if (plain_)
    system_->rate(at(t, q, v), kx);
  else
    system_->inverse_tangent(x, v, kx);
  return kv == nullptr ? KktReport{} : accelerate(t, q, v, kv);
}

KktReport RungeKutta4::accelerate(double t, const double* q, const double* v, double* a) {
  Linearization lin;
  lin.matrix = &kkt_.matrix();
  lin.mass = 1.0;
  Evaluation wanted;
  wanted.linearization = &lin;
  wanted.balance = a_.data();
  {
    const PhaseTimer timer(statistics_.seconds_evaluate);
    system_->evaluate(at(t, q, v), wanted);
    ++statistics_.evaluations;
  }
  for (double& value : a_) value = -value;
  KktReport report;
  const int before = first_bad(a_);
  if (before >= 0) {  // named before the elimination spreads it
    report.status = Status::not_finite;
    report.culprit = {kkt_.owner(before), "force balance", a_[static_cast<std::size_t>(before)]};
    find_undefined(*system_, at(t, q, v), report.culprit);
    return report;
  }
  const PhaseTimer timer(statistics_.seconds_factorize);
  report = kkt_.factorize_and_solve(a_.data());
  ++statistics_.factorizations;
  ++statistics_.solves;
  if (report.status == Status::ok && first_bad(a_) >= 0) {
    report.status = Status::not_finite;
    report.culprit = {kkt_.owner(first_bad(a_)), "acceleration", a_[static_cast<std::size_t>(first_bad(a_))]};
  }
  if (report.status == Status::ok && a != a_.data()) std::copy(a_.begin(), a_.end(), a);
  return report;
}

void RungeKutta4::interpolate(double theta, double* q, double* v) const {
  assert(h_taken_ > 0.0 && "no step was taken last");
  const double rest = 1.0 - theta, to = theta * theta * (3.0 - 2.0 * theta);
  const double begin = h_taken_ * theta * rest * rest, end = -h_taken_ * theta * theta * rest;
  for (std::size_t i = 0; i < v_before_.size(); ++i)
    v[i] = (1.0 - to) * v_before_[i] + to * v_[i] + begin * a_before_[i] + end * a_end_[i];
  for (std::size_t i = 0; i < between_.size(); ++i)
    between_[i] =
        (plain_ ? (1.0 - to) * q_before_[i] : 0.0) + to * x_end_[i] + begin * kx_[0][i] + end * kx_end_[i];
  if (plain_)
    std::copy(between_.begin(), between_.end(), q);
  else
    system_->retract(q_before_.data(), between_.data(), q);
}

Point RungeKutta4::at(double t, const double* q, const double* v) const {
  Point p;
  p.t = t;
  p.q = q;
  p.v = v;
  p.discrete = discrete_;
  return p;
}

}  // namespace catena
