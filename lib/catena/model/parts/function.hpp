// A function of one number, of the time for instance, with two derivatives: what drives follow and forces depend on.
//
//   Function f = 3.0;                                                       // constant
//   Function g = functions::Sine{.amplitude = 0.5, .frequency = 2.0};       // a named one, which files can hold
//   Function h = Function::of([](auto t) { return 0.1 * t * t; });          // any; the derivatives are found
//
// A Function is a value: copies share what they are made of, and nothing changes it.
#pragma once
#include <catena/math/option.hpp>
#include <catena/math/parts/second_dual.hpp>
#include <catena/model/parts/function_shapes.hpp>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace catena {

struct FunctionValue {
  double value = 0.0, slope = 0.0, curvature = 0.0;  // u, u', u''
};

// Units of argument and value, for listings.
struct FunctionUnits {
  const char* argument = "s";
  const char* value = "1";
};

// Shows the members of a named function, as an OptionVisitor those of options.
class FunctionVisitor : public OptionVisitor {
 public:
  // A list of numbers in SI units.
  virtual void numbers(const OptionInfo& info, std::vector<double>& values) = 0;
};

class Function {
 public:
  Function(double constant = 0.0);          // NOLINT(google-explicit-constructor): written as a number
  Function(functions::Constant shape);      // NOLINT(google-explicit-constructor)
  Function(functions::Ramp shape);          // NOLINT(google-explicit-constructor)
  Function(functions::SmoothStep shape);    // NOLINT(google-explicit-constructor)
  Function(functions::Sine shape);          // NOLINT(google-explicit-constructor)
  Function(functions::Chirp shape);         // NOLINT(google-explicit-constructor)
  Function(functions::Polynomial shape);    // NOLINT(google-explicit-constructor)
  Function(const functions::Table& shape);  // NOLINT(google-explicit-constructor)

  // f(x) over any scalar, as a generic lambda; its derivatives are found by automatic differentiation. Files cannot
  // hold it. It may be called by several threads at once.
  template <class F>
  static Function of(F f) {
    return with_derivatives([f = std::move(f)](double x) {
      const SecondDual<double, 1> y = f(SecondDual<double, 1>::variable(x, 0));
      return FunctionValue{y.value, y.d[0], y.h[0]};
    });
  }
  // The same with derivatives that the caller knows: f(x) returns a FunctionValue.
  template <class F>
  static Function with_derivatives(F f) {
    return Function(std::make_shared<const Callable<F>>(std::move(f)));
  }

  // Not finite where the function has no value, outside of a table for instance.
  FunctionValue at(double x) const { return shape_->at(x); }
  // Over a scalar with first derivatives (Dual<double, N>) or double.
  template <class S>
  S operator()(const S& x) const {
    if constexpr (requires { x.d; }) {
      const FunctionValue u = at(x.value);
      S y(u.value);
      for (std::size_t i = 0; i < std::size(y.d); ++i) y.d[i] = u.slope * x.d[i];
      return y;
    } else {
      return at(x).value;
    }
  }

  // Whether an antiderivative is known: that of tables and of named functions but chirp.
  bool has_integral() const { return shape_->has_integral(); }
  // It, up to a constant; of a table its least value at the points is 0. Not finite where the function has no value.
  double integral(double x) const { return shape_->integral(x); }

  bool is_constant() const { return shape_->is_constant(); }
  bool is_zero() const { return is_constant() && at(0.0).value == 0.0; }
  // What is wrong with its members ('end must be after start'), or "".
  std::string defect() const { return shape_->defect(); }
  // Why it has no value at x ('the table ends at 2'), or "".
  std::string defect_at(double x) const;

  // Where it changes from one formula to another, in rising order: the points of a table, start and end of a ramp.
  std::vector<double> break_points() const { return shape_->break_points(); }

  // Of a sine or a chirp: its highest frequency between these two arguments, per unit of the argument. 0 of other functions.
  double highest_frequency(double from, double to) const { return shape_->highest_frequency(from, to); }

  // "sine", ...; "" of a function made in C++, which has no members.
  const char* kind() const { return shape_->kind(); }
  // The members, through a copy of them: of what the visitor changes a new function is made.
  Function visited(FunctionVisitor& visitor, const FunctionUnits& units) const {
    return Function(shape_->visited(visitor, units));
  }

  struct Kind {
    const char* name;
    const char* summary;
  };
  static const std::vector<Kind>& kinds();
  // With default members; the name must be one of kinds().
  static Function of_kind(const std::string& name);

  // For the library.
  class Shape {
   public:
    virtual ~Shape() = default;
    virtual FunctionValue at(double x) const = 0;
    virtual bool has_integral() const { return false; }
    virtual double integral(double x) const { return (void)x, 0.0; }
    virtual bool is_constant() const { return false; }
    virtual std::vector<double> break_points() const { return {}; }
    virtual double highest_frequency(double from, double to) const { return (void)from, (void)to, 0.0; }
    virtual std::string defect() const { return {}; }
    virtual std::string defect_at(double x) const { return (void)x, std::string(); }
    virtual const char* kind() const { return ""; }
    virtual std::shared_ptr<const Shape> visited(FunctionVisitor&, const FunctionUnits&) const = 0;
  };

 private:
  template <class F>
  class Callable final : public Shape, public std::enable_shared_from_this<Callable<F>> {
   public:
    explicit Callable(F f) : f_(std::move(f)) {}
    FunctionValue at(double x) const override { return f_(x); }
    std::shared_ptr<const Shape> visited(FunctionVisitor&, const FunctionUnits&) const override {
      return this->shared_from_this();
    }

   private:
    F f_;
  };

  explicit Function(std::shared_ptr<const Shape> shape) : shape_(std::move(shape)) {}

  std::shared_ptr<const Shape> shape_;
};

}  // namespace catena
