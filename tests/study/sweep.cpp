// Sweeps on disk: continued, shared by processes, killed, out of time, and what the table says of them.
#include <catena/builtin/builtin.hpp>
#include <catena/driver/sink.hpp>
#include <catena/experiment/experiment.hpp>
#include <catena/experiment/parts/usage_error.hpp>
#include <catena/io/parts/yaml_models.hpp>
#include <catena/measure/parts/instant.hpp>
#include <catena/study/detail/rank_rows.hpp>
#include <catena/study/detail/row_store.hpp>
#include <catena/study/detail/sweep_identity.hpp>
#include <catena/study/sweep.hpp>

#include "support/process.hpp"
#include "support/temporary_folder.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <new>
#include <optional>
#include <random>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using namespace catena;
using catena_test::TemporaryFolder;

namespace {

namespace fs = std::filesystem;

const Catalog& sweep_catalog() {
  static const Catalog catalog = builtin();
  return catalog;
}

SweepRows chain_rows(const std::string& n = "n=2,3,4", double end = 0.01) {
  Sweep sweep{.base = {.problem = "helix_chain", .step = 1e-3, .end = end}};
  sweep.axes = {axis_from_text(n), axis_from_text("option.rho_inf=0.8,0.9")};
  sweep.keep = {reduction_from_text("max energy/kinetic"), reduction_from_text("end energy/potential")};
  return SweepRows(sweep);
}

std::string csv_of(SweepTable& table, bool times = false) {
  std::ostringstream out;
  table.write_csv(out, times);
  return out.str();
}

std::string csv_of(const fs::path& file) {
  SweepTable table(file);
  return csv_of(table);
}

// The table of a sweep in memory, without times.
std::string whole_csv(const SweepRows& rows, int threads = 1) {
  std::string csv;
  run_sweep(rows, sweep_catalog(),
            {.threads = threads, .table = [&](SweepTable& table) { csv = csv_of(table); }});
  return csv;
}

std::string refusal_of(const SweepRows& rows, const SweepOptions& options) {
  try {
    run_sweep(rows, sweep_catalog(), options);
  } catch (const UsageError& error) {
    return error.what();
  } catch (const SinkError& error) {
    return error.what();
  }
  return "none";
}

// A problem for which two bodies are too many to be made, and three too many to be measured, while memory is short.
struct Hungry : Problem {
  static inline bool memory_is_short = true;
  int n = 1;
  std::string summary() const override { return "bodies at rest"; }
  void visit(OptionVisitor& v) override { v.integer({"n", "", "of bodies", 1, 3}, n); }
  Model model() const override {
    if (memory_is_short && n == 2) throw std::bad_alloc();
    Model m;
    for (int k = 0; k < n; ++k) m.add(Body{.name = std::to_string(k)});
    return m;
  }
  ProblemDefaults defaults() const override { return {"generalized_alpha", 0.1, 0.1}; }
};

Catalog hungry_catalog() {
  Catalog catalog = builtin();
  catalog.add<Hungry>("hungry");
  catalog.add(Quantity{.name = "bodies/count",
                       .unit = "1",
                       .meaning = "of the model",
                       .standard = false,
                       .evaluate = [](const Instant& at, double* out) {
                         if (Hungry::memory_is_short && at.body_count() == 3) throw std::bad_alloc();
                         *out = at.body_count();
                       }});
  return catalog;
}

}  // namespace

TEST_CASE("rows that a machine has no memory for are no mistakes: the same command runs them again") {
  const TemporaryFolder folder;
  const Catalog catalog = hungry_catalog();
  Sweep sweep{.base = {.problem = "hungry"}};
  sweep.axes = {axis_from_text("n=1,2,3")};
  sweep.keep = {reduction_from_text("end bodies/count")};
  const SweepRows rows(sweep);
  SweepOptions options{.folder = folder.path() / "out"};
  std::vector<std::string> failures;
  options.table = [&](SweepTable& table) { failures = table.failures(10); };
  Hungry::memory_is_short = true;
  const SweepCounts first = run_sweep(rows, catalog, options);
  CHECK(first.ok == 1);
  CHECK(first.failed == 2);
  CHECK(
      failures ==
      std::vector<std::string>{
          "row 1 (n = 2): out_of_memory: not enough memory: the same command runs the row again",
          "row 2 (n = 3): out_of_memory: quantity \"bodies/count\": not enough memory: the same command runs "
          "the row again"});
  Hungry::memory_is_short = false;
  const SweepCounts again = run_sweep(rows, catalog, options);
  CHECK(again.done_before == 1);
  CHECK(again.ok == 3);
  CHECK(failures.empty());
}

TEST_CASE("a first row that a machine has no memory for makes no other sweep of it") {
  const Catalog catalog = hungry_catalog();
  const TemporaryFolder folder;
  Sweep sweep{.base = {.problem = "hungry"}};
  sweep.axes = {axis_from_text("n=2,1")};
  const SweepRows rows(sweep);
  Hungry::memory_is_short = true;
  const SweepOptions options{.folder = folder.path() / "out"};
  CHECK(run_sweep(rows, catalog, options).ok == 1);
  Hungry::memory_is_short = false;
  CHECK(run_sweep(rows, catalog, options).ok == 2);
}

