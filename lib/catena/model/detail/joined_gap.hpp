// The kernel of a constraint that states which points it joins (joins.hpp), over the scalar S: the gap is called with frames
// at the points that do not turn, and the rest is geometry.
#pragma once
#include <catena/model/detail/automatic.hpp>
#include <catena/model/detail/joins.hpp>
#include <catena/model/rows/parameters.hpp>

namespace catena::detail {

// See constraint_evaluation.hpp.
template <of_element::JoinsPoints C, class S>
struct JoinedGap {
  static constexpr int bodies = of_element::body_count<C>, rows = of_element::row_count<C>;
  static constexpr Level level = Level::position;
  static constexpr bool couples = of_element::couples_of<C>();
  static constexpr RowsMeaning meaning = of_element::meaning_of_user<C>();
  using Frame = BodyFrame<S>;
  using V = Vec<S, 3>;
  using M3 = Mat<S, 3, 3>;
  using Rows = Vec<S, rows>;
  using Row3 = Mat<S, rows, 3>;
  using Row6 = Mat<S, rows, 6>;

  const C* bare;           // without_points()
  V point[bodies];         // frames of the bodies [m]
  bool coupled = couples;  // false: g is linear in the places

  Rows gap(const Frame* f, const S& t) const {
    Places<S> p;
    for (int i = 0; i < bodies; ++i) p.at[i] = f[i].point(point[i]);
    return value(p, t);
  }

  void jacobian(const Frame* f, const S& t, Row6* G) const {
    Row3 D[bodies];
    slopes(f, t, D);
    for (int i = 0; i < bodies; ++i) G[i] = through_point(f, i, D[i]);
  }

  Rows drift(const Frame* f, const S& t) const {
    using T = Dual<S, 1>;
    Places<T> p;
    for (int i = 0; i < bodies; ++i) p.at[i] = constant<T>(f[i].point(point[i]));
    return first(value(p, T::variable(t, 0)));
  }

  // Along the path with v' = 0.
  Rows bias(const Frame* f, const S& t) const {
    using T = Dual<S, 1>;
    using TT = Dual<T, 1>;
    Places<TT> p;
    for (int i = 0; i < bodies; ++i) {
      const V x = f[i].point(point[i]), x1 = f[i].point_velocity(point[i]),
              x2 = f[i].R * cross(f[i].omega, cross(f[i].omega, point[i]));
      for (int k = 0; k < 3; ++k) {
        p.at[i][k].value = pair(x[k], x1[k]);
        p.at[i][k].d[0] = pair(x1[k], x2[k]);
      }
    }
    TT time;
    time.value = pair(t, S(1.0));
    time.d[0] = pair(S(1.0), S(0.0));
    const Vec<TT, rows> r = value(p, time);
    Rows b;
    for (int k = 0; k < rows; ++k) b[k] = r[k].d[0].d[0];
    return b;
  }

  void rate_jacobian(const Frame* f, const S& t, Row6* N) const {
    Row3 D[bodies], H[bodies];
    slopes(f, t, D);
    slopes_of_rate(f, t, H);
    for (int i = 0; i < bodies; ++i) {
      N[i] = through_point(f, i, H[i]);
      const Row3 turning =
          D[i] * M3(f[i].R * skew(cross(point[i], f[i].omega)));  // d(R (Omega x p)) / dtheta
      for (int r = 0; r < rows; ++r)
        for (int c = 0; c < 3; ++c) N[i](r, 3 + c) += turning(r, c);
    }
  }

  // G_i^T lambda = P_i^T D_i^T lambda, P_i = [I, -R p~]: D changing with the places, and P_i turning.
  void geometric_stiffness(const Frame* f, const S& t, const Rows& lambda, Mat<S, 6, 6>* K) const {
    if (!coupled) return turning_alone(f, t, lambda, K);
    M3 h[bodies * bodies];
    V force[bodies];
    curvature(f, t, lambda, force, h);
    M3 arm[bodies];
    for (int i = 0; i < bodies; ++i) arm[i] = -(f[i].R * skew(point[i]));
    for (int i = 0; i < bodies; ++i)
      for (int j = 0; j < bodies; ++j) {
        const M3& place = h[i * bodies + j];
        const M3 turned = place * arm[j];
        Mat<S, 6, 6>& k = K[i * bodies + j];
        set_block(k, 0, 0, place);
        set_block(k, 0, 3, turned);
        set_block(k, 3, 0, transpose_times(arm[i], place));
        set_block(k, 3, 3, transpose_times(arm[i], turned));
        if (i != j) continue;
        const M3 swing = skew(point[i]) * skew(transpose_times(f[i].R, force[i]));
        for (int r = 0; r < 3; ++r)
          for (int c = 0; c < 3; ++c) k(3 + r, 3 + c) += swing(r, c);
      }
  }

 private:
  // Without second derivatives with respect to places: the sum of h_ij over j vanishes, so that none of them couples, or
  // h_ii vanishes as well.
  void turning_alone(const Frame* f, const S& t, const Rows& lambda, Mat<S, 6, 6>* K) const {
    Row3 D[bodies];
    slopes(f, t, D);
    for (int i = 0; i < bodies; ++i) {
      const V force = transpose_times(D[i], lambda);
      K[i * bodies + i] = turning_block(M3(skew(point[i]) * skew(transpose_times(f[i].R, force))));
      for (int j = 0; j < bodies; ++j)
        if (j != i) K[i * bodies + j] = Mat<S, 6, 6>::Zero();
    }
  }
  static constexpr int directions = 3 * (bodies - 1);  // a common shift of all places changes nothing
  static_assert(bodies >= 2, "a constraint that joins points has at least two bodies");
  template <class T>
  struct Places {
    Vec<T, 3> at[bodies];
  };
  static Dual<S, 1> pair(const S& value, const S& slope) {
    Dual<S, 1> a;
    a.value = value;
    a.d[0] = slope;
    return a;
  }
  template <class T>
  static Vec<T, 3> constant(const V& x) {
    return {{T(x[0]), T(x[1]), T(x[2])}};
  }
  static Rows first(const Vec<Dual<S, 1>, rows>& r) {
    Rows d;
    for (int k = 0; k < rows; ++k) d[k] = r[k].d[0];
    return d;
  }
  // Places as variables, those of the first body as constants.
  static int number(int body, int k) { return 3 * (body - 1) + k; }

