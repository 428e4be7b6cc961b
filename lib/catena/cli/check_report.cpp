#include <catena/assembly/multibody_system.hpp>
#include <catena/assembly/quaternion_system.hpp>
#include <catena/cli/detail/check_report.hpp>
#include <catena/cli/detail/check_structure.hpp>
#include <catena/experiment/detail/redundant_rows.hpp>
#include <catena/kkt/consistent.hpp>
#include <catena/kkt/detail/factored_rows.hpp>
#include <catena/math/detail/printed.hpp>
#include <catena/measure/detail/contradicting_dimensions.hpp>
#include <catena/measure/detail/drive_meter.hpp>
#include <catena/measure/detail/negative_dampers.hpp>
#include <catena/measure/detail/oscillation.hpp>
#include <catena/measure/detail/standstill.hpp>
#include <catena/measure/detail/wrong_derivatives.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace catena::detail {
namespace {

std::size_t at(int k) { return static_cast<std::size_t>(k); }

// Positions may be off here: the report says by how much.
std::unique_ptr<System> system_of(const Problem& problem, Coordinates coordinates) {
  if (std::unique_ptr<System> own = problem.own_system()) return own;
  Model model = problem.model();
  if (coordinates == Coordinates::lagrangian && all_rigid(model))
    return std::make_unique<QuaternionSystem>(std::move(model));
  return std::make_unique<MultibodySystem>(std::move(model));
}

std::string plural(std::size_t count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

class Inspection {
 public:
  Inspection(const Problem& problem, const Catalog& catalog, CheckReport& report)
      : problem_(problem), catalog_(catalog), report_(report) {}

  void operator()() {
    system_ = system_of(problem_, Coordinates::any);
    if (const auto* bodies = bodies_of(*system_)) model_ = &bodies->model();
    state_ = system_->initial_state();
    rows_.emplace(*system_, state_);
    inspect_structure(*system_, model_, state_, report_);
    if (!start()) return;
    look_for_redundant_rows();
    look_for_held_drives();
    look_for_open_friction();
    look_for_motion();
    differentiate();
    look_for_stiff_forces();
    if (const std::string makers = negative_dampers(*system_, state_); !makers.empty())
      report_.remarks.push_back(makers);
    ask_steppers();
  }

 private:
  const BlockPattern& pattern() const { return *system_->layout().pattern; }
  Point point() const { return point_of(state_); }

  // Constraints whose largest row is above the tolerance.
  std::vector<Violation> violations(const std::vector<double>& rows, double tolerance,
                                    double& largest) const {
    std::vector<Violation> found;
    for (int d = 0; d < pattern().dual_count(); ++d) {
      double size = 0.0;
      const int first = pattern().dual_offset[at(d)] - pattern().primal_dimension;
      for (int r = first; r < first + pattern().dual_size[at(d)]; ++r) {
        const double value = std::abs(rows[at(r)]);
        size = std::isfinite(value) ? std::max(size, value) : INFINITY;
      }
      largest = std::max(largest, size);
      if (size > tolerance)
        found.push_back({system_->constraint_name(d), size, d, {}, fmt::format("{:.3g}", size)});
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const Violation& a, const Violation& b) { return a.size > b.size; });
    return found;
  }

  // As a run would refuse them; systems without a model are held to the tolerance itself.
  std::vector<Violation> open_joints(const std::vector<double>& rows) {
    if (model_ == nullptr) return violations(rows, check_position_tolerance, report_.largest_position);
    violations(rows, INFINITY, report_.largest_position);
    std::vector<Violation> found;
    for (const Model::OpenConstraint& open : model_->open_constraints(check_position_tolerance))
      found.push_back(
          {model_->constraint_label(open.id), open.amount, static_cast<int>(open.id), {}, open.by});
    return found;
  }

  // Initial values. False: not numbers that the rest could work with.
  bool start() {
    std::vector<double> position(at(report_.redundancy.rows), 0.0), velocity(position),
        balance(at(report_.velocities), 0.0);
    Evaluation wanted;
    wanted.position = position.data();
    wanted.velocity = velocity.data();
    wanted.balance = balance.data();
    system_->evaluate(point(), wanted);
    report_.position_violations = open_joints(position);
    report_.velocity_violations = violations(velocity, check_velocity_tolerance, report_.largest_velocity);
    if (model_ != nullptr) {
      for (const Model::UndefinedConstraint& joint : model_->undefined_constraints())
        report_.errors.push_back(model_->constraint_label(joint.id) + ": " + joint.why);
      for (const Model::UndefinedForce& force : model_->undefined_forces())
        report_.errors.push_back(model_->force_label(force.id) + ": " + force.why);
    }
    if (!report_.errors.empty()) return false;
    for (int p = 0; p < pattern().primal_count(); ++p)
      for (int c = 0; c < pattern().primal_size[at(p)]; ++c)
        if (!std::isfinite(balance[at(pattern().primal_offset[at(p)] + c)])) {
          report_.errors.push_back("the forces on " + system_->velocity_block_name(p) +
                                   " are not finite in the initial state");
          return false;
        }
    if (!std::isfinite(report_.largest_position) || !std::isfinite(report_.largest_velocity)) {
      const auto& worst =
          std::isfinite(report_.largest_position) ? report_.velocity_violations : report_.position_violations;
      report_.errors.push_back(worst.front().name + " is not finite in the initial state");
      return false;
    }
    if (!report_.position_violations.empty() && !report_.rates_disagree) {
      const Violation& worst = report_.position_violations.front();
      report_.errors.push_back(
          fmt::format("the initial positions violate {}, {} by {} at worst: {}",
                      plural(report_.position_violations.size(), "constraint", "constraints"), worst.name,
                      worst.by, report_.remedy));
    }
    if (!report_.velocity_violations.empty()) note_velocities();
    return true;
  }

  // Every start moves velocities onto the constraints; the user may have meant others.
  void note_velocities() {
    KktSolver kkt;
    std::vector<double> v = state_.v;
    bool moved = false;
    if (kkt.attach(*system_, {}).empty())
      moved = ConsistentValues(*system_, kkt, state_.discrete.empty() ? nullptr : state_.discrete.data())
                  .project_velocities(state_.t, state_.q.data(), v.data(), report_.velocity_change)
                  .status == Status::ok;
    int worst = 0;
    double largest = -1.0;
    for (int p = 0; p < pattern().primal_count(); ++p)
      for (int c = 0; c < pattern().primal_size[at(p)]; ++c) {
        const std::size_t k = at(pattern().primal_offset[at(p)] + c);
        const double change = std::abs(v[k] - state_.v[k]) / system_->layout().scale[k];
        if (change > largest) largest = change, worst = p;
      }
    const Violation& first = report_.velocity_violations.front();
    report_.remarks.push_back(fmt::format(
        "the initial velocities violate {}, {} by {:.3g} at worst: {}",
        plural(report_.velocity_violations.size(), "constraint", "constraints"), first.name, first.size,
        moved ? fmt::format(
                    "a start moves them to the nearest that fit, those of {} by {:.3g} of its scale a second",
                    system_->velocity_block_name(worst), largest)
              : "and no velocities near them fit"));
    if (!moved) report_.errors.emplace_back("no consistent initial velocities were found");
  }

  void look_for_redundant_rows() {
    report_.redundancy = redundant_rows(*rows_);
    const std::string remark = to_text(report_.redundancy);
    if (!remark.empty())
      report_.remarks.push_back(
          remark + (report_.redundancy.proven() ? ": only sums of their forces are determined" : ""));
    if (report_.redundancy.locks(report_.velocities))
      report_.remarks.push_back(locking_text(report_.redundancy));
    look_for_contradicting_dimensions();
  }

  // What assembly accepts is a remark: some methods start there.
  void look_for_contradicting_dimensions() {
    constexpr double accepted = 1e-12;  // parts/assemble.hpp
    if (!report_.redundancy.suspected || !report_.position_violations.empty()) return;
    double gap = 0.0;
    const std::string sentence = contradicting_dimensions(*system_, state_, &gap);
    if (!sentence.empty())
      (gap > accepted ? report_.errors : report_.remarks).push_back(sentence);
    else if (report_.redundancy.proven() && report_.redundancy.here_only == 0 &&
             !report_.redundancy.locks(report_.velocities))
      if (const std::string near = contradicting_dimensions_near(*system_, state_); !near.empty())
        report_.remarks.push_back(near);
  }

  // A drive among rows that hold one another: it may be meant.
  void look_for_held_drives() {
    if (model_ == nullptr) return;
    std::vector<std::string> drives;
    for (const ConstraintId id : driven_constraints(*model_)) drives.push_back(model_->constraint_label(id));
    for (const Redundancy::Dependency& among : report_.redundancy.dependencies)
      for (const std::string& name : among.constraints)
        if (std::find(drives.begin(), drives.end(), name) != drives.end())
          report_.remarks.push_back(
              name +
              " drives what other joints or drives hold: the run ends where its target leaves what they "
              "allow; remove it, or what holds its coordinate");
  }

  // Forces that follow what redundant rows leave open.
  void look_for_open_friction() {
    if (model_ == nullptr) return;
    for (const std::string& sentence : forces_of_open_reactions(*model_, report_.redundancy))
      report_.remarks.push_back(sentence + (report_.redundancy.here_only == 0 ? no_unique_motion : ""));
  }

  // Of a state that a start would refuse or change only whether the rows leave any motion is worth saying.
  void look_for_motion() {
    const bool consistent = report_.position_violations.empty() && report_.velocity_violations.empty();
    const bool held = report_.velocities > 0 && report_.redundancy.rank == report_.velocities;
    if ((!consistent && !held) || report_.redundancy.locks(report_.velocities)) return;
    const FreeMotion motion = find_free_motion(*rows_, problem_.defaults().end);
    if (!motion.known) return;
    if (!motion.any || (held && !motion.driven)) {
      report_.remarks.emplace_back(
          "nothing can move: the constraints leave no free motion, and none of them moves by itself");
      return;
    }
    if (!consistent) return;
    name_motions();
    for (const int block : motion.held) report_.held.push_back(system_->velocity_block_name(block));
    if (!report_.held.empty())
      report_.remarks.push_back("the constraints hold " + listed(report_.held) + ": nothing can move " +
                                (report_.held.size() == 1 ? "it" : "them"));
    if (!motion.at_rest) return;
    const std::string reason = standstill_reason(*system_, state_);
    report_.remarks.push_back(
        "nothing moves: the initial state is at rest, and no force acts along any free motion" +
        (reason.empty() ? "" : "; " + reason));
  }

  void name_motions() {
    constexpr int most = 6;
    const Redundancy& redundancy = report_.redundancy;
    const auto* const bodies = dynamic_cast<const MultibodySystem*>(system_.get());
    const int free = report_.degrees_of_freedom();
    if (bodies == nullptr || free < 1 || free > most || (redundancy.suspected && !redundancy.rank_known))
      return;
    report_.free_motions = named_motions(*bodies, *rows_, free);
  }

  void differentiate() {
    report_.derivatives = find_wrong_derivatives(*system_, state_);
    for (const DerivativeFault& fault : report_.derivatives.faults)
      report_.errors.push_back(to_text(*system_, fault));
  }

  // By the steps that the problem asks for.
  void look_for_stiff_forces() {
    const double h = problem_.defaults().step;
    const Oscillation fastest = fastest_oscillation(*system_, state_);
    if (fastest.unresolved_by(h))
      report_.remarks.push_back(fmt::format("in steps of {:.3g} s {}", h, to_text(*system_, fastest, h)));
  }

  void ask_steppers() {
    const std::string chosen = problem_.defaults().stepper;
    bool any = false, any_default = chosen.empty();
    for (const StepperEntry& entry : catalog_.steppers()) {
      StepperVerdict verdict{entry.name, {}};
      try {
        const std::unique_ptr<Stepper> stepper = entry.setup()->make({}, {});
        verdict.refusal = stepper->refusal(in(stepper->traits().coordinates));
      } catch (const std::exception& error) {
        verdict.refusal = error.what();
      }
      any = any || verdict.refusal.empty();
      if (entry.name == chosen && !verdict.refusal.empty())
        report_.errors.push_back(
            fmt::format("its own choice of a stepper, {}, refuses it: {}", chosen, verdict.refusal));
      any_default = any_default || entry.name == chosen;
      report_.steppers.push_back(std::move(verdict));
    }
    if (!any) report_.errors.emplace_back("no stepper of the catalog takes it with its default options");
    if (!any_default)
      report_.errors.push_back(
          fmt::format("it wants the stepper \"{}\", which the catalog does not have", chosen));
  }

  const System& in(Coordinates coordinates) {
    if (model_ == nullptr || coordinates != Coordinates::lagrangian) return *system_;
    if (!lagrangian_) lagrangian_ = system_of(problem_, coordinates);
    return *lagrangian_;
  }

  const Problem& problem_;
  const Catalog& catalog_;
  CheckReport& report_;
  std::unique_ptr<System> system_, lagrangian_;
  const Model* model_ = nullptr;
  State state_;
  std::optional<FactoredRows> rows_;
};

}  // namespace

void inspect(const Problem& problem, const Catalog& catalog, CheckReport& report) {
  Inspection(problem, catalog, report)();
}

}  // namespace catena::detail
