// Events, controllers, quantities and steppers that are written in Python, behind the contracts of C++.
#include "callbacks.hpp"

#include <catena/assembly/multibody_system.hpp>
#include <catena/measure/parts/instant.hpp>
#include <catena/stepper/simple_stepper.hpp>

#include "duals.hpp"
#include "one_of.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string_view>
#include <utility>

namespace catena::python {
namespace {
py::object seen(const State& state) {
  return py::cast(SeenState{{state.t, state.q, state.v, state.a, state.lambda, {}, state.discrete}});
}

// What Python may keep, but sees during a call alone.
template <class T>
struct DuringCall {
  T* it;
  T* operator->() const {
    if (it == nullptr)
      throw UsageError("this is there while the function is called: copy what is to be kept");
    return it;
  }
};
template <class T, class Call>
auto during_call(T& it, Call&& call) {
  const py::object shown = py::cast(DuringCall<T>{&it});
  const auto end = [&](T*) { shown.cast<DuringCall<T>&>().it = nullptr; };
  const std::unique_ptr<T, decltype(end)> ended(&it, end);
  return call(shown);
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
    if (bodies == nullptr) throw UsageError("there is no force \"" + force_ + '"');
    const Model& model = bodies->model();
    const ForceId id = model.find_force(force_);
    const int at = bodies->discrete_offset(id);
    if (at < 0) throw UsageError("the force \"" + force_ + "\" has no values that a controller could set");
    const Model::ElementRef& ref = model.forces()[static_cast<std::size_t>(id)];
    offset_ = static_cast<std::size_t>(at);
    values_ = static_cast<std::size_t>(model.pools()[static_cast<std::size_t>(ref.pool)]->discrete_size());
  }
  void sample(const State& state, double* values, double* memory) override {
    in_python([&] {
      const Array set(static_cast<py::ssize_t>(values_), values + offset_),
          kept = copy({memory, memory + memory_.size()});
      object_->attr("sample")(seen(state), set, kept);
      std::ranges::copy(numbers(set, values_, "values"), values + offset_);
      std::ranges::copy(numbers(kept, memory_.size(), "memory"), memory);
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
      const auto take = [&]<class T>(const char* name, T& to) { to = o.attr(name).template cast<T>(); };
      take("name", traits_.name), take("summary", traits_.summary);
      take("order_q", traits_.order_q), take("order_v", traits_.order_v);
      take("order_lambda", traits_.order_lambda);
      take("position_residual", traits_.position_residual);
      take("velocity_residual", traits_.velocity_residual);
      take("acceleration_residual", traits_.acceleration_residual);
      take("symmetric", traits_.symmetric), take("reversible", traits_.reversible);
      take("symplectic", traits_.symplectic), take("variable_step", traits_.variable_step);
      take("velocity_constraints", traits_.velocity_constraints);
      take("reaction_forces", traits_.reaction_forces), take("far_turns", traits_.far_turns);
    });
  }
  const Traits& traits() const override { return traits_; }

  // What advance() may call.
  using SimpleStepper::close, SimpleStepper::close_positions, SimpleStepper::close_velocities,
      SimpleStepper::find_accelerations;
  void move_by(State& s, const py::object& v, double h) {
    check_sizes(system(), s);
    move(s, numbers(v, s.v.size(), "v"), h);
  }
  bool noted(State& s, KktReport (SimpleStepper::*tool)(State&)) {
    check_sizes(system(), s);
    const KktReport report = (this->*tool)(s);
    if (report.status != Status::ok && report_.status == Status::ok) report_ = report;
    return report.status == Status::ok;
  }

 protected:
  KktReport advance(State& s, double h) override {
    report_ = {};
    in_python([&] {
      const py::object own = py::cast(State(s));  // which Python may keep
      during_call(*this, [&](const py::object& tools) { return object_->attr("advance")(own, h, tools); });
      check_sizes(system(), own.cast<const State&>());
      s = own.cast<const State&>();
    });
    return report_;
  }

