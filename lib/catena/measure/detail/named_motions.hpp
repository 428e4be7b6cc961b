// The motions that the joints of a model leave free at a state, in words.
#pragma once
#include <catena/assembly/multibody_system.hpp>
#include <catena/kkt/detail/factored_rows.hpp>

#include <string>
#include <vector>

namespace catena::detail {

// One motion; rates [rad/s], [m/s] to each other: the first joint has 1.
struct NamedMotion {
  struct Joint {
    std::string name;
    bool turns = false;  // about its axis; else slides along it
    double rate = 0.0;
  };
  struct MovingBody {
    std::string name, how;  // 'turns about z at "hip", 0.7 rad/s'
  };
  std::vector<double> velocity = {};    // [v_size]
  std::vector<Joint> joints = {};       // that turn or slide, that with 1 first
  std::vector<MovingBody> bodies = {};  // that move, in the order of the model
};

// `count` of them, as many as degrees of freedom; each has a joint that is at rest in all others, where joints turn or slide
// about one axis, else a direction of a body. rows: of the system.
std::vector<NamedMotion> named_motions(const MultibodySystem& system, FactoredRows& rows, int count);

// '"A" turns 1 rad/s, "B" slides 0.2 m/s'; of more than `most` joints the first.
std::string joints_in_words(const NamedMotion& motion, std::size_t most);
std::string bodies_in_words(const NamedMotion& motion, std::size_t most);

}  // namespace catena::detail