TEST_CASE("a row of a sweep has the numbers of its scenario, whatever the number of threads") {
  const SweepRows rows = chain_rows();
  const SweepTable* seen = nullptr;
  std::string csv;
  const SweepCounts counts =
      run_sweep(rows, sweep_catalog(), {.table = [&](SweepTable& table) {
                  seen = &table;
                  csv = csv_of(table);
                  CHECK(table.rows() == 6);
                  CHECK(table.planned() == 6);
                  CHECK(table.keys() == std::vector<std::string>{"n", "option.rho_inf"});
                }});
  CHECK(seen != nullptr);
  CHECK(counts.rows == 6);
  CHECK(counts.ok == 6);
  CHECK(counts.failed == 0);
  CHECK(!counts.interrupted);
  CHECK(!counts.out_of_time);
  Scenario scenario = rows.scenario(3);
  CHECK(scenario.record == "energy/kinetic,energy/potential");
  const Record record = run(scenario, sweep_catalog());
  const std::vector<double> kinetic = record.table.column("energy/kinetic");
  std::ostringstream expected;
  expected << "3,3,0.9,ok,";
  CHECK(csv.find(expected.str()) != std::string::npos);
  CHECK(csv.find(record.key) != std::string::npos);
  CHECK(csv.find(fmt::format(",{},", *std::max_element(kinetic.begin(), kinetic.end()))) !=
        std::string::npos);
  CHECK(csv.find(fmt::format(",{},", record.table.last("energy/potential"))) != std::string::npos);
  CHECK(csv.starts_with(
      "row,n,option.rho_inf,status,verdict,culprit,error,t [s],steps,end energy/potential [J],"
      "max energy/kinetic [J],peaks/"));
  CHECK(whole_csv(rows, 3) == csv);
}

TEST_CASE("without what is kept, the last value of all that is measured is") {
  Sweep sweep{.base = {.problem = "helix_chain", .step = 1e-3, .end = 0.01, .record = "energy/kinetic"}};
  sweep.axes = {axis_from_text("n=2,3")};
  const Record record = run(SweepRows(sweep).scenario(1), sweep_catalog());
  const std::string csv = whole_csv(SweepRows(sweep));
  CHECK(csv.find(",end energy/kinetic [J],") != std::string::npos);
  CHECK(csv.find(fmt::format(",{},", record.table.last("energy/kinetic"))) != std::string::npos);
}

TEST_CASE("failed and senseless rows are rows, and leave the others alone") {
  const SweepRows rows = chain_rows("n=0,3");  // no chain has 0 links
  std::string csv;
  SweepSummary summary;
  const SweepCounts counts = run_sweep(rows, sweep_catalog(), {.table = [&](SweepTable& table) {
                                         csv = csv_of(table);
                                         summary = table.summary();
                                       }});
  CHECK(counts.ok == 2);
  CHECK(counts.failed == 2);
  CHECK(csv.find("0,0,0.8,refused,,,") != std::string::npos);
  CHECK(csv.find("out of range") != std::string::npos);
  REQUIRE(summary.groups.size() == 5);
  CHECK(summary.groups[0].name == "all rows");
  CHECK(summary.groups[0].rows == 4);
  CHECK(summary.groups[0].failed == 2);
  CHECK(summary.groups[0].spreads[0].count == 2);
  CHECK(summary.groups[1].name == "n = 0");
  CHECK(summary.groups[1].failed == 2);
  CHECK(summary.groups[3].name == "option.rho_inf = 0.8");
  CHECK(summary.groups[3].failed == 1);
}

TEST_CASE("what is wrong with all rows is a mistake of the request") {
  Sweep sweep{.base = {.problem = "helix_chain", .end = 0.01}};
  sweep.axes = {axis_from_text("links=2,3")};
  CHECK(refusal_of(SweepRows(sweep), {}).find("\"links\"") != std::string::npos);
  const char* const advice = "\nrho_inf is an option of the stepper: --vary option.rho_inf=...";
  CHECK(refusal_of(SweepRows(sweep), {}).find(advice) == std::string::npos);
  sweep.axes = {axis_from_text("rho_inf=0.5,0.9"), axis_from_text("n=2,3")};
  CHECK(refusal_of(SweepRows(sweep), {}).ends_with(advice));
  sweep.axes = {axis_from_text("n=2,3")};
  sweep.keep = {reduction_from_text("max energy/kinetik")};
  CHECK(refusal_of(SweepRows(sweep), {}).find("\"energy/kinetik\": did you mean \"energy/kinetic\"?") !=
        std::string::npos);
  sweep.base.record = "energy";
  CHECK(refusal_of(SweepRows(sweep), {}) ==
        "max energy/kinetik: the table has no column \"energy/kinetik\": did you mean \"energy/kinetic\"?");
  CHECK(refusal_of(chain_rows(), {.shard = 3, .shards = 2}) == "shard 3/2: the first is 1/2, the last 2/2");
  CHECK(refusal_of(chain_rows(), {.retry = {"faild"}}) ==
        "--retry faild: no status \"faild\": did you mean \"failed\"?");
}

TEST_CASE("an instant behind the end of a row is no number of it") {
  Sweep sweep{.base = {.problem = "helix_chain", .step = 1e-3, .end = 0.01}};
  sweep.axes = {axis_from_text("n=2,3")};
  sweep.keep = reductions_from_text("at=0.01,0.5 energy/kinetic");
  CHECK(refusal_of(SweepRows(sweep), {}) ==
        "--keep at=0.5 energy/kinetic: the run ends at t = 0.01 s, before that instant");
  sweep.base.end.reset();
  sweep.axes = {axis_from_text("end=0.01,0.03")};
  sweep.keep = reductions_from_text("at=0.01,0.03 energy/kinetic");
  std::string csv;
  const SweepCounts counts = run_sweep(SweepRows(sweep), sweep_catalog(),
                                       {.table = [&](SweepTable& table) { csv = csv_of(table); }});
  CHECK(counts.ok == 1);
  CHECK(counts.failed == 1);
  CHECK(csv.find("\n0,0.01,refused,") != std::string::npos);
  CHECK(csv.find("--keep at=0.03 energy/kinetic: the run ends at t = 0.01 s, before that instant") !=
        std::string::npos);
  CHECK(csv.find("\n1,0.03,ok,") != std::string::npos);
}

TEST_CASE("a name that no row has is a mistake of the request, one that some have is theirs") {
  Sweep sweep{.base = {.problem = "helix_chain", .step = 1e-3, .end = 0.01}};
  sweep.keep = {reduction_from_text("end bodies/position x of link 9")};
  sweep.axes = {axis_from_text("n=2,3,4")};
  for (const int threads : {1, 2}) {
    const std::string why = refusal_of(SweepRows(sweep), {.threads = threads});
    CAPTURE(why);
    CHECK(why.starts_with("--record bodies/position:\"link 9\": "));
  }
  sweep.axes = {axis_from_text("n=2,10,3")};
  const SweepCounts counts = run_sweep(SweepRows(sweep), sweep_catalog(), {});
  CHECK(counts.ok == 1);
  CHECK(counts.failed == 2);
}

