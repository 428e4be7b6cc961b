#include <catena/math/detail/square.hpp>
#include <catena/model/detail/joint_coordinate.hpp>
#include <catena/model/model.hpp>
#include <catena/model/parts/joint_coupling.hpp>
#include <catena/model/parts/joint_shapes.hpp>
#include <catena/model/rows/list.hpp>

#include <algorithm>

namespace catena {
using namespace detail;
namespace {

bool has_displacement(const JointCoupling& c) {
  return std::any_of(c.terms.begin(), c.terms.end(),
                     [](const JointTerm& t) { return t.coordinate == JointCoordinate::displacement; });
}

template <int n, bool slides>
rows::Coupling<double, n, slides> kernel_of(const JointCoupling& c) {
  rows::Coupling<double, n, slides> k{};
  k.held = c.held;
  for (std::size_t i = 0; i < c.terms.size(); ++i) {
    const auto& [a, b, m] = c.between[i];
    if (c.terms[i].coordinate == JointCoordinate::angle)
      k.add_turn(a, b, angle_between(m), c.terms[i].coefficient);
    else if constexpr (slides)
      k.add_slide(a, b, m.point_a, m.point_b, m.axis_a, c.terms[i].coefficient);
  }
  return k;
}

// Calls what(kernel) with the compiled kernel for so many bodies and such terms.
template <class What>
auto with_kernel(const JointCoupling& c, What&& what) {
  const bool slides = has_displacement(c);
  switch (c.bodies.size()) {
    case 2:
      return slides ? what(kernel_of<2, true>(c)) : what(kernel_of<2, false>(c));
    case 3:
      return slides ? what(kernel_of<3, true>(c)) : what(kernel_of<3, false>(c));
    default:
      return slides ? what(kernel_of<4, true>(c)) : what(kernel_of<4, false>(c));
  }
}

}  // namespace

ElementDefect JointCoupling::join(const Model& model) {
  const auto defect = [](std::string why) { return ElementDefect{"terms: " + std::move(why), "terms"}; };
  if (terms.size() < 2 || terms.size() > rows::most_terms)
    return {"terms must be two to four coordinates of joints, are " + std::to_string(terms.size()), "terms"};
  bodies.clear();
  between.clear();
  for (std::size_t k = 0; k < terms.size(); ++k) {
    const JointTerm& term = terms[k];
    const CoordinateOf found = coordinate_of(model, term.joint, term.coordinate);
    if (!found.defect.empty()) return defect(found.defect);
    Between b{};
    b.markers = found.markers;
    if (term.coefficient == 0.0 || !has_square(term.coefficient))
      return defect("the coefficient of " + model.constraint_label(term.joint) +
                    " must be finite and not zero, is " + message_number(term.coefficient));
    for (std::size_t i = 0; i < k; ++i)
      if (terms[i].joint == term.joint && terms[i].coordinate == term.coordinate)
        return defect("the " + std::string(word_for(term.coordinate)) + " of " +
                      model.constraint_label(term.joint) + " is there twice");
    int* const places[] = {&b.a, &b.b};
    for (int i = 0; i < 2; ++i) {
      const BodyId body = found.bodies[static_cast<std::size_t>(i)];
      const auto known = std::find(bodies.begin(), bodies.end(), body);
      *places[i] = static_cast<int>(known - bodies.begin());
      if (known == bodies.end()) bodies.push_back(body);
    }
    between.push_back(b);
  }
  if (bodies.size() > max_bodies_per_element)
    return defect("their joints connect " + std::to_string(bodies.size()) +
                  " bodies; a coupling has at most four, the ground among them");
  return {};
}

void JointCoupling::placed(const BodyFrame<double>* f) {
  if (!as_placed) return;
  held = 0.0;
  held = with_kernel(*this, [&](const auto& k) { return k.gap(f, 0.0)[0]; });
}

rows::Shape JointCoupling::shape() const {
  return with_kernel(*this, [&]<class K>(const K& k) {
    rows::Shape shape{.bodies = K::bodies, .kernels = {rows::info_of_compiled<K>()}, .discrete = k.angles};
    for (int i = 0; i < k.terms; ++i) shape.key.push_back(k.term[i].code());
    return shape;
  });
}

void JointCoupling::save(double* out) const {
  with_kernel(*this, [&](const auto& k) { k.save(out); });
}

void JointCoupling::follow(const BodyFrame<double>* f, double* values) const {
  with_kernel(*this, [&](const auto& k) { k.follow(f, values); });
}

void visit(ElementVisitor& v, JointCoupling& e) {
  v.joint_terms({"terms", "", "two to four coordinates of joints that are listed before"}, e.terms);
  v.flag({"as_placed", "", "the sum stays what it is where the bodies are at first"}, e.as_placed);
  v.real(
      {"held", has_displacement(e) ? "m" : "rad",
       "the sum of coefficient times coordinate, m where a displacement is among them; with as_placed it is "
       "measured"},
      e.held);
  joint_detail::visit_name(v, e.name);
}

}  // namespace catena
