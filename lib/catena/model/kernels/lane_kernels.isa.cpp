// Order: enum LaneKernel.
#include <catena/model/constraint_evaluation.hpp>
#include <catena/model/force_evaluation.hpp>
#include <catena/model/kernels/disc_contact.hpp>
#include <catena/model/kernels/distance.hpp>
#include <catena/model/kernels/knife_edge.hpp>
#include <catena/model/kernels/lane_kernels.hpp>
#include <catena/model/kernels/revolute.hpp>
#include <catena/model/kernels/rolling_disc.hpp>
#include <catena/model/kernels/spherical.hpp>
#include <catena/model/kernels/spring_damper.hpp>

CATENA_BEGIN_ISA

namespace {

template <template <class> class K, class S>
void evaluate(const LaneIo<S>& io, const KernelArgs& args, const ElementGroup& group) {
  const K<S> kernel = K<S>::load(io, group.parameters);
  if constexpr (requires { K<S>::rows; })
    evaluate_constraint_group(kernel, io, args, group);
  else
    evaluate_force_group(kernel, io, args, group);
}

template <template <class> class K>
void in_lanes(const KernelArgs& args, const ElementGroup& group) {
  evaluate<K>(LaneIo<Pack8>{group.count}, args, group);
}
template <template <class> class K>
void one_by_one(const KernelArgs& args, const ElementGroup& group) {
  for (int i = 0; i < K<double>::bodies; ++i)
    for (int l = 0; l < group.count; ++l) evaluate<K>(LaneIo<double>{l, i}, args, group);
}

}  // namespace

extern const LaneKernelTable lane_kernel_table;
const LaneKernelTable lane_kernel_table = {
    {in_lanes<SphericalKernel>, in_lanes<RevoluteKernel>, in_lanes<DistanceKernel>,
     in_lanes<SpringDamperKernel>, in_lanes<KnifeEdgeKernel>, in_lanes<DiscContactKernel>,
     in_lanes<RollingDiscKernel>},
    {one_by_one<SphericalKernel>, one_by_one<RevoluteKernel>, one_by_one<DistanceKernel>,
     one_by_one<SpringDamperKernel>, one_by_one<KnifeEdgeKernel>, one_by_one<DiscContactKernel>,
     one_by_one<RollingDiscKernel>}};

CATENA_END_ISA
