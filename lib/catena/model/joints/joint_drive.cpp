#include <catena/model/detail/constraint_evaluation.hpp>
#include <catena/model/detail/joint_coordinate.hpp>
#include <catena/model/model.hpp>
#include <catena/model/parts/joint_drive.hpp>
#include <catena/model/parts/joint_shapes.hpp>
#include <catena/model/rows/list.hpp>

#include <utility>

namespace catena {
using namespace detail;
namespace {

template <template <class> class Row>
using Position = rows::Driven<double, Row, rows::GivenTarget>;
template <template <class> class Row>
using Velocity = rows::DrivenRate<double, Row>;

bool is_angle(const JointDrive& d) { return d.coordinate == JointCoordinate::angle; }

// Calls what(kernel) with the kernel of the drive, whose target is zero.
template <class What>
auto with_kernel(const JointDrive& d, What&& what) {
  if (is_angle(d)) {
    const auto row = angle_between(d.between);
    return d.rate ? what(Velocity<rows::AngleOf>{row, {}}) : what(Position<rows::AngleOf>{row, {}});
  }
  const auto row = displacement_between(d.between);
  return d.rate ? what(Velocity<rows::InPlane>{row, {}}) : what(Position<rows::InPlane>{row, {}});
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

rows::Shape JointDrive::shape() const {
  return with_kernel(*this, [&]<class K>(const K&) {
    return rows::Shape{.bodies = 2,
                       .kernels = {rows::info_of_compiled<K>()},
                       .key = {static_cast<int>(coordinate), rate ? 1 : 0}};
  });
}

void JointDrive::save(double* out) const {
  with_kernel(*this, [&](const auto& kernel) { kernel.save(out); });
}

void JointDrive::evaluate(const LaneIo<double>& io, const KernelArgs& args, const ElementGroup& group) const {
  const FunctionValue u = target.at(args.t);
  with_kernel(*this, [&]<class K>(K kernel) {
    // The parameters of a group may be at points of fixed bodies; without them its own.
    if (group.parameters != nullptr) kernel = K::load(io, group.parameters);
    kernel.target = {offset + u.value, u.slope, u.curvature};
    evaluate_constraint_group(kernel, io, args, group);
  });
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
