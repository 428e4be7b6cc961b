#include <catena/math/detail/index.hpp>
#include <catena/measure/parts/builtin_quantities.hpp>
#include <catena/measure/parts/instant.hpp>

#include <algorithm>
#include <limits>

namespace catena {
using namespace detail;
namespace {

using Names = std::vector<std::string>;

const Names xyz{"x", "y", "z"};

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

void add_step(QuantityCatalog& all) {
  all.add(time_quantity());
  all.add({.name = "step/size",
           .unit = "s",
           .meaning = "of the step that led here; 0 at the start",
           .titles = {"step"},
           .evaluate = [](const Instant& at, double* out) { *out = at.step(); }});
}

void add_work(QuantityCatalog& all) {
  const auto count = [&](const char* name, const char* meaning, long StepperStatistics::*member) {
    all.add({.name = name,
             .meaning = meaning,
             .whole = true,
             .needs = Needs::stepper,
             .evaluate = [member](const Instant& at, double* out) {
               *out = static_cast<double>(at.counts().*member);
             }});
  };
  count("step/newton_iterations", "of that step, failed attempts included",
        &StepperStatistics::newton_iterations);
  count("step/evaluations", "of the system in that step, failed attempts included",
        &StepperStatistics::evaluations);
  count("step/factorizations", "in that step, failed attempts included", &StepperStatistics::factorizations);
  count("step/solves", "of linear systems in that step, failed attempts included",
        &StepperStatistics::solves);
}

void add_energy(QuantityCatalog& all) {
  all.add({.name = "energy/kinetic",
           .unit = "J",
           .frame = "world",
           .meaning = "of the motion",
           .titles = {"kinetic energy"},
           .evaluate = [](const Instant& at, double* out) { *out = at.energy().kinetic; }});
  all.add({.name = "energy/potential",
           .unit = "J",
           .frame = "world",
           .meaning = "potential energy of gravity and of forces that have one",
           .titles = {"potential energy"},
           .evaluate = [](const Instant& at, double* out) { *out = at.energy().potential; }});
  all.add({.name = "energy/total",
           .unit = "J",
           .frame = "world",
           .meaning = "kinetic and potential",
           .titles = {"energy"},
           .evaluate = [](const Instant& at, double* out) { *out = at.energy().total(); }});
  all.add(
      {.name = "energy/error",
       .unit = "J",
       .frame = "world",
       .meaning = "total energy minus that at the start; work from outside counts as error",
       .titles = {"energy error"},
       .evaluate = [](const Instant& at, double* out) { *out = at.energy().total() - at.energy_initial(); }});
}

void add_energy_parts(QuantityCatalog& all) {
  all.add({.name = "energy/gravity",
           .unit = "J",
           .frame = "world",
           .meaning = "potential energy of gravity, zero at the origin",
           .needs = Needs::model,
           .complete = [](const Instant& at, double* out) { *out = at.sums().gravity; }});
  all.add({.name = "energy/forces",
           .unit = "J",
           .frame = "world",
           .meaning = "potential energy of springs and other forces that have one",
           .needs = Needs::model,
           .evaluate = [](const Instant& at, double* out) { *out = at.energy().potential; },
           .complete = [](const Instant& at, double* out) { *out -= at.sums().gravity; }});
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

void add_residuals(QuantityCatalog& all) {
  const auto residual = [&](const char* name, const char* unit, const char* meaning, const char* title,
                            WorstRow Residuals::*level) {
    all.add({.name = name,
             .unit = unit,
             .meaning = meaning,
             .titles = {title},
             .evaluate = [level](const Instant& at, double* out) { *out = (at.residuals().*level).value; }});
  };
  residual("residuals/position", "m or rad", "largest absolute row of g(q, t)", "position residual",
           &Residuals::position);
  residual("residuals/velocity", "m/s or rad/s", "largest absolute row of G v + g_t and of velocity rows",
           "velocity residual", &Residuals::velocity);
  residual("residuals/acceleration", "m/s^2 or rad/s^2",
           "largest absolute row of the time derivative of that", "acceleration residual",
           &Residuals::acceleration);
}

void add_worst_rows(QuantityCatalog& all) {
  all.add({.name = "residuals/worst",
           .meaning = "constraints of these three rows, numbers in /constraints; -1: no rows",
           .components = {"position", "velocity", "acceleration"},
           .whole = true,
           .evaluate = [](const Instant& at, double* out) {
             const Residuals& r = at.residuals();
             out[0] = r.position.constraint;
             out[1] = r.velocity.constraint;
             out[2] = r.acceleration.constraint;
           }});
}

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
  all.add({.name = "v",
           .unit = "m/s and rad/s, or the system's own",
           .frame = "world and body",
           .meaning = "velocities; bodies: velocity of the centre of mass in the world frame, angular "
                      "velocity in the body "
                      "frame",
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
             copy_numbers(out, at.state().lambda, at.measured().count(Items::row));
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
  if (bodies == nullptr) return {};
  const int stride = bodies->has_lagrangian() ? 7 : 6;  // seven coordinates keep the rates of quaternions
  if (stride == 7 && start == 3) return {};
  return {Items::velocity, start, stride};
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

void add_reactions(QuantityCatalog& all) {
  const auto part = [&](const char* name, const char* unit, const char* meaning, const Names& titles,
                        int first) {
    all.add({.name = name,
             .unit = unit,
             .frame = "world",
             .meaning = meaning,
             .items = Items::side,
             .components = xyz,
             .titles = titles,
             .needs = Needs::sides,
             .complete = [first](const Instant& at, double* out) {
               const double* six = at.reactions();
               for (int s = 0; s < at.measured().count(Items::side); ++s)
                 std::copy_n(six + 6 * s + first, 3, out + 3 * s);
             }});
  };
  part("reactions/force", "N", "on the body", {"force x", "force y", "force z"}, 0);
  part("reactions/torque", "N m", "on the body, about the point", {"torque x", "torque y", "torque z"}, 3);
}

void add_joints(QuantityCatalog& all) {
  const auto part = [&](const char* name, const char* unit, const char* meaning,
                        double JointCoordinates::*number) {
    all.add({.name = name,
             .unit = unit,
             .meaning = meaning,
             .items = Items::joint,
             .standard = false,
             .needs = Needs::markers,
             .complete = [number](const Instant& at, double* out) {
               for (const JointCoordinates& joint : at.joints()) *out++ = joint.*number;
             }});
  };
  part("joints/angle", "rad",
       "of the second body about the axis of the first, from side_a to side_b; in (-pi, pi]",
       &JointCoordinates::angle);
  part("joints/angle_rate", "rad/s", "its time derivative", &JointCoordinates::angle_rate);
  part("joints/displacement", "m",
       "of the second body's point from the first one's, along the axis of the first",
       &JointCoordinates::displacement);
  part("joints/displacement_rate", "m/s", "its time derivative", &JointCoordinates::displacement_rate);
}

void add_forces(QuantityCatalog& all) {
  const auto copy_power = [](const Instant& at, double* out) {
    const std::vector<double>& power = at.force_power();
    std::copy(power.begin(), power.end(), out);
  };
  all.add({.name = "forces/power",
           .unit = "W",
           .meaning = "what a force supplies beside its potential; negative of a damper",
           .items = Items::force,
           .standard = false,
           .needs = Needs::forces,
           .complete = copy_power});
  all.add({.name = "forces/work",
           .unit = "J",
           .meaning = "integral of forces/power since the start; without drives the total energy minus the "
                      "sum of it is constant",
           .items = Items::force,
           .standard = false,
           .integrated = true,
           .needs = Needs::forces,
           .evaluate = copy_power});
}

void add_points(QuantityCatalog& all) {
  const auto part = [&](const char* name, const char* unit, const char* meaning, const Names& titles,
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

void add_peaks(QuantityCatalog& all) {
  const auto peak = [&](const char* name, const char* unit, const char* meaning, Peak MonitorResult::*which) {
    all.add({.name = name,
             .unit = unit,
             .meaning = meaning,
             .standard = false,
             .needs = Needs::monitor,
             .evaluate = [which](const Instant& at, double* out) { *out = (at.peaks().*which).value; }});
  };
  peak("peaks/energy_error", "J", "largest absolute energy/error of all steps so far",
       &MonitorResult::energy_error);
  peak("peaks/position_residual", "m or rad", "largest residuals/position of all steps so far",
       &MonitorResult::position);
  peak("peaks/velocity_residual", "m/s or rad/s", "largest residuals/velocity of all steps so far",
       &MonitorResult::velocity);
  peak("peaks/acceleration_residual", "m/s^2 or rad/s^2",
       "largest residuals/acceleration of all steps so far", &MonitorResult::acceleration);
}

}  // namespace

Quantity time_quantity() {
  return {.name = "time",
          .unit = "s",
          .meaning = "of the instant",
          .evaluate = [](const Instant& at, double* out) { *out = at.t(); }};
}

QuantityCatalog builtin_quantities() {
  QuantityCatalog all;
  add_step(all);
  add_energy(all);
  add_momentum_quantities(all);
  add_residuals(all);
  add_work(all);
  add_energy_parts(all);
  add_worst_rows(all);
  add_state(all);
  add_bodies(all);
  add_reactions(all);
  add_joints(all);
  add_forces(all);
  add_points(all);
  add_peaks(all);
  return all;
}

}  // namespace catena
