#include <catena/kkt/consistent.hpp>
#include <catena/solvers/ida_session.hpp>
#include <catena/stepper/phase_timer.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace catena {

using ida_detail::Counters;
using ida_detail::Equations;
using ida_detail::Kind;
using ida_detail::Session;

void visit(OptionVisitor& visitor, IdaOptions& o) {
  visit_choice(
      visitor,
      {"form", "",
       "index1: accelerations only, drifts; gear_gupta_leimkuhler: positions and velocities by added "
       "multipliers; dummy_derivatives: by dependent coordinates"},
      o.form, {"index1", "gear_gupta_leimkuhler", "dummy_derivatives"});
  visitor.real({"rtol", "1", "relative tolerance of the local error", 1e-14, 1e-1}, o.rtol);
  visitor.real({"atol", "1", "absolute tolerance, in the SI unit of each component", 1e-16, 1e3}, o.atol);
  visitor.real({"rtol_q", "1", "of coordinates; 0: rtol", 0.0, 1e-1}, o.rtol_q);
  visitor.real({"rtol_v", "1", "of velocities; 0: rtol", 0.0, 1e-1}, o.rtol_v);
  visitor.real({"rtol_lambda", "1", "of multipliers; 0: rtol", 0.0, 1e-1}, o.rtol_lambda);
  visitor.real({"atol_q", "m", "of coordinates; 0: atol", 0.0, 1e3}, o.atol_q);
  visitor.real({"atol_v", "m/s", "of velocities; 0: atol", 0.0, 1e3}, o.atol_v);
  visitor.real({"atol_lambda", "N", "of multipliers; 0: atol", 0.0, 1e9}, o.atol_lambda);
  visitor.flag({"control_lambda", "", "multipliers take part in the error test (Newton always sees them)"},
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
}

namespace {

Status status_of(int flag) {
  switch (flag) {
    case IDA_LSETUP_FAIL:
    case IDA_LSOLVE_FAIL:
      return Status::singular_kkt;
    case IDA_RES_FAIL:
    case IDA_REP_RES_ERR:
    case IDA_FIRST_RES_FAIL:
    case IDA_BAD_EWT:
      return Status::not_finite;
    case IDA_ERR_FAIL:
    case IDA_TOO_MUCH_ACC:
      return Status::step_too_small;
    case IDA_CONV_FAIL:
      return Status::newton_not_converged;
    default:
      return Status::unsupported;
  }
}

const char* letter(Kind kind) {
  switch (kind) {
    case Kind::q:
      return "q";
    case Kind::v:
      return "v";
    case Kind::lambda:
      return "lambda";
    case Kind::mu:
      return "mu";
    case Kind::w:
      return "a";
  }
  return "";
}

}  // namespace

struct Ida::Work {
  Work(const System& s, const IdaOptions& o)
      : system(s), options(o), equations(s, static_cast<ida_detail::Form>(o.form)), last(s.initial_state()) {
    result.assign(static_cast<std::size_t>(equations.size()), 0.0);
    jerk.assign(last.v.size(), 0.0);
  }

  bool knows(const State& state) const;
  Outcome accelerations(State& state);
  Outcome polish();
  Outcome forget(Outcome outcome);
  void rate_of_acceleration();
  Outcome begin();
  Outcome watch(double t0, double t1);
  Outcome failed(int flag, const State& state);
  Culprit blame(const State& state, double t);
  void count();

  const System& system;
  const IdaOptions& options;
  KktSolver kkt;
  Equations equations;
  std::optional<Session> session;
  StepperStatistics statistics;
  Counters counted;  // what of session->counters() is in the statistics already
  State last;        // where the integrator stands
  State ahead;       // for rate_of_acceleration()
  std::vector<double> jerk;
  bool has_last = false;                 // last is the state of start() or of a step
  bool live = false;                     // the history in session belongs to last
  bool choose = true;                    // dummy_derivatives: dependent coordinates wanted
  double t_before = 0.0, t_after = 0.0;  // of the step just taken
  mutable std::vector<double> result;
};

Ida::Ida(IdaOptions options) : options_(options) {}
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
  if (!system.has_lagrangian() || system.has_rate() || system.layout().q_size != system.layout().v_size())
    return "ida works on plain coordinates whose rates are the velocities (bodies in seven coordinates); on "
           "other systems use generalized_alpha";
  return {};
}

Outcome Ida::attach(const System& system) {
  const std::string refusal = refuses(system);
  if (!refusal.empty()) return failure(Status::unsupported, {refusal, "analysis", 0.0});
  work_ = std::make_unique<Work>(system, options_);
  KktOptions kkt;
  kkt.factorization = Factorization::ldu;
  kkt.border = Border::separate;
  const std::string why = work_->kkt.attach(system, kkt);
  if (!why.empty()) return failure(Status::unsupported, {why, "analysis", 0.0});
  work_->session.emplace(work_->equations, options_);
  return {};
}