TEST_CASE("a summary has mean, deviation and extremes of its rows") {
  Spread spread;
  spread.add(1.0);
  CHECK(std::isnan(spread.deviation));
  spread = {};
  for (const double x : {2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0}) spread.add(x);
  CHECK(spread.count == 8);
  CHECK(spread.mean == 5.0);
  CHECK(spread.deviation == doctest::Approx(std::sqrt(32.0 / 7.0)).epsilon(1e-15));
  CHECK(spread.least == 2.0);
  CHECK(spread.largest == 9.0);
}

TEST_CASE("numbers that are counted in parts have the summary of all of them") {
  for (const bool swapped : {false, true}) {
    Spread part, rest, none;
    for (const double x : {9.0, 2.0, 4.0}) (swapped ? rest : part).add(x);
    for (const double x : {4.0, 4.0, 5.0, 5.0, 7.0}) (swapped ? part : rest).add(x);
    part.add(none);
    part.add(rest);
    none.add(part);
    for (const Spread& all : {part, none}) {
      CHECK(all.count == 8);
      CHECK(all.mean == doctest::Approx(5.0).epsilon(1e-15));
      CHECK(all.deviation == doctest::Approx(std::sqrt(32.0 / 7.0)).epsilon(1e-15));
      CHECK(all.least == 2.0);
      CHECK(all.largest == 9.0);
    }
  }
}

TEST_CASE("a finished row never runs again; --retry runs failed ones again") {
  const TemporaryFolder folder;
  const SweepRows rows = chain_rows("n=0,3");
  const SweepOptions options{.folder = folder.path() / "out"};
  CHECK(run_sweep(rows, sweep_catalog(), options).done_before == 0);
  const std::string file = (folder.path() / "out" / "rows-1-of-1.sqlite").string(), csv = csv_of(file);
  int runs = 0;
  SweepOptions again = options;
  again.progress = [&](const SweepCounts&) { ++runs; };
  SweepCounts counts = run_sweep(rows, sweep_catalog(), again);
  CHECK(counts.done_before == 4);
  CHECK(runs == 1);  // the start
  again.retry = {"failed"};
  runs = 0;
  counts = run_sweep(rows, sweep_catalog(), again);
  CHECK(counts.done_before == 2);
  CHECK(counts.failed == 2);
  CHECK(runs == 3);
  CHECK(csv_of(file) == csv);
  CHECK(!fs::exists(file + ".running"));
}

TEST_CASE("more samples continue the table with fewer, where those that there are stay") {
  const auto drawn = [](Sampling sampling, std::size_t samples, const char* beside = "") {
    Sweep sweep{.base = {.problem = "helix_chain", .step = 1e-3, .end = 0.005}};
    sweep.axes = {axis_from_text("gravity=uniform:5:10")};
    if (*beside != '\0') sweep.axes.push_back(axis_from_text(beside));
    sweep.keep = {reduction_from_text("max energy/kinetic")};
    sweep.samples = samples;
    sweep.sampling = sampling;
    return SweepRows(sweep);
  };
  for (const Sampling sampling : {Sampling::random, Sampling::sobol, Sampling::saltelli}) {
    const TemporaryFolder folder;
    const SweepRows few = drawn(sampling, 2), many = drawn(sampling, 5);
    const SweepOptions options{.folder = folder.path() / "out"};
    run_sweep(few, sweep_catalog(), options);
    const SweepCounts counts = run_sweep(many, sweep_catalog(), options);
    CHECK(counts.done_before == few.count());
    CHECK(counts.rows == many.count());
    CHECK(csv_of((folder.path() / "out" / sweep_file(1, 1)).string()) == whole_csv(many));
    CHECK(run_sweep(many, sweep_catalog(), options).done_before == many.count());
    CHECK(refusal_of(few, options).find("the number of rows is ") != std::string::npos);
  }
  for (const bool latin :
       {true, false}) {  // else combinations with the values of another axis, whose rows have others behind
    const TemporaryFolder folder;
    const Sampling sampling = latin ? Sampling::latin_hypercube : Sampling::random;
    const char* const beside = latin ? "" : "n=2,3";
    run_sweep(drawn(sampling, 2, beside), sweep_catalog(), {.folder = folder.path()});
    CHECK(refusal_of(drawn(sampling, 3, beside), {.folder = folder.path()}).find("the number of rows is ") !=
          std::string::npos);
  }
}

TEST_CASE("a folder with another sweep is refused with what differs, and so is a foreign file") {
  const TemporaryFolder folder;
  run_sweep(chain_rows(), sweep_catalog(), {.folder = folder.path()});
  const std::string name = (folder.path() / sweep_file(1, 1)).string(), tail = "; name another folder";
  CHECK(refusal_of(chain_rows("n=2,3"), {.folder = folder.path()}) ==
        name + " has the rows of another sweep: what varies is n=2,3,4 there and n=2,3 here" + tail);
  CHECK(refusal_of(chain_rows("n=2,3,4", 0.02), {.folder = folder.path()}).find("the scenario is {") !=
        std::string::npos);
  const auto differs = [&](const std::vector<std::string>& axes) {
    Sweep other = chain_rows().sweep();
    other.axes.clear();
    for (const std::string& axis : axes) other.axes.push_back(axis_from_text(axis));
    const std::string why = refusal_of(SweepRows(other), {.folder = folder.path()}),
                      head = name + " has the rows of another sweep: ";
    return why.starts_with(head) ? why.substr(head.size(), why.size() - head.size() - tail.size()) : why;
  };
  const std::string n = "n=2,3,4", rho = "option.rho_inf=0.8,0.9";
  CHECK(differs({n, rho, "gravity=9,10"}) == "what varies: only here gravity=9,10");
  CHECK(differs({n}) == "what varies: only there option.rho_inf=0.8,0.9");
  CHECK(differs({n, "gravity=9,10"}) == "what varies is option.rho_inf=0.8,0.9 there and gravity=9,10 here");
  CHECK(differs({rho, n}) ==
        "what varies is n=2,3,4; option.rho_inf=0.8,0.9 there and "
        "option.rho_inf=0.8,0.9; n=2,3,4 here, in another order");
  const TemporaryFolder foreign;
  std::ofstream(foreign.path() / sweep_file(1, 1)) << "notes, and more notes, of nobody's sweep\n";
  CHECK(refusal_of(chain_rows(), {.folder = foreign.path()}) ==
        (foreign.path() / sweep_file(1, 1)).string() + " is no table of a sweep");
  std::ofstream(foreign.path() / "file") << "x";
  CHECK(refusal_of(chain_rows(), {.folder = foreign.path() / "file"}).starts_with("cannot make "));
}

