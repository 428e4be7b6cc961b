#include <catena/math/detail/nearest.hpp>
#include <catena/math/detail/square.hpp>
#include <catena/model/detail/element_alone.hpp>
#include <catena/model/detail/no_such.hpp>
#include <catena/model/model.hpp>

#include <cmath>

namespace catena {
using namespace detail;
namespace {

std::string quoted(const std::string& name) { return '"' + name + '"'; }

std::string label(const char* kind, const std::string& name, const char* type_name) {
  return std::string(kind) + ' ' + quoted(name) + " (" + type_name + ')';
}

auto name_of_body(const std::vector<Body>& bodies) {
  return
      [&bodies](int number) -> const std::string& { return bodies[static_cast<std::size_t>(number)].name; };
}

}  // namespace

std::string detail::no_such(const std::string& kind, int number, int count) {
  const std::string many = kind == "body" ? "bodies" : kind + 's';
  const std::string have =
      count == 0   ? "no " + many + " yet"
      : count == 1 ? "1 " + kind + " (number 0)"
                   : std::to_string(count) + ' ' + many + " (numbers 0 to " + std::to_string(count - 1) + ")";
  return kind + " number " + std::to_string(number) + " does not exist; the model has " + have;
}

void detail::check_number(const char* kind, int number, int count) {
  if (number < 0 || number >= count) throw ModelError(no_such(kind, number, count));
}

void Model::refuse_number(BodyId id) const {
  if (id == ground) throw ModelError("the ground is no body of the model: it has no members");
  throw ModelError(no_such("body", static_cast<int>(id), body_count()));
}

Model::Model(const Model& other)
    : gravity(other.gravity),
      bodies_(other.bodies_),
      constraints_(other.constraints_),
      forces_(other.forces_),
      body_names_(other.body_names_),
      element_names_(other.element_names_) {
  pools_.reserve(other.pools_.size());
  for (const auto& pool : other.pools_) pools_.push_back(pool->clone());
}

Model& Model::operator=(const Model& other) {
  Model copy(other);
  return *this = std::move(copy);
}

BodyId Model::add(Body body) {
  const int number = body_count();
  if (body.name.empty()) body.name = "body " + std::to_string(number);
  check_and_normalize(body);
  refuse_taken_name(body);
  body_names_.insert(body.name, number);
  bodies_.push_back(std::move(body));
  return BodyId{number};
}

void Model::refuse_taken_name(const Body& body) const {
  const int other = body_names_.find(body.name, name_of_body(bodies_));
  if (other >= 0)
    throw ModelError(
        "body " + quoted(body.name) + ": the name is already that of body number " + std::to_string(other),
        "name");
}

void Model::check() {
  for (const double g : {gravity[0], gravity[1], gravity[2]})
    if (!has_square(g))
      throw ModelError(std::string("gravity: it ") + (std::isfinite(g) ? "and its square " : "") +
                           "must be finite [m/s^2]",
                       "gravity");
  body_names_ = {};
  for (int number = 0; number < body_count(); ++number) {
    Body& body = bodies_[static_cast<std::size_t>(number)];
    if (body.name.empty()) body.name = "body " + std::to_string(number);
    check_and_normalize(body);
    refuse_taken_name(body);
    body_names_.insert(body.name, number);
  }
  for (const std::vector<ElementRef>* list : {&constraints_, &forces_})
    for (const ElementRef& r : *list) {
      const ElementPool& pool = *pools_[static_cast<std::size_t>(r.pool)];
      BodyId bodies[max_bodies_per_element] = {};
      for (int i = 0; i < pool.bodies(); ++i) bodies[i] = pool.body(r.element, i);
      check_movement({list == &constraints_ ? "joint" : "force", pool.name(r.element), pool.type_name(),
                      bodies, pool.bodies()});
    }
}

BodyId Model::find_body(const std::string& name) const {
  const int found = body_names_.find(name, name_of_body(bodies_));
  if (found >= 0) return BodyId{found};
  std::vector<std::string> all;
  for (const Body& body : bodies_) all.push_back(body.name);
  const std::string hint = nearest_hint(name, all);
  throw ModelError("there is no body " + quoted(name) + (hint.empty() ? "" : "; " + hint));
}

ConstraintId Model::find_joint(const std::string& name) const {
  return ConstraintId{find_element(0, name) / 2};
}

ForceId Model::find_force(const std::string& name) const { return ForceId{find_element(1, name) / 2}; }

int Model::find_element(int kind, const std::string& name) const {
  const int found = element_names_.find(name, [this](int number) { return element_name(number); });
  if (found >= 0 && found % 2 == kind) return found;
  std::string why = (kind == 0 ? "there is no joint " : "there is no force ") + quoted(name);
  if (found >= 0) {
    why += kind == 0 ? "; it is a force" : "; it is a joint";
  } else {
    std::vector<std::string> all;
    const std::size_t count = kind == 0 ? constraints_.size() : forces_.size();
    for (std::size_t k = 0; k < count; ++k) all.push_back(element_name(2 * static_cast<int>(k) + kind));
    const std::string hint = nearest_hint(name, all);
    if (!hint.empty()) why += "; " + hint;
  }
  throw ModelError(why);
}

void Model::refuse(const ElementDescription& what, const std::string& reason, const std::string& member) {
  throw ModelError(label(what.kind, what.name, what.type_name) + ": " + reason, member);
}

void Model::check_element(const ElementDescription& what) const {
  for (int i = 0; i < what.body_count; ++i) {
    const BodyId id = what.bodies[i];
    const int number = static_cast<int>(id);
    if (id != ground && (number < 0 || number >= body_count()))
      refuse(what, no_such("body", number, body_count()));
    for (int k = 0; k < i; ++k)
      if (what.bodies[k] == id)
        refuse(what,
               "connects " + (id == ground ? "the ground" : "body " + quoted(body(id).name)) + " to itself",
               "bodies");
  }
  check_movement(what);
  if (element_names_.find(what.name, [this](int number) { return element_name(number); }) >= 0)
    refuse(what, "the name is already that of another joint or force", "name");
}

void Model::check_movement(const ElementDescription& what) const {
  for (int i = 0; i < what.body_count; ++i)
    if (what.bodies[i] != ground && !body(what.bodies[i]).fixed) return;
  refuse(what, what.body_count == 1 ? "its body does not move" : "none of its bodies moves", "bodies");
}

std::string Model::free_name(const char* type_name, int& number) const {
  for (;; ++number) {
    std::string name = std::string(type_name) + " " + std::to_string(number);
    if (element_names_.find(name, [this](int n) { return element_name(n); }) < 0) return name;
  }
}

BodyFrame<double> Model::initial_frame(BodyId id) const {
  const Body still{};
  if (id != ground) check_number("body", static_cast<int>(id), body_count());
  const Body& b = id == ground ? still : body(id);
  BodyFrame<double> f{b.position, rotation_matrix(b.orientation), b.velocity, b.angular_velocity};
  if (b.fixed) f.v = f.omega = Vec3::Zero();
  return f;
}

std::string Model::not_finite_alone(const ElementPool& pool) const {
  const std::vector<double> rows = ElementAlone(*this, pool, 0).rows();
  for (std::size_t k = 0; k < rows.size(); ++k)
    if (!std::isfinite(rows[k])) return "row " + std::to_string(k) + " is not finite in the initial state";
  return {};
}

std::string Model::element_name(int number) const {
  const std::vector<ElementRef>& list = number % 2 == 0 ? constraints_ : forces_;
  if (number < 0 || static_cast<std::size_t>(number / 2) >= list.size())
    check_number("joint", number / 2, static_cast<int>(list.size()));
  const ElementRef& r = list[static_cast<std::size_t>(number / 2)];
  return pools_[static_cast<std::size_t>(r.pool)]->name(r.element);
}

std::string Model::constraint_label(ConstraintId id) const {
  check_number("joint", static_cast<int>(id), static_cast<int>(constraints_.size()));
  const ElementRef& r = constraints_[static_cast<std::size_t>(id)];
  const ElementPool& pool = *pools_[static_cast<std::size_t>(r.pool)];
  return label("joint", pool.name(r.element), pool.type_name());
}

std::string Model::force_label(ForceId id) const {
  check_number("force", static_cast<int>(id), static_cast<int>(forces_.size()));
  const ElementRef& r = forces_[static_cast<std::size_t>(id)];
  const ElementPool& pool = *pools_[static_cast<std::size_t>(r.pool)];
  return label("force", pool.name(r.element), pool.type_name());
}

}  // namespace catena
