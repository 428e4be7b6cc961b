// A trajectory carries the same bits for any number of threads, for AVX2 and AVX-512, and for lanes and scalars.
#include <catena/assembly/multibody_system.hpp>
#include <catena/math/parts/cpu.hpp>
#include <catena/math/parts/threads.hpp>
#include <catena/problems/helix_chain.hpp>
#include <catena/solvers/generalized_alpha.hpp>

#include "support/few_cases.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace {

using namespace catena;
using namespace catena::detail;

// FNV-1a over the bits of everything that a state holds.
std::uint64_t hash(const State& s) {
  std::uint64_t h = 14695981039346656037ULL;
  const auto take = [&h](const double* x, std::size_t count) {
    for (std::size_t k = 0; k < count; ++k) {
      std::uint64_t bits;
      std::memcpy(&bits, x + k, sizeof bits);
      for (int i = 0; i < 8; ++i) h = (h ^ (bits >> (8 * i) & 255)) * 1099511628211ULL;
    }
  };
  take(&s.t, 1);
  for (const auto* part : {&s.q, &s.v, &s.a, &s.lambda, &s.memory}) take(part->data(), part->size());
  return h;
}

// Of the helix chain of 600, more than two chunks of assembly and more than one subtree of the factorisation,
// over 20 steps, fewer under sanitizers; hashed after each of them.
enum class Kernels { chosen, scalar, avx2, avx512 };
std::vector<std::uint64_t> trajectory(ChainJoint joint, const GeneralizedAlphaOptions& options = {},
                                      Kernels kernels = Kernels::chosen) {
  HelixChainParameters p;
  p.n = 600;
  p.joint = joint;
  MultibodySystem system(HelixChain(p).model());
  if (kernels == Kernels::scalar) system.use_kernels(instruction_set(), true);
  if (kernels == Kernels::avx2) system.use_kernels(1, false);
  if (kernels == Kernels::avx512) system.use_kernels(2, false);
  GeneralizedAlpha stepper(options);
  State state = system.initial_state();
  REQUIRE(stepper.attach(system).status == Status::ok);
  REQUIRE(stepper.start(state, 1e-3).status == Status::ok);
  std::vector<std::uint64_t> hashes{hash(state)};
  for (int k = 0; k < (catena_test::few_cases ? 5 : 20); ++k) {
    REQUIRE(stepper.step(state, 1e-3).status == Status::ok);
    hashes.push_back(hash(state));
  }
  return hashes;
}

std::string hash_of_other_process(const std::string& isa) {
  std::array<char, 4096> self{};
  REQUIRE(readlink("/proc/self/exe", self.data(), self.size() - 1) > 0);
  const std::string command =
      "CATENA_ISA_MAX=" + isa + " '" + self.data() +
      "' --no-skip --test-case='print the hash of a trajectory' --no-version -s=false";
  std::FILE* out = popen(command.c_str(), "r");
  REQUIRE(out != nullptr);
  std::string found;
  std::array<char, 512> line{};
  while (std::fgets(line.data(), static_cast<int>(line.size()), out) != nullptr)
    if (std::strncmp(line.data(), "trajectory ", 11) == 0) found = line.data();
  pclose(out);
  return found;
}

}  // namespace

TEST_CASE("helix chain of 600: the same bits for 1, 2 and 4 threads") {
  for (const ChainJoint joint : {ChainJoint::spherical, ChainJoint::revolute})
    for (const auto newton :
         {GeneralizedAlphaOptions::Newton::quasi, GeneralizedAlphaOptions::Newton::exact}) {
      GeneralizedAlphaOptions options;
      options.newton = newton;
      const auto on = [&](int threads) {
        const ThreadScope scope(threads);
        return trajectory(joint, options);
      };
      const auto one = on(1), two = on(2), four = on(4);
      CHECK(one == two);
      CHECK(one == four);
    }
}

TEST_CASE("helix chain of 600: lanes and scalars carry the same bits where there is fused multiply-add") {
  if (instruction_set() < 1) return;
  for (const ChainJoint joint : {ChainJoint::spherical, ChainJoint::revolute})
    CHECK(trajectory(joint) == trajectory(joint, {}, Kernels::scalar));
}

TEST_CASE("helix chain of 600: assembly with AVX2 and with AVX-512 carries the same bits") {
  if (instruction_set() < 2) return;
  for (const ChainJoint joint : {ChainJoint::spherical, ChainJoint::revolute})
    CHECK(trajectory(joint, {}, Kernels::avx2) == trajectory(joint, {}, Kernels::avx512));
}

TEST_CASE("print the hash of a trajectory" * doctest::skip()) {
  std::uint64_t all = 0;
  for (const ChainJoint joint : {ChainJoint::spherical, ChainJoint::revolute})
    for (const std::uint64_t h : trajectory(joint)) all = all * 31 + h;
  std::printf("\ntrajectory %016llx\n", static_cast<unsigned long long>(all));
}

TEST_CASE(
    "helix chain of 600: processes with AVX2 and with AVX-512 carry the same bits, factorisation included") {
  if (instruction_set() < 2) return;
  const std::string avx2 = hash_of_other_process("1"), avx512 = hash_of_other_process("2");
  CHECK(!avx2.empty());
  CHECK(avx2 == avx512);
}
