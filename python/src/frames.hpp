// Functions of Python between one body or two, called with frames of numbers with or without derivatives.
#pragma once
#include <catena/model/model.hpp>
#include <catena/model/parts/frame.hpp>

#include "duals.hpp"

#include <type_traits>

namespace catena::python {

inline constexpr int most_bodies = 2;

// The place of R exp(theta~), x + dx as numbers with derivatives by (dx, theta), variables first ... first + 5.
template <class D>
struct Seeded {
  D x[3], R[9], v[3], omega[3];

  Seeded(const BodyFrame<double>& f, int first, bool velocities) {
    D theta[3], turn[9];
    for (int k = 0; k < 3; ++k) {
      x[k] = D::variable(f.x[k], first + k);
      theta[k] = D::variable(0.0, first + 3 + k);
      v[k] = velocities ? D::variable(f.v[k], first + 6 + k) : D(0.0);
      omega[k] = velocities ? D::variable(f.omega[k], first + 9 + k) : D(0.0);
    }
    // exp(theta~) = I + theta~ + theta~^2 / 2, exact to second order
    const D square = theta[0] * theta[0] + theta[1] * theta[1] + theta[2] * theta[2];
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        const int k = 3 - i - j;
        D entry = theta[i] * theta[j] * 0.5;
        if (i == j)
          entry = entry + (square * -0.5 + 1.0);
        else
          entry = (j == (i + 1) % 3) ? entry - theta[k] : entry + theta[k];
        turn[3 * i + j] = entry;
      }
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        R[3 * i + j] = turn[j] * f.R(i, 0) + turn[3 + j] * f.R(i, 1) + turn[6 + j] * f.R(i, 2);
  }
};

// catena.elements.Frame
inline py::object& frame_type() {
  static auto* type = new py::object(py::module_::import("catena.elements").attr("Frame"));
  return *type;
}

template <class D>
py::list list_of(const D* numbers, int count) {
  py::list out;
  for (int k = 0; k < count; ++k) out.append(numbers[k]);
  return out;
}

inline py::object plain_frame(const BodyFrame<double>& f, bool velocities) {
  const auto array = [](const double* x, int count) { return Array(count, x); };
  return frame_type()(array(f.x.e, 3), array(f.R.e, 9), velocities ? py::object(array(f.v.e, 3)) : py::none(),
                      velocities ? py::object(array(f.omega.e, 3)) : py::none(), false);
}
template <class D>
py::object dual_frame(const BodyFrame<double>& f, int first, bool velocities) {
  const Seeded<D> s(f, first, velocities);
  return frame_type()(list_of(s.x, 3), list_of(s.R, 9), velocities ? py::object(list_of(s.v, 3)) : py::none(),
                      velocities ? py::object(list_of(s.omega, 3)) : py::none(), true);
}

// Calls function(A, [B,] t) with plain numbers.
inline py::object call_plain(const py::object& function, const BodyFrame<double>* f, int bodies, double t,
                             bool velocities) {
  py::tuple arguments(static_cast<std::size_t>(bodies) + 1);
  for (int i = 0; i < bodies; ++i) arguments[static_cast<std::size_t>(i)] = plain_frame(f[i], velocities);
  arguments[static_cast<std::size_t>(bodies)] = t;
  return function(*arguments);
}
// The same with numbers that have derivatives.
template <class D>
py::object call_dual(const py::object& function, const BodyFrame<double>* f, int bodies, double t,
                     bool velocities) {
  const int each = velocities ? 12 : 6;
  py::tuple arguments(static_cast<std::size_t>(bodies) + 1);
  for (int i = 0; i < bodies; ++i)
    arguments[static_cast<std::size_t>(i)] = dual_frame<D>(f[i], each * i, velocities);
  arguments[static_cast<std::size_t>(bodies)] = D::variable(t, each * bodies);
  return function(*arguments);
}

// The numbers that a function has returned: one, or `count` in any nesting.
template <class D>
void read(const py::object& result, int count, D* out) {
  py::object flat = result;
  if (py::hasattr(result, "__len__") || py::hasattr(result, "ravel")) {
    flat = py::module_::import("numpy")
               .attr("asarray")(result, py::arg("dtype") = py::dtype("O"))
               .attr("ravel")();
  } else {
    py::list one;
    one.append(result);
    flat = one;
  }
  if (py::len(flat) != static_cast<std::size_t>(count))
    throw std::runtime_error("it returns " + std::to_string(py::len(flat)) + " numbers, not " +
                             std::to_string(count));
  int k = 0;
  for (const py::handle number : flat) {
    if constexpr (std::is_same_v<D, double>)
      out[k++] = number.cast<double>();
    else
      out[k++] = dual_of<D>(number);
  }
}

inline std::vector<BodyId> bodies_of(const Model& model, const std::vector<std::string>& names) {
  if (names.empty() || names.size() > most_bodies)
    throw ModelError("an element of one's own has one body or two, not " + std::to_string(names.size()));
  std::vector<BodyId> bodies;
  for (const std::string& name : names) bodies.push_back(name == "ground" ? ground : model.find_body(name));
  return bodies;
}

}  // namespace catena::python
