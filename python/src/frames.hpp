// Functions of Python between one body or two, called with frames of numbers with or without derivatives.
#pragma once
#include <catena/model/detail/at_once.hpp>
#include <catena/model/model.hpp>
#include <catena/model/parts/frame.hpp>

#include "duals.hpp"

#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>

namespace catena::python {

inline constexpr int most_bodies = 2;

// catena.elements, where frames are made and results are taken apart.
inline py::object of_elements(const char* name) {
  static auto* module = new py::object(py::module_::import("catena.elements"));
  return module->attr(name);
}

// x, R, v and omega of R exp(theta~), x + dx as numbers with derivatives by (dx, theta), variables first ... first + 5, and by
// velocities, the six behind them.
template <class D>
std::array<D, 18> seeded(const BodyFrame<double>& f, int first, bool velocities) {
  std::array<D, 18> out;
  D theta[3], turn[9], *const x = out.data(), *const R = x + 3;
  for (int k = 0; k < 3; ++k) {
    x[k] = D::variable(f.x[k], first + k);
    theta[k] = D::variable(0.0, first + 3 + k);
    x[12 + k] = velocities ? D::variable(f.v[k], first + 6 + k) : D(0.0);
    x[15 + k] = velocities ? D::variable(f.omega[k], first + 9 + k) : D(0.0);
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
  return out;
}

// A catena.elements.Frame, with derivatives by variables `first` on where D has them.
template <class D>
py::object frame(const BodyFrame<double>& f, int first, bool velocities) {
  static_assert(sizeof(f) == 18 * sizeof(double));
  const auto made = [&](const D* number) {
    py::list out;
    for (int k = 0; k < (velocities ? 18 : 12); ++k) out.append(number[k]);
    return of_elements("Frame")(out, !std::is_same_v<D, double>);
  };
  if constexpr (std::is_same_v<D, double>)
    return made(f.x.e);
  else
    return made(seeded<D>(f, first, velocities).data());
}

// Calls function(A, [B,] t) with numbers of the kind D.
template <class D>
py::object call(const py::object& function, const BodyFrame<double>* f, int bodies, double t,
                bool velocities) {
  const int each = velocities ? 12 : 6;
  py::tuple arguments(static_cast<std::size_t>(bodies) + 1);
  for (int i = 0; i < bodies; ++i)
    arguments[static_cast<std::size_t>(i)] = frame<D>(f[i], each * i, velocities);
  if constexpr (std::is_same_v<D, double>)
    arguments[static_cast<std::size_t>(bodies)] = t;
  else
    arguments[static_cast<std::size_t>(bodies)] = D::variable(t, each * bodies);
  return function(*arguments);
}

// The numbers that a function has returned: one, or `count` in any nesting.
template <class D>
void read(const py::object& result, int count, D* out) {
  for (const py::handle number : of_elements("flat")(result, count)) *out++ = dual_of<D>(number);
}

inline std::vector<BodyId> bodies_of(const Model& model, const std::vector<std::string>& names) {
  if (names.empty() || names.size() > most_bodies)
    throw ModelError("an element of one's own has one body or two, not " + std::to_string(names.size()));
  std::vector<BodyId> bodies;
  for (const std::string& name : names) bodies.push_back(name == "ground" ? ground : model.find_body(name));
  return bodies;
}

// What a law of catena.elements returns for some of its elements.
template <class... More>
py::object asked(const py::object& law, const char* what, const detail::ElementsOfLaw& rows, int bodies,
                 const More&... more) {
  const auto count = static_cast<py::ssize_t>(rows.count);
  const Array frames({count, static_cast<py::ssize_t>(bodies), py::ssize_t{18}}, rows.frames->x.e);
  return law.attr(what)(py::array_t<int>(count, rows.number), frames, rows.t, more...);
}

using NamedBodies = std::vector<std::pair<std::string, std::vector<std::string>>>;

// Adds elements like the first, whose law is checked with all of them at their initial places. What throws leaves the model as
// it was.
template <class E, class Check>
void add_all(Model& model, const NamedBodies& named, std::size_t count, E element, Check&& check) {
  std::vector<E> elements;
  std::vector<int> numbers;
  std::vector<BodyFrame<double>> frames;
  for (const auto& [name, bodies] : named) {
    const std::vector<BodyId> ids = bodies_of(model, bodies);
    if (ids.size() != count) throw ModelError("elements of one function have one body each, or two each");
    if constexpr (requires { element.bodies.resize(count); }) element.bodies.resize(count);
    std::copy(ids.begin(), ids.end(), element.bodies.begin());
    element.number = static_cast<int>(numbers.size());
    element.name = name;
    elements.push_back(element);
    numbers.push_back(element.number);
    for (const BodyId id : ids) frames.push_back(model.initial_frame(id));
  }
  check({numbers.size(), numbers.data(), frames.data(), 0.0});
  Model changed = model;
  for (const E& e : elements) changed.add(e);
  model = std::move(changed);
}

}  // namespace catena::python
