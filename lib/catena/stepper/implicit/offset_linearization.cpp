#include <catena/sparse/detail/transposed_product.hpp>
#include <catena/stepper/implicit/detail/offset_linearization.hpp>
#include <catena/stepper/implicit/detail/transposed_blocks.hpp>

#include <algorithm>

namespace catena::detail {
namespace {

// into.C += part.C
void add_rows(BlockMatrix& into, const BlockMatrix& part) {
  for (std::size_t k = 0; k < into.incidence_layout().size; ++k) into.C_pool()[k] += part.C_pool()[k];
}

}  // namespace

Outcome OffsetLinearization::make(const System& system, const KktSolver& like, const OffsetChange& change) {
  const SystemLayout& layout = system.layout();
  const auto n = static_cast<std::size_t>(layout.v_size()),
             m = static_cast<std::size_t>(layout.lambda_size());
  if (system_ != &system) {
    for (auto* solver : {&projection_, &second_, &part_}) solver->emplace(like.sibling());
    system_ = &system;
    for (auto* x : {&sum_, &product_, &of_q_}) x->assign(n + m, 0.0);
    for (auto* x : {&v_, &a_, &w_, &y_, &unit_, &image_}) x->assign(n, 0.0);
  }
  grows_ = change.grows;
  of_a_ = change.of_a;
  of_a_before_ = change.of_a_before;
  of_bracket_ = change.bracket;
  std::copy_n(change.begin.v, n, v_.begin());
  std::copy_n(change.a, n, a_.begin());
  const auto evaluate = [&](const Point& at, Linearization lin, KktSolver& into) {
    lin.matrix = &into.matrix();
    Evaluation wanted;
    wanted.linearization = &lin;
    system.evaluate(at, wanted);
  };
  Linearization lin;
  lin.mass = 1.0;
  evaluate(change.begin, lin, *projection_);
  // K and the parts of N(0); then N at two other velocities.
  std::fill(w_.begin(), w_.end(), 0.0);
  Point at = change.begin;
  at.v = w_.data();
  at.a = change.x;
  at.lambda = change.mu;
  at.forces = false;
  lin.mass = 0.0;
  lin.stiffness = 1.0;
  lin.position_rows = {0.0, 0.0, grows_ - 2.0};
  lin.velocity_rows = {0.0, 0.0, -1.0};
  evaluate(at, lin, *second_);
  lin.rows_only = true;
  lin.position_rows = {0.0, 0.0, 1.0};
  lin.velocity_rows = {0.0, 0.0, 0.0};
  for (std::size_t k = 0; k < n; ++k) w_[k] = change.y[k] - change.x[k] + (grows_ - 1.0) * v_[k];
  evaluate(at, lin, *part_);
  add_rows(second_->matrix(), part_->matrix());
  if (std::find(layout.level.begin(), layout.level.end(), Level::velocity) != layout.level.end()) {
    std::swap(lin.position_rows, lin.velocity_rows);
    for (std::size_t k = 0; k < n; ++k) w_[k] = -change.x[k];
    evaluate(at, lin, *part_);
    add_rows(second_->matrix(), part_->matrix());
  }
  for (int d = 0; d < layout.pattern->dual_count(); ++d) {
    const int rows = layout.pattern->dual_size[static_cast<std::size_t>(d)];
    std::copy_n(change.compliance->D(d), rows, projection_->matrix().D(d));
    std::copy_n(change.compliance->proximal(d), rows, projection_->matrix().proximal(d));
  }
  const KktReport report = projection_->factorize();
  return failure(report.status, report.culprit);
}

// Rows at velocity level see no change of the offset.
void OffsetLinearization::keep_position_rows(double* rows) const {
  const SystemLayout& layout = system_->layout();
  const BlockPattern& p = *layout.pattern;
  for (int d = 0; d < p.dual_count(); ++d) {
    const auto i = static_cast<std::size_t>(d);
    if (layout.level[i] == Level::velocity)
      std::fill_n(rows + p.dual_offset[i] - layout.v_size(), p.dual_size[i], 0.0);
  }
}

void OffsetLinearization::apply(const double* dq, const double* dv, const double* da, const double* da_before,
                                double* v) {
  const std::size_t n = v_.size();
  system_->bracket(dv, a_.data(), w_.data());
  system_->bracket(v_.data(), da, y_.data());
  std::fill(sum_.begin(), sum_.end(), 0.0);
  for (std::size_t k = 0; k < n; ++k)
    sum_[k] =
        of_a_ * da[k] + of_a_before_ * da_before[k] + of_bracket_ * (w_[k] + y_[k]) + (grows_ - 1.0) * dv[k];
  projection_->matrix().multiply(sum_.data(), product_.data());
  keep_position_rows(product_.data() + n);
  std::copy_n(dq, n, sum_.begin());
  second_->matrix().multiply(sum_.data(), of_q_.data());
  for (std::size_t k = 0; k < n; ++k) product_[k] = -of_q_[k];
  for (std::size_t k = n; k < product_.size(); ++k) product_[k] += of_q_[k];
  projection_->solve(product_.data());
  for (std::size_t k = 0; k < n; ++k) v[k] += dv[k] + product_[k];
}

// The lines of apply() in the opposite order.
void OffsetLinearization::apply_transposed(const double* v, double* dq, double* dv, double* da,
                                           double* da_before) {
  const std::size_t n = v_.size();
  std::fill(sum_.begin(), sum_.end(), 0.0);
  std::copy_n(v, n, sum_.begin());
  projection_->solve_transposed(sum_.data());
  of_q_ = sum_;
  for (std::size_t k = 0; k < n; ++k) of_q_[k] = -of_q_[k];
  multiply_transposed(second_->matrix(), of_q_.data(), product_.data());
  for (std::size_t k = 0; k < n; ++k) dq[k] += product_[k];
  std::fill_n(sum_.begin(), n, 0.0);
  keep_position_rows(sum_.data() + n);
  multiply_transposed(projection_->matrix(), sum_.data(), product_.data());
  const BlockPattern& p = *system_->layout().pattern;
  for (std::size_t k = 0; k < n; ++k) {
    dv[k] += v[k] + (grows_ - 1.0) * product_[k];
    da[k] += of_a_ * product_[k];
    da_before[k] += of_a_before_ * product_[k];
    w_[k] = of_bracket_ * product_[k];
  }
  const auto with_a = [&](const double* x, double* out) { system_->bracket(x, a_.data(), out); };
  const auto with_v = [&](const double* x, double* out) { system_->bracket(v_.data(), x, out); };
  transposed_blocks(p, with_a, w_.data(), unit_.data(), image_.data(), y_.data());
  for (std::size_t k = 0; k < n; ++k) dv[k] += y_[k];
  transposed_blocks(p, with_v, w_.data(), unit_.data(), image_.data(), y_.data());
  for (std::size_t k = 0; k < n; ++k) da[k] += y_[k];
}

}  // namespace catena::detail
