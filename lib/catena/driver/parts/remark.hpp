// What is to be said about a run that is no failure.
#pragma once
#include <catena/system/status.hpp>

#include <cstdint>
#include <string>

namespace catena {

enum class RemarkKey : std::uint8_t {
  guard,         // a guard that only reports would have refused steps
  step_errors,   // the errors of the steps are as large as the motion
  drift,         // a joint is open that the method does not keep closed
  energy,        // the balance of energy is off by a tenth of the energies exchanged, or more
  work,          // the work of forces and drives is not known to a tenth of itself
  coarse_steps,  // a step leaves out a tenth of the size of a body, or more
  turn,          // a body turned by more than half a turn within a step
  jump,  // a force or joint has jumped: a bushing that turned past half a turn, a step over a bump in a table
  indefinite,          // steps were accepted whose matrix was indefinite
  standstill,          // nothing moves in the whole run
  lost_events,         // events that results.h5 has no space for
  exception,           // code threw after something else had ended the run
  redundant_rows,      // of the initial state
  singular_state,      // the initial state is singular: rows depend on each other there and not near it
  initial_velocities,  // the constraints do not allow them: they were moved
  results_size,        // the results will be large
  checkpoint           // which of them a resumed run begins with, and which not
};
inline constexpr int remark_keys = static_cast<int>(RemarkKey::checkpoint) + 1;

const char* to_string(RemarkKey key);  // "step_errors"

struct Remark {
  RemarkKey key = RemarkKey::guard;
  Culprit culprit = {};  // whom it is about; empty: the run
  std::string text;      // a sentence for people
};

}  // namespace catena
