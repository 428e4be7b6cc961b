// The matrix [M G^T; G -proximal] at a state, factorised once for all that ask what depends and what moves there.
#pragma once
#include <catena/kkt/detail/free_motion.hpp>
#include <catena/kkt/detail/redundancy.hpp>
#include <catena/kkt/kkt_solver.hpp>

#include <memory>
#include <vector>

namespace catena::detail {

class FactoredRows {
 public:
  // Both outlive it.
  FactoredRows(const System& system, const State& state) : system_(system), state_(state) {}

  const System& system() const { return system_; }
  const State& state() const { return state_; }
  // Factorises in the first call. Null: there is no factorisation.
  KktSolver* solver();
  const KktReport& report() const { return report_; }  // behind solver()

 private:
  const System& system_;
  const State& state_;
  bool made_ = false;
  std::unique_ptr<KktSolver> solver_;
  KktReport report_;
};

// As redundancy.hpp and free_motion.hpp have them.
Redundancy find_redundancy(FactoredRows& rows, const RankOracle& rank_of_rows);
FreeMotion find_free_motion(FactoredRows& rows, double end);

// `count` velocities that the rows allow and that are independent of each other, each with a largest component of 1 in
// units of the layout's scale; fewer where there are not as many.
std::vector<std::vector<double>> allowed_motions(FactoredRows& rows, int count);

}  // namespace catena::detail
