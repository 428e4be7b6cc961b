#include "duals.hpp"

#include <utility>

namespace catena::python {
namespace {
template <class D>
void bind_dual(py::module_& m, const char* name, const char* meaning) {
  constexpr int n = static_cast<int>(std::extent_v<decltype(D::d)>);
  py::class_<D> c(m, name, meaning);
  c.def(py::init<double>());
  c.def_readonly("value", &D::value);
  c.def_property_readonly("gradient", [](const D& a) { return Array(n, a.d); });
  // Of a dual with a dual or a number on either side. What else, an array say, is asked next, with its own operator.
  const auto binary = [&](const char* which, auto op) {
    c.def(
        which, [op](const D& a, const D& b) { return op(a, b); }, py::is_operator());
    c.def(
        which, [op](const D& a, double b) { return op(a, b); }, py::is_operator());
  };
  const auto both = [&](const char* left, const char* right, auto op) {
    binary(left, op);
    c.def(
        right, [op](const D& a, double b) { return op(b, a); }, py::is_operator());
  };
  both("__add__", "__radd__", [](const auto& a, const auto& b) { return a + b; });
  both("__sub__", "__rsub__", [](const auto& a, const auto& b) { return a - b; });
  both("__mul__", "__rmul__", [](const auto& a, const auto& b) { return a * b; });
  both("__truediv__", "__rtruediv__", [](const auto& a, const auto& b) { return a / b; });
  c.def("__neg__", [](const D& a) { return -a; }).def("__pos__", [](const D& a) { return a; });
  c.def("__abs__", [](const D& a) { return abs(a); });
  c.def("__pow__", [](const D& a, double b) { return b == 2.0 ? a * a : pow(a, b); });
  binary("__lt__", [](const D& a, const D& b) { return a.value < b.value; });
  binary("__gt__", [](const D& a, const D& b) { return a.value > b.value; });
  binary("__le__", [](const D& a, const D& b) { return a.value <= b.value; });
  binary("__ge__", [](const D& a, const D& b) { return a.value >= b.value; });
  c.def("__float__", [](const D&) -> double {
    throw py::type_error(
        "a number with derivatives has no place in a plain float: use the functions of numpy, np.sin say, "
        "not those of math, and arrays of dtype object");
  });
  // numpy calls methods of these names: np.sin(x).
  const std::pair<const char*, D (*)(const D&)> functions[] = {
      {"sqrt", sqrt}, {"exp", exp},     {"log", log},     {"sin", sin},   {"cos", cos},   {"tan", tan},
      {"sinh", sinh}, {"arcsin", asin}, {"arccos", acos}, {"cosh", cosh}, {"tanh", tanh}, {"arctan", atan}};
  for (const auto& [which, of] : functions) c.def(which, of);
  c.def("arctan2", [](const D& a, const D& b) { return atan2(a, b); });
  c.def("arctan2", [](const D& a, double b) { return atan2(a, D(b)); });
  c.def("__repr__",
        [](const D& a) { return "<" + text_of("value", py::float_(a.value)) + " with derivatives>"; });
}

}  // namespace

Function function_of(py::object callable) {
  const Kept kept = keep(std::move(callable));
  return Function::with_derivatives([kept](double t) {
    return in_python([&] {
      const auto y = dual_of<TimeDual>((*kept)(TimeDual::variable(t, 0)));
      return FunctionValue{y.value, y.d[0], y.h[0]};
    });
  });
}

void bind_duals(py::module_& m) {
  bind_dual<TimeDual>(m, "TimeDual", "A number with two derivatives by the time.");
  bind_dual<GapDual>(m, "GapDual", "A number with first and second derivatives by positions and time.");
  bind_dual<RateDual>(m, "RateDual",
                      "A number with first and second derivatives by positions, velocities and time.");
}

}  // namespace catena::python
