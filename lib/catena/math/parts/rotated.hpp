// A vector turned by a quaternion.
#pragma once
#include <catena/math/rotation.hpp>

CATENA_BEGIN_ISA

// R(q) v without the matrix: fewer operations for one vector, and none of them in a loop or through memory.
template <class S>
inline Vec<S, 3> rotated(const Quaternion<S>& q, const Vec<S, 3>& v) {
  const S two(2.0);
  const S a = two * nmadd(q.z, v.e[1], q.y * v.e[2]), b = two * nmadd(q.x, v.e[2], q.z * v.e[0]),
          c = two * nmadd(q.y, v.e[0], q.x * v.e[1]);
  return {{madd(q.w, a, v.e[0]) + nmadd(q.z, b, q.y * c), madd(q.w, b, v.e[1]) + nmadd(q.x, c, q.z * a),
           madd(q.w, c, v.e[2]) + nmadd(q.y, a, q.x * b)}};
}

CATENA_END_ISA
