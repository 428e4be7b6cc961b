#include <catena/model/detail/joint_coordinate.hpp>
#include <catena/model/model.hpp>
#include <catena/model/parts/joint_pid.hpp>
#include <catena/model/parts/joint_shapes.hpp>

namespace catena {
using namespace detail;

ElementDefect JointPid::join(const Model& model) { return join_coordinate(model, *this); }

std::string JointPid::defect_at(const BodyFrame<double>*, double t) const {
  const std::string why = target.defect_at(t);
  return why.empty() ? "" : "target: " + why;
}

void JointPid::sample(const BodyFrame<double>* f, double t, double* values) const {
  auto k = kernel<double>();
  k.reference = values[0];
  k.law.sample(k.coordinate(f), k.rate(f), t, values + 1);
}

void visit(ElementVisitor& v, JointPid& e) {
  v.joint({"joint", "", "a joint between two markers that is listed before"}, e.joint);
  visit_choice(v, {"coordinate", "", "angle about axis_a, or displacement along it"}, e.coordinate,
               {"angle", "displacement"});
  const bool turns = e.coordinate == JointCoordinate::angle;
  const char *const unit = turns ? "rad" : "m", *const force = turns ? "N m" : "N";
  v.function({"target", unit, "where the coordinate shall be, of the time"}, e.target, {"s", unit});
  v.real({"proportional", turns ? "N m/rad" : "N/m", "by the error, target minus coordinate"},
         e.proportional);
  v.real({"integral", turns ? "N m/rad/s" : "N/m/s",
          "by the integral of the error, without a period by a rule of order 4, which tolerances do not see"},
         e.integral);
  v.real({"derivative", turns ? "N m s/rad" : "N s/m", "by the rate of the error"}, e.derivative);
  v.real({"limit", force, "largest moment or force; 0: none", 0.0}, e.limit);
  v.real({"period", "s", "between samples, from time 0 on; 0: it acts at every moment", 0.0}, e.period);
  joint_detail::visit_name(v, e.name);
}

}  // namespace catena
