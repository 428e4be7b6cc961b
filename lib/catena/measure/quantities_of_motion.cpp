// Numbers of the state, and what bodies and their points do.
#include <catena/measure/detail/quantity_groups.hpp>
#include <catena/measure/parts/instant.hpp>

#include <algorithm>
#include <limits>
#include <utility>

namespace catena::detail {
namespace {

void copy_vector(double* out, const Vec3& v) {
  for (int k = 0; k < 3; ++k) out[k] = v[k];
}

// count numbers of values, or nan where it holds fewer.
void copy_numbers(double* out, const std::vector<double>& values, int count) {
  if (static_cast<int>(values.size()) >= count)
    std::copy_n(values.begin(), count, out);
  else
    std::fill_n(out, count, std::numeric_limits<double>::quiet_NaN());
}

// What `numbers` writes of every body: of own coordinates at once, of a model later.
void add_body_quantity(QuantityCatalog& all, Quantity quantity,
                       void (*numbers)(const RigidBodyState&, double* out)) {
  const int size = quantity.component_count();
  const auto of_all = [numbers, size](const Instant& at, double* out) {
    for (int k = 0; k < at.body_count(); ++k) numbers(at.body(k), out + size * k);
  };
  quantity.items = Items::body;
  quantity.needs = Needs::bodies;
  quantity.evaluate = [of_all](const Instant& at, double* out) {
    if (at.measured().model_system() == nullptr) of_all(at, out);
  };
  if (!quantity.complete)
    quantity.complete = [of_all](const Instant& at, double* out) {
      if (at.measured().model_system() != nullptr) of_all(at, out);
    };
  all.add(std::move(quantity));
}

// Whether the system is one of bodies, and in how many velocities.
StateView pose_view(const System& system, int start) {
  return bodies_of(system) == nullptr ? StateView{} : StateView{Items::coordinate, start, 7};
}

StateView velocity_view(const System& system, int start) {
  const auto* bodies = bodies_of(system);
  if (bodies == nullptr || !bodies->freedoms().all_six()) return {};
  const int stride = bodies->has_lagrangian() ? 7 : 6;  // seven coordinates keep the rates of quaternions
  if (stride == 7 && start == 3) return {};
  return {Items::velocity, start, stride};
}

}  // namespace

void add_state(QuantityCatalog& all) {
  all.add({.name = "q",
           .unit = "m and 1, or the system's own",
           .frame = "world",
           .meaning =
               "coordinates; bodies: x y z of the centre of mass and quaternion w x y z, seven a moving body",
           .items = Items::coordinate,
           .evaluate = [](const Instant& at, double* out) {
             copy_numbers(out, at.state().q, at.measured().count(Items::coordinate));
           }});
  all.add(
      {.name = "v",
       .unit = "m/s and rad/s, or the system's own",
       .frame = "world and body",
       .meaning =
           "velocities; bodies: velocity of the centre of mass in the world frame, angular "
           "velocity in the body frame; points: the former; planar bodies: the two components in their "
           "plane and the rate about its normal; of methods with seven coordinates a body (discrete_action, "
           "ida) the rates of the quaternion in place of the angular velocity",
       .items = Items::velocity,
       .evaluate = [](const Instant& at, double* out) {
         copy_numbers(out, at.state().v, at.measured().count(Items::velocity));
       }});
  all.add({.name = "a",
           .unit = "m/s^2 and rad/s^2, or the system's own",
           .frame = "world and body",
           .meaning = "accelerations, the time derivatives of /v",
           .items = Items::velocity,
           .evaluate = [](const Instant& at, double* out) {
             copy_numbers(out, at.state().a, at.measured().count(Items::velocity));
           }});
  all.add({.name = "lambda",
           .unit = "N or N m",
           .frame = "of the row",
           .meaning = "multipliers in the order of /constraints, N of rows in m, N m of rows in rad; the "
                      "constraint force is -G^T lambda",
           .items = Items::row,
           .titles = {"multiplier"},
           .needs = Needs::constraints,
           .evaluate = [](const Instant& at, double* out) {
             std::copy_n(at.lambda(), at.measured().count(Items::row), out);
           }});
  all.add({.name = "lambda_bar/row",
           .unit = "N or N m",
           .frame = "of the row",
           .meaning = "error bar of /lambda: what the method's multipliers and those recomputed at its t, q, "
                      "v differ by",
           .items = Items::row,
           .titles = {"error bar of the multiplier"},
           .standard = false,
           .needs = Needs::constraints,
           .evaluate = [](const Instant& at, double* out) {
             std::copy_n(at.lambda_bar(), at.measured().count(Items::row), out);
           }});
  all.add({.name = "discrete",
           .unit = "the element's own",
           .meaning = "discrete values of the elements",
           .items = Items::discrete,
           .needs = Needs::discrete,
           .evaluate = [](const Instant& at, double* out) {
             copy_numbers(out, at.state().discrete, at.measured().count(Items::discrete));
           }});
}

void add_bodies(QuantityCatalog& all) {
  add_body_quantity(all,
                    {.name = "bodies/position",
                     .unit = "m",
                     .frame = "world",
                     .meaning = "centre of mass",
                     .components = xyz,
                     .titles = xyz,
                     .view = [](const System& system) { return pose_view(system, 0); }},
                    [](const RigidBodyState& b, double* out) { copy_vector(out, b.position); });
  Quantity orientation{.name = "bodies/orientation",
                       .frame = "body to world",
                       .meaning = "unit quaternion, scalar first (w, x, y, z)",
                       .components = {"w", "x", "y", "z"},
                       .titles = {"quaternion w", "quaternion x", "quaternion y", "quaternion z"},
                       .view = [](const System& system) { return pose_view(system, 3); }};
  orientation.complete = [](const Instant& at, double* out) {  // as the state has it, like the view
    if (at.measured().model_system() == nullptr) return;
    for (int k = 0; k < at.body_count(); ++k) std::copy_n(at.q() + 7 * k + 3, 4, out + 4 * k);
  };
  add_body_quantity(all, std::move(orientation), [](const RigidBodyState& b, double* out) {
    const double turn[] = {b.orientation.w, b.orientation.x, b.orientation.y, b.orientation.z};
    std::copy(turn, turn + 4, out);
  });
  add_body_quantity(all,
                    {.name = "bodies/velocity",
                     .unit = "m/s",
                     .frame = "world",
                     .meaning = "of the centre of mass",
                     .components = xyz,
                     .titles = {"vx", "vy", "vz"},
                     .view = [](const System& system) { return velocity_view(system, 0); }},
                    [](const RigidBodyState& b, double* out) { copy_vector(out, b.velocity); });
  add_body_quantity(all,
                    {.name = "bodies/angular_velocity",
                     .unit = "rad/s",
                     .frame = "body",
                     .meaning = "of the body against the world",
                     .components = xyz,
                     .titles = {"omega x (body)", "omega y (body)", "omega z (body)"},
                     .view = [](const System& system) { return velocity_view(system, 3); }},
                    [](const RigidBodyState& b, double* out) { copy_vector(out, b.angular_velocity); });
}

void add_points(QuantityCatalog& all) {
  const auto part = [&](const char* name, const char* unit, const char* meaning,
                        const std::vector<std::string>& titles,
                        Vec3 (*vector)(const RigidBodyState&, const Vec3&)) {
    all.add({.name = name,
             .unit = unit,
             .frame = "world",
             .meaning = meaning,
             .items = Items::point,
             .components = xyz,
             .titles = titles,
             .needs = Needs::points,
             .complete = [vector](const Instant& at, double* out) {
               for (const TrackedPoint& p : at.measured().sources().points) {
                 copy_vector(out, vector(at.model_body(p.body), p.point));
                 out += 3;
               }
             }});
  };
  part("points/position", "m", "of a point that is fixed in its body", xyz, point_position);
  part("points/velocity", "m/s", "of the same point", {"vx", "vy", "vz"}, point_velocity);
}

void add_momentum_quantities(QuantityCatalog& all) {
  all.add({.name = "momentum/linear",
           .unit = "kg m/s",
           .frame = "world",
           .meaning = "of the moving bodies",
           .components = xyz,
           .titles = {"linear momentum x", "linear momentum y", "linear momentum z"},
           .needs = Needs::model,
           .complete = [](const Instant& at, double* out) { copy_vector(out, at.sums().momentum.linear); }});
  all.add({.name = "momentum/angular",
           .unit = "kg m^2/s",
           .frame = "world",
           .meaning = "of the moving bodies about the origin",
           .components = xyz,
           .titles = {"angular momentum x", "angular momentum y", "angular momentum z"},
           .needs = Needs::model,
           .complete = [](const Instant& at, double* out) { copy_vector(out, at.sums().momentum.angular); }});
}

}  // namespace catena::detail
