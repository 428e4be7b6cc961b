#include <catena/assembly/parts/body_system.hpp>
#include <catena/kkt/derivative_check.hpp>
#include <catena/math/detail/printed.hpp>

#include <string>
#include <vector>

namespace catena {
using namespace detail;
namespace {

// Of a velocity of a block.
std::string component(bool of_body, int k) {
  static const char* const six[] = {
      "x", "y", "z", "rotation about body x", "rotation about body y", "rotation about body z"};
  return of_body ? six[static_cast<std::size_t>(k)] : "component " + std::to_string(k + 1);
}

std::string row_of(const DerivativeFault& f) {
  return f.row < 0 ? "" : " in row " + std::to_string(f.row + 1);
}

}  // namespace

std::string to_text(const System& system, const DerivativeFault& f) {
  if (f.quantity == "gap by velocity")
    return f.owner + ": its gap" + row_of(f) +
           " depends on velocities, and must not: a row on velocities is a rate with Level::velocity";
  if (f.quantity == "Jacobian by velocity")
    return f.owner + ": its rate" + row_of(f) +
           printed(
               " is not affine in the velocities, as it must be: its Jacobian along one direction is %.6g "
               "at one velocity and %.6g at rest",
               f.given, f.expected);
  if (f.quantity == "symmetry of the mass matrix")
    return f.owner +
           printed(
               ": the mass matrix is not symmetric: its entry (%d, %d), counted from 0, is %.6g, and "
               "the one across the diagonal is %.6g",
               f.row, f.component, f.given, f.expected) +
           (f.by == f.owner ? "" : "; its column is one of " + f.by);
  std::string text = f.owner + ": " + f.quantity + " is wrong";
  const std::vector<int>& sizes = system.layout().pattern->primal_size;
  const bool bodies = bodies_of(system) != nullptr;
  if (f.row >= 0)
    text += f.of_constraint
                ? row_of(f)
                : " in " + component(bodies && sizes[static_cast<std::size_t>(f.block)] == 6, f.row);
  if (!f.by.empty() && f.component >= 0)
    text += " at " + f.by + ", " + component(bodies && sizes.front() == 6, f.component);
  return text + printed(": %.6g, differences give %.6g", f.given, f.expected);
}

}  // namespace catena
