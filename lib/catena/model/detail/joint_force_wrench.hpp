// The force along the angle or the displacement of two markers (coordinate_law.hpp).
#pragma once
#include <catena/model/detail/coordinate_law.hpp>
#include <catena/model/rows/coupling.hpp>

namespace catena::detail {

template <class S>
struct JointForceWrench {
  static constexpr int bodies = 2, parameters = 21, discrete = 1;
  static constexpr bool couples = true;
  static constexpr PositionUse positions = PositionUse::difference;
  static constexpr int points = 2;
  using Frame = BodyFrame<S>;

  rows::InPlane<S> displacement;
  rows::AngleOf<S> angle;
  bool turns = true;       // along the angle, else along the displacement
  CoordinateLaw law = {};  // set by the element
  S reference = S(0.0);    // phi of the counted angle (rows/coupling.hpp) [rad]

  template <class Io>
  static JointForceWrench load(const Io& io, const double* p) {
    return {rows::InPlane<S>::load(io, p), rows::AngleOf<S>::load(io, p + 9 * io.stride())};
  }
  void save(double* out) const {
    displacement.save(out);
    angle.save(out + 9);
  }
  template <class Io>
  void read_discrete(const Io& io, const double* values, int at) {
    reference = io.discrete(values, at, discrete, 0);
  }
  void follow(const Frame* f, double* values) const {
    if (turns) values[0] = rows::counted_angle(angle.value(f), values[0]);
  }

  void wrench(const Frame* f, double t, Vec<double, 6>* w) const {
    along(
        [&](const auto& row) { push_along(row, f, law.at(coordinate(f), rate_along(row, f), t).force, w); });
  }
  void derivatives(const Frame* f, double t, Mat<double, 6, 6>* K, Mat<double, 6, 6>* D) const {
    along([&](const auto& row) {
      const CoordinateLaw::Value q = law.at(coordinate(f), rate_along(row, f), t);
      Mat<double, 1, 6> G[2], N[2];
      row.jacobian(f, t, G);
      row.rate_jacobian(f, t, N);
      row.geometric_stiffness(f, t, Vec<double, 1>{{-q.force}}, K);
      add_slopes(q, G, N, K, D);
    });
  }
  S potential(const Frame* f, const S&) const { return law.potential(coordinate(f)); }

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

}  // namespace catena::detail
