#include <catena/output/result_fields.hpp>

#include <fmt/format.h>

#include <cassert>

namespace catena {
namespace {

const char* const all = "all";
const char* const bodies = "bodies";       // systems with bodies
const char* const models = "models";       // made of a model of bodies and joints
const char* const constrained = "joints";  // of these, those with constraints

}  // namespace

const std::vector<ResultField>& result_fields() {
  static const std::vector<ResultField> fields = {
      {"/time", "instant", "s", "", all, "of the instant"},
      {"/step/size", "instant", "s", "", all, "of the step that led here; 0 at the start"},
      {"/step/newton_iterations", "instant", "1", "", all, "of that step, failed attempts included"},
      {"/step/evaluations", "instant", "1", "", all, "of the system in that step, failed attempts included"},
      {"/step/factorizations", "instant", "1", "", all, "in that step, failed attempts included"},
      {"/step/solves", "instant", "1", "", all, "of linear systems in that step, failed attempts included"},
      {"/energy/kinetic", "instant", "J", "world", all, ""},
      {"/energy/gravity", "instant", "J", "world", models, "potential energy of gravity, zero at the origin"},
      {"/energy/forces", "instant", "J", "world", models,
       "potential energy of springs and other forces that have one"},
      {"/energy/potential", "instant", "J", "world", "others",
       "potential energy of systems in their own coordinates"},
      {"/energy/total", "instant", "J", "world", all, "kinetic and potential"},
      {"/momentum/linear", "instant, 3", "kg m/s", "world", models, "of the moving bodies"},
      {"/momentum/angular", "instant, 3", "kg m^2/s", "world", models,
       "of the moving bodies about the origin"},
      {"/residuals/position", "instant", "m or rad", "", all, "largest absolute row of g(q, t)"},
      {"/residuals/velocity", "instant", "m/s or rad/s", "", all,
       "largest absolute row of G v + g_t and of velocity rows"},
      {"/residuals/acceleration", "instant", "m/s^2 or rad/s^2", "", all,
       "largest absolute row of the time derivative of that"},
      {"/residuals/worst", "instant, 3", "1", "", all,
       "constraints of these three rows, numbers in /constraints; -1: no rows"},
      {"/q", "instant, coordinate", "m and 1, or the system's own", "world", all,
       "coordinates; bodies: x y z of the centre of mass and quaternion w x y z, seven a moving body"},
      {"/v", "instant, velocity", "m/s and rad/s, or the system's own", "world and body", all,
       "velocities; bodies: velocity of the centre of mass in the world frame, angular velocity in the body "
       "frame"},
      {"/a", "instant, velocity", "m/s^2 and rad/s^2, or the system's own", "world and body", all,
       "accelerations, the time derivatives of /v"},
      {"/lambda", "instant, row", "N for rows in m, N m for rows in rad", "of the row", "with constraints",
       "multipliers in the order of /constraints; the constraint force is -G^T lambda"},
      {"/discrete", "instant, value", "the element's own", "", "discrete state",
       "discrete values of the elements"},
      {"/bodies/name", "body", "1", "", bodies, "of the moving bodies"},
      {"/bodies/mass", "body", "kg", "", models, ""},
      {"/bodies/inertia", "body, 3, 3", "kg m^2", "body", models, "about the centre of mass"},
      {"/bodies/position", "instant, body, 3", "m", "world", bodies, "centre of mass"},
      {"/bodies/orientation", "instant, body, 4", "1", "body to world", bodies,
       "unit quaternion, scalar first (w, x, y, z)"},
      {"/bodies/velocity", "instant, body, 3", "m/s", "world", bodies, "of the centre of mass"},
      {"/bodies/angular_velocity", "instant, body, 3", "rad/s", "body", bodies, ""},
      {"/fixed_bodies/name", "fixed body", "1", "", models, "of the bodies that do not move"},
      {"/fixed_bodies/position", "fixed body, 3", "m", "world", models, "centre of mass"},
      {"/fixed_bodies/orientation", "fixed body, 4", "1", "body to world", models,
       "unit quaternion, scalar first"},
      {"/constraints/name", "constraint", "1", "", all, "with the type of the joint"},
      {"/constraints/first_row", "constraint", "1", "", all, "where its multipliers begin in /lambda"},
      {"/constraints/rows", "constraint", "1", "", all, "how many there are"},
      {"/constraints/level", "constraint", "1", "", all, "0: position rows, 1: velocity rows"},
      {"/reactions/constraint", "side", "1", "", constrained, "number in /constraints of what acts"},
      {"/reactions/body", "side", "1", "", constrained,
       "number in /bodies of what feels it; the other body feels the opposite"},
      {"/reactions/point", "side, 3", "m", "body", constrained,
       "where the force acts and what the torque is about: the joint's point of that body, or its centre of "
       "mass"},
      {"/reactions/force", "instant, side, 3", "N", "world", constrained, "on the body"},
      {"/reactions/torque", "instant, side, 3", "N m", "world", constrained, "on the body, about the point"},
      {"/points/name", "point", "1", "", "observed points", "of the points that the problem follows"},
      {"/points/body", "point", "1", "", "observed points", "number in the model, fixed bodies counted"},
      {"/points/point", "point, 3", "m", "body", "observed points", "from the centre of mass"},
      {"/points/position", "instant, point, 3", "m", "world", "observed points", ""},
      {"/points/velocity", "instant, point, 3", "m/s", "world", "observed points", ""},
      {"/events/time", "event", "s", "", all, "first instant behind the root"},
      {"/events/name", "event", "1", "", all, ""},
      {"/events/rising", "event", "1", "", all, "1: the function went from below zero to above"},
      {"/events/lost", "", "1", "", all,
       "later events that did not fit in here; RunResult::events of the run has all"},
      {"/ended", "", "1", "", all, "date of the regular end of the run, UTC; empty: it is running, or was killed"},
      {"/records", "instant, column", "1", "", all,
       "everything that grows, a row an instant; the other datasets with an instant are windows into it"},
  };
  return fields;
}

const ResultField& result_field(const std::string& path) {
  for (const ResultField& f : result_fields())
    if (path == f.path) return f;
  assert(false && "a dataset that the schema does not name");
  return result_fields().back();
}

std::string result_fields_markdown() {
  std::string text = "| dataset | shape | unit | frame | where | meaning |\n|---|---|---|---|---|---|\n";
  for (const ResultField& f : result_fields())
    text += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", f.path, f.shape, f.unit, f.frame, f.where,
                        f.meaning);
  return text;
}

}  // namespace catena
