#include <catena/math/detail/printed.hpp>
#include <catena/model/detail/joint_coordinate.hpp>
#include <catena/model/model.hpp>
#include <catena/model/parts/joint_drive.hpp>
#include <catena/model/parts/joint_shapes.hpp>
#include <catena/model/rows/list.hpp>

#include <cmath>

namespace catena {
using namespace detail;
namespace {

bool is_angle(const JointDrive& d) { return d.coordinate == JointCoordinate::angle; }

// Calls what(kernel) with the kernel of the drive, without its target.
template <class What>
auto with_kernel(const JointDrive& d, What&& what) {
  if (is_angle(d)) {
    const auto row = angle_between(d.between);
    return d.rate ? what(rows::AngleRateFollows<double>{row, {}}) : what(rows::AngleFollows<double>{row, {}});
  }
  const auto row = displacement_between(d.between);
  return d.rate ? what(rows::DisplacementRateFollows<double>{row, {}})
                : what(rows::DisplacementFollows<double>{row, {}});
}

// Where a number of the time jumps: the middle of the widest jump between two times, halved until nothing is between them.
struct Jump {
  double at = 0.0, before = 0.0, after = 0.0;
  bool there = false;
};
template <class Number>
Jump find_jump(Number&& number, double from, double to) {
  constexpr int parts = 64, halvings = 60;
  constexpr double least = 1e-3;  // of the largest number: less is a curve that bends fast
  double left = from, x = number(from), largest = std::abs(x), width = (to - from) / parts;
  Jump found;
  double widest = 0.0;
  for (int k = 0; k < parts; ++k) {
    const double y = number(left + width);
    if (std::abs(y - x) > widest) {
      widest = std::abs(y - x);
      found = {left, x, y, false};
    }
    largest = std::fmax(largest, std::abs(y));
    left += width;
    x = y;
  }
  for (int k = 0; k < halvings && widest > 0.0; ++k) {
    width *= 0.5;
    const double y = number(found.at + width);
    if (std::abs(y - found.before) > std::abs(found.after - y)) {
      found.after = y;
    } else {
      found.before = y;
      found.at += width;
    }
  }
  found.there = std::abs(found.after - found.before) > least * largest;
  return found;
}

}  // namespace

ElementDefect JointDrive::join(const Model& model) {
  if (rate && as_placed) return {"as_placed: a rate does not count from a place", "as_placed"};
  return join_coordinate(model, *this);
}

void JointDrive::placed(const BodyFrame<double>* f) {
  if (!as_placed) return;
  offset = is_angle(*this) ? angle_between(between).value(f) : displacement_between(between).gap(f, 0.0)[0];
}

std::string JointDrive::defect_at(const BodyFrame<double>*, double t) const {
  const std::string why = target.defect_at(t);
  return why.empty() ? "" : "target: " + why;
}

std::string JointDrive::trouble_near(const BodyFrame<double>*, double from, double to) const {
  const Jump jump =
      find_jump([&](double t) { return rate ? target.at(t).value : target.at(t).slope; }, from, to);
  if (!jump.there) return {};
  return printed(
      "its target %s at t = %.6g s, where the rate changes from %.4g to %.4g %s at once; begin and end "
      "motions with a smooth step, or with a table that a spline joins",
      rate ? "jumps" : "has a kink", jump.at, jump.before, jump.after, is_angle(*this) ? "rad/s" : "m/s");
}

rows::Shape JointDrive::shape() const {
  return with_kernel(*this, [&]<class K>(const K&) {
    return rows::Shape{.bodies = 2, .kernels = {rows::info_of_compiled<K>()}};
  });
}

void JointDrive::save(double* out) const {
  with_kernel(*this, [&](const auto& kernel) { kernel.save(out); });
}

FunctionValue JointDrive::target_at(double t) const {
  const FunctionValue u = target.at(t);
  return {offset + u.value, u.slope, u.curvature};
}

void visit(ElementVisitor& v, JointDrive& e) {
  v.joint({"joint", "", "a joint between two markers that is listed before"}, e.joint);
  visit_choice(v, {"coordinate", "", "angle about axis_a, or displacement along it"}, e.coordinate,
               {"angle", "displacement"});
  v.flag({"rate", "", "the target is that of the rate of the coordinate (a velocity row)"}, e.rate);
  const char* const unit = is_angle(e) ? (e.rate ? "rad/s" : "rad") : (e.rate ? "m/s" : "m");
  v.function({"target", unit, "what the coordinate or its rate follows, of the time"}, e.target, {"s", unit});
  v.flag({"as_placed", "", "the target counts from where the bodies are at first"}, e.as_placed);
  joint_detail::visit_name(v, e.name);
}

}  // namespace catena
