#include <catena/assembly/multibody_system.hpp>
#include <catena/kkt/consistent.hpp>
#include <catena/kkt/detail/contradiction.hpp>
#include <catena/kkt/parts/assemble.hpp>
#include <catena/math/detail/index.hpp>
#include <catena/math/detail/scattered.hpp>
#include <catena/model/detail/joint_axes.hpp>
#include <catena/model/detail/joint_coordinate.hpp>
#include <catena/model/parts/joint_drive.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace catena {
using namespace detail;
namespace {

// Most mechanisms need 10; a chain of 1000 bars that folds to 0.8 of its length needs 219 (measured).
constexpr int max_iterations = 1000;

void check(const Model& model, const AssemblyOptions& options) {
  const auto check_body = [&](BodyId id, const char* what) {
    if (static_cast<int>(id) < 0 || static_cast<int>(id) >= model.body_count())
      throw ModelError(std::string(what) + ": body number " + std::to_string(static_cast<int>(id)) +
                       " does not exist");
  };
  for (const BodyId id : options.pins) check_body(id, "pins");
  for (const BodyWeight& w : options.weights) {
    check_body(w.body, "weights");
    if (!(w.weight > 0.0) || !std::isfinite(w.weight))
      throw ModelError("weights: that of body \"" + model.body(w.body).name +
                       "\" must be positive and finite, is " + message_number(w.weight));
  }
  if (!(options.tolerance > 0.0) || std::isinf(options.tolerance))
    throw ModelError("tolerance must be positive, is " + message_number(options.tolerance));
  if (options.attempts < 1)
    throw ModelError("attempts must be at least 1, is " + std::to_string(options.attempts));
  for (const InitialCoordinate& c : options.coordinates) {
    const CoordinateOf found = coordinate_of(model, c.joint, c.coordinate);
    if (!found.defect.empty()) throw ModelError(found.defect);
    for (const std::optional<double>& x : {c.value, c.rate})
      if (x && !std::isfinite(*x))
        throw ModelError("the initial " + std::string(word_for(c.coordinate)) + " of " +
                         model.constraint_label(c.joint) + " must be finite, is " + message_number(*x));
  }
}

// A model with rows that hold the coordinates, or their rates; which coordinate each of them is.
struct Held {
  Model model;
  std::vector<int> number = {};  // of the constraints behind those of the model itself

  Held(const Model& of, const std::vector<InitialCoordinate>& coordinates, bool rates) : model(of) {
    for (std::size_t k = 0; k < coordinates.size(); ++k) {
      const InitialCoordinate& c = coordinates[k];
      if (const std::optional<double>& target = rates ? c.rate : c.value) {
        model.add(JointDrive{.joint = c.joint, .coordinate = c.coordinate, .rate = rates, .target = *target});
        number.push_back(static_cast<int>(k));
      }
    }
  }
};

void put_poses(const BodySystem& system, const State& state, const std::vector<char>& still, Model& model) {
  const std::vector<RigidBodyState> bodies = system.bodies(state);
  for (int b = 0; b < model.body_count(); ++b) {
    Body& body = model.body(BodyId{b});
    if (body.fixed || still[index(b)] != 0) continue;
    body.position = bodies[index(b)].position;
    body.orientation = bodies[index(b)].orientation;
  }
}

class Assembler {
 public:
  Assembler(const Model& model, const AssemblyOptions& options)
      : model_(model), options_(options), axes_(held_axes(model)), still_(index(model.body_count()), 0) {
    for (const BodyId id : options.pins) still_[index(static_cast<int>(id))] = 1;
    for (const JointAxes& a : axes_) meant_.push_back(a.opposed(model) ? 1 : 0);
  }

