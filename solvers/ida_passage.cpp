// Whether ida may step over a place where rows become dependent: where branches of the positions cross there, as in the flat
// positions of linkages, and the motion stays on its own (docs/theory/newton.md, singular configurations).
#include <catena/solvers/detail/ida_work.hpp>
#include <catena/system/detail/evaluations.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace catena {
using namespace detail;

// Rows at position level alone, which the form keeps. dummy_derivatives chooses its coordinates anew on the way to the place,
// among rows that depend on each other, and is wrong by 5e-6 m behind it with a tolerance of 1e-12.
bool Ida::Work::keeps_positions() const {
  const std::vector<Level>& levels = system.layout().level;
  return options.form == IdaOptions::Form::gear_gupta_leimkuhler &&
         std::all_of(levels.begin(), levels.end(), [](Level level) { return level == Level::position; });
}

// Rows that are weaker than at the start by w determine coordinates to roundoff over w and velocities, whose rows have such
// coordinates in them, to roundoff over w^2. Shorter steps make neither better, and IDA cuts them until Newton fails.
void Ida::Work::set_roundoff() {
  // Units in the last place: with 4 of each runs of the N-four-bar with tolerances of 1e-10 end beside a flat position, with
  // 16 and 256 that of 40 windows, with these none. Nothing at the start.
  constexpr double of_q = 16.0, of_v = 1024.0;
  const double w = equations.weakest() / weakest_at_start;
  if (!keeps_positions() || !(w < 1.0)) return session->set_roundoff(0.0, 0.0);
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  double speed = 1.0;  // [m/s] below it roundoff is absolute
  for (const double v : last.v) speed = std::max(speed, std::abs(v));
  session->set_roundoff(of_q * epsilon * (1.0 / w - 1.0), of_v * epsilon * speed * (1.0 / (w * w) - 1.0));
}

// n with G^T n = 0 at the place, by inverse iteration with the index-1 matrix there; rows that contradict each other have
// n.g, and a motion that is turned away has another direction at the end of the step. A place within the step of the
// polynomial, at this part of it.
bool Ida::Work::passes(double t0, double t1, double part) {
  // As the guard over poles lets branches miss each other (multiplier_pole.cpp), and the direction of velocities change.
  constexpr double contradiction = 1e-8, same_direction = 0.9;
  if (!keeps_positions()) return false;  // there is no branch to stay on
  const std::size_t n = last.v.size(), m = last.lambda.size();
  if (!session->interpolate(t0 + part * (t1 - t0), result.data())) return false;
  Point place;
  place.t = t0 + part * (t1 - t0);
  place.q = result.data();
  place.discrete = last.discrete.empty() ? nullptr : last.discrete.data();
  place.forces = false;
  rows.assign(n + m, 0.0);
  evaluate_mass_and_rows(system, place, kkt.matrix());
  kkt.update_proximal();
  ++statistics.factorizations;
  if (kkt.factorize().status != Status::ok) return false;
  std::iota(rows.begin() + static_cast<std::ptrdiff_t>(n), rows.end(), 1.0);  // any, at right angles to no n
  double size = 0.0;
  for (int k = 0; k < 2; ++k) {  // the next weakest rows have shrunk by the square of their ratio then
    std::fill_n(rows.begin(), n, 0.0);
    ++statistics.solves;
    kkt.solve(rows.data());
    size = 0.0;
    for (std::size_t r = n; r < n + m; ++r) size = std::max(size, std::abs(rows[r]));
    if (!(size > 0.0) || !std::isfinite(size)) return false;
    for (std::size_t r = n; r < n + m; ++r) rows[r] /= size;
  }
  gaps.assign(m, 0.0);
  Evaluation wanted;
  wanted.position = gaps.data();
  system.evaluate(place, wanted);
  const double missed =
      std::inner_product(gaps.begin(), gaps.end(), rows.begin() + static_cast<std::ptrdiff_t>(n), 0.0);
  double length = 0.0;
  for (const double s : system.layout().scale) length = std::max(length, s);
  if (!(std::abs(missed) <= contradiction * length)) return false;
  place.t = t1;
  place.q = session->y();
  const double* const after = session->y() + n;
  const auto product = [&](const double* v, const double* w) {
    evaluate_inertia(system, place, w, rows.data());
    return std::inner_product(v, v + n, rows.begin(), 0.0);
  };
  const double* const before = last.v.data();
  return product(after, before) > same_direction * std::sqrt(product(before, before) * product(after, after));
}

}  // namespace catena
