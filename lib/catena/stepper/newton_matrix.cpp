#include <catena/stepper/detail/newton_matrix.hpp>

#include <limits>

namespace catena::detail {

std::string NewtonMatrix::attach(const System& system, const KktOptions& options, bool droppable) {
  mask_.assign(static_cast<std::size_t>(system.layout().pattern->primal_count()), 0);
  proximal_ = options.proximal;
  droppable_ = droppable;
  return kkt_.attach(system, options);
}

KktReport NewtonMatrix::assess(KktReport report) const {
  constexpr double redundant = 100.0 * std::numeric_limits<double>::epsilon();
  if (report.status != Status::ok || !report.indefinite ||
      report.weakest_dual_ratio <= std::max(redundant, 2.0 * proximal_))
    return report;
  report.status = Status::singular_kkt;
  report.culprit = {"", "indefinite matrix", 0.0};
  if (report.offending_primal >= 0) report.culprit.name = kkt_.velocity_block_name(report.offending_primal);
  return report;
}

KktReport NewtonMatrix::with_fallback(KktReport report, double* x, StepperStatistics& statistics) {
  if (!kkt_.factorize_with_fallback()) {
    if (report.status == Status::ok) {
      report.status = Status::singular_kkt;
      report.culprit = {"", "matrix that no pivoting mends", 0.0};
    }
    return report;
  }
  ++statistics.factorizations;
  ++statistics.fallback_factorizations;
  kkt_.solve(x);
  report.status = Status::ok;
  report.culprit = {};
  return report;
}

}  // namespace catena::detail
