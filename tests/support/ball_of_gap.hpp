// A ball joint of a user's that states nothing but its gap.
#pragma once
#include <catena/model/body.hpp>
#include <catena/model/constraint.hpp>

#include <array>

namespace catena::test {

struct BallOfGapAlone {
  static constexpr int rows = 3;
  std::array<BodyId, 2> bodies;
  Vec3 hook = Vec3::Zero(), eye = Vec3::Zero();
  template <class S>
  Vec<S, 3> gap(const BodyFrame<S>& A, const BodyFrame<S>& B, const S&) const {
    return B.point(eye) - A.point(hook);
  }
};

}  // namespace catena::test
