// One system in seven coordinates serves several threads at once.
#include <catena/assembly/quaternion_system.hpp>
#include <catena/math/parts/threads.hpp>
#include <catena/problems/helix_chain.hpp>

#include <doctest/doctest.h>

#include <thread>
#include <vector>

namespace {

using namespace catena;

QuaternionSystem helix() {
  HelixChainParameters parameters;
  parameters.n = 300;  // more than one chunk
  return QuaternionSystem(HelixChain(parameters).model());
}

// Everything that evaluate, evaluate_lagrangian and energy say at a state that differs from member to member.
struct Said {
  Said(const QuaternionSystem& system, int member) : matrix(system.layout().pattern, Border::separate) {
    State s = system.initial_state();
    for (std::size_t k = 0; k < s.q.size(); ++k) {
      s.q[k] += 1e-3 * member * static_cast<double>(k % 5);
      s.v[k] += 0.1 * member * static_cast<double>(k % 3);
    }
    for (std::size_t k = 0; k < s.lambda.size(); ++k) s.lambda[k] = static_cast<double>(k % 7) + member;
    const std::size_t n = s.v.size(), m = s.lambda.size();
    for (std::vector<double>* x : {&balance, &dq, &dv}) x->assign(n, 0.0);
    for (std::vector<double>* x : {&position, &velocity, &acceleration}) x->assign(m, 0.0);
    Linearization lin;
    lin.matrix = &matrix;
    lin.mass = 1.0;
    lin.stiffness = 0.25;
    lin.damping = 0.5;
    Evaluation wanted{balance.data(), position.data(), velocity.data(), acceleration.data(), &lin};
    system.evaluate({0.1, s.q.data(), s.v.data(), s.a.data(), s.lambda.data()}, wanted);
    LagrangianTerms terms;
    terms.dq = dq.data();
    terms.dv = dv.data();
    system.evaluate_lagrangian(0.1, s.q.data(), s.v.data(), terms);
    energy = system.energy(point_of(s)).total();
    for (int k = 0; k < matrix.pattern().primal_count(); ++k) take(std::as_const(matrix).H(k));
    for (std::size_t k = 0; k < matrix.pattern().incidences.size(); ++k)
      take(std::as_const(matrix).C(static_cast<int>(k)));
  }
  void take(const ConstBlockRef& b) {
    for (int i = 0; i < b.rows; ++i)
      for (int j = 0; j < b.cols; ++j) blocks.push_back(b(i, j));
  }
  bool operator==(const Said& other) const {
    return balance == other.balance && position == other.position && velocity == other.velocity &&
           acceleration == other.acceleration && dq == other.dq && dv == other.dv && blocks == other.blocks &&
           energy == other.energy;
  }

  BlockMatrix matrix;
  std::vector<double> balance, position, velocity, acceleration, dq, dv, blocks;
  double energy = 0.0;
};

constexpr int members = 4;

// Whether one of several that evaluate `shared` at once sees what it sees alone.
int compare(const QuaternionSystem& shared, int member) {
  const QuaternionSystem own = helix();
  const Said alone(own, member);
  bool equal = true;
  for (int k = 0; k < 10; ++k) equal = equal && Said(shared, member) == alone;
  return equal ? 1 : 0;
}

}  // namespace

TEST_CASE("four threads evaluate one system at once with the bits of one thread with a system of its own") {
  const QuaternionSystem shared = helix();
  std::vector<int> same(members, 0);
  std::vector<std::thread> threads;
  for (int member = 0; member < members; ++member)
    threads.emplace_back(
        [&shared, &same, member] { same[static_cast<std::size_t>(member)] = compare(shared, member); });
  for (std::thread& t : threads) t.join();
  CHECK(same == std::vector<int>(members, 1));

  same.assign(members, 0);
  const ThreadScope two(2);  // evaluations that wait for their chunks may begin another one meanwhile
  parallel_for(members,
               [&](int member) { same[static_cast<std::size_t>(member)] = compare(shared, member); });
  CHECK(same == std::vector<int>(members, 1));
}
