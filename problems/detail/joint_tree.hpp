// Rigid bodies joined to a tree, as its own coordinates see it: ball joints by Euler angles or by an angular
// velocity, hinges by their angle, a base that floats. The equations of motion come from one recursion out and one
// back, over any scalar (tree_residual); they are those of Lagrange, d/dt dT/dv - dT/dq = Q, and for a floating base
// under its own velocities (13)-(15) of the source named in euler_angles.hpp.
#pragma once
#include <catena/math/rotation.hpp>

#include <string>
#include <vector>

namespace catena::detail {

enum class JointType { floating, ball, hinge };

// The coordinates of the rotation of a floating base or a ball joint.
enum class AngleForm {
  plain,             // Euler angles theta and their rates: A(theta) = E^T J E is singular at the pole
  replaced,          // the same with theta1 held near the pole, its rate given to theta2
  mixed,             // velocity: omega; the angles only carry the orientation, theta' = E^-1 omega
  printed_replaced,  // the source's (10)-(12)
  printed_rates,     // mixed with the source's (17) away from the pole
  printed_pole       // mixed with the source's (19) near the pole
};
inline bool is_mixed(AngleForm form) {
  return form == AngleForm::mixed || form == AngleForm::printed_rates || form == AngleForm::printed_pole;
}

// Configuration and velocity of one joint, free of angles.
struct JointMotion {
  Quat rotation = Quat::Identity();  // ball, floating: against the mount
  Vec3 position = Vec3::Zero();      // floating: centre of mass, world frame [m]
  double angle = 0.0;                // hinge [rad]
  Vec3 omega = Vec3::Zero();         // ball, floating: relative angular velocity, frame of the body [rad/s]
  Vec3 velocity = Vec3::Zero();      // floating: of the centre of mass, frame of the body [m/s]
  double rate = 0.0;                 // hinge [rad/s]
};

// A body and the joint that ties it to its parent.
struct TreeLink {
  std::string name;                 // of the body
  std::string joint;                // of the joint
  double mass = 1.0;                // [kg]
  Mat3 inertia = Mat3::Identity();  // about the centre of mass, body frame [kg m^2]
  int parent = -1;                  // number of a link before this one; -1: ground
  JointType type = JointType::ball;
  AngleForm form = AngleForm::mixed;
  Vec3 point_parent = Vec3::Zero();  // the joint from the parent's centre of mass, its frame [m]
  Vec3 point = Vec3::Zero();         // the joint from the centre of mass, body frame [m]
  Mat3 mount = Mat3::Identity();     // R of the body against its parent is mount times the joint's rotation
  Vec3 axis = Vec3::Unit(2);         // hinge: unit vector, body frame
  double torque = 0.0;  // hinge: of a motor on this body about +axis, on the parent about -axis [N m]
  JointMotion start = {};
};

inline int velocities(JointType type) {
  return type == JointType::floating ? 6 : type == JointType::ball ? 3 : 1;
}

struct JointTree {
  static constexpr int max_links = 8;

  std::vector<TreeLink> links;  // parents before children

  int velocity_count() const {
    int n = 0;
    for (const TreeLink& link : links) n += velocities(link.type);
    return n;
  }
};

// One joint at one instant: how its rates become velocities. Angular: omega_rel = map u + ..., its derivative
// map u' + drift, both in the frame of the body.
template <class S>
struct JointPoint {
  Mat<S, 3, 3> R;               // body -> parent
  Mat<S, 3, 3> map;             // ball, floating
  Vec<S, 3> drift;              // ball, floating
  Vec<S, 3> omega;              // relative, body frame
  Vec<S, 3> x;                  // floating: world
  Vec<S, 3> v;                  // floating: velocity of the centre of mass, body frame
  bool world_velocity = false;  // floating: the rates of translation are those of x, in the world frame
  bool held = false;            // theta1 is held: its equation is theta1'' = 0
};

// A body of the tree at one instant, body frame but for x and R.
template <class S>
struct LinkPoint {
  Mat<S, 3, 3> R;           // body -> world
  Vec<S, 3> x;              // world
  Vec<S, 3> omega, v;       // v of the centre of mass
  Vec<S, 3> domega, dv;     // accelerations against the inertial frame
  Vec<S, 3> moment, force;  // to be applied for that: about the centre of mass, and there
};

// out = M a + (gyroscopic, centrifugal and Coriolis terms) - motor torques, one number per velocity: the recursion
// of Newton and Euler. rates: false leaves everything but M a out. link: max_links of work space, holds every body
// afterwards. a: as many numbers.
template <class S>
void tree_residual(const JointTree& tree, const JointPoint<S>* joint, const S* a, bool rates,
                   LinkPoint<S>* link, S* out);

// Poses and velocities of all bodies alone.
template <class S>
void tree_motion(const JointTree& tree, const JointPoint<S>* joint, LinkPoint<S>* link);

// ---------------------------------------------------------------------------------------------------------------

namespace tree_detail {
template <class S>
Vec<S, 3> three(const S* a) {
  return {{a[0], a[1], a[2]}};
}
}  // namespace tree_detail

template <class S>
void tree_motion(const JointTree& tree, const JointPoint<S>* joint, LinkPoint<S>* link) {
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    const TreeLink& part = tree.links[i];
    const JointPoint<S>& j = joint[i];
    LinkPoint<S>& body = link[i];
    const Vec<S, 3> b = cast<S>(part.point);
    body.R = j.R;
    if (part.type == JointType::floating) {
      body.x = j.x;
      body.omega = j.omega;
      body.v = j.v;
      continue;
    }
    const Vec<S, 3> at = cast<S>(part.point_parent);
    body.omega = j.omega;
    body.v = Vec<S, 3>::Zero();
    body.x = at;
    if (part.parent >= 0) {
      const LinkPoint<S>& parent = link[part.parent];
      body.R = parent.R * j.R;
      body.x = parent.x + parent.R * at;
      body.omega += transpose_times(j.R, parent.omega);
      body.v = transpose_times(j.R, Vec<S, 3>(parent.v + cross(parent.omega, at)));
    }
    body.x -= body.R * b;
    body.v -= cross(body.omega, b);
  }
}

