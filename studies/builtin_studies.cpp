#include <catena/studies/detail/builtin_studies.hpp>
#include <catena/studies/detail/discrete_action_study.hpp>
#include <catena/studies/detail/euler_angles_study.hpp>
#include <catena/studies/detail/lie_dae_study.hpp>
#include <catena/studies/detail/rotary_pendulum_study.hpp>
#include <catena/studies/detail/snakeboard_study.hpp>

namespace catena::detail {

std::vector<StudyEntry> builtin_studies() {
  return {
      {"A", "Li, Li, Ding, Pan 2018: Lie-group DAEs of index 1, 2, 3 and stabilized", reproduce_lie_dae},
      {"B", "Ma, Chen, Zhang: generalized-alpha and alpha-RATTLE, nonholonomic snakeboard",
       reproduce_snakeboard},
      {"C", "Xu, Zhong 2014: discrete action on quaternions, a chain of four boxes",
       reproduce_discrete_action},
      {"D", "Huang, Huang, Huang 2000: Euler angles at a ball joint, breakdown and two remedies",
       reproduce_euler_angles},
      {"E", "rotary pendulum in MATLAB: explicit integration, four methods compared",
       reproduce_rotary_pendulum},
  };
}

}  // namespace catena::detail
