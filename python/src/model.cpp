// Models: bodies, joints and forces from keyword arguments, which are the keys of model files.
#include <catena/experiment/parts/opened_problem.hpp>
#include <catena/experiment/parts/usage_error.hpp>
#include <catena/io/detail/body_keys.hpp>
#include <catena/io/detail/element_keys.hpp>
#include <catena/io/read_model.hpp>
#include <catena/kkt/parts/assemble.hpp>
#include <catena/math/detail/nearest.hpp>
#include <catena/model/detail/passing_visitor.hpp>

#include "module.hpp"

#include <algorithm>
#include <utility>

namespace catena::python {
namespace {
using SharedModel = std::shared_ptr<Model>;

struct BodyHandle {
  SharedModel model;
  BodyId id;
  const Body& get() const { return model->body(id); }
};
struct JointHandle {
  SharedModel model;
  ConstraintId id;
  std::string label() const { return model->constraint_label(id); }  // 'joint "hip" (spherical)'
};
struct ForceHandle {
  SharedModel model;
  ForceId id;
  std::string label() const { return model->force_label(id); }
};

std::string plain_name(const std::string& label) {
  const std::size_t from = label.find('"') + 1;
  return label.substr(from, label.rfind('"') - from);
}
std::string type_in(const std::string& label) {
  const std::size_t from = label.rfind('(') + 1;
  return label.substr(from, label.rfind(')') - from);
}

// What joints and forces have in common in Python.
template <class Handle>
void bind_handle(py::module_& m, const char* name, const char* doc) {
  const auto plain = [](const Handle& h) { return plain_name(h.label()); };
  py::class_<Handle>(m, name, doc).def_property_readonly("name", plain).def("__repr__", [](const Handle& h) {
    return "<" + h.label() + ">";
  });
}

// Members that are functions, from callables; `taken`: how many were found.
class FunctionSetter final : public detail::PassingVisitor {
 public:
  explicit FunctionSetter(const Keywords& words) : words_(words) {}
  std::size_t taken = 0;
  void function(const OptionInfo& info, Function& value, const FunctionUnits&) override {
    for (const auto& [name, callable] : words_.callables)
      if (name == info.name) value = function_of(callable), ++taken;
  }

