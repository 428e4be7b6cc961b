// Forces whose wrench is a function of Python, with derivatives by dual numbers.
#include <catena/model/force.hpp>

#include "frames.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace catena::python {
namespace {

using Frame = BodyFrame<double>;
using Wrench = Vec<double, 6>;
using Block = Mat<double, 6, 6>;

constexpr int driven_values = 4;

// What forces on B bodies have in common; `values`: discrete values of their own, null where they have none.
template <int B>
struct ForceFunction {
  static constexpr const char* type_name = "python";
  std::array<BodyId, B> bodies;
  Kept function, energy;  // energy: null where there is no potential
  std::string name;

  py::object bound(const double* values) const {
    if (values == nullptr) return *function;
    return py::module_::import("functools")
        .attr("partial")(*function, py::arg("values") = Array(driven_values, values));
  }
  std::array<Wrench, B> wrenches(const Frame* f, double t, const double* values = nullptr) const {
    std::array<Wrench, B> out;
    in_python([&] {
      double w[6 * B];
      read<double>(call<double>(bound(values), f, B, t, true), 6 * B, w);
      for (std::size_t i = 0; i < B; ++i) std::copy_n(w + 6 * i, 6, out[i].e);
    });
    return out;
  }
  void slopes(const Frame* f, double t, Block* K, Block* D, const double* values = nullptr) const {
    std::array<RateDual, 6 * B> w;
    in_python([&] { read<RateDual>(call<RateDual>(bound(values), f, B, t, true), 6 * B, w.data()); });
    for (int i = 0; i < B; ++i)
      for (int j = 0; j < B; ++j)
        for (int a = 0; a < 6; ++a)
          for (int b = 0; b < 6; ++b) {
            const RateDual& y = w[static_cast<std::size_t>(6 * i + a)];
            K[i * B + j](a, b) = -y.d[12 * j + b];
            D[i * B + j](a, b) = -y.d[12 * j + 6 + b];
          }
  }
  double potential_energy(const Frame* f, double t) const {
    if (!energy) return 0.0;
    return in_python([&] { return call<double>(*energy, f, B, t, false).template cast<double>(); });
  }
};

// U: nothing, or const double* of forces with values that a controller sets.
template <class... U>
struct Values {
  static constexpr int discrete = driven_values;
};
template <>
struct Values<> {};

template <int B, class... U>
struct OwnForce : ForceFunction<B>, Values<U...> {
  std::array<Wrench, B> wrench(const Frame& first, const double& t, U... u) const requires(B == 1) {
    return this->wrenches(&first, t, u...);
  }
  std::array<Wrench, B> wrench(const Frame& first, const Frame& second, const double& t, U... u) const
      requires(B == 2) {
    const Frame f[] = {first, second};
    return this->wrenches(f, t, u...);
  }
  void derivatives(const Frame* f, const double& t, Block* K, Block* D, U... u) const {
    this->slopes(f, t, K, D, u...);
  }
  double potential(const Frame& first, const double& t, U...) const requires(B == 1) {
    return this->potential_energy(&first, t);
  }
  double potential(const Frame& first, const Frame& second, const double& t, U...) const requires(B == 2) {
    const Frame f[] = {first, second};
    return this->potential_energy(f, t);
  }
};

template <class F>
void add_force(Model& model, const std::vector<BodyId>& bodies, const Kept& function, const Kept& energy,
               const std::string& name) {
  F force;
  std::copy(bodies.begin(), bodies.end(), force.bodies.begin());
  force.function = function;
  force.energy = energy;
  force.name = name;
  model.add(force);
}

}  // namespace

void bind_own_forces(py::module_& m) {
  m.def(
      "add_force",
      [](Model& model, const std::vector<std::string>& bodies, const py::object& function,
         const py::object& potential, bool values, const std::string& name) {
        const std::vector<BodyId> ids = bodies_of(model, bodies);
        const Kept kept = keep(function), energy = potential.is_none() ? Kept() : keep(potential);
        const auto add = ids.size() == 1
                             ? (values ? &add_force<OwnForce<1, const double*>> : &add_force<OwnForce<1>>)
                             : (values ? &add_force<OwnForce<2, const double*>> : &add_force<OwnForce<2>>);
        add(model, ids, kept, energy, name);
      },
      py::arg("model"), py::arg("bodies"), py::arg("function"), py::arg("potential"), py::arg("values"),
      py::arg("name"));
}

}  // namespace catena::python
