#include <catena/kkt/derivative_check.hpp>
#include <catena/kkt/detail/derivative_probe.hpp>
#include <catena/kkt/detail/mass_defect.hpp>
#include <catena/system/detail/evaluations.hpp>
#include <catena/system/detail/fit.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

namespace catena {
using namespace detail;
namespace {

using namespace derivative_probe;

bool finite(const Values& x) {
  return std::all_of(x.begin(), x.end(), [](double e) { return std::isfinite(e); });
}

class Draw {
 public:
  explicit Draw(unsigned seed) : engine_(seed) {}
  // Components in +-[0.3, 1] of their scale: none so small that an error in its column is missed.
  void fill(Values& x, const Values& scale, double size = 1.0) {
    for (std::size_t k = 0; k < x.size(); ++k) {
      const double unit = static_cast<double>(engine_()) * 0x1p-31 - 1.0;  // [-1, 1)
      x[k] = size * (scale.empty() ? 1.0 : scale[k]) * (std::copysign(0.3, unit) + 0.7 * unit);
    }
  }

 private:
  std::mt19937 engine_;
};

Linearization rows_of(double jacobian, double rate) {
  Linearization lin;
  lin.rows_only = true;
  lin.position_rows = lin.velocity_rows = {jacobian, 0.0, rate};
  return lin;
}
Linearization balance_of(double mass, double damping, double stiffness) {
  Linearization lin;
  lin.mass = mass, lin.damping = damping, lin.stiffness = stiffness;
  return lin;
}

constexpr Terms all{}, constraints_only{.forces = false, .accelerations = false},
    forces_only{.multipliers = false, .accelerations = false},
    inertia_only{.forces = false, .multipliers = false};

constexpr const char *gap_by_velocity = "gap by velocity", *not_affine = "Jacobian by velocity",
                     *asymmetry = "symmetry of the mass matrix";

class Check {
 public:
  Check(const System& system, const State& state, const DerivativeCheckOptions& options)
      : system_(system),
        pattern_(*system.layout().pattern),
        options_(options),
        probe_(system, state),
        start_(state.q),
        draw_(options.seed),
        w_(Prober::zeros(probe_.n)) {}

  DerivativeCheck operator()() {
    // A wrong Jacobian makes the other derivatives appear wrong: it is checked first, at all configurations.
    for (int k = 0; k < options_.points; ++k)
      if (place(k)) {
        ++result_.points;
        check_velocities();
        check_jacobian();
      }
    for (int k = 0; k < options_.points; ++k)
      if (place(k)) {
        check_rates();
        check_symmetry();
        check_balance();
      }
    return std::move(result_);
  }

 private:
  // The initial configuration, or one about it, with random velocities, accelerations, multipliers and direction.
  // False: something is not finite there.
  bool place(int number) {
    const Values& scale = system_.layout().scale;
    draw_ = Draw(options_.seed + static_cast<unsigned>(number));
    probe_.q = start_;
    if (number > 0) {
      draw_.fill(w_, scale, options_.distance);
      system_.retract(start_.data(), w_.data(), probe_.q.data());
    }
    draw_.fill(probe_.v, scale);
    draw_.fill(probe_.a, scale);
    draw_.fill(probe_.lambda, {});
    draw_.fill(w_, scale);
    return finite(probe_.get(Of::balance, all)) && finite(probe_.get(Of::acceleration, all));
  }

  bool at_velocity(int dual) const {
    return system_.layout().level[static_cast<std::size_t>(dual)] == Level::velocity;
  }
  // Rows of C w, which follow the balance.
  Values tail(const Values& y) const { return Values(y.begin() + probe_.n, y.end()); }
  Values head(const Values& y) const { return Values(y.begin(), y.begin() + probe_.n); }

  // Gaps that see velocities, and rates that are not affine in them: no derivative of theirs is what it seems.
  void check_velocities() {
    const Values none = Prober::zeros(probe_.n), v = probe_.v;
    const auto given = [&] { return tail(probe_.times(rows_of(1.0, 0.0), all, w_.data())); };
    const Slope gaps = probe_.slope(Of::position, all, {.dv = w_.data()});
    const Values here = given();
    probe_.v = none;
    const Slope at_rest{given(), Prober::zeros(probe_.m)};
    probe_.v = v;
    for (int d = 0; d < pattern_.dual_count(); ++d) {
      if (gone(d)) continue;
      if (at_velocity(d)) {
        if (worst_row(first_row(d), rows(d), here, at_rest) >= 0) note_row(d, not_affine, here, at_rest);
      } else if (const Values zero = Prober::zeros(probe_.m);
                 worst_row(first_row(d), rows(d), zero, gaps) >= 0) {
        note_row(d, gap_by_velocity, zero, gaps);
      }
    }
  }

