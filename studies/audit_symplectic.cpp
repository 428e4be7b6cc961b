#include <catena/assembly/multibody_system.hpp>
#include <catena/assembly/quaternion_system.hpp>
#include <catena/driver/run.hpp>
#include <catena/model/joints.hpp>
#include <catena/studies/detail/audit_symplectic.hpp>
#include <catena/system/detail/coordinate_derivatives.hpp>

#include <array>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <utility>

namespace catena::detail {
namespace {

constexpr int n = 6;  // freedoms
using Coordinates6 = Vec<double, n>;
using Point12 = Vec<double, 2 * n>;  // theta, p
using Pair12 = Mat<double, 2 * n, 2 * n>;

struct Link {
  double mass;
  Vec3 inertia;      // principal moments [kg m^2]
  Quat orientation;  // the origin of the chart
  Vec3 begin, end;   // joints, body frame [m]
};

class DoublePendulum {
 public:
  DoublePendulum() {
    links_ = {Link{1.2,
                   {{0.10, 0.13, 0.05}},
                   exponential(Vec3{{0.4, -0.3, 0.8}}),
                   {{-0.5, 0.1, 0.0}},
                   {{0.5, 0.0, 0.1}}},
              Link{0.7,
                   {{0.04, 0.09, 0.08}},
                   exponential(Vec3{{-0.7, 0.5, 0.2}}),
                   {{0.0, -0.4, 0.1}},
                   Vec3::Zero()}};
  }

  static Point12 start() { return {{0.05, -0.1, 0.02, 0.1, 0.03, -0.06, 0.5, -0.3, 0.4, 0.12, -0.2, 0.15}}; }

  // The bodies at a point of the chart.
  Model model(const Point12& at) const {
    const std::array<Quat, 2> turned = orientations(at);
    const Coordinates6 p{{at[6], at[7], at[8], at[9], at[10], at[11]}};
    const auto J = velocities(at);
    const Coordinates6 rate =
        coordinate_detail::solve_spd(Mat<double, n, n>(transpose_times(J, weighted(J))), p);
    const Vec<double, 12> V = J * rate;
    Model m;
    m.gravity = {{0.0, 0.0, -9.81}};
    Vec3 joint = Vec3::Zero();
    for (std::size_t k = 0; k < 2; ++k) {
      const Link& link = links_[k];
      const Mat3 R = rotation_matrix(turned[k]);
      Body body;
      body.mass = link.mass;
      body.inertia = diagonal(link.inertia);
      body.orientation = turned[k];
      body.position = joint - R * link.begin;
      const int row = 6 * static_cast<int>(k);
      body.velocity = {{V[row], V[row + 1], V[row + 2]}};
      body.angular_velocity = {{V[row + 3], V[row + 4], V[row + 5]}};
      m.add(std::move(body));
      joint = joint - R * link.begin + R * link.end;
    }
    m.add(SphericalJoint{.bodies = {ground, BodyId{0}}, .point_b = links_[0].begin});
    m.add(SphericalJoint{
        .bodies = {BodyId{0}, BodyId{1}}, .point_a = links_[0].end, .point_b = links_[1].begin});
    return m;
  }

  // The point of the chart where the bodies are.
  Point12 point(const std::vector<RigidBodyState>& bodies) const {
    Point12 at = Point12::Zero();
    Vec<double, 12> V;
    for (std::size_t k = 0; k < 2; ++k) {
      const Vec3 theta = logarithm(conjugate(links_[k].orientation) * bodies[k].orientation);
      for (int i = 0; i < 3; ++i) {
        const int row = 6 * static_cast<int>(k);
        at[3 * static_cast<int>(k) + i] = theta[i];
        V[row + i] = bodies[k].velocity[i];
        V[row + 3 + i] = bodies[k].angular_velocity[i];
      }
    }
    const Coordinates6 p = transpose_times(weighted(velocities(at)), V);
    for (int i = 0; i < n; ++i) at[n + i] = p[i];
    return at;
  }

 private:
  static Vec3 angles(const Point12& at, int k) { return {{at[3 * k], at[3 * k + 1], at[3 * k + 2]}}; }
  std::array<Quat, 2> orientations(const Point12& at) const {
    return {links_[0].orientation * exponential(angles(at, 0)),
            links_[1].orientation * exponential(angles(at, 1))};
  }

  // (v1, Omega1, v2, Omega2) = J theta'.
  Mat<double, 12, n> velocities(const Point12& at) const {
    const std::array<Quat, 2> turned = orientations(at);
    Mat<double, 12, n> J = Mat<double, 12, n>::Zero();
    const Mat3 R1 = rotation_matrix(turned[0]), R2 = rotation_matrix(turned[1]);
    const Mat3 T1 = tangent(angles(at, 0)), T2 = tangent(angles(at, 1));
    set_block(J, 0, 0, Mat3(R1 * skew(links_[0].begin) * T1));
    set_block(J, 3, 0, T1);
    set_block(J, 6, 0, Mat3(R1 * skew(Vec3(links_[0].begin - links_[0].end)) * T1));
    set_block(J, 6, 3, Mat3(R2 * skew(links_[1].begin) * T2));
    set_block(J, 9, 3, T2);
    return J;
  }
  // M J
  Mat<double, 12, n> weighted(Mat<double, 12, n> J) const {
    for (int row = 0; row < 12; ++row) {
      const Link& link = links_[row < 6 ? 0 : 1];
      const double weight = row % 6 < 3 ? link.mass : link.inertia[row % 6 - 3];
      for (int i = 0; i < n; ++i) J(row, i) *= weight;
    }
    return J;
  }

  std::array<Link, 2> links_;
};

Point12 one_step(const DoublePendulum& bodies, Stepper& stepper, double h, const Point12& from) {
  std::unique_ptr<System> system;
  if (stepper.traits().coordinates == Coordinates::lagrangian)
    system = std::make_unique<QuaternionSystem>(bodies.model(from));
  else
    system = std::make_unique<MultibodySystem>(bodies.model(from));
  State state = system->initial_state();
  const RunResult result =
      run(*system, stepper, state, {.step = h, .end = h, .max_cuts = 0, .verdict = false});
  if (result.status != Status::ok)
    throw std::runtime_error(std::string("a step of two bodies failed: ") + to_string(result.reason()) +
                             ", " + result.culprit.quantity);
  return bodies.point(system->bodies(state));
}

}  // namespace

double symplectic_defect(Stepper& stepper, double h) {
  const DoublePendulum bodies;
  constexpr double d = 1e-3;
  Pair12 A;
  for (int j = 0; j < 2 * n; ++j) {
    const auto shifted = [&](double by) {
      Point12 from = DoublePendulum::start();
      from[j] += by;
      return one_step(bodies, stepper, h, from);
    };
    const Point12 near = shifted(d) - shifted(-d), far = shifted(2.0 * d) - shifted(-2.0 * d);
    for (int i = 0; i < 2 * n; ++i) A(i, j) = (8.0 * near[i] - far[i]) / (12.0 * d);
  }
  Pair12 omega = Pair12::Zero();
  for (int i = 0; i < n; ++i) {
    omega(i, n + i) = 1.0;
    omega(n + i, i) = -1.0;
  }
  const Pair12 defect = transpose_times(A, Pair12(omega * A)) - omega;
  double sum = 0.0;
  for (int i = 0; i < 2 * n; ++i)
    for (int j = 0; j < 2 * n; ++j) sum += defect(i, j) * defect(i, j);
  return std::sqrt(sum);
}

}  // namespace catena::detail
