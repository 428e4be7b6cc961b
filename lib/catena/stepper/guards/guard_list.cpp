#include <catena/stepper/guards/detail/forbidden_velocities.hpp>
#include <catena/stepper/guards/detail/gaps.hpp>
#include <catena/stepper/guards/detail/guard_list.hpp>
#include <catena/stepper/guards/detail/pole.hpp>
#include <catena/stepper/guards/detail/resolution.hpp>
#include <catena/stepper/guards/detail/velocity_level.hpp>

#include <utility>

namespace catena::detail {
namespace {

std::unique_ptr<StepGuard> make_guard(GuardKind kind) {
  switch (kind) {
    case GuardKind::pole:
      return std::make_unique<PoleGuard>();
    case GuardKind::resolution:
      return std::make_unique<ResolutionGuard>();
    case GuardKind::velocity_level:
      return std::make_unique<VelocityLevelGuard>();
    case GuardKind::gaps:
      return std::make_unique<GapGuard>();
    case GuardKind::forbidden_velocities:
      return std::make_unique<ForbiddenVelocityGuard>();
    case GuardKind::dependent_rows:  // inside Newton's iteration
    case GuardKind::jumping_rows:    // GuardDecision
    case GuardKind::stability:
      break;
  }
  return nullptr;
}

}  // namespace

std::size_t GuardList::add_count(GuardKind kind, GuardMode mode) {
  GuardCount count;
  count.name = guard_name(kind);
  count.reports = mode == GuardMode::report;
  statistics_->guards.push_back(count);
  return statistics_->guards.size() - 1;
}

void GuardList::attach(const GuardSubject& subject, GuardSet set, const GuardOptions& options,
                       StepMemory& memory) {
  statistics_ = &subject.statistics;
  statistics_->guards.clear();
  entries_.clear();
  dependent_rows_.reset();
  for (int k = 0; k < guard_kinds; ++k) {
    const auto kind = static_cast<GuardKind>(k);
    const GuardMode mode = options.mode(kind);
    if (!set.has(kind) || mode == GuardMode::off) continue;
    const std::size_t count = add_count(kind, mode);
    if (kind == GuardKind::dependent_rows) {
      dependent_rows_ = std::make_unique<DependentRows>(subject.system, subject.statistics, mode, count);
      continue;
    }
    entries_.push_back({make_guard(kind), mode, count});
    entries_.back().guard->attach(subject, memory);
  }
}

void GuardList::scale(KktSolver& kkt) {
  for (Entry& e : entries_) e.guard->scale(kkt);
}

void GuardList::start(State& state, const RowErrors& errors, GuardWorkspace& workspace) {
  for (Entry& e : entries_) e.guard->start(state, errors, workspace);
}

Outcome GuardList::assess(Outcome outcome, const StepAttempt& attempt, GuardWorkspace& workspace) {
  for (Entry& e : entries_) {
    if (e.mode == GuardMode::report) {
      const Outcome found = e.guard->assess(outcome, attempt, workspace);
      if (found.status != outcome.status) statistics_->guards[e.count].add(attempt.state.t, found.culprit);
      continue;
    }
    const Status before = outcome.status;
    outcome = e.guard->assess(std::move(outcome), attempt, workspace);
    if (outcome.status != before) statistics_->guards[e.count].add(attempt.state.t, outcome.culprit);
  }
  return outcome;
}

void GuardList::accept(State& state) {
  for (Entry& e : entries_) e.guard->accept(state);
}

DependentRows* GuardList::dependent_rows(double t) {
  if (dependent_rows_) dependent_rows_->begin(t);
  return dependent_rows_.get();
}

}  // namespace catena::detail
