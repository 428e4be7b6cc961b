// What the files of the module share.
#pragma once
#include <catena/experiment/catalog.hpp>
#include <catena/experiment/experiment.hpp>
#include <catena/io/detail/document.hpp>

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <unistd.h>

#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace catena::python {

namespace py = pybind11;
using Array = py::array_t<double, py::array::c_style | py::array::forcecast>;

const char* commit();  // that the module was built from

// Work that takes the interpreter's lock. Where the process ends, Python ends the thread by unwinding it, which destructors do
// not let through: it waits here for the end instead, as by Python itself from 3.14 on.
[[noreturn]] inline void wait_for_exit() {
  for (;;) pause();
}
template <class Work>
auto or_wait_for_exit(Work&& work) {
  try {
    return work();
  } catch (const std::exception&) {
    throw;
  } catch (...) {  // is no exception of C++
    wait_for_exit();
  }
}

// The lock, on any thread.
inline py::gil_scoped_acquire locked() {
  return or_wait_for_exit([] {
    if (Py_IsInitialized() == 0 && PyGILState_GetThisThreadState() == nullptr) wait_for_exit();
    return py::gil_scoped_acquire();
  });
}
// `const Unlocked released(PyEval_SaveThread());`: takes the lock again where its scope ends.
struct Relock {
  void operator()(PyThreadState* state) const {
    or_wait_for_exit([&] { PyEval_RestoreThread(state); });
  }
};
using Unlocked = std::unique_ptr<PyThreadState, Relock>;

// The catalog of this process: what comes with the library, and what Python has added. A run keeps the one that it began
// with; an addition makes another.
std::shared_ptr<const Catalog> catalog();
void change_catalog(const std::function<void(Catalog&)>& change);

// A Python object that C++ keeps and copies on any thread: the last copy takes the interpreter's lock to let it go.
using Kept = std::shared_ptr<py::object>;
Kept keep(py::object object);

// A read-only array over numbers of `owner`, which lives as long as the array. Strides in bytes.
py::array view(const double* data, std::vector<py::ssize_t> shape, std::vector<py::ssize_t> strides,
               const py::handle& owner);
py::array copy(const std::vector<double>& numbers);
std::vector<double> numbers(const py::handle& object, std::size_t size, const std::string& what);
std::vector<double> numbers(const py::handle& object);
Vec3 vec3(const py::handle& object, const std::string& what);

// A Python value as the text that options, parameters and files take: numbers in the fewest digits that read back to the same
// bits. Throws UsageError that begins with the name.
std::string text_of(const std::string& name, const py::handle& value);
// Keyword arguments as a map of a model file. Callables are left out of it and returned beside it.
struct Keywords {
  std::unique_ptr<const detail::Document> document;
  std::vector<std::pair<std::string, py::object>> callables;
};
Keywords keywords(const std::string& owner, const py::dict& values);
// The lines of a FileError without their places, which no argument has.
std::string without_places(const std::string& text, const std::string& owner);

// A state of a run as Python sees it: a copy, whose arrays are read-only.
struct SeenState : State {};
void check_sizes(const System& system, const State& s);  // throws UsageError

// From keyword arguments; stepper options are those that no member of a scenario has the name of.
Scenario scenario_of(const py::kwargs& members);
Settings settings_of_dict(const py::dict& values);

using Bind = void(py::module_&);
Bind bind_errors, bind_listings, bind_model, bind_run, bind_study, bind_matrix, bind_system, bind_callbacks,
    bind_own_joints, bind_own_forces, bind_duals;

// From a callable of one number, which is called with duals.
Function function_of(py::object callable);

}  // namespace catena::python
