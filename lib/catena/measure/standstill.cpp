#include <catena/assembly/parts/body_system.hpp>
#include <catena/measure/detail/standstill.hpp>
#include <catena/measure/parts/joint_coordinates.hpp>

#include <cmath>

namespace catena::detail {
namespace {

bool is_a(const std::string& label, const char* type) {
  return label.ends_with(std::string("(") + type + ")");
}

}  // namespace

std::string standstill_reason(const System& system, const State& state) {
  const BodySystem* const bodies = bodies_of(system);
  if (bodies == nullptr) return {};
  const Vec3 gravity = bodies->model().gravity;
  const double strength = norm(gravity);
  if (strength == 0.0) return "there is no gravity";
  constexpr double aligned = 1e-10;  // of the sine or the cosine, as the accelerations that count as none
  constexpr int most = 3;
  std::string text;
  int found = 0;
  for (int c = 0; c < static_cast<int>(bodies->model().constraints().size()); ++c) {
    const std::string label = system.constraint_name(c);
    const bool hinge = is_a(label, "revolute"), slide = is_a(label, "prismatic");
    if (!hinge && !slide) continue;
    const std::optional<MarkedJoint> joint = marked_joint(bodies->model(), ConstraintId{c});
    if (!joint) continue;
    const Mat3 triad = rotation_matrix(bodies->body_state(state, joint->body_a).orientation) * joint->triad_a;
    const Vec3 axis{{triad(0, 2), triad(1, 2), triad(2, 2)}};
    const double off = hinge ? norm(cross(axis, gravity)) : std::abs(dot(axis, gravity));
    if (off > aligned * strength) continue;
    if (++found > most) return text + " and others";
    text += (found == 1 ? "the axis of " : ", that of ") + label +
            (hinge ? " is parallel to" : " is normal to") + " gravity";
  }
  return text;
}

}  // namespace catena::detail
