#include <catena/math/nearest.hpp>
#include <catena/model/model.hpp>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>

namespace catena {
namespace {

std::string quoted(const std::string& name) { return '"' + name + '"'; }

std::string label(const char* kind, const std::string& name, const char* type_name) {
  return std::string(kind) + ' ' + quoted(name) + " (" + type_name + ')';
}

// What the rows of one constraint would be made by rounding alone: 4 eps times what each of them changes by as every
// coordinate changes by its own size, or by 1 for those of the quaternion. Each coordinate is rounded once, by eps / 2,
// and the products and sums behind a row round a few more times. rows: evaluated, at args.q == q.
std::vector<double> rounding_of(const ElementPool& pool, const ElementGroup& group, KernelArgs args,
                                std::vector<double>& q, const std::vector<double>& rows) {
  constexpr double part = 0x1p-13;  // of the size: small beside what turns a row around, large beside eps
  std::vector<double> bound(rows.size(), 0.0), moved(rows.size());
  args.position = moved.data();
  for (int i = 0; i < pool.bodies(); ++i)
    for (int k = 0; k < 7; ++k) {
      double& x = q[static_cast<std::size_t>(group.q_at[i][0] + k)];
      const double as_it_was = x;
      x += part * (k < 3 ? std::abs(x) : 1.0);
      pool.evaluate(args, group);
      x = as_it_was;
      for (std::size_t r = 0; r < rows.size(); ++r)
        bound[r] += 4.0 * std::numeric_limits<double>::epsilon() * std::abs(moved[r] - rows[r]) / part;
    }
  return bound;
}

// What each row of one constraint changes by as one of its moving bodies moves by its own size (its radius of gyration)
// or turns by 1 rad, where that is less than 1: the size that its gap is measured by. 1 for rows that nothing changes.
std::vector<double> size_of_rows(const ElementPool& pool, ElementGroup group, KernelArgs args,
                                 const std::array<const Body*, max_bodies_per_element>& bodies) {
  const int rows = pool.rows(), slots = 8 * 6 * rows;
  std::vector<double> G(static_cast<std::size_t>(slots * pool.bodies())), size;
  for (int i = 0; i < pool.bodies(); ++i) group.C_at[i] = static_cast<std::uint32_t>(slots * i);
  args.position = nullptr;
  args.C = G.data();
  pool.evaluate(args, group);
  for (int r = 0; r < rows; ++r) {
    double largest = 0.0;
    for (int i = 0; i < pool.bodies(); ++i) {
      const Body* b = bodies[static_cast<std::size_t>(i)];
      if (b == nullptr || b->fixed) continue;
      const double gyration =
          std::sqrt((b->inertia(0, 0) + b->inertia(1, 1) + b->inertia(2, 2)) / (2.0 * b->mass));
      double sum = 0.0;
      for (int c = 0; c < 6; ++c) {
        const double change =
            G[static_cast<std::size_t>(slots * i + 8 * (6 * r + c))] * (c < 3 ? gyration : 1.0);
        sum += change * change;
      }
      largest = std::max(largest, std::sqrt(sum));
    }
    size.push_back(largest > 0.0 ? std::min(largest, 1.0) : 1.0);
  }
  return size;
}

auto name_of_body(const std::vector<Body>& bodies) {
  return
      [&bodies](int number) -> const std::string& { return bodies[static_cast<std::size_t>(number)].name; };
}

}  // namespace

Model::Model(const Model& other)
    : gravity(other.gravity),
      bodies_(other.bodies_),
      constraints_(other.constraints_),
      forces_(other.forces_),
      pool_of_type_(other.pool_of_type_),
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
    if (!std::isfinite(g)) throw ModelError("gravity: it must be finite [m/s^2]", "gravity");
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

void Model::refuse(const ElementDescription& what, const std::string& reason, const char* member) {
  throw ModelError(label(what.kind, what.name, what.type_name) + ": " + reason, member);
}

void Model::check_element(const ElementDescription& what) const {
  for (int i = 0; i < what.body_count; ++i) {
    const BodyId id = what.bodies[i];
    const int number = static_cast<int>(id);
    if (id != ground && (number < 0 || number >= body_count())) {
      const std::string have = body_count() == 0   ? "no bodies yet"
                               : body_count() == 1 ? "1 body (number 0)"
                                                   : std::to_string(body_count()) + " bodies (numbers 0 to " +
                                                         std::to_string(body_count() - 1) + ")";
      refuse(what, "body number " + std::to_string(number) + " does not exist; the model has " + have);
    }
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
  const Body& b = id == ground ? still : body(id);
  BodyFrame<double> f{b.position, rotation_matrix(b.orientation), b.velocity, b.angular_velocity};
  if (b.fixed) f.v = f.omega = Vec3::Zero();
  return f;
}

std::string Model::element_name(int number) const {
  const ElementRef& r = (number % 2 == 0 ? constraints_ : forces_)[static_cast<std::size_t>(number / 2)];
  return pools_[static_cast<std::size_t>(r.pool)]->name(r.element);
}

std::string Model::constraint_label(ConstraintId id) const {
  const ElementRef& r = constraints_[static_cast<std::size_t>(id)];
  const ElementPool& pool = *pools_[static_cast<std::size_t>(r.pool)];
  return label("joint", pool.name(r.element), pool.type_name());
}

std::string Model::force_label(ForceId id) const {
  const ElementRef& r = forces_[static_cast<std::size_t>(id)];
  const ElementPool& pool = *pools_[static_cast<std::size_t>(r.pool)];
  return label("force", pool.name(r.element), pool.type_name());
}

void Model::check_initial_positions(double tolerance) const {
  const std::vector<OpenConstraint> open = open_constraints(tolerance);
  if (open.empty()) return;
  std::string message = "the initial positions violate " + std::to_string(open.size()) + " of " +
                        std::to_string(constraints_.size()) + " joints: ";
  constexpr std::size_t shown = 3;
  for (std::size_t k = 0; k < std::min(shown, open.size()); ++k)
    message += (k > 0 ? ", " : "") + constraint_label(open[k].id) + " by " + message_number(open[k].amount);
  if (open.size() > shown) message += " and " + std::to_string(open.size() - shown) + " more";
  throw ModelError(message +
                   "; correct them, or call project_positions to move the bodies onto their joints");
}

std::vector<Model::OpenConstraint> Model::open_constraints(double tolerance) const {
  // Every body in one array, the ground last, so that one group serves any element.
  std::vector<double> q(7 * (bodies_.size() + 1), 0.0);
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const Body& body = bodies_[b];
    double* p = &q[7 * b];
    for (int k = 0; k < 3; ++k) p[k] = body.position[k];
    p[3] = body.orientation.w, p[4] = body.orientation.x, p[5] = body.orientation.y,
    p[6] = body.orientation.z;
  }
  q[7 * bodies_.size() + 3] = 1.0;

  std::vector<OpenConstraint> found;
  std::vector<double> rows;
  KernelArgs args;
  args.q = q.data();
  for (std::size_t c = 0; c < constraints_.size(); ++c) {
    const ElementPool& pool = *pools_[static_cast<std::size_t>(constraints_[c].pool)];
    if (pool.level() != Level::position) continue;
    ElementGroup group{};
    group.count = 1;
    group.first = constraints_[c].element;
    std::array<const Body*, max_bodies_per_element> bodies{};
    for (int i = 0; i < pool.bodies(); ++i) {
      const BodyId id = pool.body(group.first, i);
      if (id != ground) bodies[static_cast<std::size_t>(i)] = &body(id);
      group.q_at[i][0] = 7 * (id == ground ? body_count() : static_cast<int>(id));
    }
    rows.assign(static_cast<std::size_t>(pool.rows()), 0.0);
    args.position = rows.data();
    pool.evaluate(args, group);
    double amount = 0.0;
    for (const double r : rows) amount = std::isfinite(r) ? std::max(amount, std::abs(r)) : INFINITY;
    bool open = !std::isfinite(amount);
    if (!open && amount > 0.0) {
      const std::vector<double> size = size_of_rows(pool, group, args, bodies);
      const std::vector<double> rounding = rounding_of(pool, group, args, q, rows);
      for (std::size_t r = 0; r < rows.size(); ++r)
        open = open || std::abs(rows[r]) > tolerance * size[r] + rounding[r];
    }
    if (open) found.push_back({ConstraintId{static_cast<int>(c)}, amount});
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const OpenConstraint& x, const OpenConstraint& y) { return x.amount > y.amount; });
  return found;
}

}  // namespace catena
