// Models that make sense, of bodies, joints and forces that the bytes choose, through the whole program: from the text of the
// file by a stepper to the report. It answers with an exit code of its list and a report that can be read, whatever the
// numbers. .ci/nightly runs it.
#include <catena/builtin/builtin.hpp>
#include <catena/cli/cli.hpp>

#include "broken.hpp"

#include <nlohmann/json.hpp>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

using namespace catena;

namespace {

// The bytes as choices; zeros behind their end.
class Choices {
 public:
  Choices(const std::uint8_t* at, std::size_t left) : at_(at), left_(left) {}
  unsigned below(unsigned count) {
    if (left_ == 0) return 0;
    --left_;
    return *at_++ % count;
  }
  template <std::size_t n>
  const char* one_of(const char* const (&list)[n]) {
    return list[below(n)];
  }
  // In [-1, 1], a multiple of 1/127.
  double unit() { return (static_cast<double>(below(255)) - 127.0) / 127.0; }
  // Of every size, and sometimes a round or an extreme number.
  double positive() {
    constexpr double round[] = {1.0, 0.1, 10.0, 1e-9, 1e9, 1e-3, 1e3, 1e30};
    const unsigned kind = below(16);
    if (kind < 8) return round[kind];
    return std::pow(10.0, 3.0 * unit());
  }
  double any() { return below(4) == 0 ? 0.0 : (below(2) == 0 ? 1.0 : -1.0) * positive(); }

