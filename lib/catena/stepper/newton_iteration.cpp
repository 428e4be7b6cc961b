#include <catena/math/detail/array_kernels.hpp>
#include <catena/math/detail/largest.hpp>
#include <catena/stepper/detail/for_each_part.hpp>
#include <catena/stepper/detail/newton_iteration.hpp>
#include <catena/system/detail/row_length.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace catena::detail {
namespace {

// Before the name of such a residual (to_text(RunResult) then asks for no smaller step).
constexpr const char* roundoff_hint =
    "roundoff of the rows over h^2 may be more than Newton's tolerance: take a larger step, index = 2, or a "
    "larger newton_tolerance; ";

// The first constraint whose rows in the matrix hold a number that is not finite; -1: none.
int constraint_not_finite(const BlockMatrix& matrix) {
  const BlockPattern& p = matrix.pattern();
  for (std::size_t k = 0; k < p.incidences.size(); ++k) {
    const ConstBlockRef C = matrix.C(static_cast<int>(k));
    for (int i = 0; i < C.rows; ++i)
      for (int j = 0; j < C.cols; ++j)
        if (!std::isfinite(C(i, j))) return p.incidences[k].dual;
  }
  return -1;
}

}  // namespace

std::string NewtonIteration::attach(const System& system, const KktOptions& options,
                                    std::vector<RowKind> row_kind, StepperStatistics& statistics,
                                    bool droppable) {
  system_ = &system;
  statistics_ = &statistics;
  row_kind_ = std::move(row_kind);
  std::fill(std::begin(has_kind_), std::end(has_kind_), false);
  for (const RowKind k : row_kind_) has_kind_[static_cast<int>(k)] = true;
  release();
  part_rows();
  const std::vector<int>& sizes = system.layout().pattern->primal_size;
  all_six_ = std::all_of(sizes.begin(), sizes.end(), [](int size) { return size == 6; });
  not_finite_.assign(static_cast<std::size_t>(system.parts()), 0.0);
  work_ = not_finite_;
  monitor_.attach(system);
  residuals_.balance.assign(static_cast<std::size_t>(system.layout().pattern->primal_count()), 0.0);
  residuals_.inertia.assign(residuals_.balance.size(), 0.0);
  residuals_.place.assign(system.layout().place_rows.size(), 0.0);
  residuals_.open.assign(system.layout().open_rows.size(), 0.0);
  return matrix_.attach(system, options, droppable);
}

void NewtonIteration::allocate() {
  const auto m = static_cast<std::size_t>(system_->layout().lambda_size());
  x_.assign(static_cast<std::size_t>(v_size()) + m, 0.0);
  std::size_t kinds = 0;
  for (const bool has : has_kind_) kinds += has ? 1 : 0;
  for (std::size_t k = 0; k < 2; ++k) other_rows_[k].assign(kinds > k + 1 ? m : 0, 0.0);
}

void NewtonIteration::release() {
  x_ = std::vector<double>();  // = {} would keep the memory
  for (auto& rows : other_rows_) rows = {};
  closing_ = std::vector<double>();
}

void NewtonIteration::measure_inertia(const double* q) {
  const BlockPattern& p = *system_->layout().pattern;
  const std::vector<double>& scale = system_->layout().scale;
  for (int k = 0; k < p.primal_count(); ++k) {
    const ConstBlockRef H = std::as_const(kkt().matrix()).H(k);
    const int offset = p.primal_offset[static_cast<std::size_t>(k)];
    double largest = 0.0;
    for (int i = 0; i < H.rows; ++i) {
      const double reach = q == nullptr ? 0.0 : std::abs(q[offset + i]);
      largest = std::max(largest, std::abs(H(i, i)) * (scale[static_cast<std::size_t>(offset + i)] + reach));
    }
    residuals_.inertia[static_cast<std::size_t>(k)] = largest;
  }
}

void NewtonIteration::begin(const NewtonStep& step) {
  step_ = step;
  residuals_.inertia_unit = step.unit;
  monitor_.begin_step(step.options, step.contraction, step.discrete);
  monitor_.foresee(step.foreseen, step.weights.damping / step.unit);
  rescued_ = matrix_.set_pivoting(false);
  refresh_ = !step.keep_matrix;
  iterating_ = true;
  closing_due_ = settling_due_ = false;
  softness_ = 0.0;
  residuals_failed_ = false;
  q_ = nullptr;
  outcome_ = {};
}

