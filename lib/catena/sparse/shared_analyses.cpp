#include <catena/sparse/detail/shared_analyses.hpp>

#include <algorithm>
#include <utility>

namespace catena::detail {
namespace {

// A sweep over sizes comes back to each of them; steppers have one or two patterns a system.
constexpr std::size_t most_entries = 16;
// An analysis of more blocks takes tens of megabytes, and its share in a run does not grow with them.
constexpr int most_blocks = 20'000;

thread_local SharedAnalyses* innermost = nullptr;

// Each names all members, so that one more does not compile here.
bool same(const SolverOptions& a, const SolverOptions& b) {
  const auto& [factorization, parts] = a;
  return factorization == b.factorization && parts == b.parts;
}

bool same(const BlockPattern& a, const BlockPattern& b) {
  const auto& [primal_size, dual_size, couplings, incidences, incidence_place, coupling_place, norm_row,
               primal_split, incidence_split, primal_offset, dual_offset, primal_dimension, dual_dimension] =
      a;
  const auto same_coupling = [](const BlockPattern::Coupling& p, const BlockPattern::Coupling& q) {
    return p.i == q.i && p.j == q.j;
  };
  const auto same_incidence = [](const BlockPattern::Incidence& p, const BlockPattern::Incidence& q) {
    return p.dual == q.dual && p.primal == q.primal;
  };
  return primal_dimension == b.primal_dimension && dual_dimension == b.dual_dimension &&
         primal_size == b.primal_size && dual_size == b.dual_size && incidence_place == b.incidence_place &&
         coupling_place == b.coupling_place && norm_row == b.norm_row && primal_split == b.primal_split &&
         incidence_split == b.incidence_split && primal_offset == b.primal_offset &&
         dual_offset == b.dual_offset &&
         std::equal(couplings.begin(), couplings.end(), b.couplings.begin(), b.couplings.end(),
                    same_coupling) &&
         std::equal(incidences.begin(), incidences.end(), b.incidences.begin(), b.incidences.end(),
                    same_incidence);
}

}  // namespace

SharedAnalyses::SharedAnalyses() : outer_(std::exchange(innermost, this)) {}
SharedAnalyses::~SharedAnalyses() { innermost = outer_; }
SharedAnalyses* SharedAnalyses::current() { return innermost; }

std::shared_ptr<const void> SharedAnalyses::find(const BlockPattern& pattern, Border border,
                                                 const SolverOptions& options) {
  const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) {
    return e.border == border && same(e.options, options) && same(*e.pattern, pattern);
  });
  if (found == entries_.end()) return nullptr;
  std::rotate(entries_.begin(), found, found + 1);
  return entries_.front().analysis;
}

void SharedAnalyses::keep(std::shared_ptr<const BlockPattern> pattern, Border border,
                          const SolverOptions& options, std::shared_ptr<const void> analysis) {
  if (pattern->primal_count() + pattern->dual_count() > most_blocks) return;
  if (entries_.size() >= most_entries) entries_.pop_back();
  entries_.insert(entries_.begin(), {std::move(pattern), border, options, std::move(analysis)});
}

}  // namespace catena::detail
