#include <catena/math/detail/passing_over.hpp>
#include <catena/study/detail/tolerance_options.hpp>

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

}  // namespace catena::detail
