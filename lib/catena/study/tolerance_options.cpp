#include <catena/math/detail/passing_over.hpp>
#include <catena/study/detail/tolerance_options.hpp>

#include <algorithm>
#include <utility>
#include <variant>

namespace catena::detail {
namespace {

class ToleranceNames final : public PassingOver<> {
 public:
  explicit ToleranceNames(bool of_all_kinds) : of_all_kinds_(of_all_kinds) {}
  std::set<std::string> names;
  void real(const OptionInfo& info, double&) override {
    const std::string name = info.name;
    const bool of_kind = name.starts_with("rtol_") || name.starts_with("atol_");
    if (info.tolerance || (of_all_kinds_ && of_kind)) names.insert(name);
  }

 private:
  bool of_all_kinds_;
};

std::set<std::string> listed(const Catalog& catalog, const std::string& stepper, bool of_all_kinds) {
  ToleranceNames tolerances(of_all_kinds);
  catalog.stepper(stepper).setup()->visit(tolerances);
  return std::move(tolerances.names);
}

}  // namespace

std::set<std::string> tolerance_options(const Catalog& catalog, const std::string& stepper) {
  return listed(catalog, stepper, false);
}

std::set<std::string> tolerances_of_all_kinds(const Catalog& catalog, const std::string& stepper) {
  return listed(catalog, stepper, true);
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
