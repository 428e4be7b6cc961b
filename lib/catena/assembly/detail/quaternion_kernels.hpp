// The kernels of bodies in seven coordinates of the instruction set that this machine has.
#pragma once
#include <catena/assembly/detail/quaternion_kernel.hpp>

namespace catena::detail {

struct QuaternionKernelTable {
  void (*six_velocities)(int first, int count, const QuaternionPoint& from, const SixVelocities& to);
  void (*balance)(const QuaternionGroup&, const QuaternionPoint& from, const double* six, double* out);
  void (*blocks)(const QuaternionGroup&, const QuaternionPoint& from, const QuaternionBlocks& to);
  void (*lagrangian)(const QuaternionGroup&, const QuaternionPoint& from, const QuaternionLagrangian& to);
  void (*momentum)(const QuaternionGroup&, const double* q, const double* v, double* p);
  void (*velocity)(const QuaternionGroup&, const double* q, const double* p, double* v);
  void (*seven_columns)(const RowBlocks&, const double* q, const double* v);
  void (*norm_rows)(int first, int count, const QuaternionPoint& from, const NormRows& to);
};

const QuaternionKernelTable& quaternion_kernels();

}  // namespace catena::detail
