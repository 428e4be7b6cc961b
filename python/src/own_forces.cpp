// Forces whose wrench is a function of Python, with derivatives by dual numbers.
#include <catena/model/force.hpp>

#include "frames.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace catena::python {
namespace {

// What forces on B bodies have in common; `values`: discrete values of their own, null where they have none.
template <int B>
struct ForceFunction {
  static constexpr const char* type_name = "python";
  using Frames = const BodyFrame<double>*;
  std::array<BodyId, B> bodies;
  Kept function, energy;  // energy: null where there is no potential
  std::string name;

  py::object bound(const double* values, int count) const {
    if (values == nullptr) return *function;
    return py::module_::import("functools")
        .attr("partial")(*function, py::arg("values") = Array(count, values));
  }
  std::array<Vec<double, 6>, B> wrenches(Frames f, double t, const double* values, int count) const {
    std::array<Vec<double, 6>, B> out;
    in_python([&] {
      double w[6 * B];
      read<double>(call_plain(bound(values, count), f, B, t, true), 6 * B, w);
      for (std::size_t i = 0; i < B; ++i) std::copy_n(w + 6 * i, 6, out[i].e);
      return 0;
    });
    return out;
  }
  void slopes(Frames f, double t, const double* values, int count, Mat<double, 6, 6>* K,
              Mat<double, 6, 6>* D) const {
    std::array<RateDual, 6 * B> w;
    in_python([&] {
      read<RateDual>(call_dual<RateDual>(bound(values, count), f, B, t, true), 6 * B, w.data());
      return 0;
    });
    for (int i = 0; i < B; ++i)
      for (int j = 0; j < B; ++j)
        for (int a = 0; a < 6; ++a)
          for (int b = 0; b < 6; ++b) {
            const RateDual& y = w[static_cast<std::size_t>(6 * i + a)];
            K[i * B + j](a, b) = -y.d[12 * j + b];
            D[i * B + j](a, b) = -y.d[12 * j + 6 + b];
          }
  }
  double potential_energy(Frames f, double t) const {
    if (!energy) return 0.0;
    return in_python([&] { return call_plain(*energy, f, B, t, false).template cast<double>(); });
  }
};

using Frame = BodyFrame<double>;
using Block = Mat<double, 6, 6>;

struct ForceOnOne : ForceFunction<1> {
  Vec<double, 6> wrench(const Frame& A, const double& t) const { return wrenches(&A, t, nullptr, 0)[0]; }
  void derivatives(const Frame* f, const double& t, Block* K, Block* D) const {
    slopes(f, t, nullptr, 0, K, D);
  }
  double potential(const Frame& A, const double& t) const { return potential_energy(&A, t); }
};
struct ForceOnTwo : ForceFunction<2> {
  std::array<Vec<double, 6>, 2> wrench(const Frame& A, const Frame& B, const double& t) const {
    const Frame f[] = {A, B};
    return wrenches(f, t, nullptr, 0);
  }
  void derivatives(const Frame* f, const double& t, Block* K, Block* D) const {
    slopes(f, t, nullptr, 0, K, D);
  }
  double potential(const Frame& A, const Frame& B, const double& t) const {
    const Frame f[] = {A, B};
    return potential_energy(f, t);
  }
};
// With values that a controller sets.
constexpr int driven_values = 4;
struct DrivenOnOne : ForceFunction<1> {
  static constexpr int discrete = driven_values;
  Vec<double, 6> wrench(const Frame& A, const double& t, const double* u) const {
    return wrenches(&A, t, u, discrete)[0];
  }
  void derivatives(const Frame* f, const double& t, Block* K, Block* D, const double* u) const {
    slopes(f, t, u, discrete, K, D);
  }
};
struct DrivenOnTwo : ForceFunction<2> {
  static constexpr int discrete = driven_values;
  std::array<Vec<double, 6>, 2> wrench(const Frame& A, const Frame& B, const double& t,
                                       const double* u) const {
    const Frame f[] = {A, B};
    return wrenches(f, t, u, discrete);
  }
  void derivatives(const Frame* f, const double& t, Block* K, Block* D, const double* u) const {
    slopes(f, t, u, discrete, K, D);
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
        const auto add = ids.size() == 1 ? (values ? &add_force<DrivenOnOne> : &add_force<ForceOnOne>)
                                         : (values ? &add_force<DrivenOnTwo> : &add_force<ForceOnTwo>);
        add(model, ids, kept, energy, name);
      },
      py::arg("model"), py::arg("bodies"), py::arg("function"), py::arg("potential"), py::arg("values"),
      py::arg("name"));
}

}  // namespace catena::python
