#include <catena/output/parts/report.hpp>

#include "support/process.hpp"
#include "support/relative.hpp"
#include "support/sanitizers.hpp"
#include "support/temporary_folder.hpp"
#include "support/toy.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>
#include <sys/resource.h>
#include <unistd.h>

#include <fstream>
#include <limits>
#include <new>

using namespace catena;
using namespace catena::detail;
using catena_test::ToyPendulum;
using catena_test::ToyStepper;
using Json = nlohmann::json;

namespace {

Report toy_report(ToyStepper& stepper, double end = 1.0) {
  const ToyPendulum system;
  State state = system.initial_state();
  Monitor monitor;
  const RunResult result =
      run(system, stepper, state, {.step = 0.1, .end = end, .verdict = false}, {{}, {&monitor}, nullptr});
  Report report;
  report.problem = "toy pendulum";
  report.stepper = "toy";
  report.options = {
      {"gain", "1", 0.5}, {"count", "1", 3}, {"on", "1", true}, {"kind", "1", std::string("left")}};
  report.end = end;
  fill_from_run(report, system, state, stepper, monitor, result);
  fill_final_values(report, system, state);
  return report;
}

}  // namespace

TEST_CASE("the JSON report has every key that programs rely on") {
  ToyStepper stepper;
  const Report report = toy_report(stepper);
  const Json json = Json::parse(to_json(report));
  for (const char* key : {"problem",
                          "stepper",
                          "status",
                          "steps",
                          "bodies",
                          "wall_time_s",
                          "ns_per_step_per_body",
                          "newton_iterations_per_step",
                          "factorizations",
                          "energy_initial",
                          "energy_error_max",
                          "energy_error_is_absolute",
                          "position_residual_max",
                          "velocity_residual_max",
                          "acceleration_residual_max",
                          "positions",
                          "quaternions",
                          "velocities",
                          "angular_velocities",
                          "multipliers",
                          "step",
                          "end",
                          "options",
                          "parameters",
                          "backend",
                          "threads",
                          "machine",
                          "instruction_set",
                          "version",
                          "phase_times_s",
                          "culprit",
                          "exit_status",
                          "exit_text",
                          "termination"}) {
    CAPTURE(key);
    CHECK(json.contains(key));
  }
  CHECK(json["status"] == "ok");
  CHECK(json["steps"] == 10);
  CHECK(json["newton_iterations_per_step"] == 2.0);
  CHECK(json["step"] == 0.1);
  CHECK(json["energy_error_is_absolute"] == false);
  CHECK(json["options"]["gain"] == 0.5);
  CHECK(json["options"]["count"] == 3);
  CHECK(json["options"]["on"] == true);
  CHECK(json["options"]["kind"] == "left");
  CHECK(json["multipliers"].size() == 1);
  CHECK(json["constraints"][0]["name"] == "rod (distance)");
  CHECK(json["coordinates"].size() == 2);
  CHECK(json["ns_per_step_per_body"].get<double>() ==
        catena_test::relative(report.run.seconds_stepping * 1e9 / 10, 1e-14));
}

TEST_CASE("the JSON report counts what each guard did") {
  ToyStepper stepper;
  Report report = toy_report(stepper);
  CHECK(Json::parse(to_json(report))["guards"].empty());
  GuardCount pole, gaps;
  pole.name = "guard_pole";
  pole.reports = true;
  gaps.name = "guard_gaps";
  pole.add(0.25, {"rod", "multipliers cross a pole", 3.0});
  pole.add(0.5, {"link", "multipliers cross a pole", 4.0});
  report.statistics.guards = {pole, gaps};
  const Json guards = Json::parse(to_json(report))["guards"];
  CHECK(guards["guard_pole"]["mode"] == "report");
  CHECK(guards["guard_pole"]["count"] == 2);
  CHECK(guards["guard_pole"]["first_time"] == 0.25);
  CHECK(guards["guard_pole"]["first"]["name"] == "rod");
  CHECK(guards["guard_gaps"] == Json{{"mode", "on"}, {"count", 0}});
}

TEST_CASE("the JSON report stays valid when numbers are not finite") {
  ToyStepper stepper;
  Report report = toy_report(stepper);
  report.monitor.position.value = std::numeric_limits<double>::quiet_NaN();
  report.monitor.energy_initial.potential = std::numeric_limits<double>::infinity();
  const Json json = Json::parse(to_json(report));
  CHECK(json["position_residual_max"].is_null());
  CHECK(json["energy_initial"].is_null());
}

TEST_CASE("an early end is reported with time, cause and culprit, in words and in JSON") {
  ToyStepper stepper;
  stepper.fails = [](double t, double) { return t > 0.45 ? Status::singular_kkt : Status::ok; };
  const Report report = toy_report(stepper);
  CHECK(termination(report) ==
        "step_too_small at t = 0.5 s (singular_kkt at the smallest step): position residual 0.5 of rod "
        "(distance); take a smaller step than 0.1 s: where the motion itself ends, it ends at the same time");
  const Json json = Json::parse(to_json(report));
  CHECK(json["status"] == "step_too_small");
  CHECK(json["cause"] == "singular_kkt");
  CHECK(json["culprit"]["name"] == "rod (distance)");
  CHECK(json["rejected_steps"] == 10);
  CHECK(json["time"] == 0.5);
  CHECK(to_text(report).find("step_too_small at t = 0.5 s") != std::string::npos);
}