  // Of the mass matrix as a whole, which the balance along one direction does not show.
  void check_symmetry() {
    if (known(false, -1, asymmetry) || !in_own_coordinates(system_)) return;
    BlockMatrix matrix(system_.layout().pattern, Border::transposed);
    matrix.set_zero();
    evaluate_mass_and_rows(system_, probe_.here(), matrix);
    const std::optional<Asymmetry> found = asymmetry_of_mass(std::as_const(matrix));
    if (!found) return;
    known_.insert({false, -1, asymmetry});
    const int block = pattern_.block_of(found->row), other = pattern_.block_of(found->column);
    note({.owner = system_.velocity_block_name(block),
          .quantity = asymmetry,
          .block = block,
          .of_constraint = false,
          .row = found->row - pattern_.primal_offset[at(block)],
          .by = system_.velocity_block_name(other),
          .component = found->column - pattern_.primal_offset[at(other)],
          .given = found->entry,
          .expected = found->mirrored});
  }

  // A constraint of which enough is known.
  bool gone(int dual) const {
    return known(true, dual, "Jacobian") || known(true, dual, gap_by_velocity) ||
           known(true, dual, not_affine);
  }

  void check_jacobian() {
    const Values Gw = tail(probe_.times(rows_of(1.0, 0.0), all, w_.data()));
    Slope along = probe_.slope(Of::position, all, {.dq = w_.data()});
    const Slope by_v = probe_.slope(Of::velocity, all, {.dv = w_.data()});
    for (int d = 0; d < pattern_.dual_count(); ++d)
      if (at_velocity(d)) copy_rows(d, by_v, along);
    assess_rows("Jacobian", Gw, along, [&](int d) { locate(d, "Jacobian", 1.0, 0.0); });
  }

  // At the start itself a function of time may have a bend, a ramp that begins there: differences look at both sides of
  // a moment a little later.
  void check_rates() {
    constexpr double after_a_bend =
        4.1421356e-3;  // twice the largest step of the differences, and no whole period
    const double start = probe_.t;
    probe_.t += after_a_bend;
    compare_rates();
    probe_.t = start;
  }
  void compare_rates() {
    const auto plainly = [&](const char* quantity, const Values& given, const Slope& slope) {
      assess_rows(quantity, given, slope, [&](int d) { note_row(d, quantity, given, slope); });
    };
    const Values velocity = probe_.get(Of::velocity, all);
    Slope moving = slope_of_motion(Of::position, velocity, [&](int d) { return !at_velocity(d); });
    for (int d = 0; d < pattern_.dual_count(); ++d)  // a velocity row is not the rate of a position
      if (at_velocity(d)) copy_rows(d, {velocity, Prober::zeros(probe_.m)}, moving);
    plainly("drift", velocity, moving);
    const Values acceleration = probe_.get(Of::acceleration, all);
    plainly("bias", acceleration, slope_of_motion(Of::velocity, acceleration, [](int) { return true; }));
    assess_rows("rate Jacobian", tail(probe_.times(rows_of(0.0, 1.0), all, w_.data())),
                probe_.slope(Of::velocity, all, {.dq = w_.data()}),
                [&](int d) { locate(d, "rate Jacobian", 0.0, 1.0); });
  }

  // A drive of some kilohertz is faster than the usual differences. Where they do not confirm what is given, shorter ones
  // follow, each 43 times as short: a value counts that two in a row agree on. Where none do, there is nothing to compare
  // with. The sizes are in no simple ratio to periods that people choose: a difference over whole periods would be zero.
  template <class Counts>
  Slope slope_of_motion(Of what, const Values& given, const Counts& counts) {
    constexpr double first = 0.7390851332 * Prober::usual_step, shorter = 0.0231, same = 1e-4;
    constexpr int sizes = 4;            // the last but one, 4e-7 s, resolves 1e5 Hz
    constexpr double roundoff = 1e-10;  // of the first, as in worst_row()
    const Way along{.motion = true};
    Slope slope = probe_.slope(what, all, along, first);
    bool confirmed = true;
    for (int d = 0; d < pattern_.dual_count(); ++d)
      confirmed = confirmed && (!counts(d) || worst_row(first_row(d), rows(d), given, slope, 0.0) < 0);
    if (confirmed) return slope;
    std::vector<char> settled(slope.value.size(), 0);
    double part = 1.0;
    for (int k = 1; k < sizes; ++k) {
      part *= shorter;
      const Slope finer = probe_.slope(what, all, along, first * part);
      for (std::size_t r = 0; r < settled.size(); ++r) {
        if (settled[r] != 0) continue;
        const double size = std::max(std::abs(finer.value[r]), std::abs(slope.value[r]));
        settled[r] = std::abs(finer.value[r] - slope.value[r]) <= same * size + roundoff / part ? 1 : 0;
        if (settled[r] != 0) continue;
        slope.value[r] = finer.value[r];
        slope.doubt[r] = finer.doubt[r] + roundoff / part;
      }
    }
    for (std::size_t r = 0; r < settled.size(); ++r)
      if (settled[r] == 0) slope.value[r] = NAN;
    return slope;
  }

