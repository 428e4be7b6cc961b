// A mechanism and its motion in plain numbers, for programs whose headers do not go with those of Catena (C++17).
#pragma once
#include <array>
#include <string>
#include <vector>

namespace catena_peer {

using Triple = std::array<double, 3>;

struct PlainState {
  Triple position;                   // centre of mass, world frame [m]
  std::array<double, 4> quaternion;  // body -> world, scalar first
  Triple velocity;                   // world frame [m/s]
  Triple angular_velocity;           // body frame [rad/s]
};

struct PlainBody {
  PlainState start;
  double mass;               // [kg]
  Triple moments, products;  // xx, yy, zz and xy, xz, yz about the centre of mass, body frame [kg m^2]
  bool fixed;
};

struct PlainJoint {
  std::string type, label;  // "revolute", 'joint "hip" (revolute)'
  int a, b;                 // bodies; -1: the ground
  Triple point_a, point_b;  // frames of a and b [m]
  Triple axis_a, axis_b;    // any length; 0 of joints that have none
  double length;            // [m] of distance joints
};

struct PlainSpring {
  int a, b;
  Triple point_a, point_b;
  double stiffness, damping, rest_length;
};

struct PlainMechanism {
  Triple gravity;  // [m/s^2]
  std::vector<PlainBody> bodies;
  std::vector<PlainJoint> joints;
  std::vector<PlainSpring> springs;
};

struct PlainRun {
  int steps;
  double seconds;                               // in stepping, the least of the repetitions
  std::vector<std::vector<PlainState>> motion;  // of the bodies at the instants
};

}  // namespace catena_peer
