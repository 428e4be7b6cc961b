#include <catena/model/detail/break_points.hpp>
#include <catena/model/detail/element_pool.hpp>
#include <catena/model/detail/passing_visitor.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
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

// By how much the function at t is beyond its values at both ends of a step of h around t, in one of three places.
double hidden(const Function& f, double t, double h) {
  constexpr double places[] = {0.25, 0.5, 0.75};
  const double x = f.at(t).value;
  double most = 0.0;
  for (const double place : places) {
    const double a = f.at(t - place * h).value, b = f.at(t + (1.0 - place) * h).value;
    if (std::isfinite(a) && std::isfinite(b))  // no step leads beyond the end of a table
      most = std::max(most, std::max(x - std::max(a, b), std::min(a, b) - x));
  }
  return most;
}

class ShortestBump final : public FunctionsOfTime {
 public:
  ShortestBump(double from, double to, double h) : from_(from), to_(to), h_(h) {}
  ShortBump found = {};
  bool is_new = false;  // since it was set to false

 private:
  void look_at(const OptionInfo& info, const Function& of_time) override {
    // Of its range: of a triangle as long as four steps both ends of a step around its tip see three quarters.
    constexpr double part = 0.25;
    constexpr std::size_t most = 100000;
    std::vector<double> instants;
    for (const double t : of_time.break_points())
      if (t > from_ && t < to_) instants.push_back(t);
    if (instants.empty() || instants.size() > most) return;
    double least = of_time.at(from_).value, largest = least;
    for (const double t : instants) {
      const double x = of_time.at(t).value;
      least = std::fmin(least, x), largest = std::fmax(largest, x);
    }
    constexpr double roundoff = 1e-9;  // of values that are constant but for the digits of a file
    const double noticed = part * (largest - least);
    if (!(noticed > roundoff * std::fmax(std::abs(least), std::abs(largest)))) return;
    for (const double t : instants) {
      double h = h_;
      if (!(hidden(of_time, t, h) > noticed)) continue;
      for (int halvings = 0; halvings < 60 && hidden(of_time, t, h) > noticed; ++halvings) h *= 0.5;
      if (found.longest_step > 0.0 && !(h < found.longest_step)) continue;
      found.member = info.name, found.at = t, found.value = of_time.at(t).value, found.longest_step = h;
      is_new = true;
    }
  }

  double from_, to_, h_;
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

namespace {

// What a visitor with found and is_new finds in the constraints and forces of a model, with the name of the element.
template <class Visitor>
auto found_in(const Model& model, Visitor visitor) {
  const auto look = [&](const std::vector<Model::ElementRef>& elements, const auto& label) {
    for (std::size_t k = 0; k < elements.size(); ++k) {
      visitor.is_new = false;
      visit_element(model, elements[k], visitor);
      if (visitor.is_new) visitor.found.name = label(static_cast<int>(k));
    }
  };
  look(model.constraints(), [&](int k) { return model.constraint_label(ConstraintId{k}); });
  look(model.forces(), [&](int k) { return model.force_label(ForceId{k}); });
  return std::move(visitor.found);
}

}  // namespace

FastestFunction fastest_function(const Model& model, double from, double to) {
  return found_in(model, Fastest(from, to));
}

ShortBump short_bump(const Model& model, double from, double to, double h) {
  return found_in(model, ShortestBump(from, to, h));
}

}  // namespace catena::detail
