#include <catena/model/parts/error.hpp>
#include <catena/model/parts/spring_damper.hpp>

#include <limits>

namespace catena {

std::string SpringDamper::defect_at(const BodyFrame<double>* f, double) const {
  if (stiffness * rest_length == 0.0) return {};
  const double size = norm(f[0].x) + norm(point_a) + norm(f[1].x) + norm(point_b);
  const double distance = norm(f[1].point(point_b) - f[0].point(point_a));
  // Below, rounding errors of the places choose the direction; the kernel has none below 1e-12 m.
  if (distance > 1e-12 + 4.0 * std::numeric_limits<double>::epsilon() * size) return {};
  return "its two points coincide, so that its rest_length of " + message_number(rest_length) +
         " m has no direction; move them apart, or set rest_length to 0";
}

}  // namespace catena
