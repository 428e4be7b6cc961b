// Joints that are evaluated at once: one call an evaluation, by the thread that has begun it, and the same numbers as joints that
// are evaluated one by one.
#include <catena/assembly/multibody_system.hpp>
#include <catena/assembly/quaternion_system.hpp>
#include <catena/math/parts/threads.hpp>
#include <catena/model/detail/joints_at_once.hpp>

#include "support/elements_at_once.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

using namespace catena;
using namespace catena::detail;

using test::largest_difference;

constexpr int joint_count = test::at_once_count;
double square(int number) { return 1.0 + 0.01 * number; }  // of the distance [m^2]

// The squared distance of two bodies; of each pair another.
struct Apart {
  static constexpr const char* type_name = "apart";
  static constexpr int rows = 1;
  std::array<BodyId, 2> bodies{};
  int number = 0;
  template <class S>
  Vec<S, 1> gap(const BodyFrame<S>& A, const BodyFrame<S>& B, const S& t) const {
    S sum = S(-square(number)) * t;
    for (int k = 0; k < 3; ++k) sum = sum + (B.x[k] - A.x[k]) * (B.x[k] - A.x[k]);
    return {{sum}};
  }
};

class ApartLaw final : public JointLawAtOnce {
 public:
  mutable std::vector<std::pair<std::size_t, int>> calls;  // how many joints each asked for, and the order
  mutable bool elsewhere = false;                          // by another thread
  int broken = -1;                                         // the joint that throws

  NumbersOfRows rows(const ElementsOfLaw& joints, int order) const override {
    elsewhere = elsewhere || std::this_thread::get_id() != home_;
    calls.emplace_back(joints.count, order);
    NumbersOfRows out;
    const int size = order == 0 ? 1 : order == 1 ? 14 : numbers_of_row(Level::position);
    for (int place = 0; place < size; ++place) out.places.push_back(place);
    for (std::size_t k = 0; k < joints.count; ++k) {
      if (joints.number[k] == broken) throw std::runtime_error("no such luck");
      const BodyFrame<double>&A = joints.frames[2 * k], &B = joints.frames[2 * k + 1];
      GapDual gap = GapDual::variable(joints.t, 12) * -square(joints.number[k]);
      for (int i = 0; i < 3; ++i) {
        const GapDual d = GapDual::variable(B.x[i], 6 + i) - GapDual::variable(A.x[i], i);
        gap = gap + d * d;
      }
      out.numbers.push_back(gap.value);
      if (order > 0) out.numbers.insert(out.numbers.end(), std::begin(gap.d), std::end(gap.d));
      if (order > 1) out.numbers.insert(out.numbers.end(), std::begin(gap.h), std::end(gap.h));
    }
    return out;
  }

 private:
  std::thread::id home_ = std::this_thread::get_id();
};

struct ApartAtOnce : JointAtOnce {
  static constexpr const char* type_name = "apart";
};

Model chain_of_joints(const std::shared_ptr<const ApartLaw>& law) {
  return test::chain_with_pairs<Apart, ApartAtOnce>(law);
}

struct Evaluated {
  std::vector<double> balance, position, velocity, acceleration, H, C;
};

// What of an evaluation is wanted.
enum class Wanted { positions, velocities, all };

Evaluated evaluated_rows(const System& system, Wanted which = Wanted::all) {
  State state = system.initial_state();
  state.t = 0.3;
  test::set_velocities(state);
  for (std::size_t k = 0; k < state.lambda.size(); ++k)
    state.lambda[k] = 1.0 + 0.01 * static_cast<double>(k % 89);
  BlockMatrix matrix(system.layout().pattern, Border::separate);
  Linearization lin;
  lin.matrix = &matrix;
  lin.mass = 1.0;
  lin.stiffness = 0.01;
  lin.position_rows.rate = 0.5;
  Evaluated out;
  out.balance.resize(state.v.size());
  for (auto* rows : {&out.position, &out.velocity, &out.acceleration}) rows->resize(state.lambda.size());
  Evaluation wanted;
  wanted.position = out.position.data();
  if (which != Wanted::positions) wanted.velocity = out.velocity.data();
  if (which == Wanted::all) {
    wanted.balance = out.balance.data();
    wanted.acceleration = out.acceleration.data();
    wanted.linearization = &lin;
  }
  Point at = point_of(state);
  at.lambda = state.lambda.data();
  system.evaluate(at, wanted);
  if (which != Wanted::all) return out;
  for (int k = 0; k < joint_count; ++k) test::append(matrix.H(k), out.H);
  for (std::size_t k = 0; k < matrix.pattern().incidences.size(); ++k)
    test::append(matrix.C(static_cast<int>(k)), out.C);
  return out;
}

}  // namespace

TEST_CASE_TEMPLATE("joints at once have the numbers of joints one by one", S, MultibodySystem,
                   QuaternionSystem) {
  const Evaluated apart = evaluated_rows(S(chain_of_joints(nullptr)));
  const Evaluated together = evaluated_rows(S(chain_of_joints(std::make_shared<ApartLaw>())));
  // Sums in another order, of numbers of some thousand.
  CHECK(largest_difference(apart.balance, together.balance) < 1e-10);
  CHECK(largest_difference(apart.position, together.position) < 1e-10);
  CHECK(largest_difference(apart.velocity, together.velocity) < 1e-10);
  CHECK(largest_difference(apart.acceleration, together.acceleration) < 1e-10);
  CHECK(largest_difference(apart.H, together.H) < 1e-10);
  const auto sorted = [](std::vector<double> x) {  // slots are in the order of groups
    std::sort(x.begin(), x.end());
    return x;
  };
  CHECK(largest_difference(sorted(apart.C), sorted(together.C)) < 1e-10);
}

TEST_CASE("joints at once are asked for once, in one thread, with the same bits for any number of threads") {
  Evaluated first;
  for (const int threads : {1, 2, 3}) {
    const ThreadScope now(threads);
    const auto law = std::make_shared<ApartLaw>();
    const MultibodySystem system(chain_of_joints(law));
    law->calls.clear();
    const Evaluated numbers = evaluated_rows(system);
    (void)evaluated_rows(system, Wanted::positions);
    (void)evaluated_rows(system, Wanted::velocities);
    using Calls = std::vector<std::pair<std::size_t, int>>;
    CHECK(law->calls == Calls{{joint_count, 2}, {joint_count, 0}, {joint_count, 1}});
    CHECK(!law->elsewhere);
    if (threads == 1) first = numbers;
    CHECK(numbers.balance == first.balance);
    CHECK(numbers.acceleration == first.acceleration);
    CHECK(numbers.H == first.H);
    CHECK(numbers.C == first.C);
  }
}

TEST_CASE("of joints at once the one that throws has its name") {
  const auto law = std::make_shared<ApartLaw>();
  const MultibodySystem system(chain_of_joints(law));
  law->broken = 417;
  CHECK_THROWS_WITH(evaluated_rows(system), "joint \"apart 417\" (apart) threw an exception: no such luck");
}
