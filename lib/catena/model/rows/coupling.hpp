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
#include <catena/model/rows/coupled_term.hpp>

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

// With body_count bodies; slides: at least one of the coordinates is a displacement.
template <class S, int body_count, bool slides>
struct Coupling {
  static constexpr int bodies = body_count, rows = 1;
  static constexpr int points = slides ? bodies : 0;
  static constexpr int parameters = 3 * points + 2 + most_terms * CoupledTerm<S>::parameters;
  static constexpr Level level = Level::position;
  static constexpr bool couples = true;
  static constexpr bool turning_stiffness = !slides;
  static constexpr RowsMeaning meaning{.unit = slides ? RowUnit::length : RowUnit::angle,
                                       .positions = slides ? PositionUse::difference : PositionUse::none,
                                       .points = points,
                                       .open = Open::sum,
                                       .opposite = bodies == 2 ? Opposite::at_second_point : Opposite::none,
                                       .violation = &by_length<1>,
                                       .violation_unit = slides ? "m" : "rad"};
  using Frame = BodyFrame<S>;

  Vec<S, 3> point[slides ? bodies : 1];  // body frames [m]; of sliding bodies and of what carries their axes
  S held;                                // c [m or rad]
  int terms, angles;
  CoupledTerm<S> term[most_terms];
  S reference[most_terms];  // phi of the angles among the terms [rad]

  template <class Io>
  static Coupling load(const Io& io, const double* p) {
    Coupling k;
    const auto skip = [&](int n) { p += n * io.stride(); };
    for (int i = 0; i < points; ++i, skip(3)) k.point[i] = load_vector<S>(io, p, 0);
    k.held = io.entry(p, 0);
    k.terms = static_cast<int>(io.first(p, 1));
    k.angles = 0;
    skip(2);
    for (int i = 0; i < k.terms; ++i, skip(CoupledTerm<S>::parameters)) {
      k.term[i] = CoupledTerm<S>::load(io, p);
      if (k.term[i].of.angle) k.reference[k.angles++] = S(0.0);
    }
    return k;
  }
  void save(double* out) const {
    for (int i = 0; i < points; ++i, out += 3) save_vector(out, point[i]);
    out[0] = held;
    out[1] = terms;
    out += 2;
    for (int e = 0; e < most_terms * CoupledTerm<S>::parameters; ++e) out[e] = 0.0;
    for (int i = 0; i < terms; ++i, out += CoupledTerm<S>::parameters) term[i].save(out);
  }

  // One more term: body b against body a, from numbers that are zero at first.
  void add_turn(int a, int b, const AngleOf<double>& angle, double ratio) {
    term[terms++] = {{true, a, b}, ratio, angle, {}, {}, {}};
    ++angles;
  }
  // Points and axis in the frames of the bodies, of any length but zero. The first point at a body is its point.
  void add_slide(int a, int b, const Vec<double, 3>& point_a, const Vec<double, 3>& point_b,
                 const Vec<double, 3>& axis, double ratio) {
    CoupledTerm<double>& t = term[terms++] = {{false, a, b}, ratio, {}, unit(axis), {}, {}};
    t.from_a = from_point_of(a, point_a);
    t.from_b = from_point_of(b, point_b);
  }

  // The discrete values of the elements of a group are at `at`, one element behind the other.
  template <class Io>
  void read_discrete(const Io& io, const double* values, int at) {
    for (int i = 0; i < angles; ++i) reference[i] = io.discrete(values, at, angles, i);
  }
  // Brings them up to the poses of the bodies.
  void follow(const Frame* f, double* values) const {
    for (int k = 0, i = 0; k < terms; ++k) {
      const CoupledTerm<S>& c = term[k];
      if (!c.of.angle) continue;
      const Frame pair[2] = {f[c.of.a], f[c.of.b]};
      values[i] = counted_angle(c.angle.value(pair), values[i]);
      ++i;
    }
  }