  AssemblyReport operator()(Model& out) {
    Model assembled;
    for (int attempt = 0; attempt < options_.attempts; ++attempt) {
      AssemblyReport before = std::move(report_);
      report_ = {};
      report_.iterations = before.iterations;
      report_.attempts = attempt + 1;
      if (opposed_.empty()) {
        assembled = model_;
        if (attempt > 0) shake(assembled, attempt);
        turn_axes_together(assembled, axes_, still_);
      } else {  // closed, but for these
        for (const int k : std::exchange(opposed_, {})) turn_over(assembled, axes_[index(k)]);
      }
      if (close(assembled) || report_.status != Status::newton_not_converged) break;
      const bool used_up = report_.iterations - before.iterations >= max_iterations;
      if (attempt > 0 && widest(before) < widest(report_)) {  // the nearest of all attempts is reported
        before.iterations = report_.iterations;
        before.attempts = report_.attempts;
        report_ = std::move(before);
      }
      if (used_up) break;
    }
    if (report_.status == Status::ok && move(assembled)) {
      list_moves(assembled);
      out = std::move(assembled);
    }
    return std::move(report_);
  }

 private:
  static double widest(const AssemblyReport& r) {
    return r.disagreements.empty() ? std::numeric_limits<double>::infinity() : r.disagreements.front().amount;
  }

  // Moves every body by more and more of its size, to leave a place where the rows have no gradient.
  void shake(Model& model, int attempt) const {
    const double size = 0.25 * attempt;
    std::size_t number = 100 * index(attempt);
    const auto next = [&] { return size * (2.0 * scattered(number++) - 1.0); };
    for (int b = 0; b < model.body_count(); ++b) {
      Body& body = model.body(BodyId{b});
      if (body.fixed || still_[index(b)] != 0) continue;
      const double length =
          std::sqrt((body.inertia(0, 0) + body.inertia(1, 1) + body.inertia(2, 2)) / (2.0 * body.mass));
      for (int k = 0; k < 3; ++k) body.position[k] += length * next();
      body.orientation = normalized(body.orientation * exponential(Vec3{{next(), next(), next()}}));
    }
  }

  // Positions. The discrete values of couplings follow the bodies, so that closed rows may be open once more.
  bool close(Model& model) {
    constexpr int rounds = 3;
    for (int round = 0; round < rounds; ++round) {
      const Held held(model, options_.coordinates, false);
      const MultibodySystem system(held.model);
      KktSolver kkt;
      if (!attach(kkt, system)) return false;
      State state = system.initial_state();
      PositionNewton newton(system, kkt);
      const std::vector<double> weights = weights_of(system);
      newton.weights = &weights;
      newton.velocity_rows = false;
      newton.max_iterations = max_iterations;
      // What check_positions lets pass as roundoff.
      constexpr double roundoff = 32.0 * std::numeric_limits<double>::epsilon();
      double change = 0.0;
      const KktReport r = newton.close({.t = state.t, .discrete = discrete_of(state)}, state.q.data(),
                                       {.absolute = options_.tolerance, .relative = roundoff}, change);
      report_.iterations += newton.iterations();
      report_.status = r.status;
      report_.culprit = r.culprit;
      put_poses(system, state, still_, model);
      if (r.status != Status::ok) {
        if (r.status == Status::newton_not_converged) list_open(held, model, newton.shares());
        return false;
      }
      if (newton.iterations() == 0 || system.layout().discrete_size == 0) break;
    }
    return no_axes_opposed(model);
  }

  void turn_over(Model& model, const JointAxes& joint) const {
    for (const int i : {1, 0}) {
      const BodyId id = joint.bodies[index(i)];
      if (id == ground || model.body(id).fixed || still_[index(static_cast<int>(id))] != 0) continue;
      return turn_axis(model, joint, i);
    }
  }

