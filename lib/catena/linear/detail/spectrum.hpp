// Eigenvalues of dense matrices of which some are known and have Jordan blocks.
#pragma once
#include <Eigen/Core>

#include <vector>

namespace catena::detail {

struct Spectrum {
  bool found = true;
  std::vector<Eigen::Index> known;  // how many eigenvalues are at each of the points
  Eigen::MatrixXd kernel;           // orthonormal columns that A takes to the first point times themselves
  Eigen::VectorXcd values;          // the others
  Eigen::VectorXd errors;           // by which roundoff may move them
  Eigen::MatrixXcd vectors;         // theirs, by columns
};

// Eigenvalues at the points are taken out first, Jordan block by Jordan block, where singular values are below `part`: the kernel
// of A - point, then that of what it does beside it, and so on. The others lose no digits by them. Of others that roundoff does
// not separate, as those of another Jordan block, each value is the mean.
Spectrum spectrum_beside(const std::vector<double>& points, const Eigen::MatrixXd& A, double part);

}  // namespace catena::detail
