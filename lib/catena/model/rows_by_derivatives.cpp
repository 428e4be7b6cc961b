#include <catena/model/detail/rows_by_derivatives.hpp>

#include <type_traits>

namespace catena::detail {
namespace {

template <int B, int R, Level L>
struct Kernel {
  static constexpr int bodies = B, rows = R;
  static constexpr Level level = L;
  static constexpr bool couples = B > 1;
  static constexpr bool velocities = L == Level::velocity;
  static constexpr int each = velocities ? 12 : 6, time = each * B;
  using D = std::conditional_t<velocities, RateDual, GapDual>;
  using Frame = BodyFrame<double>;
  using Rows = Vec<double, R>;

  const RowNumbers* numbers;

  const D* at(const Frame* f, double t) const { return static_cast<const D*>(numbers->derivatives(f, t)); }
  Rows gap(const Frame* f, double t) const {
    Rows out;
    numbers->values(f, t, out.e);
    return out;
  }
  Rows rate(const Frame* f, double t) const { return gap(f, t); }

  static double second(const D& y, int i, int j) { return y.h[D::pair(i, j)]; }
  // The number c of the velocities of a body.
  static double speed(const Frame& f, int c) { return c < 3 ? f.v[c] : f.omega[c - 3]; }
  // Of dg/dq_a of body i by q_b of body j. Turns do not commute: of one body's it is Hessian(a, b) + dg/dq (b x a) / 2.
  static double slope(const D& y, int i, int a, int j, int b) {
    const double hessian = second(y, each * i + a, each * j + b);
    if (i != j || a < 3 || b < 3 || a == b) return hessian;
    const int axis = 12 - a - b;                            // the third of 3, 4 and 5
    const double sign = (a - b + 3) % 3 == 1 ? 1.0 : -1.0;  // e_b x e_a along the third axis
    return hessian + 0.5 * sign * y.d[each * i + axis];
  }

  void jacobian(const Frame* f, double t, Mat<double, R, 6>* G) const {
    const D* y = at(f, t);
    for (int i = 0; i < B; ++i)
      for (int r = 0; r < R; ++r)
        for (int a = 0; a < 6; ++a) G[i](r, a) = y[r].d[each * i + (velocities ? 6 : 0) + a];
  }
  Rows drift(const Frame* f, double t) const {
    Rows out;
    for (int r = 0; r < R; ++r) out[r] = velocities ? 0.0 : at(f, t)[r].d[time];
    return out;
  }
  Rows bias(const Frame* f, double t) const {
    Rows out;
    for (int r = 0; r < R; ++r) {
      const D& y = at(f, t)[r];
      double sum = velocities ? y.d[time] : second(y, time, time);
      for (int i = 0; i < B; ++i)
        for (int a = 0; a < 6; ++a) {
          const double va = speed(f[i], a);
          if constexpr (velocities) {
            sum += y.d[each * i + a] * va;
          } else {
            sum += 2.0 * second(y, each * i + a, time) * va;
            for (int j = 0; j < B; ++j)
              for (int b = 0; b < 6; ++b) sum += va * second(y, each * i + a, each * j + b) * speed(f[j], b);
          }
        }
      out[r] = sum;
    }
    return out;
  }
  void rate_jacobian(const Frame* f, double t, Mat<double, R, 6>* N) const {
    for (int r = 0; r < R; ++r) {
      const D& y = at(f, t)[r];
      for (int j = 0; j < B; ++j)
        for (int b = 0; b < 6; ++b) {
          double sum = velocities ? y.d[each * j + b] : second(y, each * j + b, time);
          if constexpr (!velocities)
            for (int i = 0; i < B; ++i)
              for (int a = 0; a < 6; ++a) sum += speed(f[i], a) * slope(y, i, a, j, b);
          N[j](r, b) = sum;
        }
    }
  }
  void geometric_stiffness(const Frame* f, double t, const Rows& lambda, Mat<double, 6, 6>* K) const {
    for (int i = 0; i < B; ++i)
      for (int j = 0; j < B; ++j) {
        Mat<double, 6, 6>& block = K[i * B + j];
        block = Mat<double, 6, 6>::Zero();
        for (int r = 0; r < R; ++r) {
          const D& y = at(f, t)[r];
          for (int a = 0; a < 6; ++a)
            for (int b = 0; b < 6; ++b)
              if constexpr (velocities)
                block(a, b) += lambda[r] * second(y, each * i + 6 + a, each * j + b);
              else
                block(a, b) += lambda[r] * slope(y, i, a, j, b);
        }
      }
  }
};

template <int B, Level L, int R = 1>
void evaluate_rows(const RowNumbers& numbers, int rows, const LaneIo<double>& io, const KernelArgs& args,
                   const ElementGroup& group) {
  if (R == rows)
    evaluate_constraint_group(Kernel<B, R, L>{&numbers}, io, args, group);
  else if constexpr (R < most_rows_by_derivatives)
    evaluate_rows<B, L, R + 1>(numbers, rows, io, args, group);
}

}  // namespace

rows::Shape shape_by_derivatives(const std::vector<BodyId>& bodies, int rows, Level level, int function) {
  rows::KernelInfo kernel;
  kernel.function = function;
  kernel.rows = rows;
  kernel.bodies = static_cast<int>(bodies.size());
  kernel.level = level;
  kernel.couples = bodies.size() > 1;
  kernel.meaning.driven = true;  // what a user's rows do with the time is not known
  return {kernel.bodies, {kernel}};
}

void evaluate_by_derivatives(const RowNumbers& numbers, int bodies, int rows, Level level,
                             const LaneIo<double>& io, const KernelArgs& args, const ElementGroup& group) {
  const auto evaluate = [&]<int B>(std::integral_constant<int, B>) {
    if (level == Level::position)
      evaluate_rows<B, Level::position>(numbers, rows, io, args, group);
    else
      evaluate_rows<B, Level::velocity>(numbers, rows, io, args, group);
  };
  if (bodies == 1)
    evaluate(std::integral_constant<int, 1>{});
  else
    evaluate(std::integral_constant<int, 2>{});
}

}  // namespace catena::detail
