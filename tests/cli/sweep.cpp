// catena sweep and catena study: what they print, exit codes, files of sweeps, signals and full disks.
#include "support/ask.hpp"
#include "support/process.hpp"
#include "support/temporary_folder.hpp"

#include <doctest/doctest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

using namespace catena;
using catena_test::Answer;
using catena_test::ask;
using catena_test::file_text;
using catena_test::TemporaryFolder;

namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

Words sweep_words(const Words& more) {
  Words words{"sweep", "helix_chain", "--end", "0.01", "--keep", "max energy/kinetic"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a sweep prints counts, failures and each quantity over each axis") {
  const Answer good = ask(sweep_words({"--vary", "n=2,3", "--vary", "option.rho_inf=0.8..0.9:2"}));
  CHECK(good.code == exit_ok);
  CHECK(good.err == "");
  CHECK(good.out.starts_with("4 rows: 4 ok, 0 failed, 0 left\n\nmax energy/kinetic [J] "));
  CHECK(has(good.out, "rows   failed         mean    deviation        least      largest\n  all rows "));
  for (const char* group :
       {"\n  n = 2 ", "\n  n = 3 ", "\n  option.rho_inf = 0.8 ", "\n  option.rho_inf = 0.9 "})
    CHECK(has(good.out, group));
  CHECK(has(ask(sweep_words({"--vary", "n=2,3"})).out, "           - "));  // one row has no deviation

  const Words failing{"--vary", "n=0,2"};
  const Answer failed = ask(sweep_words(failing));
  CHECK(failed.code == exit_run_ended_early);
  CHECK(failed.out.starts_with("2 rows: 1 ok, 1 failed, 0 left\n  row 0 (n = 0): refused: --set n=0"));
  Words allowed = sweep_words(failing);
  allowed.insert(allowed.end(), {"--allow-failed", "1"});
  CHECK(ask(allowed).code == exit_ok);
}

TEST_CASE("Saltelli's points give Sobol indices") {
  const Answer a =
      ask(sweep_words({"--vary", "gravity=uniform:9:10", "--vary", "option.rho_inf=uniform:0.8:0.9",
                       "--samples", "8", "--sampling", "saltelli"}));
  CHECK(a.code == exit_ok);
  CHECK(has(a.out, "32 rows: 32 ok"));
  CHECK(has(a.out, "\nSobol indices of 8 points\nmax energy/kinetic [J] "));
  CHECK(has(a.out, "first              total\n  gravity "));
}

TEST_CASE("a quantity that some rows lack has the number of rows and of points that it comes from") {
  const Words crossing{"--keep", "crossing=-0.3 bodies/position y of pendulum", "--end", "0.35", "--step",
                       "5e-3"};
  const auto swing = [&](const Words& axes) {
    Words words{"sweep", "simple_pendulum"};
    words.insert(words.end(), axes.begin(), axes.end());
    words.insert(words.end(), crossing.begin(), crossing.end());
    const Answer a = ask(words);
    CHECK(a.code == exit_ok);
    CAPTURE(a.out);
    return a.out;
  };
  const std::string some = swing({"--vary", "gravity=2,20", "--keep", "end energy/kinetic"});
  CHECK(has(some, " [s]     rows   failed  counted         mean "));
  CHECK(has(some, "\n  all rows                                      2        0        1      0.25547 "));
  CHECK(has(some, "\n  gravity = 2                                   1        0        0\n"));
  CHECK(has(some, "\nend energy/kinetic [J]                       rows   failed         mean "));
  const auto indices = [&](const std::string& gravity) {
    const std::string out = swing({"--vary", gravity, "--vary", "option.rho_inf=uniform:0.8:0.9", "--samples",
                                   "4", "--sampling", "saltelli", "--keep", "end energy/kinetic"});
    return out.substr(out.find("\nSobol indices of 4 points\n"));
  };
  const std::string partial = indices("gravity=uniform:5:20");
  CAPTURE(partial);
  CHECK(has(partial, " of pendulum [s], of 1 points "));
  CHECK(has(partial, "\nend energy/kinetic [J]                   "));
  CHECK(has(indices("gravity=uniform:2:3"),
            " of pendulum [s]: none, because no point has a number of it in all of its rows\n"));
}

TEST_CASE("Saltelli's points beside a list have no indices, and the summary says why") {
  const Answer a = ask(sweep_words(
      {"--vary", "gravity=uniform:9:10", "--vary", "n=2,3", "--samples", "2", "--sampling", "saltelli"}));
  CHECK(a.code == exit_ok);
  CHECK(has(
      a.out,
      "\nno Sobol indices: they are of drawn variables alone, and n has values in a list or a range; sweep "
      "these one by one\n"));
}

TEST_CASE("all mistakes of a sweep are reported at once, and nothing is run") {
  const Answer a = ask({"sweep",     "helix_chain", "--vary",      "n",    "--vary",         "k=1..2",
                        "--keep",    "most energy", "--samples",   "0",    "--sampling",     "sobl",
                        "--threads", "-1",          "--shard",     "3/2",  "--time-limit",   "0",
                        "--step",    "x",           "--row-limit", "soon", "--allow-failed", "some"});
  CHECK(a.code == exit_bad_input);
  CHECK(a.out == "");
  for (const char* part :
       {"--vary n: write key=values", "--vary k=1..2: a range is", "--keep most energy: no word \"most\"",
        "--samples 0: this is a whole number from 1", "no sampling \"sobl\": did you mean \"sobol\"?",
        "--threads -1: this is a whole number from 0", "--shard 3/2: write I/N with 1 <= I <= N, 2/8 say",
        "--time-limit 0: a time above 0", "--row-limit soon: a time above 0", "\"x\" is not a number",
        "--allow-failed some: this is a whole number from 0"}) {
    CAPTURE(part);
    CHECK(has(a.err, part));
  }
  CHECK(has(ask(sweep_words({"--vary", "gravity=normal:9:1", "--samples", "1000000000000"})).err,
            "--samples 1000000000000: this is a whole number from 1 to 2147483647\n"));
  CHECK(has(ask(sweep_words({"--vary", "gravity=gauss:1:2", "--samples", "3"})).err,
            "--vary gravity=gauss:1:2: no distribution \"gauss\"; there are uniform:LOWER:UPPER, "));
  CHECK(has(ask(sweep_words({})).err, "nothing varies: --vary n=10,20,40 say"));
  CHECK(has(ask(sweep_words({"--vary", "n=2,3", "--shard", "1/2"})).err, "--shard 1/2 needs --output DIR"));
  CHECK(has(ask(sweep_words({"--vary", "links=2,3"})).err, "\"links\""));
}

TEST_CASE("what is kept twice is refused once, before any row runs") {
  const Answer twice = ask(sweep_words({"--vary", "n=2,3", "--keep", "max energy/kinetic", "--keep",
                                        "at=0.001,0.001 energy/total", "--keep", "max energy/kinetic"}));
  CHECK(twice.code == exit_bad_input);
  CHECK(twice.out == "");
  CHECK(twice.err ==
        "catena: --keep max energy/kinetic: it is given twice\n"
        "--keep at=0.001 energy/total: it is given twice\n");
}

TEST_CASE("a model from a pipe is swept") {
  const TemporaryFolder folder;
  const std::string model =
      "parameters: {mass: 1 kg}\n"
      "bodies:\n"
      "  - {name: one, mass: $mass, inertia: [1, 1, 1], velocity: [1, 0, 0]}\n"
      "run: {step: 1 ms, end: 10 ms}\n";
  const auto pipe_model = [&] {
    int ends[2];
    if (::pipe(ends) != 0 || ::write(ends[1], model.data(), model.size()) < 0) _exit(98);
    ::close(ends[1]);
    ::dup2(ends[0], STDIN_FILENO);
  };
  const Words words{"sweep", "/dev/stdin", "--vary", "mass=1..3:3", "--keep", "end energy/kinetic"};
  catena_test::Process process(words, folder.path() / "log", pipe_model);
  CHECK(process.end() == exit_ok);
  CHECK(has(file_text(folder.path() / "log"), "3 rows: 3 ok"));
}

TEST_CASE("what contradicts what varies is refused, and says what it contradicts") {
  const auto refused = [](const Words& more) {
    const Answer a = ask(sweep_words(more));
    CHECK(a.code == exit_bad_input);
    CHECK(a.out == "");
    return a.err;
  };
  CHECK(refused({"--vary", "n=5,10", "--set", "n=4"}) ==
        "catena: --set n=4 is for all rows, and --vary n varies it: leave one of them out\n");
  CHECK(refused({"--vary", "stepper=hht,ida", "--stepper", "alpha_rattle"}) ==
        "catena: --stepper alpha_rattle is for all rows, and --vary stepper varies it: leave one of them "
        "out\n");
  CHECK(refused({"--vary", "n=5,10", "--sample-seed", "5"}) ==
        "catena: --sample-seed 5: nothing is drawn: --vary k=uniform:0.9:1.1 say\n");
  CHECK(refused({"--vary", "threads=1,2", "--threads-of-row", "2"}) ==
        "catena: --threads-of-row 2 is for all rows, and --vary threads varies it: leave one of them out\n");

  const TemporaryFolder folder;  // what is typed counts more than what the file sets
  const std::string file = (folder.path() / "sweep.yaml").string();
  std::ofstream(file)
      << "problem: helix_chain\nvary: {gravity: [9, 10]}\nset: {n: 4}\nstepper: alpha_rattle\n"
         "option: {rho_inf: 0.5}\nend: 0.01\nkeep: max energy/kinetic\n";
  const Answer typed =
      ask({"sweep", file, "--vary", "n=2,3", "--vary", "stepper=generalized_alpha,hht", "--vary",
           "option.max_newton_iterations=8,9", "--vary", "option.rho_inf=0.8,0.9"});
  CHECK(typed.err == "");
  CHECK(has(typed.out, "32 rows: "));  // the axis gravity of the file stays
  CHECK(has(ask({"sweep", file, "--set", "gravity=5"}).err, "--set gravity=5 is for all rows"));
}

TEST_CASE("the axis stepper takes options behind colons, typed and in a file") {
  const Words words = sweep_words({"--vary", "stepper=generalized_alpha:rho_inf=0.5,generalized_alpha"});
  const Answer typed = ask(words);
  CHECK(typed.err == "");
  CHECK(has(typed.out, "2 rows: 2 ok, 0 failed, 0 left\n"));
  CHECK(has(typed.out, "\n  stepper = generalized_alpha:rho_inf=0.5 "));
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "sweep.yaml").string();
  std::ofstream(file) << "problem: helix_chain\nend: 0.01\nkeep: max energy/kinetic\n"
                         "vary: {stepper: [generalized_alpha:rho_inf=0.5, generalized_alpha]}\n";
  CHECK(ask({"sweep", file}).out == typed.out);
}

