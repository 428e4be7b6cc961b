// Linear spring and damper in parallel between a point of body A and a point of body B.
#pragma once
#include <catena/model/detail/element_pool.hpp>
#include <catena/model/detail/spring_damper_wrench.hpp>
#include <catena/model/element_listing.hpp>
#include <catena/model/model.hpp>

#include <array>

namespace catena {

// Tension k (l - l0) + c l' along the line between the points; positive pulls them together. Points that coincide leave
// k l0 without a direction: such a start is refused, and a run that comes there ends (not_finite).
struct SpringDamper {
  static constexpr const char* type_name = "spring_damper";
  static constexpr const char* summary = "linear spring and damper between two points";
  static constexpr bool couples = true;

  std::array<BodyId, 2> bodies;  // A, B
  Vec3 point_a = Vec3::Zero();   // frame of A [m]
  Vec3 point_b = Vec3::Zero();   // frame of B [m]
  double stiffness = 0.0;        // k [N/m]; negative is allowed (a buckling link)
  double damping = 0.0;          // c [N s/m]
  double rest_length = 0.0;      // l0 [m], not negative
  std::string name = {};

  template <class S>
  detail::SpringDamperWrench<S> kernel() const {
    return {{cast<S>(point_a), cast<S>(point_b)}, S(stiffness), S(damping), S(rest_length)};
  }
  bool does_work() const { return damping != 0.0; }
  std::string defect_at(const BodyFrame<double>* f, double t) const;
};

void visit(ElementVisitor& visitor, SpringDamper& force);

// Compiled once, in compiled_elements.cpp.
extern template ForceId Model::add(SpringDamper);

}  // namespace catena
