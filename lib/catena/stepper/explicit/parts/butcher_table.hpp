// An explicit Runge-Kutta method is data: its Butcher table. ExplicitStepper runs it.
#pragma once
#include <string>
#include <vector>

namespace catena {

// s stages of the derivatives k_0 ... k_{s-1}, and k_s at the end of the step, which is k_0 of the next one:
//
//     k_i = f(t + c_i h, y + h sum_{j<i} a_ij k_j),   y_1 = y + h sum_{j<s} a_sj k_j
//
// k_s costs a further evaluation, unless the last stage is at the end already (first same as last): such a method
// leaves that stage out, as dormand_prince with its six stages before the end. Numbers, all without unit.
struct ButcherTable {
  std::string name = {};                    // as in the catalog of steppers
  std::string summary = {};                 // one line
  int order = 0;                            // of the solution
  int embedded_order = 0;                   // of the embedded solution; 0: there is none, and steps are fixed
  std::vector<double> c = {};               // [s] nodes, c_0 = 0
  std::vector<std::vector<double>> a = {};  // [s + 1], row i of i numbers; row s is the solution
  std::vector<double> error = {};           // [s + 1] weights of the solution minus those of the embedded one
  // A second embedded solution of a lower order, where there is one, and its weights [s + 1], of either sign. With e and e2
  // the two errors in tolerances, root mean squares, the step has the error |e| |e| / sqrt(|e|^2 + 0.01 |e2|^2): it falls
  // with the order of the method, and does not vanish by accident (DOP853).
  int second_order = 0;
  std::vector<double> second_error = {};
  // What the dense output has beyond the cubic Hermite polynomial (order 3): rows d of [s + 1], or of all stages with those
  // of dense_c, for
  //     y(theta) = y + theta (r_0 + (1-theta) (r_1 + theta (r_2 + (1-theta) (r_3 + theta (r_4 + ...))))),
  // r_0 = y_1 - y, r_1 = h k_0 - r_0, r_2 = r_0 - h k_s - r_1, and r_{3+i} = h sum_j d_ij k_j.
  std::vector<std::vector<double>> dense = {};
  // Stages that the dense output alone needs, behind k_s: they are computed in steps that are interpolated. Nodes [d], and
  // rows i of s + 1 + i numbers.
  std::vector<double> dense_c = {};
  std::vector<std::vector<double>> dense_a = {};
  // Where the domain of stability ends on the negative real axis, for the check of stiffness; it compares the end with
  // the last stage, whose node must be 1. 0: no check.
  double stability_boundary = 0.0;

  int stages() const { return static_cast<int>(c.size()); }
  // The error in tolerances falls with this power of the step.
  int error_power() const {
    const int first = embedded_order + 1;
    return second_error.empty() ? first : 2 * first - (second_order + 1);
  }
};

// Empty, or what is wrong with a table: sizes, rows of a that do not add up to their nodes (1 for the solution), weights
// of an error or of the dense output that do not add up to 0.
std::string defect(const ButcherTable& table);

}  // namespace catena
