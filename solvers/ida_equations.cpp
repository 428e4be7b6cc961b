#include <catena/math/detail/index.hpp>
#include <catena/solvers/detail/ida_equations.hpp>
#include <catena/system/detail/evaluations.hpp>
#include <catena/system/detail/undefined.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

namespace catena::detail::ida_detail {
namespace {

bool finite(const double* x, std::size_t count) {
  return std::all_of(x, x + count, [](double value) { return std::isfinite(value); });
}

}  // namespace

Equations::Equations(const System& system, Form form)
    : system_(system), form_(form), matrix_(system.layout().pattern, Border::separate) {
  const SystemLayout& layout = system.layout();
  const BlockPattern& p = *layout.pattern;
  n_ = layout.v_size();
  m_ = layout.lambda_size();
  for (int d = 0; d < p.dual_count(); ++d)
    for (int r = 0; r < p.dual_size[index(d)]; ++r) {
      const bool position = layout.level[index(d)] == Level::position;
      position_index_.push_back(position ? position_count_++ : -1);
      dual_of_row_.push_back(d);
    }
  for (int b = 0; b < p.primal_count(); ++b)
    primal_of_component_.insert(primal_of_component_.end(), index(p.primal_size[index(b)]), b);
  order_rows();
  size_ = 2 * n_ + m_;
  if (form == Form::gear_gupta_leimkuhler) size_ += position_count_;
  if (form == Form::dummy_derivatives) size_ += m_;

  matrix_.set_zero();
  map_ = CscMap(p);
  entry_row_ = map_.row();
  for (int c = 0; c < map_.dimension(); ++c)
    entry_column_.insert(entry_column_.end(), index(map_.column()[index(c + 1)] - map_.column()[index(c)]),
                         c);
  for (auto& values : values_) values.assign(index(map_.nonzeros()), 0.0);
  values_[one].assign(1, 1.0);
  a_.assign(index(n_), 0.0);
  mu_.assign(index(m_), 0.0);
  rows_.assign(index(m_), 0.0);
  work_.assign(index(n_), 0.0);
  moved_.assign(index(n_), 0.0);
  later_.assign(index(map_.nonzeros()), 0.0);

  // The entries of G by rows, in the order of elimination.
  sparse_rows_.begin.assign(1, 0);
  std::vector<std::vector<int>> by_row(index(m_));
  for (int e = 0; e < map_.nonzeros(); ++e)
    if (entry_row_[index(e)] >= n_ && entry_column_[index(e)] < n_)
      by_row[index(entry_row_[index(e)] - n_)].push_back(e);
  for (const int r : elimination_) {
    row_entries_.insert(row_entries_.end(), by_row[index(r)].begin(), by_row[index(r)].end());
    sparse_rows_.begin.push_back(static_cast<int>(row_entries_.size()));
  }
  sparse_rows_.entry.resize(row_entries_.size());
  choice_.resize(m_, layout.scale);
  if (form != Form::dummy_derivatives) build_pattern();  // else it follows with choose()
}

// Position rows first, and those of joints far from the ground before those nearer to it: then a chain or tree has a
// body of its own for every joint, and eliminating its rows makes no fill.
void Equations::order_rows() {
  const BlockPattern& p = *system_.layout().pattern;
  const auto primals = static_cast<std::size_t>(p.primal_count()),
             duals = static_cast<std::size_t>(p.dual_count());
  std::vector<std::vector<int>> of_dual(duals), of_primal(primals);
  for (const auto& c : p.incidences) {
    of_dual[index(c.dual)].push_back(c.primal);
    of_primal[index(c.primal)].push_back(c.dual);
  }
  std::vector<int> distance(primals, -1), front;
  for (std::size_t d = 0; d < duals; ++d)
    if (of_dual[d].size() == 1 && !p.is_norm(static_cast<int>(d)) && distance[index(of_dual[d][0])] < 0) {
      distance[index(of_dual[d][0])] = 0;
      front.push_back(of_dual[d][0]);
    }
  for (std::size_t next = 0; next < primals; ++next) {  // what is not tied to the ground starts anywhere
    for (std::size_t k = 0; k < front.size(); ++k)
      for (const int d : of_primal[index(front[k])])
        for (const int b : of_dual[index(d)])
          if (distance[index(b)] < 0) {
            distance[index(b)] = distance[index(front[k])] + 1;
            front.push_back(b);
          }
    front.clear();
    if (distance[next] < 0) {
      distance[next] = 0;
      front.push_back(static_cast<int>(next));
    }
  }
  const auto far = [&](int row) {
    int most = 0;
    for (const int b : of_dual[index(dual_of_row_[index(row)])]) most = std::max(most, distance[index(b)]);
    return most;
  };
  elimination_.resize(index(m_));
  std::iota(elimination_.begin(), elimination_.end(), 0);
  std::stable_sort(elimination_.begin(), elimination_.end(), [&](int a, int b) {
    const bool first = position_index_[index(a)] >= 0, second = position_index_[index(b)] >= 0;
    return first != second ? first : far(a) > far(b);
  });
  place_in_elimination_.resize(index(m_));
  for (int e = 0; e < m_; ++e) place_in_elimination_[index(elimination_[index(e)])] = e;
}

Kind Equations::kind(int component) const {
  if (component < n_) return Kind::q;
  if (component < 2 * n_) return Kind::v;
  if (component < 2 * n_ + m_) return Kind::lambda;
  return form_ == Form::gear_gupta_leimkuhler ? Kind::mu : Kind::w;
}

bool Equations::differential(int component) const {
  if (component >= 2 * n_) return false;
  if (form_ != Form::dummy_derivatives) return true;
  const int e = choice_.row_of(component % n_);  // position rows come first
  return component < n_ ? e < 0 || e >= position_count_ : e < 0;
}

std::string Equations::owner(int component) const {
  int row = component - 2 * n_;
  if (row < 0) return system_.velocity_block_name(primal_of_component_[index(component % n_)]);
  if (row >= m_) {
    row -= m_;
    if (form_ == Form::gear_gupta_leimkuhler)  // of mu: the row with that number among position rows
      row = static_cast<int>(std::find(position_index_.begin(), position_index_.end(), row) -
                             position_index_.begin());
  }
  return system_.constraint_name(dual_of_row_[index(row)]);
}

int Equations::dependent_velocity(int lambda_row) const {
  return choice_.column_of(place_in_elimination_[index(lambda_row)]);
}

std::string Equations::dependent_constraint() const {
  return system_.constraint_name(dual_of_row_[index(elimination_[index(dependent_row_)])]);
}

void Equations::pack(const State& state, double* y, double* yp) const {
  std::fill(y, y + size_, 0.0);
  std::fill(yp, yp + size_, 0.0);
  std::copy(state.q.begin(), state.q.end(), y);
  std::copy(state.v.begin(), state.v.end(), y + n_);
  std::copy(state.lambda.begin(), state.lambda.end(), y + 2 * n_);
  std::copy(state.v.begin(), state.v.end(), yp);
  std::copy(state.a.begin(), state.a.end(), yp + n_);
  if (form_ != Form::dummy_derivatives) return;
  for (int r = 0; r < m_; ++r) y[2 * n_ + m_ + r] = state.a[index(dependent_velocity(r))];
}

void Equations::pack_second(const State& state, const std::vector<double>& jerk, double* second) const {
  std::fill(second, second + size_, 0.0);
  for (int i = 0; i < n_; ++i) {
    if (differential(i)) second[i] = state.a[index(i)];
    if (differential(n_ + i)) second[n_ + i] = jerk[index(i)];
  }
}

void Equations::unpack(const double* y, const double* yp, State& state) const {
  std::copy(y, y + n_, state.q.begin());
  std::copy(y + n_, y + 2 * n_, state.v.begin());
  std::copy(y + 2 * n_, y + 2 * n_ + m_, state.lambda.begin());
  const double* a = acceleration_of(y, yp);
  std::copy(a, a + n_, state.a.begin());
}

// v', taken from w where a velocity is dependent.
const double* Equations::acceleration_of(const double* y, const double* yp) const {
  if (form_ != Form::dummy_derivatives) return yp + n_;
  std::copy(yp + n_, yp + 2 * n_, a_.begin());
  for (int r = 0; r < m_; ++r) a_[index(dependent_velocity(r))] = y[2 * n_ + m_ + r];
  return a_.data();
}

Point Equations::point(double t, const double* y, const double* a) const {
  Point at;
  at.t = t;
  at.q = y;
  at.v = y + n_;
  at.a = a;
  at.lambda = y + 2 * n_;
  at.discrete = discrete_;
  return at;
}

// mu in the places of all rows.
void Equations::put_mu(const double* y) const {
  for (int r = 0; r < m_; ++r)
    mu_[index(r)] = position_index_[index(r)] < 0 ? 0.0 : y[2 * n_ + m_ + position_index_[index(r)]];
}

bool Equations::residual(double t, const double* y, const double* yp, double* F) {
  ++evaluations_;
  const bool stabilized = form_ == Form::gear_gupta_leimkuhler, dummy = form_ == Form::dummy_derivatives;
  Evaluation wanted;
  wanted.balance = F + n_;
  if (stabilized)
    wanted.velocity = F + 2 * n_;
  else
    wanted.acceleration = F + 2 * n_;
  if (dummy) wanted.velocity = F + 2 * n_ + m_;
  if (form_ != Form::index1) wanted.position = rows_.data();
  system_.evaluate(point(t, y, acceleration_of(y, yp)), wanted);

  for (int i = 0; i < n_; ++i) F[i] = yp[i] - y[n_ + i];
  if (stabilized && position_count_ > 0) {
    put_mu(y);
    Point at;
    at.t = t;
    at.q = y;
    at.discrete = discrete_;
    evaluate_reaction(system_, at, mu_.data(), work_.data());
    for (int i = 0; i < n_; ++i) F[i] += work_[index(i)];
  }
  for (int r = 0; r < m_; ++r) {
    const int position = position_index_[index(r)];
    if (position < 0) continue;
    if (stabilized) F[2 * n_ + m_ + position] = rows_[index(r)];
    if (dummy) F[dependent_velocity(r)] = rows_[index(r)];
  }
  if (finite(F, index(size_))) return true;
  name_undefined(t, y, yp, F);
  return false;
}

// An element that says why it has no value, else the first row that is no number where the motion is.
void Equations::name_undefined(double t, const double* y, const double* yp, const double* F) {
  if (find_undefined(system_, point(t, y, nullptr), undefined_)) return;
  if (!finite(y, index(size_)) || !finite(yp, index(size_))) return;
  const bool dummy = form_ == Form::dummy_derivatives, positions = form_ != Form::index1;
  for (int r = 0; r < m_; ++r) {
    const bool is_finite = std::isfinite(F[2 * n_ + r]) && (!dummy || std::isfinite(F[2 * n_ + m_ + r])) &&
                           (!positions || position_index_[index(r)] < 0 || std::isfinite(rows_[index(r)]));
    if (is_finite) continue;
    undefined_ = {system_.constraint_name(dual_of_row_[index(r)]), "rows",
                  std::numeric_limits<double>::quiet_NaN(), "one of its rows is not a finite number"};
    return;
  }
}

void Equations::load_rows(double t, const double* q) {
  Linearization lin;
  lin.rows_only = true;
  Point at;
  at.t = t;
  at.q = q;
  at.discrete = discrete_;
  differentiate(at, lin, later_);
  for (std::size_t k = 0; k < row_entries_.size(); ++k)
    sparse_rows_.entry[k] = {entry_column_[index(row_entries_[k])], later_[index(row_entries_[k])]};
}

bool Equations::choose(double t, const double* q) {
  load_rows(t, q);
  if (!choice_.choose(sparse_rows_)) {
    dependent_row_ = choice_.culprit_row();
    return false;
  }
  choice_.remember();
  if (form_ == Form::dummy_derivatives) build_pattern();
  return true;
}

Equations::Watch Equations::watch(double t, const double* q) {
  load_rows(t, q);
  Watch seen;
  seen.quality = choice_.quality(sparse_rows_);
  seen.crossed = choice_.crossed(seen.fraction);
  if (seen.crossed >= 0) dependent_row_ = seen.crossed;
  choice_.remember();
  return seen;
}

}  // namespace catena::detail::ida_detail
