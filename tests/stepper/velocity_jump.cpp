// The guard over velocities that jump: a step to another branch is refused, and nothing else.
#include <catena/stepper/guards/detail/velocity_jump.hpp>
#include <catena/system/coordinate_system.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <vector>

using namespace catena;
using namespace catena::detail;

namespace velocity_jump_tests {

// A mass of 2 kg in a plane with one row.
struct Bead {
  static constexpr int coordinates = 2;
  static constexpr const char* name = "bead";
  static constexpr std::array<const char*, 1> velocity_row_names{"wire"};
  template <class S>
  Mat<S, 2, 2> mass(const Vec<S, 2>&) const {
    return S(2.0) * Mat<S, 2, 2>::Identity();
  }
  template <class S>
  Vec<S, 2> force(const Vec<S, 2>&, const Vec<S, 2>&, const S&) const {
    return Vec<S, 2>::Zero();
  }
  template <class S>
  Mat<S, 1, 2> velocity_rows(const Vec<S, 2>&, const S&) const {
    return {{S(0.0), S(1.0)}};
  }
};

using Plane = std::array<double, 2>;

// Of a step of 0.1 s from t = 3 s.
Outcome assess(const Plane& v0, const Plane& a0, const Plane& v1, const Plane& a1, Outcome outcome = {}) {
  CoordinateSystem<Bead> system{Bead{}};
  KktSolver kkt;
  REQUIRE(kkt.attach(system, {}).empty());
  StepperStatistics statistics;
  StepMemory memory;
  VelocityJumpGuard guard;
  guard.attach({system, statistics}, memory);
  State state;
  state.t = 3.0;
  state.q.assign(2, 0.0);
  state.v.assign(v0.begin(), v0.end());
  state.a.assign(a0.begin(), a0.end());
  const std::vector<double> q(2, 0.0);
  Point end;
  end.t = 3.1;
  end.q = q.data();
  end.v = v1.data();
  end.a = a1.data();
  std::vector<double> sum(3), way(2), part(2), at(2);
  GuardWorkspace workspace{sum.data(), way.data(), part.data(), at.data(), kkt, {}, statistics};
  return guard.assess(std::move(outcome), {system, state, end, 0.1, true, false, nullptr, false, 1e-10},
                      workspace);
}

TEST_CASE(
    "velocities that turn without an acceleration are refused with the place, the time and by how much") {
  const Outcome refused = assess({1.0, 0.0}, {0.0, 0.0}, {0.8, 0.6}, {0.0, 0.0});
  CHECK(refused.status == Status::singular_kkt);
  CHECK(refused.culprit.name == "coordinates of \"bead\"");
  CHECK(refused.culprit.quantity.find("velocities jump within a step from t = 3 s") == 0);
  CHECK(refused.culprit.value == doctest::Approx(std::sqrt(0.04 + 0.36)));
  // 0.44 and 0.36 of the larger velocity
  CHECK(assess({1.0, 0.0}, {0.0, 0.0}, {0.56, 0.0}, {0.0, 0.0}).status == Status::singular_kkt);
  CHECK(assess({0.56, 0.0}, {0.0, 0.0}, {1.0, 0.0}, {0.0, 0.0}).status == Status::singular_kkt);
  CHECK(assess({1.0, 0.0}, {0.0, 0.0}, {0.64, 0.0}, {0.0, 0.0}).status == Status::ok);
}

TEST_CASE("what the accelerations at both ends explain is none: turning points, starts, hard stops") {
  CHECK(assess({0.5, 0.0}, {-10.0, 0.0}, {-0.5, 0.0}, {-10.0, 0.0}).status == Status::ok);
  CHECK(assess({0.0, 0.0}, {20.0, 0.0}, {1.0, 0.0}, {0.0, 0.0}).status == Status::ok);
  CHECK(assess({1.0, 0.0}, {0.0, 0.0}, {-1.0, 0.0}, {-40.0, 0.0}).status == Status::ok);
  CHECK(assess({0.5, 0.0}, {-10.0, 0.0}, {0.5, 0.0}, {-10.0, 0.0}).status == Status::singular_kkt);
}

TEST_CASE("drift of what is at rest is none, and a step that failed keeps its reason") {
  CHECK(assess({1e-6, 0.0}, {0.0, 0.0}, {-1e-6, 0.0}, {0.0, 0.0}).status == Status::ok);
  Outcome failed;
  failed.status = Status::newton_not_converged;
  CHECK(assess({1.0, 0.0}, {0.0, 0.0}, {-1.0, 0.0}, {0.0, 0.0}, failed).status ==
        Status::newton_not_converged);
}

}  // namespace velocity_jump_tests