TEST_CASE("whole numbers are drawn and ranged") {
  const Answer drawn = ask(sweep_words({"--vary", "n=uniform:2:4", "--samples", "3"}));
  CHECK(drawn.err == "");
  CHECK(has(drawn.out, "3 rows: 3 ok, 0 failed, 0 left\n"));
  const Answer range = ask(sweep_words({"--vary", "n=2..8:3:log"}));
  CHECK(range.code == exit_ok);
  CHECK(has(range.out, "\n  n = 4 "));
}

TEST_CASE("instants behind the end are refused at once") {
  const Answer late =
      ask({"sweep", "helix_chain", "--vary", "n=2,3", "--keep", "at=0.5 energy/total", "--end", "0.05"});
  CHECK(late.code == exit_bad_input);
  CHECK(late.err == "catena: --keep at=0.5 energy/total: the run ends at t = 0.05 s, before that instant\n");
}

TEST_CASE("a body that no row has is refused with exit code 2") {
  const Answer nobody = ask({"sweep", "helix_chain", "--vary", "n=2,3", "--keep",
                             "end bodies/position x of link 99", "--end", "0.01"});
  CHECK(nobody.code == exit_bad_input);
  CHECK(has(nobody.err, "link 99"));
}

TEST_CASE("a model file beside the file of a sweep is found, and its parameters vary") {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "model.yaml")
      << "parameters: {k: 100 N/m}\n"
         "bodies:\n"
         "  - {name: mass, mass: 1, inertia: [1, 1, 1], position: [0, 0, -1]}\n"
         "forces:\n"
         "  - {type: spring_damper, name: s, bodies: [ground, mass], "
         "stiffness: $k, rest_length: 1}\n";
  std::ofstream(folder.path() / "sweep.yaml")
      << "problem: model.yaml\nvary: {k: [50 N/m, 0.2 N/mm]}\nend: 0.1\n"
         "keep: [end energy/kinetic]\n";
  const Answer a = ask({"sweep", (folder.path() / "sweep.yaml").string()});
  CHECK(a.err == "");
  CHECK(has(a.out, "2 rows: 2 ok"));
  CHECK(has(a.out, "k = 0.2 N/mm"));

  const std::string model = (folder.path() / "model.yaml").string();
  const auto vary = [&](const std::string& axis) {
    return ask({"sweep", model, "--vary", axis, "--end", "0.1", "--keep", "end energy/kinetic"});
  };
  const Answer members = vary("bodies.mass.mass=1..3:3 kg with forces.s.damping=0,1,2");
  CHECK(members.err == "");
  CHECK(has(members.out, "3 rows: 3 ok"));
  CHECK(has(members.out, "bodies.mass.mass = 2 kg"));
  const Answer vectors = vary("bodies.mass.velocity=[0,0,0],[0, 0, 1]");
  CHECK(vectors.err == "");
  CHECK(has(vectors.out, "bodies.mass.velocity = [0, 0, 1]"));
  std::ofstream(folder.path() / "sweep.yaml")
      << "problem: model.yaml\nvary: {bodies.mass.velocity: [[0, 0, 0], [0, 0, 1]]}\nend: 0.1\n"
         "keep: [end energy/kinetic]\n";
  const Answer in_file = ask({"sweep", (folder.path() / "sweep.yaml").string()});
  CHECK(in_file.err == "");
  CHECK(has(in_file.out, "2 rows: 2 ok"));
  CHECK(has(vary("bodies.mas.mass=1,2").err,
            "there is no body \"mas\" (did you mean \"mass\"?); there are mass"));
  const Answer threads = vary("threads=1,2");
  CHECK(threads.code == exit_ok);
  CHECK(has(threads.out, "threads = 2"));
  CHECK(has(threads.out, "\nseconds [s] "));
}

