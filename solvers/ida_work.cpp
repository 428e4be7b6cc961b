// How a history of ida begins, and what is said of its steps.
#include <catena/math/detail/printed.hpp>
#include <catena/solvers/detail/ida_work.hpp>
#include <catena/system/detail/evaluations.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace catena {
using namespace detail;

using ida_detail::Counters;
using ida_detail::Equations;
using ida_detail::Kind;

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

bool Ida::Work::redundant(const KktReport& index_1) {
  return has_redundant_rows(kkt, index_1) && !is_weak_by_masses(kkt);
}

// a and lambda of the index-1 system.
Outcome Ida::Work::accelerations(State& state) {
  ConsistentValues consistent(system, kkt, state.discrete.empty() ? nullptr : state.discrete.data());
  const KktReport r =
      consistent.accelerations(state.t, state.q.data(), state.v.data(), state.a.data(), state.lambda.data());
  if (r.status != Status::ok) return failure(r.status, r.culprit);
  if (redundant(r)) return failure(Status::singular_kkt, redundant_rows(r));
  return {};
}

Culprit Ida::Work::redundant_rows(const KktReport& index_1) const {
  return {system.constraint_name(index_1.weakest_dual), "redundant rows, which ida cannot take",
          index_1.weakest_dual_ratio};
}

// Whether the integrator has reached this very state; t may be an instant of a grid that was met by additions.
// The system's own discrete values have followed the state at the end of the step (Stepper::step()); those of controllers
// behind them are the caller's.
bool Ida::Work::knows(const State& state) const {
  const auto own = static_cast<std::ptrdiff_t>(system.layout().discrete_size);
  const double roundoff = 1e-12 * std::max(std::abs(state.t), t_after - t_before);
  return has_last && std::abs(state.t - last.t) <= roundoff && state.q == last.q && state.v == last.v &&
         state.discrete.size() == last.discrete.size() &&
         std::equal(state.discrete.begin() + own, state.discrete.end(), last.discrete.begin() + own);
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
  if (weakest_at_start == 0.0) weakest_at_start = equations.weakest();
  set_roundoff();
  equations.pack(last, session->y(), session->yp());
  rate_of_acceleration();
  equations.pack_second(last, jerk, session->second());
  const int flag = session->begin(last.t);
  counted = {};
  if (flag < 0) return failure(Status::unsupported, {session->message(), "IDAReInit", 0.0});
  live = true;
  return {};
}

// Rows that were dependent on the way from t0 to t1 are reported, not stepped over, unless the motion passes; a choice of dependent
// coordinates that has turned bad is made anew.
Outcome Ida::Work::watch(double t0, double t1) {
  const Equations::Watch seen = equations.watch(t1, session->y());
  if (seen.crossed >= 0 && pole.looks() && !passes(t0, t1, seen.fraction)) {
    const double distance = seen.fraction * (t1 - t0);
    const Culprit why{
        dependent_constraints(last, equations.dependent_constraint()),
        "rows become dependent at t = " + std::to_string(t0 + distance) + " s; from the last state [s]",
        distance};
    if (pole.refuses(t0, why)) return failure(Status::step_too_small, why);
  }
  set_roundoff();
  const Outcome velocities = watch_velocities(t0, t1);
  if (velocities.status != Status::ok) return velocities;
  if (seen.quality >= options.pivot_threshold) return {};
  if (options.form == IdaOptions::Form::dummy_derivatives)
    choose = true;  // at the beginning of the next step, so that this one can be interpolated
  else if (!equations.choose(t1, session->y()))
    return failure(Status::singular_kkt,
                   {equations.dependent_constraint(), "rows depend on each other", 0.0});
  return {};
}

