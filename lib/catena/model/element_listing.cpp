#include <catena/math/detail/passing_over.hpp>
#include <catena/math/detail/square.hpp>
#include <catena/model/element_listing.hpp>
#include <catena/model/parts/error.hpp>

#include <cmath>

namespace catena {
using namespace detail;

void MemberCheck::complain(const OptionInfo& info, const std::string& why) {
  defect = std::string(info.name) + " must " + why;
  member = info.name;
}

void MemberCheck::finite(const OptionInfo& info, double value, const char* has) {
  if (!defect.empty() || has_square(value)) return;
  if (!std::isfinite(value)) return complain(info, std::string("be finite, ") + has + message_number(value));
  complain(info, "be below " + message_number(square_limit) + " to have a finite square, " + has +
                     message_number(value));
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
  complain(info, range + ", is " + message_number(value));
}

void MemberCheck::real(const OptionInfo& info, double& value) {
  finite(info, value, "is ");
  in_range(info, value);
}

void MemberCheck::integer(const OptionInfo& info, int& value) { in_range(info, value); }

void MemberCheck::vector(const OptionInfo& info, Vec3& value) {
  for (int k = 0; k < 3; ++k) finite(info, value[k], "has ");
}

namespace {

// The members of a function with the name of the member that holds it: 'target: end must be after start'.
class FunctionCheck final : public PassingOver<FunctionVisitor> {
 public:
  MemberCheck members = {};
  void real(const OptionInfo& info, double& value) override { members.real(info, value); }
  void integer(const OptionInfo& info, int& value) override { members.integer(info, value); }
  void numbers(const OptionInfo& info, std::vector<double>& values) override {
    for (double& value : values) members.real(info, value);
  }
};

}  // namespace

void MemberCheck::function(const OptionInfo& info, Function& value, const FunctionUnits& units) {
  if (!defect.empty()) return;
  FunctionCheck check;
  value.visited(check, units);
  const std::string why = check.members.defect.empty() ? value.defect() : check.members.defect;
  if (why.empty()) return;
  defect = std::string(info.name) + ": " + why;
  member = info.name;
}

void MemberCheck::direction(const OptionInfo& info, Vec3& value) {
  vector(info, value);
  const double length = norm(value);
  if (defect.empty() && !(length > 1e-150 && std::isfinite(length)))
    complain(info, "have a direction, has length " + message_number(length));
}

}  // namespace catena
