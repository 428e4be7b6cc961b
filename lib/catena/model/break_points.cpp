#include <catena/model/detail/break_points.hpp>
#include <catena/model/detail/element_pool.hpp>
#include <catena/model/detail/passing_visitor.hpp>

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

namespace catena::detail {
namespace {

class FunctionsOfTime : public PassingVisitor {
 public:
  void function(const OptionInfo& info, Function& value, const FunctionUnits& units) override {
    if (std::strcmp(units.argument, "s") == 0) look_at(info, value);
  }

 private:
  virtual void look_at(const OptionInfo& info, const Function& of_time) = 0;
};

class BreakPoints final : public FunctionsOfTime {
 public:
  explicit BreakPoints(std::vector<double>& all) : all_(all) {}

 private:
  void look_at(const OptionInfo&, const Function& of_time) override {
    const std::vector<double> of_one = of_time.break_points();
    all_.insert(all_.end(), of_one.begin(), of_one.end());
  }

  std::vector<double>& all_;
};

class Fastest final : public FunctionsOfTime {
 public:
  Fastest(double from, double to) : from_(from), to_(to) {}
  FastestFunction found = {};
  bool is_new = false;  // since it was set to false

 private:
  void look_at(const OptionInfo& info, const Function& of_time) override {
    const double frequency = of_time.highest_frequency(from_, to_);
    if (!(frequency > found.frequency)) return;
    found.frequency = frequency;
    found.member = info.name;
    is_new = true;
  }

  double from_, to_;
};

void visit_element(const Model& model, const Model::ElementRef& at, ElementVisitor& visitor) {
  model.pools()[static_cast<std::size_t>(at.pool)]->list_members(at.element, visitor);
}

}  // namespace

std::vector<double> break_points(const Model& model) {
  std::vector<double> all;
  BreakPoints visitor(all);
  for (const std::vector<Model::ElementRef>* elements : {&model.constraints(), &model.forces()})
    for (const Model::ElementRef& at : *elements) visit_element(model, at, visitor);
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

FastestFunction fastest_function(const Model& model, double from, double to) {
  Fastest fastest(from, to);
  const auto look = [&](const std::vector<Model::ElementRef>& elements, const auto& label) {
    for (std::size_t k = 0; k < elements.size(); ++k) {
      fastest.is_new = false;
      visit_element(model, elements[k], fastest);
      if (fastest.is_new) fastest.found.name = label(static_cast<int>(k));
    }
  };
  look(model.constraints(), [&](int k) { return model.constraint_label(ConstraintId{k}); });
  look(model.forces(), [&](int k) { return model.force_label(ForceId{k}); });
  return std::move(fastest.found);
}

}  // namespace catena::detail
