// The force along the angle or the displacement s of two markers that a law gives:
//   static constexpr int discrete = n;   discrete values that it reads
//   Value at(s, s', t, const double* values) const;   Q and its slopes, CoordinateLaw::Value
//   double power(s, s', t, const double* values) const;   what it supplies beside its potential [W]
//   S potential(s) const;
//   void follow(s, s', t, double* values) const;   optional: at the start, before with t = nan, and at the end of a step
// CoordinateLaw, ControllerLaw.
#pragma once
#include <catena/model/detail/along_coordinates.hpp>
#include <catena/model/detail/coordinate_law.hpp>
#include <catena/model/rows/coupling.hpp>
#include <catena/model/rows/markers.hpp>

#include <array>

namespace catena::detail {

template <class S, class Law>
struct CoordinateForce {
  static constexpr int bodies = 2, parameters = 21, discrete = 1 + Law::discrete;
  static constexpr bool couples = true;
  static constexpr PositionUse positions = PositionUse::difference;
  static constexpr int points = 2;
  using Frame = BodyFrame<S>;

  rows::InPlane<S> displacement;
  rows::AngleOf<S> angle;
  bool turns = true;                      // along the angle, else along the displacement
  Law law = {};                           // set by the element
  S reference = S(0.0);                   // phi of the counted angle (rows/coupling.hpp) [rad]
  std::array<S, Law::discrete> of_law{};  // its discrete values, behind phi

  template <class Io>
  static CoordinateForce load(const Io& io, const double* p) {
    return {rows::InPlane<S>::load(io, p), rows::AngleOf<S>::load(io, p + 9 * io.stride())};
  }
  void save(double* out) const {
    displacement.save(out);
    angle.save(out + 9);
  }
  template <class Io>
  void read_discrete(const Io& io, const double* values, int at) {
    reference = io.discrete(values, at, discrete, 0);
    for (std::size_t k = 0; k < of_law.size(); ++k)
      of_law[k] = io.discrete(values, at, discrete, 1 + static_cast<int>(k));
  }
  void follow(const Frame* f, double t, double* values) const {
    if (turns) values[0] = rows::counted_angle(angle.value(f), values[0]);
    if constexpr (requires { law.follow(0.0, 0.0, t, values); })
      law.follow(turns ? values[0] : coordinate(f), rate(f), t, values + 1);
  }

  void wrench(const Frame* f, double t, Vec<double, 6>* w) const {
    along([&](const auto& row) {
      push_along(row, f, law.at(coordinate(f), rate_along(row, f), t, of_law.data()).force, w);
    });
  }
  void derivatives(const Frame* f, double t, Mat<double, 6, 6>* K, Mat<double, 6, 6>* D) const {
    along([&](const auto& row) {
      const CoordinateLaw::Value q = law.at(coordinate(f), rate_along(row, f), t, of_law.data());
      Mat<double, 1, 6> G[2], N[2];
      row.jacobian(f, t, G);
      row.rate_jacobian(f, t, N);
      row.geometric_stiffness(f, t, Vec<double, 1>{{-q.force}}, K);
      add_slopes(q, G, N, K, D);
    });
  }
  AlongCoordinates along_coordinates(const Frame* f, double t) const {
    AlongCoordinates out;
    along([&](const auto& row) {
      const CoordinateLaw::Value q = law.at(coordinate(f), rate_along(row, f), t, of_law.data());
      Mat<double, 1, 6> G[2];
      row.jacobian(f, t, G);
      out = AlongCoordinates::one(G, q.force, q.by_coordinate, q.by_rate);
    });
    return out;
  }
  double power(const Frame* f, double t) const { return law.power(coordinate(f), rate(f), t, of_law.data()); }
  S potential(const Frame* f, const S&) const { return law.potential(coordinate(f)); }

  double rate(const Frame* f) const { return turns ? rate_along(angle, f) : rate_along(displacement, f); }
  S coordinate(const Frame* f) const {
    return turns ? rows::counted_angle(angle.value(f), reference) : displacement.gap(f, S(0.0))[0];
  }

 private:
  template <class What>
  void along(What&& what) const {
    if (turns)
      what(angle);
    else
      what(displacement);
  }
};

// Along a coordinate between two markers.
template <class S, class Law>
CoordinateForce<S, Law> force_between(const rows::Markers& m) {
  const auto along = rows::in_plane(m.point_a, m.point_b, m.axis_a);
  return {
      {cast<S>(along.point_a), cast<S>(along.point_b), {cast<S>(along.normal[0])}},
      {cast<S>(rows::triad(m.axis_a, m.side_a)), cast<S>(rows::side_across(rows::unit(m.axis_b), m.side_b))}};
}

}  // namespace catena::detail
