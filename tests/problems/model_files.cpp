// The mechanisms of problems/files against what is known of them: exact kinematics, independent equations of motion,
// published digits.
#include <catena/math/rotation.hpp>

#include "support/ask.hpp"
#include "support/source_folder.hpp"
#include "support/temporary_folder.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <sstream>
#include <string>
#include <vector>

namespace {

using namespace catena;
using namespace catena::detail;
using catena_test::Answer;
using catena_test::ask;
using FileJson = nlohmann::json;

std::string shipped(const std::string& name) {
  return (catena_test::source_folder() / "problems/files" / name).string();
}

// The report of a run.
FileJson run_file(const std::string& name, double end, const std::string& stepper,
                  const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments{"run",   shipped(name),       "--stepper", stepper,
                                     "--end", std::to_string(end), "--json",    "-"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const Answer answer = ask(arguments);
  REQUIRE_MESSAGE(answer.code == exit_ok, answer.err);
  return FileJson::parse(answer.out);
}

Vec3 vector_of(const FileJson& numbers) {
  return {{numbers.at(0).get<double>(), numbers.at(1).get<double>(), numbers.at(2).get<double>()}};
}
// positions or velocities of a body.
Vec3 of_body(const FileJson& report, const char* what, const std::string& name) {
  const auto names = report["body_names"].get<std::vector<std::string>>();
  const auto found = std::find(names.begin(), names.end(), name);
  REQUIRE(found != names.end());
  return vector_of(report[what].at(static_cast<std::size_t>(found - names.begin())));
}
Quat turn_of(const FileJson& report, std::size_t body) {
  const FileJson& q = report["quaternions"].at(body);
  return {q.at(0).get<double>(), q.at(1).get<double>(), q.at(2).get<double>(), q.at(3).get<double>()};
}

double difference(const Vec3& a, const Vec3& b) { return norm(a - b); }

// Rodrigues' formula, about an axis through the origin.
Vec3 turned(const Vec3& x, const Vec3& axis, double angle) {
  const Vec3 k = (1.0 / norm(axis)) * axis;
  return std::cos(angle) * x + std::sin(angle) * cross(k, x) + ((1.0 - std::cos(angle)) * dot(k, x)) * k;
}

// Difference quotient of order 6.
template <class F>
double slope(const F& f, double x, double h) {
  return (45.0 * (f(x + h) - f(x - h)) - 9.0 * (f(x + 2.0 * h) - f(x - 2.0 * h)) +
          (f(x + 3.0 * h) - f(x - 3.0 * h))) /
         (60.0 * h);
}

// y' = f(y) by the classical Runge-Kutta method of order 4.
template <std::size_t n, class F>
void runge_kutta(std::array<double, n>& y, double h, long steps, const F& f) {
  const auto ahead = [](const std::array<double, n>& y0, double c, const std::array<double, n>& k) {
    std::array<double, n> y1 = y0;
    for (std::size_t i = 0; i < n; ++i) y1[i] += c * k[i];
    return y1;
  };
  for (long s = 0; s < steps; ++s) {
    const std::array<double, n> k1 = f(y), k2 = f(ahead(y, 0.5 * h, k1)), k3 = f(ahead(y, 0.5 * h, k2)),
                                k4 = f(ahead(y, h, k3));
    for (std::size_t i = 0; i < n; ++i) y[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
  }
}

}  // namespace

TEST_CASE("slider_crank.yaml: the slider is where the angle of its crank puts it, and so is its speed") {
  const double r = 0.2, l = 0.5, rate = 4.0 * std::numbers::pi;
  for (const double t : {0.13, 0.37, 1.0}) {
    CAPTURE(t);
    const FileJson report =
        run_file("slider_crank.yaml", t, "dormand_prince", {"--option", "max_step=0.0005"});
    const double a = 0.5 * std::numbers::pi + rate * t,
                 root = std::sqrt(l * l - r * r * std::sin(a) * std::sin(a));
    const double x = r * std::cos(a) + root;
    const double v = rate * (-r * std::sin(a) - r * r * std::sin(a) * std::cos(a) / root);
    CHECK(difference(of_body(report, "positions", "slider"), {{x, 0.0, 0.0}}) < 1e-12);
    CHECK(difference(of_body(report, "velocities", "slider"), {{v, 0.0, 0.0}}) < 1e-10);
    CHECK(std::abs(report["energy_balance"].get<double>()) < 1e-6);
    CHECK(report["redundancy"]["rank"] == 18);
    CHECK(report["constraint_rows"] == 21);
  }
}

TEST_CASE(
    "incline.yaml: the sled climbs with g (sin + mu cos) against it, then creeps by what friction leaves") {
  const double slope_angle = std::numbers::pi / 9.0, mu = 0.5, slow = 1e-4;
  const double a = 9.81 * (std::sin(slope_angle) + mu * std::cos(slope_angle));
  const Vec3 up{{std::cos(slope_angle), 0.0, std::sin(slope_angle)}};
  for (const char* stepper : {"generalized_alpha", "lie_dae"}) {
    CAPTURE(stepper);
    const FileJson climbs = run_file("incline.yaml", 0.2, stepper);
    // Of the friction slow^2 / (2 v^2) is missing, 3e-8 at the end.
    CHECK(difference(of_body(climbs, "velocities", "sled"), (2.0 - 0.2 * a) * up) < 1e-7);
    CHECK(std::abs(climbs["energy_balance"].get<double>()) < 1e-5);
    const FileJson sticks = run_file("incline.yaml", 0.5, stepper);
    const double part = std::tan(slope_angle) / mu, creep = slow * part / std::sqrt(1.0 - part * part);
    CHECK(difference(of_body(sticks, "velocities", "sled"), -creep * up) < 1e-9);
    // The speeds below `slow` last for slow / a each way.
    CHECK(difference(of_body(sticks, "positions", "sled"), (2.0 / a - creep * (0.5 - 2.0 / a)) * up) < 1e-5);
  }
}

TEST_CASE(
    "spatial_slider_crank.yaml: the slider is where the angle of its crank puts it, and so is its speed") {
  for (const double t : {0.21, 0.9, 2.0}) {
    CAPTURE(t);
    const FileJson report =
        run_file("spatial_slider_crank.yaml", t, "dormand_prince", {"--option", "max_step=0.0005"});
    const double a = 6.0 * t, y = 0.1 - 0.08 * std::sin(a), z = 0.12 + 0.08 * std::cos(a);
    const double x = std::sqrt(0.09 - y * y - z * z);
    const double v = 6.0 * (y * 0.08 * std::cos(a) + z * 0.08 * std::sin(a)) / x;
    CHECK(difference(of_body(report, "positions", "slider"), {{x, 0.0, 0.0}}) < 1e-12);
    CHECK(difference(of_body(report, "velocities", "slider"), {{v, 0.0, 0.0}}) < 1e-10);
    CHECK(std::abs(report["energy_balance"].get<double>()) < 1e-8);
    CHECK(report["redundancy"]["suspected"] == false);
  }
}

// Three coordinates: the angle of the arms below the level, the height of the slider; that of the shaft follows from
// the angular momentum.
TEST_CASE("governor.yaml moves as its three coordinates do") {
  const double bar = 0.3, ball = 5.0, m = bar + ball, centre = (0.5 * bar + ball) / m, g = 9.81, k = 8e5,
               c = 4e4;
  const double along = bar * 2e-4 / 12.0, across = bar * (1.0 + 1e-4) / 12.0 +
                                                   bar * (0.5 - centre) * (0.5 - centre) +
                                                   ball * (1.0 - centre) * (1.0 - centre);
  const double slider = 3.0, about_shaft = along + slider * 0.02 / 12.0;
  const double swing = across + m * centre * centre;
  const auto inertia = [&](double angle) {
    const double cosine = std::cos(angle), sine = std::sin(angle);
    return about_shaft + 2.0 * (swing * cosine * cosine + along * sine * sine);
  };
  const double angle = std::numbers::pi / 6.0;
  const double momentum = 2.0 * std::numbers::pi * inertia(angle);
  const auto rate = [&](const std::array<double, 4>& y) {
    const double cosine = std::cos(y[0]), sine = std::sin(y[0]);
    const double dx = 0.5 * cosine, dz = 1.0 - 0.5 * sine - y[1], length = std::hypot(dx, dz);
    const double by_angle = (-0.5 * sine * dx - 0.5 * cosine * dz) / length, by_height = -dz / length;
    const double force = k * (length - 0.5) + c * (by_angle * y[2] + by_height * y[3]);
    const double spin = momentum / inertia(y[0]), change = 4.0 * (along - swing) * cosine * sine;
    return std::array<double, 4>{
        y[2], y[3],
        (0.5 * change * spin * spin + 2.0 * m * g * centre * cosine - 2.0 * force * by_angle) / (2.0 * swing),
        -g - 2.0 * force * by_height / slider};
  };
  std::array<double, 4> y{angle, 0.5, 0.0, 0.0};
  runge_kutta(y, 1e-5, 50000, rate);
  const double end = 0.5;
  const FileJson fine = run_file("governor.yaml", end, "dormand_prince",
                                 {"--option", "stiffness_check=false", "--option", "guard_stability=off"});
  const auto height = [](const FileJson& report) { return of_body(report, "positions", "slider")[2]; };
  CHECK(std::abs(y[1] - 0.5) > 0.01);  // it has moved
  CHECK(std::abs(height(fine) - y[1]) < 1e-8);
  CHECK(std::abs(of_body(fine, "velocities", "slider")[2] - y[3]) < 1e-7);
  CHECK(std::abs(fine["quantities"]["momentum/angular"]["final"][2].get<double>() - momentum) <
        1e-9 * momentum);
  // The stepper of the file, with steps that do not resolve the springs: of order 2.
  const double coarse = std::abs(height(run_file("governor.yaml", end, "generalized_alpha")) - y[1]);
  const double half =
      std::abs(height(run_file("governor.yaml", end, "generalized_alpha", {"--step", "0.0005"})) - y[1]);
  CHECK(coarse < 1e-4);
  CHECK(half < 0.3 * coarse);
}

TEST_CASE(
    "stewart.yaml ends in the pose whose lengths of legs drive it, and its legs have their lengths on the "
    "way") {
  const Vec3 axis{{0.1, 0.2, -0.15}}, place{{0.1, -0.05, 0.9}};
  const auto anchor = [](double radius, double degrees) {
    const double a = degrees * std::numbers::pi / 180.0;
    return Vec3{{radius * std::cos(a), radius * std::sin(a), 0.0}};
  };
  for (const double t : {0.35, 0.7, 1.2}) {
    CAPTURE(t);
    const FileJson report = run_file("stewart.yaml", t, "generalized_alpha");
    const Vec3 position = of_body(report, "positions", "plate");
    const Mat3 R = rotation_matrix(turn_of(report, 0));
    const double s = std::min(t, 1.0);
    for (int third = 0; third < 3; ++third)
      for (const double side : {-1.0, 1.0}) {
        const Vec3 foot = anchor(0.6, 120.0 * third + 20.0 * side),
                   head = anchor(0.35, 120.0 * third + 40.0 * side);
        const double before = norm(Vec3{{0.0, 0.0, 0.8}} + head - foot);
        const double after = norm(place + turned(head, axis, norm(axis)) - foot);
        const double smooth = s * s * s * (10.0 - 15.0 * s + 6.0 * s * s);
        CHECK(std::abs(norm(position + R * head - foot) - (before + smooth * (after - before))) < 1e-12);
      }
    if (t < 1.0) continue;
    CHECK(difference(position, place) < 1e-12);
    for (int k = 0; k < 3; ++k)
      CHECK(difference(R * Vec3::Unit(k), turned(Vec3::Unit(k), axis, norm(axis))) < 1e-12);
    CHECK(std::abs(report["energy_balance"].get<double>()) < 1e-7);
  }
}

namespace {

// The suspension by the angle of its lower arm: points where spheres meet.
struct Wishbone {
  Vec3 lower_hinge{{0.0, 0.3, 0.2}}, lower_axis{{1.0, 0.0, 0.05}}, upper_hinge{{0.0, 0.38, 0.5}},
      upper_axis{{1.0, 0.0, -0.08}};
  Vec3 lower_ball{{0.0, 0.7, 0.18}}, upper_ball{{-0.02, 0.66, 0.48}}, inner{{-0.12, 0.32, 0.25}},
      outer{{-0.14, 0.68, 0.24}};
  Vec3 wheel{{0.0, 0.76, 0.32}}, knuckle{{0.0, 0.74, 0.32}}, lower_arm{{0.0, 0.5, 0.19}},
      upper_arm{{-0.01, 0.52, 0.49}}, strut{{0.0, 0.55, 0.19}}, top{{0.0, 0.42, 0.62}};
  double stiffness = 40e3, rest_length = 0.58, load = 3000.0, g = 9.81;

  // Wheel, centre of the knuckle, centres of the arms, end of the strut.
  struct Pose {
    Vec3 wheel, knuckle, lower_arm, upper_arm, strut;
  };
  Pose at(double angle) const {
    const auto on_lower = [&](const Vec3& p) {
      return lower_hinge + turned(p - lower_hinge, lower_axis, angle);
    };
    const Vec3 L = on_lower(lower_ball);
    // |U(psi) - L| is the distance of the balls: A cos psi + B sin psi = C.
    const Vec3 k = (1.0 / norm(upper_axis)) * upper_axis, arm = upper_ball - upper_hinge,
               along = dot(k, arm) * k, across = arm - along, side = cross(k, arm), to = L - upper_hinge;
    const double span = norm(upper_ball - lower_ball);
    const double A = dot(across, to), B = dot(side, to),
                 C = 0.5 * (dot(arm, arm) + dot(to, to) - span * span) - dot(along, to);
    const double middle = std::atan2(B, A), half = std::acos(C / std::hypot(A, B));
    const double one = std::remainder(middle + half, 2.0 * std::numbers::pi),
                 other = std::remainder(middle - half, 2.0 * std::numbers::pi);
    const double psi = std::abs(one) < std::abs(other) ? one : other;
    const auto on_upper = [&](const Vec3& p) {
      return upper_hinge + turned(p - upper_hinge, upper_axis, psi);
    };
    const Vec3 U = on_upper(upper_ball);
    // The outer end of the tie rod: on spheres about L, U and the inner end.
    const double from_l = norm(outer - lower_ball), from_u = norm(outer - upper_ball),
                 rod = norm(outer - inner);
    const Vec3 i = (1.0 / norm(U - L)) * (U - L), reach = inner - L;
    const Vec3 rest = reach - dot(i, reach) * i, j = (1.0 / norm(rest)) * rest, n = cross(i, j);
    const double x = (from_l * from_l - from_u * from_u + span * span) / (2.0 * span);
    const double y =
        (from_l * from_l - rod * rod + dot(reach, reach) - 2.0 * dot(i, reach) * x) / (2.0 * dot(j, reach));
    const double height = std::sqrt(from_l * from_l - x * x - y * y);
    const Vec3 plus = L + x * i + y * j + height * n, minus = L + x * i + y * j - height * n;
    const Vec3 T = norm(plus - outer) < norm(minus - outer) ? plus : minus;
    // What the triad of the three points of the knuckle carries.
    const auto triad = [](const Vec3& a, const Vec3& b, const Vec3& c) {
      const Vec3 e1 = (1.0 / norm(b - a)) * (b - a), up = cross(b - a, c - a), e3 = (1.0 / norm(up)) * up;
      return std::array<Vec3, 3>{e1, cross(e3, e1), e3};
    };
    const std::array<Vec3, 3> first = triad(lower_ball, upper_ball, outer), now = triad(L, U, T);
    const auto on_knuckle = [&](const Vec3& p) {
      Vec3 out = L;
      for (std::size_t a = 0; a < 3; ++a) out = out + dot(first[a], p - lower_ball) * now[a];
      return out;
    };
    return {on_knuckle(wheel), on_knuckle(knuckle), on_lower(lower_arm), on_upper(upper_arm),
            on_lower(strut)};
  }
  double energy(double angle) const {
    const Pose p = at(angle);
    const double e = norm(p.strut - top) - rest_length;
    return 0.5 * stiffness * e * e + g * (35.0 * p.knuckle[2] + 5.0 * p.lower_arm[2] + 3.0 * p.upper_arm[2]) -
           load * p.wheel[2];
  }
};

}  // namespace

TEST_CASE(
    "wishbone.yaml rests where the energy over the angle of its lower arm is least, and its loops close") {
  const Wishbone exact;
  const auto moment = [&](double a) { return slope([&](double x) { return exact.energy(x); }, a, 2e-3); };
  double low = -0.2, high = 0.2;
  REQUIRE(moment(low) < 0.0);
  REQUIRE(moment(high) > 0.0);
  for (int k = 0; k < 60; ++k) (moment(0.5 * (low + high)) < 0.0 ? low : high) = 0.5 * (low + high);
  const Wishbone::Pose rest = exact.at(low);

  const Answer found = ask({"equilibrium", shipped("wishbone.yaml"), "--json", "-"});
  REQUIRE(found.code == 0);
  const FileJson q = FileJson::parse(found.out)["equilibrium"]["q"];
  const auto place = [&](std::size_t body) {
    return Vec3{
        {q.at(7 * body).get<double>(), q.at(7 * body + 1).get<double>(), q.at(7 * body + 2).get<double>()}};
  };
  CHECK(std::abs(low) > 0.01);  // it has moved
  CHECK(difference(place(0), rest.lower_arm) < 1e-10);
  CHECK(difference(place(1), rest.upper_arm) < 1e-10);
  CHECK(difference(place(2), rest.knuckle) < 1e-10);

  // On the way there the loops close as the spheres say, and what the damper takes is accounted for.
  const FileJson report = run_file("wishbone.yaml", 0.2, "dormand_prince", {"--tolerance", "1e-10"});
  const Vec3 arm = of_body(report, "positions", "lower arm") - exact.lower_hinge;
  const Vec3 k = (1.0 / norm(exact.lower_axis)) * exact.lower_axis,
             first = exact.lower_arm - exact.lower_hinge;
  const double angle = std::atan2(dot(k, cross(first, arm)), dot(first - dot(k, first) * k, arm));
  CHECK(difference(vector_of(report["quantities"]["points/position"]["final"]), exact.at(angle).wheel) <
        1e-11);
  CHECK(std::abs(report["energy_balance"].get<double>()) < 1e-6);
}

TEST_CASE("hanging_chain.yaml has the frequencies of Laguerre's zeros, and bears its weight") {
  const auto laguerre = [](double x) {
    double before = 1.0, now = 1.0 - x;
    for (int k = 1; k < 6; ++k) {
      const double next = ((2.0 * k + 1.0 - x) * now - k * before) / (k + 1.0);
      before = now;
      now = next;
    }
    return now;
  };
  std::vector<double> zeros;
  for (int part = 0; part < 400; ++part) {
    const double x = 0.05 * part;
    if (laguerre(x) * laguerre(x + 0.05) < 0.0) {
      double low = x, high = x + 0.05;
      for (int k = 0; k < 60; ++k)
        (laguerre(low) * laguerre(0.5 * (low + high)) > 0.0 ? low : high) = 0.5 * (low + high);
      zeros.push_back(low);
    }
  }
  REQUIRE(zeros.size() == 6);
  const Answer answer =
      ask({"modes", shipped("hanging_chain.yaml"), "--set", "push=0", "--count", "12", "--json", "-"});
  REQUIRE(answer.code == 0);
  const FileJson modes = FileJson::parse(answer.out)["modes"]["modes"];
  REQUIRE(modes.size() == 12);
  for (std::size_t k = 0; k < 12; ++k) {
    const double omega = std::sqrt(9.81 * zeros[k / 2] / 0.5);
    CHECK(std::abs(modes[k]["eigenvalue"][1].get<double>() - omega) < 1e-11 * omega);
  }
  const Answer rest = ask({"equilibrium", shipped("hanging_chain.yaml"), "--set", "push=0", "--json", "-"});
  REQUIRE(rest.code == 0);
  int rods = 0;
  const FileJson reactions = FileJson::parse(rest.out)["equilibrium"]["reactions"];
  for (const FileJson& reaction : reactions) {
    if (reaction["joint"].get<std::string>().find("rod") == std::string::npos) continue;
    CHECK(std::abs(reaction["force"][2].get<double>() - 9.81 * (6 - rods)) < 1e-11);
    ++rods;
  }
  CHECK(rods == 6);
  // Pushed aside, it swings; the constant force has a potential.
  const FileJson pushed = run_file("hanging_chain.yaml", 1.0, "dormand_prince", {"--set", "push=2"});
  CHECK(pushed["kinetic_energy_final"].get<double>() > 0.1);
  CHECK(std::abs(pushed["energy_balance"].get<double>()) < 1e-7);
}

TEST_CASE("ladder.yaml, net.yaml and sprung_chain.yaml keep their energy, less what their dampers take") {
  for (const auto& one : {std::pair("ladder.yaml", 0.5), {"net.yaml", 0.2}, {"sprung_chain.yaml", 0.2}}) {
    CAPTURE(one.first);
    const FileJson report = run_file(one.first, one.second, "dormand_prince", {"--tolerance", "1e-8"});
    CHECK(report["kinetic_energy_final"].get<double>() > 1.0);
    CHECK(report["energy_error_max"].get<double>() < 1e-6);
  }
}

// Test Set for Initial Value Problem Solvers, release 2.4: beta, Theta, gamma, Phi, delta, Omega, epsilon at 0.03 s.
TEST_CASE("the balance of a damped, driven four-bar falls with order 2, and 4 with dormand_prince") {
  const catena_test::TemporaryFolder folder;
  const std::string file = (folder.path() / "damped.yaml").string();
  std::ofstream(file) << "catena: 1\ninclude: " << shipped("four_bar.yaml")
                      << "\nforces:\n  - {type: joint_force, name: damper, joint: foot, damping: 0.8}\n";
  const auto error = [&](const char* stepper, const char* step, const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"run", file,    "--stepper", stepper,  "--step",
                                       step,  "--end", "1",         "--json", "-"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Answer answer = ask(arguments);
    REQUIRE_MESSAGE(answer.code == exit_ok, answer.err);
    const FileJson report = FileJson::parse(answer.out);
    CHECK(report["work_of_forces"].get<double>() < -1.0);  // of the damper, less what the motor supplies
    return report["energy_error_max"].get<double>();
  };
  const double wide = error("generalized_alpha", "0.002", {}), fine = error("generalized_alpha", "0.001", {});
  CHECK(std::log2(wide / fine) > 1.9);
  CHECK(fine < 3e-4);
  const std::vector<std::string> fixed{"--option", "control=fixed"};
  const double wide_4 = error("dormand_prince", "0.0025", fixed),
               fine_4 = error("dormand_prince", "0.00125", fixed);
  CHECK(std::log2(wide_4 / fine_4) > 3.8);
  CHECK(fine_4 < 2e-10);
}

TEST_CASE("planar_four_bar.yaml moves as the linkage of rigid bodies, without a redundant row") {
  const FileJson plane = run_file("planar_four_bar.yaml", 1.0, "dormand_prince", {"--tolerance", "1e-11"});
  const Answer answer = ask({"run", "four_bar", "--stepper", "dormand_prince", "--tolerance", "1e-11",
                             "--end", "1", "--json", "-"});
  REQUIRE_MESSAGE(answer.code == exit_ok, answer.err);
  const FileJson space = FileJson::parse(answer.out);
  for (const char* body : {"crank", "coupler", "rocker"}) {
    CHECK(difference(of_body(plane, "positions", body), of_body(space, "positions", body)) < 1e-9);
    CHECK(difference(of_body(plane, "velocities", body), of_body(space, "velocities", body)) < 1e-8);
  }
  CHECK(norm(of_body(plane, "velocities", "crank")) > 0.1);
  CHECK(plane["constraint_rows"] == 8);
  CHECK(plane["redundancy"]["rank"] == 8);
  CHECK(space["constraint_rows"] == 20);
  CHECK(std::abs(plane["energy_balance"].get<double>()) < 1e-8);
}

TEST_CASE("andrews.yaml has the digits of the test set under error control, and nine redundant rows") {
  const FileJson report = run_file("andrews.yaml", 0.03, "dormand_prince", {"--tolerance", "1e-12"});
  const double beta = 15.81077119629904, theta = -15.75637105984298, gamma = 0.04082224013073101,
               phi = -0.5347301163226948, delta = 0.5244099658805304, omega = 0.5347301163226948,
               epsilon = 1.048080741042263;
  const double angles[7] = {beta, beta + theta, gamma, phi + delta, delta, omega + epsilon, epsilon};
  for (std::size_t k = 0; k < 7; ++k) {
    CAPTURE(k);
    const Quat q = turn_of(report, k);
    CHECK(std::abs(std::remainder(2.0 * std::atan2(q.z, q.w) - angles[k], 2.0 * std::numbers::pi)) < 2e-9);
  }
  // The same plane equations by RK4 of 80 bits in steps of 1 and 0.5 microseconds: the digits of the test set are
  // good to 1.1e-9 rad.
  const double beta_80 = 15.810771195153707, gamma_80 = 0.04082224011965, epsilon_80 = 1.048080741041946;
  const auto off = [&](std::size_t body, double angle) {
    const Quat q = turn_of(report, body);
    return std::abs(std::remainder(2.0 * std::atan2(q.z, q.w) - angle, 2.0 * std::numbers::pi));
  };
  CHECK(off(0, beta_80) < 5e-11);
  CHECK(off(2, gamma_80) < 5e-12);
  CHECK(off(6, epsilon_80) < 5e-12);
  CHECK(std::abs(report["angular_velocities"][0][2].get<double>() - 1139.92030225911) < 1e-7);
  CHECK(std::abs(report["energy_balance"].get<double>()) < 1e-10);
  CHECK(report["constraint_rows"] == 50);
  CHECK(report["redundancy"]["rank"] == 41);
  REQUIRE(report["redundancy"]["dependencies"].size() == 1);
  CHECK(report["redundancy"]["dependencies"][0]["rows"] == 9);
  CHECK(report["redundancy"]["dependencies"][0]["constraints"].size() == 10);
  for (const FileJson& open : report["redundancy"]["open"]) {
    CHECK(open["force"] == FileJson({false, false, true}));
    CHECK(open["torque"] == FileJson({true, true, false}));
  }
}

TEST_CASE(
    "radau and dop853 reach eight digits of andrews.yaml by their defaults, with rows that are redundant") {
  for (const char* stepper : {"radau", "dop853"}) {
    CAPTURE(stepper);
    const FileJson report = run_file("andrews.yaml", 0.03, stepper, {});
    const auto off = [&](std::size_t body, double angle) {
      const Quat q = turn_of(report, body);
      return std::abs(std::remainder(2.0 * std::atan2(q.z, q.w) - angle, 2.0 * std::numbers::pi));
    };
    // Digits as above; the first body has turned by 15.8 rad.
    CHECK(off(0, 15.810771195153707) < 15.8e-8);
    CHECK(off(2, 0.04082224011965) < 1e-8);
    CHECK(off(6, 1.048080741041946) < 1e-8);
  }
}

namespace {

// Bricard's mechanism over one coordinate tau of its closed curve of positions: with
// e^sigma = 1 + sin a = 1 / (1 + sin b), sigma = log 2 sin tau runs to and fro between the ends of a and of b.
struct Bricard {
  struct Motion {
    std::array<Vec3, 5> centres, speeds, spins, rods;  // spins in the world, for a unit rate of tau
    Vec3 end_of_two;
  };
  static double part(double x) {  // -expm1(-log 2 x) / x
    const double L = std::numbers::ln2;
    return std::abs(x) < 1e-8 ? L * (1.0 - 0.5 * L * x) : -std::expm1(-L * x) / x;
  }
  static Motion at(double tau) {
    const double L = std::numbers::ln2, sine = std::sin(tau), sigma = L * sine;
    // cos a changes its sign where sin tau = 1, cos b where sin tau = -1; cos tau = minus plus.
    const double minus = std::cos(0.5 * tau) - std::sin(0.5 * tau),
                 plus = std::cos(0.5 * tau) + std::sin(0.5 * tau);
    const double root_a = std::sqrt(2.0 * part(1.0 - sine) * std::exp(sigma));
    const double root_b = std::sqrt(2.0 * part(1.0 + sine) * std::exp(-sigma));
    const double a = std::atan2(std::expm1(sigma), minus * root_a);
    const double b = std::atan2(std::expm1(-sigma), plus * root_b);
    const double a_rate = std::exp(sigma) * L * plus / root_a,
                 b_rate = -std::exp(-sigma) * L * minus / root_b;
    const Vec3 edges[5] = {Vec3::Unit(0), -1.0 * Vec3::Unit(1), Vec3::Unit(2), -1.0 * Vec3::Unit(0),
                           Vec3::Unit(1)};
    const int axes[5] = {1, 2, 0, 1, 2};
    std::array<Vec3, 3> columns{Vec3::Unit(0), Vec3::Unit(1), Vec3::Unit(2)};  // of the rotation so far
    const auto apply = [&](const Vec3& x) {
      return x[0] * columns[0] + x[1] * columns[1] + x[2] * columns[2];
    };
    Motion out;
    Vec3 point = Vec3::Zero(), speed = Vec3::Zero(), spin = Vec3::Zero();
    for (std::size_t k = 0; k < 5; ++k) {
      const Vec3 axis = apply(Vec3::Unit(axes[k]));
      spin = spin + (k % 2 == 0 ? a_rate : b_rate) * axis;
      for (Vec3& column : columns) column = turned(column, axis, k % 2 == 0 ? a : b);
      const Vec3 rod = apply(edges[k]);
      out.rods[k] = rod;
      out.spins[k] = spin;
      out.centres[k] = point + 0.5 * rod;
      out.speeds[k] = speed + 0.5 * cross(spin, rod);
      point = point + rod;
      speed = speed + cross(spin, rod);
      if (k == 2) out.end_of_two = point;
    }
    return out;
  }
  // Twice the kinetic energy of a unit rate.
  static double mass(double tau) {
    const Motion m = at(tau);
    double sum = 0.0;
    for (std::size_t k = 0; k < 5; ++k) {
      const double axial = dot(m.spins[k], m.rods[k]), square = dot(m.spins[k], m.spins[k]);
      sum += dot(m.speeds[k], m.speeds[k]) + 0.02 / 12.0 * axial * axial +
             1.01 / 12.0 * (square - axial * axial);
    }
    return sum;
  }
  static double energy(double tau) {
    double sum = 0.0;
    for (const Vec3& c : at(tau).centres) sum += 9.81 * c[1];
    return sum;
  }
};

}  // namespace

TEST_CASE("bricard.yaml moves as its one coordinate does, and one row is redundant") {
  const auto rate = [](const std::array<double, 2>& y) {
    const double h = 4e-3;
    return std::array<double, 2>{
        y[1], -(0.5 * slope(Bricard::mass, y[0], h) * y[1] * y[1] + slope(Bricard::energy, y[0], h)) /
                  Bricard::mass(y[0])};
  };
  REQUIRE(norm(Bricard::at(0.3).centres[4] + 0.5 * Bricard::at(0.3).rods[4] - Vec3::Unit(2)) <
          1e-14);  // it closes
  std::array<double, 2> y{0.0, 0.0}, coarse = y;
  runge_kutta(y, 5e-4, 20000, rate);
  runge_kutta(coarse, 1e-3, 10000, rate);
  const Vec3 exact = Bricard::at(y[0]).end_of_two;
  CHECK(difference(Bricard::at(coarse[0]).end_of_two, exact) < 1e-8);
  // Errors of steps add up, so the tolerance is far below what is asked of the end.
  const auto p3 = [](const FileJson& r) { return vector_of(r["quantities"]["points/position"]["final"]); };
  const FileJson report = run_file("bricard.yaml", 10.0, "dormand_prince", {"--tolerance", "1e-10"});
  CHECK(difference(p3(report), exact) < 1e-9);
  // Errors are proportional to the tolerance, 1.8 m of it. Stages that stay off the rows lose 0.09 J of 29 J at 1e-6.
  for (const char* tolerance : {"1e-6", "1e-8"}) {
    const FileJson loose = run_file("bricard.yaml", 10.0, "dormand_prince", {"--tolerance", tolerance});
    CHECK(difference(p3(loose), exact) < 3.0 * std::stod(tolerance));
    CHECK(loose["energy_error_max"].get<double>() < 1e-6);
    CHECK(loose["steps"].get<int>() < 300);
  }
  CHECK(report["redundancy"]["rank"] == 29);
  CHECK(report["redundancy"]["dependencies"][0]["rows"] == 1);
  CHECK(report["redundancy"]["dependencies"][0]["constraints"].size() == 6);
  const FileJson tight = run_file("bricard.yaml", 10.0, "dormand_prince", {"--tolerance", "1e-12"});
  CHECK(difference(p3(tight), exact) < 5e-8);
  // As the file runs by itself.
  const Answer answer = ask({"run", shipped("bricard.yaml"), "--json", "-"});
  REQUIRE(answer.code == exit_ok);
  const FileJson own = FileJson::parse(answer.out);
  CHECK(own["energy_error_max"].get<double>() < 1e-6);
  CHECK(difference(p3(own), exact) < 1e-4);
}

// Both iterations end in the same step. What closes the rows behind a step moves the balance by the terms that a symmetric
// matrix lacks: 1.3e-7 J in 2 s at any step, were it left at that.
TEST_CASE("bricard.yaml keeps its energy as well with the quasi-Newton matrix as with the whole one") {
  double before = 0.0;
  for (const char* step : {"0.001", "0.0005"}) {
    const auto error = [&](const char* newton) {
      const Answer a = ask({"run", shipped("bricard.yaml"), "--end", "2", "--step", step, "--option",
                            std::string("newton=") + newton, "--json", "-"});
      REQUIRE(a.code == exit_ok);
      return FileJson::parse(a.out)["energy_error_max"].get<double>();
    };
    const double quasi = error("quasi"), exact = error("exact");
    CHECK(std::abs(quasi - exact) < 0.01 * exact);
    if (before > 0.0) CHECK(before / quasi == doctest::Approx(4.0).epsilon(0.02));  // order 2
    before = quasi;
  }
}

namespace {

// The largest force or bar in reactions.csv; nan where one is no number.
double largest_reaction(const std::vector<std::string>& arguments) {
  const catena_test::TemporaryFolder folder;
  std::vector<std::string> words{"run", shipped("bricard.yaml")};
  words.insert(words.end(), arguments.begin(), arguments.end());
  words.insert(words.end(), {"--format", "csv", "--output", (folder.path() / "out").string()});
  REQUIRE(ask(words).code == exit_ok);
  std::ifstream csv(folder.path() / "out/reactions.csv");
  double largest = -1.0;
  std::string line, cell;
  std::getline(csv, line);
  while (std::getline(csv, line)) {
    std::istringstream cells(line.substr(line.rfind('"') + 1));  // texts before have commas of their own
    while (std::getline(cells, cell, ',')) {
      char* end = nullptr;
      const double number = std::strtod(cell.c_str(), &end);
      if (end != cell.c_str() && *end == '\0' && !(std::abs(number) <= largest)) largest = std::abs(number);
    }
  }
  return largest;
}

}  // namespace

// The weights are 49 N in all. Each step carried what the rows leave open of the multipliers, extrapolated: 2e5 N within 2 s.
TEST_CASE("bricard.yaml: multipliers of redundant rows stay where they are from step to step") {
  for (const char* stepper : {"radau", "lie_bdf"}) {
    CAPTURE(stepper);
    const double largest = largest_reaction({"--stepper", stepper, "--tolerance", "1e-5", "--step", "1e-2",
                                             "--end", "2", "--record", "reactions/force"});
    CHECK(largest > 1.0);
    CHECK(largest < 100.0);
  }
}

// Redundant rows contradict each other by the roundoff that a method leaves: all recomputed multipliers were nan.
TEST_CASE("bricard.yaml has recomputed multipliers") {
  for (const char* stepper : {"generalized_alpha", "dop853", "radau"}) {
    CAPTURE(stepper);
    const double largest = largest_reaction({"--stepper", stepper, "--step", "2e-3", "--end", "0.02",
                                             "--record", "reactions/force", "--multipliers", "recomputed"});
    CHECK(largest > 1.0);
    CHECK(largest < 100.0);
  }
}
