#include <catena/assembly/detail/quaternion_kernels.hpp>

CATENA_BEGIN_DETAIL_ISA

namespace {

void velocities(int first, int count, const QuaternionPoint& from, const SixVelocities& to) {
  six_velocities(LaneIo<Pack8>{count}, first, count, from, to);
}

void balance(const QuaternionGroup& g, const QuaternionPoint& from, const double* six, double* out) {
  quaternion_balance(LaneIo<Pack8>{g.count}, g, from, six, out);
}

void blocks(const QuaternionGroup& g, const QuaternionPoint& from, const QuaternionBlocks& to) {
  quaternion_blocks(LaneIo<Pack8>{g.count}, g, from, to);
}

void lagrangian(const QuaternionGroup& g, const QuaternionPoint& from, const QuaternionLagrangian& to) {
  quaternion_lagrangian(LaneIo<Pack8>{g.count}, g, from, to);
}

void momentum(const QuaternionGroup& g, const double* q, const double* v, double* p) {
  quaternion_momentum(LaneIo<Pack8>{g.count}, g, q, v, p);
}

void velocity(const QuaternionGroup& g, const double* q, const double* p, double* v) {
  quaternion_velocity(LaneIo<Pack8>{g.count}, g, q, p, v);
}

void columns(const RowBlocks& g, const double* q, const double* v) {
  seven_columns(LaneIo<Pack8>{8}, g, q, v);
}

void norms(int first, int count, const QuaternionPoint& from, const NormRows& to) {
  norm_rows(LaneIo<Pack8>{count}, first, count, from, to);
}

}  // namespace

extern const QuaternionKernelTable quaternion_kernel_table;
const QuaternionKernelTable quaternion_kernel_table{velocities, balance,  blocks,  lagrangian,
                                                    momentum,   velocity, columns, norms};

CATENA_END_DETAIL_ISA
