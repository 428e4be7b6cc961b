// Events, controllers, quantities and steppers that are written in Python, behind the contracts of C++.
#include "callbacks.hpp"

#include <catena/assembly/multibody_system.hpp>
#include <catena/experiment/parts/usage_error.hpp>
#include <catena/measure/parts/instant.hpp>
#include <catena/stepper/simple_stepper.hpp>

#include "duals.hpp"

#include <algorithm>
#include <utility>

namespace catena::python {
namespace {

// A state as Python sees it while it is called, without a copy; what is kept of it must be copied.
py::object borrowed(const State& state) {
  return py::cast(const_cast<State*>(&state),
                  py::return_value_policy::reference);  // NOLINT: the contract forbids changes
}

py::array window(double* numbers, std::size_t count) {
  return py::array_t<double>(static_cast<py::ssize_t>(count), numbers, py::capsule(numbers, [](void*) {}));
}

class PythonController final : public Controller {
 public:
  explicit PythonController(py::object object)
      : name_(py::str(object.attr("name"))),
        force_(py::str(object.attr("force"))),
        period_(object.attr("period").cast<double>()),
        memory_(numbers(object.attr("memory"))),
        object_(keep(std::move(object))) {}

  std::string name() const override { return name_; }
  double period() const override { return period_; }
  int memory_size() const override { return static_cast<int>(memory_.size()); }
  void begin(const System& system, double* memory) override {
    std::copy(memory_.begin(), memory_.end(), memory);
    const auto* bodies = dynamic_cast<const BodySystem*>(&system);
    offset_ = 0;
    values_ = static_cast<std::size_t>(system.layout().discrete_size);
    if (force_.empty()) return;
    if (bodies != nullptr)
      for (std::size_t k = 0; k < bodies->model().forces().size(); ++k) {
        const ForceId id{static_cast<int>(k)};
        if (bodies->model().force_label(id).find('"' + force_ + '"') == std::string::npos) continue;
        const int at = bodies->discrete_offset(id);
        if (at < 0)
          throw UsageError("the force \"" + force_ + "\" has no values that a controller could set");
        const Model::ElementRef& ref = bodies->model().forces()[k];
        offset_ = static_cast<std::size_t>(at);
        values_ = static_cast<std::size_t>(
            bodies->model().pools()[static_cast<std::size_t>(ref.pool)]->discrete_size());
        return;
      }
    throw UsageError("controller \"" + name_ + "\": there is no force \"" + force_ + '"');
  }
  void sample(const State& state, double* values, double* memory) override {
    in_python([&] {
      object_->attr("sample")(borrowed(state), window(values + offset_, values_),
                              window(memory, memory_.size()));
      return 0;
    });
  }

 private:
  std::string name_, force_;
  double period_;
  std::vector<double> memory_;
  Kept object_;
  std::size_t offset_ = 0, values_ = 0;
};

// A stepper of one's own: advance(s, h) of a Python class. Its name and promises are members of the class.
class PythonStepper final : public SimpleStepper {
 public:
  explicit PythonStepper(const Kept& type) {
    in_python([&] {
      object_ = keep((*type)());
      const py::object& o = *object_;
      traits_.name = py::str(o.attr("name"));
      traits_.summary = py::str(o.attr("summary"));
      const auto order = [&](const char* name) { return o.attr(name).template cast<int>(); };
      traits_.order_q = order("order_q");
      traits_.order_v = order("order_v");
      traits_.order_lambda = order("order_lambda");
      const auto promise = [&](const char* name) { return o.attr(name).template cast<bool>(); };
      traits_.position_residual = promise("position_residual");
      traits_.velocity_residual = promise("velocity_residual");
      traits_.acceleration_residual = promise("acceleration_residual");
      traits_.symmetric = promise("symmetric");
      traits_.reversible = promise("reversible");
      traits_.symplectic = promise("symplectic");
      traits_.variable_step = promise("variable_step");
      traits_.velocity_constraints = promise("velocity_constraints");
      return 0;
    });
  }
  const Traits& traits() const override { return traits_; }

  // What advance() may call.
  void move_by(State& s, const std::vector<double>& v, double h) { move(s, v, h); }
  void note(const KktReport& report) {
    if (report.status != Status::ok && report_.status == Status::ok) report_ = report;
  }
  bool close_all(State& s) { return noted(close(s)); }
  bool close_q(State& s) { return noted(close_positions(s)); }
  bool close_v(State& s) { return noted(close_velocities(s)); }
  bool find_a(State& s) { return noted(find_accelerations(s)); }
  const System& attached() const { return system(); }

 protected:
  KktReport advance(State& s, double h) override;

 private:
  bool noted(const KktReport& report) {
    note(report);
    return report.status == Status::ok;
  }

  Traits traits_;
  Kept object_;
  KktReport report_;
};

// What advance() gets besides state and step: the functions that a method is made of.
struct Toolbox {
  PythonStepper* stepper;
};

KktReport PythonStepper::advance(State& s, double h) {
  report_ = {};
  in_python([&] {
    const py::object tools = py::cast(Toolbox{this});
    object_->attr("advance")(py::cast(&s, py::return_value_policy::reference), h, tools);
    return 0;
  });
  return report_;
}

class PythonSetup final : public StepperSetup {
 public:
  explicit PythonSetup(Kept type) : type_(std::move(type)) {}
  void visit(OptionVisitor&) override {}
  std::string own_backend() const override { return "its own"; }
  std::unique_ptr<Stepper> make(const LinearSolverFactory&, const LinearSolverFactory&) const override {
    return std::make_unique<PythonStepper>(type_);
  }

