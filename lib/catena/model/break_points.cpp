#include <catena/model/detail/break_points.hpp>
#include <catena/model/detail/element_pool.hpp>
#include <catena/model/element_listing.hpp>

#include <algorithm>
#include <cstring>
#include <string>

namespace catena::detail {
namespace {

class BreakPoints final : public ElementVisitor {
 public:
  explicit BreakPoints(std::vector<double>& all) : all_(all) {}
  void real(const OptionInfo&, double&) override {}
  void integer(const OptionInfo&, int&) override {}
  void flag(const OptionInfo&, bool&) override {}
  void text(const OptionInfo&, std::string&) override {}
  void choice(const OptionInfo&, int&, const std::vector<std::string>&) override {}
  void bodies(const OptionInfo&, BodyId*, int) override {}
  void vector(const OptionInfo&, Vec3&) override {}
  void direction(const OptionInfo&, Vec3&) override {}
  void function(const OptionInfo&, Function& value, const FunctionUnits& units) override {
    if (std::strcmp(units.argument, "s") != 0) return;
    const std::vector<double> of_one = value.break_points();
    all_.insert(all_.end(), of_one.begin(), of_one.end());
  }

 private:
  std::vector<double>& all_;
};

}  // namespace

std::vector<double> break_points(const Model& model) {
  std::vector<double> all;
  BreakPoints visitor(all);
  for (const std::vector<Model::ElementRef>* elements : {&model.constraints(), &model.forces()})
    for (const Model::ElementRef& at : *elements)
      model.pools()[static_cast<std::size_t>(at.pool)]->list_members(at.element, visitor);
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

}  // namespace catena::detail
