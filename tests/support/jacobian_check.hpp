// A one-line check of a user's own constraint or force:
//
//   support::check_derivatives(MyJoint{...});      // throws std::runtime_error with a readable report
//
// At several random states every derivative that the library will use (the analytic member where there is
// one, else the automatic one) is compared with differences, and every analytic member with automatic
// differentiation of gap, rate or wrench. Bodies need not exist: frames are made up here.
//
// check_derivatives() of lib/catena/kkt/derivative_check.hpp, behind `catena check`, asks a question of its own and shares
// no code with this on purpose. It sees a whole assembled system through its contract, and so cannot separate a member of
// an element from the assembly that adds it up, nor compare with automatic differentiation: its tolerance is that of
// differences at sizes which it does not choose, 1e-6. Here one element is seen alone, in the layer `model`, which knows
// of no system, to 1e-12. So each is an oracle for the other: tests/cli/check.cpp breaks elements that this would catch,
// and what this finds right must pass there (every problem of the library does).
#pragma once
#include <catena/model/constraint.hpp>
#include <catena/model/force.hpp>

#include "support/derivative_report.hpp"

#include <cmath>
#include <cstdio>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace catena::support {
using namespace detail;

struct DerivativeCheckOptions {
  unsigned seed = 1;
  int states = 5;
  double size =
      1.0;  // poses, velocities and multipliers are drawn from [-size, size]; angles from all of SO(3)
  // Differences of fourth order with h = 1e-3: h^4 f^(5) / 30 + 1.5 eps |f| / h. The default allows
  // f^(5) up to 3e4 times the size of the derivative and of the function.
  double difference_tolerance = 1e-9;
  // Both are exact but for roundoff, amplified by cancellation.
  double automatic_tolerance = 1e-12;
};

namespace check_detail {

using Frame = BodyFrame<double>;
inline constexpr double step = 1e-3;
inline constexpr const char* differences = "differences";
inline constexpr const char* automatic_name = "automatic differentiation";

class Draw {
 public:
  Draw(unsigned seed, double size) : engine_(seed), size_(size) {}
  double operator()() { return size_ * std::uniform_real_distribution<double>(-1.0, 1.0)(engine_); }
  template <int N>
  Vec<double, N> vector() {
    Vec<double, N> a;
    for (int k = 0; k < N; ++k) a[k] = (*this)();
    return a;
  }
  Frame frame() {
    std::normal_distribution<double> normal;
    const Quat q = normalized(Quat{normal(engine_), normal(engine_), normal(engine_), normal(engine_)});
    return {vector<3>(), rotation_matrix(q), vector<3>(), vector<3>()};
  }

 private:
  std::mt19937 engine_;
  double size_;
};

// x + dx, R exp(dtheta~)
inline Frame moved(Frame f, const Vec<double, 6>& d) {
  f.x += Vec3{{d[0], d[1], d[2]}};
  f.R = f.R * rotation_matrix(exponential(Vec3{{d[3], d[4], d[5]}}));
  return f;
}
inline Frame with_velocity_change(Frame f, const Vec<double, 6>& d) {
  f.v += Vec3{{d[0], d[1], d[2]}};
  f.omega += Vec3{{d[3], d[4], d[5]}};
  return f;
}
inline Vec<double, 6> velocity(const Frame& f) {
  return {{f.v[0], f.v[1], f.v[2], f.omega[0], f.omega[1], f.omega[2]}};
}

// df/ds at s = 0 to fourth order.
template <class F>
auto slope(F&& f) {
  const auto far = f(2.0 * step) - f(-2.0 * step), near = f(step) - f(-step);
  return (1.0 / (12.0 * step)) * (8.0 * near - far);
}

template <int R, int C>
double distance(const Mat<double, R, C>& a, const Mat<double, R, C>& b, double scale = 0.0) {
  double error = 0.0, size = scale;
  for (int k = 0; k < R * C; ++k) {
    const double e = std::abs(a[k] - b[k]);
    error = std::isnan(e) ? std::numeric_limits<double>::infinity() : std::fmax(error, e);
    size = std::fmax(size, std::abs(b[k]));
  }
  return error / (1.0 + size);
}

// An element of which only gap, rate or wrench is known.
template <class E, class S>
struct BareKernel {
  const E& element;
  template <class F>
  auto gap(const F* f, const S& t) const {
    return of_element::definition<S>(element, f, t);
  }
  template <class F>
  auto rate(const F* f, const S& t) const {
    return of_element::definition<S>(element, f, t);
  }
  template <class F>
  void wrench(const F* f, const S& t, Vec<S, 6>* w) const {
    of_element::wrench<S>(element, f, t, w);
  }
};
template <class E>
struct BareForce {
  std::array<BodyId, static_cast<std::size_t>(of_element::body_count<E>)> bodies;
  const E& element;
  template <class S>
  BareKernel<E, S> kernel() const {
    return {element};
  }
};
template <class E>
struct BareConstraint : BareForce<E> {
  static constexpr int rows = of_element::row_count<E>;
  static constexpr Level level = of_element::level_of<E>();
};

}  // namespace check_detail

