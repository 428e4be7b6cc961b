// The motion on the page of a report: some instants of a run, in few bits.
#pragma once
#include <catena/linear/detail/row_pivots.hpp>
#include <catena/measure/measurements.hpp>

#include <string>
#include <vector>

namespace catena::detail {

class PageFrames {
 public:
  // How many frames of so many bodies a page holds: 300 of 1000 bodies make 12 bytes each 3.6 MB before they are deflated,
  // more than 2000 are closer than the pixels of a slider, and fewer than 40 are no motion.
  static std::size_t most(int bodies);

  // The system outlives it.
  explicit PageFrames(const System& system);

  bool shows_bodies() const;  // false: coordinates alone
  void add(const State& state);

  // "scene":{...},"frames":{...} of the page; docs/theory/page.md lists the keys.
  std::string json() const;

 private:
  void add_residuals(const State& state);
  void append(const MeasuredColumns* columns, std::vector<double>& to) const;

  const System& system_;
  Measurements measure_;
  RowPivots row_pivots_;
  bool without_pivots_ = false;  // one frame had none
  std::vector<double> row_, position_rows_, velocity_rows_;
  std::vector<double> times_, positions_, quaternions_, energies_, residuals_, forces_, torques_, angles_,
      displacements_, pivots_;
};

}  // namespace catena::detail