TEST_CASE("what is kept may be of a name with quotation marks") {
  const TemporaryFolder folder;
  const std::string model = (folder.path() / "model.yaml").string();
  std::ofstream(model) << R"(catena: 1
gravity: [0, 0, -9.81]
bodies:
  - {name: 'a; "b" c', mass: 1, inertia: [1, 1, 1]}
  - {name: 'pipe 6" long', mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}
joints: [{type: revolute, name: 'the "hip"', bodies: [ground, 'pipe 6" long'], at: [0, 0, 0], axis: [0, 1, 0]}]
points: [{name: 'the "tip"', body: 'pipe 6" long', point: [1, 0, 0]}]
)";
  for (const char* const column : {"bodies/position x of a; \"b\" c", "bodies/position x of pipe 6\" long",
                                   "reactions/force x of joint \"the \"hip\"\" (revolute) on pipe 6\" long",
                                   "points/position x of the \"tip\""}) {
    CAPTURE(column);
    const Answer a = ask(
        {"sweep", model, "--vary", "gravity.z=1,2", "--end", "0.01", "--keep", std::string("end ") + column});
    CAPTURE(a.err);
    CHECK(has(a.out, "2 rows: 2 ok"));
  }
}

TEST_CASE("shards are collected to the table and the summary of one sweep") {
  const TemporaryFolder folder;
  const std::string shards = (folder.path() / "shards").string(), csv = (folder.path() / "all.csv").string(),
                    table = (folder.path() / "all.sqlite").string();
  const auto sweep = [&](const std::string& output, const std::string& shard) {
    Words words = sweep_words({"--vary", "n=2,3,4"});
    if (!output.empty()) words.insert(words.end(), {"--output", output});
    if (!shard.empty()) words.insert(words.end(), {"--shard", shard});
    return ask(words);
  };
  CHECK(has(sweep(shards, "1/2").out, "2 rows of shard 1/2: 2 ok, 0 failed, 0 left\n"));
  CHECK(has(sweep(shards, "2/2").out, "1 rows of shard 2/2: 1 ok, 0 failed, 0 left\n"));
  CHECK(has(sweep(shards, "2/2").out, "0 left; 1 were there before\n"));
  CHECK(!fs::exists(fs::path(shards) / "pictures"));  // of a sweep that is not whole
  const Answer early = ask({"study", "collect", (fs::path(shards) / "rows-1-of-2.sqlite").string()});
  CHECK(early.code == exit_run_ended_early);
  CHECK(has(early.out, "2 of 3 rows, 0 failed\n"));
  CHECK(has(early.err, "catena: 1 row is missing: "));
  CHECK(ask({"study", "collect", (fs::path(shards) / "rows-1-of-2.sqlite").string(), "--allow-failed", "1"})
            .code == exit_ok);
  const Answer collected = ask({"study", "collect", shards, "--output", table, "--csv", csv});
  CHECK(collected.code == exit_ok);
  const std::string whole = sweep("", "").out;
  CHECK(collected.out == "3 of 3 rows, 0 failed\n" + whole.substr(whole.find('\n') + 1));
  CHECK(file_text(csv).starts_with("row,n,status,verdict,culprit,error,t [s],steps,max energy/kinetic [J],"));
  CHECK(ask({"study", "collect", table}).out == collected.out);
  CHECK(!fs::exists(folder.path() / "all.series.csv"));
  CHECK(ask({"study", "collect", shards, "--hdf5", (folder.path() / "no" / "x.h5").string()}).code ==
        exit_cannot_write);
  CHECK(ask({"study", "collect", shards, "--output", table}).code == exit_cannot_write);
  CHECK(ask({"study", "collect", shards, "--csv", (folder.path() / "no" / "x.csv").string()}).code ==
        exit_cannot_write);
  CHECK(has(ask({"study", "colect", shards}).err, "did you mean \"collect\"?"));
}

