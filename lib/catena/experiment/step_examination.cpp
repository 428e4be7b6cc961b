#include <catena/experiment/detail/step_examination.hpp>
#include <catena/kkt/consistent.hpp>
#include <catena/kkt/kkt_solver.hpp>
#include <catena/sparse/detail/csc_map.hpp>
#include <catena/system/detail/evaluations.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace catena::detail {
namespace {

// Rows that lose a rank leave a singular value of the square of their distance from there, in a matrix without stiffness.
constexpr double null_ratio_of_beginning = 1e-8;

std::size_t at(int k) { return static_cast<std::size_t>(k); }

Culprit largest_of(const NamedBlock& block, const char* quantity, const std::vector<double>& residual) {
  Culprit worst{block.name, quantity, 0.0};
  for (int r = block.first; r < block.first + block.size; ++r) {
    const double x = residual[at(r)];
    if (std::isnan(x) || std::abs(x) > std::abs(worst.value)) worst.value = x;
    if (std::isnan(x)) break;
  }
  return worst;
}

// Some processors make -nan.
std::string shown(double x) { return fmt::format("{:.2e}", std::isnan(x) ? std::abs(x) : x); }

// The iterates as a table: which one, its matrix, the largest residual of each kind and the largest correction, with names.
class IterateTable {
 public:
  explicit IterateTable(const NewtonTrace::Iterate& first) {
    head_ = {"iterate", "matrix"};
    for (const Culprit& of : first.residuals) head_.push_back(of.quantity);
    head_.emplace_back("corrected by, of its size");
  }
  void add(int number, const NewtonTrace::Iterate& iterate) {
    const bool solved = !iterate.correction.name.empty() || iterate.new_matrix;
    std::vector<std::string> row{std::to_string(number), !solved              ? ""
                                                         : iterate.indefinite ? "indefinite"
                                                         : iterate.new_matrix ? "new"
                                                                              : "kept"};
    for (const Culprit& of : iterate.residuals) row.push_back(shown(of.value) + " " + of.name);
    row.resize(head_.size() - 1);
    const Culprit& by = iterate.correction;
    row.push_back(by.name.empty() ? "" : shown(by.value) + " " + by.name);
    rows_.push_back(std::move(row));
  }
  void leave_out(int count) { rows_.push_back({"...", fmt::format("{} more", count)}); }

  void print(std::vector<std::string>& lines) {
    rows_.insert(rows_.begin(), head_);
    std::vector<std::size_t> width(head_.size(), 0);
    for (const std::vector<std::string>& row : rows_)
      for (std::size_t k = 0; k < row.size(); ++k) width[k] = std::max(width[k], row[k].size());
    for (const std::vector<std::string>& row : rows_) {
      std::string line;
      for (std::size_t k = 0; k < row.size(); ++k) line += fmt::format("  {:<{}}", row[k], width[k]);
      line.erase(line.find_last_not_of(' ') + 1);
      lines.push_back(std::move(line));
    }
  }

 private:
  std::vector<std::string> head_;
  std::vector<std::vector<std::string>> rows_;
};

// [M G^T; G] with its proximal term, the force balance and what the rows hold, where the step begins.
void look_at_beginning(const System& system, const State& state, StepExamination& found) {
  KktSolver kkt;
  if (!kkt.attach(system, {}).empty()) return;
  const SystemLayout& layout = system.layout();
  NewtonTrace& trace = found.trace;
  std::vector<double> a(at(layout.v_size())), lambda(at(layout.lambda_size()));
  Point point = point_of(state);
  const bool balanced = ConsistentValues(system, kkt, state.discrete.data())
                            .accelerations(state.t, state.q.data(), state.v.data(), a.data(), lambda.data())
                            .status == Status::ok;
  if (balanced) {
    point.a = a.data();
    point.lambda = lambda.data();
  }
  evaluate_mass_and_rows(system, point, kkt.matrix());
  kkt.update_proximal();
  const BlockMatrix& matrix = std::as_const(kkt).matrix();
  const CscMap map(matrix.pattern());
  trace.column = map.column();
  trace.row = map.row();
  trace.value.resize(at(map.nonzeros()));
  map.fill(matrix, trace.value.data(), false);
  trace.residual.assign(at(kkt.dimension()), 0.0);
  std::vector<double> rates(at(layout.lambda_size()));
  Evaluation wanted;
  wanted.balance = trace.residual.data();
  wanted.position = trace.residual.data() + layout.v_size();
  wanted.velocity = rates.data();
  system.evaluate(point, wanted);
  const BlockPattern& p = *layout.pattern;
  trace.quantity.assign(at(p.primal_count()), balanced ? "force balance" : "force without accelerations");
  for (int d = 0; d < p.dual_count(); ++d) {
    const bool velocity = layout.level[at(d)] == Level::velocity;
    trace.quantity.push_back(velocity ? "velocity residual" : "position residual");
    const int first = p.dual_offset[at(d)];
    for (int r = first; velocity && r < first + p.dual_size[at(d)]; ++r)
      trace.residual[at(r)] = rates[at(r - layout.v_size())];
  }
  KktReport report = kkt.factorize();
  kkt.find_weakest_row(report);
  if (report.weakest_dual >= 0)
    found.weakest_pivot = {system.constraint_name(report.weakest_dual), "pivot", report.weakest_dual_ratio};
  found.of_beginning = true;
}

}  // namespace

std::vector<NamedBlock> blocks_of(const System& system) {
  const BlockPattern& p = *system.layout().pattern;
  std::vector<NamedBlock> blocks;
  for (int k = 0; k < p.primal_count(); ++k)
    blocks.push_back({system.velocity_block_name(k), p.primal_offset[at(k)], p.primal_size[at(k)]});
  for (int d = 0; d < p.dual_count(); ++d)
    blocks.push_back({system.constraint_name(d), p.dual_offset[at(d)], p.dual_size[at(d)]});
  return blocks;
}