  template <class T>
  Vec<T, rows> value(const Places<T>& p, const T& t) const {
    BodyFrame<T> g[bodies];
    for (int i = 0; i < bodies; ++i) {
      g[i].x = p.at[i];
      g[i].R = Mat<T, 3, 3>::Identity();
      g[i].v = g[i].omega = Vec<T, 3>::Zero();
    }
    return of_element::definition<T>(*bare, static_cast<const BodyFrame<T>*>(g), t);
  }

  // D_i, the derivatives with respect to the places.
  void slopes(const Frame* f, const S& t, Row3* D) const {
    using T = Dual<S, directions>;
    Places<T> p;
    for (int i = 0; i < bodies; ++i) {
      const V x = f[i].point(point[i]);
      for (int k = 0; k < 3; ++k) p.at[i][k] = i == 0 ? T(x[k]) : T::variable(x[k], number(i, k));
    }
    const Vec<T, rows> r = value(p, T(t));
    distribute([&](int row, int d) { return r[row].d[d]; }, D);
  }

  // The same of the rate D x' + dg/dt, at fixed velocities of the points.
  void slopes_of_rate(const Frame* f, const S& t, Row3* H) const {
    using T1 = Dual<S, 1>;
    using T = Dual<T1, directions>;
    Places<T> p;
    for (int i = 0; i < bodies; ++i) {
      const V x = f[i].point(point[i]), x1 = f[i].point_velocity(point[i]);
      for (int k = 0; k < 3; ++k) {
        const T1 along = pair(x[k], x1[k]);
        p.at[i][k] = i == 0 ? T(along) : T::variable(along, number(i, k));
      }
    }
    const Vec<T, rows> r = value(p, T(T1::variable(t, 0)));
    distribute([&](int row, int d) { return r[row].d[d].d[0]; }, H);
  }

  // Of lambda . g: the forces D_i^T lambda and the second derivatives h_ij with respect to the places.
  void curvature(const Frame* f, const S& t, const Rows& lambda, V* force, M3* h) const {
    using T1 = Dual<S, directions>;
    using T = Dual<T1, directions>;
    Places<T> p;
    for (int i = 0; i < bodies; ++i) {
      const V x = f[i].point(point[i]);
      for (int k = 0; k < 3; ++k)
        p.at[i][k] = i == 0 ? T(T1(x[k])) : T::variable(T1::variable(x[k], number(i, k)), number(i, k));
    }
    const Vec<T, rows> r = value(p, T(T1(t)));
    T1 sum[directions];  // d(lambda . g)/d(place d), with its derivatives
    for (int d = 0; d < directions; ++d) {
      sum[d] = T1(lambda[0]) * r[0].d[d];
      for (int k = 1; k < rows; ++k) sum[d] += T1(lambda[k]) * r[k].d[d];
    }
    for (int i = 0; i < bodies; ++i) force[i] = V::Zero();
    for (int k = 0; k < bodies * bodies; ++k) h[k] = M3::Zero();
    for (int i = 1; i < bodies; ++i)
      for (int a = 0; a < 3; ++a) {
        const T1& s = sum[number(i, a)];
        force[i][a] = s.value;
        force[0][a] -= s.value;
        for (int j = 1; j < bodies; ++j)
          for (int b = 0; b < 3; ++b) {
            const S& x = s.d[number(j, b)];
            h[i * bodies + j](a, b) = x;
            h[i * bodies](a, b) -= x;
            h[j](a, b) -= x;
            h[0](a, b) += x;
          }
      }
  }

  template <class Slope>
  static void distribute(Slope&& slope, Row3* D) {
    D[0] = Row3::Zero();
    for (int r = 0; r < rows; ++r)
      for (int i = 1; i < bodies; ++i)
        for (int k = 0; k < 3; ++k) {
          const S x = slope(r, number(i, k));
          D[i](r, k) = x;
          D[0](r, k) -= x;
        }
  }

  // D [I, -R p~]
  Row6 through_point(const Frame* f, int i, const Row3& D) const {
    Row6 G;
    set_block(G, 0, 0, D);
    set_block(G, 0, 3, Row3(-(D * M3(f[i].R * skew(point[i])))));
    return G;
  }
};

namespace of_element {

// With a copy of its own, for a single constraint outside of a pool.
template <JoinsPoints C>
class OwnJoinedGap : public JoinedGap<C, double> {
 public:
  explicit OwnJoinedGap(const C& c) : own_(without_points(c)) {
    this->bare = &own_;
    for (std::size_t i = 0; i < C::joins.size(); ++i) this->point[i] = c.*(C::joins[i]);
  }
  OwnJoinedGap(const OwnJoinedGap&) = delete;
  OwnJoinedGap& operator=(const OwnJoinedGap&) = delete;

 private:
  C own_;
};

}  // namespace of_element
}  // namespace catena::detail
