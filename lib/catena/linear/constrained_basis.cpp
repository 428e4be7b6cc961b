#include <catena/linear/detail/constrained_basis.hpp>
#include <catena/math/detail/index.hpp>
#include <catena/system/detail/move_lengths.hpp>

#include <Eigen/QR>

#include <vector>

namespace catena::detail {
namespace {

// Independent of the others by less than this part of its length, a row is redundant: initial positions may be off by 1e-9 m,
// so that rows of a small body depend on each other to 1e-8 (find_redundancy).
constexpr double least_part = 1e-8;

Eigen::MatrixXd kernel(Eigen::MatrixXd rows) {
  for (Eigen::Index r = 0; r < rows.rows(); ++r)
    if (const double length = rows.row(r).norm(); length > 0.0) rows.row(r) /= length;
  if (rows.rows() == 0) return Eigen::MatrixXd::Identity(rows.cols(), rows.cols());
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(rows.transpose());
  qr.setThreshold(least_part);
  const Eigen::MatrixXd Q = qr.householderQ() * Eigen::MatrixXd::Identity(rows.cols(), rows.cols());
  return Q.rightCols(rows.cols() - qr.rank());
}

// Adds the blocks C of a matrix, of one level, to rows of a dense one.
void put_rows(const LinearMotion& motion, const BlockMatrix& A, Level level, Eigen::Index column,
              Eigen::MatrixXd& out, Eigen::Index first_row) {
  const SystemLayout& layout = motion.system->layout();
  const BlockPattern& p = *layout.pattern;
  const std::vector<double> lengths = move_lengths(layout);
  std::vector<Eigen::Index> row_of(index(p.dual_count()), 0);
  Eigen::Index row = first_row;
  for (int d = 0; d < p.dual_count(); ++d)
    if (layout.level[index(d)] == level) row_of[index(d)] = row, row += p.dual_size[index(d)];
  for (std::size_t k = 0; k < p.incidences.size(); ++k) {
    const auto [dual, primal] = p.incidences[k];
    if (layout.level[index(dual)] != level) continue;
    const ConstBlockRef C = A.C(static_cast<int>(k));
    const int o = p.primal_offset[index(primal)];
    for (int i = 0; i < C.rows; ++i)
      for (int j = 0; j < C.cols; ++j)
        out(row_of[index(dual)] + i, column + o + j) = C(i, j) * lengths[index(o + j)];
  }
}

int count_rows(const SystemLayout& layout, Level level) {
  int rows = 0;
  for (int d = 0; d < layout.pattern->dual_count(); ++d)
    if (layout.level[index(d)] == level) rows += layout.pattern->dual_size[index(d)];
  return rows;
}

// Rows that hold the idle components.
void put_idle(const LinearMotion& motion, Eigen::Index column, Eigen::MatrixXd& out, Eigen::Index row) {
  if (motion.idle_count == 0) return;
  for (std::size_t k = 0; k < motion.idle.size(); ++k)
    if (motion.idle[k] != 0) out(row++, column + static_cast<Eigen::Index>(k)) = 1.0;
}

}  // namespace

Eigen::MatrixXd basis_of_positions(const LinearMotion& motion) {
  const SystemLayout& layout = motion.system->layout();
  const int n = layout.v_size(), m = count_rows(layout, Level::position);
  Eigen::MatrixXd rows = Eigen::MatrixXd::Zero(m + motion.idle_count, n);
  put_rows(motion, *motion.mass, Level::position, 0, rows, 0);
  put_idle(motion, 0, rows, m);
  return kernel(std::move(rows));
}

Eigen::MatrixXd basis_of_states(const LinearMotion& motion) {
  const SystemLayout& layout = motion.system->layout();
  const int n = layout.v_size(), m = count_rows(layout, Level::position),
            l = count_rows(layout, Level::velocity), idle = motion.idle_count;
  Eigen::MatrixXd rows = Eigen::MatrixXd::Zero(2 * m + l + 2 * idle, 2 * n);
  put_rows(motion, *motion.mass, Level::position, 0, rows, 0);
  put_rows(motion, *motion.stiffness, Level::position, 0, rows, m);
  put_rows(motion, *motion.mass, Level::position, n, rows, m);
  put_rows(motion, *motion.stiffness, Level::velocity, 0, rows, 2 * m);
  put_rows(motion, *motion.mass, Level::velocity, n, rows, 2 * m);
  put_idle(motion, 0, rows, 2 * m + l);
  put_idle(motion, n, rows, 2 * m + l + idle);
  // Lengths and speeds have different units and sizes: those that are speeds alone get columns of their own.
  if (rows.middleRows(m, m + l).leftCols(n).isZero(0.0)) {  // at rest
    Eigen::MatrixXd of_lengths = Eigen::MatrixXd::Zero(m + idle, n);
    of_lengths.topRows(m) = rows.topLeftCorner(m, n);
    put_idle(motion, 0, of_lengths, m);
    const Eigen::MatrixXd x = kernel(std::move(of_lengths)),
                          y = kernel(rows.bottomRightCorner(m + l + 2 * idle, n));
    Eigen::MatrixXd basis = Eigen::MatrixXd::Zero(2 * n, x.cols() + y.cols());
    basis.topLeftCorner(n, x.cols()) = x;
    basis.bottomRightCorner(n, y.cols()) = y;
    return basis;
  }
  Eigen::MatrixXd basis = kernel(std::move(rows));
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> moving(basis.topRows(n).transpose());
  moving.setThreshold(least_part);
  basis.applyOnTheRight(moving.householderQ());
  basis.topRightCorner(n, basis.cols() - moving.rank()).setZero();
  return basis;
}

}  // namespace catena::detail
