#include <catena/model/parts/couplings.hpp>
#include <catena/model/parts/joint_shapes.hpp>

namespace catena {
using namespace detail;
namespace {

template <class E>
void visit_rest(ElementVisitor& v, E& e, const char* unit) {
  v.flag({"as_placed", "", "the sum of the coordinates stays what it is where the bodies are at first"},
         e.as_placed);
  v.real({"held", unit, "the sum of the coordinates; with as_placed it is measured"}, e.held);
  joint_detail::visit_name(v, e.name);
}

}  // namespace

std::string Screw::defect() const { return pitch == 0.0 ? "pitch must not be zero" : ""; }
std::string Gear::defect() const { return ratio == 0.0 ? "ratio must not be zero" : ""; }
std::string RackAndPinion::defect() const { return radius == 0.0 ? "radius must not be zero" : ""; }
std::string Differential::defect() const {
  for (int k = 0; k < 3; ++k)
    if (weights[k] == 0.0) return "weights must not be zero";
  return {};
}

void visit(ElementVisitor& v, Screw& e) {
  joint_detail::visit_points(v, e.bodies.data(), e.point_a, e.point_b);
  joint_detail::visit_axes(v, e.axis_a, &e.axis_b);
  v.real({"pitch", "m", "along axis_a in a turn about it; negative: a left-hand thread"}, e.pitch);
  visit_rest(v, e, "m");
}

void visit(ElementVisitor& v, Gear& e) {
  v.bodies({"bodies", "", "carrier, first and second wheel"}, e.bodies.data(), 3);
  v.direction({"axis_1", "1", "of the first wheel, frame of the carrier"}, e.axis_1);
  v.direction({"wheel_axis_1", "1", "the same axis in the frame of the wheel"}, e.wheel_axis_1);
  v.direction({"axis_2", "1", "of the second wheel, frame of the carrier"}, e.axis_2);
  v.direction({"wheel_axis_2", "1", "the same axis in the frame of the wheel"}, e.wheel_axis_2);
  v.real({"ratio", "1", "turns of the first wheel for one of the second; negative: against each other"},
         e.ratio);
  visit_rest(v, e, "rad");
}

void visit(ElementVisitor& v, RackAndPinion& e) {
  v.bodies({"bodies", "", "carrier, pinion, rack"}, e.bodies.data(), 3);
  v.vector({"point", "m", "of the carrier, from which the way of the rack is measured, its frame"}, e.point);
  v.vector({"point_rack", "m", "frame of the rack"}, e.point_rack);
  v.direction({"axis_rack", "1", "along which the rack moves, frame of the carrier"}, e.axis_rack);
  v.direction({"axis_pinion", "1", "of the pinion, frame of the carrier"}, e.axis_pinion);
  v.direction({"wheel_axis", "1", "the same axis in the frame of the pinion"}, e.wheel_axis);
  v.real({"radius", "m", "way of the rack for a radian of the pinion; negative: the other way"}, e.radius);
  visit_rest(v, e, "m");
}

void visit(ElementVisitor& v, Differential& e) {
  v.bodies({"bodies", "", "frame, case, first and second shaft"}, e.bodies.data(), 4);
  v.direction({"axis", "1", "frame of the first body"}, e.axis);
  v.direction({"axis_case", "1", "the same axis in the frame of the case"}, e.axis_case);
  v.direction({"axis_1", "1", "the same axis in the frame of the first shaft"}, e.axis_1);
  v.direction({"axis_2", "1", "the same axis in the frame of the second shaft"}, e.axis_2);
  v.vector({"weights", "1", "of the angles of the case and of the two shafts"}, e.weights);
  visit_rest(v, e, "rad");
}

}  // namespace catena
