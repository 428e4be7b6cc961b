// dF/dy + cj dF/dy' of the equations for IDA, gathered from the blocks that the System contract differentiates:
// M, D = -df/dv, K = d(M a - f + G^T lambda)/dq, G, and N(u) = d(G u + g_t)/dq for any velocity u. In plain
// coordinates
//     d/dq (G a)    = N(a) - N(0)
//     d/dv (bias)   = N(v) + G',   G' = N(v) for position rows
//     d/dq (bias)   = d/dt N(v) at constant v
// where the bias is d/dt (G v + g_t) at constant v. The rates along the motion (N' and, for velocity rows, G')
// are what the contract does not give: one difference of these matrices along (q + s v, t + s), of order 2 in s,
// whatever the size of the system.
#include <catena/math/detail/index.hpp>
#include <catena/solvers/detail/ida_equations.hpp>
#include <catena/system/detail/scaled.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>

namespace catena::detail::ida_detail {
using namespace detail;

void Equations::build_pattern() {
  std::vector<Place> places;
  groups_.clear();
  const auto group = [&](Source source, double factor, bool times_cj) {
    groups_.push_back({source, factor, times_cj, {}});
    return static_cast<int>(groups_.size()) - 1;
  };
  const auto put = [&](int g, int entry, int row, int column) {
    auto& terms = groups_[index(g)].terms;
    places.push_back({column, row, g, static_cast<int>(terms.size())});
    terms.push_back({entry, 0});
  };
  const bool stabilized = form_ == Form::gear_gupta_leimkuhler, dummy = form_ == Form::dummy_derivatives;
  const int q = 0, v = n_, lambda = 2 * n_, extra = 2 * n_ + m_;  // columns
  const int balance = n_, first = 2 * n_, second = 2 * n_ + m_;   // rows
  // The row of lambda that determines velocity i, -1: independent; the same for coordinates.
  const auto velocity_row = [&](int i) {
    return dummy && choice_.row_of(i) >= 0 ? elimination_[index(choice_.row_of(i))] : -1;
  };
  const auto position_row = [&](int i) {
    const int r = velocity_row(i);
    return r >= 0 && position_index_[index(r)] >= 0 ? r : -1;
  };

  const int identity_cj = group(one, 1.0, true), minus_identity = group(one, -1.0, false);
  for (int i = 0; i < n_; ++i)
    if (position_row(i) < 0) {
      put(identity_cj, 0, i, q + i);
      put(minus_identity, 0, i, v + i);
    }
  const int mass_cj = group(mass, 1.0, true), mass_once = group(mass, 1.0, false);
  const int damping_once = group(damping, 1.0, false), stiffness_once = group(stiffness, 1.0, false);
  const int by_q = group(rows_by_q, 1.0, false), by_v = group(rows_by_v, 1.0, false);
  const int mu = group(mu_stiffness, 1.0, false);
  for (int e = 0; e < map_.nonzeros(); ++e) {
    const int r = entry_row_[index(e)], c = entry_column_[index(e)];
    if (r < n_ && c < n_) {  // H
      put(stiffness_once, e, balance + r, q + c);
      put(damping_once, e, balance + r, v + c);
      const int w = velocity_row(c);
      if (w >= 0)
        put(mass_once, e, balance + r, extra + w);
      else
        put(mass_cj, e, balance + r, v + c);
      if (stabilized) put(mu, e, r, q + c);
    } else if (r < n_) {  // B = G^T
      put(mass_once, e, balance + r, lambda + c - n_);
      const int position = position_index_[index(c - n_)];
      if (stabilized && position >= 0) put(mass_once, e, r, extra + position);
    } else if (c < n_) {  // C: G, N
      const int k = r - n_, position = position_index_[index(k)];
      if (stabilized) {
        put(stiffness_once, e, first + k, q + c);
        put(mass_once, e, first + k, v + c);
        if (position >= 0) put(mass_once, e, second + position, q + c);
        continue;
      }
      put(by_q, e, first + k, q + c);
      put(by_v, e, first + k, v + c);
      const int w = velocity_row(c);
      if (w >= 0)
        put(mass_once, e, first + k, extra + w);
      else
        put(mass_cj, e, first + k, v + c);
      if (!dummy) continue;
      put(stiffness_once, e, second + k, q + c);
      put(mass_once, e, second + k, v + c);
      if (position >= 0) put(mass_once, e, dependent_velocity(k), q + c);
    }
  }
  number_slots(places);
}

void Equations::number_slots(std::vector<Place>& places) {
  std::sort(places.begin(), places.end(), [](const Place& a, const Place& b) {
    return a.column != b.column ? a.column < b.column : a.row < b.row;
  });
  column_.assign(1, 0);
  row_.clear();
  int column = 0, last_row = -1;
  for (const Place& p : places) {
    for (; column < p.column; ++column) {
      column_.push_back(static_cast<int>(row_.size()));
      last_row = -1;
    }
    if (p.row != last_row) row_.push_back(last_row = p.row);
    groups_[index(p.group)].terms[index(p.term)].slot = static_cast<int>(row_.size()) - 1;
  }
  for (; column < size_; ++column) column_.push_back(static_cast<int>(row_.size()));
}

void Equations::differentiate(const Point& at, const Linearization& what, std::vector<double>& values) {
  ++evaluations_;
  Linearization lin = what;
  lin.matrix = &matrix_;
  Evaluation wanted;
  wanted.linearization = &lin;
  system_.evaluate(at, wanted);
  map_.fill(matrix_, values.data(), false);
}

void Equations::linearize(double t, const double* y, const double* yp) {
  const Point at = point(t, y, acceleration_of(y, yp));
  Linearization lin;
  lin.mass = 1.0;
  differentiate(at, lin, values_[mass]);
  lin.mass = 0.0;
  lin.damping = 1.0;
  differentiate(at, lin, values_[damping]);
  lin.damping = 0.0;
  lin.stiffness = 1.0;
  lin.position_rows = lin.velocity_rows = {0.0, 0.0, 1.0};
  differentiate(at, lin, values_[stiffness]);
  if (form_ != Form::gear_gupta_leimkuhler) {
    linearize_acceleration_rows(at);
  } else if (position_count_ > 0) {
    put_mu(y);
    Point force = at;
    force.v = force.a = nullptr;
    force.lambda = mu_.data();
    force.forces = false;
    differentiate(force, lin, values_[mu_stiffness]);
  }
}

// Into rows_by_q and rows_by_v; values_[stiffness] holds N(v), values_[mass] G.
void Equations::linearize_acceleration_rows(const Point& at) {
  Linearization rate, jacobian;
  rate.rows_only = jacobian.rows_only = true;
  rate.position_rows = rate.velocity_rows = {0.0, 0.0, 1.0};
  std::vector<double>&by_q = values_[rows_by_q], &by_v = values_[rows_by_v];
  const std::vector<double>&N = values_[stiffness], &G = values_[mass];
  const std::size_t count = by_q.size();

  Point along_a = at;
  along_a.v = at.a;
  differentiate(along_a, rate, by_q);
  along_a.v = nullptr;
  differentiate(along_a, rate, later_);
  for (std::size_t k = 0; k < count; ++k) by_q[k] -= later_[k];
  for (std::size_t k = 0; k < count; ++k) {
    const int r = entry_row_[k] - n_;
    by_v[k] = r >= 0 && position_index_[index(r)] >= 0 ? 2.0 * N[k] : N[k];
  }

  // Truncation s^2 and roundoff eps / s alike at about 1e-10.
  const double s = 1e-5 / std::max(1.0, largest_scaled(system_.layout(), at.v));
  const bool velocity_rows = position_count_ < m_;
  // (-3 x(0) + 4 x(s) - x(2s)) / (2s): drives need not be defined before the present.
  for (std::size_t k = 0; k < count; ++k) {
    by_q[k] -= 1.5 / s * N[k];
    if (entry_row_[k] >= n_ && position_index_[index(entry_row_[k] - n_)] < 0) by_v[k] -= 1.5 / s * G[k];
  }
  for (const double ahead : {s, 2.0 * s}) {
    const double weight = (ahead == s ? 2.0 : -0.5) / s;
    for (int i = 0; i < n_; ++i) moved_[index(i)] = at.q[i] + ahead * at.v[i];
    Point later = at;
    later.t += ahead;
    later.q = moved_.data();
    differentiate(later, rate, later_);
    for (std::size_t k = 0; k < count; ++k) by_q[k] += weight * later_[k];
    if (!velocity_rows) continue;
    differentiate(later, jacobian, later_);
    for (std::size_t k = 0; k < count; ++k)
      if (entry_row_[k] >= n_ && position_index_[index(entry_row_[k] - n_)] < 0)
        by_v[k] += weight * later_[k];
  }
}

bool Equations::jacobian(double t, const double* y, const double* yp, double cj, double* values) {
  linearize(t, y, yp);
  std::fill(values, values + row_.size(), 0.0);
  for (const Group& g : groups_) {
    const double factor = g.times_cj ? cj * g.factor : g.factor;
    const double* source = values_[g.source].data();
    for (const Term& term : g.terms) values[term.slot] += factor * source[term.entry];
  }
  return std::all_of(values, values + row_.size(), [](double x) { return std::isfinite(x); });
}

}  // namespace catena::detail::ida_detail