  bool no_axes_opposed(const Model& model) {
    for (std::size_t k = 0; k < axes_.size(); ++k)
      if (meant_[k] == 0 && axes_[k].cosine(model) < 0.0) opposed_.push_back(static_cast<int>(k));
    for (const int k : opposed_)
      report_.disagreements.push_back({.joint = axes_[index(k)].joint,
                                       .amount = std::numbers::pi,
                                       .by = "3.14159 rad: its axes point against each other"});
    if (report_.disagreements.empty()) return true;
    report_.status = Status::newton_not_converged;
    report_.culprit = {model_.constraint_label(report_.disagreements.front().joint), "angle of its axes",
                       std::numbers::pi};
    return false;
  }

  // Velocities and accelerations at the positions of the model.
  bool move(Model& model) {
    {
      const Held held(model, options_.coordinates, true);
      const MultibodySystem system(held.model);
      KktSolver kkt;
      if (!attach(kkt, system)) return false;
      State state = system.initial_state();
      const KktReport r =
          ConsistentValues(system, kkt, discrete_of(state))
              .project_velocities(state.t, state.q.data(), state.v.data(), report_.largest_velocity_change);
      report_.status = r.status;
      report_.culprit = r.culprit;
      if (r.status != Status::ok) {
        if (r.status == Status::singular_kkt) list_contradiction(held, system, kkt, state);
        return false;
      }
      const std::vector<RigidBodyState> bodies = system.bodies(state);
      for (int b = 0; b < model.body_count(); ++b) {
        Body& body = model.body(BodyId{b});
        if (body.fixed) continue;
        body.velocity = bodies[index(b)].velocity;
        body.angular_velocity = bodies[index(b)].angular_velocity;
      }
    }
    model.check();
    const MultibodySystem system(model);
    State state = system.initial_state();
    KktSolver kkt;
    if (options_.accelerations) {
      if (!attach(kkt, system)) return false;
      const KktReport r =
          ConsistentValues(system, kkt, discrete_of(state))
              .accelerations(state.t, state.q.data(), state.v.data(), state.a.data(), state.lambda.data());
      report_.status = r.status;
      report_.culprit = r.culprit;
      if (r.status != Status::ok) return false;
    }
    report_.state = std::move(state);
    return true;
  }

  bool attach(KktSolver& kkt, const System& system) {
    const std::string refusal = kkt.attach(system, {});
    if (refusal.empty()) return true;
    report_.status = Status::unsupported;
    report_.culprit.name = refusal;
    return false;
  }
  static const double* discrete_of(const State& state) {
    return state.discrete.empty() ? nullptr : state.discrete.data();
  }

  std::vector<double> weights_of(const MultibodySystem& system) const {
    std::vector<double> weights(index(system.layout().pattern->primal_count()), 1.0);
    const auto of = [&](BodyId id) -> double* {
      const int at = system.v_offset(id);
      return at < 0 ? nullptr : &weights[index(system.layout().pattern->block_of(at))];
    };
    for (const BodyWeight& w : options_.weights)
      if (double* weight = of(w.body)) *weight = w.weight;
    for (const BodyId id : options_.pins)
      if (double* weight = of(id)) *weight = 0.0;
    return weights;
  }

  AssemblyReport::Disagreement of_constraint(const Held& held, int constraint) const {
    const int own = static_cast<int>(model_.constraints().size());
    if (constraint < own) return {.joint = ConstraintId{constraint}};
    const int number = held.number[index(constraint - own)];
    return {.joint = options_.coordinates[index(number)].joint, .coordinate = number};
  }

