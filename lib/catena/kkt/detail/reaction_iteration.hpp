// Forces that depend on multipliers, in equations whose matrix is made without them: multipliers and forces follow each
// other until nothing moves,
//     [M G^T; G 0] [da; dlambda] = -[M a + G^T lambda - f(lambda); G a + bias]
// The errors shrink by a factor that is measured: friction times the lever by which it acts on the reaction that makes it.
#pragma once
#include <catena/kkt/kkt_solver.hpp>
#include <catena/math/detail/printed.hpp>

#include <cmath>
#include <limits>

namespace catena::detail {

class ReactionIteration {
 public:
  explicit ReactionIteration(const System& system) : name_(system.layout().reaction_force) {}
  static bool is_needed(const System& system) { return !system.layout().reaction_force.empty(); }

  // The largest change of a multiplier, or of what the forces leave open of the balance, which says the same where redundant
  // rows leave multipliers open; and the largest of forces and multipliers. True: another correction is needed.
  bool continues(double moved, double size, KktReport& report) {
    constexpr double roundoff = 4.0 * std::numeric_limits<double>::epsilon();
    constexpr double small = 1e-10;          // of what slow iterations still move: roundoff of soft rows
    constexpr double slowest = 0.95;         // 1e-10 in 450 corrections
    constexpr int most = 500, settling = 8;  // corrections whose ratio says nothing yet
    ++count_;
    const double ratio = moved / before_;
    before_ = moved;
    if (moved <= roundoff * size) return false;
    const bool slow = !(ratio <= slowest);
    if (slow && moved <= small * size) return false;
    if (std::isfinite(moved) && count_ < most && !(slow && count_ > settling)) return true;
    report.status = std::isfinite(moved) ? Status::newton_not_converged : Status::not_finite;
    report.culprit = {
        name_, "ratio of two corrections of its reaction", ratio,
        printed("its friction changes the reaction that it follows by %.3g of what has changed it: the joint "
                "jams, or moves off by itself; lower its coefficient, or shorten the lever between the load "
                "and the joint",
                ratio)};
    return false;
  }

 private:
  const std::string& name_;
  int count_ = 0;
  double before_ = std::numeric_limits<double>::infinity();
};

}  // namespace catena::detail
