#include <catena/sparse/parts/fallback.hpp>

#include <utility>

namespace catena {
namespace {

std::unique_ptr<LinearSolver> none() { return nullptr; }

// Within a function: the component that sets it may be loaded first.
LinearSolverFactory& stored() {
  static LinearSolverFactory fallback;
  return fallback;
}

}  // namespace

LinearSolverFactory default_fallback() { return stored(); }

LinearSolverFactory no_fallback() { return none; }

namespace detail {

LinearSolverFactory chosen_fallback(const LinearSolverFactory& given) {
  if (!given) return stored();
  const auto* const function = given.target<std::unique_ptr<LinearSolver> (*)()>();
  return function != nullptr && *function == none ? LinearSolverFactory() : given;
}

void set_default_fallback(LinearSolverFactory fallback) { stored() = std::move(fallback); }

}  // namespace detail
}  // namespace catena
