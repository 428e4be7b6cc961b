// The module catena._core: the parts of it, its errors, its catalog.
#include "module.hpp"

#include <catena/builtin/builtin.hpp>
#include <catena/driver/sink.hpp>
#include <catena/experiment/parts/usage_error.hpp>
#include <catena/io/parts/yaml_models.hpp>
#include <catena/measure/parts/quantity_catalog.hpp>
#include <catena/output/detail/version.hpp>

#include "duals.hpp"

#include <mutex>
#include <utility>

namespace catena::python {
namespace {
std::mutex catalog_lock;  // NOLINT(cert-err58-cpp)

std::shared_ptr<const Catalog>& current_catalog() {
  static std::shared_ptr<const Catalog> current = [] {
    auto made = std::make_shared<Catalog>(builtin());
    made->add(yaml_models());
    made->built_from(commit());
    return made;
  }();
  return current;
}

py::handle model_error, usage_error, file_error, sink_error;  // live as long as the process

// An exception of C++ as one of Python; those that name a member carry it.
void translate(
    std::exception_ptr thrown) {  // NOLINT(performance-unnecessary-value-param): the signature of pybind11
  try {
    raise_exit();
    if (thrown) std::rethrow_exception(thrown);
  } catch (const ModelError& e) {
    py::object error = model_error(e.what());
    error.attr("member") = e.member();
    PyErr_SetObject(model_error.ptr(), error.ptr());
  } catch (const UsageError& e) {
    PyErr_SetString(usage_error.ptr(), e.what());
  } catch (const SelectionError& e) {
    PyErr_SetString(usage_error.ptr(), e.what());
  } catch (const FileError& e) {
    PyErr_SetString(file_error.ptr(), e.what());
  } catch (const SinkError& e) {
    PyErr_SetString(sink_error.ptr(), e.what());
  }
}

}  // namespace

std::shared_ptr<const Catalog> catalog() {
  const std::lock_guard lock(catalog_lock);
  return current_catalog();
}

void change_catalog(const std::function<void(Catalog&)>& change) {
  const std::lock_guard lock(catalog_lock);
  auto changed = std::make_shared<Catalog>(*current_catalog());
  change(*changed);
  current_catalog() = changed;
}

Kept keep(py::object object) {
  return {new py::object(std::move(object)), [](py::object* kept) {
            if (Py_IsInitialized() == 0) return;  // the process ends: its memory goes with it
            const py::gil_scoped_acquire lock = locked();
            delete kept;
          }};
}

void bind_errors(py::module_& m) {
  const auto make = [&](const char* name, PyObject* base, const char* doc) {
    PyObject* type = PyErr_NewExceptionWithDoc((std::string("catena.") + name).c_str(), doc, base, nullptr);
    if (type == nullptr) throw py::error_already_set();
    m.attr(name) = py::reinterpret_borrow<py::object>(type);
    return py::handle(type);
  };
  model_error =
      make("ModelError", PyExc_ValueError,
           "A model that makes no sense: its message names the body or joint, and .member the member of it.");
  usage_error = make("UsageError", PyExc_ValueError,
                     "A request that makes no sense: one line a complaint, each with what would be right.");
  file_error =
      make("FileError", PyExc_ValueError, "Mistakes in a model file: every line has file, line and column.");
  sink_error = make("SinkError", PyExc_OSError, "Results that cannot be written.");
  py::register_exception_translator(translate);
}

}  // namespace catena::python

PYBIND11_MODULE(_core, m) {
  using namespace catena::python;
  m.doc() = "The part of catena that is written in C++.";
  for (Bind* bind : {bind_errors, bind_listings, bind_duals, bind_model, bind_matrix, bind_system, bind_run,
                     bind_study, bind_callbacks, bind_own_joints, bind_own_forces})
    bind(m);
  m.attr("version") = catena::detail::version();
  m.attr("commit") = commit();
}
