#include <catena/math/detail/index.hpp>
#include <catena/solvers/detail/radau_coefficients.hpp>
#include <catena/solvers/detail/stiff_coordinates.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>
#include <utility>

namespace catena::detail {
namespace {

// h^2 K / 16 M + h C / 4 M from which a coordinate is taken like a row: the iteration then contracts by 1.7 / 13 and less. More
// than `largest` of it says no more, and would cost digits.
constexpr double row_from = 10.0, largest = 1e8;

template <class T>
using Values = std::array<T, ForceAlong::most>;

// The first n entries of a x.
template <class Square, class T>
Values<T> times(const Square& a, int n, const Values<T>& x) {
  Values<T> y{};
  for (std::size_t i = 0; i < index(n); ++i)
    for (std::size_t j = 0; j < index(n); ++j) y[i] += a[i][j] * x[j];
  return y;
}

// The inverse of the first n rows and columns, with pivots by rows; false: it is singular.
template <class Square>
bool invert(Square a, int n, Square& out) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) out[index(i)][index(j)] = i == j ? 1.0 : 0.0;
  for (int k = 0; k < n; ++k) {
    int pivot = k;
    for (int i = k + 1; i < n; ++i)
      if (std::abs(a[index(i)][index(k)]) > std::abs(a[index(pivot)][index(k)])) pivot = i;
    if (!(std::abs(a[index(pivot)][index(k)]) > 0.0)) return false;
    std::swap(a[index(k)], a[index(pivot)]);
    std::swap(out[index(k)], out[index(pivot)]);
    const auto inverse = 1.0 / a[index(k)][index(k)];
    for (int j = 0; j < n; ++j) a[index(k)][index(j)] *= inverse, out[index(k)][index(j)] *= inverse;
    for (int i = 0; i < n; ++i) {
      if (i == k) continue;
      const auto factor = a[index(i)][index(k)];
      for (int j = 0; j < n; ++j) {
        a[index(i)][index(j)] -= factor * a[index(k)][index(j)];
        out[index(i)][index(j)] -= factor * out[index(k)][index(j)];
      }
    }
  }
  return true;
}

// Whether all its leading minors are positive.
bool positive(ForceAlong::Square a, int n) {
  for (std::size_t k = 0; k < index(n); ++k) {
    if (!(a[k][k] > 0.0)) return false;
    for (std::size_t i = k + 1; i < index(n); ++i) {
      const double factor = a[i][k] / a[k][k];
      for (std::size_t j = k; j < index(n); ++j) a[i][j] -= factor * a[k][j];
    }
  }
  return true;
}

}  // namespace

void StiffCoordinates::attach(const System& system) {
  forces_.assign(index(system.forces_along()), {});
  size_ = 0;
  if (forces_.empty()) return;
  const BlockPattern& pattern = *system.layout().pattern;
  inverse_mass_.assign(index(system.layout().v_size()), 0.0);
  std::map<std::pair<int, int>, int> coupling_of;
  for (std::size_t k = 0; k < pattern.couplings.size(); ++k) {
    const BlockPattern::Coupling& c = pattern.couplings[k];
    coupling_of[{std::min(c.i, c.j), std::max(c.i, c.j)}] = static_cast<int>(k);
  }
  const State state = system.initial_state();
  for (std::size_t k = 0; k < forces_.size(); ++k) {
    Force& f = forces_[k];
    system.force_along(static_cast<int>(k), point_of(state), f.middle);
    f.at = size_;
    size_ += index(f.middle.size);
    const int a = f.middle.body[0].block, b = f.middle.body[1].block;
    if (a < 0 || b < 0) continue;
    const auto found = coupling_of.find({std::min(a, b), std::max(a, b)});
    assert(found != coupling_of.end() && "two bodies of a force without a block of their own");
    f.coupling = found->second;
    f.swapped = pattern.couplings[index(f.coupling)].i != a;
  }
}

StiffCoordinates::Found StiffCoordinates::find(const System& system, const Point& middle,
                                               const BlockMatrix& mass, double h) {
  const BlockPattern& pattern = mass.pattern();
  for (int b = 0; b < pattern.primal_count(); ++b)
    for (int i = 0; i < pattern.primal_size[index(b)]; ++i)
      inverse_mass_[index(pattern.primal_offset[index(b)] + i)] = 1.0 / mass.H(b)(i, i);
  bool some = false, between = false;
  for (std::size_t k = 0; k < forces_.size() && !between; ++k) {
    system.force_along(static_cast<int>(k), middle, forces_[k].middle);
    some = choose(forces_[k], h, between) || some;
  }
  return between ? Found::between : some ? Found::rows : Found::soft;
}

