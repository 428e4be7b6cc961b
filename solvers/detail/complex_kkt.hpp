// KKT systems with a complex shift, of a stage of an implicit Runge-Kutta method:
//
//     [ s^2 M + h s D + h^2 K   G^T ] [ x ]   [ r ]
//     [ G                        0  ] [ l ] = [ c ]        s complex, M, D, K, G real
//
// With P + iQ for the first block and real and imaginary parts in one block a body, this is the real system
//
//     [ Q   P   G^T      ] [ Re x ]   [ Im r ]
//     [ P  -Q        G^T ] [ Im x ] = [ Re r ]
//     [ G                ] [ Im l ]   [ Re c ]
//     [     G            ] [ Re l ]   [ Im c ]
//
// on the pattern of the real one, with blocks of twice the size. Q = Im(s^2) M + h Im(s) D is positive definite where D is not
// negative, so that the order of the equations makes the symmetric system quasi-definite whatever the stiffness: it needs no
// pivoting (Vanderbei, SIAM J. Optim. 5 (1995) 100-113).
#pragma once
#include <catena/sparse/linear_solver.hpp>
#include <catena/system/system.hpp>

#include <complex>
#include <memory>
#include <string>
#include <vector>

namespace catena::detail {

class ComplexKkt {
 public:
  // Empty, or why the back end refuses. The system must outlive the use of this.
  std::string attach(const System& system, const LinearSolverFactory& backend);

  // Two evaluations at the point.
  FactorReport factorize(const Point& at, std::complex<double> shift, double h);
  // Real and imaginary parts of the right-hand side, then of the solution: [v_size + lambda_size] each.
  void solve(double* real, double* imaginary);

  // A matrix on the system's own pattern, for other uses between two factorisations.
  BlockMatrix& part() { return *imaginary_; }

 private:
  void copy_parts();

  const System* system_ = nullptr;
  std::unique_ptr<BlockMatrix> real_, imaginary_, doubled_;
  std::unique_ptr<LinearSolver> solver_;
  std::vector<double> x_;
};

}  // namespace catena::detail
