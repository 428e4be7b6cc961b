// Which coordinates are determined by which constraint rows: Gaussian elimination on the rows of G, sparse, with
// the largest entry of every row as its pivot (each column multiplied by the characteristic size of its coordinate,
// so that metres and radians compare), or one half as large in a column that no later row has, which costs no fill.
#pragma once
#include <cstddef>
#include <utility>
#include <vector>

namespace catena::detail::ida_detail {

class DependentChoice {
 public:
  // Sparse rows in the order in which they are eliminated.
  struct Rows {
    std::vector<int> begin;                     // count + 1 positions in entry
    std::vector<std::pair<int, double>> entry;  // column, value
  };

  // scale: per column.
  void resize(int rows, std::vector<double> scale);

  // Picks a pivot for every row. False: a row is, to 1e-10 of its size, a combination of the ones before it.
  bool choose(const Rows& rows);
  // Eliminates with the pivots as they are: the smallest pivot relative to the largest entry that its row could
  // offer, 1/2 at least right after choose().
  double quality(const Rows& rows);

  // Keeps the elimination just made for crossed().
  void remember();
  // The row that was dependent on the ones before it at some moment between remember() and the elimination just
  // made, -1: none. What is left of such a row shrinks to nothing and grows again with the opposite sign; less than
  // 1e-7 of the row counts as nothing. fraction: where on the way, by linear interpolation.
  int crossed(double& fraction) const;

  // Of the elimination just made: the least that was left of a row by the rows before it, relative to its size; 0:
  // dependent rows, 1: no rows.
  double weakest() const;

  int column_of(int row) const { return column_of_[static_cast<std::size_t>(row)]; }
  int row_of(int column) const { return row_of_[static_cast<std::size_t>(column)]; }  // -1: independent
  int culprit_row() const { return culprit_row_; }

 private:
  void eliminate(const Rows& rows, int row);
  double keep(int row, int pivot);

  // Eliminated rows, each divided by its pivot.
  struct Eliminated {
    std::vector<std::size_t> begin;
    std::vector<std::pair<int, double>> entry;
    std::vector<double> pivot, left;  // left: largest entry that was left of a row, relative to its size
    void clear() {
      begin.assign(1, 0);
      entry.clear();
      pivot.clear();
      left.clear();
    }
  };

  std::vector<double> scale_;
  std::vector<int> column_of_, row_of_;
  int culprit_row_ = -1;
  Eliminated now_, before_;
  std::vector<int> pivots_before_;
  mutable std::vector<double> dense_;  // the row at work
  std::vector<int> touched_, waiting_, last_row_;
  std::vector<unsigned char> seen_;
  std::vector<int> pivot_row_of_;  // per column, of the elimination at work
  double row_size_ = 0.0;
};

}  // namespace catena::detail::ida_detail