// A compliance D leaves the gap f g = D lambda in the rows that motion can close. With x_1 = A^-1 (0, -D lambda), x_2 =
// A^-1 (0, -D lambda_1), ..., lambda_j the multipliers in x_j, those rows shrink by r = D / (S + D) from one to the
// next, S = C H^-1 B, while the part of lambda that redundant rows leave open stays what it is. So
// x_1 + ... + x_(k-1) - (k - 1) x_k leaves k r^(k-1) - (k - 1) r^k <= 1 of the gap, and the open part alone; the
// balance does not change, because the first rows of every A x_j are zero. The differences lambda_j - lambda_(j-1), which
// the open part leaves, shrink by r as well: by that of the softest rows in the end.
bool NewtonIteration::close_rows() {
  const PhaseTimer timer(statistics_->seconds_solve);
  closing_due_ = false;
  settling_due_ = step_.settle;
  const BlockPattern& p = *system_->layout().pattern;
  if (closing_.empty()) closing_.resize(x_.size() + static_cast<std::size_t>(p.dual_dimension));
  double* const last = closing_.data() + x_.size();
  double change = 0.0, change_before = 0.0;
  const double* lambda = step_.lambda;
  const int solves = step_.closing_solves;
  for (int k = 1; k <= solves; ++k) {
    double* rows = x_.data() + v_size();
    for (int d = 0; d < p.dual_count(); ++d) {
      const auto i = static_cast<std::size_t>(d);
      const int first = p.dual_offset[i] - p.primal_dimension;
      const double* D = kkt().matrix().D(d) - first;
      for (int r = first; r < first + p.dual_size[i]; ++r) {
        last[r] = k == 1 ? lambda[r] : rows[r];
        rows[r] = -D[r] * last[r];
      }
    }
    std::fill(x_.begin(), x_.begin() + v_size(), 0.0);
    kkt().solve(x_.data());
    ++statistics_->solves;
    change_before = change;
    change = array_kernels().largest_difference(rows, last, p.dual_dimension);
    const double weight = k < solves ? 1.0 : -(solves - 1.0);
    for (std::size_t j = 0; j < x_.size(); ++j) closing_[j] = (k == 1 ? 0.0 : closing_[j]) + weight * x_[j];
  }
  std::copy_n(closing_.begin(), x_.size(), x_.begin());
  softness_ = change > 0.0 ? change / change_before : 0.0;
  return true;
}

double NewtonIteration::factor(RowKind kind) const {
  return kind == RowKind::position   ? step_.position_factor
         : kind == RowKind::velocity ? step_.velocity_factor
                                     : step_.acceleration_factor;
}

const char* NewtonIteration::name(RowKind kind) const {
  return kind == RowKind::position   ? "position residual"
         : kind == RowKind::velocity ? "velocity residual"
                                     : "acceleration residual";
}

// Rows of the first kind that there is go straight to their place in x.
Evaluation NewtonIteration::wanted(Linearization* linearization) {
  Evaluation e;
  e.balance = x_.data();
  e.linearization = linearization;
  double* const place[3] = {x_.data() + v_size(), other_rows_[0].data(), other_rows_[1].data()};
  int next = 0;
  double* to[3] = {nullptr, nullptr, nullptr};
  for (int kind = 0; kind < 3; ++kind)
    if (has_kind_[kind]) to[kind] = place[next++];
  e.position = to[0];
  e.velocity = to[1];
  e.acceleration = to[2];
  return e;
}

void NewtonIteration::part_rows() {
  const SystemLayout& layout = system_->layout();
  const BlockPattern& p = *layout.pattern;
  runs_.clear();
  const auto add = [&](const RowRun& run) {
    if (run.first == run.last) return;
    const bool alike = !runs_.empty() && !run.alone() && !runs_.back().alone() &&
                       runs_.back().kind == run.kind && runs_.back().cosines == run.cosines &&
                       runs_.back().last == run.first;
    if (alike)
      runs_.back().last = run.last;
    else
      runs_.push_back(run);
  };
  std::vector<int> place(row_kind_.size(), -1), open = place;
  for (std::size_t k = 0; k < layout.place_rows.size(); ++k)
    place[static_cast<std::size_t>(layout.place_rows[k].dual)] = static_cast<int>(k);
  for (std::size_t k = 0; k < layout.open_rows.size(); ++k)
    open[static_cast<std::size_t>(layout.open_rows[k].dual)] = static_cast<int>(k);
  for (int d = 0; d < p.dual_count(); ++d) {
    const auto i = static_cast<std::size_t>(d);
    const RowKind kind = row_kind_[i];
    const bool of_position = kind == RowKind::position;
    const int first = p.dual_offset[i] - p.primal_dimension, last = first + p.dual_size[i];
    int cosines = last;
    if (!of_position)
      place[i] = open[i] = -1;
    else
      cosines =
          first + (open[i] >= 0 ? open_count(layout, layout.open_rows[static_cast<std::size_t>(open[i])])
                                : layout.lengths(d));
    add({first, cosines, kind, false, place[i], open[i]});
    add({cosines, last, kind, true, -1, -1});
  }
}

