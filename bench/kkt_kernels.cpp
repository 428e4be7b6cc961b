// The parts of the KKT layer one by one (Google Benchmark). The argument is the number of bodies; times are
// for a whole pass, `items_per_second` counts bodies.
#include <catena/math/rotation.hpp>
#include <catena/sparse/detail/block_ldl.hpp>
#include <catena/sparse/detail/csc_map.hpp>
#include <catena/sparse/detail/ordering.hpp>
#include <catena/sparse/detail/refinement.hpp>

#include "../tests/support/kkt_matrices.hpp"

#include <benchmark/benchmark.h>

#include <vector>

namespace {

using namespace catena;
using namespace catena::detail;

void per_body(benchmark::State& state) { state.SetItemsProcessed(state.iterations() * state.range(0)); }

void exponential_and_tangents(benchmark::State& state) {
  test::Random random(1);
  std::vector<Vec3> theta(static_cast<std::size_t>(state.range(0)));
  for (Vec3& t : theta) t = random.vector(0.1);
  for (auto _ : state)
    for (const Vec3& t : theta) {
      benchmark::DoNotOptimize(exponential(t));
      benchmark::DoNotOptimize(tangent(t));
      benchmark::DoNotOptimize(inverse_tangent(t));
    }
  per_body(state);
}
BENCHMARK(exponential_and_tangents)->Arg(1000);

void choose_order(benchmark::State& state) {
  const test::KktProblem p = test::ladder_kkt(static_cast<int>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(choose_ordering(*p.pattern));
  per_body(state);
}
BENCHMARK(choose_order)->Arg(1000)->Unit(benchmark::kMillisecond);

template <Factorization kind>
void factorize(benchmark::State& state) {
  const test::KktProblem p = test::chain_kkt(static_cast<int>(state.range(0)));
  BlockLdl solver;
  solver.analyze(p.pattern, Border::transposed, {.factorization = kind});
  for (auto _ : state) benchmark::DoNotOptimize(solver.factorize(p.matrix));
  per_body(state);
}
BENCHMARK(factorize<Factorization::ldlt>)->Arg(100)->Arg(1000)->Arg(100000);
BENCHMARK(factorize<Factorization::ldu>)->Arg(1000);

void solve(benchmark::State& state) {
  const test::KktProblem p = test::chain_kkt(static_cast<int>(state.range(0)));
  BlockLdl solver;
  solver.analyze(p.pattern, Border::transposed, {});
  solver.factorize(p.matrix);
  const std::vector<double> b = test::kkt_rhs(p);
  std::vector<double> x(b.size());
  for (auto _ : state) {
    std::copy(b.begin(), b.end(), x.begin());
    solver.solve(x.data());
    benchmark::ClobberMemory();
  }
  per_body(state);
}
BENCHMARK(solve)->Arg(100)->Arg(1000)->Arg(100000);

void multiply(benchmark::State& state) {
  const test::KktProblem p = test::chain_kkt(static_cast<int>(state.range(0)));
  const std::vector<double> x = test::kkt_solution(p);
  std::vector<double> y(x.size());
  for (auto _ : state) {
    p.matrix.multiply(x.data(), y.data());
    benchmark::ClobberMemory();
  }
  per_body(state);
}
BENCHMARK(multiply)->Arg(1000);

void measure_backward_error(benchmark::State& state) {
  const test::KktProblem p = test::chain_kkt(static_cast<int>(state.range(0)));
  const std::vector<double> x = test::kkt_solution(p), b = test::kkt_rhs(p);
  RefinementWorkspace work(*p.pattern);
  for (auto _ : state) benchmark::DoNotOptimize(backward_error(p.matrix, b.data(), x.data(), work));
  per_body(state);
}
BENCHMARK(measure_backward_error)->Arg(1000);

void fill_compressed_columns(benchmark::State& state) {
  const test::KktProblem p = test::chain_kkt(static_cast<int>(state.range(0)));
  const CscMap map(*p.pattern);
  std::vector<double> values(static_cast<std::size_t>(map.nonzeros()));
  for (auto _ : state) {
    map.fill(p.matrix, values.data(), false);
    benchmark::ClobberMemory();
  }
  per_body(state);
}
BENCHMARK(fill_compressed_columns)->Arg(1000);

}  // namespace

BENCHMARK_MAIN();
