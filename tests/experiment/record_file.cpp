// Tables of records on disk: a row is there when add() returns, whatever happens then.
#include <catena/builtin/builtin.hpp>
#include <catena/driver/sink.hpp>
#include <catena/experiment/experiment.hpp>
#include <catena/experiment/parts/usage_error.hpp>

#include "support/process.hpp"
#include "support/temporary_folder.hpp"

#include <doctest/doctest.h>
#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <random>
#include <string>
#include <vector>

using namespace catena;
using catena_test::file_text;
using catena_test::Process;
using catena_test::TemporaryFolder;
namespace fs = std::filesystem;

namespace {

const Catalog& table_catalog() {
  static const Catalog catalog = builtin();
  return catalog;
}

Scenario top(double end) {
  return {.problem = "heavy_top", .step = 1e-3, .end = end, .record = "energy/kinetic"};
}

Record record_of(double end) { return run(top(end), table_catalog()); }

// Without the seconds, which no two runs share.
std::string rows_of(const RecordTable& table) {
  std::string text;
  for (std::size_t k = 0; k < table.rows().size(); ++k) {
    text += table.rows()[k].key;
    for (const RecordTable::Column& column : table.columns())
      if (column.name != "seconds") text += ',' + column.title() + '=' + table.cell(k, column.name);
    text += '\n';
  }
  return text;
}

void write(const fs::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary | std::ios::trunc) << text;
}

}  // namespace

TEST_CASE("a table of records in a file is the table in memory, and is continued by the next process") {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "a.records";
  RecordTable memory;
  const Record first = record_of(0.002), second = record_of(0.003);
  const Record third =
      run({.problem = "helix_chain", .step = 1e-3, .end = 0.002}, table_catalog());  // other columns
  for (const Record* record : {&first, &second, &third}) memory.add(*record);
  {
    RecordFile file(path);
    CHECK(file.table().rows().empty());
    file.add(first);
    file.add(first);                                     // no second row
    CHECK(read_records(path).table.rows().size() == 1);  // it can be read while it is written
    CHECK_THROWS_WITH_AS(RecordFile{path}, ("another process is writing to " + path.string()).c_str(),
                         SinkError);
  }
  {
    RecordFile file(path);
    CHECK(file.dropped().empty());
    CHECK(file.table().contains(first.key));
    CHECK_FALSE(file.table().contains(second.key));
    file.add(second);
    file.add(third);
    CHECK(file.table().to_csv() == memory.to_csv());
  }
  const ReadRecords read = read_records(path);
  CHECK(read.dropped.empty());
  CHECK(read.table.to_csv() == memory.to_csv());
}

TEST_CASE(
    "columns have the names and units of quantities, parameters and members, and the last values to the last "
    "bit") {
  RecordTable table;
  const Record record = record_of(0.002);
  table.add(record);
  std::vector<std::string> titles;
  for (const RecordTable::Column& column : table.columns()) titles.push_back(column.title());
  const auto has = [&](const char* title) {
    CAPTURE(title);
    CHECK(std::find(titles.begin(), titles.end(), title) != titles.end());
  };
  for (const char* title :
       {"problem", "stepper", "step [s]", "end [s]", "every", "record", "option rho_inf", "status", "t [s]",
        "peaks/energy_error [J]", "peaks/position_residual [m or rad]", "energy/kinetic [J]", "seconds [s]"})
    has(title);
  CHECK(std::stod(table.cell(0, "energy/kinetic")) == record.table.last("energy/kinetic"));
  CHECK(std::stod(table.cell(0, "peaks/energy_error")) == record.report.monitor.energy_error.value);
  CHECK(std::stod(table.cell(0, "peaks/velocity_residual")) == record.report.monitor.velocity.value);
}

