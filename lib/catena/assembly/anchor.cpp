#include <catena/assembly/detail/anchor.hpp>

namespace catena::detail {

Anchor anchor_of(const Body& body, const Vec3& point) {
  const Mat3 R = rotation_matrix(body.orientation);
  const Vec3 arm = R * point;
  Anchor a;
  Vec3 error;
  for (int k = 0; k < 3; ++k) {
    // Two-sum (Knuth): x + arm = place + error exactly.
    const double x = body.position[k];
    a.place[k] = x + arm[k];
    const double back = a.place[k] - x;
    error[k] = (x - (a.place[k] - back)) + (arm[k] - back);
  }
  a.rest = transpose_times(R, error);
  return a;
}

}  // namespace catena::detail
