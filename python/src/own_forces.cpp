// Forces whose wrench is a function of Python, with derivatives by dual numbers; and forces whose wrenches are one function over
// arrays.
#include <catena/model/detail/forces_at_once.hpp>

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
    return in_python([&] { return dual_of<double>(call<double>(*energy, f, B, t, false)); });
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

// A catena.elements.Law.
class PythonLaw final : public detail::LawAtOnce {
 public:
  PythonLaw(Kept law, int bodies, bool has_potential)
      : law_(std::move(law)), bodies_(bodies), has_potential_(has_potential) {}

  void check(const detail::ElementsOfLaw& rows) const { asked("check", rows, 0); }
  void wrenches(const detail::ElementsOfLaw& rows, Wrench* w) const override {
    const std::vector<double> x = asked("wrenches", rows, 6 * bodies_);
    std::copy(x.begin(), x.end(), w->e);
  }
  void derivatives(const detail::ElementsOfLaw& rows, Block* K, Block* D) const override {
    const std::vector<double> x = asked("derivatives", rows, 72 * bodies_ * bodies_);
    std::copy_n(x.data(), x.size() / 2, K->e);
    std::copy_n(x.data() + x.size() / 2, x.size() / 2, D->e);
  }
  bool has_potential() const override { return has_potential_; }
  void potentials(const detail::ElementsOfLaw& rows, double* energy) const override {
    const std::vector<double> x = asked("potentials", rows, 1);
    std::copy(x.begin(), x.end(), energy);
  }

 private:
  // each: how many numbers it returns of one force.
  std::vector<double> asked(const char* what, const detail::ElementsOfLaw& rows, int each) const {
    static_assert(sizeof(Block) == 36 * sizeof(double) && sizeof(Wrench) == 6 * sizeof(double));
    return in_python([&] {
      return numbers(python::asked(*law_, what, rows, bodies_), rows.count * static_cast<std::size_t>(each),
                     what);
    });
  }

  Kept law_;
  int bodies_;
  bool has_potential_;
};

template <int B>
struct ForceOfLaw : detail::ForceAtOnce<B> {
  static constexpr const char* type_name = "python";
};

template <int B>
void add_forces(Model& model, const NamedBodies& named, const Kept& law, bool has_potential) {
  const auto shared = std::make_shared<PythonLaw>(law, B, has_potential);
  ForceOfLaw<B> force;
  force.law = shared;
  add_all(model, named, B, force, [&](const detail::ElementsOfLaw& all) { shared->check(all); });
}

}  // namespace

void bind_own_forces(py::module_& m) {
  m.def("add_force", [](Model& model, const std::vector<std::string>& bodies, const py::object& function,
                        const py::object& potential, bool values, const std::string& name) {
    const std::vector<BodyId> ids = bodies_of(model, bodies);
    const Kept kept = keep(function), energy = potential.is_none() ? Kept() : keep(potential);
    const auto add = ids.size() == 1
                         ? (values ? &add_force<OwnForce<1, const double*>> : &add_force<OwnForce<1>>)
                         : (values ? &add_force<OwnForce<2, const double*>> : &add_force<OwnForce<2>>);
    add(model, ids, kept, energy, name);
  });
  m.def("add_forces", [](Model& model, const NamedBodies& named, const py::object& law, bool potential) {
    (named.front().second.size() == 1 ? &add_forces<1> : &add_forces<2>)(model, named, keep(law), potential);
  });
}

}  // namespace catena::python
