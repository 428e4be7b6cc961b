// One coordinate of two markers follows a function of time, u(t) = u_0 + u_1 t + u_2 t^2 / 2 (TimeFunction) or any
// (GivenTarget).
//
// Displacement:  n . d - u(t) [m], the coordinate along an axis of A (rows/on_line.hpp).
// Angle:         theta - u(t) [rad], theta = atan2(b_y, b_x) of b = A^T B_x, the side of B as the triad A of the first body
// sees it: the turn of B about the axis A_z. The row is taken modulo a whole turn, so that u may run through any number of
// turns. With nu the turn of B against A, in the triad A,
//     theta' = w . nu,   w = (-b_z b_x, -b_z b_y, r^2) / r^2,   r^2 = b_x^2 + b_y^2
// which is A_z where the joint keeps B_z along A_z. Not a number where the side of B points along the axis.
// lambda is minus the moment on B along A w [N m]; minus the force on B along the axis [N].
#pragma once
#include <catena/math/parts/pack_functions.hpp>
#include <catena/model/detail/kernel_traits.hpp>
#include <catena/model/rows/locked.hpp>
#include <catena/model/rows/on_line.hpp>

namespace catena::rows {
inline namespace CATENA_ISA {

template <class S>
struct TimeFunction {
  static constexpr int parameters = 3;
  S start, rate, acceleration;  // u_0, u_1, u_2

  template <class Io>
  static TimeFunction load(const Io& io, const double* p, int first) {
    return {io.entry(p, first), io.entry(p, first + 1), io.entry(p, first + 2)};
  }
  void save(double* out) const {
    out[0] = start;
    out[1] = rate;
    out[2] = acceleration;
  }
  S value(const S& t) const { return start + t * (rate + S(0.5) * t * acceleration); }
  S slope(const S& t) const { return rate + t * acceleration; }
  S curvature(const S&) const { return acceleration; }
};

// A function of time whose value and derivatives at the time of the evaluation are set before it.
template <class S>
struct GivenTarget {
  static constexpr int parameters = 0;
  S u = S(0.0), u1 = S(0.0), u2 = S(0.0);  // [m or rad], [m/s or rad/s], [m/s^2 or rad/s^2]

  template <class Io>
  static GivenTarget load(const Io&, const double*, int) {
    return {};
  }
  void save(double*) const {}
  template <class Io>
  void read(const Io& io, const double* targets) {
    u = io.entry(targets, 0);
    u1 = io.entry(targets, 1);
    u2 = io.entry(targets, 2);
  }
  S value(const S&) const { return u; }
  S slope(const S&) const { return u1; }
  S curvature(const S&) const { return u2; }
};

// The angle itself as a row, without a target.
template <class S>
struct AngleOf {
  static constexpr int bodies = 2, rows = 1, parameters = 12;
  static constexpr bool turning_stiffness = true;
  static constexpr RowsMeaning meaning = of_orientations(RowUnit::angle, &by_length<1>);
  using Frame = BodyFrame<S>;
  using V = Vec<S, 3>;
  using M3 = Mat<S, 3, 3>;

  Mat<S, 3, 3> triad_a;  // columns x, y, z in the frame of A
  Vec<S, 3> side_b;      // frame of B, of unit length

  template <class Io>
  static AngleOf load(const Io& io, const double* p) {
    AngleOf k;
    for (int e = 0; e < 9; ++e) k.triad_a[e] = io.entry(p, e);
    k.side_b = load_vector<S>(io, p, 9);
    return k;
  }
  void save(double* out) const {
    for (int e = 0; e < 9; ++e) out[e] = triad_a[e];
    save_vector(out + 9, side_b);
  }

  // theta in (-pi, pi]
  S value(const Frame* f) const {
    const V b = side(f);
    return arctangent(b[1], b[0]);
  }
  void jacobian(const Frame* f, const S&, Mat<S, 1, 6>* G) const {
    const View view(*this, f);
    set_turning_row(G[0], 0, V(-(triad_a * view.w)));
    set_turning_row(G[1], 0, V(transpose_times(view.from_b, view.w)));
  }
  // w changes with b' = nu x b, nu' = nu x Omega_A
  Vec<S, 1> bias(const Frame* f, const S&) const {
    const View view(*this, f);
    const V a = transpose_times(triad_a, f[0].omega), nu = V(view.from_b * f[1].omega) - a;
    return {{dot(nu, V(view.slope * cross(nu, view.b))) + dot(view.w, cross(nu, a))}};
  }
  void rate_jacobian(const Frame* f, const S&, Mat<S, 1, 6>* N) const {
    const View view(*this, f);
    const V a = transpose_times(triad_a, f[0].omega), b = view.from_b * f[1].omega;
    const V turn = cross(view.b, V(transpose_times(view.slope, V(b - a))));
    const V w_in_b = transpose_times(view.from_b, view.w);
    set_turning_row(N[0], 0, V(triad_a * V(cross(view.w, b) - turn)));
    set_turning_row(N[1], 0, V(transpose_times(view.from_b, turn) + cross(f[1].omega, w_in_b)));
  }
  void geometric_stiffness(const Frame* f, const S&, const Vec<S, 1>& lambda, Mat<S, 6, 6>* K) const {
    const View view(*this, f);
    const M3 with_turn = -(view.slope * skew(view.b));  // dw = with_turn nu
    const M3 to_a = triad_a.transpose();
    const M3 of_a = triad_a * with_turn, of_b = transpose_times(view.from_b, with_turn);
    // G_B^T = from_b^T w turns with both bodies as well
    const V w_in_b = transpose_times(view.from_b, view.w);
    const M3 w_cross = skew(view.w);
    K[0] = turning_block(M3(lambda[0] * (of_a * to_a)));
    K[1] = turning_block(M3(-(lambda[0] * (of_a * view.from_b))));
    K[2] = turning_block(M3(-(lambda[0] * ((of_b + transpose_times(view.from_b, w_cross)) * to_a))));
    K[3] = turning_block(M3(lambda[0] * (of_b * view.from_b + skew(w_in_b))));
  }

 private:
  V side(const Frame* f) const {
    return transpose_times(triad_a, V(transpose_times(f[0].R, V(f[1].R * side_b))));
  }
  struct View {
    V b, w;
    M3 slope;   // dw/db
    M3 from_b;  // frame of B -> triad A
    View(const AngleOf& k, const Frame* f)
        : b(k.side(f)), from_b(transpose_times(M3(f[0].R * k.triad_a), f[1].R)) {
      const S one(1.0), o(0.0);
      const S square = b[0] * b[0] + b[1] * b[1];
      const S inverse = one / square;
      const S z = b[2] * inverse, c = b[0], s = b[1];
      w = {{-(z * c), -(z * s), one}};
      const S twice = S(2.0) * z * inverse;
      slope = {{twice * c * c - z, twice * c * s, -(c * inverse), twice * c * s, twice * s * s - z,
                -(s * inverse), o, o, o}};
    }
  };
};

// A coordinate that follows a function of time. Row: AngleOf, or InPlane of a displacement.
template <class S, template <class> class Row, template <class> class Target = TimeFunction>
struct Driven {
  static constexpr int bodies = 2, rows = 1, parameters = Row<S>::parameters + Target<S>::parameters;
  static constexpr Level level = Level::position;
  static constexpr bool couples = true;
  static constexpr bool turning_stiffness = detail::stiffness_begins_at<Row<S>>() == 3;
  static constexpr RowsMeaning meaning = [] {
    RowsMeaning m = Row<S>::meaning;
    m.driven = true;
    return m;
  }();
  using Frame = BodyFrame<S>;

  Row<S> row;
  Target<S> target;

  template <class Io>
  static Driven load(const Io& io, const double* p) {
    return {Row<S>::load(io, p), Target<S>::load(io, p, Row<S>::parameters)};
  }
  void save(double* out) const {
    row.save(out);
    target.save(out + Row<S>::parameters);
  }
  template <class Io>
  void read_targets(const Io& io, const double* targets) requires requires {
    target.read(io, targets);
  }
  { target.read(io, targets); }

  Vec<S, 1> gap(const Frame* f, const S& t) const {
    if constexpr (requires { row.value(f); }) {
      const S off = row.value(f) - target.value(t);
      return {{off - S(6.283185307179586) * nearest_whole(S(0.15915494309189535) * off)}};
    } else {
      return {{row.gap(f, t)[0] - target.value(t)}};
    }
  }
  void jacobian(const Frame* f, const S& t, Mat<S, 1, 6>* G) const { row.jacobian(f, t, G); }
  Vec<S, 1> drift(const Frame*, const S& t) const { return {{-target.slope(t)}}; }
  Vec<S, 1> bias(const Frame* f, const S& t) const { return {{row.bias(f, t)[0] - target.curvature(t)}}; }
  void rate_jacobian(const Frame* f, const S& t, Mat<S, 1, 6>* N) const { row.rate_jacobian(f, t, N); }
  void geometric_stiffness(const Frame* f, const S& t, const Vec<S, 1>& lambda, Mat<S, 6, 6>* K) const {
    row.geometric_stiffness(f, t, lambda, K);
  }
};

// The rate of a coordinate follows a function of time, s' = u(t): one velocity row. The coordinate itself is free to drift
// by the errors of the integration.
template <class S, template <class> class Row>
struct DrivenRate {
  static constexpr int bodies = 2, rows = 1, parameters = Row<S>::parameters;
  static constexpr Level level = Level::velocity;
  static constexpr bool couples = true;
  static constexpr bool turning_stiffness = detail::stiffness_begins_at<Row<S>>() == 3;
  static constexpr bool angle = Row<S>::meaning.unit == RowUnit::angle;
  static constexpr RowsMeaning meaning{.unit = RowUnit::speed,
                                       .positions = Row<S>::meaning.positions,
                                       .points = Row<S>::meaning.points,
                                       .opposite = Row<S>::meaning.opposite,
                                       .driven = true,
                                       .violation = &by_length<1>,
                                       .violation_unit = angle ? "rad/s" : "m/s"};
  using Frame = BodyFrame<S>;

  Row<S> row;
  GivenTarget<S> target;  // of the rate: [m/s or rad/s] and its derivatives

  template <class Io>
  static DrivenRate load(const Io& io, const double* p) {
    return {Row<S>::load(io, p), {}};
  }
  void save(double* out) const { row.save(out); }
  template <class Io>
  void read_targets(const Io& io, const double* targets) {
    target.read(io, targets);
  }

  Vec<S, 1> rate(const Frame* f, const S& t) const {
    Mat<S, 1, 6> G[2];
    row.jacobian(f, t, G);
    S sum = -target.value(t);
    for (int i = 0; i < 2; ++i)
      for (int c = 0; c < 3; ++c) sum = madd(G[i][3 + c], f[i].omega[c], madd(G[i][c], f[i].v[c], sum));
    return {{sum}};
  }
  void jacobian(const Frame* f, const S& t, Mat<S, 1, 6>* A) const { row.jacobian(f, t, A); }
  Vec<S, 1> bias(const Frame* f, const S& t) const { return {{row.bias(f, t)[0] - target.slope(t)}}; }
  void rate_jacobian(const Frame* f, const S& t, Mat<S, 1, 6>* N) const { row.rate_jacobian(f, t, N); }
  void geometric_stiffness(const Frame* f, const S& t, const Vec<S, 1>& lambda, Mat<S, 6, 6>* K) const {
    row.geometric_stiffness(f, t, lambda, K);
  }
};

template <class S>
using Angle = Driven<S, AngleOf>;
template <class S>
using Displacement = Driven<S, InPlane>;
template <class S>
using AngleFollows = Driven<S, AngleOf, GivenTarget>;
template <class S>
using DisplacementFollows = Driven<S, InPlane, GivenTarget>;
template <class S>
using AngleRateFollows = DrivenRate<S, AngleOf>;
template <class S>
using DisplacementRateFollows = DrivenRate<S, InPlane>;

// Axes and sides as of triad() (rows/locked.hpp), in the frames of A and B.
inline Angle<double> angle(const Vec<double, 3>& axis_a, const Vec<double, 3>& side_a,
                           const Vec<double, 3>& axis_b, const Vec<double, 3>& side_b,
                           const TimeFunction<double>& target) {
  return {{triad(axis_a, side_a), side_across(unit(axis_b), side_b)}, target};
}
// Points [m] and an axis of A.
inline Displacement<double> displacement(const Vec<double, 3>& point_a, const Vec<double, 3>& point_b,
                                         const Vec<double, 3>& axis_a, const TimeFunction<double>& target) {
  return {in_plane(point_a, point_b, axis_a), target};
}

}  // namespace CATENA_ISA
}  // namespace catena::rows
