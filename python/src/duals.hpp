// Numbers with derivatives as Python sees them: functions of one's own are called with them.
#pragma once
#include <catena/model/detail/rows_by_derivatives.hpp>

#include "module.hpp"

namespace catena::python {

// A function of time.
using TimeDual = SecondDual<double, 1>;
using detail::GapDual, detail::RateDual;

// A number of Python, with or without derivatives.
template <class D>
D dual_of(const py::handle& number) {
  if (py::isinstance<D>(number)) return number.cast<const D&>();
  return D(number.cast<double>());
}

// Runs code of Python on any thread; what it raises becomes a std::runtime_error with its type, text and line.
template <class Work>
auto in_python(Work&& work) {
  const py::gil_scoped_acquire lock;
  try {
    return work();
  } catch (py::error_already_set& error) {
    throw std::runtime_error(error.what());
  }
}

}  // namespace catena::python
