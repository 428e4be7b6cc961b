// Friction of a joint by the force that it carries. With the sliding velocity u_k = c_k G_k v of its surfaces, up to three
// rows, and the load N, a part of the joint's multipliers,
//     p_k = -(mu L(N) / sqrt(|u|^2 + v_s^2) + c) u_k,   w_i = sum_k c_k G_k,i^T p_k,   L(N) = |N|^2 / sqrt(|N|^2 + N_s^2)
// L is |N| but for loads of the size of N_s, over which its slope changes its sign smoothly.
//     pin    u = r theta'                        N = lambda without its part along the axis
//     line   u = (s', r theta'), r may be 0      N = lambda, two forces across the axis
//     plane  u = the two velocities along it     N = lambda, one force
//     ball   u = r (R_B Omega_B - R_A Omega_A)   N = lambda
#pragma once
#include <catena/model/rows/coordinate.hpp>

#include <cmath>
#include <cstdint>

namespace catena::detail {

enum class Sliding : std::uint8_t { pin, line, plane, ball };

struct FrictionLaw {
  Sliding kind = Sliding::pin;
  double coefficient = 0.0, viscous = 0.0, radius = 0.0, speed = 1.0, light_load = 1.0;
};

template <class S>
struct FrictionWrench {
  static constexpr int bodies = 2, parameters = 21;
  static constexpr int reactions = 3;  // multipliers that it reads at most
  static constexpr bool couples = true;
  static constexpr PositionUse positions = PositionUse::difference;
  static constexpr int points = 2;
  using Frame = BodyFrame<S>;
  using Row = Mat<double, 1, 6>;
  using Force = Vec<double, 3>;

  rows::InPlane<S> displacement;
  rows::AngleOf<S> angle;
  FrictionLaw law = {};          // set by the element
  Force lambda = Force::Zero();  // of the joint's rows that hold points; behind them zero [N]

  template <class Io>
  static FrictionWrench load(const Io& io, const double* p) {
    return {rows::InPlane<S>::load(io, p), rows::AngleOf<S>::load(io, p + 9 * io.stride())};
  }
  void save(double* out) const {
    displacement.save(out);
    angle.save(out + 9);
  }
  void read_reaction(const double* multipliers, int count) {
    for (int k = 0; k < count; ++k) lambda[k] = multipliers[k];
  }

  void wrench(const Frame* f, double, Vec<double, 6>* w) const {
    const Slide slide(*this, f);
    const Force p = slide.scaled(pull(slide, load_at(f).size));
    for (int i = 0; i < 2; ++i) {
      w[i] = Vec<double, 6>::Zero();
      for (int k = 0; k < slide.count; ++k) w[i] += transpose_times(slide.G[k][i], Vec<double, 1>{{p[k]}});
    }
  }

  // K_ij = -dw_i/dq_j: rows that turn with the bodies, u that changes with them, the load of a pin, whose axis turns with A.
  void derivatives(const Frame* f, double t, Mat<double, 6, 6>* K, Mat<double, 6, 6>* D) const {
    const Slide slide(*this, f);
    const Load load = load_at(f);
    const Force p = slide.scaled(pull(slide, load.size));
    turning_rows(f, t, Force(-p), K);
    Row N[3][2];
    slide.rate_jacobian(*this, f, N);
    const double per_speed = factor(slide) * load.size + law.viscous,
                 falls = factor(slide) * load.size / slide.square;
    Row of_load = Row::Zero();  // by the angles of A
    for (int c = 0; c < 3; ++c) of_load[3 + c] = load.by_turn[c];
    for (int k = 0; k < slide.count; ++k)
      for (int j = 0; j < 2; ++j) {
        Row by_q = Row::Zero(), by_v = Row::Zero();
        for (int l = 0; l < slide.count; ++l) {
          const double slope = slide.scale[k] * slide.scale[l] *
                               (falls * slide.u[k] * slide.u[l] - (k == l ? per_speed : 0.0));
          by_q += slope * N[l][j];
          by_v += slope * slide.G[l][j];
        }
        if (j == 0) by_q += (-slide.scale[k] * factor(slide) * slide.u[k]) * of_load;
        for (int i = 0; i < 2; ++i) {
          K[2 * i + j] -= transpose_times(slide.G[k][i], by_q);
          const Mat<double, 6, 6> of_v = transpose_times(slide.G[k][i], by_v);
          D[2 * i + j] = k == 0 ? Mat<double, 6, 6>(-of_v) : Mat<double, 6, 6>(D[2 * i + j] - of_v);
        }
      }
  }

  // L[i](k, c) = -dw_i,c / dlambda_k
  void by_reaction(const Frame* f, Mat<double, 3, 6>* L) const {
    const Slide slide(*this, f);
    const Load load = load_at(f);
    for (int i = 0; i < 2; ++i) {
      L[i] = Mat<double, 3, 6>::Zero();
      for (int k = 0; k < slide.count; ++k)
        for (int r = 0; r < 3; ++r)
          for (int c = 0; c < 6; ++c)
            L[i](r, c) += slide.scale[k] * factor(slide) * slide.u[k] * load.by_lambda[r] * slide.G[k][i][c];
    }
  }

  double power(const Frame* f, double) const {
    const Slide slide(*this, f);
    return -(factor(slide) * load_at(f).size + law.viscous) * slide.moving;
  }
  S potential(const Frame*, const S&) const { return S(0.0); }

 private:
  // The sliding velocity, and its rows.
  struct Slide {
    int count = 0;
    Row G[3][2];
    double scale[3] = {}, u[3] = {};
    double moving = 0.0, square = 0.0;  // |u|^2; with v_s^2 [m^2/s^2]