 private:
  const Keywords& words_;
};

// What the text of a node names; what cannot be found is a mistake of the node.
template <class What, class Find>
bool look_up(detail::Fields& fields, const detail::FileNode& node, What& what, const Find& find) {
  try {
    what = find(std::string(node.is_scalar() ? node.text() : ""));
    return true;
  } catch (const std::exception& error) {
    return fields.fail(node, error.what()), false;
  }
}

BodyHandle add_body(const SharedModel& model, const std::string& name, const py::kwargs& members) {
  py::dict values = py::reinterpret_steal<py::dict>(PyDict_Copy(members.ptr()));
  if (!name.empty()) values["name"] = name;
  const std::string owner = "body";
  const Keywords words = keywords(owner, values);
  if (!words.callables.empty())
    throw ModelError("body \"" + name + "\": " + words.callables.front().first + " is no function");
  detail::FileErrors errors;
  std::string read_name;
  const std::optional<Body> body = detail::read_body(words.document->root(), errors, read_name);
  if (!body) throw ModelError(without_places(errors.text(), owner));
  return {model, model->add(*body)};
}

// Adds a joint or a force; returns its number among its kind.
py::object add_element(const SharedModel& model, bool constraint, const std::string& type,
                       const py::args& bodies, const py::kwargs& members) {
  py::dict values = py::reinterpret_steal<py::dict>(PyDict_Copy(members.ptr()));
  values["type"] = type;
  if (!bodies.empty()) values["bodies"] = bodies;
  const std::string owner = constraint ? "joint" : "force";
  const Keywords words = keywords(owner, values);
  const std::shared_ptr<const Catalog> known = catalog();
  const detail::FindNames find{
      [&](auto& fields, const auto& node, BodyId& body) {
        return look_up(fields, node, body, [&](const std::string& name) {
          return name == "ground" ? ground : model->find_body(name);
        });
      },
      [&](auto& fields, const auto& node, ConstraintId& joint) {
        return look_up(fields, node, joint, [&](const std::string& name) { return model->find_joint(name); });
      },
      [](auto& fields, const auto& node, std::string& text) {
        return look_up(fields, node, text,
                       [](const std::string& path) { return load_file(path, ReadLimits{}.bytes); });
      },
      [&](BodyId body, const WorldFrame& frame) { return frame_at(*model, body, frame); }};
  detail::FileErrors errors;
  const detail::ElementPlace place{.kind =
                                       constraint ? detail::ElementKind::joint : detail::ElementKind::force};
  const detail::ReadElement read =
      detail::read_element(words.document->root(), known->element_types(), place, find, errors);
  if (read.type == nullptr) throw ModelError(without_places(errors.text(), owner));
  FunctionSetter functions(words);
  read.element->list(functions);
  if (functions.taken != words.callables.size())
    throw ModelError(read.label + ": " + words.callables.front().first + " is none of its functions");
  read.element->add_to(*model);
  const int count = static_cast<int>(constraint ? model->constraints().size() : model->forces().size()) - 1;
  if (constraint) return py::cast(JointHandle{model, ConstraintId{count}});
  return py::cast(ForceHandle{model, ForceId{count}});
}

py::list elements(const Model& model, bool constraints) {
  py::list out;
  const std::size_t count = constraints ? model.constraints().size() : model.forces().size();
  for (std::size_t k = 0; k < count; ++k) {
    const Model::ElementRef& ref = constraints ? model.constraints()[k] : model.forces()[k];
    const detail::ElementPool& pool = *model.pools()[static_cast<std::size_t>(ref.pool)];
    const int number = static_cast<int>(k);
    const std::string label =
        constraints ? model.constraint_label(ConstraintId{number}) : model.force_label(ForceId{number});
    py::list bodies;
    for (int i = 0; i < pool.bodies(); ++i) {
      const BodyId id = pool.body(ref.element, i);
      bodies.append(id == ground ? "ground" : model.body(id).name);
    }
    out.append(py::make_tuple(plain_name(label), type_in(label), bodies, pool.rows()));
  }
  return out;
}

py::dict assemble_model(Model& model, const std::vector<std::string>& pins, const py::dict& coordinates) {
  AssemblyOptions options;
  for (const std::string& name : pins) options.pins.push_back(model.find_body(name));
  for (const auto& [name, value] : coordinates)
    options.coordinates.push_back(
        {.joint = model.find_joint(py::str(name).cast<std::string>()), .value = value.cast<double>()});
  const AssemblyReport report = assemble(model, options);
  if (report.status != Status::ok) {
    std::string why = "the model cannot be assembled:";
    for (const auto& d : report.disagreements)
      why += "\n" + name_of(d, options, model) + " is off by " + d.by;
    throw ModelError(report.disagreements.empty() ? why + ' ' + report.culprit.name + ' ' + report.culprit.why
                                                  : why);
  }
  py::dict moved;
  for (const auto& move : report.moves)
    moved[py::str(model.body(move.body).name)] = py::make_tuple(move.distance, move.turn);
  return moved;
}

template <class V>
py::array copy3(const V& v) {
  return Array(3, v.e);
}

void bind_handles(py::module_& m) {
  py::class_<BodyHandle> body(m, "Body", "A body of a model. Joints take it, or its name.");
  body.def_property_readonly("name", [](const BodyHandle& b) { return b.get().name; })
      .def_property(
          "mass", [](const BodyHandle& b) { return b.get().mass; },
          [](BodyHandle& b, double mass) { b.model->body(b.id).mass = mass; }, "[kg]");
  const auto vector = [&](const char* name, const char* doc, Vec3 Body::*member) {
    body.def_property(
        name, [member](const BodyHandle& b) { return copy3(b.get().*member); },
        [=](BodyHandle& b, const py::object& x) { b.model->body(b.id).*member = vec3(x, name); }, doc);
  };
  vector("position", "At first, of the centre of mass, world frame [m].", &Body::position);
  vector("velocity", "At first, of the centre of mass, world frame [m/s].", &Body::velocity);
  vector("angular_velocity", "At first, body frame [rad/s].", &Body::angular_velocity);
  body.def_property_readonly(
          "orientation",
          [](const BodyHandle& b) {
            const Quat& q = b.get().orientation;
            return copy({q.w, q.x, q.y, q.z});
          },
          "At first, body to world, unit quaternion, scalar first.")
      .def_property_readonly(
          "inertia",
          [](const BodyHandle& b) {
            Array out({3, 3});
            std::copy_n(b.get().inertia.e, 9, out.mutable_data());
            return out;
          },
          "About the centre of mass, body frame [kg m^2].")
      .def_property_readonly("fixed", [](const BodyHandle& b) { return b.get().fixed; })
      .def("__repr__", [](const BodyHandle& b) { return "<body \"" + b.get().name + "\">"; });
  bind_handle<JointHandle>(m, "Joint", "A joint of a model. Couplings and forces take it, or its name.");
  bind_handle<ForceHandle>(m, "Force", "A force of a model.");
}

}  // namespace

void bind_model(py::module_& m) {
  bind_handles(m);
  py::class_<Model, SharedModel>(m, "Model",
                                 R"(A mechanism: bodies, joints and forces, with names. World frame, SI units.

gravity: [m/s^2], three numbers; without it there is none.)")
      .def(py::init([](const py::object& gravity) {
             auto model = std::make_shared<Model>();
             if (!gravity.is_none()) model->gravity = vec3(gravity, "gravity");
             return model;
           }),
           py::arg("gravity") = py::none())
      .def_property(
          "gravity", [](const Model& model) { return copy3(model.gravity); },
          [](Model& model, const py::object& g) { model.gravity = vec3(g, "gravity"); }, "[m/s^2]")
      .def("body", &add_body, py::arg("name") = "")
      .def("joint", [](const SharedModel& model, const std::string& type, const py::args& bodies,
                       const py::kwargs& members) { return add_element(model, true, type, bodies, members); })
      .def("force",
           [](const SharedModel& model, const std::string& type, const py::args& bodies,
              const py::kwargs& members) { return add_element(model, false, type, bodies, members); })
      .def(
          "check",
          [](Model& model, double tolerance) {
            model.check();
            model.check_initial_positions(tolerance);
          },
          py::arg("tolerance") = 1e-9,
          "Raises ModelError for what makes no sense, and where initial positions leave joints open by more "
          "[m, rad].")
      .def(
          "assemble", &assemble_model, py::arg("pins") = std::vector<std::string>{},
          py::arg("coordinates") = py::dict(),
          R"(Moves bodies until all joints are closed; returns who moved, as {name: (distance [m], turn [rad])}.

pins: names of bodies that stay. coordinates: {joint: angle [rad]} that joints shall have.)")
      .def_property_readonly(
          "bodies",
          [](const SharedModel& model) {
            py::dict all;
            for (int b = 0; b < model->body_count(); ++b)
              all[py::str(model->body(BodyId{b}).name)] = BodyHandle{model, BodyId{b}};
            return all;
          },
          "Bodies by name.")
      .def_property_readonly("joints", [](const Model& model) { return elements(model, true); })
      .def_property_readonly("forces", [](const Model& model) { return elements(model, false); })
      .def(
          "to_yaml", [](const Model& model) { return catalog()->model_text(model); },
          "The text of a model file that reads to the same model, bit for bit. Raises ModelError for "
          "elements of one's own.")
      .def_static(
          "from_yaml",
          [](const std::string& text) { return std::make_shared<Model>(catalog()->model_from_text(text)); },
          "The model of such a text. Raises FileError with all mistakes.")
      .def(
          "copy", [](const Model& model) { return std::make_shared<Model>(model); }, "Another model, equal.")
      .def(py::pickle(
          [](const Model& model) { return catalog()->model_text(model); },
          [](const std::string& text) { return std::make_shared<Model>(catalog()->model_from_text(text)); }));
  m.def(
      "read",
      [](const py::object& file, const py::kwargs& parameters) {
        Scenario scenario;
        const std::string path = py::module_::import("os").attr("fspath")(file).cast<std::string>();
        scenario.problem = path;
        scenario.parameters = settings_of_dict(parameters);
        OpenedProblem opened = catalog()->read_model(path, scenario.parameters);
        set_parameters(opened, scenario);  // refuses those that the file does not have
        return std::make_shared<Model>(opened.problem->model());
      },
      py::arg("path"),
      R"(The model of a file (docs/reference/model_file.md): bodies, joints, forces, gravity. Its sections run and points are not part of
a model: catena.run(path) follows them.

Keyword arguments are parameters of the file. Raises FileError with all mistakes, each with line and column.)");
}

}  // namespace catena::python
