#include <catena/kkt/detail/position_newton.hpp>
#include <catena/math/detail/index.hpp>
#include <catena/system/detail/evaluations.hpp>
#include <catena/system/detail/row_length.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace catena::detail {

KktReport look_at_gaps(const System& system, const KktSolver& kkt, const Point& at, const GapLimit& limit,
                       double* gap) {
  Evaluation wanted;
  wanted.position = gap;
  system.evaluate(at, wanted);
  const SystemLayout& layout = system.layout();
  const BlockPattern& p = *layout.pattern;
  RowLengths lengths(layout, at);
  KktReport report;
  double worst = 1.0;
  for (int d = 0; d < p.dual_count(); ++d) {
    lengths.at(d);
    for (int k = 0; k < p.dual_size[index(d)]; ++k) {
      const int row = p.dual_offset[index(d)] + k;
      const double size = std::abs(gap[row - p.primal_dimension]);
      const double allowed = limit.absolute + limit.relative * lengths[k];
      if (size <= allowed * worst || std::isnan(worst)) continue;
      worst = size / allowed;
      report.status = Status::inconsistent_start;
      report.culprit = {kkt.owner(row), "position residual", gap[row - p.primal_dimension]};
    }
  }
  return report;
}

void PositionNewton::fill(const Point& at) {
  evaluate_mass_and_rows(system_, at, kkt_.matrix());
  if (compliance_.empty()) measure_compliances();  // of the masses alone
  BlockMatrix& m = kkt_.matrix();
  const BlockPattern& p = m.pattern();
  for (int b = 0; weights != nullptr && b < p.primal_count(); ++b) {
    const BlockRef H = m.H(b);
    const double weight = (*weights)[index(b)];
    for (int e = 0; weight > 0.0 && e < H.rows * H.cols; ++e) H(e / H.cols, e % H.cols) *= weight;
  }
  for (std::size_t k = 0; k < p.incidences.size(); ++k) {
    const auto [dual, primal] = p.incidences[k];
    const bool still = weights != nullptr && (*weights)[index(primal)] == 0.0;
    if (!still && (velocity_rows || system_.layout().level[index(dual)] == Level::position)) continue;
    const BlockRef C = m.C(static_cast<int>(k));
    for (int e = 0; e < C.rows * C.cols; ++e) C(e / C.cols, e % C.cols) = 0.0;
  }
}

void PositionNewton::measure_compliances() {
  const SystemLayout& layout = system_.layout();
  const BlockPattern& p = *layout.pattern;
  compliance_.assign(index(layout.lambda_size()), 0.0);
  for (const auto& [dual, primal] : p.incidences) {
    const ConstBlockRef H = std::as_const(kkt_.matrix()).H(primal);
    const double* length = layout.scale.data() + p.primal_offset[index(primal)];
    double energy = 0.0;  // of a velocity of one size a second
    for (int j = 0; j < H.rows; ++j) energy = std::max(energy, H(j, j) * length[j] * length[j]);
    if (!(energy > 0.0)) continue;
    double* b = compliance_.data() + (p.dual_offset[index(dual)] - p.primal_dimension);
    for (int k = 0; k < p.dual_size[index(dual)]; ++k)
      b[k] += (k < layout.lengths(dual) ? length[0] * length[0] : 1.0) / energy;
  }
  for (double& b : compliance_) b = b > 0.0 ? b : 1.0;
}

double PositionNewton::merit(const std::vector<double>& gap) const {
  double sum = 0.0;
  for (std::size_t r = 0; r < gap.size(); ++r) sum += gap[r] * gap[r] / compliance_[r];
  return 0.5 * sum;
}

std::vector<double> PositionNewton::shares() const {
  const BlockPattern& p = *system_.layout().pattern;
  std::vector<double> out(index(p.dual_count()), 0.0);
  for (int d = 0; d < p.dual_count() && !compliance_.empty(); ++d)
    for (int k = 0; k < p.dual_size[index(d)]; ++k) {
      const std::size_t r = index(p.dual_offset[index(d)] - p.primal_dimension + k);
      out[index(d)] += gap_[r] * gap_[r] / compliance_[r];
    }
  return out;
}

