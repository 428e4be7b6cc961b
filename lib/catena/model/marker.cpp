#include <catena/model/marker.hpp>
#include <catena/model/rows/axes.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace catena {
namespace {

// Whether two places differ by the roundoff of their coordinates alone.
bool same_place(const Vec3& p, const Vec3& q) {
  constexpr double roundoff = 8.0 * std::numeric_limits<double>::epsilon();
  bool same = true;
  for (int k = 0; k < 3; ++k)
    same = same && std::abs(p[k] - q[k]) <= roundoff * std::max(std::abs(p[k]), std::abs(q[k]));
  return same;
}

}  // namespace

Marker frame_at(const Model& model, BodyId body, const WorldFrame& frame) {
  const Body still{};
  const Body& b = body == ground ? still : model.body(body);
  const Mat3 R = rotation_matrix(b.orientation);
  const Vec3 axis = rows::unit(frame.axis);
  // A point has no size of its own: an arm of roundoff would be the length that everything is compared with.
  const bool at_point = b.motion == BodyMotion::point && same_place(frame.point, b.position);
  return {body, at_point ? Vec3::Zero() : transpose_times(R, Vec3(frame.point - b.position)),
          transpose_times(R, axis), transpose_times(R, rows::side_across(axis, frame.side))};
}

}  // namespace catena