bool StiffCoordinates::choose(Force& f, double h, bool& between) const {
  const ForceAlong& m = f.middle;
  const double by_coordinate = h / radau::gamma * (h / radau::gamma), by_rate = h / radau::gamma;
  std::array<double, ForceAlong::most> yields{};  // D M^-1 D^T
  f.count = 0;
  for (std::size_t r = 0; r < index(m.size); ++r) {
    double yield = 0.0;
    for (const ForceAlong::Body& body : m.body)
      for (int c = 0; c < body.count && body.block >= 0; ++c)
        yield += body.rows[r][index(c)] * body.rows[r][index(c)] * inverse_mass_[index(body.first + c)];
    const double stiffness =
        yield * (h * h / 16.0 * std::abs(m.by_coordinate[r][r]) + h / 4.0 * std::abs(m.by_rate[r][r]));
    if (!(stiffness > stiff_from)) continue;
    if (!(stiffness > row_from) || !std::isfinite(stiffness)) return between = true, false;
    yields[index(f.count)] = yield;
    f.row[index(f.count++)] = static_cast<int>(r);
  }
  if (f.count == 0) return false;
  ForceAlong::Square stiff{};
  for (std::size_t i = 0; i < index(f.count); ++i)
    for (std::size_t j = 0; j < index(f.count); ++j) {
      const auto r = index(f.row[i]), c = index(f.row[j]);
      stiff[i][j] = -m.by_coordinate[r][c];
      f.damping[i][j] = -m.by_rate[r][c];
      f.kappa[i][j] = -0.5 * (by_coordinate * (m.by_coordinate[r][c] + m.by_coordinate[c][r]) +
                              by_rate * (m.by_rate[r][c] + m.by_rate[c][r]));
    }
  const Complex mu = Complex(radau::alpha, radau::beta) / h;
  ForceAlong::Square real{};
  auto complex = f.complex;
  for (std::size_t i = 0; i < index(f.count); ++i)
    for (std::size_t j = 0; j < index(f.count); ++j) {
      real[i][j] = stiff[i][j] + f.damping[i][j] / by_rate;
      complex[i][j] = stiff[i][j] + mu * f.damping[i][j];
    }
  if (!positive(f.kappa, f.count) || !invert(real, f.count, f.real) || !invert(complex, f.count, f.complex))
    return between = true, false;
  // Where the damper is most of the force over the step, Q says what the rate is. The change of s that makes up for an error
  // of the rate is c / k times that, a time that may be long beside the step.
  bool by_stiffness = true;
  for (std::size_t i = 0; i < index(f.count); ++i)
    by_stiffness = by_stiffness && stiff[i][i] >= std::abs(f.damping[i][i]) / by_rate;
  f.has_gap = by_stiffness && positive(stiff, f.count) && invert(stiff, f.count, f.gap);
  std::array<double, ForceAlong::most> scale{};
  for (std::size_t i = 0; i < index(f.count); ++i)
    scale[i] = std::sqrt(std::min(1.0, largest / (f.kappa[i][i] * yields[i])));
  for (std::size_t i = 0; i < index(f.count); ++i)
    for (std::size_t j = 0; j < index(f.count); ++j) {
      f.kappa[i][j] *= scale[i] * scale[j];
      f.real[i][j] /= by_rate * by_rate;
      f.complex[i][j] *= mu * mu;
    }
  return true;
}

std::array<double, ForceAlong::most> StiffCoordinates::along(const Force& f, const double* v) {
  Values<double> y{};
  for (std::size_t i = 0; i < index(f.count); ++i)
    for (const ForceAlong::Body& body : f.middle.body)
      for (int c = 0; c < body.count && body.block >= 0; ++c)
        y[i] += body.rows[index(f.row[i])][index(c)] * v[body.first + c];
  return y;
}

std::array<double, ForceAlong::most> StiffCoordinates::taken(const Force& f, const double* all) {
  Values<double> x{};
  for (std::size_t i = 0; i < index(f.count); ++i) x[i] = all[f.at + index(f.row[i])];
  return x;
}

void StiffCoordinates::put(const Force& f, const std::array<double, ForceAlong::most>& x, double* all) {
  for (std::size_t i = 0; i < index(f.count); ++i) all[f.at + index(f.row[i])] = x[i];
}

void StiffCoordinates::add_across(const Force& f, const ForceAlong& rows, const double* y, double* x) {
  for (const ForceAlong::Body& body : rows.body)
    for (int c = 0; c < body.count && body.block >= 0; ++c)
      for (std::size_t i = 0; i < index(f.count); ++i)
        x[body.first + c] += body.rows[index(f.row[i])][index(c)] * y[i];
}

