#pragma once
#include <catena/math/small.hpp>

#include <string>

namespace catena {

// A point fixed in a body whose path is written.
struct TrackedPoint {
  std::string name;
  int body = 0;               // number in the model
  Vec3 point = Vec3::Zero();  // body frame, from the centre of mass [m]
};

}  // namespace catena
