#include <catena/assembly/detail/force_derivatives.hpp>
#include <catena/model/detail/element_alone.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <exception>
#include <vector>

namespace catena::detail {
namespace {

// One force by itself, in a layout in which block k is body k of the force, whether it moves or not.
class ForceAlone {
 public:
  ForceAlone(const Model& model, const Model::ElementRef& at)
      : pool_(*model.pools()[static_cast<std::size_t>(at.pool)]),
        n_(pool_.bodies()),
        v_(6 * size()),
        discrete_(static_cast<std::size_t>(pool_.discrete_size())) {
    ElementAlone alone(model, pool_, at.element);
    q_ = alone.coordinates();
    group_ = alone.group();
    if (!discrete_.empty()) pool_.initial_discrete(at.element, discrete_.data());
    for (int i = 0; i < n_; ++i) {
      moves_[static_cast<std::size_t>(i)] = alone.moves(i);
      for (int c = 0; c < 3 && alone.body(i) != nullptr; ++c) {
        v_[static_cast<std::size_t>(6 * i + c)] = alone.body(i)->velocity[c];
        v_[static_cast<std::size_t>(6 * i + 3 + c)] = alone.body(i)->angular_velocity[c];
      }
      group_.v_at[i][0] = 6 * i;
      group_.block[i][0] = i;
      group_.H_at[i][0] = static_cast<std::uint32_t>(block_size * i);
      for (int j = i + 1; j < n_; ++j)
        group_.pair_at[pair_number(i, j)][0] = group_.pair_transposed_at[pair_number(i, j)][0] =
            block_size * pair_number(i, j);
    }
  }

  // Moves the poses and the velocities by up to `distance` [m, rad, m/s, rad/s], each number by another part of it.
  void move(double distance) {
    std::vector<double> by(v_.size());
    for (std::size_t k = 0; k < by.size(); ++k) {
      by[k] = distance * std::cos(1.0 + 2.3 * static_cast<double>(k));
      v_[k] += distance * std::sin(2.0 + 1.7 * static_cast<double>(k));
    }
    q_ = retracted(by, 1.0);
  }

  // Whether both derivatives agree with differences along a direction that has a part in every number.
  bool agrees() {
    std::vector<double> w(v_.size());
    for (std::size_t k = 0; k < w.size(); ++k)
      w[k] = moves_[k / 6] ? std::cos(0.4 + 1.1 * static_cast<double>(k)) : 0.0;
    return same(times(1.0, 0.0, w), slope([&](double h) { return balance(retracted(w, h), v_); })) &&
           same(times(0.0, 1.0, w), slope([&](double h) {
                  std::vector<double> v = v_;
                  for (std::size_t k = 0; k < v.size(); ++k) v[k] += h * w[k];
                  return balance(q_, v);
                }));
  }

  // Of body i against each of its six velocities, by the derivatives that the force gives.
  std::array<double, 6> stiffness(int i) const {
    std::vector<double> unit(v_.size());
    std::array<double, 6> diagonal{};
    for (std::size_t c = 0; c < 6; ++c) {
      const std::size_t k = 6 * static_cast<std::size_t>(i) + c;
      unit[k] = 1.0;
      diagonal[c] = times(1.0, 0.0, unit)[k];
      unit[k] = 0.0;
    }
    return diagonal;
  }

 private:
  using Values = std::vector<double>;
  static constexpr int block_size = 8 * 36;  // six rows and columns, eight lanes
  std::size_t size() const { return static_cast<std::size_t>(n_); }