template <Constraint C>
DerivativeReport derivative_report(const C& constraint, const DerivativeCheckOptions& options = {}) {
  using namespace check_detail;
  constexpr int n = of_element::body_count<C>, m = of_element::row_count<C>;
  constexpr Level level = of_element::level_of<C>();
  using Rows = Vec<double, m>;
  const auto kernel = constraint_kernel(constraint);
  DerivativeReport report{of_element::type_name_of<C>("constraint"), {}};
  const double near = options.difference_tolerance, exact = options.automatic_tolerance;
  Draw draw(options.seed, options.size);

  for (int state = 0; state < options.states; ++state) {
    Frame f[n];
    for (Frame& frame : f) frame = draw.frame();
    const double t = draw();
    const Rows lambda = draw.template vector<m>();
    const auto frames_with = [&](int i, const Frame& g) {
      std::array<Frame, n> all;
      for (int k = 0; k < n; ++k) all[static_cast<std::size_t>(k)] = k == i ? g : f[k];
      return all;
    };
    const auto row_velocity = [&](const Frame* g, double time) -> Rows {
      if constexpr (level == Level::velocity) {
        return kernel.rate(g, time);
      } else {
        Mat<double, m, 6> J[n];
        kernel.jacobian(g, time, J);
        Rows r = kernel.drift(g, time);
        for (int i = 0; i < n; ++i) r += J[i] * velocity(g[i]);
        return r;
      }
    };

    Mat<double, m, 6> G[n], N[n];
    Mat<double, 6, 6> K[n * n];
    kernel.jacobian(f, t, G);
    kernel.rate_jacobian(f, t, N);
    kernel.geometric_stiffness(f, t, lambda, K);
    const Rows bias = kernel.bias(f, t);
    const Rows g0 = of_element::definition<double>(constraint, f, t);
    double size = 0.0;
    for (int k = 0; k < m; ++k) size = std::fmax(size, std::abs(g0[k]));

    for (int i = 0; i < n; ++i) {
      Mat<double, m, 6> dg, dr;
      Mat<double, 6, 6> dk[n];
      for (int c = 0; c < 6; ++c) {
        const auto direction = Vec<double, 6>::Unit(c);
        const auto posed = [&](double s) { return frames_with(i, moved(f[i], s * direction)); };
        const Rows gap_slope = slope([&](double s) -> Rows {
          if constexpr (level == Level::velocity)
            return kernel.rate(frames_with(i, with_velocity_change(f[i], s * direction)).data(), t);
          else
            return kernel.gap(posed(s).data(), t);
        });
        const Rows rate_slope = slope([&](double s) { return row_velocity(posed(s).data(), t); });
        set_block(dg, 0, c, gap_slope);
        set_block(dr, 0, c, rate_slope);
        for (int j = 0; j < n; ++j)
          set_block(dk[j], 0, c, Vec<double, 6>(slope([&](double s) -> Vec<double, 6> {
                      Mat<double, m, 6> J[n];
                      kernel.jacobian(posed(s).data(), t, J);
                      return transpose_times(J[j], lambda);
                    })));
      }
      report.add("jacobian", differences, distance(G[i], dg, size), near);
      report.add("rate_jacobian", differences, distance(N[i], dr, size), near);
      for (int j = 0; j < n; ++j) {
        const Mat<double, 6, 6> given =
            i == j || of_element::couples_of<C>() ? K[j * n + i] : Mat<double, 6, 6>::Zero();
        report.add(i == j || of_element::couples_of<C>() ? "geometric_stiffness" : "couples = false",
                   differences, distance(given, dk[j], size), near);
      }
    }
    const Rows along = slope([&](double s) {
      std::array<Frame, n> all;
      for (int k = 0; k < n; ++k) all[static_cast<std::size_t>(k)] = moved(f[k], s * velocity(f[k]));
      return row_velocity(all.data(), t + s);
    });
    report.add("bias", differences, distance(bias, along, size), near);
    if constexpr (level == Level::position) {
      const Rows d = slope([&](double s) { return kernel.gap(f, t + s); });
      report.add("drift", differences, distance(Rows(kernel.drift(f, t)), d, size), near);
    } else {
      std::array<Frame, n> doubled, still;
      for (int k = 0; k < n; ++k) {
        const auto slot = static_cast<std::size_t>(k);
        doubled[slot] = with_velocity_change(f[k], velocity(f[k]));
        still[slot] = with_velocity_change(f[k], -velocity(f[k]));
      }
      const Rows straight = kernel.rate(doubled.data(), t) + kernel.rate(still.data(), t);
      report.add("rate is affine in v", "itself", distance(straight, Rows(2.0 * g0)), exact);
    }

    if constexpr (of_element::HasKernel<C> || of_element::has_definition<C, Dual<double, 6>>()) {
      const BareConstraint<C> bare{{constraint.bodies, constraint}};
      Mat<double, m, 6> GA[n], NA[n];
      Mat<double, 6, 6> KA[n * n];
      const Frame* p = f;
      automatic::jacobian(bare, p, t, GA);
      automatic::rate_jacobian(bare, p, t, NA);
      automatic::geometric_stiffness(bare, p, t, lambda, KA);
      for (int i = 0; i < n; ++i) {
        report.add("jacobian", automatic_name, distance(G[i], GA[i], size), exact);
        report.add("rate_jacobian", automatic_name, distance(N[i], NA[i], size), exact);
        for (int j = 0; j < n; ++j)
          if (i == j || of_element::couples_of<C>())
            report.add("geometric_stiffness", automatic_name, distance(K[i * n + j], KA[i * n + j], size),
                       exact);
      }
      report.add("bias", automatic_name, distance(bias, Rows(automatic::bias(bare, p, t)), size), exact);
      if constexpr (level == Level::position)
        report.add("drift", automatic_name,
                   distance(Rows(kernel.drift(f, t)), Rows(automatic::drift(bare, p, t)), size), exact);
    }
  }
  return report;
}

