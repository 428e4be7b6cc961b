// Spring and damper of two markers in all six coordinates s = (d, phi): d from marker A to marker B in the axes of A, phi the
// rotation vector of A^T B. Q = -K s - C s' acts on them: the force A Q_d at the point of B, the moment A T^-1(phi) Q_phi on
// B, and the opposite on A. phi' = T^-T(phi) nu with the turn nu of B against A in the axes of A, T the right tangent
// operator.
#pragma once
#include <catena/model/detail/along_coordinates.hpp>
#include <catena/model/detail/automatic.hpp>
#include <catena/model/rows/coincide.hpp>

#include <array>

namespace catena::detail {

struct BushingLaw {
  Vec3 point_a, point_b;  // body frames [m]
  Mat3 triad_a, triad_b;  // body frames
  const Mat<double, 6, 6>*stiffness, *damping;
  std::array<BodyId, 2> bodies = {};
  static constexpr bool couples = true;

  template <class S>
  struct Coordinates {
    Mat<S, 3, 3> axes;       // of A, world
    Vec<S, 3> arm_a, arm_b;  // from the centres of mass to the point of B, body frames [m]
    Vec<S, 3> d, phi;
  };
  template <class S>
  Coordinates<S> coordinates(const BodyFrame<S>& A, const BodyFrame<S>& B) const {
    Coordinates<S> c;
    c.axes = A.R * cast<S>(triad_a);
    const Vec<S, 3> b = B.point(cast<S>(point_b));
    c.arm_a = transpose_times(A.R, Vec<S, 3>(b - A.x));
    c.arm_b = cast<S>(point_b);
    c.d = transpose_times(c.axes, Vec<S, 3>(b - A.point(cast<S>(point_a))));
    const Mat<S, 3, 3> turn = transpose_times(c.axes, Mat<S, 3, 3>(B.R * cast<S>(triad_b)));
    c.phi = logarithm(normalized(quaternion_along(turn)));
    return c;
  }

  // Q, its two parts.
  template <class S>
  struct Pull {
    Vec<S, 3> force, turn;
  };
  template <class S>
  Pull<S> pull_at(const BodyFrame<S>& A, const BodyFrame<S>& B, const Coordinates<S>& c,
                  const Mat<S, 3, 3>& to_turn) const {
    // d is seen from A, which turns
    const Vec<S, 3> approach = B.point_velocity(c.arm_b) - A.point_velocity(c.arm_a);
    const Vec<S, 3> nu = transpose_times(c.axes, Vec<S, 3>(B.R * B.omega - A.R * A.omega));
    const Vec<S, 3> d1 = transpose_times(c.axes, approach), phi1 = transpose_times(to_turn, nu);
    Vec<S, 3> force = Vec<S, 3>::Zero(), turn = Vec<S, 3>::Zero();
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        const auto pull = [&](int row, const Vec<S, 3>& s, const Vec<S, 3>& s1, int column) {
          return (*stiffness)(row, column) * s[j] + (*damping)(row, column) * s1[j];
        };
        force[i] -= pull(i, c.d, d1, j) + pull(i, c.phi, phi1, 3 + j);
        turn[i] -= pull(3 + i, c.d, d1, j) + pull(3 + i, c.phi, phi1, 3 + j);
      }
    return {force, turn};
  }
  // D^T Q
  template <class S>
  std::array<Vec<S, 6>, 2> wrenches_of(const Pull<S>& pull, const BodyFrame<S>& A, const BodyFrame<S>& B,
                                       const Coordinates<S>& c, const Mat<S, 3, 3>& to_turn) const {
    const Vec<S, 3> F = c.axes * pull.force, M = c.axes * Vec<S, 3>(to_turn * pull.turn);
    std::array<Vec<S, 6>, 2> w;
    set_block(w[0], 0, 0, Vec<S, 3>(-F));
    set_block(w[0], 3, 0,
              Vec<S, 3>(-(transpose_times(A.R, M) + cross(c.arm_a, Vec<S, 3>(transpose_times(A.R, F))))));
    set_block(w[1], 0, 0, F);
    set_block(w[1], 3, 0,
              Vec<S, 3>(transpose_times(B.R, M) + cross(c.arm_b, Vec<S, 3>(transpose_times(B.R, F)))));
    return w;
  }
  template <class S>
  std::array<Vec<S, 6>, 2> wrench(const BodyFrame<S>& A, const BodyFrame<S>& B, const S&) const {
    const Coordinates<S> c = coordinates(A, B);
    const Mat<S, 3, 3> to_turn = inverse_tangent(c.phi);
    return wrenches_of(pull_at(A, B, c, to_turn), A, B, c, to_turn);
  }
  AlongCoordinates along_coordinates(const BodyFrame<double>& A, const BodyFrame<double>& B) const {
    const Coordinates<double> c = coordinates(A, B);
    const Mat3 to_turn = inverse_tangent(c.phi);
    const Pull<double> pull = pull_at(A, B, c, to_turn);
    AlongCoordinates out;
    out.size = 6;
    out.by_coordinate = -*stiffness;
    out.by_rate = -*damping;
    for (int r = 0; r < 6; ++r) {
      out.force[r] = r < 3 ? pull.force[r] : pull.turn[r - 3];
      const Pull<double> one{r < 3 ? Vec3::Unit(r) : Vec3::Zero(), r < 3 ? Vec3::Zero() : Vec3::Unit(r - 3)};
      const std::array<Vec<double, 6>, 2> w = wrenches_of(one, A, B, c, to_turn);
      for (int i = 0; i < 2; ++i)
        for (int k = 0; k < 6; ++k) out.rows[i](r, k) = w[static_cast<std::size_t>(i)][k];
    }
    return out;
  }

  template <class S>
  S potential(const BodyFrame<S>& A, const BodyFrame<S>& B) const {
    const Coordinates<S> c = coordinates(A, B);
    S sum(0.0);
    const auto s = [&](int k) { return k < 3 ? c.d[k] : c.phi[k - 3]; };
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) sum += 0.5 * (*stiffness)(i, j) * s(i) * s(j);
    return sum;
  }
};

template <class S>
struct BushingWrench {
  static constexpr int bodies = 2, parameters = 6;
  static constexpr bool couples = true;
  static constexpr PositionUse positions = PositionUse::difference;
  static constexpr int points = 2;
  using Frame = BodyFrame<S>;

  rows::Coincide<S> ends;
  BushingLaw law = {};  // set by the element; its points are those of `ends`

  template <class Io>
  static BushingWrench load(const Io& io, const double* p) {
    return {rows::Coincide<S>::load(io, p)};
  }
  void save(double* out) const { ends.save(out); }

  void wrench(const Frame* f, const S& t, Vec<S, 6>* w) const {
    const std::array<Vec<S, 6>, 2> both = law.wrench(f[0], f[1], t);
    w[0] = both[0];
    w[1] = both[1];
  }
  void derivatives(const Frame* f, const S& t, Mat<S, 6, 6>* K, Mat<S, 6, 6>* D) const {
    automatic::force_derivatives(law, f, t, K, D);
  }
  AlongCoordinates along_coordinates(const Frame* f, double) const {
    return law.along_coordinates(f[0], f[1]);
  }
  S potential(const Frame* f, const S&) const { return law.potential(f[0], f[1]); }
};

}  // namespace catena::detail