TEST_CASE("a last line that is not whole is removed and reported, wherever the writer was killed") {
  const TemporaryFolder folder;
  const fs::path whole = folder.path() / "whole", torn = folder.path() / "torn";
  const Record first = record_of(0.002), second = record_of(0.003);
  std::size_t one_row = 0;
  {
    RecordFile file(whole);
    file.add(first);
    one_row = file_text(whole).size();
    file.add(second);
  }
  const std::string text = file_text(whole);
  for (const std::size_t bytes :
       {std::size_t{0}, std::size_t{5}, one_row - 1, one_row, one_row + 1, text.size() - 1}) {
    CAPTURE(bytes);
    write(torn, text.substr(0, bytes));
    const std::size_t rows = bytes >= one_row ? 1 : 0;
    const ReadRecords read = read_records(torn);
    CHECK(read.table.rows().size() == rows);
    CHECK(read.dropped.empty() == (bytes == 0 || bytes == one_row));
    CHECK(file_text(torn).size() == bytes);  // a reader changes nothing
    {
      RecordFile file(torn);
      CHECK(file.dropped() == read.dropped);
      file.add(first);
      file.add(second);
    }
    CHECK(file_text(torn) == text);
  }
  write(torn,
        text.substr(0, one_row) + std::string(10000, '['));  // more than the row that is written over it
  {
    RecordFile file(torn);
    file.add(second);
  }
  CHECK(file_text(torn) == text);
  // Blocks that the disk has not written before the power failed are zero.
  std::string zeros = text;
  zeros.replace(one_row + 10, 20, 20, '\0');
  write(torn, zeros);
  CHECK(read_records(torn).table.rows().size() == 1);
  CHECK(read_records(torn).dropped.ends_with("line 4, the last, is not whole and is left out"));
}

TEST_CASE("what is no table of records, or is damaged before its last line, is refused and left alone") {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "file";
  for (const char* text : {"thesis", "key,problem\n", "{\"catena_records\":2}\n"}) {
    CAPTURE(text);
    write(path, text);
    CHECK_THROWS_WITH_AS(RecordFile{path}, (path.string() + " is no table of records").c_str(), UsageError);
    CHECK_THROWS_AS(read_records(path), UsageError);
    CHECK(file_text(path) == text);
  }
  fs::remove(path);
  {
    RecordFile file(path);
    file.add(record_of(0.002));
    file.add(record_of(0.003));
  }
  std::string damaged = file_text(path);
  damaged[damaged.find("\"key\"")] = '\'';
  write(path, damaged);
  CHECK_THROWS_WITH_AS(RecordFile{path},
                       (path.string() + ": line 3 was damaged: it is no row of a table of records").c_str(),
                       UsageError);
  CHECK(file_text(path) == damaged);
  CHECK_THROWS_AS(read_records(folder.path() / "nix"), UsageError);
  CHECK_THROWS_AS(RecordFile(folder.path() / "nix" / "file"), SinkError);
  fs::create_symlink(path, folder.path() / "link");
  CHECK_THROWS_AS(RecordFile(folder.path() / "link"), SinkError);
}

TEST_CASE("a disk that is full leaves the rows before, and the row that failed can be added again") {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "a.records", log = folder.path() / "log";
  const Record first = record_of(0.002), second = record_of(0.003);
  Process child(
      [&] {
        RecordFile file(path);
        file.add(first);
        const std::string before = file_text(path);
        std::signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{before.size() + 100, RLIM_INFINITY};
        setrlimit(RLIMIT_FSIZE, &limit);
        try {
          file.add(second);
          return 1;
        } catch (const SinkError&) {
        }
        if (file_text(path) != before || file.table().rows().size() != 1) return 2;
        const rlimit none{RLIM_INFINITY, RLIM_INFINITY};
        setrlimit(RLIMIT_FSIZE, &none);
        file.add(second);
        return 0;
      },
      log);
  CHECK(child.end() == 0);
  RecordTable memory;
  memory.add(first);
  memory.add(second);
  CHECK(read_records(path).table.to_csv() == memory.to_csv());
}

