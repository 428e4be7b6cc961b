#include <catena/math/detail/option_range.hpp>
#include <catena/solvers/detail/ida_work.hpp>
#include <catena/stepper/detail/consistent_start.hpp>
#include <catena/stepper/detail/max_step.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

namespace catena {
using namespace detail;

void visit(OptionVisitor& visitor, IdaOptions& o) {
  visit_choice(
      visitor,
      {"form", "",
       "index1: accelerations only, drifts; gear_gupta_leimkuhler: positions and velocities by added "
       "multipliers; dummy_derivatives: by dependent coordinates"},
      o.form, {"index1", "gear_gupta_leimkuhler", "dummy_derivatives"});
  visitor.real(tolerance_option({"rtol", "1", "relative tolerance of the local error", 1e-14, 1e-1}), o.rtol);
  visitor.real(
      tolerance_option({"atol", "1", "absolute tolerance, in the SI unit of each component", 1e-16, 1e3}),
      o.atol);
  visitor.real({"rtol_q", "1", "of coordinates; 0: rtol", 0.0, 1e-1}, o.rtol_q);
  visitor.real({"rtol_v", "1", "of velocities; 0: rtol", 0.0, 1e-1}, o.rtol_v);
  visitor.real({"rtol_lambda", "1", "of multipliers; 0: rtol", 0.0, 1e-1}, o.rtol_lambda);
  visitor.real({"atol_q", "m", "of coordinates; 0: atol", 0.0, 1e3}, o.atol_q);
  visitor.real({"atol_v", "m/s", "of velocities; 0: atol", 0.0, 1e3}, o.atol_v);
  visitor.real({"atol_lambda", "N", "of multipliers; 0: atol", 0.0, 1e9}, o.atol_lambda);
  visitor.flag({"control_lambda", "",
                "multipliers and other algebraic unknowns count in the error test and in Newton's"},
               o.control_lambda);
  visitor.integer({"max_order", "1", "highest order of the BDF", 1, 5}, o.max_order);
  visitor.real({"max_step", "s", "largest internal step; 0: none", 0.0, 1e9}, o.max_step);
  visitor.real({"newton_coefficient", "1", "Newton stops at this part of the tolerance", 1e-8, 1.0},
               o.newton_coefficient);
  visitor.real(
      {"pivot_threshold", "1",
       "dummy_derivatives: dependent coordinates are chosen anew when a pivot falls below this part of "
       "the best one",
       0.0, 0.99},
      o.pivot_threshold);
  visit_guards(visitor, o.guards, {&pole_guard, &forbidden_velocity_guard});
}

namespace {

// Of the index-1 system at starts; steps are solved by KLU.
KktOptions kkt_options() {
  KktOptions kkt;
  kkt.factorization = Factorization::ldu;
  kkt.border = Border::separate;
  return kkt;
}

}  // namespace

Ida::Ida(IdaOptions options) : options_(std::move(options)) {}
Ida::~Ida() = default;

const Traits& Ida::traits() const {
  static const Traits index1 = [] {
    Traits t;
    t.name = "ida";
    t.summary = "SUNDIALS IDA (BDF, orders 1 to 5, error control) with KLU: the reference from the field";
    t.coordinates = Coordinates::lagrangian;
    t.order_q = t.order_v = t.order_lambda = 5;
    t.acceleration_residual = true;
    t.variable_step = t.chooses_step = true;
    t.copyable_memory = false;
    t.velocity_constraints = true;
    return t;
  }();
  static const Traits stabilized = [] {
    Traits t = index1;
    t.position_residual = t.velocity_residual = true;
    t.acceleration_residual = false;
    return t;
  }();
  static const Traits dummy = [] {
    Traits t = stabilized;
    t.acceleration_residual = true;
    return t;
  }();
  switch (options_.form) {
    case IdaOptions::Form::index1:
      return index1;
    case IdaOptions::Form::gear_gupta_leimkuhler:
      return stabilized;
    case IdaOptions::Form::dummy_derivatives:
      return dummy;
  }
  return index1;
}

std::string Ida::refuses(const System& system) const {
  if (std::string wrong = out_of_range(options_); !wrong.empty()) return wrong;
  if (std::string wrong = endless_max_step(options_.max_step); !wrong.empty()) return wrong;
  if (!system.has_lagrangian() || system.has_rate() || system.layout().q_size != system.layout().v_size())
    return "ida works on plain coordinates whose rates are the velocities (bodies in seven coordinates); on "
           "other systems use generalized_alpha";
  if (system.layout().lambda_size() == 0) return {};
  State s = system.initial_state();
  KktSolver kkt;
  if (!kkt.attach(system, kkt_options()).empty()) return {};  // attach() says so
  const double* discrete = s.discrete.empty() ? nullptr : s.discrete.data();
  const KktReport r = ConsistentValues(system, kkt, discrete)
                          .accelerations(s.t, s.q.data(), s.v.data(), s.a.data(), s.lambda.data());
  if (r.status != Status::ok || !has_redundant_rows(kkt, r) || is_weak_by_masses(kkt))
    return {};  // start() says what is wrong
  return "ida takes no redundant rows, and those of " + system.constraint_name(r.weakest_dual) +
         " depend on others";
}

Outcome Ida::set_up(const System& system) {
  work_ = std::make_unique<Work>(system, options_, statistics_);
  const std::string why = work_->kkt.attach(system, kkt_options());
  if (!why.empty()) return failure(Status::unsupported, {why, "analysis", 0.0});
  work_->session.emplace(work_->equations, options_);
  return {};
}

Outcome Ida::begin(State& state, double, bool first) {
  Work& w = *work_;
  w.has_last = w.live = false;
  if (first) {
    ConsistentValues consistent(w.system, w.kkt, state.discrete.empty() ? nullptr : state.discrete.data());
    const KktReport r = make_consistent_values(consistent, w.kkt, state, true);
    if (r.status != Status::ok) return failure(r.status, r.culprit);
    if (w.redundant(r)) return failure(Status::singular_kkt, w.redundant_rows(r));
    w.last = state;
  } else {
    ++w.statistics.restarts;
    w.last = state;
    Outcome outcome = w.polish();
    if (outcome.status != Status::ok) return outcome;
  }
  w.last.memory.clear();
  state = w.last;
  w.has_last = w.choose = w.fresh = true;
  return {};
}

Outcome Ida::take_step(State& state, double h) {
  Work& w = *work_;
  Culprit remark;
  const bool known = w.knows(state);
  if (!known) {
    w.last = state;
    w.has_last = w.choose = true;
    w.live = w.fresh = false;
    remark = {"", "restarted: the history of IDA is no part of the state", 0.0};
  }
  w.last.discrete = state.discrete;
  w.equations.set_discrete(w.last.discrete.empty() ? nullptr : w.last.discrete.data());
  w.last.t = known ? state.t : w.last.t;
  if (!w.live || w.choose) {
    if (!w.fresh) {
      ++w.statistics.restarts;
      const Outcome outcome = w.polish();
      if (outcome.status != Status::ok) return w.forget(outcome);
    }
    const Outcome outcome = w.begin();
    w.fresh = false;
    if (outcome.status != Status::ok) return w.forget(outcome);
  }

  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  if (h <= 16.0 * epsilon * std::abs(state.t)) {  // IDA refuses steps that small; q and v change by roundoff
    w.t_before = state.t;
    w.t_after = w.last.t = state.t + h;
    state = w.last;
    Outcome outcome;
    outcome.h_taken = h;
    outcome.h_next = w.session->next_step();
    if (!(outcome.h_next > 0.0)) outcome.h_next = h;
    outcome.culprit = std::move(remark);
    return outcome;
  }

  double t = w.last.t;
  w.equations.forget_undefined();
  const int flag = w.session->advance(state.t + h, t);
  w.count();
  const bool no_progress = !(t - state.t > 16.0 * epsilon * std::abs(t));
  if (flag < 0 || no_progress) return w.failed(flag, state);

  const bool reached = flag == IDA_TSTOP_RETURN || t >= state.t + h;
  const Outcome watched = w.watch(state.t, reached ? state.t + h : t);
  if (watched.status != Status::ok) return w.forget(watched);
  w.t_before = w.last.t;
  w.t_after = t;
  w.equations.unpack(w.session->y(), w.session->yp(), w.last);
  w.last.t = reached ? state.t + h : t;
  Outcome outcome;
  outcome.h_taken = reached ? h : t - state.t;
  if (estimates_) outcome.error = w.session->error_of_positions(w.system.layout().scale);
  outcome.h_next = w.session->next_step();
  outcome.culprit = std::move(remark);
  state.t = w.last.t;
  state.q = w.last.q;
  state.v = w.last.v;
  state.a = w.last.a;
  state.lambda = w.last.lambda;
  state.discrete = w.last.discrete;
  state.memory.clear();
  return outcome;
}

// Turns that are counted leave the rows as they are; where coordinates are exchanged, the history begins anew.
Outcome Ida::exchanged(State& state, double) {
  work_->last = state;
  work_->choose = true;
  return {};
}

void Ida::interpolate(double theta, double* q, double* v) const {
  const Work& w = *work_;
  assert(w.live && w.t_after > w.t_before && "no step was taken last");
  const double t = w.t_before + theta * (w.t_after - w.t_before);
  if (!w.session->interpolate(t, w.result.data())) return;
  const std::size_t n = w.last.q.size();
  std::copy(w.result.begin(), w.result.begin() + static_cast<std::ptrdiff_t>(n), q);
  std::copy(w.result.begin() + static_cast<std::ptrdiff_t>(n),
            w.result.begin() + static_cast<std::ptrdiff_t>(2 * n), v);
}

int Ida::last_order() const { return work_ && work_->live ? work_->session->last_order() : 0; }

}  // namespace catena
