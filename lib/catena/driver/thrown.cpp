#include <catena/driver/detail/thrown.hpp>
#include <catena/math/detail/named_error.hpp>

#include <limits>
#include <utility>

namespace catena::detail {

void end_for_lost_value(RunResult& result, const LostValue& lost) {
  if (result.status != Status::ok && result.status != Status::event) {
    result.remarks.push_back({RemarkKey::exception, lost.culprit(), lost.what()});
    return;
  }
  result.status = Status::not_finite;
  result.culprit = lost.culprit();
  result.message = lost.what();
}

void end_for_exception(RunResult& result, const std::string& name) {
  constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
  try {
    rethrow_named(name);
  } catch (const NamedError& error) {
    Culprit culprit = {error.name(), error.lacks_memory() ? memory_of_machine : "exception", not_a_number,
                       error.text()};
    if (result.status != Status::ok && result.status != Status::event) {
      if (error.name() != result.culprit.name)
        result.remarks.push_back({RemarkKey::exception, std::move(culprit), error.what()});
      return;
    }
    result.status = Status::exception;
    result.culprit = std::move(culprit);
    result.message = error.name() + ": " + error.text();
  }
}

}  // namespace catena::detail
