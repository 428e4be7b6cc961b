#include "plain_model.hpp"

#include <catena/model/detail/passing_visitor.hpp>

#include <map>
#include <stdexcept>

namespace catena_peer {
namespace {

using catena::BodyId;
using catena::OptionInfo;

Triple triple(const catena::Vec3& x) { return {x[0], x[1], x[2]}; }

// Members of a joint or force by their names in model files.
class Members final : public catena::detail::PassingVisitor {
 public:
  std::vector<BodyId> on = {};
  std::map<std::string, Triple> vectors = {};
  std::map<std::string, double> numbers = {};

  void bodies(const OptionInfo&, BodyId* ids, int count) override { on.assign(ids, ids + count); }
  void vector(const OptionInfo& info, catena::Vec3& value) override { vectors[info.name] = triple(value); }
  void direction(const OptionInfo& info, catena::Vec3& value) override { vectors[info.name] = triple(value); }
  void real(const OptionInfo& info, double& value) override { numbers[info.name] = value; }
  int body(std::size_t k) const {
    return k < on.size() && on[k] != catena::ground ? static_cast<int>(on[k]) : -1;
  }
};

struct Listed {
  std::string type;
  Members members;
};

Listed listed(const catena::Model& model, const catena::Model::ElementRef& ref, const std::string& label) {
  const catena::detail::ElementPool& pool = *model.pools()[static_cast<std::size_t>(ref.pool)];
  Listed element{pool.type_name(), {}};
  if (!pool.list_members(ref.element, element.members))
    throw std::runtime_error(label + " has a type of its own, which no other program knows");
  return element;
}

PlainBody plain(const catena::Body& body) {
  if (!body.fixed && body.motion != catena::BodyMotion::rigid)
    throw std::runtime_error("body \"" + body.name +
                             "\" is a point or planar, which this program does not know");
  const catena::Quat& e = body.orientation;
  const catena::Mat3& j = body.inertia;
  return {{triple(body.position), {e.w, e.x, e.y, e.z}, triple(body.velocity), triple(body.angular_velocity)},
          body.mass,
          {j(0, 0), j(1, 1), j(2, 2)},
          {j(0, 1), j(0, 2), j(1, 2)},
          body.fixed};
}

}  // namespace

PlainMechanism plain(const catena::Model& model) {
  PlainMechanism all{triple(model.gravity), {}, {}, {}};
  for (const catena::Body& body : model.bodies()) all.bodies.push_back(plain(body));
  for (std::size_t k = 0; k < model.constraints().size(); ++k) {
    const std::string label = model.constraint_label(static_cast<catena::ConstraintId>(k));
    auto [type, m] = listed(model, model.constraints()[k], label);
    all.joints.push_back({type, label, m.body(0), m.body(1), m.vectors["point_a"], m.vectors["point_b"],
                          m.vectors["axis_a"], m.vectors["axis_b"], m.numbers["length"]});
  }
  for (std::size_t k = 0; k < model.forces().size(); ++k) {
    const std::string label = model.force_label(static_cast<catena::ForceId>(k));
    auto [type, m] = listed(model, model.forces()[k], label);
    if (type != "spring_damper") throw std::runtime_error(label + " has no counterpart in this program");
    all.springs.push_back({m.body(0), m.body(1), m.vectors["point_a"], m.vectors["point_b"],
                           m.numbers["stiffness"], m.numbers["damping"], m.numbers["rest_length"]});
  }
  return all;
}

}  // namespace catena_peer