TEST_CASE("collecting failed rows ends with 1, unless so many are allowed") {
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "out").string();
  CHECK(ask(sweep_words({"--vary", "n=0,2", "--output", out})).code == exit_run_ended_early);
  const Words collect{"study", "collect", out};
  CHECK(ask(collect).code == exit_run_ended_early);
  CHECK(ask({"study", "collect", out, "--allow-failed", "1"}).code == exit_ok);
  CHECK(ask({"study", "collect", out, "--allow-failed", "-1"}).code == exit_bad_input);
}

TEST_CASE("instants and series are kept, and written beside the rows") {
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "out").string(), csv = (folder.path() / "all.csv").string();
  CHECK(ask({"sweep", "helix_chain", "--vary", "n=2,3", "--end", "0.01", "--keep",
             "at=0.005,0.01 energy/total", "--keep", "series energy/kinetic", "--output", out})
            .code == exit_ok);
  CHECK(fs::exists(folder.path() / "out" / "pictures" / "1_at_0_005_energy_total_over_n.csv"));
  const std::string pictures = (folder.path() / "pictures").string();
  CHECK(ask({"study", "collect", out, "--csv", csv, "--pictures", pictures}).code == exit_ok);
  CHECK(fs::exists(folder.path() / "pictures" / "2_at_0_01_energy_total_over_n.gp"));
  CHECK(file_text(csv).find(",at=0.005 energy/total [J],at=0.01 energy/total [J],") != std::string::npos);
  CHECK(file_text(folder.path() / "all.series.csv").starts_with("row,time [s],energy/kinetic [J]\n0,0,"));
}

