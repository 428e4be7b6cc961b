// The Schur complement S = C H^-1 C^T + D by its pattern: where the products of every body go, and in which order
// CHOLMOD eliminates it. Private to the back ends.
#pragma once
#include <catena/math/detail/index.hpp>
#include <catena/sparse/backends/detail/cholmod_handle.hpp>
#include <catena/sparse/linear_solver.hpp>

#include <memory>
#include <string>
#include <vector>

namespace catena::detail::cholmod_detail {

struct SchurAnalysis {
  // Joints of one body: where their products W_a^T W_b go in S.
  struct Pair {
    int a, b;   // positions among the body's incidences, row block a, column block b
    int start;  // index into column_start
  };
  struct Body {
    std::vector<int> incidences;
    std::vector<Pair> pairs;
    int factor = 0;      // of L_b, n x n
    std::vector<int> W;  // of each incidence, n x rows
  };

  std::shared_ptr<const BlockPattern> pattern;
  bool lower = true;  // triangle of S, which is kept in elimination order
  std::vector<int> column, row, column_start, diagonal, place;  // place: of dual unknown i in S
  std::vector<Body> bodies;
  int factor_size = 0, W_size = 0;
  Workspace symbolic;
  double flops = 0.0;

  // Of the k-th incidence of a body.
  int rows(const Body& body, int k) const {
    return pattern->dual_size[index(pattern->incidences[index(body.incidences[index(k)])].dual)];
  }
};

// Fills an empty analysis. Returns an empty string, or the reason why the back end does not support the matrix.
std::string analyze_schur(std::shared_ptr<const BlockPattern> pattern, Border border,
                          const SolverOptions& options, SchurAnalysis& analysis);

}  // namespace catena::detail::cholmod_detail