TEST_CASE("shards are joined to the table of one process, and other sweeps are refused") {
  const TemporaryFolder folder;
  const fs::path shards = folder.path() / "shards", joined = folder.path() / "all.sqlite";
  for (int k = 1; k <= 4; ++k) {
    const SweepCounts counts =
        run_sweep(chain_rows(), sweep_catalog(), {.folder = shards, .shard = k, .shards = 4});
    CHECK(counts.rows == (k <= 2 ? 2U : 1U));
  }
  collect_sweep({shards}, joined);
  CHECK(csv_of(joined) == whole_csv(chain_rows()));
  CHECK_THROWS_WITH_AS(collect_sweep({shards}, joined), (joined.string() + " is there already").c_str(),
                       SinkError);
  run_sweep(chain_rows("n=2,3"), sweep_catalog(), {.folder = folder.path() / "other"});
  const auto refusal = [&](const std::vector<fs::path>& from) -> std::string {
    try {
      collect_sweep(from, folder.path() / "none.sqlite");
    } catch (const UsageError& error) {
      return error.what();
    }
    return "none";
  };
  CHECK(refusal({shards, folder.path() / "other"})
            .ends_with("have rows of different sweeps: what varies is n=2,3,4 there and n=2,3 here"));
  CHECK(refusal({folder.path() / "nowhere"}) == "there is no " + (folder.path() / "nowhere").string());
  CHECK(refusal({folder.path()}).find("there is no table of a sweep in") == 0);
  CHECK(!fs::exists(folder.path() / "none.sqlite"));
}

TEST_CASE("what is kept over time does not depend on how long the run is") {
  // 1000 instants of 20 s are 20 ms apart, where a line is 1e-3 of the swing off.
  Sweep sweep{.base = {.problem = "simple_pendulum", .step = 1e-3}};
  sweep.axes = {axis_from_text("end=2,20")};
  for (const char* text :
       {"at=0.5055 energy/kinetic", "crossing=0 points/position x of point", "series energy/kinetic"})
    sweep.keep.push_back(reduction_from_text(text));
  const SweepRows rows(sweep);
  CHECK(rows.every_step());
  std::vector<double> at, crossing;
  std::vector<std::size_t> instants;
  run_sweep(rows, sweep_catalog(), {.table = [&](SweepTable& table) {
              std::istringstream csv(csv_of(table));
              std::string line, cell;
              std::getline(csv, line);
              const auto columns = static_cast<std::size_t>(std::count(line.begin(), line.end(), ','));
              const auto column = [&](const std::string& name) {
                const std::string before = line.substr(0, line.find(name));
                return std::count(before.begin(), before.end(), ',');
              };
              const auto at_column = column("at=0.5055"), crossing_column = column("crossing=0");
              REQUIRE(columns > 0);
              while (std::getline(csv, line)) {
                std::istringstream cells(line);
                for (long k = 0; std::getline(cells, cell, ','); ++k) {
                  if (k == at_column) at.push_back(std::stod(cell));
                  if (k == crossing_column) crossing.push_back(std::stod(cell));
                }
              }
              for (const std::size_t row : {std::size_t{0}, std::size_t{1}})
                instants.push_back(table.series(row, "time [s]").size());
            }});
  REQUIRE(at.size() == 2);
  REQUIRE(crossing.size() == 2);
  CHECK(at[0] == at[1]);
  CHECK(crossing[0] == crossing[1]);
  CHECK(instants == std::vector<std::size_t>{1001, 1001});
  const Table alone =
      run(Scenario{.problem = "simple_pendulum", .step = 1e-4, .end = 2.0, .every = 1, .record = "points"},
          sweep_catalog())
          .table;
  CHECK(crossing[0] ==
        doctest::Approx(reduced({Reduction::Kind::crossing, "points/position x of point", 0.0}, alone).value)
            .epsilon(1e-6));
  sweep.base.every = 10;
  CHECK(!SweepRows(sweep).every_step());
}

TEST_CASE(
    "of a row in several tables the one that is ok is collected, and two results of one row are refused") {
  const TemporaryFolder folder;
  const fs::path failed = folder.path() / "failed", good = folder.path() / "good";
  Sweep sweep{.base = {.problem = "helix_chain", .step = 1e-3, .end = 20.0}};
  sweep.axes = {axis_from_text("n=200,2")};
  sweep.keep = {reduction_from_text("end energy/potential")};
  const SweepRows rows(sweep);
  const SweepCounts counts = run_sweep(rows, sweep_catalog(), {.folder = failed, .row_seconds = 1e-3});
  CHECK(counts.failed == 2);
  fs::copy(failed, good, fs::copy_options::recursive);
  const auto change = [&](const fs::path& file, const std::string& sql) {
    detail::Database(file, detail::Database::Mode::owned).run(sql);
  };
  // As another machine would have it: a whole run of this size takes seconds.
  change(good / sweep_file(1, 1), "UPDATE rows SET status = 'ok', \"t [s]\" = 20 WHERE row = 1");
  for (const bool first : {true, false}) {
    SweepTable all =
        collect_sweep(first ? std::vector<fs::path>{failed, good} : std::vector<fs::path>{good, failed}, {});
    CHECK(all.rows() == 2);
    CHECK(csv_of(all).find("1,2,ok,") != std::string::npos);
  }
  const fs::path other = folder.path() / "other";
  fs::copy(good, other, fs::copy_options::recursive);
  CHECK(collect_sweep({good, other}, {}).rows() == 2);
  change(other / sweep_file(1, 1), "UPDATE rows SET \"t [s]\" = 21 WHERE row = 1");
  CHECK_THROWS_WITH_AS(
      collect_sweep({good, other}, {}),
      ("row 1 of " + (other / sweep_file(1, 1)).string() +
       " is ok in a table before it too, with another result: t [s] is 20 in the one and 21 in the "
       "other; collect one of the two")
          .c_str(),
      UsageError);
}