KktReport PositionNewton::solve(double damping, double& predicted) {
  BlockMatrix& m = kkt_.matrix();
  const BlockPattern& p = m.pattern();
  kkt_.update_proximal();
  for (int d = 0; d < p.dual_count(); ++d)
    for (int k = 0; k < p.dual_size[index(d)] && !p.is_norm(d); ++k) {
      const double b = compliance_[index(p.dual_offset[index(d)] - p.primal_dimension + k)];
      double& proximal = m.proximal(d)[k];
      if (damping > 0.0) {
        m.D(d)[k] = damping * b;
        proximal = 0.0;
      } else if (proximal == 0.0) {  // nothing that moves changes this row
        m.D(d)[k] = b;
      }
    }
  KktReport report = kkt_.factorize();
  if (report.status != Status::ok) return report;
  const auto n = index(p.primal_dimension);
  x_.resize(index(p.dimension()));
  std::fill_n(x_.begin(), n, 0.0);
  std::transform(gap_.begin(), gap_.end(), x_.begin() + p.primal_dimension, [](double g) { return -g; });
  predicted = 0.0;
  if (damping == 0.0) {
    kkt_.solve_refined(x_.data());
    return report;
  }
  kkt_.solve(x_.data());  // g + G delta = D lambda
  for (std::size_t r = 0; r < gap_.size(); ++r)
    predicted += 0.5 * damping * damping * compliance_[r] * x_[n + r] * x_[n + r];
  return report;
}

KktReport PositionNewton::close(Point at, double* q, const GapLimit& limit, double& largest_change) {
  // Where rows are within this part of the mechanism's size, Newton converges quadratically, and roundoff may exceed what a
  // step takes away: every step counts. The square root of eps, as in largest_growth.
  constexpr double near = 0x1p-26;
  // Of the reduction that the linearisation promises, Newton's step must keep a tenth, so that a poor one gives way to
  // Levenberg's at once; that one a thousandth, as is usual (More 1978 has 1e-4).
  constexpr double least_of_newton = 0.1, least = 1e-3;
  constexpr double first_damping = 1e-3, smallest_damping = 1e-8, largest_damping = 1e9;
  // A promised reduction below this part of phi: stationary, to half of the digits of the gaps.
  constexpr double stationary = 1e-12;
  // More steps are not worth their time where phi falls by less than a hundredth in fifty steps: a chain of 1000 bars that must fold to
  // 0.8 of its length falls by a quarter, one of 100 that is too short by 2 % at first and ever less (measured).
  constexpr int patience = 50;
  constexpr double worth_it = 0.99;
  int looked_at = 0;
  double looked_at_merit = std::numeric_limits<double>::infinity();
  const SystemLayout& layout = system_.layout();
  const double small = near * size_of_gaps(layout);
  largest_change = 0.0;
  iterations_ = 0;
  gap_.resize(index(layout.lambda_size()));
  next_gap_.resize(gap_.size());
  next_q_.resize(index(layout.q_size));
  at.q = q;
  KktReport report = look_at_gaps(system_, kkt_, at, limit, gap_.data());
  double damping = 0.0, growth = 2.0;  // by Nielsen's rule (1999): smooth in what a step has gained
  for (; report.status != Status::ok; ++iterations_) {
    report.status = Status::newton_not_converged;
    if (iterations_ == max_iterations || !std::isfinite(report.culprit.value)) return report;
    at.q = q;
    fill(at);
    const double before = merit(gap_);
    if (iterations_ == looked_at + patience) {
      if (before > worth_it * looked_at_merit) return report;
      looked_at = iterations_;
      looked_at_merit = before;
    }
    const bool all_near =
        std::all_of(gap_.begin(), gap_.end(), [&](double g) { return std::abs(g) <= small; });
    while (true) {
      double predicted = 0.0;
      const KktReport solved = solve(damping, predicted);
      if (solved.status == Status::not_finite) return solved;
      if (damping > 0.0 && (before - predicted) * (1.0 + damping) <= stationary * before) return report;
      bool better = false;
      if (solved.status == Status::ok) {
        system_.retract(q, x_.data(), next_q_.data());
        at.q = next_q_.data();
        const KktReport next = look_at_gaps(system_, kkt_, at, limit, next_gap_.data());
        const double after = merit(next_gap_), gained = (before - after) / (before - predicted);
        better = next.status == Status::ok || (damping == 0.0 && all_near) ||
                 gained >= (damping > 0.0 ? least : least_of_newton);
        if (better) {
          report = next;
          const double off = 2.0 * std::min(gained, 1.0) - 1.0;
          damping *= std::max(1.0 / 3.0, 1.0 - off * off * off);
          if (damping < smallest_damping) damping = 0.0;
          growth = 2.0;
          break;
        }
      }
      damping = damping > 0.0 ? growth * damping : first_damping;
      growth *= 2.0;
      if (damping > largest_damping) return report;
    }
    for (int k = 0; k < layout.v_size(); ++k)
      largest_change = std::max(largest_change, std::abs(x_[index(k)]) / layout.scale[index(k)]);
    std::copy(next_q_.begin(), next_q_.end(), q);
    gap_.swap(next_gap_);
  }
  return report;
}

}  // namespace catena::detail
