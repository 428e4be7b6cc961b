// Checks a System against the definitions of its contract: every derivative that evaluate() and
// evaluate_lagrangian() write is compared with differences of the quantities that they write. For any system,
// the user's included.
#pragma once
#include <catena/system/system.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace catena::support {

// A dense matrix, row by row.
struct Dense {
  int rows = 0, cols = 0;
  std::vector<double> e;
  Dense(int r, int c) : rows(r), cols(c), e(static_cast<std::size_t>(r * c), 0.0) {}
  double& operator()(int i, int j) { return e[static_cast<std::size_t>(i * cols + j)]; }
  double operator()(int i, int j) const { return e[static_cast<std::size_t>(i * cols + j)]; }
};

inline Dense dense(const BlockMatrix& matrix) {
  const int n = matrix.pattern().dimension();
  Dense out(n, n);
  std::vector<double> unit(static_cast<std::size_t>(n), 0.0), column(unit);
  for (int j = 0; j < n; ++j) {
    unit[static_cast<std::size_t>(j)] = 1.0;
    matrix.multiply(unit.data(), column.data());
    unit[static_cast<std::size_t>(j)] = 0.0;
    for (int i = 0; i < n; ++i) out(i, j) = column[static_cast<std::size_t>(i)];
  }
  return out;
}

inline Dense part(const Dense& a, int row, int col, int rows, int cols) {
  Dense out(rows, cols);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < cols; ++j) out(i, j) = a(row + i, col + j);
  return out;
}
inline Dense transposed(const Dense& a) {
  Dense out(a.cols, a.rows);
  for (int i = 0; i < a.rows; ++i)
    for (int j = 0; j < a.cols; ++j) out(j, i) = a(i, j);
  return out;
}
// Largest difference, relative to 1 + the largest entry of b.
inline double distance(const Dense& a, const Dense& b) {
  double difference = 0.0, size = 1.0;
  for (std::size_t k = 0; k < a.e.size(); ++k) {
    difference = std::max(difference, std::abs(a.e[k] - b.e[k]));
    size = std::max(size, std::abs(b.e[k]));
  }
  return difference / size;
}

using Function = std::function<std::vector<double>(double)>;

// f'(0) by differences of fourth order: error h^4 f^(5) / 30 + 1.5 eps |f| / h.
inline std::vector<double> derivative(const Function& f, double h = 1e-3) {
  std::vector<double> a = f(-2 * h), b = f(-h);
  const std::vector<double> c = f(h), d = f(2 * h);
  for (std::size_t k = 0; k < a.size(); ++k) a[k] = (a[k] - d[k] + 8.0 * (c[k] - b[k])) / (12.0 * h);
  return a;
}
inline void set_column(Dense& m, int j, const std::vector<double>& x) {
  for (int i = 0; i < m.rows; ++i) m(i, j) = x[static_cast<std::size_t>(i)];
}

// A point at which everything is given; a system to ask.
class SystemProbe {
 public:
  SystemProbe(const System& system, double time, std::vector<double> coordinates,
              std::vector<double> velocity, std::vector<double> acceleration, std::vector<double> multipliers)
      : t(time),
        q(std::move(coordinates)),
        v(std::move(velocity)),
        a(std::move(acceleration)),
        lambda(std::move(multipliers)),
        n(system.layout().v_size()),
        m(system.layout().lambda_size()),
        system_(system),
        matrix_(std::make_shared<BlockMatrix>(system.layout().pattern, Border::separate)) {}

  double t;
  std::vector<double> q, v, a, lambda;
  int n, m;

  enum class Quantity { balance, position, velocity, acceleration };

  std::vector<double> get(Quantity what) const {
    std::vector<double> out(static_cast<std::size_t>(what == Quantity::balance ? n : m), 0.0);
    Evaluation wanted;
    (what == Quantity::balance    ? wanted.balance
     : what == Quantity::position ? wanted.position
     : what == Quantity::velocity ? wanted.velocity
                                  : wanted.acceleration) = out.data();
    system_.evaluate(point(), wanted);
    return out;
  }
  // The matrix that evaluate() writes, dense.
  Dense linearization(Linearization lin) {
    matrix_->set_zero();
    lin.matrix = matrix_.get();
    Evaluation wanted;
    wanted.linearization = &lin;
    system_.evaluate(point(), wanted);
    return dense(*matrix_);
  }
  Dense H(double mass, double damping, double stiffness) {
    Linearization lin;
    lin.mass = mass;
    lin.damping = damping;
    lin.stiffness = stiffness;
    return part(linearization(lin), 0, 0, n, n);
  }
  Dense C(double jacobian, double rate) {
    Linearization lin;
    lin.position_rows = lin.velocity_rows = {jacobian, 0.0, rate};
    return part(linearization(lin), n, 0, m, n);
  }
  Dense B() { return part(linearization(Linearization()), 0, n, n, m); }

