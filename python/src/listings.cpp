// What there is to build and run with, as data: docstrings, stubs and signatures are made of it.
#include <catena/experiment/parts/options.hpp>
#include <catena/math/detail/nearest.hpp>

#include "module.hpp"

namespace catena::python {
using namespace py::literals;
namespace {
py::list rows_of(const std::vector<OptionRow>& rows) {
  py::list out;
  for (const OptionRow& row : rows)
    out.append(py::dict("name"_a = row.value.name, "unit"_a = row.value.unit, "default"_a = row.value.value,
                        "range"_a = row.range, "meaning"_a = row.meaning));
  return out;
}

py::list elements_of(const std::vector<CatalogElement>& elements) {
  py::list out;
  for (const CatalogElement& element : elements) {
    if (!element.file_type.make) continue;  // without a listing there are no keywords
    out.append(py::dict("name"_a = element.name, "summary"_a = element.summary, "bodies"_a = element.bodies,
                        "rows"_a = element.rows, "markers"_a = element.file_type.markers,
                        "members"_a = rows_of(element.members)));
  }
  return out;
}

py::list steppers() {
  py::list out;
  for (const auto known = catalog(); const StepperEntry& entry : known->steppers()) {
    const std::unique_ptr<StepperSetup> setup = entry.setup();
    const std::unique_ptr<Stepper> made = setup->make({}, {});
    const Traits& traits = made->traits();
    out.append(py::dict("name"_a = entry.name, "summary"_a = traits.summary,
                        "orders"_a = py::make_tuple(traits.order_q, traits.order_v, traits.order_lambda),
                        "chooses_step"_a = traits.chooses_step,
                        "options"_a = rows_of(option_rows([&](OptionVisitor& v) { setup->visit(v); }))));
  }
  return out;
}

py::list problems() {
  py::list out;
  for (const auto known = catalog(); const ProblemEntry& entry : known->problems()) {
    const std::unique_ptr<Problem> problem = entry.make();
    out.append(py::dict("name"_a = entry.name, "summary"_a = problem->summary(),
                        "parameters"_a = rows_of(option_rows([&](OptionVisitor& v) { problem->visit(v); }))));
  }
  return out;
}

py::list quantities() {
  py::list out;
  for (const auto known = catalog(); const Quantity& q : known->quantities().all())
    out.append(py::dict("name"_a = q.name, "unit"_a = q.unit, "frame"_a = q.frame, "shape"_a = q.shape(),
                        "standard"_a = q.standard, "meaning"_a = q.meaning));
  return out;
}

}  // namespace

void bind_listings(py::module_& m) {
  m.def(
      "joints", [] { return elements_of(catalog()->constraints()); },
      "Joints and other constraints, with members.");
  m.def(
      "forces", [] { return elements_of(catalog()->forces()); }, "Forces, with members.");
  m.def("steppers", &steppers, "Steppers, with options.");
  m.def("problems", &problems, "Problems, with parameters.");
  m.def("quantities", &quantities, "What can be recorded.");
  m.def(
      "functions",
      [] {
        py::list out;
        for (const Function::Kind& kind : Function::kinds())
          out.append(py::dict("name"_a = kind.name, "summary"_a = kind.summary,
                              "members"_a = rows_of(function_rows(kind.name))));
        return out;
      },
      "Functions of one number, with members: drives and varying forces take them as {'type': 'sine', ...}.");
  m.def("nearest_hint", &detail::nearest_hint, "'did you mean \"x\"?', or '' where none is near.");
}

}  // namespace catena::python
