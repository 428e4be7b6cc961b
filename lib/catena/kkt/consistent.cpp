#include <catena/kkt/consistent.hpp>
#include <catena/kkt/detail/reaction_iteration.hpp>
#include <catena/math/detail/largest.hpp>
#include <catena/system/detail/evaluations.hpp>
#include <catena/system/detail/fit.hpp>
#include <catena/system/detail/undefined.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace catena {
using namespace detail;
Point ConsistentValues::point(double t, const double* q, const double* v) const {
  Point at;
  at.t = t;
  at.q = q;
  at.v = v;
  at.discrete = discrete_;
  return at;
}

double* ConsistentValues::rhs() {
  if (rhs_.empty()) rhs_.resize(static_cast<std::size_t>(kkt_.dimension()));
  return rhs_.data();
}

KktReport ConsistentValues::factorize(double t, const double* q, const double* v) {
  rhs();
  const Point at = point(t, q, v);
  evaluate_mass_and_rows(system_, at, kkt_.matrix());
  kkt_.update_proximal();
  KktReport report = kkt_.factorize();
  if (report.status == Status::not_finite) find_undefined(system_, at, report.culprit);
  return report;
}

// A right-hand side of products of velocities that cancel has no digit that counts: redundant rows contradict each other by it.
bool ConsistentValues::is_roundoff(double wanted, const Point& at) const {
  constexpr double few = 64.0 * std::numeric_limits<double>::epsilon();
  double speed = 0.0;
  for (int k = 0; at.v != nullptr && k < system_.layout().v_size(); ++k)
    speed = std::max(speed, std::abs(at.v[k]));
  return wanted <= few * speed * std::max(1.0, speed);
}

void ConsistentValues::solve(KktReport& report, const Point& at) {
  const double wanted = largest_of(rhs_);
  const double error = kkt_.solve_refined(rhs_.data());
  const auto bad = std::find_if_not(rhs_.begin(), rhs_.end(), [](double x) { return std::isfinite(x); });
  if (bad != rhs_.end()) {
    report.status = Status::not_finite;
    report.culprit = {kkt_.owner(static_cast<int>(bad - rhs_.begin())), "consistent initial value", *bad};
    find_undefined(system_, at, report.culprit);
  } else if (!(error <= KktSolver::useless_error) && !is_roundoff(wanted, at)) {
    report.status = Status::singular_kkt;
    if (system_.layout().lambda_size() == 0) {
      const auto largest = std::max_element(rhs_.begin(), rhs_.end(),
                                            [](double x, double y) { return std::abs(x) < std::abs(y); });
      report.culprit = {kkt_.owner(static_cast<int>(largest - rhs_.begin())),
                        "backward error of the equations of motion", error,
                        "its mass matrix is singular in double precision, or not symmetric"};
      return;
    }
    report.culprit = {report.weakest_dual >= 0 ? system_.constraint_name(report.weakest_dual) : "",
                      "backward error of the index-1 system", error,
                      "its rows contradict others, so that no values satisfy them all, or are singular in "
                      "double precision; remove one of those that hold or drive the same"};
  }
}

KktReport ConsistentValues::project_velocities(double t, const double* q, double* v, double& largest_change) {
  KktReport report = factorize(t, q, v);
  if (report.status != Status::ok) return report;
  const int n = system_.layout().v_size();
  const Point at = point(t, q, v);
  Evaluation wanted;
  wanted.velocity = rows();
  system_.evaluate(at, wanted);
  std::fill(rhs_.begin(), rhs_.begin() + n, 0.0);
  for (int k = n; k < kkt_.dimension(); ++k) rhs_[static_cast<std::size_t>(k)] *= -1.0;
  solve(report, at);
  if (report.status != Status::not_finite) look_at_rows(report, at);
  if (report.status != Status::ok) return report;
  largest_change = 0.0;
  for (int k = 0; k < n; ++k) {
    const auto i = static_cast<std::size_t>(k);
    v[k] += rhs_[i];
    largest_change = std::max(largest_change, std::abs(rhs_[i]) / system_.layout().scale[i]);
  }
  return report;
}

