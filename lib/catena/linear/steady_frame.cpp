#include <catena/assembly/multibody_system.hpp>
#include <catena/linear/detail/distance_to_rest.hpp>
#include <catena/linear/detail/steady_frame.hpp>
#include <catena/math/detail/index.hpp>
#include <catena/system/detail/scaled.hpp>

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace catena::detail {
namespace {

const MultibodySystem* bodies_in(const System& system) {
  return dynamic_cast<const MultibodySystem*>(&system);
}

// A moving body of the system: where its numbers are, and its motion in world axes.
struct Moving {
  int block;
  BodyMotion motion;
  double length;
  Vec3 normal;      // of a planar body, world axes
  Mat3 R, inertia;  // world axes
  Vec3 v, omega, a, alpha;
};

// Of velocities, increments or accelerations of all bodies: those of one in world axes.
std::pair<Vec3, Vec3> in_world(const MultibodySystem& system, int block, const Mat3& R, const double* x) {
  double six[6];
  system.freedoms().expand(block, x, six);
  return {{{six[0], six[1], six[2]}}, R * Vec3{{six[3], six[4], six[5]}}};
}
// The inverse; what the body cannot do is left out.
void put(const MultibodySystem& system, int block, const Mat3& R, const Vec3& shift, const Vec3& turn,
         double* x) {
  const Vec3 own = transpose_times(R, turn);
  const double six[6] = {shift[0], shift[1], shift[2], own[0], own[1], own[2]};
  system.freedoms().reduce(block, six, x);
}

template <class F>
void each_moving(const MultibodySystem& system, const State& state, F&& f) {
  const Model& model = system.model();
  for (int b = 0; b < model.body_count(); ++b) {
    const int at = system.v_offset(BodyId{b});
    if (at < 0) continue;
    const Body& body = model.body(BodyId{b});
    const double* q = state.q.data() + system.q_offset(BodyId{b});
    Moving m{};
    m.block = system.layout().pattern->block_of(at);
    m.motion = body.motion;
    m.length = system.layout().scale[index(at)];
    m.R = rotation_matrix(Quat{q[3], q[4], q[5], q[6]});
    m.inertia = m.R * body.inertia * m.R.transpose();
    if (body.motion == BodyMotion::planar) {
      // The other moments have no part in its motion.
      m.normal = (1.0 / norm(body.normal)) * body.normal;
      m.inertia = dot(m.normal, Vec3(m.inertia * m.normal)) * outer(m.normal, m.normal);
    }
    std::tie(m.v, m.omega) = in_world(system, m.block, m.R, state.v.data());
    std::tie(m.a, m.alpha) = in_world(system, m.block, m.R, state.a.data());
    f(m);
  }
}

// Normal equations of w from rows  part + P w = 0.
struct Fit {
  Eigen::Matrix3d A = Eigen::Matrix3d::Zero();
  Eigen::Vector3d b = Eigen::Vector3d::Zero();
  Vec3 axis = Vec3::Zero();  // w is parallel to it; 0: any direction
  bool fixed = false;        // w = 0
  void add(const Mat3& P, const Vec3& part, double weight) {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        for (int k = 0; k < 3; ++k) A(i, j) += weight * P(k, i) * P(k, j);
        b(i) -= weight * P(j, i) * part[j];
      }
  }
  // What moves in a plane sees nothing constant in a frame that turns about another axis than the normal.
  void keep_plane(const Vec3& normal) {
    constexpr double parallel = 1e-9;  // directions of a model file have as many digits
    if (norm(axis) > 0.0 && norm(Vec3(cross(axis, normal))) > parallel) fixed = true;
    axis = normal;
  }
  // Along directions that fewer than half of the digits determine, that of `open`.
  Vec3 solution(const Vec3& open) const {
    constexpr double half = 0x1p-26;
    if (fixed) return Vec3::Zero();
    if (norm(axis) > 0.0) {
      const Eigen::Vector3d n(axis[0], axis[1], axis[2]);
      const double size = n.dot(A * n);
      return size > half * A.trace() ? Vec3(n.dot(b) / size * axis) : Vec3(dot(open, axis) * axis);
    }
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> s(A);
    const Eigen::Vector3d along(open[0], open[1], open[2]);
    Eigen::Vector3d w = Eigen::Vector3d::Zero();
    for (int k = 0; k < 3; ++k) {
      const Eigen::Vector3d direction = s.eigenvectors().col(k);
      const bool determined = s.eigenvalues()(k) > half * s.eigenvalues()(2);
      w += direction * (determined ? direction.dot(b) / s.eigenvalues()(k) : direction.dot(along));
    }
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

SteadyFrame find_steady_frame(const System& system, const State& state) {
  const MultibodySystem* const bodies = bodies_in(system);
  if (bodies == nullptr) return {};
  Fit fit;
  Vec3 fastest = Vec3::Zero();
  each_moving(*bodies, state, [&](const Moving& m) {
    if (norm(m.omega) > norm(fastest)) fastest = m.omega;
    fit.add(skew(m.v), m.a, 1.0 / (m.length * m.length));  // a - w x v = a + v x w
    fit.add(skew(m.omega), m.alpha, 1.0);
    add_inertia(m, fit);
    if (m.motion == BodyMotion::planar) fit.keep_plane(m.normal);
  });
  return {fit.solution(Vec3::Zero()), fit.solution(fastest)};
}

std::vector<double> accelerations_in_frame(const System& system, const State& state, const Vec3& w) {
  std::vector<double> change(state.a);
  if (const MultibodySystem* const bodies = bodies_in(system))
    each_moving(*bodies, state, [&](const Moving& m) {
      put(*bodies, m.block, m.R, Vec3(m.a - cross(w, m.v)), Vec3(m.alpha - cross(w, m.omega)), change.data());
    });
  return change;
}

Unsteady largest_change(const SystemLayout& layout, const std::vector<double>& change,
                        const BlockAccelerations& sizes) {
  Unsteady found;
  for (int k = 0; k < layout.v_size(); ++k) {
    const double scaled = std::abs(change[index(k)]) / layout.scale[index(k)];
    if (!(scaled > 0.0)) continue;
    const int block = layout.pattern->block_of(k);
    const double by = scaled / sizes.size(block);
    if (by > found.by) found = {by, block, change[index(k)]};
  }
  return found;
}

double largest_of(const SystemLayout& layout, const std::vector<double>& change, int block) {
  const std::size_t first = index(layout.pattern->primal_offset[index(block)]);
  std::size_t worst = first;
  for (std::size_t k = first; k < first + index(layout.pattern->primal_size[index(block)]); ++k)
    if (std::abs(change[k]) / layout.scale[k] > std::abs(change[worst]) / layout.scale[worst]) worst = k;
  return change[worst];
}

double fastest_turn(const System& system, const State& state, const Vec3& w) {
  const SystemLayout& layout = system.layout();
  const MultibodySystem* const bodies = bodies_in(system);
  if (bodies == nullptr) return largest_scaled(layout, state.v.data());
  double fastest = norm(w);
  each_moving(*bodies, state, [&](const Moving& m) {
    fastest = std::max({fastest, norm(m.omega), norm(m.v) / std::max(m.length, layout.reach)});
  });
  return fastest;
}

std::vector<FrameRates> frame_rates(const System& system, const State& state, const Vec3& w) {
  const MultibodySystem* const bodies = bodies_in(system);
  if (bodies == nullptr) return {};
  std::vector<FrameRates> rates(index(system.layout().pattern->primal_count()));
  bool any = false;
  each_moving(*bodies, state, [&](const Moving& m) {
    FrameRates& f = rates[index(m.block)];
    any = any || dot(w, w) > 0.0 || dot(m.omega, m.omega) > 0.0;
    if (m.motion == BodyMotion::planar) {
      f.shift = {{0.0, 0.0, dot(m.normal, w)}};
      f.s_shift = -f.shift;
      return;
    }
    f.shift = w;
    f.turn = transpose_times(m.R, w);
    f.s_shift = -w;
    f.s_turn = transpose_times(m.R, Vec3(m.omega - w));
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
    // R1 = exp(t w) exp(t (omega - w)) R = R exp(delta)
    const Quat world = turn * exponential(Vec3(later * (m.omega - w)));
    put(*bodies, m.block, m.R, Vec3(path * m.v), logarithm(world), delta.data());
    const Mat3 R1 = rotation_matrix(world) * m.R;
    put(*bodies, m.block, R1, Vec3(turned * m.v), Vec3(turned * m.omega), moved.v.data());
  });
  system.retract(state.q.data(), delta.data(), moved.q.data());
  return moved;
}

void carry(const System& system, const State& from, const State& to, const Vec3& w, double later, double* x) {
  const MultibodySystem* const bodies = bodies_in(system);
  if (bodies == nullptr) return;
  const Mat3 turned = rotation_matrix(exponential(Vec3(later * w)));
  std::vector<Mat3> there(index(system.layout().pattern->primal_count()));
  each_moving(*bodies, to, [&](const Moving& m) { there[index(m.block)] = m.R; });
  each_moving(*bodies, from, [&](const Moving& m) {
    const auto [shift, turn] = in_world(*bodies, m.block, m.R, x);
    put(*bodies, m.block, there[index(m.block)], Vec3(turned * shift), Vec3(turned * turn), x);
  });
}

}  // namespace catena::detail
