// Ownership of CHOLMOD's objects. Private to the back ends.
#pragma once
#include <cholmod.h>

#include <vector>

namespace catena::detail::cholmod_detail {

// One workspace a solver: threads must not share CHOLMOD's common.
class Workspace {
 public:
  Workspace() {
    cholmod_start(&common_);
    common_.print = 0;
  }
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;
  ~Workspace() {
    cholmod_free_dense(&x_, &common_);
    cholmod_free_dense(&y_, &common_);
    cholmod_free_dense(&e_, &common_);
    cholmod_free_factor(&factor_, &common_);
    cholmod_finish(&common_);
  }
  cholmod_common& common() { return common_; }
  cholmod_factor* factor() const { return factor_; }
  void set_factor(cholmod_factor* f) {
    cholmod_free_factor(&factor_, &common_);
    factor_ = f;
  }
  // b := A^-1 b in place; memory is kept from call to call.
  bool solve(double* b, int n) {
    cholmod_dense rhs{};
    rhs.nrow = static_cast<std::size_t>(n);
    rhs.ncol = 1;
    rhs.nzmax = rhs.d = rhs.nrow;
    rhs.x = b;
    rhs.xtype = CHOLMOD_REAL;
    rhs.dtype = CHOLMOD_DOUBLE;
    if (cholmod_solve2(CHOLMOD_A, factor_, &rhs, nullptr, &x_, nullptr, &y_, &e_, &common_) == 0)
      return false;
    // CHOLMOD leaves Y in the shape of one right-hand side. The next call wants memory for four and would allocate it
    // again: set the shape of Y to that of its memory.
    if (y_ != nullptr && y_->ncol > 0) y_->nrow = y_->d = y_->nzmax / y_->ncol;
    const double* x = static_cast<const double*>(x_->x);
    for (int i = 0; i < n; ++i) b[i] = x[i];
    return true;
  }

 private:
  cholmod_common common_{};
  cholmod_factor* factor_ = nullptr;
  cholmod_dense *x_ = nullptr, *y_ = nullptr, *e_ = nullptr;
};

// View of compressed columns; triangle: 1 upper, -1 lower.
inline cholmod_sparse view(const std::vector<int>& column, const std::vector<int>& row, double* values,
                           int triangle) {
  cholmod_sparse a{};
  a.nrow = a.ncol = column.size() - 1;
  a.nzmax = row.size();
  a.p = const_cast<int*>(column.data());  // CHOLMOD reads them only
  a.i = const_cast<int*>(row.data());
  a.x = values;
  a.stype = triangle;
  a.itype = CHOLMOD_INT;
  a.xtype = CHOLMOD_REAL;
  a.dtype = CHOLMOD_DOUBLE;
  a.sorted = 1;
  a.packed = 1;
  return a;
}

inline std::size_t factor_bytes(const cholmod_factor* f) {
  if (f == nullptr) return 0;
  return f->is_super ? f->xsize * sizeof(double) + f->ssize * sizeof(int)
                     : f->nzmax * (sizeof(double) + sizeof(int));
}

}  // namespace catena::detail::cholmod_detail
