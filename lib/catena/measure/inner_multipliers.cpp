#include <catena/math/detail/index.hpp>
#include <catena/measure/detail/inner_multipliers.hpp>

namespace catena::detail {

void InnerMultipliers::solve(State& node) {
  if (refused_) return;
  if (!consistent_) {
    refused_ = !kkt_.attach(system_, {}).empty();
    if (refused_) return;
    consistent_.emplace(system_, kkt_, node.discrete.empty() ? nullptr : node.discrete.data());
  }
  node.a.resize(node.v.size());
  node.lambda.resize(index(system_.layout().lambda_size()));
  consistent_->accelerations(node.t, node.q.data(), node.v.data(), node.a.data(), node.lambda.data());
}

}  // namespace catena::detail
