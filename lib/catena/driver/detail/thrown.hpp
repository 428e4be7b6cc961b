// Exceptions of code that takes part in a run; for the driver itself.
#pragma once
#include <catena/driver/parts/run_result.hpp>

#include <stdexcept>
#include <string>
#include <utility>

namespace catena::detail {

// A number of code that takes part, of an event or a controller say, that is none: the run cannot go by it.
class LostValue : public std::runtime_error {
 public:
  explicit LostValue(Culprit culprit)
      : std::runtime_error(culprit.name + ": " + culprit.why), culprit_(std::move(culprit)) {}
  const Culprit& culprit() const { return culprit_; }

 private:
  Culprit culprit_;
};

// Ends the run with Status::not_finite; a run that something else has ended gets a remark.
void end_for_lost_value(RunResult& result, const LostValue& lost);

// In a handler: ends the run with Status::exception, the name of what threw and its text; a run that something else has
// ended gets a remark. name: where the exception does not say its own (NamedError).
void end_for_exception(RunResult& result, const std::string& name);

}  // namespace catena::detail
