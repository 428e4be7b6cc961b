// Assembly and factorisation are spread over the threads of the arena.
#include <catena/assembly/multibody_system.hpp>
#include <catena/kkt/kkt_solver.hpp>
#include <catena/problems/helix_chain.hpp>

#include "support/crowd.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>
#include <thread>
#include <utility>
#include <vector>

namespace {

using namespace catena;
using catena_test::Crowd;
using Clock = std::chrono::steady_clock;

Crowd* crowd = nullptr;  // who evaluates forces, while it is asked

// No force; it takes note of the thread that asks for it.
struct Witness {
  std::array<BodyId, 1> bodies;
  template <class S>
  Vec<S, 6> wrench(const BodyFrame<S>&, const S&) const {
    if (crowd != nullptr) crowd->meet();
    return Vec<S, 6>::Zero();
  }
};

// Seconds that all other threads of this process have worked.
double seconds_of_others() {
  timespec all{}, mine{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &all);
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &mine);
  return static_cast<double>(all.tv_sec - mine.tv_sec) +
         1e-9 * static_cast<double>(all.tv_nsec - mine.tv_nsec);
}

}  // namespace

TEST_CASE("the elements of a chain of 600 are evaluated by as many threads as the arena has") {
  Model model = HelixChain({.n = 600}).model();
  for (int k = 0; k < model.body_count(); ++k) model.add(Witness{{BodyId{k}}});
  const MultibodySystem system(std::move(model));
  const State state = system.initial_state();
  std::vector<double> balance(state.v.size());
  const Point at = point_of(state);
  Evaluation wanted;
  wanted.balance = balance.data();
  for (const int count : {1, 2, 3}) {
    const ThreadScope now(count);
    Crowd here(count);
    crowd = &here;
    system.evaluate(at, wanted);
    crowd = nullptr;
    CHECK(here.count() == count);
  }
}

TEST_CASE("the factorisation of a chain of 2000 works on other threads too, with one thread on none") {
  const MultibodySystem system(HelixChain({.n = 2000}).model());
  const State state = system.initial_state();
  KktSolver kkt;
  REQUIRE(kkt.attach(system, {}).empty());
  Linearization lin;
  lin.matrix = &kkt.matrix();
  lin.mass = 1.0;
  Evaluation wanted;
  wanted.linearization = &lin;
  system.evaluate(point_of(state), wanted);
  kkt.update_proximal();
  const auto others = [&](int threads, double enough) {
    const ThreadScope now(threads);
    std::this_thread::sleep_for(std::chrono::milliseconds(50));  // those of loops before are done
    const double before = seconds_of_others();
    const Clock::time_point end = Clock::now() + std::chrono::seconds(10);
    int repetitions = 0;
    while ((seconds_of_others() - before < enough && Clock::now() < end) || repetitions < 3) {
      REQUIRE(kkt.factorize().status == Status::ok);
      ++repetitions;
    }
    return seconds_of_others() - before;
  };
  CHECK(others(2, 0.01) >= 0.01);
  // On a busy machine a thread of the loop before may be late to fall asleep.
  CHECK(std::min({others(1, -1.0), others(1, -1.0), others(1, -1.0)}) < 0.001);
}
