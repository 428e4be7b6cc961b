// The step in between its ends, by the dense output of the table.
#include <catena/stepper/explicit/explicit_stepper.hpp>

#include <algorithm>
#include <cassert>
#include <utility>

namespace catena {
using namespace detail;

// For an attempt that is accepted: what its stages give. before_ follows.
void ExplicitStepper::keep(State& state, double h) {
  const std::size_t end = static_cast<std::size_t>(table_.stages());
  dense_is_complete_ = table_.dense_c.empty();
  h_dense_ = h;
  const auto dense = [&](StageRows& r, const StageRows& k, const double* from,
                         const std::vector<double>& to) {
    for (std::size_t i = 0; i < to.size(); ++i) {
      r[0][i] = to[i] - (from == nullptr ? 0.0 : from[i]);
      r[1][i] = h * k.front()[i] - r[0][i];
      r[2][i] = r[0][i] - h * k[end][i] - r[1][i];
    }
    for (std::size_t d = 0; dense_is_complete_ && d < table_.dense.size(); ++d)
      weighted_sum(table_.dense[d], k, h, nullptr, r[3 + d]);
  };
  dense(dense_x_, kx_, plain_ ? state.q.data() : nullptr, x_);
  dense(dense_v_, kv_, state.v.data(), now_.v);
}

// The stages that the dense output alone needs, of the step just taken. Where one of them has no accelerations, which the
// stages around it have, the cubic polynomial remains.
void ExplicitStepper::complete_dense_output() const {
  dense_is_complete_ = true;
  State& at = dense_stage_;
  at.discrete = before_.discrete;
  const std::size_t first = table_.a.size();
  bool found = true;
  for (std::size_t d = 0; found && d < table_.dense_c.size(); ++d) {
    at.t = before_.t + table_.dense_c[d] * h_dense_;
    weighted_sum(table_.dense_a[d], kx_, h_dense_, plain_ ? before_.q.data() : nullptr, between_);
    weighted_sum(table_.dense_a[d], kv_, h_dense_, before_.v.data(), at.v);
    if (plain_)
      std::copy(between_.begin(), between_.end(), at.q.begin());
    else
      system_->retract(before_.q.data(), between_.data(), at.q.data());
    found = equations_.accelerate_between(at).status == Status::ok;
    if (!found) break;
    if (plain_)
      system_->rate(point_of(at), kx_[first + d].data());
    else
      system_->inverse_tangent(between_.data(), at.v.data(), kx_[first + d].data());
    std::copy(at.a.begin(), at.a.end(), kv_[first + d].begin());
  }
  for (std::size_t d = 0; d < table_.dense.size(); ++d)
    for (auto [r, k] : {std::pair{&dense_x_, &kx_}, std::pair{&dense_v_, &kv_}}) {
      std::vector<double>& row = (*r)[3 + d];
      if (found)
        weighted_sum(table_.dense[d], *k, h_dense_, nullptr, row);
      else
        std::fill(row.begin(), row.end(), 0.0);
    }
}

void ExplicitStepper::interpolate(double theta, double* q, double* v) const {
  assert(has_step() && "no step was taken last");
  if (!dense_is_complete_) complete_dense_output();
  const auto value = [&](const StageRows& r, std::size_t i) {
    double sum = 0.0;
    for (std::size_t k = r.size(); k-- > 0;) sum = (k % 2 == 0 ? theta : 1.0 - theta) * (r[k][i] + sum);
    return sum;
  };
  for (std::size_t i = 0; i < now_.v.size(); ++i) v[i] = before_.v[i] + value(dense_v_, i);
  for (std::size_t i = 0; i < x_.size(); ++i) between_[i] = value(dense_x_, i);
  if (!plain_) return system_->retract(before_.q.data(), between_.data(), q);
  for (std::size_t i = 0; i < x_.size(); ++i) q[i] = before_.q[i] + between_[i];
}

}  // namespace catena
