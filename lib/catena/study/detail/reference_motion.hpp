// The motion that errors are measured against, and how far it is known itself.
#pragma once
#include <catena/experiment/catalog.hpp>
#include <catena/study/detail/sampled_run.hpp>

#include <array>
#include <limits>
#include <string>
#include <vector>

namespace catena::detail {

struct ReferenceMotion {
  SampledMotion motion;
  bool known = false;
  std::string method = {};   // "exact solution", "dormand_prince with tolerances of 1e-12"
  std::string checked = {};  // by another method; empty: exact, or there is none
  // What it may be off by: the distance of the two methods, the largest and at the end; 0 of an exact solution, nan where
  // nothing has checked it.
  Errors estimate = {}, estimate_at_end = {};
  Errors extent = {};  // how far the motion goes: extent()
  // The size of the largest body, to which tolerances of positions are relative [m]; nan: coordinates of the system's own.
  double length = std::numeric_limits<double>::quiet_NaN();
  // What cannot be compared, by part: the sentence why; empty: it can.
  std::array<std::string, part_count> refused = {};
  std::vector<std::string> notes = {};  // on methods that did not get there
  // Largest distance from positions that the problem publishes digits of [m]; nan: none at these instants.
  double published = std::numeric_limits<double>::quiet_NaN();
  std::string published_source = {};
};

// From an exact solution where the problem has one (Problem::exact_bodies); else from the first of these methods that
// reaches the end, and the second that does gives the estimate: dormand_prince, radau and ida, each with tolerances of 1e-12
// or 1e-10, then an eighth of the finest step with runge_kutta_4, generalized_alpha and alpha_rattle. A part is refused where
// the estimate is more than a hundredth of what it measures: such a motion is chaotic, or not resolved.
// base: problem, parameters and end. Multipliers are refused where rows are redundant.
ReferenceMotion reference_motion(const Scenario& base, const Catalog& catalog,
                                 const std::vector<double>& instants, double finest_step,
                                 const std::atomic<bool>* stop);

}  // namespace catena::detail