// Residuals become right-hand sides; their largest are kept.
void NewtonIteration::collect() {
  const bool balance = collect_balance(), rows = collect_rows();
  residuals_.finite = balance && rows;
}

// False where a number is not finite.
bool NewtonIteration::collect_balance() {
  const BlockPattern& p = *system_->layout().pattern;
  const ArrayKernels& kernels = array_kernels();
  for_each_part(*system_, [&](const SystemPart& part) {
    double* const x = x_.data();
    const auto number = static_cast<std::size_t>(part.number);
    not_finite_[number] = kernels.negate(x + part.first, part.last - part.first);
    if (step_.options.foresee)
      work_[number] = kernels
                          .largest_scaled(x + part.first, system_->layout().scale.data() + part.first, 1.0,
                                          part.last - part.first)
                          .value;
    if (all_six_) {
      kernels.largest_of_sixes(x + part.first, part.last_block - part.first_block,
                               residuals_.balance.data() + part.first_block);
      return;
    }
    for (int k = part.first_block; k < part.last_block; ++k) {
      const auto i = static_cast<std::size_t>(k);
      residuals_.balance[i] = largest_of(x + p.primal_offset[i], p.primal_size[i]);
    }
  });
  residuals_.work = largest_of(work_);
  return std::all_of(not_finite_.begin(), not_finite_.end(), [](double sum) { return sum == 0.0; });
}

bool NewtonIteration::collect_rows() {
  const double* lambda = step_.lambda;
  double* rows = x_.data() + v_size();
  const Evaluation from = wanted(nullptr);
  const double* const of_kind[3] = {from.position, from.velocity, from.acceleration};
  double worst[3] = {0.0, 0.0, 0.0}, worst_cosine = 0.0, not_finite = 0.0;
  if (!runs_.empty()) {
    const double* D = kkt().matrix().D(0);
    for (const RowRun& run : runs_) {
      const double f = factor(run.kind);
      const double* of = of_kind[static_cast<int>(run.kind)];
      constexpr int width = 8;
      double most[width] = {}, sum[width] = {};
      const auto take = [&](int r, int l) {
        const double x = f * of[r] - D[r] * lambda[r];
        most[l] = std::max(most[l], std::abs(x));
        sum[l] += x - x;
        rows[r] = -x;
      };
      int r = run.first;
      for (; r + width <= run.last; r += width)
        for (int l = 0; l < width; ++l) take(r + l, l);
      for (; r < run.last; ++r) take(r, 0);
      const double largest = *std::max_element(most, most + width) / f;
      not_finite += std::accumulate(sum, sum + width, 0.0);
      if (run.place >= 0)
        residuals_.place[static_cast<std::size_t>(run.place)] = largest;
      else if (run.open >= 0)
        residuals_.open[static_cast<std::size_t>(run.open)] = largest;
      else if (run.cosines)
        worst_cosine = std::max(worst_cosine, largest);
      else
        worst[static_cast<int>(run.kind)] = std::max(worst[static_cast<int>(run.kind)], largest);
    }
  }
  residuals_.position = worst[0];
  residuals_.cosine = worst_cosine;
  residuals_.velocity = std::max(worst[1], step_.h * worst[2]);
  return not_finite == 0.0;
}

void NewtonIteration::assess(const double* q, const double* v, const double* lambda) {
  if (!iterating_) return;  // that was close_rows() or settle()
  q_ = q;
  const NewtonMonitor::Verdict verdict =
      monitor_.observe(x_.data(), step_.unit, q, v, lambda, residuals_, refreshed_);
  iterating_ = verdict == NewtonMonitor::Verdict::iterate || verdict == NewtonMonitor::Verdict::refresh;
  refresh_ = verdict == NewtonMonitor::Verdict::refresh || rescued_;
  closing_due_ = verdict == NewtonMonitor::Verdict::converged && step_.closing_solves > 0;
  if (monitor_.iterations() == 1) first_correction_ = monitor_.correction();
  if (trace_ != nullptr && !trace_->iterates.empty())
    trace_->iterates.back().correction = {kkt().owner(monitor_.worst_component(x_.data())),
                                          "Newton correction", monitor_.correction()};
  if (verdict != NewtonMonitor::Verdict::failed || rescue()) return;
  const double correction = monitor_.correction();
  if (!std::isfinite(correction)) {
    failed(Status::not_finite,
           {kkt().owner(monitor_.worst_component(x_.data())), "Newton correction", correction});
    return;
  }
  if (rows_depend(true)) return;
  residuals_failed_ = true;
  failed(Status::newton_not_converged, {});
}