// Velocities that the rows forbid, which index1 does not see, turn the motion away before a pole: forbidden_velocities.hpp.
Outcome Ida::Work::watch_velocities(double t0, double t1) {
  if (!forbidden.looks() || equations.weakest() > near_dependence * weakest_at_start) return {};
  equations.unpack(session->y(), session->yp(), ahead = last);
  ahead.t = t1;
  allowed = ahead.v;
  const double* discrete = ahead.discrete.empty() ? nullptr : ahead.discrete.data();
  ConsistentValues consistent(system, kkt, discrete);
  double change = 0.0;
  if (consistent.project_velocities(t1, ahead.q.data(), allowed.data(), change).status != Status::ok)
    return {};
  Point at;
  at.t = t1;
  at.q = ahead.q.data();
  at.discrete = discrete;
  momentum.resize(allowed.size());
  const auto energy = [&](const std::vector<double>& v) {
    evaluate_inertia(system, at, v.data(), momentum.data());
    return std::inner_product(v.begin(), v.end(), momentum.begin(), 0.0);
  };
  const double whole = energy(ahead.v);
  for (std::size_t k = 0; k < allowed.size(); ++k) allowed[k] -= ahead.v[k];
  const double carried = energy(allowed);
  if (!(carried > forbidden_energy * whole)) return {};
  const Culprit why{
      dependent_constraints(ahead, equations.dependent_constraint()),
      printed("rows become dependent and have drifted at t = %.7g s: take a smaller tolerance, or form = "
              "gear_gupta_leimkuhler; the velocities that they forbid carry of the kinetic energy",
              t0),
      carried / whole};
  return forbidden.refuses(t0, why) ? failure(Status::unstable, why) : Outcome{};
}

// The constraints whose forces cancel each other at a state near the place where rows depend on each other; known: one
// of them.
std::string Ida::Work::dependent_constraints(const State& state, const std::string& known) {
  State at = state;
  const double* discrete = at.discrete.empty() ? nullptr : at.discrete.data();
  ConsistentValues consistent(system, kkt, discrete);
  const KktReport r = consistent.accelerations(at.t, at.q.data(), at.v.data(), at.a.data(), at.lambda.data());
  if (r.status != Status::ok) return known;
  Point point;
  point.t = at.t;
  point.q = at.q.data();
  point.lambda = at.lambda.data();
  point.discrete = discrete;
  MultiplierPole forces;
  forces.attach(system, 2, statistics);
  std::vector<double> work(at.v.size() + at.lambda.size());
  const std::string all = forces.dependent_constraints(point, work.data());
  return all.empty() ? known : all;
}

Outcome Ida::Work::failed(int flag, const State& state) {
  has_last = live = false;
  choose = true;
  t_before = t_after = state.t;
  ++statistics.rejected_steps;
  if (const Culprit& undefined = equations.undefined(); !undefined.name.empty())
    return failure(Status::not_finite, undefined);
  const Status status = flag < 0 ? status_of(flag) : Status::step_too_small;
  if (status == Status::unsupported) return failure(status, {session->message(), "IDA", 0.0});
  return failure(status, culprit_of_failure(state, state.t));
}

// Constraint rows that have become dependent, else the component whose local error is the largest in terms of its
// tolerance.
Culprit Ida::Work::culprit_of_failure(const State& state, double t) {
  constexpr double nearly_dependent = 1e-6;
  if (system.layout().lambda_size() > 0) {
    State at = state;
    ConsistentValues consistent(system, kkt, at.discrete.empty() ? nullptr : at.discrete.data());
    const KktReport r =
        consistent.accelerations(at.t, at.q.data(), at.v.data(), at.a.data(), at.lambda.data());
    if (r.weakest_dual >= 0 && r.weakest_dual_ratio < nearly_dependent)
      return {dependent_constraints(state, system.constraint_name(r.weakest_dual)),
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
  const long by_error = now.error_failures - counted.error_failures,
             by_newton = now.newton_failures - counted.newton_failures;
  statistics.rejected_by_error += by_error;
  statistics.rejected_by_newton += by_newton;
  statistics.rejected_steps += by_error + by_newton;
  counted = now;
  statistics.evaluations = equations.evaluations();
  statistics.seconds_evaluate = session->seconds_evaluate;
  statistics.seconds_factorize = session->seconds_factorize;
}

}  // namespace catena
