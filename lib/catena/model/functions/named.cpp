// The functions of parts/function_shapes.hpp but the table: values with two derivatives, integrals, members, defects.
#include <catena/model/detail/function_table.hpp>
#include <catena/model/parts/error.hpp>
#include <catena/model/parts/function.hpp>

#include <cassert>
#include <cmath>
#include <cstring>
#include <vector>

namespace catena {
using namespace detail;
namespace functions {
namespace {

constexpr double two_pi = 6.283185307179586;

FunctionValue value_of(const Constant& f, double) { return {f.value, 0.0, 0.0}; }

// At an end of the ramp the slope of its inside.
FunctionValue value_of(const Ramp& f, double x) {
  if (x < f.start) return {f.from, 0.0, 0.0};
  if (x > f.end) return {f.to, 0.0, 0.0};
  const double slope = (f.to - f.from) / (f.end - f.start);
  return {f.from + slope * (x - f.start), slope, 0.0};
}

FunctionValue value_of(const SmoothStep& f, double x) {
  const double length = f.end - f.start, s = (x - f.start) / length, rise = f.to - f.from;
  if (s <= 0.0) return {f.from, 0.0, 0.0};
  if (s >= 1.0) return {f.to, 0.0, 0.0};
  const double r = 1.0 - s;
  return {f.from + rise * s * s * s * (10.0 - s * (15.0 - 6.0 * s)), rise * 30.0 * s * s * r * r / length,
          rise * 60.0 * s * r * (1.0 - 2.0 * s) / (length * length)};
}

// offset + amplitude sin p, where p has the derivatives w and a
FunctionValue sine_of(double offset, double amplitude, double p, double w, double a) {
  const double s = std::sin(p), c = std::cos(p);
  return {offset + amplitude * s, amplitude * w * c, amplitude * (a * c - w * w * s)};
}

FunctionValue value_of(const Sine& f, double x) {
  const double w = two_pi * f.frequency;
  return sine_of(f.offset, f.amplitude, w * x + f.phase, w, 0.0);
}

FunctionValue value_of(const Chirp& f, double x) {
  const double rise = (f.end_frequency - f.frequency) / f.duration;
  const double inside = std::fmin(std::fmax(x, 0.0), f.duration), outside = x - inside;
  const double turns = inside * (f.frequency + 0.5 * rise * inside) + outside * (f.frequency + rise * inside);
  return sine_of(f.offset, f.amplitude, two_pi * turns + f.phase, two_pi * (f.frequency + rise * inside),
                 outside == 0.0 ? two_pi * rise : 0.0);
}

FunctionValue value_of(const Polynomial& f, double x) {
  FunctionValue u;
  for (auto c = f.coefficients.rbegin(); c != f.coefficients.rend(); ++c) {
    u.curvature = u.curvature * x + 2.0 * u.slope;
    u.slope = u.slope * x + u.value;
    u.value = u.value * x + *c;
  }
  return u;
}

double integral_of(const Constant& f, double x) { return f.value * x; }

// From the start on; s: the part of the change that is done, area: its integral over s.
template <class F>
double integral_of_change(const F& f, double x, double area) {
  const double length = f.end - f.start, rise = f.to - f.from;
  return f.from * (x - f.start) + rise * (x > f.end ? 0.5 * length + (x - f.end) : length * area);
}

double integral_of(const Ramp& f, double x) {
  const double s = std::fmax(0.0, (x - f.start) / (f.end - f.start));
  return integral_of_change(f, x, 0.5 * s * s);
}

double integral_of(const SmoothStep& f, double x) {
  const double s = std::fmax(0.0, (x - f.start) / (f.end - f.start));
  return integral_of_change(f, x, s * s * s * s * (2.5 - s * (3.0 - s)));
}

double integral_of(const Sine& f, double x) {
  const double w = two_pi * f.frequency;
  if (w == 0.0) return (f.offset + f.amplitude * std::sin(f.phase)) * x;
  return f.offset * x - f.amplitude / w * std::cos(w * x + f.phase);
}

double integral_of(const Chirp&, double) { return 0.0; }

double integral_of(const Polynomial& f, double x) {
  double sum = 0.0;
  for (std::size_t k = f.coefficients.size(); k-- > 0;)
    sum = (sum + f.coefficients[k] / static_cast<double>(k + 1)) * x;
  return sum;
}

template <class F>
std::vector<double> break_points_of(const F&) {
  return {};
}
std::vector<double> break_points_of(const Ramp& f) { return {f.start, f.end}; }
std::vector<double> break_points_of(const SmoothStep& f) { return {f.start, f.end}; }
std::vector<double> break_points_of(const Chirp& f) { return {0.0, f.duration}; }

template <class F>
double highest_frequency_of(const F&, double, double) {
  return 0.0;
}
double highest_frequency_of(const Sine& f, double, double) {
  return f.amplitude == 0.0 ? 0.0 : std::abs(f.frequency);
}
double highest_frequency_of(const Chirp& f, double from, double to) {
  if (f.amplitude == 0.0) return 0.0;
  const auto at = [&](double x) {
    const double part = std::fmin(std::fmax(x / f.duration, 0.0), 1.0);
    return std::abs(f.frequency + part * (f.end_frequency - f.frequency));
  };
  return std::fmax(at(from), at(to));
}

std::string defect_of(const Constant&) { return {}; }
std::string defect_of(const Sine&) { return {}; }
std::string defect_of(const Ramp& f) { return f.end > f.start ? "" : "end must be after start"; }
std::string defect_of(const SmoothStep& f) { return f.end > f.start ? "" : "end must be after start"; }
std::string defect_of(const Chirp& f) { return f.duration > 0.0 ? "" : "duration must be positive"; }
std::string defect_of(const Polynomial& f) {
  return f.coefficients.empty() ? "coefficients: a list of numbers is missing" : "";
}

void list_between(FunctionVisitor& v, const FunctionUnits& u, double& from, double& to, double& start,
                  double& end) {
  v.real({"from", u.value, "value up to start"}, from);
  v.real({"to", u.value, "value from end on"}, to);
  v.real({"start", u.argument, "where it begins to change"}, start);
  v.real({"end", u.argument, "where it has changed, after start"}, end);
}

void list(FunctionVisitor& v, const FunctionUnits& u, Constant& f) {
  v.real({"value", u.value, "everywhere"}, f.value);
}
void list(FunctionVisitor& v, const FunctionUnits& u, Ramp& f) {
  list_between(v, u, f.from, f.to, f.start, f.end);
}
void list(FunctionVisitor& v, const FunctionUnits& u, SmoothStep& f) {
  list_between(v, u, f.from, f.to, f.start, f.end);
}

const char* frequency_unit(const FunctionUnits& u) { return std::strcmp(u.argument, "s") == 0 ? "Hz" : "1"; }

void list(FunctionVisitor& v, const FunctionUnits& u, Sine& f) {
  v.real({"amplitude", u.value, "largest difference from offset"}, f.amplitude);
  v.real({"frequency", frequency_unit(u), "periods per unit of the argument"}, f.frequency);
  v.real({"phase", "rad", "of the sine at 0"}, f.phase);
  v.real({"offset", u.value, "mean value"}, f.offset);
}
void list(FunctionVisitor& v, const FunctionUnits& u, Chirp& f) {
  v.real({"amplitude", u.value, "largest difference from offset"}, f.amplitude);
  v.real({"frequency", frequency_unit(u), "at 0 and before"}, f.frequency);
  v.real({"end_frequency", frequency_unit(u), "at duration and after"}, f.end_frequency);
  v.real({.name = "duration",
          .unit = u.argument,
          .meaning = "while the frequency changes linearly",
          .minimum = 0.0,
          .above_minimum = true},
         f.duration);
  v.real({"phase", "rad", "of the sine at 0"}, f.phase);
  v.real({"offset", u.value, "mean value"}, f.offset);
}
void list(FunctionVisitor& v, const FunctionUnits&, Polynomial& f) {
  v.numbers({"coefficients", "", "of 1, x, x^2, ...; without units in SI units"}, f.coefficients);
}

template <class F>
constexpr const char* kind_of = nullptr;
template <>
constexpr const char* kind_of<Constant> = "constant";
template <>
constexpr const char* kind_of<Ramp> = "ramp";
template <>
constexpr const char* kind_of<SmoothStep> = "step";
template <>
constexpr const char* kind_of<Sine> = "sine";
template <>
constexpr const char* kind_of<Chirp> = "chirp";
template <>
constexpr const char* kind_of<Polynomial> = "polynomial";

template <class F>
class Named final : public Function::Shape {
 public:
  explicit Named(F f) : f_(std::move(f)) {}
  FunctionValue at(double x) const override { return value_of(f_, x); }
  bool has_integral() const override { return !std::is_same_v<F, Chirp>; }
  double integral(double x) const override { return integral_of(f_, x); }
  bool is_constant() const override { return std::is_same_v<F, Constant>; }
  std::vector<double> break_points() const override { return break_points_of(f_); }
  double highest_frequency(double from, double to) const override {
    return highest_frequency_of(f_, from, to);
  }
  std::string defect() const override { return defect_of(f_); }
  const char* kind() const override { return kind_of<F>; }
  std::shared_ptr<const Shape> visited(FunctionVisitor& v, const FunctionUnits& u) const override {
    F copy = f_;
    list(v, u, copy);
    return std::make_shared<const Named>(std::move(copy));
  }