// An iteration that ran out of its iterations, but did not run away, continues with the whole matrix at every
// iterate, by pivoting: what stagnates is mostly a quasi-Newton matrix (a symmetric part, stiffness left out).
bool NewtonIteration::rescue() {
  if (rescued_ || !(monitor_.correction() <= first_correction_)) return false;
  rescued_ = matrix_.set_pivoting(true);
  if (!rescued_) return false;
  ++statistics_->stagnations;
  monitor_.begin_step(step_.options, step_.contraction, step_.discrete);
  iterating_ = refresh_ = true;
  return true;
}

bool NewtonIteration::rows_depend(bool newton_failed) {
  if (step_.dependent_rows == nullptr) return false;
  Outcome found = step_.dependent_rows->assess(factored_, newton_failed);
  return found.status != Status::ok && !failed(found.status, std::move(found.culprit));
}

std::vector<NewtonIteration::LargestResidual> NewtonIteration::largest_residuals() const {
  const SystemLayout& layout = system_->layout();
  const BlockPattern& p = *layout.pattern;
  double force = 0.0, length = 0.0;
  for (int k = 0; k < p.dual_dimension; ++k) force = std::max(force, std::abs(step_.lambda[k]));
  for (const double x : layout.scale) length = std::max(length, x);
  if (force == 0.0) force = 1.0;
  LargestResidual balance{-1, "force balance", 0.0, step_.force * force}, of_kind[3] = {};
  for (int kind = 0; kind < 3; ++kind)
    of_kind[kind] = {-1, name(static_cast<RowKind>(kind)), 0.0, length / std::pow(step_.h, kind)};
  const auto size = [](double x) {
    return std::isfinite(x) ? std::abs(x) : std::numeric_limits<double>::infinity();
  };
  const auto look_at = [&](LargestResidual& largest, int component, double factor) {
    const double x = -factor * x_[static_cast<std::size_t>(component)];
    if (largest.component >= 0 && size(x) <= size(largest.value)) return;
    largest.component = component;
    largest.value = x;
  };
  for (int k = 0; k < layout.v_size(); ++k) look_at(balance, k, step_.force);
  for (int d = 0; d < p.dual_count(); ++d) {
    const auto i = static_cast<std::size_t>(d);
    const RowKind kind = row_kind_[i];
    for (int r = p.dual_offset[i]; r < p.dual_offset[i] + p.dual_size[i]; ++r)
      look_at(of_kind[static_cast<int>(kind)], r, 1.0 / factor(kind));
  }
  std::vector<LargestResidual> found;
  for (const LargestResidual& largest : {balance, of_kind[0], of_kind[1], of_kind[2]})
    if (largest.component >= 0) found.push_back(largest);
  return found;
}

// The worst of them, each relative to what its kind is made of: forces to the largest multiplier, rows to the size of a
// body. The first that is not finite wins.
Culprit NewtonIteration::worst_residual() const {
  // G^T lambda carries what is wrong with a Jacobian into the balance of its bodies, which are not the cause.
  const int broken = residuals_.finite ? -1 : constraint_not_finite(std::as_const(kkt()).matrix());
  if (broken >= 0)
    return {system_->constraint_name(broken), "Jacobian", std::numeric_limits<double>::quiet_NaN()};
  double largest = -1.0;
  LargestResidual worst{0, "", 0.0, 1.0};
  for (const LargestResidual& of : largest_residuals()) {
    const double size =
        std::isfinite(of.value) ? std::abs(of.value) / of.unit : std::numeric_limits<double>::infinity();
    if (size <= largest) continue;
    largest = size;
    worst = of;
  }
  const std::string hint = nearly_roundoff(worst) ? roundoff_hint : "";
  return {kkt().owner(worst.component), hint + worst.quantity, worst.value};
}

// Whether it is a position row that has a few times the roundoff which would have ended the iteration.
bool NewtonIteration::nearly_roundoff(const LargestResidual& worst) const {
  constexpr double few = 16.0, units = 4.0 * std::numeric_limits<double>::epsilon();
  const SystemLayout& layout = system_->layout();
  if (q_ == nullptr || worst.component < layout.v_size()) return false;
  const int d = layout.pattern->block_of(worst.component);
  if (row_kind_[static_cast<std::size_t>(d)] != RowKind::position) return false;
  RowLengths lengths(layout, {.q = q_, .discrete = step_.discrete});
  lengths.at(d);
  const int row = worst.component - layout.pattern->dual_offset[static_cast<std::size_t>(d)];
  return std::abs(worst.value) <= few * units * lengths[row];
}

}  // namespace catena::detail
