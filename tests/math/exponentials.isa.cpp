#include "exponentials.hpp"

#include <catena/math/parts/pack.hpp>
#include <catena/math/rotation.hpp>

CATENA_BEGIN_ISA
namespace {

void of_lanes(const double* theta, double* q) {
  const Quaternion<Pack8> e = exponential(Vec<Pack8, 3>{{load(theta), load(theta + 8), load(theta + 16)}});
  store(q, e.w);
  store(q + 8, e.x);
  store(q + 16, e.y);
  store(q + 24, e.z);
}

void of_one_after_the_other(const double* theta, double* q) {
  for (int l = 0; l < 8; ++l) {
    const Quat e = exponential(Vec3{{theta[l], theta[8 + l], theta[16 + l]}});
    q[l] = e.w;
    q[8 + l] = e.x;
    q[16 + l] = e.y;
    q[24 + l] = e.z;
  }
}

}  // namespace

extern const CompiledExponentials exponentials;
const CompiledExponentials exponentials{of_lanes, of_one_after_the_other};

CATENA_END_ISA
