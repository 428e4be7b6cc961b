// Forces that are evaluated at once: one call an evaluation, by the thread that has begun it, and the same numbers as forces
// that are evaluated one by one.
#include <catena/assembly/multibody_system.hpp>
#include <catena/assembly/quaternion_system.hpp>
#include <catena/math/parts/threads.hpp>
#include <catena/model/detail/forces_at_once.hpp>

#include "support/elements_at_once.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <map>
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

constexpr int count = test::at_once_count;
double stiffness(int number) { return 1.0 + 0.01 * number; }  // [N/m]

// A spring between two bodies and the damping of the first; of each in another strength.
struct Pull {
  static constexpr const char* type_name = "pull";
  std::array<BodyId, 2> bodies{};
  int number = 0;
  template <class S>
  std::array<Vec<S, 6>, 2> wrench(const BodyFrame<S>& A, const BodyFrame<S>& B, const S&) const {
    std::array<Vec<S, 6>, 2> w{Vec<S, 6>::Zero(), Vec<S, 6>::Zero()};
    for (int k = 0; k < 3; ++k) {
      const S pull = S(stiffness(number)) * (B.x[k] - A.x[k]);
      w[0][k] = pull - A.v[k];
      w[1][k] = -pull;
      w[0][3 + k] = -A.omega[k];
    }
    return w;
  }
  template <class S>
  S potential(const BodyFrame<S>& A, const BodyFrame<S>& B, const S&) const {
    S sum(0.0);
    for (int k = 0; k < 3; ++k) sum = sum + (B.x[k] - A.x[k]) * (B.x[k] - A.x[k]);
    return S(0.5 * stiffness(number)) * sum;
  }
};

class PullLaw final : public LawAtOnce {
 public:
  mutable std::vector<std::size_t> calls;  // how many forces each of them asked for
  mutable bool elsewhere = false;          // by another thread
  int broken = -1;                         // the force that throws

  void wrenches(const ElementsOfLaw& rows, Vec<double, 6>* w) const override {
    note(rows);
    for (std::size_t k = 0; k < rows.count; ++k) {
      if (rows.number[k] == broken) throw std::runtime_error("no such luck");
      const auto both = at(rows, k).wrench(rows.frames[2 * k], rows.frames[2 * k + 1], rows.t);
      std::copy(both.begin(), both.end(), w + 2 * k);
    }
  }
  void derivatives(const ElementsOfLaw& rows, Mat<double, 6, 6>* K, Mat<double, 6, 6>* D) const override {
    note(rows);
    for (std::size_t k = 0; k < rows.count; ++k) {
      const Pull pull = at(rows, k);
      force_kernel(pull).derivatives(rows.frames + 2 * k, rows.t, K + 4 * k, D + 4 * k);
    }
  }
  bool has_potential() const override { return true; }
  void potentials(const ElementsOfLaw& rows, double* energy) const override {
    note(rows);
    for (std::size_t k = 0; k < rows.count; ++k)
      energy[k] = at(rows, k).potential(rows.frames[2 * k], rows.frames[2 * k + 1], rows.t);
  }

 private:
  static Pull at(const ElementsOfLaw& rows, std::size_t k) { return {{}, rows.number[k]}; }
  void note(const ElementsOfLaw& rows) const {
    elsewhere = elsewhere || std::this_thread::get_id() != home_;
    calls.push_back(rows.count);
  }
  std::thread::id home_ = std::this_thread::get_id();
};

struct PullAtOnce : ForceAtOnce<2> {
  static constexpr const char* type_name = "pull";
};

Model chain_with(const std::shared_ptr<const PullLaw>& law) {
  return test::chain_with_pairs<Pull, PullAtOnce>(law);
}

struct Numbers {
  std::vector<double> balance, H, coupling;
  double energy = 0.0;
};

Numbers evaluated(const System& system) {
  State state = system.initial_state();
  test::set_velocities(state);
  BlockMatrix matrix(system.layout().pattern, Border::separate);
  Linearization lin;
  lin.matrix = &matrix;
  lin.mass = 1.0;
  lin.damping = 0.1;
  lin.stiffness = 0.01;
  Numbers out;
  out.balance.resize(state.v.size());
  Evaluation wanted;
  wanted.balance = out.balance.data();
  wanted.linearization = &lin;
  system.evaluate(point_of(state), wanted);
  for (int k = 0; k < count; ++k) test::append(matrix.H(k), out.H);
  // Couplings are numbered in the order in which elements are grouped.
  std::map<std::pair<int, int>, int> couplings;
  for (const auto& coupling : matrix.pattern().couplings)
    couplings.emplace(std::pair{coupling.i, coupling.j}, static_cast<int>(couplings.size()));
  for (const auto& coupling : couplings) {
    test::append(matrix.H_upper(coupling.second), out.coupling);
    test::append(matrix.H_lower(coupling.second), out.coupling);
  }
  out.energy = system.energy(point_of(state)).potential;
  return out;
}

}  // namespace

TEST_CASE_TEMPLATE("forces at once have the numbers of forces one by one", S, MultibodySystem,
                   QuaternionSystem) {
  const Numbers apart = evaluated(S(chain_with(nullptr)));
  const Numbers together = evaluated(S(chain_with(std::make_shared<PullLaw>())));
  // Sums in another order, of numbers of some hundred.
  CHECK(largest_difference(apart.balance, together.balance) < 1e-11);
  CHECK(largest_difference(apart.H, together.H) < 1e-11);
  CHECK(largest_difference(apart.coupling, together.coupling) < 1e-11);
  CHECK(together.energy == doctest::Approx(apart.energy).epsilon(1e-13));
}

TEST_CASE("forces at once are asked for once, in one thread, with the same bits for any number of threads") {
  Numbers first;
  for (const int threads : {1, 2, 3}) {
    const ThreadScope now(threads);
    const auto law = std::make_shared<PullLaw>();
    const MultibodySystem system(chain_with(law));
    law->calls.clear();
    const Numbers numbers = evaluated(system);
    CHECK(law->calls == std::vector<std::size_t>{count, count, count});  // wrenches, derivatives, potentials
    CHECK(!law->elsewhere);
    if (threads == 1) first = numbers;
    CHECK(numbers.balance == first.balance);
    CHECK(numbers.H == first.H);
    CHECK(numbers.coupling == first.coupling);
    CHECK(numbers.energy == first.energy);
  }
}

TEST_CASE("of forces at once the one that throws has its name") {
  const auto law = std::make_shared<PullLaw>();
  const MultibodySystem system(chain_with(law));
  law->broken = 417;
  CHECK_THROWS_WITH(evaluated(system), "force \"pull 417\" (pull) threw an exception: no such luck");
}
