#include <catena/assembly/multibody_system.hpp>
#include <catena/linear/detail/steady_frame.hpp>
#include <catena/math/detail/index.hpp>
#include <catena/system/detail/evaluations.hpp>
#include <catena/system/detail/scaled.hpp>

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <utility>

namespace catena::detail {
namespace {

// Null also where some bodies are points or planar: their velocities do not turn with a frame.
const MultibodySystem* bodies_in(const System& system) {
  const auto* const bodies = dynamic_cast<const MultibodySystem*>(&system);
  return bodies != nullptr && bodies->freedoms().all_six() ? bodies : nullptr;
}

// A moving body of the system: where its numbers are, and its motion in world axes.
struct Moving {
  int at;  // in v
  double length;
  Mat3 R, inertia;  // world axes
  Vec3 v, omega, a, alpha;
};

template <class F>
void each_moving(const MultibodySystem& system, const State& state, F&& f) {
  const Model& model = system.model();
  for (int b = 0; b < model.body_count(); ++b) {
    const int at = system.v_offset(BodyId{b});
    if (at < 0) continue;
    const double* q = state.q.data() + system.q_offset(BodyId{b});
    const double *v = state.v.data() + at, *a = state.a.data() + at;
    Moving m{};
    m.at = at;
    m.length = system.layout().scale[index(at)];
    m.R = rotation_matrix(Quat{q[3], q[4], q[5], q[6]});
    m.inertia = m.R * model.body(BodyId{b}).inertia * m.R.transpose();
    m.v = {{v[0], v[1], v[2]}};
    m.omega = m.R * Vec3{{v[3], v[4], v[5]}};
    m.a = {{a[0], a[1], a[2]}};
    m.alpha = m.R * Vec3{{a[3], a[4], a[5]}};
    f(m);
  }
}

// Normal equations of w from rows  part + P w = 0.
struct Fit {
  Eigen::Matrix3d A = Eigen::Matrix3d::Zero();
  Eigen::Vector3d b = Eigen::Vector3d::Zero();
  void add(const Mat3& P, const Vec3& part, double weight) {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        for (int k = 0; k < 3; ++k) A(i, j) += weight * P(k, i) * P(k, j);
        b(i) -= weight * P(j, i) * part[j];
      }
  }
  // The smallest of the solutions: directions that fewer than half of the digits determine are left out.
  Vec3 solution() const {
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> s(A);
    Eigen::Vector3d w = Eigen::Vector3d::Zero();
    for (int k = 0; k < 3; ++k)
      if (s.eigenvalues()(k) > 0x1p-26 * s.eigenvalues()(2))
        w += s.eigenvectors().col(k) * (s.eigenvectors().col(k).dot(b) / s.eigenvalues()(k));
    return {{w(0), w(1), w(2)}};
  }
};

void add_inertia(const Moving& m, Fit& fit) {
  // (omega - w) x J - J (omega - w) x, a matrix that is linear in omega - w, over the size of J, times a rate.
  const double size = m.inertia(0, 0) + m.inertia(1, 1) + m.inertia(2, 2), weight = dot(m.omega, m.omega);
  if (!(weight > 0.0) || !(size > 0.0)) return;
  const auto rate = [&](const Vec3& u) { return skew(u) * m.inertia - m.inertia * skew(u); };
  const Mat3 by_omega = rate(m.omega);
  const Mat3 by_w[3] = {rate(Vec3::Unit(0)), rate(Vec3::Unit(1)), rate(Vec3::Unit(2))};
  for (int i = 0; i < 3; ++i) {
    Mat3 P = Mat3::Zero();
    Vec3 part = Vec3::Zero();
    for (int j = 0; j < 3; ++j) {
      part[j] = by_omega(i, j) / size;
      for (int k = 0; k < 3; ++k) P(j, k) = -by_w[k](i, j) / size;
    }
    fit.add(P, part, weight);
  }
}

}  // namespace

double size_of_accelerations(const System& system, const State& state) {
  const SystemLayout& layout = system.layout();
  std::vector<double> force(index(layout.v_size()));
  Evaluation wanted;
  wanted.balance = force.data();
  system.evaluate(point_of(state), wanted);
  BlockMatrix mass(layout.pattern, Border::transposed), stiffness(layout.pattern, Border::transposed);
  evaluate_mass_and_rows(system, point_of(state), mass);
  Linearization lin;
  lin.matrix = &stiffness;
  lin.stiffness = 1.0;
  Evaluation of_stiffness;
  of_stiffness.linearization = &lin;
  Point at = point_of(state);
  at.lambda = state.lambda.data();
  system.evaluate(at, of_stiffness);
  double size = largest_scaled(layout, state.v.data());
  size *= size;
  const BlockPattern& p = *layout.pattern;
  for (int b = 0; b < p.primal_count(); ++b)
    for (int i = 0; i < p.primal_size[index(b)]; ++i) {
      const int k = p.primal_offset[index(b)] + i;
      const double m = std::as_const(mass).H(b)(i, i);
      if (!(m > 0.0)) continue;
      size = std::max(size, std::abs(force[index(k)]) / (m * layout.scale[index(k)]));
      size = std::max(size, std::abs(std::as_const(stiffness).H(b)(i, i)) / m);
    }
  return size;
}

