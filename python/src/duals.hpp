// Numbers with derivatives as Python sees them: functions of one's own are called with them.
#pragma once
#include <catena/model/detail/rows_by_derivatives.hpp>

#include "module.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <utility>

namespace catena::python {

// A function of time.
using TimeDual = SecondDual<double, 1>;
using detail::GapDual, detail::RateDual;

// A number of Python, with or without derivatives.
template <class D>
D dual_of(const py::handle& number) {
  if constexpr (!std::is_same_v<D, double>)
    if (py::isinstance<D>(number)) return number.cast<const D&>();
  const double plain = PyFloat_AsDouble(number.ptr());
  if (PyErr_Occurred() != nullptr) throw py::error_already_set();  // with the type that it has
  return D(plain);
}

// What calls of Python have taken in this process, on all threads; time that they wait for the lock counts.
struct PythonCost {
  std::atomic<std::int64_t> calls = 0, nanoseconds = 0;
};
inline PythonCost python_cost;
inline thread_local int python_depth = 0;  // a stepper's advance() calls forces: their time is in it

class PythonCall {
 public:
  PythonCall() { ++python_depth, ++python_cost.calls; }
  PythonCall(const PythonCall&) = delete;
  PythonCall& operator=(const PythonCall&) = delete;
  ~PythonCall() {
    if (--python_depth > 0) return;
    python_cost.nanoseconds += std::chrono::nanoseconds(std::chrono::steady_clock::now() - begun_).count();
  }

 private:
  std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
};

// KeyboardInterrupt, SystemExit and what signals raise, which are no one's mistake: kept until the call of the library returns to
// Python. The exception is read and written under the interpreter's lock, whether there is one without.
inline std::exception_ptr exit_of_python;
inline std::atomic<bool> exit_is_kept = false;
inline void keep_exit(std::exception_ptr exit) { exit_of_python = std::move(exit), exit_is_kept = true; }
inline void raise_exit() {
  if (exit_is_kept.exchange(false)) std::rethrow_exception(std::exchange(exit_of_python, nullptr));
}

// Runs code of Python on any thread; what it raises becomes a std::runtime_error with its type, text and line.
template <class Work>
auto in_python(Work&& work) {
  const PythonCall call;
  const py::gil_scoped_acquire lock = locked();
  try {
    return or_wait_for_exit(work);
  } catch (py::error_already_set& error) {
    if (!error.matches(PyExc_Exception)) keep_exit(std::current_exception());
    if (error.matches(PyExc_KeyboardInterrupt)) try {  // once more: the run ends behind the step
        return or_wait_for_exit(work);
      } catch (const py::error_already_set&) {  // as at first
      }
    throw std::runtime_error(error.what());
  }
}

}  // namespace catena::python