TEST_CASE("a table whose process has ended is one file, without a log") {
  const TemporaryFolder folder;
  run_sweep(chain_rows("n=2"), sweep_catalog(), {.folder = folder.path()});
  const std::string file = (folder.path() / sweep_file(1, 1)).string();
  for (const char* beside : {"-wal", "-shm", "-journal"}) CHECK(!fs::exists(file + beside));
  std::ifstream stream(file, std::ios::binary);
  std::string head(20, '\0');
  stream.read(head.data(), 20);
  CHECK(int{head[18]} == 1);  // of the SQLite file format: 2 says that readers need a log
  CHECK(int{head[19]} == 1);
}

TEST_CASE("shards that have seen different texts of a model file are not joined, whichever file it is") {
  const TemporaryFolder folder;
  Catalog catalog = builtin();
  catalog.add(yaml_models());
  const fs::path shards = folder.path() / "shards", b = folder.path() / "b.yaml";
  const auto write = [&](const fs::path& file, double mass) {
    std::ofstream(file) << fmt::format(
        "parameters: {{k: 100 N/m}}\n"
        "bodies:\n"
        "  - {{name: mass, mass: {}, inertia: [1, 1, 1], position: [0, 0, -1]}}\n"
        "forces:\n"
        "  - {{type: spring_damper, name: s, bodies: [ground, mass], stiffness: $k, rest_length: 1}}\n",
        mass);
  };
  const auto shard = [&](int which, const std::string& axes) {
    Sweep sweep{.base = {.problem = b.string(), .step = 1e-3, .end = 0.01}};
    std::istringstream words(axes);
    for (std::string axis; words >> axis;) sweep.axes.push_back(axis_from_text(axis));
    sweep.keep = {reduction_from_text("end energy/kinetic")};
    run_sweep(SweepRows(sweep), catalog, {.folder = shards, .shard = which, .shards = 2});
  };
  write(folder.path() / "a.yaml", 1.0);
  const std::string both = "problem=" + (folder.path() / "a.yaml").string() + "," + b.string();
  // the second file; beside other axes; the one file, where the first row is refused
  for (const std::string& axes :
       {both, "every=1,2 " + both + " bodies.mass.mass=1,2,3", std::string("k=1e9_N/m,2")}) {
    CAPTURE(axes);
    write(b, 2.0);
    shard(1, axes);
    shard(2, axes);
    CHECK(collect_sweep({shards}, {}).rows() >= 2);
    fs::remove(shards / sweep_file(2, 2));
    write(b, 3.0);
    shard(2, axes);
    std::string refusal;
    try {
      collect_sweep({shards}, {});
    } catch (const UsageError& error) {
      refusal = error.what();
    }
    CAPTURE(refusal);
    CHECK(refusal.find("have rows of different sweeps: the key of ") != std::string::npos);
    CHECK((axes == "k=1e9_N/m,2" ||
           refusal.find("the key of a row of " + b.string() + ", ") != std::string::npos));
    fs::remove_all(shards);
  }
}

TEST_CASE("rows whose data file has changed are those of another sweep") {
  const TemporaryFolder folder;
  Catalog catalog = builtin();
  catalog.add(yaml_models());
  const fs::path model = folder.path() / "pushed.yaml", table = folder.path() / "table";
  std::ofstream(model) << "bodies:\n"
                          "  - {name: mass, mass: 1, inertia: [1, 1, 1], position: [0, 0, 0]}\n"
                          "forces:\n"
                          "  - {type: varying_force, name: f, bodies: mass, force: [1, 0, 0],\n"
                          "     factor: {type: table, file: a.csv}}\n";
  const auto data = [&](const std::string& name, double force) {
    std::ofstream(folder.path() / name) << fmt::format("0,{0}\n1,{0}\n2,{0}\n", force);
  };
  data("a.csv", 1.0);
  data("b.csv", 2.0);
  Sweep sweep{.base = {.problem = model.string(), .step = 1e-3, .end = 0.01}};
  sweep.axes = {axis_from_text("forces.f.factor.file=a.csv,b.csv")};
  sweep.keep = {reduction_from_text("end energy/kinetic")};
  const SweepRows rows(sweep);
  REQUIRE(run_sweep(rows, catalog, {.folder = table}).ok == 2);
  CHECK(run_sweep(rows, catalog, {.folder = table}).done_before == 2);
  data("b.csv", 7.0);
  std::string refusal;
  try {
    run_sweep(rows, catalog, {.folder = table});
  } catch (const UsageError& error) {
    refusal = error.what();
  }
  CAPTURE(refusal);
  CHECK(refusal.find("the key of a row with forces.f.factor.file = b.csv, that is this file, is ") !=
        std::string::npos);
}