std::string shares_by_name(const std::vector<NamedBlock>& blocks, const std::vector<double>& share) {
  std::vector<std::pair<double, const NamedBlock*>> sums;
  double all = 0.0;
  for (const NamedBlock& block : blocks) {
    double sum = 0.0;
    for (int k = block.first; k < block.first + block.size; ++k) sum += share[at(k)];
    sums.emplace_back(sum, &block);
    all += sum;
  }
  std::stable_sort(sums.begin(), sums.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::string text;
  double named = 0.0;
  constexpr std::size_t most = 5;
  for (std::size_t k = 0; k < std::min(most, sums.size()) && named < 0.9 * all; ++k) {
    text +=
        fmt::format("{}{} {:.0f} %", k == 0 ? "" : ", ", sums[k].second->name, 100.0 * sums[k].first / all);
    named += sums[k].first;
  }
  return text;
}

StepExamination examine_step(const System& system, Stepper& stepper, const State& state, double h,
                             bool start) {
  StepExamination found{.start = start, .t = state.t, .h = h};
  State copy = state;
  found.traced = stepper.trace(&found.trace);
  try {
    found.outcome = start ? stepper.start(copy, h) : stepper.step(copy, h);
  } catch (...) {
    stepper.trace(nullptr);
    throw;
  }
  stepper.trace(nullptr);
  const NewtonTrace& trace = found.trace;
  if (trace.residual.empty() && found.outcome.status != Status::ok) look_at_beginning(system, state, found);
  if (trace.residual.empty()) return found;
  const std::vector<NamedBlock> blocks = blocks_of(system);
  for (std::size_t k = 0; k < blocks.size(); ++k)
    found.residuals.push_back(largest_of(blocks[k], trace.quantity[k], trace.residual));
  const bool finite =
      std::all_of(trace.value.begin(), trace.value.end(), [](double x) { return std::isfinite(x); });
  if (finite && static_cast<int>(trace.column.size()) <= most_diagnosed + 1)
    found.matrix = diagnose(trace.column, trace.row, trace.value,
                            found.of_beginning ? null_ratio_of_beginning : null_ratio);
  return found;
}

std::vector<std::string> lines_of(const System& system, const StepExamination& examined, int iterates) {
  std::vector<std::string> lines;
  const Outcome& outcome = examined.outcome;
  lines.push_back(fmt::format("{} t = {} s, of {:.6g} s: {}",
                              examined.start ? "the start at" : "the step from", examined.t, examined.h,
                              to_string(outcome.status)));
  const std::vector<NewtonTrace::Iterate>& all = examined.trace.iterates;
  const int count = static_cast<int>(all.size());
  if (count > 0 && iterates > 0) {
    IterateTable table(all.front());
    for (int k = 0; k < count; ++k) {
      if (k < (iterates + 1) / 2 || k >= count - iterates / 2)
        table.add(k + 1, all[at(k)]);
      else if (k == (iterates + 1) / 2)
        table.leave_out(count - iterates);
    }
    table.print(lines);
  }
  if (!examined.traced) lines.emplace_back("  this method has no iteration of Newton that can be shown");
  if (examined.of_beginning) {
    std::string line = "  where the step begins:";
    const Culprit* worst[2] = {nullptr, nullptr};  // of the bodies, of the joints
    const int bodies = system.layout().pattern->primal_count();
    for (std::size_t k = 0; k < examined.residuals.size(); ++k) {
      const Culprit*& of = worst[static_cast<int>(k) < bodies ? 0 : 1];
      if (of == nullptr || !(std::abs(examined.residuals[k].value) <= std::abs(of->value)))
        of = &examined.residuals[k];
    }
    for (const Culprit* of : worst)
      if (of != nullptr) line += fmt::format(" {} {} of {};", of->quantity, shown(of->value), of->name);
    line.pop_back();
    lines.push_back(std::move(line));
  }
  const auto pivoted = std::find_if(
      all.rbegin(), all.rend(), [](const NewtonTrace::Iterate& i) { return !i.weakest_pivot.name.empty(); });
  const Culprit& pivot = pivoted != all.rend() ? pivoted->weakest_pivot : examined.weakest_pivot;
  if (!pivot.name.empty())
    lines.push_back(
        fmt::format("  weakest pivot of the rows: {:.2e} of its scale, {}", pivot.value, pivot.name));
  if (outcome.status == Status::ok || examined.trace.column.empty()) return lines;
  if (!examined.matrix) {
    const auto size = static_cast<int>(examined.trace.column.size()) - 1;
    lines.push_back(size > most_diagnosed
                        ? fmt::format("  the matrix has {} unknowns; null vectors are looked for up to {}",
                                      size, most_diagnosed)
                        : "  the matrix holds a number that is not finite");
    return lines;
  }
  const MatrixDiagnosis& matrix = *examined.matrix;
  lines.push_back(fmt::format("  condition of the matrix{}, with rows and columns scaled: {:.1e}",
                              examined.of_beginning ? " of masses and rows" : "", matrix.condition));
  const std::vector<NamedBlock> blocks = blocks_of(system);
  constexpr std::size_t most = 2;
  for (std::size_t k = 0; k < std::min(most, matrix.null.size()); ++k)
    lines.push_back(fmt::format("  singular value {:.1e} along {}", matrix.null[k].singular_value,
                                shares_by_name(blocks, matrix.null[k].share)));
  if (matrix.null.size() > most) lines.push_back(fmt::format("  ... {} more", matrix.null.size() - most));
  return lines;
}

}  // namespace catena::detail
