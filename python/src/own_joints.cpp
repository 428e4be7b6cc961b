// Joints whose gap or rate is a function of Python, with derivatives by dual numbers.
#include "frames.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace catena::python {
namespace {

constexpr int most_rows = 6;

// Evaluations are kept as long as one element is evaluated: a gap without derivatives, or all of them.
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

  const py::object* function;
  mutable bool known = false;
  mutable std::array<D, R> full = {};

  const std::array<D, R>& at(const Frame* f, double t) const {
    if (!known) {
      in_python([&] { read<D>(call<D>(*function, f, B, t, velocities), R, full.data()); });
      known = true;
    }
    return full;
  }
  Rows values(const Frame* f, double t) const {
    Rows out;
    if (known)
      for (int r = 0; r < R; ++r) out[r] = full[static_cast<std::size_t>(r)].value;
    else
      in_python([&] { read<double>(call<double>(*function, f, B, t, velocities), R, out.e); });
    return out;
  }
  Rows gap(const Frame* f, double t) const { return values(f, t); }
  Rows rate(const Frame* f, double t) const { return values(f, t); }

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
    const auto& y = at(f, t);
    for (int i = 0; i < B; ++i)
      for (int r = 0; r < R; ++r)
        for (int a = 0; a < 6; ++a)
          G[i](r, a) = y[static_cast<std::size_t>(r)].d[each * i + (velocities ? 6 : 0) + a];
  }
  Rows drift(const Frame* f, double t) const {
    Rows out;
    for (int r = 0; r < R; ++r) out[r] = velocities ? 0.0 : at(f, t)[static_cast<std::size_t>(r)].d[time];
    return out;
  }
  Rows bias(const Frame* f, double t) const {
    Rows out;
    for (int r = 0; r < R; ++r) {
      const D& y = at(f, t)[static_cast<std::size_t>(r)];
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
      const D& y = at(f, t)[static_cast<std::size_t>(r)];
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
          const D& y = at(f, t)[static_cast<std::size_t>(r)];
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

struct PythonJoint {
  static constexpr const char* type_name = "python";
  std::vector<BodyId> bodies;
  int rows = 1;
  Level level = Level::position;
  Kept function;
  std::string name;

  catena::rows::Shape shape() const {
    catena::rows::KernelInfo kernel;
    kernel.rows = rows;
    kernel.bodies = static_cast<int>(bodies.size());
    kernel.level = level;
    kernel.couples = bodies.size() > 1;
    return {kernel.bodies, {kernel}};
  }
  void save(double*) const {}

  template <int B, Level L, int R = 1>
  void evaluate_rows(const detail::LaneIo<double>& io, const detail::KernelArgs& args,
                     const detail::ElementGroup& group) const {
    if (R == rows)
      detail::evaluate_constraint_group(Kernel<B, R, L>{function.get()}, io, args, group);
    else if constexpr (R < most_rows)
      evaluate_rows<B, L, R + 1>(io, args, group);
  }
  void evaluate(const detail::LaneIo<double>& io, const detail::KernelArgs& args,
                const detail::ElementGroup& group) const {
    const bool one = bodies.size() == 1;
    if (level == Level::position)
      one ? evaluate_rows<1, Level::position>(io, args, group)
          : evaluate_rows<2, Level::position>(io, args, group);
    else
      one ? evaluate_rows<1, Level::velocity>(io, args, group)
          : evaluate_rows<2, Level::velocity>(io, args, group);
  }
};

}  // namespace

void bind_own_joints(py::module_& m) {
  m.def(
      "add_joint",
      [](Model& model, const std::vector<std::string>& bodies, const py::object& function, int rows,
         const std::string& level, const std::string& name) {
        if (rows < 1 || rows > most_rows)
          throw ModelError("rows must lie between 1 and 6, is " + std::to_string(rows));
        if (level != "position" && level != "velocity")
          throw ModelError("level is \"position\" or \"velocity\"");
        PythonJoint joint{bodies_of(model, bodies), rows,
                          level == "velocity" ? Level::velocity : Level::position, keep(function), name};
        model.add(joint);
      },
      py::arg("model"), py::arg("bodies"), py::arg("function"), py::arg("rows"), py::arg("level"),
      py::arg("name"));
}

}  // namespace catena::python
