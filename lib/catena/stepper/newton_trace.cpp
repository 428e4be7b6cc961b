// What NewtonIteration writes into a trace.
#include <catena/sparse/detail/csc_map.hpp>
#include <catena/stepper/detail/newton_iteration.hpp>

#include <utility>
#include <vector>

namespace catena::detail {

void NewtonIteration::note_iterate() {
  std::vector<NewtonTrace::Iterate>& all = trace_->iterates;
  if (all.empty() || !all.back().correction.name.empty())
    all.emplace_back();  // else it is evaluated once more
  NewtonTrace::Iterate& iterate = all.back();
  iterate.residuals.clear();
  for (const LargestResidual& of : largest_residuals())
    iterate.residuals.push_back({kkt().owner(of.component), of.quantity, of.value});
}

void NewtonIteration::note_matrix(const KktReport& report) {
  NewtonTrace::Iterate& iterate = trace_->iterates.back();
  iterate.new_matrix = true;
  iterate.indefinite = report.indefinite;
  iterate.pivot_growth = report.pivot_growth;
  if (report.weakest_dual >= 0)
    iterate.weakest_pivot = {system_->constraint_name(report.weakest_dual), "pivot",
                             report.weakest_dual_ratio};
}

void NewtonIteration::note_failure() {
  const BlockMatrix& matrix = std::as_const(kkt()).matrix();
  const CscMap map(matrix.pattern());
  trace_->column = map.column();
  trace_->row = map.row();
  trace_->value.resize(static_cast<std::size_t>(map.nonzeros()));
  map.fill(matrix, trace_->value.data(), false);
  const BlockPattern& p = matrix.pattern();
  trace_->residual.assign(x_.size(), 0.0);
  trace_->quantity.assign(static_cast<std::size_t>(p.primal_count()), "force balance");
  const auto unscaled = [&](int first, int size, double factor) {
    for (int r = first; r < first + size; ++r)
      trace_->residual[static_cast<std::size_t>(r)] = -factor * x_[static_cast<std::size_t>(r)];
  };
  unscaled(0, p.primal_dimension, step_.force);
  for (int d = 0; d < p.dual_count(); ++d) {
    const auto i = static_cast<std::size_t>(d);
    trace_->quantity.push_back(name(row_kind_[i]));
    unscaled(p.dual_offset[i], p.dual_size[i], 1.0 / factor(row_kind_[i]));
  }
}

}  // namespace catena::detail
