// Which stepper to take for what, in short.
#pragma once
#include <span>
#include <string>
#include <vector>

namespace catena::detail {

// A row of the table "Which one to take" in docs/theory/method_comparison.md, which has the reasons and what was measured.
struct StepperChoice {
  const char* problem;
  bool all_but = false;               // any stepper but these
  std::vector<const char*> steppers;  // the first choice first
};

std::span<const StepperChoice> stepper_choices();

// "a, b" or "any but a, b", of the steppers that are there; empty: none of them is.
std::string text_of(const StepperChoice& choice, const std::vector<std::string>& there);

}  // namespace catena::detail
