#include <catena/math/detail/index.hpp>
#include <catena/math/detail/isa_copies.hpp>
#include <catena/math/parts/threads.hpp>
#include <catena/sparse/detail/chain_ldl.hpp>

#include <algorithm>
#include <utility>

namespace catena::detail {

CATENA_ISA_COPIES(chain_kernels, const ldl::ChainKernels& chain_kernels(int rows, bool split, bool symmetric))
CATENA_ISA_COPIES(coupled_chain_kernels, const ldl::ChainKernels& coupled_chain_kernels(int rows))

const ldl::ChainKernels& ldl::chain_kernels(int rows, bool split, bool symmetric) {
  return chain_kernels_at(instruction_set())(rows, split, symmetric);
}
const ldl::ChainKernels& ldl::coupled_chain_kernels(int rows) {
  return coupled_chain_kernels_at(instruction_set())(rows);
}

ChainLdl::ChainLdl(std::shared_ptr<const BlockPattern> pattern, std::shared_ptr<const ldl::Chain> chain)
    : pattern_(std::move(pattern)),
      chain_(std::move(chain)),
      plan_(chain_->plan()),
      uncoupled_(ldl::has_chain_kernels(plan_.rows, plan_.split)
                     ? &ldl::chain_kernels(plan_.rows, plan_.split, plan_.symmetric)
                     : nullptr),
      usual_(plan_.coupled ? &ldl::coupled_chain_kernels(plan_.rows) : uncoupled_),
      kernels_(usual_),
      parts_(plan_.groups + (plan_.tail > 0 ? 1 : 0)) {
  const ldl::ChainPlan& p = plan_;
  const int segments = 8 * p.groups;
  factor_ = AlignedArray(index(usual_->place_size) * index(segments * p.places + p.tail));
  plan_.far = factor_.size() > 1024 * 1024;
  ends_ = AlignedArray(index(usual_->end_size) * index(segments + 1));
  nodes_ = AlignedArray(index(usual_->node_size) * index(p.nodes()));
  reports_.resize(index(parts_ + 1));
  numbers_.factor = factor_.data();
  numbers_.ends = ends_.data();
  numbers_.nodes = nodes_.data();
  factor_part_ = [this](int k) {
    reports_[index(k)] = {};
    kernels_->factor(plan_, numbers_, k, &reports_[index(k)]);
  };
  forward_part_ = [this](int k) { kernels_->forward(plan_, numbers_, k); };
  backward_part_ = [this](int k) { kernels_->backward(plan_, numbers_, k); };
}

bool ChainLdl::factorize(const BlockMatrix& matrix, double* x, FactorReport& report) {
  numbers_.H = matrix.H_pool();
  numbers_.C = matrix.C_pool();
  numbers_.Bt = plan_.symmetric ? nullptr : matrix.Bt_pool();
  numbers_.upper = matrix.coupling_pool();
  numbers_.lower = matrix.coupling_t_pool();
  numbers_.D = matrix.D(0);
  numbers_.proximal = matrix.proximal(0);
  numbers_.x = x;
  kernels_ = uncoupled_ != nullptr && !matrix.has_couplings() ? uncoupled_ : usual_;
  if (kernels_->can_cut != nullptr && !kernels_->can_cut(plan_, numbers_)) return false;
  parallel_for(parts_, factor_part_);
  reports_.back() = {};
  kernels_->factor_nodes(plan_, numbers_, &reports_.back());
  ldl::ChainReport all;
  double shrink = 1.0;
  for (const ldl::ChainReport& part : reports_) {
    if (!part.usual) return false;
    if (part.weak > all.weak) all = part;
    shrink = std::min(shrink, part.shrink);
  }
  report = {};
  report.pivot_growth = 1.0 / shrink;
  report.negative_pivots = pattern_->dual_dimension;
  if (all.weak_at >= 0) {
    const auto at = index(all.weak_at);
    report.weakest_dual = at < chain_->dual_before.size() ? chain_->dual_before[at] : chain_->dual_behind;
    report.weakest_dual_ratio = 1.0 / all.weak;
  }
  if (x != nullptr) sweep_backward();
  return true;
}

void ChainLdl::sweep_backward() {
  kernels_->solve_nodes(plan_, numbers_);
  parallel_for(parts_, backward_part_);
}

void ChainLdl::solve(double* x, bool transposed) {
  numbers_.x = x;
  numbers_.transposed = transposed;
  parallel_for(parts_, forward_part_);
  sweep_backward();
  numbers_.transposed = false;
}

std::size_t ChainLdl::bytes() const {
  return sizeof(double) * (factor_.size() + ends_.size() + nodes_.size());
}

}  // namespace catena::detail