template <Force F>
DerivativeReport derivative_report(const F& force, const DerivativeCheckOptions& options = {}) {
  using namespace check_detail;
  constexpr int n = of_element::body_count<F>;
  const auto kernel = force_kernel(force);
  DerivativeReport report{of_element::type_name_of<F>("force"), {}};
  Draw draw(options.seed, options.size);

  for (int state = 0; state < options.states; ++state) {
    Frame f[n];
    for (Frame& frame : f) frame = draw.frame();
    const double t = draw();
    Mat<double, 6, 6> K[n * n], D[n * n];
    kernel.derivatives(f, t, K, D);
    Vec<double, 6> w0[n];
    kernel.wrench(f, t, w0);
    double size = 0.0;
    for (int k = 0; k < 6 * n; ++k) size = std::fmax(size, std::abs(w0[k / 6][k % 6]));

    const auto compare = [&](const char* member, const Mat<double, 6, 6>* given, auto&& change) {
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) {
          Mat<double, 6, 6> d;
          for (int c = 0; c < 6; ++c)
            set_block(d, 0, c, Vec<double, 6>(slope([&](double s) -> Vec<double, 6> {
                        Frame all[n];
                        for (int k = 0; k < n; ++k)
                          all[k] = k == j ? change(f[k], Vec<double, 6>(s * Vec<double, 6>::Unit(c))) : f[k];
                        Vec<double, 6> w[n];
                        kernel.wrench(all, t, w);
                        return -w[i];
                      })));
          const bool used = i == j || of_element::couples_of<F>();
          report.add(used ? member : "couples = false", differences,
                     distance(used ? given[i * n + j] : Mat<double, 6, 6>::Zero(), d, size),
                     options.difference_tolerance);
        }
    };
    compare("derivatives K", K, [](const Frame& g, const Vec<double, 6>& d) { return moved(g, d); });
    compare("derivatives D", D,
            [](const Frame& g, const Vec<double, 6>& d) { return with_velocity_change(g, d); });

    if constexpr (of_element::HasKernel<F> ||
                  of_element::has_wrench<F, Dual<double, 6>>(of_element::Indices<F>{})) {
      const BareForce<F> bare{force.bodies, force};
      Mat<double, 6, 6> KA[n * n], DA[n * n];
      automatic::force_derivatives(bare, static_cast<const Frame*>(f), t, KA, DA);
      for (int k = 0; k < n * n; ++k) {
        if (k / n != k % n && !of_element::couples_of<F>()) continue;
        report.add("derivatives K", automatic_name, distance(K[k], KA[k], size), options.automatic_tolerance);
        report.add("derivatives D", automatic_name, distance(D[k], DA[k], size), options.automatic_tolerance);
      }
    }
  }
  return report;
}

// Throws std::runtime_error with the report unless every line is within its tolerance.
template <class E>
DerivativeReport check_derivatives(const E& element, const DerivativeCheckOptions& options = {}) {
  DerivativeReport report = derivative_report(element, options);
  if (!report.good()) throw std::runtime_error(report.text());
  return report;
}

}  // namespace catena::support
