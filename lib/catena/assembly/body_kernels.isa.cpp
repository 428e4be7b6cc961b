#include <catena/assembly/detail/body_kernel.hpp>
#include <catena/assembly/detail/body_kernels.hpp>

CATENA_BEGIN_DETAIL_ISA

namespace {

void evaluate(const KernelArgs& args, const BodyGroup& group) {
  evaluate_body_group(LaneIo<Pack8>{group.count}, args, group);
}

void retract(int first, int count, const RetractArgs& args) {
  retract_group(LaneIo<Pack8>{count}, first, count, args);
}

void inverse_tangents(int first, int count, const double* increment, const double* delta, double* out) {
  inverse_tangent_group(LaneIo<Pack8>{count}, first, count, increment, delta, out);
}

void tangents(int first, int count, const double* increment, const double* delta, double* out) {
  tangent_group(LaneIo<Pack8>{count}, first, count, increment, delta, out);
}

void energies(int count, const double* inertia, const double* gravity, const double* q, const double* v,
              BodyEnergies& out) {
  energies_of_group(count, inertia, gravity, q, v, out);
}

void evaluate_scalar(const KernelArgs& args, const BodyGroup& group) {
  for (int l = 0; l < group.count; ++l) evaluate_body_group(LaneIo<double>{l}, args, group);
}

void retract_scalar(int first, int count, const RetractArgs& args) {
  for (int l = 0; l < count; ++l) retract_group(LaneIo<double>{l}, first, count, args);
}

}  // namespace

extern const BodyKernelTable body_kernel_table;
const BodyKernelTable body_kernel_table{evaluate, retract,         inverse_tangents, tangents,
                                        energies, evaluate_scalar, retract_scalar};

CATENA_END_DETAIL_ISA