 private:
  Traits traits_;
  Kept object_;
  KktReport report_;
};

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

// One instant, as the function of a quantity sees it.
using InstantView = DuringCall<const Instant>;
using Tools = DuringCall<PythonStepper>;

void add_quantity(const std::string& name, const py::object& function, const std::string& unit,
                  const std::string& meaning, const std::string& of,
                  const std::vector<std::string>& components, bool standard) {
  const Items kind = one_of<Items>("kind of item", of,
                                   {{"system", Items::one}, {"body", Items::body}, {"joint", Items::joint}});
  Quantity quantity{.name = name, .unit = unit, .meaning = meaning, .items = kind, .components = components};
  quantity.standard = standard;
  quantity.on_run_thread = true;
  if (kind != Items::one) quantity.needs = Needs::model;
  const Kept kept = keep(function);
  const int block = quantity.component_count();
  quantity.evaluate = [kept, block, items = kind](const Instant& at, double* out) {
    in_python([&] {
      const auto count = static_cast<std::size_t>(at.measured().count(items) * block);
      const std::vector<double> x = numbers(during_call(at, *kept));
      if (x.size() != count)
        throw UsageError("it returns " + std::to_string(x.size()) + " numbers, not " + std::to_string(count) +
                         ": of and components say how many an instant has");
      std::copy(x.begin(), x.end(), out);
    });
  };
  change_catalog([&](Catalog& catalog) { catalog.add(quantity); });
}

Array of_bodies(const InstantView& view, Vec3 RigidBodyState::*member) {
  const int count = view->body_count();
  Array out({count, 3});
  for (int k = 0; k < count; ++k) std::copy_n((view->body(k).*member).e, 3, out.mutable_data(k, 0));
  return out;
}

}  // namespace

Event event_of(const py::handle& event) {
  using D = Event::Direction;
  const D direction = one_of<D>("direction", event.attr("direction").cast<std::string>(),
                                {{"any", D::any}, {"rising", D::rising}, {"falling", D::falling}});
  const Kept value = keep(event.attr("value"));
  return {.name = event.attr("name").cast<std::string>(),
          .value =
              [value](const State& s) {
                return in_python([&] {
                  const py::object made = (*value)(seen(s));
                  if (std::string_view(Py_TYPE(made.ptr())->tp_name).find("bool") != std::string_view::npos)
                    throw UsageError("its value is True or False; give a number that passes through zero");
                  const auto x = dual_of<double>(made);
                  if (std::isnan(x)) throw UsageError("its value is not a number (nan)");
                  return x;
                });
              },
          .direction = direction,
          .terminal = event.attr("terminal").cast<bool>()};
}

std::unique_ptr<Controller> controller_of(const py::handle& controller) {
  return std::make_unique<PythonController>(py::reinterpret_borrow<py::object>(controller));
}

void bind_callbacks(py::module_& m) {
  py::class_<Tools> tools(
      m, "StepTools",
      R"(What a method is made of, all at s.t, s.q, s.v. Each returns whether it succeeded; a failure fails the step.)");
  tools.def(
      "move", [](const Tools& t, State& s, const py::object& v, double h) { t->move_by(s, v, h); },
      py::arg("state"), py::arg("v"), py::arg("h"), "q <- q exp(h v)");
  const auto tool = [&](const char* name, KktReport (SimpleStepper::*work)(State&), const char* doc) {
    tools.def(
        name, [work](const Tools& t, State& s) { return t->noted(s, work); }, py::arg("state"), doc);
  };
  tool("close", &PythonStepper::close, "q and v onto the constraints, then v' and the multipliers.");
  tool("close_positions", &PythonStepper::close_positions, "q onto the constraints of positions.");
  tool("close_velocities", &PythonStepper::close_velocities, "v onto those of velocities.");
  tool("find_accelerations", &PythonStepper::find_accelerations, "v' and lambda_ of the index-1 system.");
  py::class_<InstantView> instant(m, "Instant",
                                  "One instant of a run, as quantities see it while they are called.");
  const auto of_moving = [&](const char* name, const char* unit, Vec3 RigidBodyState::*member) {
    instant.def_property_readonly(
        name, [member](const InstantView& v) { return of_bodies(v, member); }, unit);
  };
  of_moving("positions", "Of moving bodies, n x 3, world frame [m].", &RigidBodyState::position);
  of_moving("velocities", "Of moving bodies, n x 3, world frame [m/s].", &RigidBodyState::velocity);
  of_moving("angular_velocities", "Of moving bodies, n x 3, body frame [rad/s].",
            &RigidBodyState::angular_velocity);
  instant
      .def_property_readonly(
          "t", [](const InstantView& v) { return v->t(); }, "[s]")
      .def_property_readonly("state", [](const InstantView& v) { return seen(v->state()); })
      .def_property_readonly(
          "energy",
          [](const InstantView& v) { return py::make_tuple(v->energy().kinetic, v->energy().potential); },
          "Kinetic and potential [J].");
  m.def("add_quantity", &add_quantity);
  m.def("add_stepper", [](const std::string& name, const py::object& type) {
    const Kept kept = keep(type);
    change_catalog([&](Catalog& catalog) {
      catalog.add(StepperEntry{name, [kept] { return std::make_unique<PythonSetup>(kept); }});
    });
  });
}

}  // namespace catena::python
