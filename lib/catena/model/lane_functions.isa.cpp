#include <catena/model/detail/compiled_kernels.hpp>
#include <catena/model/detail/constraint_evaluation.hpp>
#include <catena/model/detail/force_evaluation.hpp>
#include <catena/model/detail/lane_functions.hpp>

CATENA_BEGIN_DETAIL_ISA

namespace {

template <class K, class S>
void evaluate_kernel(const LaneIo<S>& io, const KernelArgs& args, const ElementGroup& group) {
  K kernel = K::load(io, group.parameters);
  if constexpr (requires { kernel.read_discrete(io, args.discrete, 0); })
    if (args.discrete != nullptr) kernel.read_discrete(io, args.discrete, group.discrete_at);
  if constexpr (requires { kernel.read_targets(io, args.targets); }) kernel.read_targets(io, args.targets);
  if constexpr (requires { K::rows; })
    evaluate_constraint_group(kernel, io, args, group);
  else
    evaluate_force_group(kernel, io, args, group);
}

// In lanes; an element alone by the kernel over numbers, which has the same bits (lane_io.hpp).
template <class InLanes, class OverNumbers>
void at_once(const KernelArgs& args, const ElementGroup& group) {
  if (too_few_for_lanes > 0 && group.count == 1)
    return evaluate_kernel<OverNumbers>(LaneIo<double>{0}, args, group);
  evaluate_kernel<InLanes>(LaneIo<Pack8>{group.count}, args, group);
}
template <class K>
void one_by_one(const KernelArgs& args, const ElementGroup& group) {
  for (int i = 0; i < K::bodies; ++i)
    for (int l = 0; l < group.count; ++l) evaluate_kernel<K>(LaneIo<double>{l, i}, args, group);
}

template <class InLanes, class OverNumbers>
struct Functions;
template <class... K, class... N>
struct Functions<KernelList<K...>, KernelList<N...>> {
  static constexpr GroupFunction lanes_at_once[sizeof...(K)] = {at_once<K, N>...};
  static constexpr GroupFunction lane_by_lane[sizeof...(N)] = {one_by_one<N>...};
};
using OfAll = Functions<CompiledKernels<Pack8>, CompiledKernels<double>>;

}  // namespace

extern const LaneFunctions lane_function_table;
const LaneFunctions lane_function_table = {CompiledKernels<Pack8>::count, OfAll::lanes_at_once,
                                           OfAll::lane_by_lane};

CATENA_END_DETAIL_ISA
