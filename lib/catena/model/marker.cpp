#include <catena/model/marker.hpp>
#include <catena/model/rows/axes.hpp>

namespace catena {

Marker frame_at(const Model& model, BodyId body, const WorldFrame& frame) {
  const Body still{};
  const Body& b = body == ground ? still : model.body(body);
  const Mat3 R = rotation_matrix(b.orientation);
  const Vec3 axis = rows::unit(frame.axis);
  return {body, transpose_times(R, Vec3(frame.point - b.position)), transpose_times(R, axis),
          transpose_times(R, rows::side_across(axis, frame.side))};
}

}  // namespace catena