void StiffCoordinates::add_to(BlockMatrix& matrix) const {
  for (const Force& f : forces_) {
    if (f.count == 0) continue;
    const auto add = [&](std::size_t left, std::size_t right, const BlockRef& block) {
      const ForceAlong::Body &a = f.middle.body[left], &b = f.middle.body[right];
      for (int r = 0; r < a.count; ++r)
        for (int c = 0; c < b.count; ++c) {
          double sum = 0.0;
          for (std::size_t i = 0; i < index(f.count); ++i)
            for (std::size_t j = 0; j < index(f.count); ++j)
              sum += a.rows[index(f.row[i])][index(r)] * f.kappa[i][j] * b.rows[index(f.row[j])][index(c)];
          block(r, c) += sum;
        }
    };
    for (std::size_t i = 0; i < 2; ++i)
      if (f.middle.body[i].block >= 0) add(i, i, matrix.H(f.middle.body[i].block));
    if (f.coupling < 0) continue;
    const std::size_t first = f.swapped ? 1 : 0;
    add(first, 1 - first, matrix.H_upper(f.coupling));
    add(1 - first, first, matrix.H_lower(f.coupling));
  }
}

void StiffCoordinates::exchange(const System& system, const Point& stage, const double* tau, double* balance,
                                double* rest) const {
  ForceAlong now;
  for (std::size_t k = 0; k < forces_.size(); ++k) {
    const Force& f = forces_[k];
    std::fill_n(rest + f.at, f.middle.size, 0.0);
    if (f.count == 0) continue;
    system.force_along(static_cast<int>(k), stage, now);
    std::array<double, ForceAlong::most> y{};
    for (std::size_t i = 0; i < index(f.count); ++i) {
      const std::size_t r = index(f.row[i]);
      y[i] = tau[f.at + r] - now.force[r];
      rest[f.at + r] = -y[i];
    }
    if (balance != nullptr) add_across(f, now, y.data(), balance);
  }
}

void StiffCoordinates::law(const System& system, const Point& at, double* tau) const {
  ForceAlong now;
  for (std::size_t k = 0; k < forces_.size(); ++k) {
    system.force_along(static_cast<int>(k), at, now);
    std::copy_n(now.force.begin(), now.size, tau + forces_[k].at);
  }
}

void StiffCoordinates::to_rho(double* rest) const {
  for (const Force& f : forces_) put(f, times(f.real, f.count, taken(f, rest)), rest);
}

void StiffCoordinates::to_rho(double* real, double* imaginary) const {
  for (const Force& f : forces_) {
    Values<double> re = taken(f, real), im = taken(f, imaginary);
    Values<Complex> x{};
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = {re[i], im[i]};
    const Values<Complex> y = times(f.complex, f.count, x);
    for (std::size_t i = 0; i < y.size(); ++i) re[i] = y[i].real(), im[i] = y[i].imag();
    put(f, re, real);
    put(f, im, imaginary);
  }
}

void StiffCoordinates::push(const double* rho, double* x) const {
  for (const Force& f : forces_) add_across(f, f.middle, times(f.kappa, f.count, taken(f, rho)).data(), x);
}

void StiffCoordinates::force_of(const double* zeta, double* rho) const {
  for (const Force& f : forces_) {
    Values<double> rest = taken(f, rho);
    const Values<double> moved = along(f, zeta);
    for (std::size_t i = 0; i < rest.size(); ++i) rest[i] -= moved[i];
    put(f, times(f.kappa, f.count, rest), rho);
  }
}

template <class Matrix>
void StiffCoordinates::add_square_times(const Matrix& matrix, double sign, const double* v, double* x) const {
  for (const Force& f : forces_) {
    Values<double> y = times(matrix(f), f.count, along(f, v));
    for (double& one : y) one *= sign;
    add_across(f, f.middle, y.data(), x);
  }
}

void StiffCoordinates::subtract_kappa_times(const double* v, double* x) const {
  add_square_times(
      [](const Force& f) -> const auto& { return f.kappa; }, -1.0, v, x);
}

void StiffCoordinates::add_damping_times(const double* v, double* x) const {
  add_square_times(
      [](const Force& f) -> const auto& { return f.damping; }, 1.0, v, x);
}

double StiffCoordinates::missed(const double* zeta, const double* rho) const {
  double worst = 0.0;
  for (const Force& f : forces_) {
    const Values<double> wanted = taken(f, rho), moved = along(f, zeta);
    double size = 0.0, rest = 0.0;
    for (std::size_t i = 0; i < index(f.count); ++i) {
      size = std::max(size, std::abs(wanted[i]));
      rest = std::max(rest, std::abs(wanted[i] - moved[i]));
    }
    if (size > 0.0) worst = std::max(worst, rest / size);
  }
  return worst;
}

double StiffCoordinates::to_gap(const double* tau, double* rest) const {
  double worst = 0.0;
  for (const Force& f : forces_) {
    const Values<double> x = taken(f, rest), forces = taken(f, tau);
    double size = 0.0, off = 0.0;
    for (std::size_t i = 0; i < index(f.count); ++i) {
      off = std::max(off, std::abs(x[i]));
      size = std::max(size, std::abs(forces[i]));
    }
    if (f.has_gap && off > 0.0) worst = std::max(worst, off / size);
    put(f, f.has_gap ? times(f.gap, f.count, x) : Values<double>{}, rest);
  }
  return worst;
}

}  // namespace catena::detail