Outcome Ida::start(State& state, double) {
  assert(work_ && "call attach() first");
  Work& w = *work_;
  const PhaseTimer timer(w.statistics.seconds_start);
  w.has_last = w.live = false;
  State started = state;
  {
    ConsistentValues consistent(w.system, w.kkt, state.discrete.empty() ? nullptr : state.discrete.data());
    KktReport r = consistent.check_positions(state.t, state.q.data(), start_position_tolerance);
    double change = 0.0;
    if (r.status == Status::ok)
      r = consistent.project_velocities(state.t, state.q.data(), started.v.data(), change);
    if (r.status != Status::ok) return failure(Status::inconsistent_start, r.culprit);
  }
  const Outcome outcome = w.accelerations(started);
  if (outcome.status != Status::ok) return failure(Status::inconsistent_start, outcome.culprit);
  started.memory.clear();
  state = started;
  w.last = std::move(started);
  w.has_last = w.choose = w.fresh = true;
  return {};
}

// Positions may have drifted, at index 1: they are not held to the tolerance of a start.
Outcome Ida::restart(State& state, double) {
  assert(work_ && "call attach() first");
  Work& w = *work_;
  const PhaseTimer timer(w.statistics.seconds_start);
  w.last = state;
  w.live = false;
  ++w.statistics.restarts;
  const Outcome outcome = w.polish();
  if (outcome.status != Status::ok) {
    w.has_last = false;
    return failure(Status::inconsistent_start, outcome.culprit);
  }
  w.last.memory.clear();
  state = w.last;
  w.has_last = w.choose = w.fresh = true;
  return {};
}

// a and lambda of the index-1 system.
Outcome Ida::Work::accelerations(State& state) {
  ConsistentValues consistent(system, kkt, state.discrete.empty() ? nullptr : state.discrete.data());
  const KktReport r =
      consistent.accelerations(state.t, state.q.data(), state.v.data(), state.a.data(), state.lambda.data());
  if (r.status != Status::ok) return failure(r.status, r.culprit);
  constexpr double dependent = 1e-10;  // the proximal term of the KKT layer a hundredfold
  if (r.weakest_dual_ratio < dependent)
    return failure(Status::singular_kkt,
                   {system.constraint_name(r.weakest_dual),
                    "redundant rows, which ida cannot take (generalized_alpha and discrete_action can)",
                    r.weakest_dual_ratio});
  return {};
}

// Whether the integrator stands where the state is; t may be an instant of a grid that was met by additions.
bool Ida::Work::knows(const State& state) const {
  const double roundoff = 1e-12 * std::max(std::abs(state.t), t_after - t_before);
  return has_last && std::abs(state.t - last.t) <= roundoff && state.q == last.q && state.v == last.v &&
         state.discrete == last.discrete;
}

// What Newton left in the constraints of `last`, and the difference between IDA's polynomial and the equations,
// do not shrink with the step: an error test at the small steps of a beginning would never pass. The rows that the
// form keeps are brought to roundoff, a and lambda to the index-1 system.
Outcome Ida::Work::polish() {
  {
    ConsistentValues consistent(system, kkt, last.discrete.empty() ? nullptr : last.discrete.data());
    double change = 0.0;
    KktReport r;
    if (options.form != IdaOptions::Form::index1) {
      r = consistent.project_positions(last.t, last.q.data(), 1e-13, change);
      if (r.status == Status::ok)
        r = consistent.project_velocities(last.t, last.q.data(), last.v.data(), change);
    }
    if (r.status != Status::ok) return failure(r.status, r.culprit);
  }
  return accelerations(last);
}

// The next step takes the state as it is given to it.
Outcome Ida::Work::forget(Outcome outcome) {
  has_last = live = false;
  ++statistics.rejected_steps;
  return outcome;
}

// v'' by a difference of the index-1 system a moment ahead; zero where that fails.
void Ida::Work::rate_of_acceleration() {
  double speed = 1.0;
  for (std::size_t k = 0; k < last.v.size(); ++k)
    speed = std::max(speed, std::abs(last.v[k]) / system.layout().scale[k]);
  const double s = 1e-5 / speed;
  ahead = last;
  ahead.t += s;
  for (std::size_t k = 0; k < last.v.size(); ++k) {
    ahead.q[k] += s * (last.v[k] + 0.5 * s * last.a[k]);
    ahead.v[k] += s * last.a[k];
  }
  const bool known = accelerations(ahead).status == Status::ok;
  for (std::size_t k = 0; k < jerk.size(); ++k) jerk[k] = known ? (ahead.a[k] - last.a[k]) / s : 0.0;
}