 private:
  Kept type_;
};

// One instant, as the function of a quantity sees it; not to be kept.
struct InstantView {
  const Instant* at;
};

void add_quantity(const std::string& name, const py::object& function, const std::string& unit,
                  const std::string& meaning, const std::string& of,
                  const std::vector<std::string>& components, bool standard) {
  const std::pair<const char*, Items> kinds[] = {
      {"system", Items::one}, {"body", Items::body}, {"joint", Items::joint}};
  const auto* const kind =
      std::find_if(std::begin(kinds), std::end(kinds), [&](const auto& k) { return of == k.first; });
  if (kind == std::end(kinds))
    throw UsageError(unknown_name("kind of item", of, {"system", "body", "joint"}));
  Quantity quantity{
      .name = name, .unit = unit, .meaning = meaning, .items = kind->second, .components = components};
  quantity.standard = standard;
  quantity.on_run_thread = true;
  if (kind->second != Items::one) quantity.needs = Needs::model;
  const Kept kept = keep(function);
  const int block = quantity.component_count();
  quantity.evaluate = [kept, block, items = kind->second](const Instant& at, double* out) {
    in_python([&] {
      const auto count = static_cast<std::size_t>(at.measured().count(items) * block);
      const std::vector<double> x = numbers((*kept)(InstantView{&at}), count, "what it returns");
      std::copy(x.begin(), x.end(), out);
      return 0;
    });
  };
  change_catalog([&](Catalog& catalog) { catalog.add(quantity); });
}

template <class Get>
Array of_bodies(const InstantView& view, int width, const Get& get) {
  const int count = view.at->body_count();
  Array out({count, width});
  for (int k = 0; k < count; ++k) std::copy_n(get(view.at->body(k)).e, width, out.mutable_data(k, 0));
  return out;
}

}  // namespace

Event event_of(const py::handle& event) {
  const std::pair<const char*, Event::Direction> words[] = {{"any", Event::Direction::any},
                                                            {"rising", Event::Direction::rising},
                                                            {"falling", Event::Direction::falling}};
  const auto direction = event.attr("direction").cast<std::string>();
  const auto* const word =
      std::find_if(std::begin(words), std::end(words), [&](const auto& w) { return direction == w.first; });
  if (word == std::end(words))
    throw UsageError(unknown_name("direction", direction, {"any", "rising", "falling"}));
  const Kept value = keep(event.attr("value"));
  return {
      .name = event.attr("name").cast<std::string>(),
      .value =
          [value](const State& s) { return in_python([&] { return (*value)(borrowed(s)).cast<double>(); }); },
      .direction = word->second,
      .terminal = event.attr("terminal").cast<bool>()};
}

std::unique_ptr<Controller> controller_of(const py::handle& controller) {
  return std::make_unique<PythonController>(py::reinterpret_borrow<py::object>(controller));
}

void bind_callbacks(py::module_& m) {
  py::class_<Toolbox>(
      m, "StepTools",
      R"(What a method is made of, all at s.t, s.q, s.v. Each returns whether it succeeded; a failure fails the step.)")
      .def(
          "move",
          [](const Toolbox& t, State& s, const py::object& v, double h) {
            t.stepper->move_by(s, numbers(v), h);
          },
          py::arg("state"), py::arg("v"), py::arg("h"), "q <- q exp(h v)")
      .def(
          "close", [](const Toolbox& t, State& s) { return t.stepper->close_all(s); }, py::arg("state"),
          "q and v onto the constraints, then v' and the multipliers.")
      .def(
          "close_positions", [](const Toolbox& t, State& s) { return t.stepper->close_q(s); },
          py::arg("state"))
      .def(
          "close_velocities", [](const Toolbox& t, State& s) { return t.stepper->close_v(s); },
          py::arg("state"))
      .def(
          "find_accelerations", [](const Toolbox& t, State& s) { return t.stepper->find_a(s); },
          py::arg("state"), "v' and lambda_ of the index-1 system.");
  py::class_<InstantView>(m, "Instant", "One instant of a run, as quantities see it; not to be kept.")
      .def_property_readonly(
          "t", [](const InstantView& v) { return v.at->t(); }, "[s]")
      .def_property_readonly("state", [](const InstantView& v) { return borrowed(v.at->state()); })
      .def_property_readonly(
          "positions",
          [](const InstantView& v) {
            return of_bodies(v, 3, [](const RigidBodyState& b) { return b.position; });
          },
          "Of moving bodies, n x 3, world frame [m].")
      .def_property_readonly(
          "velocities",
          [](const InstantView& v) {
            return of_bodies(v, 3, [](const RigidBodyState& b) { return b.velocity; });
          },
          "Of moving bodies, n x 3, world frame [m/s].")
      .def_property_readonly(
          "angular_velocities",
          [](const InstantView& v) {
            return of_bodies(v, 3, [](const RigidBodyState& b) { return b.angular_velocity; });
          },
          "Of moving bodies, n x 3, body frame [rad/s].")
      .def_property_readonly(
          "energy",
          [](const InstantView& v) {
            return py::make_tuple(v.at->energy().kinetic, v.at->energy().potential);
          },
          "Kinetic and potential [J].");
  m.def("add_quantity", &add_quantity, py::arg("name"), py::arg("function"), py::arg("unit"),
        py::arg("meaning"), py::arg("of"), py::arg("components"), py::arg("standard"));
  m.def(
      "add_stepper",
      [](const std::string& name, const py::object& type) {
        const Kept kept = keep(type);
        change_catalog([&](Catalog& catalog) {
          catalog.add(StepperEntry{name, [kept] { return std::make_unique<PythonSetup>(kept); }});
        });
      },
      py::arg("name"), py::arg("type"));
}

}  // namespace catena::python
