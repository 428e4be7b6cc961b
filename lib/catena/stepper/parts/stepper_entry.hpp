// A stepper as a catalog holds it: a name, options that can be listed and set, and how to make one.
#pragma once
#include <catena/sparse/linear_solver.hpp>
#include <catena/stepper/stepper.hpp>

#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

namespace catena {

// The options of one stepper to be.
class StepperSetup {
 public:
  virtual ~StepperSetup() = default;
  virtual void visit(OptionVisitor& visitor) = 0;
  // The linear solver of a stepper that cannot be given one, for reports; empty: it takes what make() gets.
  virtual std::string own_backend() const { return {}; }
  // Empty factories leave the linear solver to the stepper. fallback: a pivoting solver for matrices that
  // backend refuses.
  virtual std::unique_ptr<Stepper> make(const LinearSolverFactory& backend,
                                        const LinearSolverFactory& fallback) const = 0;
};

struct StepperEntry {
  std::string name;                                      // as typed by the user
  std::function<std::unique_ptr<StepperSetup>()> setup;  // with the default options
};

namespace stepper_entry_detail {

struct NoOptions {};
inline void visit(OptionVisitor&, NoOptions&) {}

template <class S>
struct OptionsOf {
  using type = NoOptions;
};
template <class S>
requires requires { typename S::Options; }
struct OptionsOf<S> {
  using type = typename S::Options;
};

template <class S, class Options>
class TypedSetup : public StepperSetup {
 public:
  void visit(OptionVisitor& visitor) override {
    using stepper_entry_detail::visit;
    visit(visitor, options_);
  }
  std::string own_backend() const override {
    if constexpr (requires { S::own_backend; })
      return S::own_backend;
    else if constexpr (takes_backend)
      return {};
    else
      return "its own";
  }
  std::unique_ptr<Stepper> make(const LinearSolverFactory& backend,
                                const LinearSolverFactory& fallback) const override {
    if constexpr (std::is_constructible_v<S, Options, LinearSolverFactory, LinearSolverFactory>)
      return std::make_unique<S>(options_, backend, fallback);
    else if constexpr (std::is_constructible_v<S, Options, LinearSolverFactory>)
      return std::make_unique<S>(options_, backend);
    else if constexpr (std::is_constructible_v<S, Options>)
      return std::make_unique<S>(options_);
    else if constexpr (std::is_constructible_v<S, LinearSolverFactory>)
      return std::make_unique<S>(backend);
    else
      return std::make_unique<S>();
  }

 private:
  static constexpr bool takes_backend =
      std::is_constructible_v<S, Options, LinearSolverFactory, LinearSolverFactory> ||
      std::is_constructible_v<S, Options, LinearSolverFactory> ||
      std::is_constructible_v<S, LinearSolverFactory>;
  Options options_{};
};

}  // namespace stepper_entry_detail

// A stepper that a build was configured without.
struct LeftOutStepper {
  std::string name, reason;  // a sentence: why, and how to get it
};

// S is constructible from (Options, backend, fallback), (Options, backend), (Options), (backend) or nothing (then
// S::own_backend may name its linear solver);
// backend and fallback are LinearSolverFactory. Options is S::Options where the class names it;
// visit(OptionVisitor&, Options&) is found beside it.
template <class S, class Options = typename stepper_entry_detail::OptionsOf<S>::type>
StepperEntry stepper_entry(std::string name) {
  return {std::move(name), [] { return std::make_unique<stepper_entry_detail::TypedSetup<S, Options>>(); }};
}

}  // namespace catena
