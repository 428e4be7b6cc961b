#include <catena/model/detail/compiled_kernels.hpp>
#include <catena/model/rows/plan.hpp>

#include <algorithm>

namespace catena::rows {
using namespace detail;
namespace {

using Compiled = CompiledKernels<double>;

// The number of the compiled stack of two kernels, -1: there is none.
template <class... K>
int number_of_stack(int first, int second, KernelList<K...>) {
  int found = -1;
  const auto look = [&]<class F, class R>(const Stack<F, R>*) {
    if (Compiled::number_of<F>() == first && Compiled::number_of<R>() == second)
      found = Compiled::number_of<Stack<F, R>>();
  };
  const auto pass = [&]<class Q>(const Q* kernel) {
    if constexpr (requires { look(kernel); }) look(kernel);
  };
  (pass(static_cast<const K*>(nullptr)), ...);
  return found;
}

}  // namespace

bool Shape::same_as(const Shape& other) const {
  const auto same_function = [](const KernelInfo& a, const KernelInfo& b) {
    return a.function == b.function;
  };
  return bodies == other.bodies && key == other.key &&
         std::equal(kernels.begin(), kernels.end(), other.kernels.begin(), other.kernels.end(),
                    same_function);
}

Plan plan_rows(const std::vector<KernelInfo>& primitives) {
  Plan plan;
  int row = 0;
  for (std::size_t k = 0; k < primitives.size(); ++k) {
    const KernelInfo& p = primitives[k];
    plan.groups.push_back({row, p.rows, plan.parameters, p.meaning});
    const int stack = k == 0 || plan.stages.back().rows != primitives[k - 1].rows
                          ? -1
                          : number_of_stack(plan.stages.back().function, p.function, Compiled{});
    if (stack >= 0) {
      Stage& last = plan.stages.back();
      last.function = stack;
      last.rows += p.rows;
      last.parameters += p.parameters;
      if (p.meaning.positions > last.positions) last.positions = p.meaning.positions;
    } else {
      plan.stages.push_back({p.function, row, p.rows, plan.parameters, p.parameters, p.meaning.positions,
                             p.meaning.points, p.targets});
    }
    row += p.rows;
    plan.parameters += p.parameters;
  }
  return plan;
}

}  // namespace catena::rows