// The integrator at order 1 from `last`.
Outcome Ida::Work::begin() {
  if (choose && !equations.choose(last.t, last.q.data()))
    return failure(Status::singular_kkt,
                   {equations.dependent_constraint(), "rows depend on each other", 0.0});
  choose = false;
  equations.pack(last, session->y(), session->yp());
  rate_of_acceleration();
  equations.pack_second(last, jerk, session->second());
  const int flag = session->begin(last.t);
  counted = {};
  if (flag < 0) return failure(Status::unsupported, {session->message(), "IDAReInit", 0.0});
  live = true;
  return {};
}

Outcome Ida::step(State& state, double h) {
  assert(work_ && "call attach() first");
  Work& w = *work_;
  Culprit remark;
  const bool known = w.knows(state);
  if (!known) {
    w.last = state;
    w.has_last = w.choose = true;
    w.live = w.fresh = false;
    remark = {"", "restarted: the history of IDA is no part of the state", 0.0};
  }
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

  double t = w.last.t;
  const int flag = w.session->advance(state.t + h, t);
  w.count();
  const bool stands = !(t - state.t > 16.0 * std::numeric_limits<double>::epsilon() * std::abs(t));
  if (flag < 0 || stands) return w.failed(flag, state);

  const bool reached = flag == IDA_TSTOP_RETURN || t >= state.t + h;
  const Outcome watched = w.watch(state.t, reached ? state.t + h : t);
  if (watched.status != Status::ok) return w.forget(watched);
  w.t_before = w.last.t;
  w.t_after = t;
  w.equations.unpack(w.session->y(), w.session->yp(), w.last);
  w.last.t = reached ? state.t + h : t;
  Outcome outcome;
  outcome.h_taken = reached ? h : t - state.t;
  outcome.h_next = w.session->next_step();
  outcome.culprit = std::move(remark);
  state.t = w.last.t;
  state.q = w.last.q;
  state.v = w.last.v;
  state.a = w.last.a;
  state.lambda = w.last.lambda;
  state.memory.clear();
  ++w.statistics.steps;
  return outcome;
}

// Rows that were dependent on the way from t0 to t1 are reported, not stepped over; a choice of dependent
// coordinates that has turned bad is made anew.
Outcome Ida::Work::watch(double t0, double t1) {
  const Equations::Watch seen = equations.watch(t1, session->y());
  if (seen.crossed >= 0) {
    const double t = t0 + seen.fraction * (t1 - t0);
    return failure(Status::step_too_small,
                   {equations.dependent_constraint(), "its rows become dependent on others at t", t});
  }
  if (seen.quality >= options.pivot_threshold) return {};
  if (options.form == IdaOptions::Form::dummy_derivatives)
    choose = true;  // at the beginning of the next step, so that this one can be interpolated
  else if (!equations.choose(t1, session->y()))
    return failure(Status::singular_kkt,
                   {equations.dependent_constraint(), "rows depend on each other", 0.0});
  return {};
}

Outcome Ida::Work::failed(int flag, const State& state) {
  has_last = live = false;
  choose = true;
  t_before = t_after = state.t;
  ++statistics.rejected_steps;
  const Status status = flag < 0 ? status_of(flag) : Status::step_too_small;
  if (status == Status::unsupported) return failure(status, {session->message(), "IDA", 0.0});
  return failure(status, blame(state, state.t));
}

// Constraint rows that have become dependent, else the component whose local error is the largest in terms of its
// tolerance.
Culprit Ida::Work::blame(const State& state, double t) {
  constexpr double nearly_dependent = 1e-6;
  if (system.layout().lambda_size() > 0) {
    State at = state;
    ConsistentValues consistent(system, kkt, at.discrete.empty() ? nullptr : at.discrete.data());
    const KktReport r =
        consistent.accelerations(at.t, at.q.data(), at.v.data(), at.a.data(), at.lambda.data());
    if (r.weakest_dual >= 0 && r.weakest_dual_ratio < nearly_dependent)
      return {system.constraint_name(r.weakest_dual),
              "rows become dependent at t = " + std::to_string(t) + " s; local Schur pivot",
              r.weakest_dual_ratio};
  }
  double ratio = 0.0;
  const int worst = session->worst_component(ratio);
  return {equations.owner(worst),
          std::string("local error of ") + letter(equations.kind(worst)) +
              " over its tolerance at t = " + std::to_string(t) + " s",
          ratio};
}

void Ida::Work::count() {
  const Counters now = session->counters();
  statistics.newton_iterations += now.newton - counted.newton;
  statistics.solves += now.solves - counted.solves;
  statistics.factorizations += now.setups - counted.setups;
  statistics.rejected_steps +=
      now.error_failures + now.newton_failures - counted.error_failures - counted.newton_failures;
  counted = now;
  statistics.evaluations = equations.evaluations();
  statistics.seconds_evaluate = session->seconds_evaluate;
  statistics.seconds_factorize = session->seconds_factorize;
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

const StepperStatistics& Ida::statistics() const {
  static const StepperStatistics none;
  return work_ ? work_->statistics : none;
}

int Ida::last_order() const { return work_ && work_->live ? work_->session->last_order() : 0; }

}  // namespace catena
