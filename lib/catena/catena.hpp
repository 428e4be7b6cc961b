// Everything that a program needs to describe mechanisms, integrate and measure them: all public headers but those of
// studies and Eigen's conversions. Headers of components that are not installed are left out.
#pragma once
#include <catena/assembly/multibody_system.hpp>
#include <catena/assembly/quaternion_system.hpp>
#include <catena/driver/checkpoint.hpp>
#include <catena/driver/run.hpp>
#include <catena/driver/sink.hpp>
#include <catena/kkt/consistent.hpp>
#include <catena/kkt/derivative_check.hpp>
#include <catena/kkt/kkt_solver.hpp>
#include <catena/math/option.hpp>
#include <catena/math/parts/cpu.hpp>
#include <catena/math/rotation.hpp>
#include <catena/math/small.hpp>
#include <catena/measure/joint_values.hpp>
#include <catena/measure/measurements.hpp>
#include <catena/measure/quantity.hpp>
#include <catena/model/body.hpp>
#include <catena/model/constraint.hpp>
#include <catena/model/element_listing.hpp>
#include <catena/model/force.hpp>
#include <catena/model/forces.hpp>
#include <catena/model/joints.hpp>
#include <catena/model/marker.hpp>
#include <catena/model/model.hpp>
#include <catena/model/rows.hpp>
#include <catena/sparse/linear_solver.hpp>
#include <catena/stepper/explicit/explicit_stepper.hpp>
#include <catena/stepper/implicit/implicit_stepper.hpp>
#include <catena/stepper/simple_stepper.hpp>
#include <catena/stepper/stepper.hpp>
#include <catena/system/coordinate_system.hpp>
#include <catena/system/status.hpp>
#include <catena/system/system.hpp>

#if __has_include(<catena/sparse/backends/backends.hpp>)
#include <catena/linear/linear_analysis.hpp>
#include <catena/sparse/backends/backends.hpp>
#endif
#if __has_include(<catena/solvers/steppers.hpp>)
#include <catena/solvers/steppers.hpp>
#endif
#if __has_include(<catena/problems/problems.hpp>)
#include <catena/problems/problems.hpp>
#endif
#if __has_include(<catena/study/ensemble.hpp>)
#include <catena/study/ensemble.hpp>
#include <catena/study/sweep.hpp>
#endif
#if __has_include(<catena/cli/cli.hpp>)
#include <catena/builtin/builtin.hpp>
#include <catena/cli/cli.hpp>
#include <catena/experiment/catalog.hpp>
#include <catena/experiment/experiment.hpp>
#include <catena/experiment/scenario.hpp>
#include <catena/io/parts/yaml_models.hpp>
#include <catena/io/read_model.hpp>
#endif