TEST_CASE("without time left a sweep ends with 75") {
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "out").string();
  const auto words = [&](const char* limit) {
    return Words{"sweep", "helix_chain", "--vary", "n=2,3",        "--end",
                 "1e6",   "--output",    out,      "--time-limit", limit};
  };
  const Answer late = ask(words("0.2s"));
  CHECK(late.code == exit_time_limit);
  CHECK(has(late.out, "2 rows: 0 ok, 0 failed, 2 left\n"));
  CHECK(late.err ==
        "catena: --time-limit: the time is over, and rows are left: the same command continues\n");
}

TEST_CASE("Ctrl-C ends a sweep with 130 and keeps what is finished") {
  const TemporaryFolder folder;
  const fs::path log = folder.path() / "log";
  const Words words{
      "sweep", "helix_chain", "--vary", "end=0.001,0.002,1e6", "--output", (folder.path() / "out").string()};
  catena_test::Process process(words, log);
  const fs::path running = folder.path() / "out" / "rows-1-of-1.sqlite.running";
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  // The third row, number 2, is in the first place of the file.
  while (std::chrono::steady_clock::now() < until && !file_text(running).starts_with('\3'))
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  process.signal(SIGINT);
  CHECK(process.end() == exit_interrupted);
  CHECK(has(file_text(log), "3 rows: 2 ok, 0 failed, 1 left\n"));
  CHECK(has(file_text(log), "catena: interrupted: the same command continues with the rows that are left\n"));
  CHECK(!fs::exists(running));
}

