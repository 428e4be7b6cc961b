// Which multipliers a force reads: some rows of one constraint.
#pragma once
#include <catena/model/parts/ids.hpp>

#include <cstdint>

namespace catena::detail {

struct ReactionOf {
  ConstraintId joint{};
  int row = 0, rows = 0;  // of the rows of the joint; rows == 0: it reads no multipliers
  // The components of the joint's force that they are, along the axes of its first marker.
  bool axes[3] = {false, false, false};
  bool matters =
      true;  // false: the force reads them and is the same for all, friction without a coefficient say
};

// Of the elements of a group: where their multipliers are, and the slots of these rows in B.
struct ReactionSlots {
  int rows = 0;
  int lambda_at[8] = {};           // the first of them
  std::uint32_t Bt_at[2][8] = {};  // entry (row, 0) of the block of body i; stride 8
};

}  // namespace catena::detail