SteadyFrame find_steady_frame(const System& system, const State& state) {
  SteadyFrame found;
  const SystemLayout& layout = system.layout();
  const double size = size_of_accelerations(system, state);
  double largest = 0.0;
  const auto note = [&](int component, double change) {
    const double scaled = std::abs(change) / layout.scale[index(component)];
    if (!(scaled > largest)) return;
    largest = scaled;
    found.block = layout.pattern->block_of(component);
    found.acceleration = change;
  };
  const MultibodySystem* const bodies = bodies_in(system);
  if (bodies == nullptr) {
    for (int k = 0; k < layout.v_size(); ++k) note(k, state.a[index(k)]);
  } else {
    Fit fit;
    each_moving(*bodies, state, [&](const Moving& m) {
      fit.add(skew(m.v), m.a, 1.0 / (m.length * m.length));  // a - w x v = a + v x w
      fit.add(skew(m.omega), m.alpha, 1.0);
      add_inertia(m, fit);
    });
    found.turning = fit.solution();
    each_moving(*bodies, state, [&](const Moving& m) {
      const Vec3 a = m.a - cross(found.turning, m.v);
      const Vec3 alpha = m.R.transpose() * (m.alpha - cross(found.turning, m.omega));
      for (int k = 0; k < 3; ++k) note(m.at + k, a[k]), note(m.at + 3 + k, alpha[k]);
    });
  }
  if (size > 0.0) found.unsteady = largest / size;
  return found;
}

std::vector<FrameRates> frame_rates(const System& system, const State& state, const Vec3& w) {
  const MultibodySystem* const bodies = bodies_in(system);
  if (bodies == nullptr) return {};
  std::vector<FrameRates> rates(index(system.layout().pattern->primal_count()));
  bool any = false;
  each_moving(*bodies, state, [&](const Moving& m) {
    FrameRates& f = rates[index(m.at / 6)];
    f.shift = w;
    f.turn = transpose_times(m.R, w);
    f.s_shift = -w;
    f.s_turn = transpose_times(m.R, Vec3(m.omega - w));
    any = any || dot(w, w) > 0.0 || dot(m.omega, m.omega) > 0.0;
  });
  return any ? rates : std::vector<FrameRates>{};
}

State moved_along(const System& system, const State& state, const Vec3& w, double later) {
  State moved = state;
  moved.t += later;
  std::fill(moved.a.begin(), moved.a.end(), 0.0);
  std::fill(moved.lambda.begin(), moved.lambda.end(), 0.0);
  const MultibodySystem* const bodies = bodies_in(system);
  if (bodies == nullptr) {
    std::vector<double> delta(state.v);
    for (double& d : delta) d *= later;
    system.retract(state.q.data(), delta.data(), moved.q.data());
    return moved;
  }
  // By increments of q, so that the low parts of positions follow.
  const Quat turn = exponential(Vec3(later * w));
  const Mat3 turned = rotation_matrix(turn);
  const Mat3 path = later * tangent(Vec3(-later * w));  // integral of exp(s w) over the time
  std::vector<double> delta(state.v.size(), 0.0);
  each_moving(*bodies, state, [&](const Moving& m) {
    const Vec3 shift = path * m.v;
    // R1 = exp(t w) exp(t (omega - w)) R = R exp(delta)
    const Quat world = turn * exponential(Vec3(later * (m.omega - w)));
    const Vec3 theta = m.R.transpose() * logarithm(world);
    const Mat3 R1 = rotation_matrix(world) * m.R;
    const Vec3 v = turned * m.v, omega = transpose_times(R1, Vec3(turned * m.omega));
    for (int k = 0; k < 3; ++k) {
      delta[index(m.at + k)] = shift[k];
      delta[index(m.at + 3 + k)] = theta[k];
      moved.v[index(m.at + k)] = v[k];
      moved.v[index(m.at + 3 + k)] = omega[k];
    }
  });
  system.retract(state.q.data(), delta.data(), moved.q.data());
  return moved;
}

void carry(const System& system, const State& from, const State& to, const Vec3& w, double later, double* x) {
  const MultibodySystem* const bodies = bodies_in(system);
  if (bodies == nullptr) return;
  const Mat3 turned = rotation_matrix(exponential(Vec3(later * w)));
  std::vector<Mat3> there(index(system.layout().pattern->primal_count()));
  each_moving(*bodies, to, [&](const Moving& m) { there[index(m.at / 6)] = m.R; });
  each_moving(*bodies, from, [&](const Moving& m) {
    const Vec3 shift = turned * Vec3{{x[m.at], x[m.at + 1], x[m.at + 2]}};
    const Vec3 turn = transpose_times(there[index(m.at / 6)],
                                      Vec3(turned * (m.R * Vec3{{x[m.at + 3], x[m.at + 4], x[m.at + 5]}})));
    for (int k = 0; k < 3; ++k) x[m.at + k] = shift[k], x[m.at + 3 + k] = turn[k];
  });
}

}  // namespace catena::detail