  void copy_rows(int dual, const Slope& from, Slope& to) const {
    for (int r = first_row(dual); r < first_row(dual) + rows(dual); ++r) {
      to.value[at(r)] = from.value[at(r)];
      to.doubt[at(r)] = from.doubt[at(r)];
    }
  }

  void check_balance() {
    const Way by_q{.dq = w_.data()}, by_v{.dv = w_.data()}, by_a{.da = w_.data()};
    assess_balance("geometric stiffness", balance_of(0, 0, 1), constraints_only, by_q);
    assess_balance("stiffness", balance_of(0, 0, 1), forces_only, by_q);
    assess_balance("damping", balance_of(0, 1, 0), forces_only, by_v);
    assess_balance("mass matrix", balance_of(1, 0, 0), inertia_only, by_a);
  }

  // The row of a block whose value is farthest from the slope, beyond the tolerance; -1: all are right.
  // doubts: what of the doubt is allowed for. It is the difference of two step sizes, the larger of which is 16 times less
  // exact; 8 of them allow for a cancellation in that difference.
  int worst_row(int first, int count, const Values& given, const Slope& slope, double doubts = 8.0) const {
    double size = 0.0, doubt = 0.0, worst = 0.0;
    int row = -1;
    for (int r = first; r < first + count; ++r) {
      if (!std::isfinite(slope.value[at(r)])) return -1;  // nothing to compare with
      size = std::max({size, std::abs(given[at(r)]), std::abs(slope.value[at(r)])});
      doubt = std::max(doubt, slope.doubt[at(r)]);
    }
    for (int r = first; r < first + count; ++r) {
      const double error = std::abs(given[at(r)] - slope.value[at(r)]);
      if (!(error <= worst)) worst = error, row = r - first;  // NaN is the worst
    }
    // 1e-10: roundoff of the differences, 1.5 eps / h with h = 1e-3 is 3e-13, for values of up to 300 units.
    const bool good = worst <= options_.tolerance * size + doubts * doubt + 1e-10;
    return good ? -1 : row;
  }

  template <class Locate>
  void assess_rows(const char* quantity, const Values& given, const Slope& slope, Locate&& locate_in) {
    for (int d = 0; d < pattern_.dual_count(); ++d) {
      if (known(true, d, quantity) || gone(d) || worst_row(first_row(d), rows(d), given, slope) < 0) continue;
      if (looked_at_++ < options_.details)
        locate_in(d);
      else
        note_row(d, quantity, given, slope);
    }
  }

  void note_row(int dual, const char* quantity, const Values& given, const Slope& slope) {
    const int row = worst_row(first_row(dual), rows(dual), given, slope);
    const std::size_t r = at(first_row(dual) + std::max(row, 0));
    note({.owner = system_.constraint_name(dual),
          .quantity = quantity,
          .block = dual,
          .row = row,
          .given = given[r],
          .expected = slope.value[r]});
  }

