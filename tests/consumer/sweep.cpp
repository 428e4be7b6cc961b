// The program of docs/howto/run_a_sweep.md. It links catena::builtin, without model files and command line.
// clang-format off
#include <catena/builtin/builtin.hpp>
#include <catena/experiment/experiment.hpp>
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
  for (const int n : {5, 10, 20}) {
    Scenario scenario{.problem = "helix_chain", .end = 0.2, .record = "sag,energy"};
    const Record record = run(scenario.set("n", n), catalog);
    std::printf("%2d links: %s, sag %.4f m\n", n, to_string(record.report.run.status), record.table.last("sag"));
  }
}
