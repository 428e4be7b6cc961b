// What methods are made of: State and System.
#include <catena/assembly/multibody_system.hpp>
#include <catena/experiment/parts/usage_error.hpp>
#include <catena/kkt/consistent.hpp>
#include <catena/kkt/derivative_check.hpp>

#include "matrix.hpp"

#include <utility>

namespace catena::python {
using namespace py::literals;
namespace {

using Shared = std::shared_ptr<const System>;

State& changed(const py::object& self) {
  if (py::isinstance<SeenState>(self))
    throw UsageError("a state of the run is read-only here: change a copy of it, state.copy()");
  return self.cast<State&>();
}

py::array view_of(const py::object& self, std::vector<double>& x) {
  const auto size = static_cast<py::ssize_t>(x.size());
  if (py::isinstance<SeenState>(self)) return view(x.data(), {size}, {sizeof(double)}, self);
  return py::array_t<double>(size, x.data(), self);
}

// The array stays where it is, since views may look at it; an empty one takes any numbers.
void set_numbers(std::vector<double>& x, const py::object& values, const char* name) {
  const std::vector<double> given = x.empty() ? numbers(values) : numbers(values, x.size(), name);
  if (x.empty()) x.resize(given.size());
  std::ranges::copy(given, x.begin());
}

py::tuple parts_of(const State& s) {
  return py::make_tuple(s.t, copy(s.q), copy(s.v), copy(s.a), copy(s.lambda), copy(s.memory),
                        copy(s.discrete));
}

State state_from(const py::tuple& parts) {
  State s;
  s.t = parts[0].cast<double>();
  std::vector<double>* const members[] = {&s.q, &s.v, &s.a, &s.lambda, &s.memory, &s.discrete};
  for (std::size_t k = 0; k < 6; ++k) *members[k] = numbers(parts[k + 1]);
  return s;
}

void bind_state(py::module_& m) {
  py::class_<State> state(m, "State",
                          R"(The state of a simulation as a value: a copy is a checkpoint. It pickles.

t [s]; q: of a moving body x y z and quaternion w x y z, then the low parts of positions; v: velocity in the world frame,
angular velocity in the body frame; a: v'; lambda_: multipliers. The arrays are views: s.v += h * s.a changes the state.)");
  state.def(py::init<>())
      .def(
          "copy", [](const State& s) { return s; }, "Another state, which may be changed.");
  state.def_property(
      "t", [](const State& s) { return s.t; }, [](const py::object& self, double t) { changed(self).t = t; });
  const auto array = [&](const char* name, std::vector<double> State::*member) {
    state.def_property(
        name, [=](const py::object& self) { return view_of(self, self.cast<State&>().*member); },
        [=](const py::object& self, const py::object& x) { set_numbers(changed(self).*member, x, name); });
  };
  array("q", &State::q), array("v", &State::v), array("a", &State::a);
  array("lambda_", &State::lambda), array("discrete", &State::discrete);
  state.def(py::pickle(&parts_of, &state_from));
  py::class_<SeenState, State>(m, "SeenState", "A state of a run, read-only: a copy, which may be kept.");
}

Shared system_of(const py::object& what, const py::dict& parameters) {
  if (py::isinstance<Model>(what)) return std::make_shared<MultibodySystem>(what.cast<const Model&>());
  Scenario scenario;
  scenario.problem = py::str(what).cast<std::string>();
  scenario.parameters = settings_of_dict(parameters);
  OpenedProblem opened = open_problem(scenario, *catalog());
  set_parameters(opened, scenario);
  if (std::unique_ptr<System> own = opened.problem->own_system()) return own;
  return std::make_shared<MultibodySystem>(opened.problem->model());
}

Point point_at(const System& system, const State& s) {
  check_sizes(system, s);
  Point at = point_of(s);
  if (!s.a.empty()) at.a = s.a.data();
  if (!s.lambda.empty()) at.lambda = s.lambda.data();
  return at;
}

py::dict evaluate(const System& system, const State& s) {
  const Point at = point_at(system, s);
  const auto n = static_cast<std::size_t>(system.layout().v_size());
  const auto m = static_cast<std::size_t>(system.layout().lambda_size());
  std::vector<double> balance(n), position(m), velocity(m), acceleration(m);
  system.evaluate(at, {.balance = balance.data(),
                       .position = position.data(),
                       .velocity = velocity.data(),
                       .acceleration = acceleration.data()});
  const Energy energy = system.energy(at);
  return py::dict("balance"_a = copy(balance), "position"_a = copy(position), "velocity"_a = copy(velocity),
                  "acceleration"_a = copy(acceleration), "kinetic"_a = energy.kinetic,
                  "potential"_a = energy.potential);
}

std::unique_ptr<KktMatrix> kkt(const System& system, const State& s, double mass, double damping,
                               double stiffness) {
  auto out = std::make_unique<KktMatrix>(system.layout().pattern, system.layout().reaction_force.empty());
  Linearization lin;
  lin.matrix = &out->matrix;
  lin.mass = mass, lin.damping = damping, lin.stiffness = stiffness;
  system.evaluate(point_at(system, s), {.linearization = &lin});
  return out;
}

void make_consistent(const System& system, const py::object& state) {
  State& s = changed(state);
  check_sizes(system, s);
  KktSolver solver;
  if (const std::string why = solver.attach(system, {}); !why.empty()) throw UsageError(why);
  ConsistentValues values(system, solver, s.discrete.empty() ? nullptr : s.discrete.data());
  s.a.resize(s.v.size());
  s.lambda.resize(static_cast<std::size_t>(system.layout().lambda_size()));
  double change = 0.0;
  KktReport report = values.project_velocities(s.t, s.q.data(), s.v.data(), change);
  if (report.status == Status::ok)
    report = values.accelerations(s.t, s.q.data(), s.v.data(), s.a.data(), s.lambda.data());
  if (report.status != Status::ok)
    throw UsageError(std::string(to_string(report.status)) + ": " + report.culprit.name + ' ' +
                     report.culprit.why);
}

}  // namespace

void check_sizes(const System& system, const State& s) {
  const SystemLayout& layout = system.layout();
  const auto check = [](const char* name, const std::vector<double>& x, int size, bool passes) {
    if (passes || x.size() == static_cast<std::size_t>(size)) return;
    throw UsageError("this state is not one of this system: " + std::string(name) + " has " +
                     std::to_string(size) + " numbers here, not " + std::to_string(x.size()));
  };
  check("q", s.q, layout.q_size, false);
  check("v", s.v, layout.v_size(), false);
  check("a", s.a, layout.v_size(), s.a.empty());
  check("lambda_", s.lambda, layout.lambda_size(), s.lambda.empty());
  check("discrete", s.discrete, layout.discrete_size,  // those of controllers may follow
        s.discrete.size() > static_cast<std::size_t>(layout.discrete_size));
}

void bind_system(py::module_& m) {
  bind_state(m);
  py::class_<System, std::shared_ptr<System>> type(
      m, "System", R"(What a stepper sees of a mechanism: M(q) v' + G^T lambda = f, g(q, t) = 0, A v + a = 0.

what: a Model, or the name of a problem or a model file, whose parameters are keyword arguments.)");
  type.def(py::init([](const py::object& what, const py::kwargs& parameters) {
             return std::const_pointer_cast<System>(system_of(what, parameters));
           }),
           py::arg("what"))
      .def("initial_state", &System::initial_state, "q and v as given; a and lambda_ zero.")
      .def("make_consistent", &make_consistent, py::arg("state"),
           "Moves v onto the constraints and fills a and lambda_ of the index-1 system.")
      .def(
          "evaluate", &evaluate, py::arg("state"),
          R"(balance M a - f + G^T lambda, position g, velocity G v + g_t, acceleration its rate; kinetic, potential [J].)")
      .def("kkt_matrix", &kkt, py::arg("state"), py::arg("mass") = 1.0, py::arg("damping") = 0.0,
           py::arg("stiffness") = 0.0,
           "[H G^T; G 0], H = mass M + damping D + stiffness K, as a KktMatrix: K = d(balance)/dq, D = "
           "-df/dv.")
      .def(
          "retract",
          [](const System& s, const py::object& q, const py::object& delta) {
            const auto n = static_cast<std::size_t>(s.layout().q_size);
            const std::vector<double> from = numbers(q, n, "q"),
                                      by = numbers(delta, static_cast<std::size_t>(s.layout().v_size()),
                                                   "delta");
            std::vector<double> out(n);
            s.retract(from.data(), by.data(), out.data());
            return copy(out);
          },
          py::arg("q"), py::arg("delta"), "q exp(delta), block by block.")
      .def(
          "difference",
          [](const System& s, const py::object& from, const py::object& to) {
            const auto n = static_cast<std::size_t>(s.layout().q_size);
            const std::vector<double> a = numbers(from, n, "from"), b = numbers(to, n, "to");
            std::vector<double> out(static_cast<std::size_t>(s.layout().v_size()));
            s.difference(a.data(), b.data(), out.data());
            return copy(out);
          },
          py::arg("start"), py::arg("to"), "delta with to = start exp(delta).")
      .def(
          "check_derivatives",
          [](const System& s, const State& state) {
            py::list faults;
            for (const DerivativeFault& fault : catena::check_derivatives(s, state).faults)
              faults.append(fault.owner + ": " + fault.quantity + " is " +
                            text_of("", py::float_(fault.given)) + ", and " +
                            text_of("", py::float_(fault.expected)) + " by differences");
            return faults;
          },
          py::arg("state"),
          "Compares all derivatives with differences, those of joints and forces of one's own among them.")
      .def_property_readonly(
          "sizes",
          [](const System& s) {
            return py::make_tuple(s.layout().q_size, s.layout().v_size(), s.layout().lambda_size());
          },
          "Of q, v and lambda.");
  const auto names = [&](const char* property, int (BlockPattern::*count)() const, auto name) {
    type.def_property_readonly(property, [=](const System& s) {
      std::vector<std::string> out;
      for (int k = 0; k < ((*s.layout().pattern).*count)(); ++k) out.push_back((s.*name)(k));
      return out;
    });
  };
  names("velocity_blocks", &BlockPattern::primal_count, &System::velocity_block_name);
  names("constraints", &BlockPattern::dual_count, &System::constraint_name);
}

}  // namespace catena::python