  KernelArgs args(const Values& q, const Values& v) const {
    KernelArgs a;
    a.q = q.data();
    a.v = v.data();
    if (!discrete_.empty()) a.discrete = discrete_.data();
    return a;
  }
  Values balance(const Values& q, const Values& v) const {
    Values out(v_.size());
    KernelArgs a = args(q, v);
    a.balance = out.data();
    pool_.evaluate(a, group_);
    return out;
  }
  Values retracted(const Values& by, double h) const {
    Values q = q_;
    for (int i = 0; i < n_; ++i) {
      const double *d = by.data() + 6 * i, *from = q_.data() + 7 * i;
      double* to = q.data() + 7 * i;
      for (int c = 0; c < 3; ++c) to[c] += h * d[c];
      const Quat turned = normalized(Quat{from[3], from[4], from[5], from[6]} *
                                     exponential(Vec3{{h * d[3], h * d[4], h * d[5]}}));
      const double e[4] = {turned.w, turned.x, turned.y, turned.z};
      std::copy(e, e + 4, to + 3);
    }
    return q;
  }
  // (stiffness K + damping D) w, by the derivatives that the force gives.
  Values times(double stiffness, double damping, const Values& w) const {
    const std::size_t pairs = 6;
    Values H(block_size * size()), upper(block_size * pairs), lower(upper);
    KernelArgs a = args(q_, v_);
    a.stiffness = stiffness;
    a.damping = damping;
    a.H = H.data();
    a.coupling[0] = upper.data();
    a.coupling[1] = lower.data();
    pool_.evaluate(a, group_);
    Values y(v_.size());
    for (int i = 0; i < n_; ++i)
      for (int j = 0; j < n_; ++j) {
        const double* block = i == j  ? H.data() + block_size * i
                              : i < j ? upper.data() + block_size * pair_number(i, j)
                                      : lower.data() + block_size * pair_number(j, i);
        for (int r = 0; r < 6; ++r)
          for (int c = 0; c < 6; ++c)
            y[static_cast<std::size_t>(6 * i + r)] +=
                block[8 * (6 * r + c)] * w[static_cast<std::size_t>(6 * j + c)];
      }
    return y;
  }
  // d/dh of f at h = 0, of fourth order.
  template <class F>
  static Values slope(const F& f) {
    constexpr double h = 1e-3;
    Values y = f(h);
    const Values near = f(-h), far = f(2.0 * h), farther = f(-2.0 * h);
    for (std::size_t k = 0; k < y.size(); ++k)
      y[k] = (8.0 * (y[k] - near[k]) - (far[k] - farther[k])) / (12.0 * h);
    return y;
  }
  // Differences of fourth order with h = 1e-3 are exact to about 1e-10 for wrenches that change over 0.1 m and more; what
  // is wrong is wrong by a sign, a factor or a term.
  bool same(const Values& given, const Values& expected) const {
    double size = 0.0, error = 0.0;
    for (std::size_t k = 0; k < given.size(); ++k) {
      if (!moves_[k / 6]) continue;
      size = std::max({size, std::abs(given[k]), std::abs(expected[k])});
      error = std::max(error, std::abs(given[k] - expected[k]));
    }
    return !(error > 1e-6 * size) || !std::isfinite(size);
  }

  const ElementPool& pool_;
  int n_;
  Values q_, v_, discrete_;
  std::array<bool, max_bodies_per_element> moves_{};
  ElementGroup group_{};
};

}  // namespace

bool gives_right_derivatives(const Model& model, ForceId id) {
  ForceAlone alone(model, model.forces()[static_cast<std::size_t>(id)]);
  try {
    for (const double distance : {0.0, 0.05, 0.1}) {
      if (distance > 0.0) alone.move(distance);
      if (!alone.agrees()) return false;
    }
  } catch (const std::exception&) {  // which a run says with its name
    return true;
  }
  return true;
}

double oscillation_by(const Model& model, ForceId id, BodyId body) {
  const Model::ElementRef& at = model.forces()[static_cast<std::size_t>(id)];
  const ElementPool& pool = *model.pools()[static_cast<std::size_t>(at.pool)];
  const Body& b = model.body(body);
  double square = 0.0;
  for (int i = 0; i < pool.bodies(); ++i) try {
      if (pool.body(at.element, i) != body) continue;
      const std::array<double, 6> k = ForceAlone(model, at).stiffness(i);
      for (int c = 0; c < 6; ++c) {
        const double m = c < 3 ? b.mass : b.inertia(c - 3, c - 3);
        if (m > 0.0) square = std::fmax(square, std::abs(k[static_cast<std::size_t>(c)]) / m);
      }
    } catch (const std::exception&) {
    }
  return std::sqrt(square);
}

}  // namespace catena::detail