  // The entry with the largest error, over all blocks on which the constraint acts.
  void locate(int dual, const char* quantity, double jacobian, double rate) {
    DerivativeFault fault{.owner = system_.constraint_name(dual), .quantity = quantity, .block = dual};
    double worst = -1.0;
    Values unit = Prober::zeros(probe_.n);
    for (const BlockPattern::Incidence& link : pattern_.incidences) {
      if (link.dual != dual) continue;
      const std::size_t p = at(link.primal);
      for (int c = 0; c < pattern_.primal_size[p]; ++c) {
        const std::size_t column = at(pattern_.primal_offset[p] + c);
        unit[column] = 1.0;
        const Values given = tail(probe_.times(rows_of(jacobian, rate), all, unit.data()));
        const bool by_velocity = rate == 0.0 && at_velocity(dual);
        const Way way = by_velocity ? Way{.dv = unit.data()} : Way{.dq = unit.data()};
        const Of what = rate == 0.0 && !at_velocity(dual) ? Of::position : Of::velocity;
        const Slope slope = probe_.slope(what, all, way);
        unit[column] = 0.0;
        for (int r = 0; r < rows(dual); ++r) {
          const std::size_t k = at(first_row(dual) + r);
          const double error = std::abs(given[k] - slope.value[k]);
          if (error <= worst) continue;
          worst = std::isfinite(error) ? error : INFINITY;
          fault.row = r;
          fault.by = system_.velocity_block_name(link.primal);
          fault.component = c;
          fault.given = given[k];
          fault.expected = slope.value[k];
        }
      }
    }
    note(std::move(fault));
  }

  void assess_balance(const char* quantity, const Linearization& lin, const Terms& terms, const Way& way) {
    const Values given = head(probe_.times(lin, terms, w_.data()));
    const Slope slope = probe_.slope(Of::balance, terms, way);
    for (int p = 0; p < pattern_.primal_count(); ++p) {
      const int row = worst_row(pattern_.primal_offset[at(p)], pattern_.primal_size[at(p)], given, slope);
      if (row < 0) continue;
      if (terms.multipliers && looked_at_ < options_.details &&
          find_wrong_constraints(p, quantity, lin, terms, way)) {
        ++looked_at_;
        continue;
      }
      if (known(false, p, quantity)) continue;
      const std::size_t r = at(pattern_.primal_offset[at(p)] + row);
      note({.owner = system_.velocity_block_name(p),
            .quantity = quantity,
            .block = p,
            .of_constraint = false,
            .row = row,
            .given = given[r],
            .expected = slope.value[r]});
    }
  }

  // With the multipliers of one constraint of the block at a time: true where the derivative of at least one is wrong.
  bool find_wrong_constraints(int primal, const char* quantity, const Linearization& lin, const Terms& terms,
                              const Way& way) {
    bool found = false;
    const Values lambda = probe_.lambda;
    for (const BlockPattern::Incidence& link : pattern_.incidences) {
      if (link.primal != primal) continue;
      if (known(true, link.dual, quantity) || gone(link.dual)) {
        found = true;
        continue;
      }
      probe_.lambda = Prober::zeros(probe_.m);
      for (int r = first_row(link.dual); r < first_row(link.dual) + rows(link.dual); ++r)
        probe_.lambda[at(r)] = lambda[at(r)];
      const Values given = head(probe_.times(lin, terms, w_.data()));
      const Slope slope = probe_.slope(Of::balance, terms, way);
      const int first = pattern_.primal_offset[at(primal)];
      const int row = worst_row(first, pattern_.primal_size[at(primal)], given, slope);
      if (row < 0) continue;
      found = true;
      note({.owner = system_.constraint_name(link.dual),
            .quantity = quantity,
            .block = link.dual,
            .by = system_.velocity_block_name(primal),
            .component = row,
            .given = given[at(first + row)],
            .expected = slope.value[at(first + row)]});
    }
    probe_.lambda = lambda;
    return found;
  }

  bool known(bool of_constraint, int block, const char* quantity) const {
    return known_.count({of_constraint, block, quantity}) != 0;
  }
  void note(DerivativeFault fault) {
    known_.insert({fault.of_constraint, fault.block, fault.quantity});
    result_.faults.push_back(std::move(fault));
  }

  static std::size_t at(int k) { return static_cast<std::size_t>(k); }
  int first_row(int dual) const { return pattern_.dual_offset[at(dual)] - pattern_.primal_dimension; }
  int rows(int dual) const { return pattern_.dual_size[at(dual)]; }

  const System& system_;
  const BlockPattern& pattern_;
  const DerivativeCheckOptions& options_;
  Prober probe_;
  Values start_;
  Draw draw_;
  Values w_;
  int looked_at_ = 0;
  std::set<std::tuple<bool, int, std::string>> known_;
  DerivativeCheck result_;
};

}  // namespace

DerivativeCheck check_derivatives(const System& system, const State& state,
                                  const DerivativeCheckOptions& options) {
  if (const std::string misfit = misfit_of_motion(system.layout(), state); !misfit.empty())
    throw std::invalid_argument(misfit);
  return Check(system, state, options)();
}

}  // namespace catena
