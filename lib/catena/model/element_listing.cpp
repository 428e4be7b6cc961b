#include <catena/model/element_listing.hpp>
#include <catena/model/error.hpp>

#include <cmath>

namespace catena {

void MemberCheck::finite(const OptionInfo& info, double value) {
  if (defect.empty() && !std::isfinite(value))
    defect = std::string(info.name) + " must be finite, is " + message_number(value);
}

void MemberCheck::in_range(const OptionInfo& info, double value) {
  if (!defect.empty() || info.holds(value)) return;
  std::string range;
  if (value > info.maximum)
    range = "be at most " + message_number(info.maximum);
  else if (info.minimum == 0.0)
    range = info.above_minimum ? "be positive" : "not be negative";
  else
    range = (info.above_minimum ? "be above " : "be at least ") + message_number(info.minimum);
  defect = std::string(info.name) + " must " + range + ", is " + message_number(value);
}

void MemberCheck::real(const OptionInfo& info, double& value) {
  finite(info, value);
  in_range(info, value);
}

void MemberCheck::integer(const OptionInfo& info, int& value) { in_range(info, value); }

void MemberCheck::vector(const OptionInfo& info, Vec3& value) {
  for (int k = 0; k < 3; ++k)
    if (defect.empty() && !std::isfinite(value[k]))
      defect = std::string(info.name) + " must be finite, has " + message_number(value[k]);
}

void MemberCheck::direction(const OptionInfo& info, Vec3& value) {
  vector(info, value);
  const double length = norm(value);
  if (defect.empty() && !(length > 1e-150 && std::isfinite(length)))
    defect = std::string(info.name) + " must have a direction, has length " + message_number(length);
}

}  // namespace catena