// How far the velocities at `at`, moved by the solution at hand, leave the rows open, of the largest sum of the terms of a row.
// constraints: those whose rows are open by a tenth of the most or more.
double ConsistentValues::open_rows(const Point& at, std::vector<int>& constraints) {
  const SystemLayout& layout = system_.layout();
  const BlockPattern& p = *layout.pattern;
  std::vector<double> moved(at.v, at.v + layout.v_size());
  for (std::size_t k = 0; k < moved.size(); ++k) moved[k] += rhs_[k];
  rows_.assign(static_cast<std::size_t>(layout.lambda_size()), 0.0);
  Point there = at;
  there.v = moved.data();
  Evaluation wanted;
  wanted.velocity = rows_.data();
  system_.evaluate(there, wanted);
  std::vector<double> terms(rows_.size(), 0.0);
  for (std::size_t k = 0; k < p.incidences.size(); ++k) {
    const auto d = static_cast<std::size_t>(p.incidences[k].dual),
               b = static_cast<std::size_t>(p.incidences[k].primal);
    const ConstBlockRef C = std::as_const(kkt_).matrix().C(static_cast<int>(k));
    for (int r = 0; r < C.rows; ++r)
      for (int c = 0; c < C.cols; ++c)
        terms[static_cast<std::size_t>(p.dual_offset[d] - p.primal_dimension + r)] +=
            std::abs(C(r, c) * moved[static_cast<std::size_t>(p.primal_offset[b] + c)]);
  }
  const double most = largest_of(rows_);
  for (int d = 0; d < p.dual_count(); ++d) {
    const auto i = static_cast<std::size_t>(d);
    const double* const of = rows_.data() + p.dual_offset[i] - p.primal_dimension;
    if (most > 0.0 && largest_of(of, p.dual_size[i]) >= 0.1 * most) constraints.push_back(d);
  }
  constexpr double at_rest =
      1e-3;  // [m/s, rad/s] of a mechanism at rest roundoff alone is left, of rows and of their terms
  return most / std::max({largest_of(terms), most, at_rest});
}

// The verdict of solve() on multipliers and velocities together says little of the rows: contradictory ones make multipliers
// large, beside which a row that is open is small, and what redundant rows contradict each other by is not small beside a
// right-hand side that is roundoff itself, of velocities that were consistent already.
void ConsistentValues::look_at_rows(KktReport& report, const Point& at) {
  // Rows are sums of products of velocities and of entries that see the positions, which loops leave open by 1e-12 of the sizes of
  // bodies at most (parts/assemble.hpp).
  constexpr double roundoff = 1e-12, contradictory = 1e-6;
  std::vector<int> constraints;
  const double open = open_rows(at, constraints);
  if (report.status == Status::singular_kkt && open <= roundoff) report = {};
  if (report.status != Status::ok || !(open > contradictory)) return;
  report.status = Status::singular_kkt;
  std::string others;
  constexpr std::size_t most = 3;
  for (std::size_t k = 1; k < std::min(constraints.size(), most + 1); ++k)
    others += (k > 1 ? ", " : "") + system_.constraint_name(constraints[k]);
  report.culprit = {
      system_.constraint_name(constraints.front()), "velocity residual", open,
      "its rows contradict " + (others.empty() ? "others" : "those of " + others) +
          ", so that no velocities satisfy them all; remove one of those that hold or drive the same"};
}

KktReport ConsistentValues::accelerations(double t, const double* q, const double* v, double* a,
                                          double* lambda) {
  KktReport report = factorize(t, q, v);
  if (report.status != Status::ok) return report;
  const int n = system_.layout().v_size();
  const Point at = point(t, q, v);
  Evaluation wanted;
  wanted.balance = rhs();        // -f
  wanted.acceleration = rows();  // the bias
  system_.evaluate(at, wanted);
  for (double& x : rhs_) x = -x;
  std::vector<double> known;
  if (ReactionIteration::is_needed(system_)) known = rhs_;
  solve(report, at);
  if (report.status == Status::ok && !known.empty()) follow_reactions(report, at, std::move(known));
  if (report.status != Status::ok) return report;
  std::copy(rhs_.begin(), rhs_.begin() + n, a);
  std::copy(rhs_.begin() + n, rhs_.end(), lambda);
  return report;
}

// Accelerations and multipliers in rhs_, which know nothing yet of forces that depend on multipliers; known: the right-hand side
// that they solve. Each further one differs by what these forces have changed. Corrections alone would be solved for right-hand
// sides that are roundoff in the end, by which redundant rows contradict each other.
void ConsistentValues::follow_reactions(KktReport& report, Point at, std::vector<double> known) {
  const int n = system_.layout().v_size();
  const double forces = largest_of(known.data(), n);
  std::vector<double> x = rhs_;
  at.a = x.data();
  at.lambda = x.data() + n;
  Evaluation wanted;
  wanted.balance = rhs();
  ReactionIteration iteration(system_);
  for (;;) {
    system_.evaluate(at, wanted);
    const double size = std::max(forces, largest_of(at.lambda, system_.layout().lambda_size()));
    if (!iteration.continues(largest_of(rhs_.data(), n), size, report)) break;
    for (int k = 0; k < n; ++k) known[static_cast<std::size_t>(k)] -= rhs_[static_cast<std::size_t>(k)];
    rhs_ = known;
    solve(report, at);
    if (report.status != Status::ok) return;
    std::copy(rhs_.begin(), rhs_.end(), x.begin());
  }
  rhs_ = std::move(x);
}

