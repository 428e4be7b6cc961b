#include <catena/assembly/detail/body_kernel.hpp>
#include <catena/assembly/detail/body_kernels.hpp>

CATENA_BEGIN_DETAIL_ISA

namespace {

void evaluate_scalar(const KernelArgs& args, const BodyGroup& group) {
  for (int l = 0; l < group.count; ++l) evaluate_body_group(LaneIo<double>{l}, args, group);
}

void retract_scalar(int first, int count, const RetractArgs& args) {
  for (int l = 0; l < count; ++l) retract_group(LaneIo<double>{l}, first, count, args);
}

void evaluate(const KernelArgs& args, const BodyGroup& group) {
  if (group.count <= too_few_for_lanes) return evaluate_scalar(args, group);
  evaluate_body_group(LaneIo<Pack8>{group.count}, args, group);
}

void retract(int first, int count, const RetractArgs& args) {
  if (count <= too_few_for_lanes) return retract_scalar(first, count, args);
  retract_group(LaneIo<Pack8>{count}, first, count, args);
}

void inverse_tangents(int first, int count, const double* increment, const double* delta, double* out) {
  if (count > too_few_for_lanes)
    return inverse_tangent_group(LaneIo<Pack8>{count}, first, count, increment, delta, out);
  for (int l = 0; l < count; ++l)
    inverse_tangent_group(LaneIo<double>{l}, first, count, increment, delta, out);
}

void tangents(int first, int count, const double* increment, const double* delta, double* out) {
  if (count > too_few_for_lanes)
    return tangent_group(LaneIo<Pack8>{count}, first, count, increment, delta, out);
  for (int l = 0; l < count; ++l) tangent_group(LaneIo<double>{l}, first, count, increment, delta, out);
}

void energies(int count, const double* inertia, const double* gravity, const double* q, const double* v,
              BodyEnergies& out) {
  energies_of_group(count, inertia, gravity, q, v, out);
}

}  // namespace

extern const BodyKernelTable body_kernel_table;
const BodyKernelTable body_kernel_table{evaluate, retract,         inverse_tangents, tangents,
                                        energies, evaluate_scalar, retract_scalar};

CATENA_END_DETAIL_ISA
