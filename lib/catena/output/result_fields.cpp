#include <catena/measure/parts/builtin_quantities.hpp>
#include <catena/output/detail/result_fields.hpp>

#include <cassert>

namespace catena::detail {
namespace {

const char* const all = "all";
const char* const bodies = "bodies";       // systems with bodies
const char* const models = "models";       // made of a model of bodies and joints
const char* const constrained = "joints";  // of these, those with constraints

std::vector<ResultField> make_fields() {
  std::vector<ResultField> fields;
  const QuantityCatalog quantities = builtin_quantities();
  for (const Quantity& quantity : quantities.all()) fields.push_back(field_of(quantity));
  const std::vector<ResultField> others = {
      {"/bodies/name", "body", "1", "", bodies, "of the moving bodies"},
      {"/bodies/mass", "body", "kg", "", models, ""},
      {"/bodies/inertia", "body, 3, 3", "kg m^2", "body", models, "about the centre of mass"},
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
      {"/reactions/open", "side, 6", "1", "axes of the joint", constrained,
       "1: redundant rows leave this component open, so that the method chooses it; 0: it is unique; -1: not "
       "looked for. Three of the force, "
       "three of the torque, at the start, along the axes of the joint's first marker, of the world where it "
       "has none"},
      {"/joints/constraint", "joint", "1", "", describe(Needs::markers),
       "number in /constraints; a joint between markers has an angle and a displacement"},
      {"/forces/name", "force", "1", "", describe(Needs::forces), "with the type of the force"},
      {"/points/name", "point", "1", "", "observed points", "of the points that the problem follows"},
      {"/points/body", "point", "1", "", "observed points", "number in the model, fixed bodies counted"},
      {"/points/point", "point, 3", "m", "body", "observed points", "from the centre of mass"},
      {"/events/time", "event", "s", "", all, "first instant behind the root"},
      {"/events/name", "event", "1", "", all, ""},
      {"/events/rising", "event", "1", "", all, "1: the function went from below zero to above"},
      {"/events/lost", "", "1", "", all,
       "later events that did not fit in here; RunResult::events of the run has all"},
      {"/ended", "", "1", "", all,
       "date of the regular end of the run, UTC; empty: it is running, or was killed"},
      {"/records", "instant, column", "1", "", all,
       "everything that grows, a row an instant; the other datasets with an instant are windows into it"},
  };
  fields.insert(fields.end(), others.begin(), others.end());
  return fields;
}

}  // namespace

ResultField field_of(const Quantity& q, bool chosen_items) {
  std::string shape = q.shape();
  if (chosen_items) shape = "chosen " + shape;
  return {"/" + q.name, shape.empty() ? "instant" : "instant, " + shape, q.unit, q.frame, describe(q.needs),
          q.meaning};
}

const std::vector<ResultField>& result_fields() {
  static const std::vector<ResultField> fields = make_fields();
  return fields;
}

const ResultField& result_field(const std::string& path) {
  for (const ResultField& f : result_fields())
    if (path == f.path) return f;
  assert(false && "a dataset that the schema does not name");
  return result_fields().back();
}

}  // namespace catena::detail