 private:
  const std::uint8_t* at_;
  std::size_t left_;
};

std::string number(double x) {
  std::ostringstream text;
  text.precision(17);
  text << std::showpoint << x;
  return text.str();
}

struct Point {
  double x[3];
};
std::string list(const Point& p) {
  return "[" + number(p.x[0]) + ", " + number(p.x[1]) + ", " + number(p.x[2]) + "]";
}
Point minus(const Point& a, const Point& b) { return {{a.x[0] - b.x[0], a.x[1] - b.x[1], a.x[2] - b.x[2]}}; }
Point point(Choices& c) {
  const double x = c.unit(), y = c.unit();
  return {{x, y, c.unit()}};
}

struct Joint {
  std::string name;
  const char* coordinate;
};
unsigned size_of(const std::vector<Joint>& joints) { return static_cast<unsigned>(joints.size()); }
std::string chosen_joint(Choices& c, const std::vector<Joint>& joints) {
  const Joint& joint = joints[c.below(size_of(joints))];
  return "joint: " + joint.name + ", coordinate: " + joint.coordinate;
}

// Of the time, that of a run of some steps or beyond it.
std::string function(Choices& c) {
  const std::string length = number(std::pow(10.0, -4.0 + c.below(5)));
  switch (c.below(6)) {
    case 0:
      return "{type: ramp, from: 0, to: " + number(c.any()) + ", start: 0, end: " + length + "}";
    case 1:
      return "{type: step, from: 0, to: " + number(c.any()) + ", start: 0, end: " + length + "}";
    case 2:
      return "{type: sine, amplitude: " + number(c.any()) + ", frequency: " + number(c.positive()) + "}";
    case 3:
      return "{type: polynomial, coefficients: [0, " + number(c.any()) + ", " + number(c.any()) + "]}";
    case 4:
      return "{type: table, x: [0, " + length + ", 10], y: [0, " + number(c.any()) + ", " + number(c.any()) +
             "], beyond: " + c.one_of({"none", "hold"}) +
             ", spline: " + c.one_of({"cubic", "monotone", "linear"}) + "}";
    default:
      return number(c.any());
  }
}

// Bodies are not turned, so that a joint at one place with one axis is closed whatever its type.
std::string model_of(Choices& c) {
  std::string text = "gravity: " + list({{0.0, 0.0, c.below(2) == 0 ? -9.81 : c.any()}}) + "\nbodies:\n";
  const unsigned count = 1 + c.below(4);
  std::vector<Point> places{{{0.0, 0.0, 0.0}}};
  std::vector<std::string> names{"ground"};
  for (unsigned k = 0; k < count; ++k) {
    places.push_back(point(c));
    names.push_back("b" + std::to_string(k));
    const double i = c.positive();
    text += "  - {name: " + names.back() + ", mass: " + number(c.positive()) + ", inertia: " +
            list({{i, i * (1.0 + 0.4 * std::abs(c.unit())), i * (1.0 + 0.4 * std::abs(c.unit()))}}) +
            ", position: " + list(places.back());
    if (c.below(3) == 0) text += ", velocity: " + list(point(c));
    if (c.below(3) == 0) text += ", angular_velocity: " + list({{c.any(), c.any(), c.any()}});
    text += "}\n";
  }
  const auto two = [&](unsigned& a, unsigned& b) {
    b = 1 + c.below(count);
    a = c.below(count + 1);
    if (a == b) a = 0;
    return "bodies: [" + names[a] + ", " + names[b] + "]";
  };
  std::string joints;
  std::vector<Joint> sliding;  // with a coordinate, for what acts along it
  for (unsigned k = c.below(6); k > 0; --k) {
    unsigned a = 0, b = 0;
    const std::string who = two(a, b);
    const Point at = point(c);
    const char* axis = c.below(2) == 0 ? "[0, 0, 1]" : "[1, 0, 0]";
    const std::string points =
        ", point_a: " + list(minus(at, places[a])) + ", point_b: " + list(minus(at, places[b]));
    const std::string name = "j" + std::to_string(k);
    switch (c.below(8)) {
      case 0:
        joints += "  - {type: spherical, " + who + points + "}\n";
        break;
      case 1:
        joints += "  - {type: point_on_line, " + who + points + ", axis_a: " + axis + "}\n";
        break;
      case 2:
        joints += "  - {type: knife_edge, bodies: " + names[b] + ", side: [0, 1, 0]}\n";
        break;
      case 3:
        if (sliding.empty()) break;
        joints += "  - {type: drive, " + chosen_joint(c, sliding) + ", target: " + function(c) +
                  ", as_placed: true, rate: " + (c.below(2) == 0 ? "true" : "false") + "}\n";
        break;
      default: {
        const char* type = c.one_of({"revolute", "cylindrical", "prismatic", "planar", "weld", "revolute"});
        joints += std::string("  - {type: ") + type + ", name: " + name + ", " + who + points +
                  ", axis_a: " + axis + ", axis_b: " + axis + "}\n";
        if (*type == 'r' || *type == 'c') sliding.push_back({name, "angle"});
        if (*type == 'p' && type[1] == 'r') sliding.push_back({name, "displacement"});
      }
    }
  }
  if (!joints.empty()) text += "joints:\n" + joints;
  std::string forces;
  for (unsigned k = c.below(5); k > 0; --k) {
    unsigned a = 0, b = 0;
    const std::string who = two(a, b);
    const auto six = [&] {
      return "[" + number(c.any()) + ", 1, 1, 1, " + number(c.any()) + ", " + number(c.any()) + "]";
    };
    switch (c.below(9)) {
      case 0:
        forces += "  - {type: torque, bodies: " + names[b] +
                  ", torque: " + list({{c.any(), c.any(), c.any()}}) + "}\n";
        break;
      case 1:
        forces += "  - {type: point_force, bodies: " + names[b] + ", point: " + list(point(c)) +
                  ", force: " + list({{c.any(), c.any(), c.any()}}) + "}\n";
        break;
      case 2:
        forces += "  - {type: strut, " + who + ", point_b: " + list(point(c)) +
                  ", stiffness: " + number(c.any()) + ", friction: " + number(std::abs(c.any())) +
                  ", actuator: " + function(c) + "}\n";
        break;
      case 3:
        forces += "  - {type: bushing, " + who + ", stiffness: " + six() + ", damping: " + six() + "}\n";
        break;
      case 4:
        forces += "  - {type: varying_torque, bodies: " + names[b] +
                  ", torque: " + list({{c.any(), c.any(), c.any()}}) +
                  ", axes: " + c.one_of({"world", "body"}) + ", factor: " + function(c) + "}\n";
        break;
      case 5:
        if (sliding.empty()) break;
        forces += "  - {type: joint_force, " + chosen_joint(c, sliding) + ", stiffness: " + number(c.any()) +
                  ", friction: " + number(std::abs(c.any())) + ", actuator: " + function(c) + "}\n";
        break;
      case 6:
        if (sliding.empty()) break;
        forces += "  - {type: joint_friction, joint: " + sliding[c.below(size_of(sliding))].name +
                  ", coefficient: " + number(std::abs(c.unit())) +
                  ", radius: 0.1, viscous: " + number(std::abs(c.any())) + "}\n";
        break;
      case 7:
        if (sliding.empty()) break;
        forces += "  - {type: pid, " + chosen_joint(c, sliding) + ", target: " + function(c) +
                  ", proportional: " + number(c.any()) + ", integral: " + number(c.any()) +
                  ", limit: " + number(std::abs(c.any())) + ", period: " + (c.below(2) == 0 ? "0" : "1e-3") +
                  "}\n";
        break;
      default:
        forces += "  - {type: spring_damper, " + who + ", point_b: " + list(point(c)) +
                  ", stiffness: " + number(c.any()) + ", damping: " + number(c.any()) +
                  ", rest_length: " + number(std::abs(c.unit())) + "}\n";
    }
  }
  if (!forces.empty()) text += "forces:\n" + forces;
  return text;
}

const std::filesystem::path& file() {
  static const std::filesystem::path path = "/dev/shm/catena-fuzz-run-" + std::to_string(getpid()) + ".yaml";
  return path;
}

// Stops a run after a second, as Ctrl-C does: stiff springs on light bodies take an explicit method any number of steps.
class Patience {
 public:
  Patience() {
    std::thread([this] {
      for (;;) {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        if (--left_ <= 0) stop_ = true;
      }
    }).detach();
  }
  const std::atomic<bool>* begin() {
    left_ = 10;
    stop_ = false;
    return &stop_;
  }