namespace {

// The change of each row when one of its bodies moves by its own size or turns by 1 rad, at most 1; 1 for rows that no
// motion changes.
std::vector<double> size_of_rows(const System& system, BlockMatrix& matrix, const Point& at) {
  const SystemLayout& layout = system.layout();
  const BlockPattern& p = *layout.pattern;
  Linearization rows;
  rows.matrix = &matrix;
  rows.rows_only = true;
  Evaluation wanted;
  wanted.linearization = &rows;
  system.evaluate(at, wanted);
  std::vector<double> size(static_cast<std::size_t>(layout.lambda_size()), 0.0);
  for (std::size_t k = 0; k < p.incidences.size(); ++k) {
    const auto d = static_cast<std::size_t>(p.incidences[k].dual),
               b = static_cast<std::size_t>(p.incidences[k].primal);
    const BlockRef C = matrix.C(static_cast<int>(k));
    for (int r = 0; r < p.dual_size[d]; ++r) {
      double sum = 0.0;
      for (int c = 0; c < p.primal_size[b]; ++c) {
        const double change = C(r, c) * layout.scale[static_cast<std::size_t>(p.primal_offset[b] + c)];
        sum += change * change;
      }
      double& largest = size[static_cast<std::size_t>(p.dual_offset[d] - p.primal_dimension + r)];
      largest = std::max(largest, std::sqrt(sum));
    }
  }
  for (double& x : size) x = x > 0.0 ? std::min(x, 1.0) : 1.0;
  return size;
}

}  // namespace

KktReport ConsistentValues::check_positions(double t, const double* q, double tolerance) {
  const SystemLayout& layout = system_.layout();
  // Roundoff of a row: its value is a sum of a few products of coordinates, arms and entries of a rotation, each with
  // an error of some eps times the largest coordinate or arm; 32 such errors, with their signs aligned, bound it.
  double size = 0.25 * layout.roundoff_length;
  for (int k = 0; k < layout.q_size; ++k) size = std::max(size, std::abs(q[k]));
  const double roundoff = std::isfinite(size) ? 32.0 * std::numeric_limits<double>::epsilon() * size : 0.0;
  KktReport report = look_at_positions(t, q, {.absolute = roundoff});
  if (report.status == Status::ok) return report;
  report = KktReport{};
  const std::vector<double> sizes = size_of_rows(system_, kkt_.matrix(), point(t, q));
  const auto* gap = rhs_.data() + layout.v_size();
  double worst = 1.0;
  for (int r = 0; r < layout.lambda_size(); ++r) {
    const double ratio = std::abs(gap[r]) / (tolerance * sizes[static_cast<std::size_t>(r)] + roundoff);
    if (ratio <= worst) continue;
    worst = std::isnan(ratio) ? std::numeric_limits<double>::infinity() : ratio;
    report.status = Status::inconsistent_start;
    report.culprit = {kkt_.owner(layout.v_size() + r),
                      "position residual (correct the initial positions, or call project_positions)", gap[r]};
  }
  if (!std::isfinite(worst)) find_undefined(system_, point(t, q), report.culprit);
  return report;
}

KktReport ConsistentValues::look_at_positions(double t, const double* q, const GapLimit& limit) {
  return look_at_gaps(system_, kkt_, point(t, q), limit, rows());
}

KktReport ConsistentValues::project_positions(double t, double* q, double tolerance, double& largest_change) {
  return newton_.close(point(t, nullptr), q, {.absolute = tolerance}, largest_change);
}

KktReport ConsistentValues::project_to_roundoff(double t, double* q, double relative,
                                                double& largest_change) {
  return newton_.close(point(t, nullptr), q, {.relative = relative}, largest_change);
}

KktReport find_accelerations(const System& system, State& state) {
  KktReport report;
  KktSolver kkt;
  std::string why = misfit_of(system.layout(), state);
  if (why.empty()) why = kkt.attach(system, {});
  if (!why.empty()) {
    report.status = Status::unsupported;
    report.culprit = {std::move(why), "refusal", 0.0};
    return report;
  }
  ConsistentValues values(system, kkt, state.discrete.empty() ? nullptr : state.discrete.data());
  return values.accelerations(state.t, state.q.data(), state.v.data(), state.a.data(), state.lambda.data());
}

}  // namespace catena
