// The same bits for any number of threads and for every instruction set with fused multiply-add.
#include <catena/math/parts/cpu.hpp>
#include <catena/math/parts/threads.hpp>
#include <catena/sparse/detail/block_ldl.hpp>

#include "support/few_cases.hpp"
#include "support/kkt_matrices.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

using namespace catena;
using namespace catena::detail;
using namespace catena::test;

namespace {

std::vector<double> solution(const KktProblem& p, Factorization factorization) {
  BlockLdl solver;
  REQUIRE(solver.analyze(p.pattern, p.matrix.border(), {.factorization = factorization}).empty());
  std::vector<double> x = kkt_rhs(p);
  const FactorReport report = solver.factorize(p.matrix);
  solver.solve(x.data());
  x.push_back(report.weakest_dual_ratio);
  x.push_back(report.weakest_dual);
  return x;
}

std::vector<KktProblem> problems(bool large = !catena_test::few_cases) {
  std::vector<KktProblem> all;
  all.push_back(chain_kkt(1500));
  // Outgrow the caches: factors are stored past them, of chains with AVX-512 alone.
  if (large) all.push_back(chain_kkt(20001));
  if (large) all.push_back(turning_chain_kkt(9001));
  all.push_back(turning_chain_kkt(1500));
  all.push_back(turning_chain_kkt(300, KktJointKind::universal));
  all.push_back(skewed_kkt(chain_kkt(700)));
  all.push_back(skewed_kkt(dense_chain_kkt(300)));
  all.push_back(star_kkt(300));
  all.push_back(net_kkt(14));
  all.push_back(random_kkt(200));
  return all;
}

std::vector<Factorization> kinds(const KktProblem& p) {
  if (p.matrix.border() == Border::separate) return {Factorization::ldu};
  return {Factorization::ldlt, Factorization::ldu};
}

// FNV-1a over the bits of every solution.
std::uint64_t hash_of_solutions() {
  std::uint64_t hash = 14695981039346656037ULL;
  for (const KktProblem& p : problems())
    for (const Factorization f : kinds(p))
      for (const double v : solution(p, f)) {
        std::uint64_t bits;
        std::memcpy(&bits, &v, sizeof bits);
        for (int k = 0; k < 8; ++k) hash = (hash ^ ((bits >> (8 * k)) & 0xFF)) * 1099511628211ULL;
      }
  return hash;
}

}  // namespace

TEST_CASE("the same bits for 1, 2 and 4 threads") {
  for (const KktProblem& p : problems(true))
    for (const Factorization f : kinds(p)) {
      if (catena_test::few_cases && p.bodies > 9000 && f == Factorization::ldu) continue;
      const std::vector<double> one = solution(p, f);
      for (const int count : {2, 4}) {
        const ThreadScope scope(count);
        const std::vector<double> more = solution(p, f);
        CHECK(std::memcmp(one.data(), more.data(), one.size() * sizeof(double)) == 0);
      }
    }
}

TEST_CASE("the same bits in one pass and in two") {
  for (const KktProblem& p : problems())
    for (const Factorization f : kinds(p)) {
      const std::vector<double> two = solution(p, f);
      BlockLdl solver;
      REQUIRE(solver.analyze(p.pattern, p.matrix.border(), {.factorization = f}).empty());
      std::vector<double> one = kkt_rhs(p);
      REQUIRE(solver.factorize_and_solve(p.matrix, one.data()).status == FactorStatus::ok);
      CHECK(std::memcmp(one.data(), two.data(), one.size() * sizeof(double)) == 0);
      std::vector<double> again = kkt_rhs(p);
      solver.solve(again.data());
      CHECK(std::memcmp(again.data(), two.data(), again.size() * sizeof(double)) == 0);
    }
}

TEST_CASE("hash of solutions as a program of its own") {
  const char* out = std::getenv("CATENA_TEST_HASH_FILE");
  if (out == nullptr) return;
  std::FILE* file = std::fopen(out, "w");
  REQUIRE(file != nullptr);
  std::fprintf(file, "%016llx", static_cast<unsigned long long>(hash_of_solutions()));
  std::fclose(file);
}

TEST_CASE("the same bits for AVX2 and AVX-512") {
  if (instruction_set() < 2) return;
  char program[4096] = {};
  REQUIRE(readlink("/proc/self/exe", program, sizeof program - 1) > 0);
  const std::string file = "block_ldl_hash." + std::to_string(getpid());
  const std::string command = "CATENA_ISA_MAX=1 CATENA_TEST_HASH_FILE=" + file + " '" + program +
                              "' --test-case='hash of solutions as a program of its own' > /dev/null";
  REQUIRE(std::system(command.c_str()) == 0);
  char text[17] = {};
  std::FILE* in = std::fopen(file.c_str(), "r");
  REQUIRE(in != nullptr);
  CHECK(std::fread(text, 1, 16, in) == 16);
  std::fclose(in);
  std::remove(file.c_str());
  char ours[17];
  std::snprintf(ours, sizeof ours, "%016llx", static_cast<unsigned long long>(hash_of_solutions()));
  CHECK(std::string(text) == std::string(ours));
}