namespace {

// A model file, the file that it includes, and the table that this one names.
struct PushedFiles {
  explicit PushedFiles(const fs::path& folder) : folder_(folder) { write(1.0); }
  void write(double mass) const {
    std::ofstream(model()) << "include: part.yaml\nrun: {step: 1 ms, end: 10 ms}\n";
    std::ofstream(folder_ / "part.yaml")
        << fmt::format(
               "bodies:\n"
               "  - {{name: mass, mass: {}, inertia: [1, 1, 1], velocity: [1, 0, 0]}}\n",
               mass)
        << "forces:\n"
           "  - {type: varying_force, name: f, bodies: mass, force: [1, 0, 0],\n"
           "     factor: {type: table, file: a.csv}}\n";
    std::ofstream(folder_ / "a.csv") << fmt::format("0,{0}\n1,{0}\n2,{0}\n", 3.0 * mass);
  }
  void remove() const {
    for (const char* name : {"model.yaml", "part.yaml", "a.csv"}) fs::remove(folder_ / name);
  }
  fs::path model() const { return folder_ / "model.yaml"; }
  SweepRows rows(const fs::path& path) const {
    Sweep sweep{.base = {.problem = path.string()}};
    sweep.axes = {axis_from_text("bodies.mass.velocity.x=1,2,3,4")};
    sweep.keep = {reduction_from_text("end energy/kinetic")};
    return SweepRows(sweep);
  }

 private:
  fs::path folder_;
};

}  // namespace

TEST_CASE("a file that changes or disappears while a sweep runs changes no row of it") {
  Catalog catalog = builtin();
  catalog.add(yaml_models());
  for (const int threads : {1, 2}) {
    const TemporaryFolder folder;
    const PushedFiles files(folder.path());
    const SweepRows rows = files.rows(files.model());
    std::string unchanged;
    run_sweep(rows, catalog, {.table = [&](SweepTable& table) { unchanged = csv_of(table); }});
    for (const bool removed : {false, true}) {
      CAPTURE(removed);
      files.write(1.0);
      const fs::path table = folder.path() / (removed ? "removed" : "changed");
      const auto change = [&](const SweepCounts& counts) {
        if (counts.ok == 1) removed ? files.remove() : files.write(2.0);
      };
      CHECK(run_sweep(rows, catalog, {.folder = table, .threads = threads, .progress = change}).ok == 4);
      CHECK(csv_of(table / sweep_file(1, 1)) == unchanged);
    }
    files.write(2.0);
    std::string refusal;
    try {
      run_sweep(rows, catalog, {.folder = folder.path() / "changed"});
    } catch (const UsageError& error) {
      refusal = error.what();
    }
    CAPTURE(refusal);
    CHECK(refusal.find("the key of the first row, that is the model or its file, is ") != std::string::npos);
  }
}

TEST_CASE("a sweep continues by another path to its model file") {
  const TemporaryFolder folder;
  Catalog catalog = builtin();
  catalog.add(yaml_models());
  const PushedFiles files(folder.path());
  fs::create_directory(folder.path() / "beside");
  const fs::path table = folder.path() / "table",
                 other = folder.path() / "beside" / ".." / files.model().filename();
  CHECK(run_sweep(files.rows(files.model()), catalog, {.folder = table}).ok == 4);
  CHECK(run_sweep(files.rows(other), catalog, {.folder = table}).done_before == 4);
}

TEST_CASE("a rank that has read other model files ends the sweep") {
  class OneOther final : public detail::Ranks {
   public:
    explicit OneOther(const std::string& digest) : message_({1, "a" + digest}) {}
    int rank() const override { return 0; }
    int size() const override { return 2; }
    void send(int, const std::string&) override {}
    std::optional<Message> receive() override { return std::exchange(message_, std::nullopt); }
    void finish() override {}
    void abandon() override {}

   private:
    std::optional<Message> message_;
  };
  OneOther ranks("there");
  detail::RowDealer dealer(ranks);
  const auto no = [] { return false; };
  CHECK_THROWS_WITH_AS(
      dealer.deal({0}, {.sweep = "here", .begin = {}, .done = {}, .given_up = {}, .ended = no, .killed = no}),
      doctest::Contains("rank 1 has read other model files than the first rank"), UsageError);
}

TEST_CASE("a table that is removed while the sweep runs ends it") {
  for (const std::size_t after : {1U, 6U}) {
    const TemporaryFolder folder;
    const fs::path table = folder.path() / sweep_file(1, 1);
    const auto remove = [&](const SweepCounts& counts) {
      if (counts.ok == after) fs::remove(table);
    };
    CHECK_THROWS_WITH_AS(
        run_sweep(chain_rows(), sweep_catalog(), {.folder = folder.path(), .progress = remove}),
        (table.string() + " was removed or replaced while the sweep ran: start the sweep again").c_str(),
        SinkError);
  }
}

TEST_CASE("a table without rows is no obstacle to another sweep") {
  const TemporaryFolder folder;
  Sweep wrong{.base = {.problem = "helix_chain", .step = 1e-3, .end = 0.01}};
  wrong.axes = {axis_from_text("gravity=8,9")};
  wrong.keep = {reduction_from_text("max bodies/position w of link 1")};
  CHECK(refusal_of(SweepRows(wrong), {.folder = folder.path()})
            .find("did you mean \"bodies/position x of link 1\"") != std::string::npos);
  CHECK(run_sweep(chain_rows(), sweep_catalog(), {.folder = folder.path()}).ok == 6);
  CHECK(csv_of(folder.path() / sweep_file(1, 1)) == whole_csv(chain_rows()));
  CHECK(refusal_of(SweepRows(wrong), {.folder = folder.path()}).find(" has the rows of another sweep: ") !=
        std::string::npos);
}

TEST_CASE("a table is used through a link to its folder, and not through one to itself") {
  const TemporaryFolder folder;
  const fs::path real = folder.path() / "real", link = folder.path() / "link";
  fs::create_directory(real);
  fs::create_directory_symlink(real, link);
  CHECK(run_sweep(chain_rows(), sweep_catalog(), {.folder = link}).ok == 6);
  CHECK(fs::exists(real / sweep_file(1, 1)));
  CHECK(csv_of(link / sweep_file(1, 1)) == whole_csv(chain_rows()));
  fs::create_symlink(real / sweep_file(1, 1), folder.path() / "one.sqlite");
  CHECK(csv_of(folder.path() / "one.sqlite") == whole_csv(chain_rows()));
  const fs::path other = folder.path() / "other";
  fs::create_directory(other);
  fs::create_symlink(real / sweep_file(1, 1), other / sweep_file(1, 1));
  CHECK(refusal_of(chain_rows(), {.folder = other})
            .ends_with(": it is a link, through which no table is written"));
}

