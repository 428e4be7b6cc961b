#include <catena/sparse/detail/transposed_product.hpp>
#include <catena/stepper/implicit/detail/transposed_blocks.hpp>
#include <catena/stepper/implicit/parts/step_linearization.hpp>

#include <algorithm>

namespace catena {
using namespace detail;
namespace {

constexpr int last = table_columns - 1;

TableRow known(TableRow row) {
  row.weight[last] = 0.0;
  return row;
}

}  // namespace

Outcome StepLinearization::make(const System& system, const Step& step) {
  const SystemLayout& layout = system.layout();
  if (system_ != &system) {
    KktOptions options;
    options.factorization = Factorization::ldu;
    options.border = Border::separate;
    if (std::string why = step_.attach(system, options); !why.empty())
      return failure(Status::unsupported, {std::move(why), "analysis", 0.0});
    mass_.emplace(step_.sibling());
    damping_.emplace(step_.sibling());
    system_ = &system;
    n_ = layout.v_size();
    m_ = layout.lambda_size();
    for (auto* x : {&x_, &product_, &other_}) x->assign(static_cast<std::size_t>(n_ + m_), 0.0);
    for (auto* x : {&y_, &p_, &r_, &u_, &v_n_, &back_}) x->assign(static_cast<std::size_t>(n_), 0.0);
  }
  slots_ = step.slots;
  table_ = step.table;
  weights_ = newton_weights(table_);
  row_factor_ = step.of_velocity / weights_.damping;
  velocities_only_ = step.velocities_only;
  xi_.assign(step.xi, step.xi + n_);
  for (std::size_t k = 0; k < xi_.size(); ++k) back_[k] = -xi_[k];
  const auto evaluate = [&](Linearization lin, KktSolver& into) {
    lin.matrix = &into.matrix();
    Evaluation wanted;
    wanted.linearization = &lin;
    system.evaluate(step.end, wanted);
  };
  evaluate(step.weights, step_);
  Linearization alone;
  alone.mass = 1.0;
  evaluate(alone, *mass_);
  alone.mass = 0.0;
  alone.damping = 1.0;
  evaluate(alone, *damping_);
  for (int d = 0; d < layout.pattern->dual_count(); ++d) {
    const int rows = layout.pattern->dual_size[static_cast<std::size_t>(d)];
    std::copy_n(step.compliance->D(d), rows, step_.matrix().D(d));
    std::copy_n(step.compliance->proximal(d), rows, step_.matrix().proximal(d));
  }
  offset_changed_ = step.offset.has_value();
  if (offset_changed_) {
    if (!offset_) offset_.emplace();
    Outcome outcome = offset_->make(system, step_, *step.offset);
    if (outcome.status != Status::ok) return outcome;
  }
  const KktReport report = step_.factorize();
  return failure(report.status, report.culprit);
}

// That of v_n is v as the step takes it.
void StepLinearization::columns_of(const double* before, const double** columns) {
  columns[0] = before + v();
  if (offset_changed_) {
    std::fill(v_n_.begin(), v_n_.end(), 0.0);
    offset_->apply(before + q(), before + v(), before + a(), before + a_before(), v_n_.data());
    columns[0] = v_n_.data();
  }
  columns[1] = before + a();
  columns[2] = before + a_before();
  for (int k = 0; k < slots_; ++k) columns[3 + k] = before + slot(k);
  columns[last] = u_.data();
}

// Rows at position level do not see velocities.
void StepLinearization::keep_velocity_rows(double* rows) const {
  if (velocities_only_) return;
  const BlockPattern& p = *system_->layout().pattern;
  for (int d = 0; d < p.dual_count(); ++d) {
    const auto i = static_cast<std::size_t>(d);
    if (system_->layout().level[i] == Level::position)
      std::fill_n(rows + p.dual_offset[i] - n_, p.dual_size[i], 0.0);
  }
}

void StepLinearization::apply(const double* before, double* after) {
  const double* columns[table_columns] = {};
  columns_of(before, columns);
  double* const to[3] = {y_.data(), r_.data(), p_.data()};
  TableRow rows[4] = {known(table_.increment), known(table_.velocity), known(table_.acceleration)};
  catena::apply(rows, 3, columns, 0, n_, to);
  system_->inverse_tangent(back_.data(), before + q(), u_.data());
  const double per = 1.0 / weights_.unit, of_v = weights_.damping * per;
  for (int k = 0; k < n_; ++k) {
    const auto i = static_cast<std::size_t>(k);
    y_[i] += u_[i];
    p_[i] = per * y_[i] - p_[i];
    r_[i] = of_v * y_[i] - r_[i];
  }
  std::fill(x_.begin(), x_.end(), 0.0);
  std::copy(r_.begin(), r_.end(), x_.begin());
  damping_->matrix().multiply(x_.data(), other_.data());
  std::copy(p_.begin(), p_.end(), x_.begin());
  mass_->matrix().multiply(x_.data(), product_.data());
  for (int k = 0; k < n_; ++k)
    x_[static_cast<std::size_t>(k)] =
        product_[static_cast<std::size_t>(k)] + other_[static_cast<std::size_t>(k)];
  for (int k = n_; k < n_ + m_; ++k)
    x_[static_cast<std::size_t>(k)] = row_factor_ * other_[static_cast<std::size_t>(k)];
  keep_velocity_rows(x_.data() + n_);
  step_.solve(x_.data());
  system_->inverse_tangent(xi_.data(), x_.data(), u_.data());
  for (int k = 0; k < n_; ++k) {
    const auto i = static_cast<std::size_t>(k);
    u_[i] = (weights_.unit * u_[i] - y_[i]) / table_.increment.of_unknown();
    after[q() + k] = weights_.unit * x_[i];
  }
  rows[0] = table_.velocity;
  rows[1] = table_.acceleration;
  double* const ends[2] = {after + v(), after + a()};
  catena::apply(rows, 2, columns, 0, n_, ends);
  std::copy_n(before + a(), n_, after + a_before());
  double* next[history_slots] = {};
  for (int k = 0; k < slots_; ++k) next[k] = after + slot(k);
  if (slots_ > 0) catena::apply(table_.next.data(), slots_, columns, 0, n_, next);
  std::copy_n(x_.data() + n_, m_, after + lambda());
}

void StepLinearization::transposed_tangent(const double* xi, const double* in, double* out) {
  const auto tangent = [&](const double* x, double* y) { system_->inverse_tangent(xi, x, y); };
  transposed_blocks(*system_->layout().pattern, tangent, in, product_.data(), other_.data(), out);
}

// The lines of apply() in the opposite order.
void StepLinearization::apply_transposed(const double* after, double* before) {
  std::fill(before, before + size(), 0.0);
  std::fill(u_.begin(), u_.end(), 0.0);
  std::fill(v_n_.begin(), v_n_.end(), 0.0);
  double* columns[table_columns] = {offset_changed_ ? v_n_.data() : before + v(), before + a(),
                                    before + a_before()};
  for (int k = 0; k < slots_; ++k) columns[3 + k] = before + slot(k);
  columns[last] = u_.data();
  const double* next[history_slots] = {};
  for (int k = 0; k < slots_; ++k) next[k] = after + slot(k);
  if (slots_ > 0) catena::apply_transposed(table_.next.data(), slots_, next, n_, columns);
  for (int k = 0; k < n_; ++k) {
    before[a() + k] += after[a_before() + k];
    u_[static_cast<std::size_t>(k)] +=
        table_.velocity.of_unknown() * after[v() + k] + table_.acceleration.of_unknown() * after[a() + k];
  }
  const double of_u = 1.0 / table_.increment.of_unknown();
  for (int k = 0; k < n_; ++k) {
    const auto i = static_cast<std::size_t>(k);
    p_[i] = weights_.unit * of_u * u_[i];
    y_[i] = -of_u * u_[i];
  }
  transposed_tangent(xi_.data(), p_.data(), x_.data());
  for (int k = 0; k < n_; ++k) x_[static_cast<std::size_t>(k)] += weights_.unit * after[q() + k];
  std::copy_n(after + lambda(), m_, x_.data() + n_);
  step_.solve_transposed(x_.data());
  keep_velocity_rows(x_.data() + n_);
  for (int k = n_; k < n_ + m_; ++k) x_[static_cast<std::size_t>(k)] *= row_factor_;
  multiply_transposed(damping_->matrix(), x_.data(), other_.data());
  std::copy_n(other_.data(), n_, r_.data());
  std::fill(x_.begin() + n_, x_.end(), 0.0);
  multiply_transposed(mass_->matrix(), x_.data(), product_.data());
  const double per = 1.0 / weights_.unit, of_v = weights_.damping * per;
  for (int k = 0; k < n_; ++k) {
    const auto i = static_cast<std::size_t>(k);
    const double p = product_[i], r = r_[i];
    y_[i] += per * p + of_v * r;
    r_[i] = after[v() + k] - r;
    p_[i] = after[a() + k] - p;
  }
  const TableRow rows[3] = {known(table_.increment), known(table_.velocity), known(table_.acceleration)};
  const double* const in[3] = {y_.data(), r_.data(), p_.data()};
  catena::apply_transposed(rows, 3, in, n_, columns);
  transposed_tangent(back_.data(), y_.data(), before + q());
  if (offset_changed_)
    offset_->apply_transposed(v_n_.data(), before + q(), before + v(), before + a(), before + a_before());
}

}  // namespace catena
