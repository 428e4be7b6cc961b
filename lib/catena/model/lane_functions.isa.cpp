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

template <class K>
void in_lanes(const KernelArgs& args, const ElementGroup& group) {
  evaluate_kernel<K>(LaneIo<Pack8>{group.count}, args, group);
}
template <class K>
void one_by_one(const KernelArgs& args, const ElementGroup& group) {
  for (int i = 0; i < K::bodies; ++i)
    for (int l = 0; l < group.count; ++l) evaluate_kernel<K>(LaneIo<double>{l, i}, args, group);
}

template <class List>
struct Functions;
template <class... K>
struct Functions<KernelList<K...>> {
  static constexpr GroupFunction lanes_at_once[sizeof...(K)] = {in_lanes<K>...};
  static constexpr GroupFunction lane_by_lane[sizeof...(K)] = {one_by_one<K>...};
};

}  // namespace

extern const LaneFunctions lane_function_table;
const LaneFunctions lane_function_table = {CompiledKernels<Pack8>::count,
                                           Functions<CompiledKernels<Pack8>>::lanes_at_once,
                                           Functions<CompiledKernels<double>>::lane_by_lane};

CATENA_END_DETAIL_ISA
