// The kernels that are compiled for every instruction set, in eight lanes; a user's list of rows is put together of them.
#pragma once
#include <catena/model/detail/point_force_wrench.hpp>
#include <catena/model/detail/spring_damper_wrench.hpp>
#include <catena/model/detail/torque_wrench.hpp>
#include <catena/model/detail/torsion_spring_wrench.hpp>
#include <catena/model/rows/blade.hpp>
#include <catena/model/rows/coincide.hpp>
#include <catena/model/rows/coordinate.hpp>
#include <catena/model/rows/coupling.hpp>
#include <catena/model/rows/distance.hpp>
#include <catena/model/rows/locked.hpp>
#include <catena/model/rows/no_slip.hpp>
#include <catena/model/rows/on_line.hpp>
#include <catena/model/rows/parallel.hpp>
#include <catena/model/rows/rim.hpp>
#include <catena/model/rows/stack.hpp>

#include <type_traits>

CATENA_BEGIN_DETAIL_ISA

template <class... K>
struct KernelList {
  static constexpr int count = sizeof...(K);
  // -1: not among them.
  template <class Q>
  static constexpr int number_of() {
    int number = -1, k = 0;
    ((number = std::is_same_v<Q, K> ? k : number, ++k), ...);
    return number;
  }
};

// The hinge has a kernel of its own, which reads its frames once: every chain of hinges runs in it.
template <class S>
using CompiledKernels =
    KernelList<rows::Coincide<S>, rows::OnLine<S>, rows::InPlane<S>, rows::Parallel<S>,
               rows::Perpendicular<S>, rows::Locked<S>, rows::Distance<S>, rows::Rim<S>, rows::NoSlip<S>,
               rows::Blade<S>, rows::Angle<S>, rows::Displacement<S>, rows::AngleFollows<S>,
               rows::DisplacementFollows<S>, rows::AngleRateFollows<S>, rows::DisplacementRateFollows<S>,
               rows::Coupling<S, 2, false>, rows::Coupling<S, 2, true>, rows::Coupling<S, 3, false>,
               rows::Coupling<S, 3, true>, rows::Coupling<S, 4, false>, rows::Coupling<S, 4, true>,
               rows::Stack<rows::Coincide<S>, rows::Parallel<S>>, SpringDamperWrench<S>, PointForceWrench<S>,
               TorqueWrench<S>, TorsionSpringWrench<S>>;

CATENA_END_DETAIL_ISA
