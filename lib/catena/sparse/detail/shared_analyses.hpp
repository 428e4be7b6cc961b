// Analyses that one run after the other shares, where their patterns are equal.
#pragma once
#include <catena/sparse/linear_solver.hpp>

#include <memory>
#include <vector>

namespace catena::detail {

// While it lives, solvers that this thread analyses keep their analyses in it, and take one that is there. An analysis is a
// function of what it is found by, so that results do not depend on it. The innermost one of a thread counts; threads
// do not share.
class SharedAnalyses {
 public:
  SharedAnalyses();
  ~SharedAnalyses();
  SharedAnalyses(const SharedAnalyses&) = delete;
  SharedAnalyses& operator=(const SharedAnalyses&) = delete;

  // That of this thread; null: there is none.
  static SharedAnalyses* current();

  // What keep() was given for an equal pattern, or null.
  std::shared_ptr<const void> find(const BlockPattern& pattern, Border border, const SolverOptions& options);
  void keep(std::shared_ptr<const BlockPattern> pattern, Border border, const SolverOptions& options,
            std::shared_ptr<const void> analysis);

 private:
  struct Entry {
    std::shared_ptr<const BlockPattern> pattern;
    Border border;
    SolverOptions options;
    std::shared_ptr<const void> analysis;
  };
  std::vector<Entry> entries_;  // the last one used first
  SharedAnalyses* const outer_;
};

}  // namespace catena::detail
