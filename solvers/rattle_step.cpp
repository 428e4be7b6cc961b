// One substep of RATTLE: the positions by Newton's iteration, then the velocities at the node that it arrives at.
#include <catena/math/detail/finite.hpp>
#include <catena/math/detail/index.hpp>
#include <catena/math/rotation.hpp>
#include <catena/solvers/rattle.hpp>
#include <catena/stepper/detail/phase_timer.hpp>
#include <catena/system/detail/row_length.hpp>
#include <catena/system/detail/undefined.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace catena {
using namespace detail;
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr int block = 6;  // velocities of a body: three of its place, three of its rotation

}  // namespace

Point Rattle::at(double t) const { return {.t = t, .q = q_.data(), .discrete = discrete_}; }

void Rattle::evaluate(const Point& point, const Evaluation& wanted) {
  const PhaseTimer timer(statistics_.seconds_evaluate);
  ++statistics_.evaluations;
  system_->evaluate(point, wanted);
}

void Rattle::solve(KktSolver& kkt, double* x) {
  const PhaseTimer timer(statistics_.seconds_solve);
  ++statistics_.solves;
  kkt.solve(x);
}

// Masses do not couple bodies.
void Rattle::multiply_mass(const double* x, double* out) const {
  for (int i = 0; i < n_; ++i) {
    const double* const row = mass_.data() + block * i;
    const double* const of_body = x + i / block * block;
    double sum = 0.0;
    for (int j = 0; j < block; ++j) sum += row[j] * of_body[j];
    out[i] = sum;
  }
}

// Where the last step has ended at this state, its node is the one to leave from: matrix, factor and forces are there. They
// are made again behind a start, a restart or a failure, to the same bits.
Outcome Rattle::leave(const State& state) {
  discrete_ = state.discrete.empty() ? nullptr : state.discrete.data();
  const bool here = node_is_known_ && node_t_ == state.t && node_q_ == state.q;
  std::copy(state.q.begin(), state.q.end(), q_.begin());
  std::copy(state.v.begin(), state.v.end(), v_.begin());
  if (!here) {
    std::fill(x_.begin(), x_.end(), 0.0);
    const auto evaluations = statistics_.evaluations;
    const auto factorizations = statistics_.factorizations;
    const auto solves = statistics_.solves;
    if (Outcome outcome = arrive(state.t, 0.0); outcome.status != Status::ok) return outcome;
    // Behind a rejected step it is work of the method. Behind a start, a restart or a checkpoint it is not counted, so that a
    // resumed run counts what a run without a break counts.
    if (!counts_node_) {
      statistics_.evaluations = evaluations;
      statistics_.factorizations = factorizations;
      statistics_.solves = solves;
    }
    counts_node_ = false;
    std::copy(state.v.begin(), state.v.end(), v_.begin());
    Point point = at(state.t);
    point.v = v_.data();
    Evaluation wanted;
    wanted.balance = held_.data();
    system_->evaluate(point, wanted);
    for (double& x : held_) x = -x;
    take_accelerations(state.a.data());
  }
  multiply_mass(v_.data(), p_.data());
  return {};
}

// held_ <- itself - M a = G^T lambda, of what balances without rows.
void Rattle::take_accelerations(const double* a) {
  multiply_mass(a, turned_.data());
  for (int i = 0; i < n_; ++i) held_[index(i)] -= turned_[index(i)];
}

// From t to `to`, over h.
Outcome Rattle::substep(double t, double to, double h, const double* a) {
  Outcome outcome = find_positions(t, to, h, a);
  if (outcome.status != Status::ok) return outcome;
  // p_{n+1} without the impulse of the rows.
  for (int i = 0; i < n_; ++i) turned_[index(i)] = -xi_[index(i)];
  for (double& x : mass_xi_) x /= h;
  system_->inverse_tangent(turned_.data(), mass_xi_.data(), x_.data());
  std::swap(q_, end_q_);
  outcome = arrive(to, h);
  if (outcome.status == Status::ok) multiply_mass(v_.data(), p_.data());
  return outcome;
}