template <class S>
void tree_residual(const JointTree& tree, const JointPoint<S>* joint, const S* a, bool rates,
                   LinkPoint<S>* link, S* out) {
  using V = Vec<S, 3>;
  tree_motion(tree, joint, link);
  const S* u = a;
  for (std::size_t i = 0; i < tree.links.size(); ++i) {  // out: accelerations
    const TreeLink& part = tree.links[i];
    const JointPoint<S>& j = joint[i];
    LinkPoint<S>& body = link[i];
    V relative;
    if (part.type == JointType::hinge) {
      relative = u[0] * cast<S>(part.axis);
    } else {
      relative = j.map * (j.held ? V{{S(0.0), u[1], u[2]}} : tree_detail::three(u));
      if (rates) relative += j.drift;
    }
    if (part.type == JointType::floating) {
      body.domega = relative;
      body.dv =
          j.world_velocity ? transpose_times(j.R, tree_detail::three(u + 3)) : tree_detail::three(u + 3);
      if (rates && !j.world_velocity) body.dv += cross(body.omega, body.v);
    } else {
      const V at = cast<S>(part.point_parent), b = cast<S>(part.point);
      body.domega = relative;
      body.dv = V::Zero();
      if (part.parent >= 0) {
        const LinkPoint<S>& parent = link[part.parent];
        body.domega += transpose_times(j.R, parent.domega);
        V pivot = parent.dv + cross(parent.domega, at);
        if (rates) {
          body.domega += cross(V(body.omega - j.omega), j.omega);
          pivot += cross(parent.omega, cross(parent.omega, at));
        }
        body.dv = transpose_times(j.R, pivot);
      }
      body.dv -= cross(body.domega, b);
      if (rates) body.dv -= cross(body.omega, cross(body.omega, b));
    }
    const Mat<S, 3, 3> J = cast<S>(part.inertia);
    body.force = S(part.mass) * body.dv;
    body.moment = J * body.domega;
    if (rates) body.moment += cross(body.omega, V(J * body.omega));
    u += velocities(part.type);
  }
  S* r = out + tree.velocity_count();
  u = a + tree.velocity_count();
  for (std::size_t k = tree.links.size(); k-- > 0;) {  // and back: forces
    const TreeLink& part = tree.links[k];
    const JointPoint<S>& j = joint[k];
    const LinkPoint<S>& body = link[k];
    r -= velocities(part.type);
    u -= velocities(part.type);
    V about = body.moment;  // about the joint; the centre of mass of a floating base
    if (part.type != JointType::floating) about -= cross(cast<S>(part.point), body.force);
    if (part.type == JointType::hinge) {
      r[0] = dot(cast<S>(part.axis), about);
      if (rates) r[0] -= S(part.torque);
    } else {
      const V turned = transpose_times(j.map, about);
      for (int c = 0; c < 3; ++c) r[c] = turned[c];
      if (j.held) r[0] = u[0];
    }
    if (part.type == JointType::floating) {
      const V push = j.world_velocity ? j.R * body.force : body.force;
      for (int c = 0; c < 3; ++c) r[3 + c] = push[c];
    } else if (part.parent >= 0) {
      LinkPoint<S>& parent = link[part.parent];
      const V push = j.R * body.force;
      parent.force += push;
      parent.moment += j.R * about + cross(cast<S>(part.point_parent), push);
    }
  }
}

}  // namespace catena::detail
