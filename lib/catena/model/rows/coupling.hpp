// A weighted sum of coordinates of two to four bodies holds:  sum_k r_k s_k = c,  one position row.
//
// s_k is the angle of a body about an axis of another [rad], or the displacement of its point along an axis [m]
// (rows/coordinate.hpp). Angles count full turns, so that r_k may be any number: with theta in (-pi, pi] and phi the
// angle at the end of the last step, a discrete value of the element,
//     s = theta + 2 pi n,   n the whole number nearest to (phi - theta) / 2 pi
// which is continuous as long as a body turns by less than half a turn in a step. The turns are summed before they are
// multiplied by 2 pi: where they cancel, many of them cost no digits.
//
// With the coordinate's row G_k, G = sum_k r_k G_k, and all else likewise. The force or moment along coordinate k is
// -lambda r_k: a moment on the turning body about A w [N m], a force at the point of the sliding one along A_z [N]; the
// body that carries the axis feels the opposite.
#pragma once
#include <catena/model/rows/coordinate.hpp>

namespace catena::rows {
inline namespace CATENA_ISA {

// The whole turns n, and the angle theta + 2 pi n nearest to phi; without derivatives of n.
template <class S>
inline S turns(const S& phi, const S& theta) {
  return nearest_whole(S(0.15915494309189535) * (phi - theta));
}
template <class S>
inline S counted_angle(const S& theta, const S& phi) {
  return theta + S(6.283185307179586) * turns(phi, theta);
}

// A coordinate of body b against body a, places in the list of the element's bodies.
struct CoupledCoordinate {
  bool angle;  // else a displacement
  int a, b;
};
struct CouplingShape {
  int bodies, terms;
  CoupledCoordinate of[4];
};
// Those that are compiled for lanes; others are evaluated one by one.
inline constexpr CouplingShape sliding_turn{2, 2, {{false, 0, 1}, {true, 0, 1}}};  // a screw
inline constexpr CouplingShape two_angles{
    3, 2, {{true, 0, 1}, {true, 0, 2}}};  // a gear, the first body carries it
inline constexpr CouplingShape angle_and_slide{3, 2, {{false, 0, 2}, {true, 0, 1}}};  // rack and pinion
inline constexpr CouplingShape three_angles{
    4, 3, {{true, 0, 1}, {true, 0, 2}, {true, 0, 3}}};  // a differential

template <class S, CouplingShape shape>
struct Coupling {
  static constexpr CouplingShape which = shape;
  static constexpr int terms = which.terms;
  static constexpr int count_angles() {
    int n = 0;
    for (int k = 0; k < which.terms; ++k) n += which.of[k].angle ? 1 : 0;
    return n;
  }
  static constexpr int angles = count_angles(), slides = terms - angles;
  static constexpr int bodies = which.bodies, rows = 1, discrete = angles;
  static constexpr int points = slides > 0 ? bodies : 0;
  static constexpr int parameters = 3 * points + 12 * angles + 3 * slides + terms + 1;
  static constexpr Level level = Level::position;
  static constexpr bool couples = true;
  static constexpr bool turning_stiffness = slides == 0;
  static constexpr RowsMeaning meaning{.unit = slides > 0 ? RowUnit::length : RowUnit::angle,
                                       .positions = slides > 0 ? PositionUse::difference : PositionUse::none,
                                       .points = points,
                                       .opposite = bodies == 2 ? Opposite::at_second_point : Opposite::none,
                                       .violation = &by_length<1>,
                                       .violation_unit = slides > 0 ? "m" : "rad"};
  using Frame = BodyFrame<S>;

  Vec<S, 3>
      point[points > 0 ? points : 1];  // body frames [m]; of sliding bodies and of what carries their axes
  AngleOf<S> angle[angles > 0 ? angles : 1];
  Vec<S, 3> axis[slides > 0 ? slides : 1];  // of displacements, frame of body a, of unit length
  S ratio[terms];
  S held;                                // c [m or rad]
  S reference[angles > 0 ? angles : 1];  // phi [rad]

  template <class Io>
  static Coupling load(const Io& io, const double* p) {
    Coupling k;
    k.point[0] = k.axis[0] = Vec<S, 3>::Zero();  // where there are no displacements
    if constexpr (angles == 0) k.angle[0] = {Mat<S, 3, 3>::Zero(), Vec<S, 3>::Zero()};
    k.reference[0] = S(0.0);
    int at = 0;
    const auto next = [&] { return io.entry(p, at++); };
    const auto next_vector = [&] {
      at += 3;
      return load_vector<S>(io, p, at - 3);
    };
    for (int i = 0; i < points; ++i) k.point[i] = next_vector();
    for (int i = 0; i < angles; ++i) {
      for (int e = 0; e < 9; ++e) k.angle[i].triad_a[e] = next();
      k.angle[i].side_b = next_vector();
      k.reference[i] = S(0.0);
    }
    for (int i = 0; i < slides; ++i) k.axis[i] = next_vector();
    for (int i = 0; i < terms; ++i) k.ratio[i] = next();
    k.held = next();
    return k;
  }
  void save(double* out) const {
    const auto put_vector = [&](const Vec<double, 3>& a) {
      save_vector(out, a);
      out += 3;
    };
    for (int i = 0; i < points; ++i) put_vector(point[i]);
    for (int i = 0; i < angles; ++i) {
      for (int e = 0; e < 9; ++e) *out++ = angle[i].triad_a[e];
      put_vector(angle[i].side_b);
    }
    for (int i = 0; i < slides; ++i) put_vector(axis[i]);
    for (int i = 0; i < terms; ++i) *out++ = ratio[i];
    *out = held;
  }

  // The discrete values of the elements of a group are at `at`, one element behind the other.
  template <class Io>
  void read_discrete(const Io& io, const double* values, int at) {
    for (int i = 0; i < angles; ++i) reference[i] = io.discrete(values, at, discrete, i);
  }
  // Brings them up to the poses of the bodies.
  void follow(const Frame* f, double* values) const {
    int i = 0;
    for (int k = 0; k < terms; ++k) {
      if (!which.of[k].angle) continue;
      const Frame pair[2] = {f[which.of[k].a], f[which.of[k].b]};
      const S theta = angle[i].value(pair);
      values[i] = counted_angle(theta, values[i]);
      ++i;
    }
  }

  Vec<S, 1> gap(const Frame* f, const S& t) const {
    S sum = -held, whole(0.0);
    each(f, [&](const auto& row, int k, int number, const Frame* pair) {
      if constexpr (requires { row.side_b; }) {
        const S theta = row.value(pair);
        sum = sum + ratio[k] * theta;
        whole = whole + ratio[k] * turns(reference[number], theta);
      } else {
        sum = sum + ratio[k] * row.gap(pair, t)[0];
      }
    });
    return {{sum + full_turn() * whole}};
  }
  void jacobian(const Frame* f, const S& t, Mat<S, 1, 6>* G) const {
    for (int i = 0; i < bodies; ++i) G[i] = Mat<S, 1, 6>::Zero();
    each(f, [&](const auto& row, int k, int, const Frame* pair) {
      Mat<S, 1, 6> g[2];
      row.jacobian(pair, t, g);
      G[which.of[k].a] += ratio[k] * g[0];
      G[which.of[k].b] += ratio[k] * g[1];
    });
  }
  Vec<S, 1> drift(const Frame*, const S&) const { return Vec<S, 1>::Zero(); }
  Vec<S, 1> bias(const Frame* f, const S& t) const {
    S sum(0.0);
    each(f, [&](const auto& row, int k, int, const Frame* pair) {
      sum = sum + ratio[k] * row.bias(pair, t)[0];
    });
    return {{sum}};
  }
  void rate_jacobian(const Frame* f, const S& t, Mat<S, 1, 6>* N) const {
    for (int i = 0; i < bodies; ++i) N[i] = Mat<S, 1, 6>::Zero();
    each(f, [&](const auto& row, int k, int, const Frame* pair) {
      Mat<S, 1, 6> n[2];
      row.rate_jacobian(pair, t, n);
      N[which.of[k].a] += ratio[k] * n[0];
      N[which.of[k].b] += ratio[k] * n[1];
    });
  }
  void geometric_stiffness(const Frame* f, const S& t, const Vec<S, 1>& lambda, Mat<S, 6, 6>* K) const {
    for (int i = 0; i < bodies * bodies; ++i) K[i] = Mat<S, 6, 6>::Zero();
    each(f, [&](const auto& row, int k, int, const Frame* pair) {
      Mat<S, 6, 6> of[4];
      row.geometric_stiffness(pair, t, Vec<S, 1>{{ratio[k] * lambda[0]}}, of);
      const int at[2] = {which.of[k].a, which.of[k].b};
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) K[at[i] * bodies + at[j]] += of[2 * i + j];
    });
  }

 private:
  static S full_turn() { return S(6.283185307179586); }
  // How many terms of the same kind come before term k.
  static constexpr int number_of(int k) {
    int n = 0;
    for (int i = 0; i < k; ++i) n += which.of[i].angle == which.of[k].angle ? 1 : 0;
    return n;
  }
  // what(row of the coordinate, number of the term, number among the angles or the displacements, its two frames)
  template <int k = 0, class What>
  void each(const Frame* f, What&& what) const {
    if constexpr (k < terms) {
      constexpr CoupledCoordinate c = which.of[k];
      constexpr int number = number_of(k);
      const Frame pair[2] = {f[c.a], f[c.b]};
      if constexpr (c.angle)
        what(angle[number], k, number, pair);
      else
        what(InPlane<S>{point[c.a], point[c.b], {axis[number]}}, k, number, pair);
      each<k + 1>(f, what);
    }
  }
};

// The terms of a coupling: coordinates of body b against body a, numbers in the list of the element's bodies, with their
// ratio r. Axes of any length but zero, points and axes in the frames of their bodies [m].
template <int a, int b>
struct Turn {
  static constexpr CoupledCoordinate coordinate{true, a, b};
  Vec<double, 3> axis_a, axis_b;
  double ratio;
};
// All displacements at one body are measured at one point of it.
template <int a, int b>
struct Slide {
  static constexpr CoupledCoordinate coordinate{false, a, b};
  Vec<double, 3> point_a, point_b, axis_a;
  double ratio;
};

template <class... T>
constexpr CouplingShape shape_of() {
  static_assert(sizeof...(T) >= 1 && sizeof...(T) <= 4, "a coupling has one to four terms");
  CouplingShape shape{1, 0, {}};
  const auto add = [&](const CoupledCoordinate& c) {
    shape.of[shape.terms++] = c;
    shape.bodies = c.a >= shape.bodies ? c.a + 1 : shape.bodies;
    shape.bodies = c.b >= shape.bodies ? c.b + 1 : shape.bodies;
  };
  (add(T::coordinate), ...);
  return shape;
}

// The sum of ratio times coordinate of all terms is `held` [rad, or m where a displacement is among them].
template <class... T>
Coupling<double, shape_of<T...>()> coupling(double held, const T&... terms) {
  using K = Coupling<double, shape_of<T...>()>;
  K k{};
  k.held = held;
  int term = 0, angle = 0, slide = 0;
  const auto add = [&](const auto& t) {
    using Term = std::remove_cvref_t<decltype(t)>;
    if constexpr (Term::coordinate.angle) {
      k.angle[angle++] = {triad(t.axis_a, Vec<double, 3>::Zero()),
                          side_across(unit(t.axis_b), Vec<double, 3>::Zero())};
    } else {
      k.point[Term::coordinate.a] = t.point_a;
      k.point[Term::coordinate.b] = t.point_b;
      k.axis[slide++] = unit(t.axis_a);
    }
    k.ratio[term++] = t.ratio;
  };
  (add(terms), ...);
  return k;
}

}  // namespace CATENA_ISA
}  // namespace catena::rows
