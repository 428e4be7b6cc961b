// What explicit steppers show their guards.
#include <catena/stepper/explicit/explicit_stepper.hpp>
#include <catena/system/detail/row_length.hpp>

#include <optional>

namespace catena {
using namespace detail;

std::optional<ExplicitStages> ExplicitStepper::stages() const {
  const std::size_t end = static_cast<std::size_t>(table_.stages());
  return ExplicitStages{.system = *system_,
                        .plain = plain_,
                        .x = x_,
                        .v = now_.v,
                        .x_taken = x_taken_,
                        .v_taken = v_taken_,
                        .weakest_pivot = equations_.weakest_pivot(),
                        .x_last = x_last_,
                        .v_last = v_last_,
                        .x_rate_last = kx_[end - 1],
                        .v_rate_last = kv_[end - 1],
                        .x_rate = kx_[end],
                        .v_rate = kv_[end],
                        .stability_boundary = adaptive() ? table_.stability_boundary : 0.0,
                        .open_length = largest_open_length(system_->layout(), point_of(now_))};
}

// All of it is written anew before it is used.
GuardWorkspace ExplicitStepper::guard_workspace() {
  GuardWorkspace workspace{equations_.work(), dense_v_[0].data(), dense_v_[1].data(),
                           before_.q.data(),  equations_.kkt(),   {},
                           statistics_};
  workspace.weights.mass = 1.0;
  return workspace;
}

}  // namespace catena
