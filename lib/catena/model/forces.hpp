// The forces that come with the library. One of one's own: model/force.hpp.
#pragma once
#include <catena/model/parts/bushing.hpp>
#include <catena/model/parts/joint_force.hpp>
#include <catena/model/parts/joint_friction.hpp>
#include <catena/model/parts/joint_pid.hpp>
#include <catena/model/parts/point_force.hpp>
#include <catena/model/parts/spring_damper.hpp>
#include <catena/model/parts/strut.hpp>
#include <catena/model/parts/torque.hpp>
#include <catena/model/parts/torsion_spring.hpp>
#include <catena/model/parts/varying_force.hpp>
