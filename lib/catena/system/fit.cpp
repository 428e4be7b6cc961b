#include <catena/math/detail/index.hpp>
#include <catena/math/detail/printed.hpp>
#include <catena/system/detail/fit.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace catena::detail {

std::string defect_of(const SystemLayout& layout) {
  if (!layout.pattern) return "the layout of the system has no pattern";
  const auto lacks = [](const char* name, std::size_t has, int wants, const char* of) -> std::string {
    if (has == index(wants)) return {};
    return "SystemLayout::" + std::string(name) + " of the system has " + std::to_string(has) +
           " entries, and must have one for each of its " + std::to_string(wants) + ' ' + of;
  };
  std::string why = lacks("scale", layout.scale.size(), layout.v_size(), "velocities");
  const auto positive = [](double x) { return x > 0.0 && std::isfinite(x); };
  const auto wrong_scale = std::find_if_not(layout.scale.begin(), layout.scale.end(), positive);
  if (why.empty() && wrong_scale != layout.scale.end())
    why = printed(
        "SystemLayout::scale of the system has %g for velocity %d, counted from 0; it is the size that the "
        "velocity is measured by, and above 0",
        std::isnan(*wrong_scale) ? std::abs(*wrong_scale) : *wrong_scale,
        static_cast<int>(wrong_scale - layout.scale.begin()));
  if (why.empty())
    why = lacks("level", layout.level.size(), layout.pattern->dual_count(), "blocks of constraints");
  if (why.empty() && !layout.rotation.empty())
    why = lacks("rotation", layout.rotation.size(), layout.v_size(), "velocities");
  if (why.empty() && !layout.length_rows.empty())
    why = lacks("length_rows", layout.length_rows.size(), layout.pattern->dual_count(),
                "blocks of constraints");
  if (why.empty() && !layout.reach_of.empty())
    why = lacks("reach_of", layout.reach_of.size(), layout.pattern->dual_count(), "blocks of constraints");
  return why;
}

namespace {

std::string wrong(std::size_t has, int wants, const char* what) {
  if (has == index(wants)) return {};
  return "the state has " + std::to_string(has) + ' ' + what + ", the system " + std::to_string(wants) +
         ": it belongs to another system; begin with initial_state() of this one";
}

}  // namespace

std::string misfit_of_motion(const SystemLayout& layout, const State& state) {
  const std::string why = wrong(state.q.size(), layout.q_size, "coordinates");
  if (!why.empty()) return why;
  if (state.v.size() != index(layout.v_size())) return wrong(state.v.size(), layout.v_size(), "velocities");
  const bool too_few = !state.discrete.empty() && state.discrete.size() < index(layout.discrete_size);
  return too_few ? wrong(state.discrete.size(), layout.discrete_size, "discrete values") : "";
}

std::string misfit_of(const SystemLayout& layout, const State& state) {
  std::string why = misfit_of_motion(layout, state);
  if (why.empty()) why = wrong(state.a.size(), layout.v_size(), "accelerations");
  if (why.empty()) why = wrong(state.lambda.size(), layout.lambda_size(), "multipliers");
  if (why.empty() && state.discrete.size() < index(layout.discrete_size))
    why = wrong(state.discrete.size(), layout.discrete_size, "discrete values");
  return why;
}

bool in_own_coordinates(const System& system) {
  return system.layout().reach == 0.0 && system.body_names().empty();
}

std::string make_unit_quaternions(const System& system, State& state) {
  if (in_own_coordinates(system)) return {};
  constexpr double refused = 1e-6;    // as of bodies that are added to a model
  constexpr double roundoff = 1e-12;  // of the square after a long run, far above what retract() leaves
  const std::vector<RigidBodyState> bodies = system.bodies(state);
  double off = 0.0;
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    const double square = squared_norm(bodies[k].orientation), length = std::sqrt(square);
    if (!(std::abs(length - 1.0) <= refused))
      return "body \"" + system.body_names()[k] +
             printed("\": orientation must be a unit quaternion to 1e-6, has length %.6g in the state",
                     length);
    off = std::max(off, std::abs(square - 1.0));
  }
  const SystemLayout& layout = system.layout();
  if (off <= roundoff || layout.q_size == layout.v_size()) return {};
  const std::vector<double> none(index(layout.v_size()), 0.0);
  // Each pass of retract() squares the distance from unit length.
  for (int pass = 0; pass < 2; ++pass) system.retract(state.q.data(), none.data(), state.q.data());
  return {};
}

}  // namespace catena::detail
