#include <catena/kkt/consistent.hpp>
#include <catena/kkt/detail/contradiction.hpp>
#include <catena/kkt/detail/factored_rows.hpp>
#include <catena/math/detail/index.hpp>
#include <catena/system/detail/evaluations.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace catena::detail {

// [M G^T; G -D][dv; mu] = [0; -r] with a small compliance D leaves r + G dv = D mu, the part of r that no velocity
// takes away, to a part `compliance` of the rest.
std::vector<Contradiction> contradicting_velocities(const System& system, KktSolver& kkt,
                                                    const State& state) {
  constexpr double compliance = 1e-8;  // half of the digits for the part, half for the solution
  constexpr double least =
      1e-2;  // of the largest: smaller ones are what D leaves of rows that can be satisfied
  const BlockPattern& p = *system.layout().pattern;
  const Point at = point_of(state);
  evaluate_mass_and_rows(system, at, kkt.matrix());
  kkt.set_compliance(compliance);
  if (kkt.factorize().status != Status::ok) return {};
  std::vector<double> x(index(p.dimension()), 0.0), v = state.v;
  Evaluation wanted;
  wanted.velocity = x.data() + p.primal_dimension;
  system.evaluate(at, wanted);
  std::for_each(x.begin() + p.primal_dimension, x.end(), [](double& r) { r = -r; });
  kkt.solve(x.data());
  for (std::size_t k = 0; k < v.size(); ++k) v[k] += x[k];
  std::vector<double> rows(index(p.dual_dimension));
  Point moved = at;
  moved.v = v.data();
  wanted.velocity = rows.data();
  system.evaluate(moved, wanted);
  std::vector<Contradiction> found;
  double largest = 0.0;
  for (int d = 0; d < p.dual_count(); ++d) {
    Contradiction c{d};
    for (int k = 0; k < p.dual_size[index(d)]; ++k)
      c.amount = std::max(c.amount, std::abs(rows[index(p.dual_offset[index(d)] - p.primal_dimension + k)]));
    largest = std::max(largest, c.amount);
    found.push_back(c);
  }
  std::erase_if(found, [&](const Contradiction& c) { return c.amount < least * largest; });
  std::stable_sort(found.begin(), found.end(),
                   [](const Contradiction& a, const Contradiction& b) { return a.amount > b.amount; });
  return found;
}

namespace {

// Where no positions near q satisfy all rows to roundoff.
std::optional<Contradiction> open_near(const System& system, const State& state, std::vector<double> q) {
  // Where methods that satisfy positions end (Index1Equations::close_positions).
  constexpr double roundoff = 64.0 * std::numeric_limits<double>::epsilon();
  KktSolver kkt;
  if (!kkt.attach(system, {}).empty()) return {};
  double change = 0.0;
  const KktReport nearest =
      ConsistentValues(system, kkt, state.discrete.empty() ? nullptr : state.discrete.data())
          .project_to_roundoff(state.t, q.data(), roundoff, change);
  if (nearest.status != Status::newton_not_converged) return {};
  const BlockPattern& p = *system.layout().pattern;
  std::vector<double> rows(index(p.dual_dimension));
  Point at = point_of(state);
  at.q = q.data();
  Evaluation wanted;
  wanted.position = rows.data();
  system.evaluate(at, wanted);
  Contradiction worst;
  for (int d = 0; d < p.dual_count(); ++d)
    for (int k = 0; k < p.dual_size[index(d)]; ++k) {
      const double gap = std::abs(rows[index(p.dual_offset[index(d)] - p.primal_dimension + k)]);
      if (!std::isfinite(gap)) return {};
      if (gap > worst.amount) worst = {d, gap};
    }
  return worst;
}

}  // namespace

std::optional<Contradiction> contradicting_positions(const System& system, const State& state) {
  return open_near(system, state, state.q);
}

std::optional<Contradiction> contradicting_positions_near(const System& system, const State& state,
                                                          double way) {
  // Rows that contradict each other do so by the first to the second power of the way.
  constexpr double least_growth = 1.5, most_growth = 5.0;
  FactoredRows rows(system, state);
  // Where no row looks as if it depended on others, positions that were not found are those of a long chain or a singular place.
  if (rows.solver() == nullptr ||
      !(rows.report().weakest_dual_ratio < suspicious_ratio * KktOptions{}.proximal))
    return {};
  const std::vector<std::vector<double>> motions = allowed_motions(rows, 1);
  if (motions.empty()) return {};
  const auto open_behind = [&](double part) {
    std::vector<double> delta = motions.front(), q(state.q.size());
    for (double& d : delta) d *= part;
    system.retract(state.q.data(), delta.data(), q.data());
    return open_near(system, state, std::move(q));
  };
  const std::optional<Contradiction> half = open_behind(0.5 * way);
  if (!half) return {};
  const std::optional<Contradiction> whole = open_behind(way);
  if (!whole) return {};
  const double growth = whole->amount / half->amount;
  return growth > least_growth && growth < most_growth ? whole : std::nullopt;
}

}  // namespace catena::detail