 private:
  std::atomic<bool> stop_{false};
  std::atomic<int> left_{10};
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Catalog catalog = builtin();
  Choices c(data, size);
  const double h = std::pow(10.0, -4.0 + c.below(4));
  const double steps = 1.0 + c.below(8);
  std::vector<std::string> arguments{"run",
                                     file().string(),
                                     "--stepper",
                                     c.one_of({"generalized_alpha", "lie_dae", "alpha_rattle",
                                               "dormand_prince", "discrete_action", "hht", "newmark"}),
                                     "--step",
                                     number(h),
                                     "--end",
                                     number(steps * h),
                                     "--json",
                                     "-"};
  if (c.below(4) == 0 && arguments[3] == "lie_dae") {
    arguments.emplace_back("--option");
    arguments.push_back(std::string("index=") + c.one_of({"1", "2", "3", "stabilized"}));
  }
  if (c.below(4) == 0) {
    arguments.emplace_back("--record");
    arguments.emplace_back("all");
  }
  std::ofstream(file()) << model_of(c);
  std::ostringstream out, err;
  static Patience patience;
  const int code = cli(arguments, catalog, Console{out, err, false, patience.begin()});
  if (code != exit_ok && code != exit_run_ended_early && code != exit_bad_input && code != exit_interrupted)
    broken("an exit code of no list");
  if (code != exit_ok && err.str().empty()) broken("a failure without a word");
  if (code == exit_bad_input) return 0;
  const nlohmann::json report = nlohmann::json::parse(out.str(), nullptr, false);
  if (report.is_discarded()) broken("a report that is no JSON");
  if ((code == exit_ok) != (report["status"] == "ok")) broken("status and exit code differ");
  if (code == exit_ok && !report["energy_final"].is_number()) broken("a run that is ok without an energy");
  return 0;
}
