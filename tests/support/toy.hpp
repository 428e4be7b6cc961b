// The smallest system and stepper that satisfy the contracts: a mass point on a rod, and a method that keeps it
// there. For tests of the layers above the stepper.
#pragma once
#include <catena/stepper/stepper.hpp>

#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace catena_test {

// Mass 1 kg on a massless rod of 1 m, gravity 9.81 in -y: q = (x, y), g = (x^2 + y^2 - 1)/2, G = (x, y).
class ToyPendulum : public catena::System {
 public:
  static constexpr double gravity = 9.81;

  ToyPendulum() {
    auto pattern = std::make_shared<catena::BlockPattern>();
    pattern->primal_size = {2};
    pattern->dual_size = {1};
    pattern->incidences = {{0, 0}};
    pattern->finish();
    layout_.q_size = 2;
    layout_.pattern = pattern;
    layout_.level = {catena::Level::position};
    layout_.scale = {1.0, 1.0};
  }

  const catena::SystemLayout& layout() const override { return layout_; }

  catena::State initial_state() const override {
    catena::State s;
    s.q = {std::sin(1.0), -std::cos(1.0)};
    s.v = {0.0, 0.0};
    s.a = {0.0, 0.0};
    s.lambda = {0.0};
    return s;
  }

  void retract(const double* q, const double* delta, double* out) const override {
    for (int k = 0; k < 2; ++k) out[k] = q[k] + delta[k];
  }
  void difference(const double* from, const double* to, double* out) const override {
    for (int k = 0; k < 2; ++k) out[k] = to[k] - from[k];
  }

  void evaluate(const catena::Point& at, const catena::Evaluation& wanted) const override {
    const double* q = at.q;
    if (wanted.balance != nullptr) {
      const double lambda = at.lambda != nullptr ? at.lambda[0] : 0.0;
      for (int k = 0; k < 2; ++k) {
        const double force = at.forces && k == 1 ? -gravity : 0.0;
        wanted.balance[k] = (at.a != nullptr ? at.a[k] : 0.0) - force + q[k] * lambda;
      }
    }
    if (wanted.position != nullptr) wanted.position[0] = 0.5 * (q[0] * q[0] + q[1] * q[1] - 1.0);
    if (wanted.velocity != nullptr) wanted.velocity[0] = q[0] * at.v[0] + q[1] * at.v[1];
    if (wanted.acceleration != nullptr) {
      wanted.acceleration[0] = at.v[0] * at.v[0] + at.v[1] * at.v[1];
      if (at.a != nullptr) wanted.acceleration[0] += q[0] * at.a[0] + q[1] * at.a[1];
    }
  }

  catena::Energy energy(const catena::Point& at) const override {
    return {0.5 * (at.v[0] * at.v[0] + at.v[1] * at.v[1]), gravity * at.q[1]};
  }

  // Nothing but gravity and the rod acts on the point.
  std::optional<double> power(const catena::Point& /*at*/) const override { return 0.0; }

  std::string velocity_block_name(int /*primal*/) const override { return "point"; }
  std::string constraint_name(int /*dual*/) const override { return "rod (distance)"; }

 private:
  catena::SystemLayout layout_;
};

// Symplectic Euler in the angle of ToyPendulum, mapped back onto the circle: q, v, a, lambda are consistent to
// roundoff whatever h is. fails(t, h) injects failures; takes(t, h) <= h is how far a step really goes.
class ToyStepper : public catena::Stepper {
 public:
  std::function<catena::Status(double t, double h)> fails = [](double, double) { return catena::Status::ok; };
  std::function<double(double t, double h)> takes = [](double, double h) { return h; };
  catena::Culprit start_remark;
  std::string refusal;
  std::vector<double> attempts;  // h of every call of step()

  const catena::Traits& traits() const override {
    static const catena::Traits t = [] {
      catena::Traits made;
      made.name = "toy";
      made.summary = "symplectic Euler in the angle, for tests";
      made.order_q = made.order_v = made.order_lambda = 1;
      made.symplectic = true;
      return made;
    }();
    return t;
  }
  std::string refuses(const catena::System& /*system*/) const override { return refusal; }
  catena::Outcome take_step(catena::State& state, double h) override {
    attempts.push_back(h);
    const catena::Status status = fails(state.t, h);
    if (status != catena::Status::ok) {
      ++statistics_.rejected_steps;
      return {status, 0.0, h / 2, {"rod (distance)", "position residual", 0.5}};
    }
    h = takes(state.t, h);
    double angle = std::atan2(state.q[0], -state.q[1]);
    double rate = state.q[0] * state.v[1] - state.q[1] * state.v[0];
    rate -= h * ToyPendulum::gravity * std::sin(angle);
    angle += h * rate;
    fill(state, angle, rate);
    state.t += h;
    statistics_.newton_iterations += 2;
    statistics_.factorizations += 2;
    return {catena::Status::ok, h, h, {}};
  }
  void interpolate(double /*theta*/, double* /*q*/, double* /*v*/) const override {}

 private:
  catena::Outcome set_up(const catena::System& /*system*/) override { return {}; }
  catena::Outcome begin(catena::State& state, double h, bool /*first*/) override {
    const catena::Status status = fails(-1.0, h);
    if (status != catena::Status::ok)
      return {status, 0.0, 0.0, {"rod (distance)", "position residual", 0.25}};
    const double angle = std::atan2(state.q[0], -state.q[1]);
    const double rate = state.q[0] * state.v[1] - state.q[1] * state.v[0];
    fill(state, angle, rate);
    return {catena::Status::ok, 0.0, h, start_remark};
  }
  // q = (sin, -cos), v = rate (cos, sin), a = -g sin (cos, sin) - rate^2 q; tension from r . a.
  static void fill(catena::State& s, double angle, double rate) {
    const double sine = std::sin(angle), cosine = std::cos(angle);
    const double turning = -ToyPendulum::gravity * sine;
    s.q = {sine, -cosine};
    s.v = {rate * cosine, rate * sine};
    s.a = {turning * cosine - rate * rate * sine, turning * sine + rate * rate * cosine};
    s.lambda = {rate * rate + ToyPendulum::gravity * cosine};
  }
};

}  // namespace catena_test
