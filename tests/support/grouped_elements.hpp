// A group of elements by hand, with State and pools of its own, for tests of kernels without assembly.
#pragma once
#include <catena/math/rotation.hpp>
#include <catena/model/detail/element_pool.hpp>
#include <catena/model/detail/kernel_args.hpp>
#include <catena/model/detail/lane_functions.hpp>
#include <catena/model/detail/stage_evaluation.hpp>

#include <random>
#include <vector>

namespace catena::support {
using namespace detail;

// `count` elements with n bodies each; element l has its own bodies l n ... l n + n - 1, so eight groups of
// slots never overlap. Inputs are random and the same for the same seed; outputs start at zero.
class GroupFixture {
 public:
  GroupFixture(int bodies, int rows, int count, unsigned seed, unsigned fixed = 0) {
    std::mt19937 engine(seed);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    const int total = bodies * 8;
    q.resize(static_cast<std::size_t>(7 * total));
    for (int b = 0; b < total; ++b) {
      double* p = &q[static_cast<std::size_t>(7 * b)];
      for (int k = 0; k < 7; ++k) p[k] = uniform(engine);
      const Quat e = normalized(Quat{p[3], p[4], p[5], p[6]});
      p[3] = e.w, p[4] = e.x, p[5] = e.y, p[6] = e.z;
    }
    for (auto* x : {&v, &a, &increment}) {
      x->resize(static_cast<std::size_t>(6 * total));
      for (double& y : *x) y = uniform(engine);
    }
    lambda.resize(static_cast<std::size_t>(8 * rows));
    for (double& y : lambda) y = uniform(engine);
    balance.assign(v.size(), 0.0);
    H.assign(static_cast<std::size_t>(36 * 8 * bodies), 0.0);
    const int pairs = bodies * (bodies - 1) / 2;
    for (auto& pool : coupling) pool.assign(static_cast<std::size_t>(36 * 8 * (pairs + 1)), 0.0);
    C.assign(static_cast<std::size_t>(6 * rows * 8 * bodies), 0.0);
    Bt = C;
    for (auto* x : {&position, &velocity, &acceleration}) x->assign(lambda.size(), 0.0);
    without_stiffness.assign(static_cast<std::size_t>(total), 0);
    without_stiffness[static_cast<std::size_t>(bodies)] = 1;  // first body of element 1

    group.count = count;
    group.fixed = fixed;
    for (int l = 0; l < 8; ++l) {
      const int e = l < count ? l : 0;
      for (int i = 0; i < bodies; ++i) {
        const int b = e * bodies + i;
        group.q_at[i][l] = 7 * b;
        group.v_at[i][l] = 6 * b;
        group.block[i][l] = b;
        group.H_at[i][l] = static_cast<std::uint32_t>(36 * 8 * i + e);
        group.C_at[i] = static_cast<std::uint32_t>(6 * rows * 8 * i);
        for (int j = i + 1; j < bodies; ++j) {
          const int pair = pair_number(i, j);
          int slot = 0;
          for (int x = 0; x < i; ++x) slot += bodies - 1 - x;
          slot += j - i - 1;
          group.pair_at[pair][l] = group.pair_transposed_at[pair][l] = 36 * 8 * slot + e;
          group.swapped[pair][l] = static_cast<std::uint8_t>(e % 2);  // lanes differ in their order
        }
      }
      group.lambda_at[l] = rows * e;
    }
    args.t = 0.3;
    args.q = args.fixed_q = q.data();
    args.v = v.data();
    args.a = a.data();
    args.lambda = lambda.data();
    args.increment = increment.data();
    args.balance = balance.data();
    args.position = position.data();
    args.velocity = velocity.data();
    args.acceleration = acceleration.data();
    args.damping = 0.7;
    args.stiffness = 1.3;
    args.row_jacobian = 0.9;
    args.row_velocity = 0.4;
    args.row_rate = 0.2;
    args.H = H.data();
    args.coupling[0] = coupling[0].data();
    args.coupling[1] = coupling[1].data();
    args.C = C.data();
    args.Bt = Bt.data();
    args.without_geometric_stiffness = without_stiffness.data();
  }
  GroupFixture(const GroupFixture&) = delete;
  GroupFixture& operator=(const GroupFixture&) = delete;

  // Lane-interleaves the parameters of elements 0, 1, ... of a pool; lanes past count repeat element 0.
  void load_parameters(const ElementPool& pool) {
    const int n = pool.plan().parameters;
    parameters.assign(static_cast<std::size_t>(8 * n), 0.0);
    std::vector<double> one(static_cast<std::size_t>(n));
    for (int l = 0; l < 8; ++l) {
      pool.parameters(l < group.count ? l : 0, one.data());
      for (int p = 0; p < n; ++p)
        parameters[static_cast<std::size_t>(8 * p + l)] = one[static_cast<std::size_t>(p)];
    }
    group.parameters = parameters.data();
  }

  // Evaluates the elements stage by stage as the assembly does; needs load_parameters.
  void evaluate_stages(const ElementPool& pool, const LaneFunctions& functions, bool scalar) {
    for (const Stage& stage : pool.plan().stages) {
      ElementGroup part = group;
      for (int i = 0; i < pool.bodies(); ++i) part.C_at[i] += static_cast<std::uint32_t>(8 * 6 * stage.row);
      for (int& at : part.lambda_at) at += stage.row;
      part.parameters = parameters.data() + 8 * stage.parameter;
      evaluate_stage(pool, stage, (scalar ? functions.scalar : functions.group)[stage.function], args, part);
    }
  }

  // Everything that a kernel writes, lanes past count left out, in one list.
  std::vector<double> outputs() const {
    std::vector<double> all;
    for (const auto* x : {&balance, &position, &velocity, &acceleration})
      all.insert(all.end(), x->begin(), x->end());
    for (const auto* x : {&H, &coupling[0], &coupling[1], &C, &Bt})
      for (std::size_t k = 0; k < x->size(); ++k)
        if (static_cast<int>(k % 8) < group.count) all.push_back((*x)[k]);
    return all;
  }

  KernelArgs args;
  ElementGroup group{};
  std::vector<double> q, v, a, increment, lambda, parameters;
  std::vector<double> balance, position, velocity, acceleration, H, coupling[2], C, Bt;
  std::vector<std::uint8_t> without_stiffness;
};

}  // namespace catena::support