  Vec<S, 1> gap(const Frame* f, const S& t) const {
    S sum = -held, whole(0.0);
    int number = 0;
    each(f, [&](const auto& row, const CoupledTerm<S>& c, const Frame* pair) {
      if constexpr (requires { row.side_b; }) {
        const S theta = row.value(pair);
        sum = sum + c.ratio * theta;
        whole = whole + c.ratio * turns(reference[number++], theta);
      } else {
        sum = sum + c.ratio * row.gap(pair, t)[0];
      }
    });
    return {{sum + S(6.283185307179586) * whole}};
  }
  void jacobian(const Frame* f, const S& t, Mat<S, 1, 6>* G) const {
    add_rows(f, G, [&](const auto& row, const Frame* pair, Mat<S, 1, 6>* g) { row.jacobian(pair, t, g); });
  }
  Vec<S, 1> drift(const Frame*, const S&) const { return Vec<S, 1>::Zero(); }
  Vec<S, 1> bias(const Frame* f, const S& t) const {
    S sum(0.0);
    each(f, [&](const auto& row, const CoupledTerm<S>& c, const Frame* pair) {
      sum = sum + c.ratio * row.bias(pair, t)[0];
    });
    return {{sum}};
  }
  void rate_jacobian(const Frame* f, const S& t, Mat<S, 1, 6>* N) const {
    add_rows(f, N,
             [&](const auto& row, const Frame* pair, Mat<S, 1, 6>* n) { row.rate_jacobian(pair, t, n); });
  }
  void geometric_stiffness(const Frame* f, const S& t, const Vec<S, 1>& lambda, Mat<S, 6, 6>* K) const {
    for (int i = 0; i < bodies * bodies; ++i) K[i] = Mat<S, 6, 6>::Zero();
    each(f, [&](const auto& row, const CoupledTerm<S>& c, const Frame* pair) {
      Mat<S, 6, 6> of[4];
      row.geometric_stiffness(pair, t, Vec<S, 1>{{c.ratio * lambda[0]}}, of);
      const int at[2] = {c.of.a, c.of.b}, first = c.of.angle ? 3 : 0;  // angles: rotations alone
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) {
          Mat<S, 6, 6>& k = K[at[i] * bodies + at[j]];
          for (int r = first; r < 6; ++r)
            for (int s = first; s < 6; ++s) k(r, s) = k(r, s) + of[2 * i + j](r, s);
        }
    });
  }

 private:
  Vec<double, 3> from_point_of(int body, const Vec<double, 3>& p) {
    static_assert(slides, "a coupling of angles alone has no points");
    bool first = true;
    for (int k = 0; k + 1 < terms; ++k)
      first = first && (term[k].of.angle || (term[k].of.a != body && term[k].of.b != body));
    if (first) point[body] = p;
    return p - point[body];
  }
  InPlane<S> along(const CoupledTerm<S>& c) const requires(slides) {
    return {point[c.of.a] + c.from_a, point[c.of.b] + c.from_b, {c.axis}};
  }
  // what(row of the coordinate, term, its two frames)
  template <class What>
  void each(const Frame* f, What&& what) const {
    for (int k = 0; k < terms; ++k) {
      const Frame pair[2] = {f[term[k].of.a], f[term[k].of.b]};
      if constexpr (slides)
        if (!term[k].of.angle) {
          what(along(term[k]), term[k], pair);
          continue;
        }
      what(term[k].angle, term[k], pair);
    }
  }
  // The sum of the terms' rows, of(row of the coordinate, its two frames, out).
  template <class Of>
  void add_rows(const Frame* f, Mat<S, 1, 6>* sum, Of&& of) const {
    for (int i = 0; i < bodies; ++i) sum[i] = Mat<S, 1, 6>::Zero();
    each(f, [&](const auto& row, const CoupledTerm<S>& c, const Frame* pair) {
      Mat<S, 1, 6> g[2];
      of(row, pair, g);
      sum[c.of.a] += c.ratio * g[0];
      sum[c.of.b] += c.ratio * g[1];
    });
  }
};

// A coupling whose shape is known at compile time.
template <class S, CouplingShape shape>
struct ShapedCoupling : Coupling<S, shape.bodies, shape.slides()> {
  using Compiled = Coupling<S, shape.bodies, shape.slides()>;  // evaluates it
  static constexpr int discrete = shape.angles();

  template <class Io>
  static ShapedCoupling load(const Io& io, const double* p) {
    return {Compiled::load(io, p)};
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
template <int a, int b>
struct Slide {
  static constexpr CoupledCoordinate coordinate{false, a, b};
  Vec<double, 3> point_a, point_b, axis_a;
  double ratio;
};

template <class... T>
constexpr CouplingShape shape_of() {
  static_assert(sizeof...(T) >= 1 && sizeof...(T) <= most_terms, "a coupling has one to four terms");
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
ShapedCoupling<double, shape_of<T...>()> coupling(double held, const T&... terms) {
  ShapedCoupling<double, shape_of<T...>()> k{};
  k.held = held;
  const auto add = [&](const auto& t) {
    using Term = std::remove_cvref_t<decltype(t)>;
    constexpr CoupledCoordinate c = Term::coordinate;
    if constexpr (c.angle)
      k.add_turn(
          c.a, c.b,
          {triad(t.axis_a, Vec<double, 3>::Zero()), side_across(unit(t.axis_b), Vec<double, 3>::Zero())},
          t.ratio);
    else
      k.add_slide(c.a, c.b, t.point_a, t.point_b, t.axis_a, t.ratio);
  };
  (add(terms), ...);
  return k;
}

}  // namespace CATENA_ISA
}  // namespace catena::rows
