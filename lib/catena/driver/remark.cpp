#include <catena/driver/parts/remark.hpp>

namespace catena {

const char* to_string(RemarkKey key) {
  switch (key) {
    case RemarkKey::guard:
      return "guard";
    case RemarkKey::step_errors:
      return "step_errors";
    case RemarkKey::drift:
      return "drift";
    case RemarkKey::energy:
      return "energy";
    case RemarkKey::work:
      return "work";
    case RemarkKey::coarse_steps:
      return "coarse_steps";
    case RemarkKey::turn:
      return "turn";
    case RemarkKey::jump:
      return "jump";
    case RemarkKey::indefinite:
      return "indefinite";
    case RemarkKey::standstill:
      return "standstill";
    case RemarkKey::lost_events:
      return "lost_events";
    case RemarkKey::exception:
      return "exception";
    case RemarkKey::redundant_rows:
      return "redundant_rows";
    case RemarkKey::singular_state:
      return "singular_state";
    case RemarkKey::initial_velocities:
      return "initial_velocities";
    case RemarkKey::results_size:
      return "results_size";
    case RemarkKey::checkpoint:
      return "checkpoint";
  }
  return "";
}

}  // namespace catena