// At q_: the matrix, its factor, and f; then v_ from the momentum in x_, which gets its half of the force. h = 0: no velocity
// is wanted.
Outcome Rattle::arrive(double t, double h) {
  node_is_known_ = false;  // also where an element throws
  KktSolver& kkt = newton_.kkt();
  Linearization lin = mass_and_rows(h);
  lin.matrix = &kkt.matrix();
  Evaluation wanted;
  wanted.linearization = &lin;
  wanted.balance = force_.data();  // -f
  wanted.velocity = velocities_.data();
  evaluate(at(t), wanted);
  if (first_not_finite(force_) >= 0 || first_not_finite(velocities_) >= 0) {
    Culprit culprit;
    find_undefined(*system_, at(t), culprit);
    return failure(Status::not_finite, std::move(culprit));
  }
  for (int i = 0; i < n_; ++i) {
    force_[index(i)] = -force_[index(i)];
    x_[index(i)] += 0.5 * h * force_[index(i)];
  }
  for (int r = 0; r < m_; ++r) x_[index(n_ + r)] = -velocities_[index(r)];
  kkt.update_proximal();
  KktReport report;
  {
    const PhaseTimer timer(statistics_.seconds_factorize);
    ++statistics_.factorizations;
    ++statistics_.solves;
    report = kkt.factorize_and_solve(x_.data());
  }
  if (Outcome outcome = factorise_node(t, report); outcome.status != Status::ok) return outcome;
  std::copy_n(x_.begin(), n_, v_.begin());
  take_out_proximal(x_.data() + n_);
  for (int i = 0; i < n_; ++i) v_[index(i)] += x_[index(i)];
  return {};
}

// What follows from the factor of a node.
Outcome Rattle::factorise_node(double t, const KktReport& report) {
  if (report.status != Status::ok) {
    ++statistics_.rejected_by_newton;
    return failure(report.status, report.culprit);
  }
  if (DependentRows* rows = guards_.dependent_rows(t); rows != nullptr && !held())
    if (Outcome outcome = rows->assess(report, false); outcome.status != Status::ok) return outcome;
  const BlockMatrix& matrix = std::as_const(newton_).kkt().matrix();
  for (int b = 0; b < n_ / block; ++b) {
    const ConstBlockRef H = matrix.H(b);
    for (int i = 0; i < block; ++i)
      for (int j = 0; j < block; ++j) mass_[index((b * block + i) * block + j)] = H(i, j);
  }
  node_is_known_ = true;
  node_t_ = t;
  node_q_ = q_;
  return {};
}

// A solution with the factor of the node satisfies its rows but for E times its multipliers, E the proximal term: a second
// one takes that out. The correction is left in x_.
void Rattle::take_out_proximal(const double* multipliers) {
  const BlockPattern& p = *system_->layout().pattern;
  const BlockMatrix& matrix = std::as_const(newton_).kkt().matrix();
  for (int d = 0; d < p.dual_count(); ++d) {
    const double* const proximal = matrix.proximal(d);
    const int first = p.dual_offset[index(d)] - p.primal_dimension;
    for (int k = 0; k < p.dual_size[index(d)]; ++k)
      x_[index(n_ + first + k)] = -proximal[k] * multipliers[first + k];
  }
  std::fill_n(x_.begin(), n_, 0.0);
  if (m_ > 0) solve(newton_.kkt(), x_.data());
}

// R = T^-1(xi) M xi - h p - h^2/2 f + h^2/2 G^T lambda and the gap, as a right-hand side.
void Rattle::residuals(double to, double h) {
  system_->retract(q_.data(), xi_.data(), end_q_.data());
  system_->inverse_tangent(xi_.data(), mass_xi_.data(), x_.data());
  for (int i = 0; i < n_; ++i) {
    const std::size_t k = index(i);
    x_[k] = h * (p_[k] + 0.5 * h * force_[k]) - reaction_[k] - x_[k];
  }
  if (m_ == 0) return;
  double* const rows = x_.data() + n_;
  Point end = at(to);
  end.q = end_q_.data();
  Evaluation wanted;
  wanted.position = rows;
  evaluate(end, wanted);
  for (int r = 0; r < m_; ++r) rows[r] = -rows[r];
}

// Of corrections, relative to the sizes of the bodies: that of these themselves, and of rows that follow a long way.
double Rattle::roundoff_of_corrections() const {
  const SystemLayout& layout = system_->layout();
  const double open = largest_open_length(layout, at(0.0));
  if (open == 0.0) return 1e-12;
  const double smallest = *std::min_element(layout.scale.begin(), layout.scale.end());
  return std::max(1e-12, 4.0 * epsilon * open / smallest);  // as rows that NewtonMonitor takes for roundoff
}

double Rattle::correction_size(const double* delta) const {
  const std::vector<double>& scale = system_->layout().scale;
  double largest = 0.0;
  for (int i = 0; i < n_; ++i) {
    const double size = std::abs(delta[i]) / scale[index(i)];
    if (!(size <= largest)) largest = size;
  }
  return largest;
}