 private:
  F f_;
};

}  // namespace
}  // namespace functions

using namespace functions;

Function::Function(double constant) : Function(Constant{constant}) {}
Function::Function(Constant shape) : shape_(std::make_shared<const Named<Constant>>(shape)) {}
Function::Function(Ramp shape) : shape_(std::make_shared<const Named<Ramp>>(shape)) {}
Function::Function(SmoothStep shape) : shape_(std::make_shared<const Named<SmoothStep>>(shape)) {}
Function::Function(Sine shape) : shape_(std::make_shared<const Named<Sine>>(shape)) {}
Function::Function(Chirp shape) : shape_(std::make_shared<const Named<Chirp>>(shape)) {}
Function::Function(Polynomial shape) : shape_(std::make_shared<const Named<Polynomial>>(std::move(shape))) {}
Function::Function(const Table& shape) : shape_(make_table_shape(shape)) {}

std::string Function::defect_at(double x) const {
  if (std::string why = shape_->defect_at(x); !why.empty()) return why;
  const FunctionValue u = at(x);
  if (std::isfinite(u.value) && std::isfinite(u.slope) && std::isfinite(u.curvature)) return {};
  return "it is not finite at " + message_number(x);
}

const std::vector<Function::Kind>& Function::kinds() {
  static const std::vector<Kind> all = {{"constant", "the same value everywhere"},
                                        {"ramp", "linear between two values, constant before and after"},
                                        {"step", "smooth between two values, constant before and after"},
                                        {"sine", "offset + amplitude sin(2 pi frequency x + phase)"},
                                        {"chirp", "a sine whose frequency changes linearly, then stays"},
                                        {"polynomial", "c_0 + c_1 x + c_2 x^2 + ..."},
                                        {"table", "a curve through points"}};
  return all;
}

Function Function::of_kind(const std::string& name) {
  if (name == "ramp") return Ramp{};
  if (name == "step") return SmoothStep{};
  if (name == "sine") return Sine{};
  if (name == "chirp") return Chirp{};
  if (name == "polynomial") return Polynomial{};
  if (name == "table") return Table{};
  assert(name == "constant");
  return Constant{};
}

}  // namespace catena