TEST_CASE("the text report shows counts, phases, energy, residuals and the machine") {
  ToyStepper stepper;
  const std::string text = to_text(toy_report(stepper));
  for (const char* words :
       {"toy pendulum", "gain = 0.5", "kind = left", "Newton iterations", "2.00 per step", "Factorisations",
        "Stepping", "Per step and body [ns]", "Largest error, relative", "Position", "Velocity",
        "Acceleration", "rod (distance)", "1 thread", "ok: reached t = 1 s"}) {
    CAPTURE(words);
    CHECK(text.find(words) != std::string::npos);
  }
  for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 1))
    CHECK((at == 0 || text[at - 1] != ' '));  // no trailing spaces
}

TEST_CASE("each residual of a report has the joint and the time that are its own") {
  ToyStepper stepper;
  Report report = toy_report(stepper);
  report.rows = 3;
  report.monitor.position = {0.25, 0.1, 0};
  report.monitor.velocity = {0.5, 0.2, 1};
  report.monitor.acceleration = {0.75, 0.3, 2};
  report.worst_position = "rod";
  report.worst_velocity = "slide";
  report.worst_acceleration = "hinge";
  const Json worst = Json::parse(to_json(report))["worst"];
  CHECK(worst["position"]["constraint"] == "rod");
  CHECK(worst["position"]["time"] == 0.1);
  CHECK(worst["velocity"]["constraint"] == "slide");
  CHECK(worst["velocity"]["time"] == 0.2);
  CHECK(worst["acceleration"]["constraint"] == "hinge");
  CHECK(worst["acceleration"]["time"] == 0.3);
  const std::string text = to_text(report);
  CHECK(text.find("2.500e-01   at t = 0.1 s, rod\n") != std::string::npos);
  CHECK(text.find("5.000e-01   at t = 0.2 s, slide\n") != std::string::npos);
  CHECK(text.find("7.500e-01   at t = 0.3 s, hinge\n") != std::string::npos);
}

TEST_CASE("energies, times and steps of a report are those of the run, in the units that it says") {
  ToyStepper stepper;
  Report report = toy_report(stepper);
  MonitorResult& monitor = report.monitor;
  monitor.energy_initial = {1.0, 2.0};
  monitor.energy_final = {2.5, 1.5};
  monitor.energy_error = {0.375, 0.7, -1};
  report.seconds_build = 1.0;
  report.run.seconds_setup = 0.25;
  report.run.seconds_stepping = 2.0;
  report.run.seconds_output = 0.75;
  report.run.seconds_total = 3.0;
  report.run.seconds_fastest_step = 2e-6;
  report.blocks = 4;
  report.run.smallest_step = 0.025;
  std::string text = to_text(report);
  const auto says = [&](const std::string& words) { return text.find(words) != std::string::npos; };
  CHECK(says("3   kinetic 1, potential 2\n"));
  CHECK(says("4   kinetic 2.5, potential 1.5\n"));
  CHECK(says("1.250e-01   at t = 0.7 s\n"));  // 0.375 J of 3 J
  CHECK(says("Largest error, relative"));
  CHECK(says("2.000000    50.0 %\n"));  // of 1 s of building and 3 s of running
  CHECK(says("4.000000   100.0 %\n"));
  CHECK(says("fastest step 500.0\n"));
  CHECK(says("0.1   smallest taken 0.025\n"));
  const Json json = Json::parse(to_json(report));
  CHECK(json["energy_initial"] == 3.0);
  CHECK(json["energy_final"] == 4.0);
  CHECK(json["kinetic_energy_final"] == 2.5);
  CHECK(json["potential_energy_final"] == 1.5);
  CHECK(json["ns_fastest_step_per_body"].get<double>() == catena_test::relative(500.0, 1e-14));
  // No energy to begin with, and no step that was cut.
  monitor.energy_initial = {};
  report.run.smallest_step = report.run.step;
  text = to_text(report);
  CHECK(says("Largest error [J]                    3.750e-01   at t = 0.7 s\n"));
  CHECK_FALSE(says("smallest taken"));
}

TEST_CASE("a report without a run is valid and says why") {
  Report report;
  report.problem = "nothing";
  report.error = "no problem \"nothing\"";
  const Json json = Json::parse(to_json(report));
  CHECK(json["status"] == "error");
  CHECK(json["error"] == "no problem \"nothing\"");
  CHECK(json["steps"] == 0);
  CHECK(json["ns_per_step_per_body"] == 0.0);
}

TEST_CASE("a report that finds no memory throws, and the process continues") {
  if (catena_test::own_heap) return;
  const catena_test::TemporaryFolder folder;
  Report report;
  report.final_bodies.resize(100'000);
  for (rlim_t megabytes = 1; megabytes <= 128; megabytes *= 2) {
    CAPTURE(megabytes);
    const auto work = [&] {
      rlim_t pages = 0;
      std::ifstream("/proc/self/statm") >> pages;
      const rlim_t bytes = pages * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE)) + (megabytes << 20U);
      const rlimit limit{bytes, bytes};
      ::setrlimit(RLIMIT_AS, &limit);
      try {
        return to_json(report).ends_with("}\n") ? 0 : 1;  // a CHECK would take what it throws for itself
      } catch (const std::bad_alloc&) {
        return 0;
      }
    };
    CHECK(catena_test::Process(work, folder.path() / "log").end() == 0);
  }
}
