// One step that failed, taken once more and looked at closely.
#pragma once
#include <catena/kkt/detail/matrix_diagnosis.hpp>
#include <catena/stepper/parts/newton_trace.hpp>
#include <catena/stepper/stepper.hpp>

#include <optional>
#include <string>
#include <vector>

namespace catena::detail {

struct StepExamination {
  bool start = false;       // of start() rather than step()
  double t = 0.0, h = 0.0;  // [s] its beginning and its size
  Outcome outcome{};        // what came of it now
  bool traced = false;      // the method has an iteration of Newton
  NewtonTrace trace{};
  // Of the last iterate: of each body and joint the largest component, in their order. Empty where the step succeeded.
  std::vector<Culprit> residuals{};
  std::optional<MatrixDiagnosis> matrix{};  // where it is small enough and of numbers
  // Where no iterate was left: matrix and residuals of the trace are those of the masses and the rows at the beginning.
  bool of_beginning = false;
  Culprit weakest_pivot{};  // of that matrix, as in NewtonTrace; without a name: not known
};

// The stepper is attached to the system. It takes a step of size h from a copy of the state, or starts there.
StepExamination examine_step(const System& system, Stepper& stepper, const State& state, double h,
                             bool start);

// For people: the iterates, at most `iterates` of them (the first ones and the last), the weakest pivot, and what the
// diagnosis of the matrix says; ten lines with three iterates, at most eleven.
std::vector<std::string> lines_of(const System& system, const StepExamination& examined, int iterates);

// 'body "link 12"' or 'joint "hip" (spherical)', in the order of the unknowns: bodies, then joints; with the first of its
// unknowns.
struct NamedBlock {
  std::string name;
  int first = 0, size = 0;
};
std::vector<NamedBlock> blocks_of(const System& system);

// The blocks with the largest shares of a vector, until nine tenths of it are named, at most five: 'joint "a" (revolute)
// 62 %, body "b" 31 %'.
std::string shares_by_name(const std::vector<NamedBlock>& blocks, const std::vector<double>& share);

}  // namespace catena::detail
