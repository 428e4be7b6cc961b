#include <catena/assembly/multibody_system.hpp>
#include <catena/assembly/quaternion_algebra.hpp>
#include <catena/math/index.hpp>
#include <catena/measure/momentum.hpp>
#include <catena/output/record.hpp>

#include <algorithm>
#include <cassert>
#include <limits>
#include <utility>

namespace catena {
namespace {

void put(double* out, const Vec3& v) {
  for (int k = 0; k < 3; ++k) out[k] = v[k];
}

// size numbers of values, or nan where it holds another number of them.
void put(double* out, const std::vector<double>& values, int size) {
  if (static_cast<int>(values.size()) >= size)
    std::copy(values.begin(), values.begin() + size, out);
  else
    std::fill(out, out + size, std::numeric_limits<double>::quiet_NaN());
}

}  // namespace

Recorder::Recorder(const System& system, RecordSources sources)
    : system_(system),
      model_system_(dynamic_cast<const BodySystem*>(&system)),
      sources_(std::move(sources)),
      meter_(std::make_unique<ResidualMeter>(system)) {
  const SystemLayout& layout = system.layout();
  time_ = window("/time", 0, 1, 1);
  step_ = window("/step/size", 0, 1, 1);
  for (const char* path :
       {"/step/newton_iterations", "/step/evaluations", "/step/factorizations", "/step/solves"})
    if (sources_.steps != nullptr) window(path, 0, 1, 1, true);
  energy_ = window("/energy/kinetic", 0, 1, 1);
  if (model_system_ != nullptr) {
    window("/energy/gravity", 0, 1, 1);
    window("/energy/forces", 0, 1, 1);
  } else {
    window("/energy/potential", 0, 1, 1);
  }
  window("/energy/total", 0, 1, 1);
  residuals_ = window("/residuals/position", 0, 1, 1);
  window("/residuals/velocity", 0, 1, 1);
  window("/residuals/acceleration", 0, 1, 1);
  window("/residuals/worst", 1, 3, 1, true);
  if (model_system_ != nullptr) {
    momentum_ = window("/momentum/linear", 1, 3, 1);
    window("/momentum/angular", 1, 3, 1);
  }
  // What a checkpoint keeps besides, the low parts of the positions, is of no use to a reader.
  q_size_ = layout.q_size;
  if (const auto* six = dynamic_cast<const MultibodySystem*>(&system))
    q_size_ = 7 * (six->layout().v_size() / 6);
  seven_velocities_ = model_system_ != nullptr && q_size_ == layout.v_size();
  q_ = window("/q", 1, q_size_, 1);
  v_ = window("/v", 1, layout.v_size(), 1);
  a_ = window("/a", 1, layout.v_size(), 1);
  lambda_ = window("/lambda", 1, layout.lambda_size(), 1);
  if (layout.discrete_size > 0) discrete_ = window("/discrete", 1, layout.discrete_size, 1);
  windows_of_bodies();
}

// Returns the first column of what is appended to the row.
int Recorder::window(const char* path, int axes, int count, int block, bool whole) {
  windows_.push_back({path, width_, block, count, block, axes, whole});
  width_ += count * block;
  return windows_.back().start;
}

void Recorder::windows_of_bodies() {
  const auto part = [&](const char* path, int start, int stride, int block) {
    windows_.push_back({path, start, stride, bodies_, block, 2, false});
  };
  if (model_system_ == nullptr) {
    bodies_ = static_cast<int>(system_.bodies(system_.initial_state()).size());
    if (bodies_ == 0) return;
    own_bodies_ = width_;
    width_ += 13 * bodies_;
    part("/bodies/position", own_bodies_, 13, 3);
    part("/bodies/orientation", own_bodies_ + 3, 13, 4);
    part("/bodies/velocity", own_bodies_ + 7, 13, 3);
    part("/bodies/angular_velocity", own_bodies_ + 10, 13, 3);
    return;
  }
  bodies_ = q_size_ / 7;
  int block = 0;
  for (const Body& b : model_system_->model().bodies()) {
    block_of_body_.push_back(b.fixed ? -1 : block++);
    if (!b.fixed) inertia_.push_back({b.mass, b.inertia});
  }
  part("/bodies/position", q_, 7, 3);
  part("/bodies/orientation", q_ + 3, 7, 4);
  const int stride = seven_velocities_ ? 7 : 6;
  part("/bodies/velocity", v_, stride, 3);
  if (seven_velocities_)
    rates_ = window("/bodies/angular_velocity", 2, bodies_, 3);
  else
    part("/bodies/angular_velocity", v_ + 3, stride, 3);
  reactions_meter_ = std::make_unique<ReactionMeter>(*model_system_);
  if (const int sides = static_cast<int>(reactions_meter_->sides().size()); sides > 0) {
    reactions_ = width_;
    width_ += 6 * sides;
    windows_.push_back({"/reactions/force", reactions_, 6, sides, 3, 2, false});
    windows_.push_back({"/reactions/torque", reactions_ + 3, 6, sides, 3, 2, false});
  }
  if (const int points = static_cast<int>(sources_.points.size()); points > 0) {
    points_ = width_;
    width_ += 6 * points;
    windows_.push_back({"/points/position", points_, 6, points, 3, 2, false});
    windows_.push_back({"/points/velocity", points_ + 3, 6, points, 3, 2, false});
  }
  if (seven_velocities_) unit_q_.resize(index(q_size_));
}

const std::vector<ReactionSide>& Recorder::sides() const {
  static const std::vector<ReactionSide> none;
  return reactions_meter_ ? reactions_meter_->sides() : none;
}

void Recorder::take(const State& state, const Outcome& outcome, double* row) {
  row[time_] = state.t;
  row[step_] = outcome.h_taken;
  if (sources_.steps != nullptr) {
    const StepperStatistics s = sources_.steps->last_step();
    const long counts[] = {s.newton_iterations, s.evaluations, s.factorizations, s.solves};
    for (int k = 0; k < 4; ++k) row[step_ + 1 + k] = static_cast<double>(counts[k]);
  }
  const bool seen = sources_.monitor != nullptr && sources_.monitor->looked_at(state);
  const Energy energy =
      seen ? sources_.monitor->energy() : system_.energy(state.t, state.q.data(), state.v.data());
  const Residuals residuals = seen ? sources_.monitor->residuals() : (*meter_)(state);
  row[energy_] = energy.kinetic;
  row[energy_ + 1] = energy.potential;  // of models: split by complete()
  row[energy_ + (model_system_ != nullptr ? 3 : 2)] = energy.total();
  const WorstRow worst[] = {residuals.position, residuals.velocity, residuals.acceleration};
  for (int k = 0; k < 3; ++k) {
    row[residuals_ + k] = worst[k].value;
    row[residuals_ + 3 + k] = worst[k].constraint;
  }
  const SystemLayout& layout = system_.layout();
  put(row + q_, state.q, q_size_);
  put(row + v_, state.v, layout.v_size());
  put(row + a_, state.a, layout.v_size());
  put(row + lambda_, state.lambda, layout.lambda_size());
  if (discrete_ >= 0) put(row + discrete_, state.discrete, layout.discrete_size);
  if (own_bodies_ >= 0) take_bodies(state, row);
}

void Recorder::take_bodies(const State& state, double* row) const {
  const std::vector<RigidBodyState> bodies = system_.bodies(state);
  for (std::size_t k = 0; k < bodies.size() && k < index(bodies_); ++k) {
    double* out = row + own_bodies_ + 13 * static_cast<int>(k);
    const Quat& e = bodies[k].orientation;
    const double turn[] = {e.w, e.x, e.y, e.z};
    put(out, bodies[k].position);
    std::copy(turn, turn + 4, out + 3);
    put(out + 7, bodies[k].velocity);
    put(out + 10, bodies[k].angular_velocity);
  }
}

RigidBodyState Recorder::body_in(const double* row, int number) const {
  const int k = block_of_body_[index(number)];
  if (k < 0) {
    const Body& b = model_system_->model().bodies()[index(number)];
    return {b.position, b.orientation, Vec3::Zero(), Vec3::Zero()};
  }
  const double *q = row + q_ + 7 * k, *v = row + v_ + (seven_velocities_ ? 7 : 6) * k;
  const double* omega = rates_ >= 0 ? row + rates_ + 3 * k : v + 3;
  const Quat e{q[3], q[4], q[5], q[6]};
  return {{{q[0], q[1], q[2]}},
          seven_velocities_ ? normalized(e) : e,
          {{v[0], v[1], v[2]}},
          {{omega[0], omega[1], omega[2]}}};
}

void Recorder::complete(double* row) {
  if (model_system_ != nullptr) complete_bodies(row);
}

void Recorder::complete_bodies(double* row) {
  for (int k = 0; k < bodies_ && rates_ >= 0; ++k) {
    const double *q = row + q_ + 7 * k, *v = row + v_ + 7 * k;
    put(row + rates_ + 3 * k, QuaternionRates<double>(quaternion_part(q), quaternion_part(v)).omega);
  }
  const Vec3 g = model_system_->model().gravity;
  double gravity = 0.0;
  Momentum sum;
  for (int k = 0; k < bodies_; ++k) {
    const Inertia& body = inertia_[index(k)];
    const double *x = row + q_ + 7 * k, *v = row + v_ + (seven_velocities_ ? 7 : 6) * k;
    const Quat e{x[3], x[4], x[5], x[6]};
    add_momentum(sum, body.mass, body.inertia, x, seven_velocities_ ? normalized(e) : e, v,
                 rates_ >= 0 ? row + rates_ + 3 * k : v + 3);
    gravity -= body.mass * (g.e[0] * x[0] + g.e[1] * x[1] + g.e[2] * x[2]);
  }
  const double potential = row[energy_ + 1];
  row[energy_ + 1] = gravity;
  row[energy_ + 2] = potential - gravity;
  put(row + momentum_, sum.linear);
  put(row + momentum_ + 3, sum.angular);
  if (reactions_ >= 0) {
    const double* poses = row + q_;
    if (seven_velocities_) {
      std::copy(poses, poses + q_size_, unit_q_.begin());
      for (int k = 0; k < bodies_; ++k) {
        double* e = unit_q_.data() + 7 * k + 3;
        const Quat unit = normalized(Quat{e[0], e[1], e[2], e[3]});
        const double turn[] = {unit.w, unit.x, unit.y, unit.z};
        std::copy(turn, turn + 4, e);
      }
      poses = unit_q_.data();
    }
    (*reactions_meter_)(row[time_], poses, row + lambda_, discrete_ >= 0 ? row + discrete_ : nullptr,
                        row + reactions_);
  }
  for (std::size_t k = 0; points_ >= 0 && k < sources_.points.size(); ++k) {
    const RigidBodyState body = body_in(row, sources_.points[k].body);
    double* out = row + points_ + 6 * static_cast<int>(k);
    put(out, point_position(body, sources_.points[k].point));
    put(out + 3, point_velocity(body, sources_.points[k].point));
  }
}

}  // namespace catena