// By the factor of the node: M delta + G^T y = r, G delta = -g. h^2/2 G^T lambda follows without an evaluation.
bool Rattle::simplified_correction() {
  std::copy_n(x_.begin(), n_, turned_.begin());
  solve(newton_.kkt(), x_.data());
  if (first_not_finite(x_) >= 0) return false;
  for (int i = 0; i < n_; ++i) {
    xi_[index(i)] += x_[index(i)];
    reaction_[index(i)] += turned_[index(i)];
  }
  multiply_mass(x_.data(), turned_.data());
  for (int i = 0; i < n_; ++i) {
    mass_xi_[index(i)] += turned_[index(i)];
    reaction_[index(i)] -= turned_[index(i)];
  }
  return true;
}

// H = d(T^-1(xi) M xi)/dxi T^-1(xi) of the perturbation of the end, on rotations with w = J xi, s = |xi|^2 and
// T^-1(xi) = I + xi~/2 + c(s) xi~^2:
//     d(T^-1(xi) w) = T^-1(xi) J - w~/2 - c (xi~ w)~ - c xi~ w~ + 2 c'(s) (xi~^2 w) xi^T
void Rattle::add_whole_jacobian() {
  BlockMatrix& matrix = whole_.matrix();
  for (int b = 0; b < n_ / block; ++b) {
    const double* const xi_of = xi_.data() + b * block;
    const Vec3 xi{{xi_of[3], xi_of[4], xi_of[5]}};
    Mat3 J;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) J(i, j) = mass_[index((b * block + 3 + i) * block + 3 + j)];
    const Vec3 w = J * xi;
    const double s = dot(xi, xi), c = inverse_tangent_coefficient(0.25 * s);
    // c(s) = (1 - z cot z) / (4 z^2), z^2 = s/4; its slope by the series where the difference of large numbers would be noise.
    const double slope = s < 1e-2 ? 1.0 / 720.0 + s * (1.0 / 15120.0 + s / 403200.0)
                                  : (inverse_tangent_coefficient(0.25 * s * (1.0 + 1e-5)) -
                                     inverse_tangent_coefficient(0.25 * s * (1.0 - 1e-5))) /
                                        (2e-5 * s);
    const Mat3 turn = inverse_tangent(xi), xi_skew = skew(xi), w_skew = skew(w);
    const Vec3 xw = cross(xi, w);
    const Mat3 by_xi = turn * J - 0.5 * w_skew - c * skew(xw) - c * (xi_skew * w_skew) +
                       2.0 * slope * outer(Vec3(cross(xi, xw)), xi);
    const Mat3 of_rotation = by_xi * turn;
    const BlockRef H = matrix.H(b);
    for (int i = 0; i < block; ++i)
      for (int j = 0; j < block; ++j)
        H(i, j) = i >= 3 && j >= 3 ? of_rotation(i - 3, j - 3) : mass_[index((b * block + i) * block + j)];
  }
}

// By the whole Jacobian: H delta + G_n^T y = r, G_{n+1} delta = -g, delta at the end of the substep.
bool Rattle::whole_correction(double t, double to) {
  add_whole_jacobian();
  Linearization lin;
  lin.matrix = &whole_.matrix();
  lin.rows_only = true;
  Evaluation wanted;
  wanted.linearization = &lin;
  evaluate(at(t), wanted);  // G_n in Bt
  lin.keep_Bt = true;
  Point end = at(to);
  end.q = end_q_.data();
  evaluate(end, wanted);
  std::copy_n(x_.begin(), n_, turned_.begin());
  whole_.update_proximal();
  {
    const PhaseTimer timer(statistics_.seconds_factorize);
    ++statistics_.factorizations;
    ++statistics_.solves;
    if (whole_.factorize_and_solve(x_.data()).status != Status::ok) return false;
  }
  if (first_not_finite(x_) >= 0) return false;
  // h^2/2 G^T lambda <- itself + r - H delta
  const BlockMatrix& matrix = std::as_const(whole_).matrix();
  for (int b = 0; b < n_ / block; ++b) {
    const ConstBlockRef H = matrix.H(b);
    for (int i = 0; i < block; ++i) {
      double sum = 0.0;
      for (int j = 0; j < block; ++j) sum += H(i, j) * x_[index(b * block + j)];
      reaction_[index(b * block + i)] += turned_[index(b * block + i)] - sum;
    }
  }
  system_->inverse_tangent(xi_.data(), x_.data(), turned_.data());
  for (int i = 0; i < n_; ++i) xi_[index(i)] += turned_[index(i)];
  multiply_mass(xi_.data(), mass_xi_.data());
  return true;
}

