// What the audit runs: an explicit list of steppers' variants, of cases, and of pairs left out.
#include <catena/solvers/steppers.hpp>
#include <catena/studies/audit.hpp>

namespace catena {
using namespace detail;
namespace {

struct Variant {
  const char* stepper;
  Settings options;
};

const std::vector<Variant>& variants() {
  static const std::vector<Variant> all{
      {"generalized_alpha", {{"index", "2"}}},
      {"generalized_alpha", {{"newton", "exact"}}},
      {"generalized_alpha", {{"index", "2"}, {"rho_inf", "1"}}},
      {"generalized_alpha", {{"index", "2"}, {"newton", "exact"}}},
      {"generalized_alpha", {{"rho_inf", "0"}}},
      {"generalized_alpha", {{"start", "consistent"}}},
      {"generalized_alpha", {{"index", "2"}, {"start", "consistent"}}},
      {"generalized_alpha", {{"start", "source"}}},
      {"generalized_alpha", {{"index", "2"}, {"start", "source"}}},
      {"lie_dae", {{"index", "2"}}},
      {"lie_dae", {{"index", "1"}}},
      {"lie_dae", {{"index", "stabilized"}}},
      {"lie_dae", {{"newton", "exact"}, {"index", "stabilized"}}},
      {"lie_dae", {{"order", "1"}}},
      {"lie_dae", {{"order", "1"}, {"index", "2"}}},
      {"lie_dae", {{"order", "1"}, {"index", "1"}}},
      {"lie_dae", {{"order", "1"}, {"index", "stabilized"}}},
      {"alpha_rattle", {{"index", "2"}}},
      {"alpha_rattle", {{"mass_jacobian", "extrapolated"}}},
      {"generalized_alpha", {{"mass_jacobian", "extrapolated"}}},
      {"dormand_prince", {{"control", "fixed"}}},
      {"rattle", {{"order", "4"}}},
      {"rattle", {{"newton", "whole"}}},
      {"ida", {{"form", "index1"}}},
      {"ida", {{"form", "dummy_derivatives"}}},
  };
  return all;
}

}  // namespace

std::vector<AuditStepper> audit_steppers() {
  std::vector<AuditStepper> all;
  for (const StepperEntry& entry : builtin_steppers()) {
    all.push_back({entry});
    for (const Variant& v : variants())
      if (v.stepper == entry.name) all.push_back({entry, v.options});
  }
  return all;
}

std::vector<AuditCase> audit_cases() {
  return {
      {.problem = "simple_pendulum", .end = 1.0, .steps = 200, .steps_high = 160},
      {.problem = "rod_chain", .parameters = {{"n", "2"}}, .end = 0.5, .steps = 200},
      {.problem = "box_chain", .end = 1.0, .steps = 200},
      {.problem = "straight_box_chain", .parameters = {{"n", "3"}}, .end = 0.5, .steps = 200},
      {.problem = "helix_chain", .parameters = {{"n", "3"}}, .end = 0.3, .steps = 200},
      {.problem = "driven_arm",
       .parameters = {{"by", "force"}},
       .end = 0.5,
       .steps = 200,
       .reversible = false},
      {.problem = "driven_arm",
       .parameters = {{"by", "pivot"}},
       .end = 0.5,
       .steps = 200,
       .reversible = false},
      {.problem = "random_tree", .parameters = {{"n", "3"}}, .end = 0.6, .steps = 400, .steps_high = 160},
      {.problem = "heavy_top", .end = 0.1, .steps = 400},
      {.problem = "two_link_manipulator", .end = 0.05, .steps = 400},
      {.problem = "snakeboard", .end = 0.5, .steps = 200, .steps_low = 6400},
      {.problem = "rotary_pendulum",
       .parameters = {{"coordinates", "minimal"}},
       .end = 0.5,
       .steps = 200,
       .steps_high = 160},
      {.problem = "rotary_pendulum", .parameters = {{"coordinates", "maximal"}}, .end = 0.1, .steps = 200},
      {.problem = "four_bar", .end = 0.5, .steps = 200, .redundant = true},
      {.problem = "n_four_bar", .parameters = {{"joints", "minimal"}}, .end = 0.3, .steps = 200},
      {.problem = "knife_edge", .end = 1.0, .steps = 200},
      {.problem = "rolling_disc", .parameters = {{"form", "bodies"}}, .end = 0.5, .steps = 200},
      {.problem = "rolling_disc", .parameters = {{"form", "euler_angles"}}, .end = 0.5, .steps = 200},
      {.problem = "euler_ball_joint", .parameters = {{"form", "plain"}}, .end = 0.2, .steps = 100},
      {.problem = "euler_ball_joint", .parameters = {{"form", "replaced"}}, .end = 0.2, .steps = 100},
      {.problem = "euler_ball_joint", .parameters = {{"form", "mixed"}}, .end = 0.2, .steps = 100},
      {.problem = "euler_ball_joint", .parameters = {{"form", "maximal"}}, .end = 2.0, .steps = 200},
      {.problem = "space_manipulator",
       .parameters = {{"form", "plain"}, {"passage", "none"}},
       .end = 2.0,
       .steps = 200},
      {.problem = "space_manipulator",
       .parameters = {{"form", "mixed"}, {"passage", "none"}},
       .end = 2.0,
       .steps = 200},
      {.problem = "space_manipulator",
       .parameters = {{"form", "maximal"}, {"passage", "none"}},
       .end = 2.0,
       .steps = 100},
  };
}

std::vector<AuditException> audit_exceptions() {
  return {
      {"dop853", "two_link_manipulator",
       "the coarsest tolerances admit steps too long for the leading term of order 8: the error goes with "
       "the "
       "tolerance to the power of 1.43"},
      {"radau", "knife_edge",
       "what Newton's iteration leaves, 0.01 of the tolerance in each step, adds up to more than the error "
       "of the "
       "method: "
       "the error goes with the tolerance to the power of 0.44"},
      {"lie_dae (index = 1, order = 1)", "four_bar",
       "redundant rows: their compliance leaves 1e-8 s/h of the accelerations, and index 1 integrates that"},
      {"lie_dae (index = 1)", "four_bar",
       "redundant rows: their compliance leaves 1e-8 s/h of the accelerations, and index 1 integrates that"},
  };
}

}  // namespace catena
