// UMFPACK behind the contract of the library's own solvers, for comparison only. Davis, ACM TOMS 30 (2004),
// algorithm 832: unsymmetric multifrontal LU. Its refinement is off.
#pragma once
#include <catena/sparse/detail/csc_map.hpp>
#include <catena/sparse/linear_solver.hpp>

#include <umfpack.h>

#include <utility>
#include <vector>

namespace catena::bench {
using namespace detail;

class UmfpackRival final : public LinearSolver {
 public:
  UmfpackRival() {
    umfpack_di_defaults(control_);
    control_[UMFPACK_IRSTEP] = 0;
  }
  UmfpackRival(const UmfpackRival&) = delete;
  UmfpackRival& operator=(const UmfpackRival&) = delete;
  ~UmfpackRival() override { release(); }

  const char* name() const override { return "umfpack"; }

  std::string analyze(std::shared_ptr<const BlockPattern> pattern, Border border,
                      const SolverOptions& options) override {
    release();
    pattern_ = std::move(pattern);
    border_ = border;
    options_ = options;
    map_ = CscMap(*pattern_);
    values_.assign(static_cast<std::size_t>(map_.nonzeros()), 0.0);
    x_.assign(map_.place().size(), 0.0);
    const int n = map_.dimension();
    const int status = umfpack_di_symbolic(n, n, map_.column().data(), map_.row().data(), nullptr, &symbolic_,
                                           control_, nullptr);
    return status == UMFPACK_OK ? "" : "umfpack_di_symbolic failed";
  }
  std::unique_ptr<LinearSolver> clone_analysis() const override {
    auto copy = std::make_unique<UmfpackRival>();
    copy->analyze(pattern_, border_, options_);
    return copy;
  }
  FactorReport factorize(const BlockMatrix& matrix) override {
    map_.fill(matrix, values_.data(), options_.factorization == Factorization::ldlt);
    if (numeric_ != nullptr) umfpack_di_free_numeric(&numeric_);
    const int status = umfpack_di_numeric(map_.column().data(), map_.row().data(), values_.data(), symbolic_,
                                          &numeric_, control_, nullptr);
    FactorReport report;
    if (status != UMFPACK_OK)
      report.status =
          status == UMFPACK_WARNING_singular_matrix ? FactorStatus::singular : FactorStatus::failed;
    return report;
  }
  void solve(double* x) override { solve(UMFPACK_A, x); }
  void solve_transposed(double* x) override { solve(UMFPACK_At, x); }

 private:
  void solve(int system, double* x) {
    umfpack_di_solve(system, map_.column().data(), map_.row().data(), values_.data(), x_.data(), x, numeric_,
                     control_, nullptr);
    std::copy(x_.begin(), x_.end(), x);
  }
  void release() {
    if (numeric_ != nullptr) umfpack_di_free_numeric(&numeric_);
    if (symbolic_ != nullptr) umfpack_di_free_symbolic(&symbolic_);
  }

  std::shared_ptr<const BlockPattern> pattern_;
  Border border_ = Border::transposed;
  SolverOptions options_;
  CscMap map_;
  std::vector<double> values_, x_;
  double control_[UMFPACK_CONTROL] = {};
  void *symbolic_ = nullptr, *numeric_ = nullptr;
};

}  // namespace catena::bench