TEST_CASE("columns that a table cannot have are refused, and other rows stay") {
  Sweep sweep{.base = {.problem = "helix_chain", .step = 1e-3, .end = 0.003}};
  sweep.axes = {axis_from_text("n=2,800")};
  sweep.base.record = "bodies/position";
  for (const int threads : {1, 2}) {
    const TemporaryFolder folder;
    const SweepCounts counts =
        run_sweep(SweepRows(sweep), sweep_catalog(), {.folder = folder.path(), .threads = threads});
    CHECK(counts.ok == 1);
    CHECK(counts.failed == 1);
    const SweepTable table(folder.path() / sweep_file(1, 1));
    CHECK(table.failures(1).front().find("refused: 2") != std::string::npos);
    CHECK(table.failures(1).front().find("more than the 2000 columns of a table take") != std::string::npos);
  }
  Sweep both = sweep;
  both.axes = {axis_from_text("n=2,3"), axis_from_text("N=1,2")};
  CHECK_THROWS_WITH_AS(
      SweepRows{both},
      "--vary n and --vary N: the columns of a table know no upper case; rename one of the two", UsageError);
}

TEST_CASE("whether a row lacks what is kept does not depend on which row ends first") {
  Sweep sweep{.base = {.problem = "helix_chain", .step = 1e-3, .end = 0.01}};
  sweep.base.record = "bodies/position";
  sweep.keep = {reduction_from_text("end bodies/position x of link 15")};
  for (const char* const n : {"n=10,20", "n=20,10"}) {
    CAPTURE(n);
    sweep.axes = {axis_from_text(n)};
    const SweepCounts counts = run_sweep(SweepRows(sweep), sweep_catalog(), {});
    CHECK(counts.ok == 1);
    CHECK(counts.failed == 1);
  }
  sweep.axes = {axis_from_text("n=10,20")};
  const TemporaryFolder folder;
  CHECK(run_sweep(SweepRows(sweep), sweep_catalog(), {.folder = folder.path(), .shard = 1, .shards = 2})
            .failed == 1);
  sweep.axes = {axis_from_text("n=2,3,4")};
  CHECK(refusal_of(SweepRows(sweep), {}).starts_with("end bodies/position x of link 15: "));
}

TEST_CASE("damaged tables are refused, and series that differ are") {
  const TemporaryFolder folder;
  Sweep sweep = chain_rows().sweep();
  sweep.keep.push_back(reduction_from_text("series energy/kinetic"));
  const SweepRows rows(sweep);
  run_sweep(rows, sweep_catalog(), {.folder = folder.path() / "a"});
  const fs::path table = folder.path() / "a" / sweep_file(1, 1);
  const auto changed = [&](const std::string& name, const std::string& sql) {
    const fs::path copy = folder.path() / name;
    fs::copy_file(table, copy);
    detail::Database(copy, detail::Database::Mode::owned).run(sql);
    return copy;
  };
  const auto refusal = [&](const std::vector<fs::path>& from) -> std::string {
    try {
      collect_sweep(from, {});
    } catch (const UsageError& error) {
      return error.what();
    }
    return "none";
  };
  CHECK(refusal({table, table}) == "none");
  CHECK(refusal({table, changed("series", "UPDATE series SET numbers = x'00' WHERE row = 2")})
            .find("row 2 of ") == 0);
  CHECK(refusal({changed("beyond", "UPDATE rows SET row = 6 WHERE row = 5")})
            .ends_with(" is damaged: it has row 6, and 6 are planned, from row 0 on"));
  CHECK(refusal({changed("count", "UPDATE sweep SET value = 'many' WHERE name = 'the number of rows'")})
            .ends_with(" is damaged: the number of rows is \"many\""));
  const SweepTable shorter(
      changed("shorter", "UPDATE series SET numbers = zeroblob(8) WHERE row = 2 AND name <> 'time [s]'"));
  std::ostringstream csv;
  CHECK_THROWS_WITH_AS(shorter.write_series_csv(csv), doctest::Contains("is damaged: row 2 has "),
                       UsageError);
  CHECK_THROWS(shorter.write_hdf5(folder.path() / "shorter.h5"));
}

TEST_CASE("two processes cannot fill one table") {
  const TemporaryFolder folder;
  std::string seen;
  const auto progress = [&](const SweepCounts& counts) {
    if (counts.ok != 1) return;
    catena_test::Process other(
        [&] {
          std::ofstream(folder.path() / "log") << refusal_of(chain_rows(), {.folder = folder.path()});
          return 0;
        },
        folder.path() / "output");
    CHECK(other.end() == 0);
    seen = catena_test::file_text(folder.path() / "log");
  };
  CHECK(run_sweep(chain_rows(), sweep_catalog(), {.folder = folder.path(), .progress = progress}).ok == 6);
  CHECK(seen == "another process is writing to " + (folder.path() / sweep_file(1, 1)).string());
}

TEST_CASE("a sweep without time left ends, keeps what is finished, and continues with the rest") {
  const TemporaryFolder folder;
  const SweepRows rows = chain_rows("n=2,3", 1e5);  // hours
  const SweepCounts counts = run_sweep(rows, sweep_catalog(), {.folder = folder.path(), .seconds = 0.2});
  CHECK(counts.out_of_time);
  CHECK(counts.left() == 4);
  const SweepCounts limited =
      run_sweep(rows, sweep_catalog(), {.folder = folder.path(), .row_seconds = 0.05});
  CHECK(!limited.out_of_time);
  CHECK(limited.failed == 4);
  CHECK(csv_of(folder.path() / sweep_file(1, 1)).find(",stopped,") != std::string::npos);
  CHECK(csv_of(folder.path() / sweep_file(1, 1)).find("the row took longer than 0.05 s") !=
        std::string::npos);
}

