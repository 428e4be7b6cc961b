#include <catena/kkt/consistent.hpp>
#include <catena/math/detail/printed.hpp>
#include <catena/system/detail/fit.hpp>

#include <cmath>
#include <stdexcept>
#include <utility>

namespace catena {
using namespace detail;

Projection project_positions(const System& system, State& state, double tolerance) {
  if (!(tolerance > 0.0) || std::isinf(tolerance))
    throw std::invalid_argument(printed("the tolerance of project_positions() must be positive; it is %g",
                                        std::isnan(tolerance) ? std::abs(tolerance) : tolerance));
  Projection out;
  KktSolver kkt;
  std::string refusal = misfit_of(system.layout(), state);
  if (refusal.empty()) refusal = kkt.attach(system, {});
  if (!refusal.empty()) {
    out.status = Status::unsupported;
    out.culprit.name = std::move(refusal);
    return out;
  }
  ConsistentValues consistent(system, kkt, state.discrete.data());
  State moved = state;
  KktReport r = consistent.project_positions(moved.t, moved.q.data(), tolerance, out.largest_position_change);
  if (r.status == Status::ok)
    r = consistent.project_velocities(moved.t, moved.q.data(), moved.v.data(), out.largest_velocity_change);
  out.status = r.status;
  out.culprit = r.culprit;
  if (r.status == Status::ok) state = std::move(moved);
  return out;
}

}  // namespace catena