  // Constraints that have a part in the contradiction: at least a thousandth of the largest gap, as phi weighs them. Those of
  // heavy bodies are small in metres. What `stationary` leaves of gaps without a part is a millionth.
  void list_open(const Held& held, const Model& model, const std::vector<double>& shares) {
    constexpr double least = 1e-3;
    const double largest = shares.empty() ? 0.0 : *std::max_element(shares.begin(), shares.end());
    const Held at(model, options_.coordinates, false);
    std::vector<Model::OpenConstraint> found = at.model.open_constraints(options_.tolerance);
    std::erase_if(found, [&](const Model::OpenConstraint& open) {
      return shares[index(static_cast<int>(open.id))] < least * least * largest;
    });
    // '0.15 m' in place of '0.15 m and 3.4e-08 rad'.
    std::vector<std::string> by(at.model.constraints().size());
    if (!found.empty() && std::isfinite(found.front().amount))
      for (Model::OpenConstraint& open : at.model.open_constraints(least * found.front().amount))
        by[index(static_cast<int>(open.id))] = std::move(open.by);
    for (Model::OpenConstraint& open : found) {
      AssemblyReport::Disagreement d = of_constraint(held, static_cast<int>(open.id));
      std::string& shorter = by[index(static_cast<int>(open.id))];
      d.amount = open.amount;
      d.by = std::move(shorter.empty() ? open.by : shorter);
      report_.disagreements.push_back(std::move(d));
    }
    name_culprit("position residual");
  }

  void list_contradiction(const Held& held, const MultibodySystem& system, KktSolver& kkt,
                          const State& state) {
    for (const Contradiction& c : contradicting_velocities(system, kkt, state)) {
      AssemblyReport::Disagreement d = of_constraint(held, c.constraint);
      d.of_rate = true;
      d.amount = c.amount;
      const bool angle =
          d.coordinate >= 0 && options_.coordinates[index(d.coordinate)].coordinate == JointCoordinate::angle;
      d.by = message_number(c.amount) + (angle ? " rad/s" : d.coordinate >= 0 ? " m/s" : " m/s or rad/s");
      report_.disagreements.push_back(std::move(d));
    }
    name_culprit("velocity residual");
  }

  void name_culprit(const char* quantity) {
    if (report_.disagreements.empty()) return;
    const AssemblyReport::Disagreement& worst = report_.disagreements.front();
    report_.culprit = {name_of(worst, options_, model_), quantity, worst.amount};
  }

  void list_moves(const Model& to) {
    std::vector<std::pair<double, AssemblyReport::Move>> moves;
    for (int b = 0; b < to.body_count(); ++b) {
      const Body &from = model_.body(BodyId{b}), &now = to.body(BodyId{b});
      AssemblyReport::Move m{BodyId{b}};
      m.distance = norm(now.position - from.position);
      m.turn = norm(logarithm(conjugate(from.orientation) * now.orientation));
      // Less than what the roundoff of a place moves is no move.
      const double roundoff = 8.0 * std::numeric_limits<double>::epsilon();
      if (m.distance <= roundoff * norm(from.position) && m.turn <= roundoff) continue;
      const double size =
          std::sqrt((now.inertia(0, 0) + now.inertia(1, 1) + now.inertia(2, 2)) / (2.0 * now.mass));
      const double shift = size > 0.0 ? m.distance / size : m.distance;  // of a point beside 1 m
      moves.emplace_back(std::max(shift, m.turn), m);
    }
    std::stable_sort(moves.begin(), moves.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    for (const auto& [size, m] : moves) report_.moves.push_back(m);
  }

  const Model& model_;
  const AssemblyOptions& options_;
  std::vector<JointAxes> axes_;
  std::vector<char> still_;   // by body
  std::vector<char> meant_;   // by axes_: opposed as given
  std::vector<int> opposed_;  // those of axes_ that the last attempt left so
  AssemblyReport report_;
};

}  // namespace

AssemblyReport assemble(Model& model, const AssemblyOptions& options) {
  check(model, options);
  return Assembler(model, options)(model);
}

std::string name_of(const AssemblyReport::Disagreement& d, const AssemblyOptions& options,
                    const Model& model) {
  const std::string joint = model.constraint_label(d.joint);
  if (d.coordinate < 0) return joint;
  if (d.of_rate) return "speed of " + joint;
  return std::string(word_for(options.coordinates[index(d.coordinate)].coordinate)) + " of " + joint;
}

}  // namespace catena
