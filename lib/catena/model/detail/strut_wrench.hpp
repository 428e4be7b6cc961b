// The force along the distance l of two points (coordinate_law.hpp). The row of l is that of a rod of the present length
// (rows/distance.hpp), whose slope is that of l; of its second derivatives 1/l comes off: with G = dl/dq
//     d(G^T lambda)/dq = K_rod - G^T lambda G / l,   d(G v)/dq = N_rod - (l'/l) G
#pragma once
#include <catena/model/detail/along_coordinates.hpp>
#include <catena/model/detail/coordinate_law.hpp>
#include <catena/model/rows/distance.hpp>

namespace catena::detail {

template <class S>
struct StrutWrench {
  static constexpr int bodies = 2, parameters = 6;
  static constexpr bool couples = true;
  static constexpr PositionUse positions = PositionUse::difference;
  static constexpr int points = 2;
  using Frame = BodyFrame<S>;

  rows::Coincide<S> ends;
  CoordinateLaw law = {};  // set by the element

  template <class Io>
  static StrutWrench load(const Io& io, const double* p) {
    return {rows::Coincide<S>::load(io, p)};
  }
  void save(double* out) const { ends.save(out); }

  void wrench(const Frame* f, double t, Vec<double, 6>* w) const {
    const rows::Distance<double> rod = present_rod(f);
    push_along(rod, f, law.at(rod.length, rate_along(rod, f), t).force, w);
  }
  void derivatives(const Frame* f, double t, Mat<double, 6, 6>* K, Mat<double, 6, 6>* D) const {
    const rows::Distance<double> rod = present_rod(f);
    const double rate = rate_along(rod, f);
    const CoordinateLaw::Value q = law.at(rod.length, rate, t);
    Mat<double, 1, 6> G[2], N[2];
    rod.jacobian(f, t, G);
    rod.rate_jacobian(f, t, N);
    for (int i = 0; i < 2; ++i) N[i] -= (rate / rod.length) * G[i];
    rod.geometric_stiffness(f, t, Vec<double, 1>{{-q.force}}, K);
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j) K[2 * i + j] += (q.force / rod.length) * transpose_times(G[i], G[j]);
    add_slopes(q, G, N, K, D);
  }
  AlongCoordinates along_coordinates(const Frame* f, double t) const {
    const rows::Distance<double> rod = present_rod(f);
    const CoordinateLaw::Value q = law.at(rod.length, rate_along(rod, f), t);
    Mat<double, 1, 6> G[2];
    rod.jacobian(f, t, G);
    return AlongCoordinates::one(G, q.force, q.by_coordinate, q.by_rate);
  }
  double power(const Frame* f, double t) const {
    const rows::Distance<double> rod = present_rod(f);
    return law.power(rod.length, rate_along(rod, f), t);
  }
  S potential(const Frame* f, const S& t) const { return law.potential(length(f, t)); }

  S length(const Frame* f, const S& t) const {
    const Vec<S, 3> d = ends.gap(f, t);
    return sqrt(dot(d, d));
  }

 private:
  rows::Distance<double> present_rod(const Frame* f) const { return {ends, length(f, 0.0)}; }
};

}  // namespace catena::detail
