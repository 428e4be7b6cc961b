// Runs: a Scenario from keyword arguments, and what came of it as arrays without a copy.
#include <catena/cli/detail/check_report.hpp>
#include <catena/driver/checkpoint.hpp>
#include <catena/experiment/detail/page_of_run.hpp>
#include <catena/experiment/detail/scenario_members.hpp>
#include <catena/experiment/parts/opened_problem.hpp>
#include <catena/experiment/parts/options.hpp>
#include <catena/experiment/parts/usage_error.hpp>
#include <catena/output/detail/page_file.hpp>
#include <catena/output/parts/report.hpp>

#include "callbacks.hpp"
#include "duals.hpp"
#include "module.hpp"
#include "result.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace catena::python {
using namespace py::literals;
namespace {
// Looks for Ctrl-C a few times a second while the interpreter is not locked.
class Interruption final : public Observer {
 public:
  std::string name() const override { return "the interpreter"; }
  bool observe(const State&) override {
    using Clock = std::chrono::steady_clock;
    if (exit_is_kept) return false;  // Ctrl-C within a call of Python
    const Clock::time_point now = Clock::now();
    if (now - last_ < std::chrono::milliseconds(50)) return true;
    last_ = now;
    const py::gil_scoped_acquire lock = locked();
    if (PyErr_CheckSignals() == 0) return true;
    keep_exit(std::make_exception_ptr(py::error_already_set()));
    return false;
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

py::dict culprit_of(const Culprit& culprit) {
  return py::dict("name"_a = culprit.name, "quantity"_a = culprit.quantity, "value"_a = culprit.value,
                  "why"_a = culprit.why);
}

py::list quantities_of(const py::object& self) {
  const auto& run = self.cast<const Run&>();
  const Table& table = run.record.table;
  const auto rows = static_cast<py::ssize_t>(table.rows());
  const auto width = static_cast<py::ssize_t>(table.columns.size());
  constexpr auto number = static_cast<py::ssize_t>(sizeof(double));
  py::list out;
  for (const Columns& c : run.columns) {
    out.append(py::dict(
        "name"_a = c.quantity.name, "unit"_a = c.quantity.unit, "frame"_a = c.quantity.frame,
        "meaning"_a = c.quantity.meaning, "components"_a = c.quantity.components, "items"_a = c.items,
        "of"_a = c.quantity.items == Items::body    ? "body"
                 : c.quantity.items == Items::joint ? "joint"
                                                    : "",
        "values"_a = view(table.values.data() + c.start, {rows, c.count, c.quantity.component_count()},
                          {width * number, c.stride * number, number}, self)));
  }
  return out;
}

py::list events_of(const Record& record) {
  py::list out;
  for (const EventRecord& event : record.report.run.events)
    out.append(py::dict("name"_a = event.name, "t"_a = event.t, "rising"_a = event.rising));
  return out;
}

std::shared_ptr<Run> run_scenario(const Scenario& scenario, const py::dict& settings, const py::list& events,
                                  const py::list& controllers) {
  RunContext context;
  std::vector<std::unique_ptr<Controller>> made;  // alive as long as the run
  for (const py::handle event : events) context.listeners.events.push_back(event_of(event));
  for (const py::handle controller : controllers) {
    made.push_back(controller_of(controller));
    context.listeners.controllers.push_back(made.back().get());
  }
  Interruption interruption;
  context.listeners.observers.push_back(&interruption);
  context.settings.threads = settings["threads"].cast<std::optional<int>>();
  context.settings.output = settings["output"].cast<std::string>();
  context.settings.overwrite = settings["overwrite"].cast<bool>();
  context.settings.format = settings["format"].cast<std::string>();
  context.resume = settings["resume"].cast<bool>();
  const std::shared_ptr<const Catalog> known = catalog();
  auto run = std::make_shared<Run>();
  Names names;
  context.listeners.sinks.push_back(&names);
  {
    const Unlocked released(PyEval_SaveThread());
    Experiment experiment(scenario, context, *known);
    const std::int64_t calls = python_cost.calls, nanoseconds = python_cost.nanoseconds;
    experiment.run();
    run->python_calls = python_cost.calls - calls;
    run->python_nanoseconds = python_cost.nanoseconds - nanoseconds;
    run->record = experiment.take_record();
    names.fill(*run);
    const Report& report = run->record.report;
    if (!report.files.empty())
      write_durably(std::filesystem::path(context.settings.output) / "report.json", to_json(report));
  }
  raise_exit();
  return run;
}

void bind_scenario(py::module_& m) {
  py::class_<Scenario> type(
      m, "Scenario",
      R"(All that determines a result, as a value: it compares, hashes by key(), and pickles.

Keyword arguments: problem (a name or a model file) or model; set, a dict of parameters of the problem; stepper, step [s],
end [s], tolerance, every, backend, max_cuts, record, reactions, precision, seed; every other one is an option of the stepper.)");
  detail::each_member(
      [&](const detail::ScenarioMember& member, auto at) { type.def_readonly(member.name, at); });
  type.def(py::init(&scenario_of))
      .def_property_readonly("model",
                             [](const Scenario& s) -> py::object {
                               return s.model ? py::cast(std::make_shared<Model>(*s.model)) : py::none();
                             })
      .def(
          "completed", [](const Scenario& s) { return completed(s, *catalog()); },
          "With everything that is left empty decided.")
      .def(
          "key", [](const Scenario& s) { return content_key(s, *catalog()); },
          "The hash of all that determines the result, equal in every process and on every machine.")
      .def(
          "to_json", [](const Scenario& s) { return to_json(s, *catalog()); },
          "As a text: equal scenarios have equal ones.")
      .def_static(
          "from_json", [](const std::string& text) { return scenario_from_json(text, *catalog()); },
          "Of such a text.")
      .def("__eq__", [](const Scenario& a,
                        const Scenario& b) { return to_json(a, *catalog()) == to_json(b, *catalog()); })
      .def(py::pickle([](const Scenario& s) { return to_json(s, *catalog()); },
                      [](const std::string& text) { return scenario_from_json(text, *catalog()); }));
}

}  // namespace

Scenario scenario_of(const py::kwargs& members) {
  Scenario scenario;
  std::vector<std::string> known;
  detail::each_member([&](const detail::ScenarioMember& member, auto) { known.emplace_back(member.name); });
  for (const auto& [key, value] : members) {
    const auto name = key.cast<std::string>();
    if (value.is_none()) continue;
    if (name == "model") {
      scenario.model = std::make_shared<const Model>(value.cast<const Model&>());
    } else if (name == "set" || name == "parameters" || name == "options") {
      Settings& into = name == "options" ? scenario.options : scenario.parameters;
      for (const auto& [key_of, text] : settings_of_dict(value.cast<py::dict>())) into[key_of] = text;
    } else if (std::find(known.begin(), known.end(), name) != known.end()) {
      detail::set_member(scenario, name, text_of(name, value));
    } else {
      scenario.options[name] = text_of(name, value);
    }
  }
  if (scenario.record.empty() && !file_says_record(scenario, *catalog())) {
    scenario.record = "standard";
    rows::Markers markers;
    if (scenario.model)
      for (const Model::ElementRef& ref : scenario.model->constraints())
        if (scenario.model->pools()[static_cast<std::size_t>(ref.pool)]->markers(ref.element, markers)) {
          scenario.record += ",joints";
          break;
        }
  }
  return scenario;
}

void bind_run(py::module_& m) {
  bind_scenario(m);
  py::class_<Run, std::shared_ptr<Run>>(m, "Record", "What a run gives, as the library has it.")
      .def_property_readonly("quantities", &quantities_of)
      .def_property_readonly("state", [](const Run& r) { return r.record.state; })
      .def_property_readonly("key", [](const Run& r) { return r.record.key; })
      .def_property_readonly("scenario", [](const Run& r) { return r.record.scenario; })
      .def_property_readonly("status", [](const Run& r) { return to_string(r.record.report.run.status); })
      .def_property_readonly("t_end", [](const Run& r) { return r.record.report.run.t_end; })
      .def_property_readonly("culprit", [](const Run& r) { return culprit_of(r.record.report.run.culprit); })
      .def_property_readonly("events", [](const Run& r) { return events_of(r.record); })
      .def_readonly("python_calls", &Run::python_calls)
      .def_property_readonly("python_seconds",
                             [](const Run& r) { return 1e-9 * static_cast<double>(r.python_nanoseconds); })
      .def("text", [](const Run& r) { return to_text(r.record.report); })
      .def("json", [](const Run& r) { return to_json(r.record.report); });
  m.def("run", &run_scenario);
  m.def("page_card", [](const py::object& what) {
    const std::shared_ptr<const Catalog> known = catalog();
    const Record* record = py::isinstance<Run>(what) ? &what.cast<const Run&>().record : nullptr;
    const Scenario problem = record == nullptr ? what.cast<Scenario>() : Scenario{};
    const Unlocked released(PyEval_SaveThread());  // elements of Python take the lock, on any thread
    const detail::PageCard card = record == nullptr ? detail::page_of_problem(problem, *known)
                                                    : detail::page_of_record(*record, *known);
    return std::pair(card.json, card.remark);
  });
  m.def("write_page", [](const std::string& file, const std::string& title,
                         const std::vector<std::string>& cards) { detail::write_page(file, title, cards); });
  m.def("check", [](const Scenario& scenario) {
    const std::shared_ptr<const Catalog> known = catalog();
    const Unlocked released(PyEval_SaveThread());
    detail::CheckReport report;
    report.problem = scenario.model ? "a model" : scenario.problem;
    OpenedProblem opened = open_problem(scenario, *known);
    set_parameters(opened, scenario);
    detail::inspect(*opened.problem, *known, report);
    return std::pair(to_text(report), to_json(report));
  });
}

}  // namespace catena::python
