#include <catena/math/detail/passing_over.hpp>
#include <catena/study/detail/tolerance_options.hpp>

#include <algorithm>
#include <utility>
#include <variant>

namespace catena::detail {
namespace {

class ToleranceNames final : public PassingOver<> {
 public:
  std::set<std::string> names;
  void real(const OptionInfo& info, double&) override {
    if (info.tolerance) names.insert(info.name);
  }
};

}  // namespace

std::set<std::string> tolerance_options(const Catalog& catalog, const std::string& stepper) {
  ToleranceNames tolerances;
  catalog.stepper(stepper).setup()->visit(tolerances);
  return std::move(tolerances.names);
}

double finest_tolerance(const Report& report, const std::set<std::string>& names) {
  double finest = 0.0;
  for (const OptionValue& option : report.options)
    if (const double* value = std::get_if<double>(&option.value);
        names.count(option.name) > 0 && value != nullptr && *value > 0.0)
      finest = finest == 0.0 ? *value : std::min(finest, *value);
  return finest;
}

}  // namespace catena::detail