    Slide(const FrictionWrench& k, const Frame* f) {
      each(k, [&](const auto& row, double c) {
        constexpr int rows = std::remove_cvref_t<decltype(row)>::rows;
        Mat<double, rows, 6> g[2];
        row.jacobian(f, 0.0, g);
        put(g, G, count);
        for (int r = 0; r < rows; ++r) scale[count++] = c;
      });
      for (int l = 0; l < count; ++l) {
        for (int i = 0; i < 2; ++i)
          for (int c = 0; c < 3; ++c) u[l] += G[l][i][c] * f[i].v[c] + G[l][i][3 + c] * f[i].omega[c];
        u[l] *= scale[l];
        moving += u[l] * u[l];
      }
      square = moving + k.law.speed * k.law.speed;
    }
    Force scaled(const Force& p) const { return {{scale[0] * p[0], scale[1] * p[1], scale[2] * p[2]}}; }
    void rate_jacobian(const FrictionWrench& k, const Frame* f, Row (*N)[2]) const {
      int first = 0;
      each(k, [&](const auto& row, double) {
        constexpr int rows = std::remove_cvref_t<decltype(row)>::rows;
        Mat<double, rows, 6> n[2];
        row.rate_jacobian(f, 0.0, n);
        put(n, N, first);
        first += rows;
      });
    }
    template <int rows>
    static void put(const Mat<double, rows, 6>* g, Row (*to)[2], int first) {
      for (int r = 0; r < rows; ++r)
        for (int i = 0; i < 2; ++i)
          for (int c = 0; c < 6; ++c) to[first + r][i][c] = g[i](r, c);
    }
  };

  // R_B Omega_B - R_A Omega_A as three rows.
  struct RelativeTurn {
    static constexpr int rows = 3;
    static void set(Mat<double, 3, 6>* out, int i, const Mat3& turn) {
      out[i] = Mat<double, 3, 6>::Zero();
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) out[i](r, 3 + c) = turn(r, c);
    }
    void jacobian(const Frame* f, double, Mat<double, 3, 6>* G) const {
      set(G, 0, -f[0].R);
      set(G, 1, f[1].R);
    }
    void rate_jacobian(const Frame* f, double, Mat<double, 3, 6>* N) const {
      set(N, 0, f[0].R * skew(f[0].omega));
      set(N, 1, -(f[1].R * skew(f[1].omega)));
    }
    void geometric_stiffness(const Frame* f, double, const Force& p, Mat<double, 6, 6>* K) const {
      K[0] = turning_block(Mat3(-skew(transpose_times(f[0].R, p))));
      K[1] = K[2] = Mat<double, 6, 6>::Zero();
      K[3] = turning_block(skew(transpose_times(f[1].R, p)));
    }
  };

  // What slides: rows with their factor, in their order.
  template <class What>
  static void each(const FrictionWrench& k, What&& what) {
    const double r = k.law.radius;
    switch (k.law.kind) {
      case Sliding::pin:
        return what(k.angle, r);
      case Sliding::line:
        what(k.displacement, 1.0);
        if (r > 0.0) what(k.angle, r);
        return;
      case Sliding::plane:
        return what(k.in_plane(), 1.0);
      case Sliding::ball:
        return what(RelativeTurn{}, r);
    }
  }
  rows::OnLine<S> in_plane() const {
    const auto side = [&](int c) {
      return Vec3{{angle.triad_a(0, c), angle.triad_a(1, c), angle.triad_a(2, c)}};
    };
    return {displacement.point_a, displacement.point_b, {side(0), side(1)}};
  }
  // d(sum_k G_k^T p_k)/dq at fixed p
  void turning_rows(const Frame* f, double t, const Force& p, Mat<double, 6, 6>* K) const {
    for (int k = 0; k < 4; ++k) K[k] = Mat<double, 6, 6>::Zero();
    int first = 0;
    each(*this, [&](const auto& row, double) {
      constexpr int rows = std::remove_cvref_t<decltype(row)>::rows;
      Vec<double, rows> part;
      for (int r = 0; r < rows; ++r) part[r] = p[first + r];
      Mat<double, 6, 6> of_row[4];
      row.geometric_stiffness(f, t, part, of_row);
      for (int k = 0; k < 4; ++k) K[k] += of_row[k];
      first += rows;
    });
  }

  double factor(const Slide& slide) const { return law.coefficient / std::sqrt(slide.square); }
  Force pull(const Slide& slide, double load) const {
    const double per_speed = -(factor(slide) * load + law.viscous);
    return {{per_speed * slide.u[0], per_speed * slide.u[1], per_speed * slide.u[2]}};
  }

  struct Load {
    double size = 0.0;                                // L [N]
    Force by_lambda = Force::Zero();                  // dL/dlambda
    Vec<double, 3> by_turn = Vec<double, 3>::Zero();  // dL/dtheta_A [N/rad]
  };
  Load load_at(const Frame* f) const {
    Force across = lambda;
    Vec<double, 3> half_turn = Vec<double, 3>::Zero();  // half of d|N|^2/dtheta_A
    if (law.kind == Sliding::pin) {
      const Vec3 z{{angle.triad_a(0, 2), angle.triad_a(1, 2), angle.triad_a(2, 2)}};
      const Vec3 in_a = transpose_times(f[0].R, lambda);
      const double along = dot(z, in_a);
      across = lambda - along * Vec3(f[0].R * z);
      half_turn = -along * Vec3(cross(z, in_a));
    }
    const double square = dot(across, across), soft = square + law.light_load * law.light_load;
    const double root = std::sqrt(soft);
    const double slope = 2.0 / root - square / (root * soft);  // 2 dL/d|N|^2
    return {square / root, Force(slope * across), Vec<double, 3>(slope * half_turn)};
  }
};

}  // namespace catena::detail
