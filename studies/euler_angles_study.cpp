#include <catena/problems/detail/joint_tree_motion.hpp>
#include <catena/problems/euler_angles.hpp>
#include <catena/problems/space_manipulator.hpp>
#include <catena/sparse/backends/backends.hpp>
#include <catena/studies/detail/euler_angles_runs.hpp>
#include <catena/studies/detail/euler_angles_study.hpp>

#include <cmath>
#include <initializer_list>
#include <string>
#include <vector>

namespace catena::detail {
namespace {

using namespace euler_angles_study;
using Kind = Comparison::Kind;
using Form = AngleForm;

void condition_table(StudyReport& report) {
  report.section(
      "Why it breaks down",
      "A = E^T J E, the mass matrix in Euler angles, loses its rank with sin theta3 = det E. Body of "
      "the test: m = 2 kg, J = diag(0.10, 0.12, 0.05) kg m^2 about its centre at (0.02, 0.01, 0.2) m "
      "from the pivot; theta1 = 0.6. The source proves the loss and gives no figure.");
  std::vector<Comparison> rows;
  const double known[] = {193.0, 1.95e4, 1.95e6, 1.95e8};
  for (int k = 0; k < 4; ++k) {
    const double sine = std::pow(10.0, -1 - k);
    rows.push_back({.what = "cond(A) at sin theta3 = " + study_number(sine, 2),
                    .reference = known[k],
                    .measured = condition_2(mass_in_angles(Vec3{{0.6, 0.3, std::asin(sine)}})),
                    .tolerance = 5e-3});
  }
  report.compare("Condition of A in the 2-norm", rows);
}

void one_body(StudyReport& report) {
  report.section("One body past the pole",
                 "Classical Runge-Kutta, h = 1e-3 s, 0.6 s; theta3 is nearest to zero at 0.3 s, the end of a "
                 "step. The equations are exchanged at every stage with |sin theta3| <= 1e-4. Error: largest "
                 "angle to the same body on a spherical joint in maximal coordinates (dormand_prince).");
  const PoleRule rule = source_rule();
  const double nearest[] = {0.0, 1e-5, 1e-4, 1e-3};
  const double mixed[] = {2.9e-8, 1.64e-5, 1.66e-4, 2.66e-5};
  std::vector<Comparison> rows;
  std::vector<std::vector<std::string>> table;
  double replaced_far = 0.0, plain_far = 0.0;
  for (int k = 0; k < 4; ++k) {
    const BallPassage passage(nearest[k]);
    const std::string at = ", theta3 >= " + study_number(nearest[k], 2);
    const AttitudeRun m = passage.run(Form::mixed, rule), r = passage.run(Form::replaced, rule),
                      p = passage.run(Form::plain, rule),
                      pivoting = passage.run(Form::plain, rule, [] { return make_backend("klu"); }),
                      refused = passage.run(Form::plain, PoleRule{});
    rows.push_back({.what = "mixed" + at + " [rad]",
                    .reference = mixed[k],
                    .measured = error_of(m),
                    .tolerance = k == 0 ? 0.02 : 5e-3});
    if (k < 2)
      rows.push_back({.what = "replaced" + at + " [rad]",
                      .reference = k == 0 ? 1e-3 : 0.1,
                      .measured = error_of(r),
                      .kind = Kind::at_most});
    if (k == 2)
      rows.push_back({.what = "replaced" + at + " [rad]",
                      .reference = 0.1,
                      .measured = error_of(r),
                      .kind = Kind::at_least,
                      .remark = "useless"});
    if (k < 3)
      rows.push_back({.what = "plain, pivoting" + at + " [rad]",
                      .reference = 0.1,
                      .measured = error_of(pivoting),
                      .kind = Kind::at_least,
                      .remark = "useless"});
    if (k == 1 || k == 2)
      rows.push_back({.what = "plain" + at + " [rad]",
                      .reference = 0.1,
                      .measured = error_of(p),
                      .kind = Kind::at_least,
                      .remark = "useless"});
    if (k == 3) {
      rows.push_back(
          {.what = "plain" + at + " [rad]", .reference = 0.102, .measured = error_of(p), .tolerance = 5e-3});
      plain_far = error_of(p);
      replaced_far = error_of(r);
    }
    table.push_back(
        {study_number(nearest[k], 2), result_text(m), result_text(r), result_text(p), result_text(refused)});
  }
  rows.push_back({.what = "replaced minus plain, theta3 >= 1e-3 [rad]",
                  .reference = 0.0,
                  .measured = replaced_far - plain_far,
                  .remark = "it never comes into the band"});
  report.compare("Attitude errors", rows);
  report.table("All of them",
               {"theta3 at its nearest [rad]", "mixed", "replaced", "plain", "plain, as the library runs it"},
               table);
  report.paragraph(
      "Straight through (0) A is singular to roundoff at one stage, where the motion itself is regular "
      "(theta1' and "
      "theta2' stay finite). What comes out is what the elimination leaves: nothing useful with pivoting "
      "(KLU), by luck "
      "a good result with the library's own LDL^T. The library refuses such a stage by default.");
}

// Not a number if either is none: a run without a result stays one.
double larger(double a, double b) { return std::isnan(a) || b <= a ? a : b; }

void by_condition(StudyReport& report) {
  report.section(
      "Detection by condition, switching with memory",
      "The band is where the condition of the joint's block, relative to that for angular velocities, "
      "passes 1e7 (mixed; of E^T E) or 1e5 (replaced; of A); it is left at half of that. A replaced "
      "joint that enters is aimed at the pole: theta1 is chosen along the motion. Worst of five phases "
      "of the passage against the steps (0 to 0.61 ms).");
  const PoleRule ours, source = source_rule();
  // cond_1(E^T E) sin^2 = 4; of A over that of J between 0.45 and 0.55 for this body
  const double bound_mixed = 3.0 * std::sqrt(4.0 / ours.limit_rates),
               bound_replaced = 3.0 * std::sqrt(0.55 / ours.limit_mass);
  std::vector<std::vector<std::string>> table;
  std::vector<Comparison> rows;
  double worst_mixed = 0.0, worst_replaced = 0.0;
  for (const double nearest : {0.0, 1e-5, 1e-4, 1e-3, 3e-3}) {
    double error[4] = {};
    const std::vector<double> phases = report.quick() ? std::vector<double>{0.0, 2.5e-4}
                                                      : std::vector<double>{0.0, 1e-4, 2.5e-4, 4e-4, 6.1e-4};
    for (const double phase : phases) {
      const BallPassage passage(nearest, 0.3 + phase);
      const AttitudeRun runs[] = {passage.run(Form::mixed, source), passage.run(Form::mixed, ours),
                                  passage.run(Form::replaced, source), passage.run(Form::replaced, ours)};
      for (int k = 0; k < 4; ++k) error[k] = larger(error[k], error_of(runs[k]));
    }
    std::vector<std::string> row{study_number(nearest, 2)};
    for (const double e : error) row.push_back(std::isnan(e) ? "no result" : study_number(e, 2));
    table.push_back(row);
    worst_mixed = larger(worst_mixed, error[1]);
    worst_replaced = larger(worst_replaced, error[3]);
  }
  report.table("Attitude errors [rad], worst phase",
               {"theta3 at its nearest", "mixed, |sin| <= 1e-4", "mixed, by condition",
                "replaced, |sin| <= 1e-4", "replaced, by condition and aimed"},
               table);
  report.compare(
      "The bound 3 epsilon, epsilon = |sin theta3| at the limit, at any distance and phase",
      {{.what = "mixed [rad]", .reference = bound_mixed, .measured = worst_mixed, .kind = Kind::at_most},
       {.what = "replaced [rad]",
        .reference = bound_replaced,
        .measured = worst_replaced,
        .kind = Kind::at_most}});
}

void replaced_beside_the_pole(StudyReport& report) {
  report.section(
      "What constraint replacement loses",
      "In the band theta1 is held, and the part of omega along (sin theta1, cos theta1, 0) leaves the "
      "state: delta/epsilon of omega at either edge, twice that in all, 2 omega delta/epsilon with omega = "
      "1.5 rad/s across the pole. It does not depend on the width of the band, and the attitude continues "
      "to part at "
      "that rate: no multiple of epsilon bounds it. Steps that follow the switch (dormand_prince), 10 ms "
      "behind "
      "the pole.");
  std::vector<Comparison> rows;
  for (const double epsilon : {1e-3, 1e-4})
    for (const double part : {0.05, 0.1, 0.2})
      rows.push_back({.what = "omega lost past the pole at " + study_number(part, 2) +
                              " epsilon, epsilon = " + study_number(epsilon, 2) + " [rad/s]",
                      .reference = 2.0 * 1.5 * part,
                      .measured = lost_velocity(part * epsilon, epsilon),
                      .tolerance = 0.0,
                      .absolute = 3.0 * epsilon});
  report.compare("Angular velocity lost", rows);
}

AttitudeRun manipulator(ManipulatorPassage which, ManipulatorForm form, double nearest,
                        const PoleRule& rule) {
  SpaceManipulatorParameters p;
  p.passage = which;
  p.form = form;
  p.nearest = nearest;
  p.pole = rule;
  const SpaceManipulator problem(p);
  return attitude_run(*problem.own_system(), attitude_reference(model_of(problem.tree()), step, end));
}

void five_bodies(StudyReport& report) {
  report.section(
      "A space manipulator of five bodies",
      "The source names one and gives no data: a centre body of 200 kg in pseudo-coordinates, two arms "
      "of two bodies on ball-jointed shoulders and hinged elbows (problems/space_manipulator.cpp). "
      "Largest attitude error of all bodies against the same mechanism in maximal coordinates; "
      "h = 1e-3 s, passage at 0.3 s.");
  const PoleRule source = source_rule(), ours;
  struct Case {
    const char* what;
    ManipulatorPassage passage;
    ManipulatorForm form;
    double nearest, bound;
    bool by_condition;
  };
  // the condition of a shoulder's block times sin^2 theta3 is at most 4 (2000 random places)
  const double wide = 3.0 * std::sqrt(4.0 / ours.limit_mass), narrow = 3.0 * source.epsilon;
  using P = ManipulatorPassage;
  using M = ManipulatorForm;
  const Case cases[] = {
      {"centre through theta3 = 0, mixed", P::centre_zero, M::replaced, 0.0, narrow, false},
      {"centre past theta3 = 0 at 1e-4, mixed", P::centre_zero, M::replaced, 1e-4, narrow, false},
      {"centre through theta3 = pi, mixed", P::centre_pi, M::replaced, 0.0, narrow, false},
      {"centre past theta3 = pi at 1e-4, mixed", P::centre_pi, M::replaced, 1e-4, narrow, false},
      {"one shoulder through, replaced", P::one_shoulder, M::replaced, 0.0, narrow, false},
      {"two shoulders through at once, replaced", P::two_shoulders, M::replaced, 0.0, narrow, false},
      {"two shoulders past at 1e-4, replaced by condition and aimed", P::two_shoulders, M::replaced, 1e-4,
       wide, true},
      {"two shoulders past at 1e-4, mixed", P::two_shoulders, M::mixed, 1e-4, narrow, false},
  };
  std::vector<Comparison> rows;
  for (const Case& c : cases) {
    const AttitudeRun run = manipulator(c.passage, c.form, c.nearest, c.by_condition ? ours : source);
    rows.push_back({.what = std::string(c.what) + " [rad]",
                    .reference = c.bound,
                    .measured = error_of(run),
                    .kind = Kind::at_most});
  }
  report.compare("At most 3 epsilon", rows);
  std::vector<Comparison> beyond;
  for (const auto passage : {P::one_shoulder, P::two_shoulders})
    beyond.push_back({.what = std::string(passage == P::one_shoulder ? "one shoulder" : "two shoulders") +
                              " past at 1e-5, replaced [rad]",
                      .reference = narrow,
                      .measured = error_of(manipulator(passage, M::replaced, 1e-5, source)),
                      .kind = Kind::at_least});
  report.compare("More than 3 epsilon: the source's remedy with its own switch, past the pole", beyond);
  std::vector<std::vector<std::string>> plain;
  for (const auto passage : {P::one_shoulder, P::two_shoulders})
    for (const double nearest : {0.0, 1e-5})
      plain.push_back({passage == P::one_shoulder ? "one shoulder" : "two shoulders",
                       study_number(nearest, 2), result_text(manipulator(passage, M::plain, nearest, ours))});
  report.table("The shoulders in plain Euler angles", {"passage", "theta3 at its nearest [rad]", "result"},
               plain);
}

}  // namespace

void reproduce_euler_angles(StudyReport& report) {
  report.title(
      "D. Euler angles at a ball joint: breakdown and two remedies",
      "X. Huang, Z. Huang, K. Huang, Analysis of Lagrange equation computational method of multibody "
      "system, J. National Univ. of Defense Technology 22(4), 2000, 15-18. It contains no numbers: the "
      "examples are Catena's.");
  condition_table(report);
  one_body(report);
  replaced_beside_the_pole(report);
  by_condition(report);
  five_bodies(report);
  figures(report);
  misprints(report);
}

}  // namespace catena::detail