// What measuring needs to know of a system again and again: its kind, its bodies, the names of items.
#pragma once
#include <catena/measure/detail/body_rows.hpp>
#include <catena/measure/detail/reaction_meter.hpp>
#include <catena/measure/parts/joint_coordinates.hpp>
#include <catena/measure/parts/monitor.hpp>
#include <catena/measure/parts/multiplier_choice.hpp>
#include <catena/measure/parts/reaction_rule.hpp>
#include <catena/measure/parts/step_counter.hpp>
#include <catena/measure/parts/tracked_point.hpp>
#include <catena/measure/quantity.hpp>

#include <optional>
#include <string>
#include <vector>

namespace catena::detail {
struct Redundancy;
}  // namespace catena::detail
namespace catena {

class StepIntegrals;

// What may be used besides the state; all of it outlives those who measure.
struct MeasureSources {
  std::vector<TrackedPoint> points = {};
  const StepCounter* steps = nullptr;  // an observer of the run; null: no counts of its work
  const Monitor* monitor =
      nullptr;  // an observer of the run: saves a second evaluation of energy and residuals
  const StepIntegrals* integrals =
      nullptr;  // an observer of the run; null: no quantities that are integrated
  // Of the initial state, with the components of reactions that redundant rows leave open; null: it was not looked for.
  const detail::Redundancy* redundancy = nullptr;
  ReactionRule reactions = {};  // which of the open ones are reported
  MultiplierChoice multipliers =
      MultiplierChoice::method;  // what Instant::lambda() is, and all that follows from it
};

class MeasuredSystem {
 public:
  // The system outlives it. Throws SelectionError where the rule for reactions names what is not there.
  MeasuredSystem(const System& system, MeasureSources sources);

  const System& system() const { return system_; }
  const MeasureSources& sources() const { return sources_; }
  // Null: in its own coordinates.
  const BodySystem* model_system() const { return rows_ ? &rows_->system() : nullptr; }
  // Of a model.
  const detail::BodyRows& rows() const { return *rows_; }

  bool has(Needs needs) const;
  int count(Items items) const;
  // For people and tables: 'link 3', 'joint "hip" (spherical), row 0'. Numbers where there is no name.
  std::string item_name(Items items, int k) const;
  // As chosen by a user: the plain name of the body, joint or point, "hip"; a number where there is none.
  std::string item_key(Items items, int k) const;

  // Of a constraint row: the constraint and its number there.
  struct Row {
    int constraint, number;
  };
  Row row(int row) const;

  int body_count() const { return bodies_; }  // that move; of own coordinates: all
  // Of the moving bodies, close together: every instant goes through all of them.
  struct Inertia {
    double mass;
    Mat3 inertia;
  };
  const std::vector<Inertia>& inertia() const { return inertia_; }
  const std::vector<detail::ReactionSide>& sides() const { return sides_; }
  const std::vector<MarkedJoint>& joints() const { return joints_; }

 private:
  const System& system_;
  std::optional<detail::BodyRows> rows_;
  MeasureSources sources_;
  int q_size_ = 0, bodies_ = 0;
  std::vector<std::string> body_names_;  // of the bodies that are items
  std::vector<Inertia> inertia_;
  std::vector<detail::ReactionSide> sides_;
  std::vector<MarkedJoint> joints_;
};

}  // namespace catena