TEST_CASE("scenarios that are refused and runs that fail are rows too, and the same ones each time") {
  Scenario wrong = top(0.002), failing{.problem = "helix_chain", .step = 0.1, .end = 2.0};
  wrong.set("foo", 1);
  failing.set("n", 5).option("max_newton_iterations", 1);
  failing.max_cuts = 0;
  const Record refused = try_run(wrong, table_catalog()), failed = try_run(failing, table_catalog());
  CHECK_FALSE(refused.ok());
  CHECK(refused.key == try_run(wrong, table_catalog()).key);
  CHECK(refused.key.size() == 64);
  Scenario other = wrong;
  other.end = 0.003;
  CHECK(refused.key != try_run(other, table_catalog()).key);
  RecordTable table;
  for (const Record& record : {refused, failed, try_run(top(0.002), table_catalog())}) table.add(record);
  REQUIRE(table.rows().size() == 3);
  CHECK(table.cell(0, "status") == "refused");
  CHECK(table.cell(0, "error").starts_with("--set foo=1 (problem heavy_top): "));
  CHECK(table.cell(0, "set foo") == "1");
  CHECK(table.cell(0, "t").empty());
  REQUIRE(failed.report.run.status != Status::ok);
  CHECK(failed.key == content_key(failing, table_catalog()));
  CHECK(table.cell(1, "status") == to_string(failed.report.run.status));
  CHECK(table.cell(1, "error") == termination(failed.report));
  CHECK(table.cell(1, "culprit") == failed.report.run.culprit.name);
  CHECK_FALSE(table.cell(1, "culprit").empty());
  CHECK(std::stod(table.cell(1, "t")) == failed.report.run.t_end);
  CHECK(table.cell(2, "status") == "ok");
  CHECK(table.cell(2, "error").empty());
  // A model that makes no sense, and a quantity that the system does not have.
  const Scenario empty{.model = std::make_shared<Model>(), .end = 0.01};
  CHECK(try_run(empty, table_catalog()).report.error.empty() == false);
  Scenario unfit = top(0.002);  // complete, and refused by its system
  unfit.record = "reactions:nix";
  const Record not_taken = try_run(unfit, table_catalog());
  CHECK_FALSE(not_taken.report.error.empty());
  CHECK(not_taken.key == content_key(unfit, table_catalog()));
}

TEST_CASE("the key of an experiment is that of its scenario, before and after the run") {
  Experiment experiment(top(0.002), {}, table_catalog());
  experiment.check();
  CHECK(experiment.key() == content_key(top(0.002), table_catalog()));
  experiment.run();
  CHECK(experiment.record().key == experiment.key());
  CHECK(experiment.record().ok());
  const Scenario in_memory{
      .model = std::make_shared<Model>(table_catalog().problem("four_bar").make()->model()),
      .step = 1e-3,
      .end = 0.002};
  Experiment of_model(in_memory, {}, table_catalog());
  of_model.check();
  CHECK(of_model.key() == content_key(in_memory, table_catalog()));
}

TEST_CASE(
    "a sweep killed with -9 at random moments runs no finished row again and ends with the same table") {
  const TemporaryFolder folder;
  const fs::path whole = folder.path() / "whole", parts = folder.path() / "parts",
                 log = folder.path() / "log";
  constexpr int rows = 100;
  // Each row that is run leaves a line in the log.
  const auto sweep = [&](const fs::path& path) {
    RecordFile file(path);
    for (int k = 1; k <= rows; ++k) {
      Experiment experiment(top(4e-3 * k), {}, table_catalog());
      experiment.check();
      if (file.table().contains(experiment.key())) continue;
      experiment.run();
      file.add(experiment.record());
      std::printf("row %d\n", k);
      std::fflush(stdout);
    }
    return 0;
  };
  CHECK(Process([&] { return sweep(whole); }, folder.path() / "other").end() == 0);
  std::mt19937 random(20261123);
  int kills = 0, code = -1;
  unsigned longest = 8;  // [ms] grows, so that a busy machine completes a row as well
  for (;;) {
    Process child([&] { return sweep(parts); }, log);
    if (child.ended_within(std::chrono::milliseconds(1 + random() % longest), code)) break;
    child.signal(SIGKILL);
    if (child.end() == 0) break;
    ++kills;
    longest += 4;
    REQUIRE(kills < 500);
  }
  MESSAGE("killed " << kills << " times");
  CHECK(kills >= 3);
  const RecordTable table = read_records(parts).table;
  CHECK(table.rows().size() == rows);
  CHECK(rows_of(table) == rows_of(read_records(whole).table));
  // No row is logged twice; one that was killed between its row and its line is not logged.
  const std::string text = file_text(log);
  for (int k = 1; k <= rows; ++k) {
    const std::string line = "row " + std::to_string(k) + "\n";
    const std::size_t at = text.find(line);
    CHECK((at == std::string::npos || text.find(line, at + 1) == std::string::npos));
  }
}