  SystemProbe moved(int direction, double s) const {
    SystemProbe p(*this);
    std::vector<double> delta(static_cast<std::size_t>(n), 0.0);
    delta[static_cast<std::size_t>(direction)] = s;
    system_.retract(q.data(), delta.data(), p.q.data());
    return p;
  }
  Dense by_q(Quantity what) const {
    Dense out(what == Quantity::balance ? n : m, n);
    for (int j = 0; j < n; ++j)
      set_column(out, j, derivative([&](double s) { return moved(j, s).get(what); }));
    return out;
  }
  Dense by(std::vector<double> SystemProbe::*argument, Quantity what) const {
    const int count = static_cast<int>((this->*argument).size());
    Dense out(what == Quantity::balance ? n : m, count);
    for (int j = 0; j < count; ++j)
      set_column(out, j, derivative([&](double s) {
                   SystemProbe p(*this);
                   (p.*argument)[static_cast<std::size_t>(j)] += s;
                   return p.get(what);
                 }));
    return out;
  }
  // The time derivative along q' = q . v, v' = a.
  std::vector<double> by_time(Quantity what) const {
    return derivative([&](double s) {
      SystemProbe p(*this);
      std::vector<double> delta(static_cast<std::size_t>(n));
      for (std::size_t k = 0; k < delta.size(); ++k) {
        delta[k] = s * (v[k] + 0.5 * s * a[k]);
        p.v[k] += s * a[k];
      }
      system_.retract(q.data(), delta.data(), p.q.data());
      p.t += s;
      return p.get(what);
    });
  }

  // L's derivatives: dq then dv, and the weighted matrix.
  std::vector<double> lagrangian() const {
    std::vector<double> out(static_cast<std::size_t>(2 * n), 0.0);
    LagrangianTerms terms;
    terms.dq = out.data();
    terms.dv = out.data() + n;
    system_.evaluate_lagrangian(t, q.data(), v.data(), terms);
    return out;
  }
  Dense lagrangian_H(double qq, double qv, double vq, double vv) {
    matrix_->set_zero();
    LagrangianTerms terms;
    terms.matrix = matrix_.get();
    terms.qq = qq;
    terms.qv = qv;
    terms.vq = vq;
    terms.vv = vv;
    system_.evaluate_lagrangian(t, q.data(), v.data(), terms);
    return part(dense(*matrix_), 0, 0, n, n);
  }
  // d(dq, dv)/d(q or v), 2n x n.
  Dense lagrangian_by(std::vector<double> SystemProbe::*argument) const {
    Dense out(2 * n, n);
    for (int j = 0; j < n; ++j)
      set_column(out, j, derivative([&](double s) {
                   SystemProbe p(*this);
                   (p.*argument)[static_cast<std::size_t>(j)] += s;
                   return p.lagrangian();
                 }));
    return out;
  }

  // Of lagrangian_H() from lagrangian_by(), the largest of the four kinds of terms.
  double lagrangian_error() {
    const Dense by_q = lagrangian_by(&SystemProbe::q), by_v = lagrangian_by(&SystemProbe::v);
    return std::max({distance(lagrangian_H(1, 0, 0, 0), part(by_q, 0, 0, n, n)),
                     distance(lagrangian_H(0, 1, 0, 0), part(by_v, 0, 0, n, n)),
                     distance(lagrangian_H(0, 0, 1, 0), part(by_q, n, 0, n, n)),
                     distance(lagrangian_H(0, 0, 0, 1), part(by_v, n, 0, n, n))});
  }

 private:
  Point point() const {
    Point at;
    at.t = t;
    at.q = q.data();
    at.v = v.data();
    at.a = a.data();
    at.lambda = lambda.data();
    return at;
  }
  const System& system_;
  std::shared_ptr<BlockMatrix> matrix_;
};

}  // namespace catena::support