// To roundoff. The first correction is always the simplified one, so that the second one shows how that contracts.
// a: v' at the node, null: not known.
Outcome Rattle::find_positions(double t, double to, double h, const double* a) {
  constexpr double slow =
      0.05;  // contraction from which three whole corrections cost less than the simplified ones
  constexpr double halves = 0.5;
  // Corrections in a row that are larger than the one before. Beside a place where branches of the positions cross, an
  // iteration that grows ends on another branch.
  constexpr int most_grown = 1;
  const double near_roundoff = roundoff_of_corrections();
  // The start: the reaction of the rows at the node, without which the first correction finds it: then the proximal term leaves in
  // the gaps what it is of all of the reaction, and the contraction that corrections show is that of the term.
  const double square = a == nullptr ? 0.0 : 0.5 * h * h;
  for (int i = 0; i < n_; ++i) {
    const std::size_t k = index(i);
    xi_[k] = h * v_[k] + (a == nullptr ? 0.0 : square * a[i]);
    reaction_[k] = square * held_[k];
  }
  multiply_mass(xi_.data(), mass_xi_.data());
  using Newton = RattleOptions::Newton;
  bool whole =
      options_.newton == Newton::whole || (options_.newton == Newton::automatic && contraction_now_ > slow);
  double before = std::numeric_limits<double>::infinity(), size = 0.0;
  int grown = 0;
  bool last_by_whole = false;
  for (int k = 0; k < options_.max_newton_iterations; ++k) {
    ++statistics_.newton_iterations;
    residuals(to, h);
    const bool by_whole = k > 0 && whole;
    const bool solved = by_whole ? whole_correction(t, to) : simplified_correction();
    size = solved ? correction_size(by_whole ? turned_.data() : x_.data())
                  : std::numeric_limits<double>::quiet_NaN();
    if (!std::isfinite(size)) break;
    const double ratio = size / before;
    if (k == 1 && size > near_roundoff) contraction_now_ = ratio;
    if (k == 1 && options_.newton == Newton::automatic) whole = contraction_now_ > slow;
    if (k > 0 && size > near_roundoff) {
      if (options_.newton == Newton::automatic && ratio > halves) whole = true;
      // The first whole correction takes back what simplified ones have added.
      grown = ratio > 1.0 && by_whole == last_by_whole ? grown + 1 : 0;
      if (grown > most_grown) break;
    }
    last_by_whole = by_whole;
    before = size;
    // What the next correction would be is below half a unit in the last place; or nothing is gained any more.
    const bool done = size == 0.0 || (k > 0 && (size * std::min(ratio, 1.0) <= 0.25 * epsilon ||
                                                (ratio > halves && size <= near_roundoff)));
    if (done) {
      system_->retract(q_.data(), xi_.data(), end_q_.data());
      return {};
    }
  }
  return not_converged(to, size);
}

Outcome Rattle::not_converged(double to, double size) {
  ++statistics_.rejected_by_newton;
  Culprit culprit{newton_.kkt().owner(0), "Newton correction", size};
  const std::vector<double>& scale = system_->layout().scale;
  double largest = -1.0;
  for (int i = 0; i < n_; ++i) {
    const double of = std::abs(x_[index(i)]) / scale[index(i)];
    if (of <= largest) continue;
    largest = of;
    culprit.name = newton_.kkt().owner(i);
  }
  if (std::isfinite(size)) return failure(Status::newton_not_converged, std::move(culprit));
  Point end = at(to);
  end.q = end_q_.data();
  find_undefined(*system_, end, culprit);
  return failure(Status::not_finite, std::move(culprit));
}

// a_ and lambda_ of the index-1 system at q_ and v_, with the factor of the node.
Outcome Rattle::accelerate(double t) {
  Point point = at(t);
  point.v = v_.data();
  Evaluation wanted;
  wanted.balance = x_.data();
  wanted.acceleration = x_.data() + n_;
  evaluate(point, wanted);
  for (double& x : x_) x = -x;
  std::copy_n(x_.begin(), n_, held_.begin());
  solve(newton_.kkt(), x_.data());
  std::copy_n(x_.begin(), n_, a_.begin());
  std::copy(x_.begin() + n_, x_.end(), lambda_.begin());
  take_out_proximal(lambda_.data());
  for (int i = 0; i < n_; ++i) a_[index(i)] += x_[index(i)];
  for (int r = 0; r < m_; ++r) lambda_[index(r)] += x_[index(n_ + r)];
  take_accelerations(a_.data());
  const int wrong = first_not_finite(lambda_), moved = first_not_finite(a_);
  if (wrong < 0 && moved < 0) return {};
  return failure(Status::not_finite,
                 {newton_.kkt().owner(moved >= 0 ? moved : n_ + wrong),
                  moved >= 0 ? "acceleration" : "multiplier", std::numeric_limits<double>::quiet_NaN()});
}

}  // namespace catena