TEST_CASE("a table that cannot grow ends a sweep with a sentence, and what is finished stays") {
  const TemporaryFolder folder;
  const Words words{"sweep",    "simple_pendulum",
                    "--vary",   "end=0.001..0.002:500",
                    "--output", (folder.path() / "out").string()};
  const auto limit = [] {
    const rlimit bytes{100'000, 100'000};
    setrlimit(RLIMIT_FSIZE, &bytes);
  };
  CHECK(catena_test::Process(words, folder.path() / "log", limit).end() == exit_cannot_write);
  CHECK(has(file_text(folder.path() / "log"), "catena: cannot use " + (folder.path() / "out").string()));
  const Answer rest = ask(words);
  CHECK(rest.code == exit_ok);
  CHECK(has(rest.out, "500 rows: 500 ok, 0 failed, 0 left; "));
}

TEST_CASE("a collected table that cannot grow leaves nothing in the way of the next try") {
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "out").string(), table = (folder.path() / "all.sqlite").string();
  REQUIRE(ask({"sweep", "simple_pendulum", "--vary", "end=0.001..0.002:500", "--output", out}).code ==
          exit_ok);
  const Words words{"study", "collect", out, "--output", table};
  const auto limit = [] {
    const rlimit bytes{50'000, 50'000};
    setrlimit(RLIMIT_FSIZE, &bytes);
    std::signal(SIGXFSZ, SIG_IGN);
  };
  CHECK(catena_test::Process(words, folder.path() / "log", limit).end() == exit_cannot_write);
  CHECK(has(file_text(folder.path() / "log"), "catena: cannot use " + table));
  for (const fs::directory_entry& left : fs::directory_iterator(folder.path()))
    CHECK_FALSE(left.path().filename().string().starts_with("all"));
  CHECK(ask(words).code == exit_ok);
  CHECK(ask({"study", "collect", table}).code == exit_ok);
}

TEST_CASE("a full disk ends a sweep with a sentence, and once it is larger the same command continues") {
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "out").string();
  fs::create_directory(out);
  const Words words{"sweep", "simple_pendulum", "--vary", "end=0.001..0.002:500", "--output", out};
  constexpr int not_allowed = 77;
  const auto work = [&] {  // in a process of its own, whose disk nobody else sees
    if (::unshare(CLONE_NEWNS) != 0 || ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        ::mount("tmpfs", out.c_str(), "tmpfs", 0, "size=200k") != 0)
      return not_allowed;
    const Answer full = ask(words);
    if (::mount(nullptr, out.c_str(), nullptr, MS_REMOUNT, "size=20m") != 0) return not_allowed;
    const Answer rest = ask(words);
    std::ofstream(folder.path() / "said") << full.code << ' ' << full.err << rest.code << ' ' << rest.out;
    return 0;
  };
  const int code = catena_test::Process(work, folder.path() / "log").end();
  if (code == not_allowed) {
    MESSAGE("left out: only root may make a disk that fills");
    return;
  }
  CHECK(code == 0);
  const std::string said = file_text(folder.path() / "said");
  CAPTURE(said);
  CHECK(said.starts_with(std::to_string(exit_cannot_write) + " catena: cannot use " + out));
  CHECK(has(said, "full"));
  CHECK(has(said, "\n" + std::to_string(exit_ok) + " 500 rows: 500 ok, 0 failed, 0 left; "));
}
