// The program of docs/howto/run_a_sweep.md. It links catena::study, without model files and command line.
// clang-format off
#include <catena/builtin/builtin.hpp>
#include <catena/study/ensemble.hpp>
#include <algorithm>
#include <cstdio>
using namespace catena;

int main() {
  Catalog catalog = builtin();
  catalog.add(Quantity{.name = "sag", .unit = "m", .frame = "world", .meaning = "the lowest centre of mass",
                       .evaluate = [](const Instant& now, double* out) {
                         *out = 0.0;
                         for (int k = 0; k < now.body_count(); ++k) *out = std::min(*out, now.body(k).position[2]);
                       }});
  std::vector<Scenario> scenarios(3, {.problem = "helix_chain", .end = 0.2, .record = "sag"});
  for (std::size_t k = 0; k < 3; ++k) scenarios[k].set("n", 5 << k);
  for (const Record& record : run_ensemble(scenarios, catalog, {.threads = 0}))
    std::printf("%2d bodies: %s, sag %.4f m\n", record.report.blocks, to_string(record.report.run.status),
                record.table.last("sag"));
}