TEST_CASE("a row that does not answer keeps no process from its end in time, and does not count as killed") {
  const TemporaryFolder folder;
  Catalog catalog = builtin();
  catalog.add(Quantity{.name = "sleeper",
                       .unit = "1",
                       .frame = "",
                       .meaning = "sleeps where there are 4 links",
                       .evaluate = [](const Instant& now, double* out) {
                         *out = now.body_count();
                         if (now.body_count() == 4) std::this_thread::sleep_for(std::chrono::minutes(10));
                       }});
  Sweep sleeping{.base = {.problem = "helix_chain", .step = 1e-3, .end = 0.01}};
  sleeping.axes = {axis_from_text("n=2,3,4")};
  sleeping.keep = {reduction_from_text("end sleeper")};
  SweepOptions options{.folder = folder.path(), .seconds = 0.5, .grace = 0.05};
  options.overdue = [](const SweepCounts& counts) {
    _exit(counts.out_of_time && counts.failed == 0 && counts.left() >= 1 ? exit_time_limit : 1);
  };
  const auto work = [&] {
    run_sweep(SweepRows(sleeping), catalog, options);
    return 0;
  };
  for (int times = 0; times < 2; ++times)
    CHECK(catena_test::Process(work, folder.path() / "log").end() == exit_time_limit);
  CHECK(run_sweep(SweepRows(sleeping), catalog, {.folder = folder.path(), .seconds = 1e-9}).crashed == 0);
}

TEST_CASE("a row that kills its process twice is crashed and skipped; all others are there") {
  const TemporaryFolder folder;
  Catalog catalog = builtin();
  catalog.add(Quantity{.name = "killer",
                       .unit = "1",
                       .frame = "",
                       .meaning = "ends the process where there are 3 links",
                       .evaluate = [](const Instant& now, double* out) {
                         *out = now.body_count();
                         if (now.body_count() == 4) raise(SIGKILL);
                       }});
  const auto sweep = [&](const std::vector<std::string>& retry) {
    return [&, retry] {
      Sweep killing{.base = {.problem = "helix_chain", .step = 1e-3, .end = 0.01}};
      killing.axes = {axis_from_text("n=2,3,4,5,6")};
      killing.keep = {reduction_from_text("end killer")};
      const SweepCounts counts =
          run_sweep(SweepRows(killing), catalog, {.folder = folder.path(), .threads = 2, .retry = retry});
      return counts.ok == 4 && counts.crashed == 1 && counts.left() == 0 ? 0 : 1;
    };
  };
  const auto end_of = [&](const std::vector<std::string>& retry) {
    return catena_test::Process(sweep(retry), folder.path() / "log").end();
  };
  CHECK(end_of({}) == catena_test::by_signal + SIGKILL);
  CHECK(end_of({}) == catena_test::by_signal + SIGKILL);
  CHECK(end_of({}) == 0);
  const std::string csv = csv_of(folder.path() / sweep_file(1, 1));
  CHECK(csv.find("2,4,crashed,,,its process was killed 2 times while it ran,") != std::string::npos);
  CHECK(end_of({"crashed"}) == catena_test::by_signal + SIGKILL);
}

TEST_CASE(
    "killed with -9 at random moments, a sweep runs no finished row again and ends with the same table") {
  const TemporaryFolder folder;
  const SweepRows rows = chain_rows("n=2..41:40", 0.06);
  std::mt19937 random(7);
  int kills = 0, code = -1;
  const auto work = [&] {
    const auto progress = [last = std::size_t{0}](const SweepCounts& counts) mutable {
      last = counts.ok;
      std::printf("%zu\n", last);
      std::fflush(stdout);
    };
    run_sweep(rows, sweep_catalog(), {.folder = folder.path(), .threads = 2, .progress = progress});
    return 0;
  };
  while (true) {
    catena_test::Process process(work, folder.path() / "log");
    if (process.ended_within(std::chrono::milliseconds(15 + 2 * kills + static_cast<int>(random() % 60)),
                             code))
      break;
    process.signal(SIGKILL);
    process.end();
    REQUIRE(++kills < 500);
  }
  MESSAGE("killed " << kills << " times");
  CHECK(code == 0);
  CHECK(kills >= 2);
  // What was finished when a process was killed is finished for all after it.
  std::istringstream log(catena_test::file_text(folder.path() / "log"));
  std::size_t ok = 0, most = 0;
  while (log >> ok) {
    CHECK(ok >= most);
    most = std::max(most, ok);
  }
  // A row that two kills have met by chance counts as crashed.
  const SweepCounts last = run_sweep(rows, sweep_catalog(), {.folder = folder.path(), .retry = {"crashed"}});
  CHECK(last.ok == rows.count());
  CHECK(last.done_before >= most);
  CHECK(csv_of(folder.path() / sweep_file(1, 1)) == whole_csv(rows));
}

TEST_CASE("a number is no name of a file, and a word may be one") {
  const TemporaryFolder folder;
  const std::string model = (folder.path() / "mass.yaml").string();
  std::ofstream(model) << "bodies: [{name: mass, mass: 1, inertia: [1, 1, 1]}]\n";
  for (const char* const name : {"2", "y"}) std::ofstream(folder.path() / name) << "";
  const Catalog& catalog = sweep_catalog();
  const auto files = [&](const std::string& axis) {
    Sweep sweep{.base = {.problem = model}};
    sweep.axes = {axis_from_text(axis)};
    const detail::SweepIdentity identity = detail::identity_of(SweepRows(sweep), catalog);
    return std::count_if(identity.entries.begin(), identity.entries.end(),
                         [](const auto& entry) { return entry.first.ends_with("that is this file,"); });
  };
  CHECK(files("gravity.x=1,2") == 0);
  CHECK(files("gravity.x=1..2:2 m/s^2") == 0);
  CHECK(files("bodies.mass.normal=y,z") == 1);
}
