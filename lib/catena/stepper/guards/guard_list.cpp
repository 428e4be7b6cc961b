#include <catena/stepper/guards/detail/guard_list.hpp>

#include <utility>

namespace catena::detail {

std::size_t GuardList::add_count(const GuardType& type, GuardMode mode) {
  GuardCount count;
  count.name = type.name;
  count.reports = mode == GuardMode::report;
  statistics_->guards.push_back(count);
  return statistics_->guards.size() - 1;
}

void GuardList::attach(const GuardSubject& subject, const GuardSet& set, const GuardOptions& options,
                       StepMemory& memory) {
  statistics_ = &subject.statistics;
  entries_.clear();
  dependent_rows_.reset();
  for (const GuardType* type : set) {
    const GuardMode mode = options.mode(*type);
    if (mode == GuardMode::off) continue;
    if (type == &dependent_rows_guard) {  // inside Newton's iteration
      const std::size_t count = add_count(*type, mode);
      dependent_rows_ = std::make_unique<DependentRows>(subject.system, subject.statistics, mode, count);
    } else if (type->make != nullptr) {
      const std::size_t count = add_count(*type, mode);
      entries_.push_back({type->make(), mode, count});
      entries_.back().guard->attach(subject, memory);
    }
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
