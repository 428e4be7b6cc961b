// Davis' LDL (ACM TOMS 31 (2005), algorithm 849) behind the contract of the library's own solvers, for
// comparison only. It gets the matrix in an order that needs no pivots: the best of the orders that this
// library knows, by the non-zeros of L.
#pragma once
#include <catena/sparse/detail/csc_map.hpp>
#include <catena/sparse/detail/ordering.hpp>
#include <catena/sparse/linear_solver.hpp>

#include <SuiteSparse_config.h>

#include <algorithm>
#include <utility>
#include <vector>
extern "C" {  // the header of LDL does not say so itself
#include <ldl.h>
}

namespace catena::bench {
using namespace detail;

class LdlRival final : public LinearSolver {
 public:
  const char* name() const override { return "LDL"; }

  std::string analyze(std::shared_ptr<const BlockPattern> pattern, Border border,
                      const SolverOptions& options) override {
    if (options.factorization != Factorization::ldlt || border == Border::separate) return "LDL^T only";
    pattern_ = std::move(pattern);
    options_ = options;
    order(choose_ordering(*pattern_).order);
    if (!pattern_->couplings.empty()) return {};  // bodies first would fill the matrix
    LdlRival other;
    other.pattern_ = pattern_;
    other.order(bodies_first_order(*pattern_));
    if (other.flops_ < flops_) *this = std::move(other);
    return {};
  }
  std::unique_ptr<LinearSolver> clone_analysis() const override { return std::make_unique<LdlRival>(*this); }

  FactorReport factorize(const BlockMatrix& matrix) override {
    map_.fill(matrix, values_.data(), true);
    const int n = map_.dimension();
    const int done =
        ldl_numeric(n, columns(), rows(), values_.data(), Lp_.data(), parent_.data(), Lnz_.data(), Li_.data(),
                    Lx_.data(), D_.data(), Y_.data(), pattern_work_.data(), flag_.data(), nullptr, nullptr);
    FactorReport report;
    if (done != n) report.status = FactorStatus::singular;
    return report;
  }
  void solve(double* x) override {
    const int n = map_.dimension();
    const std::vector<int>& place = map_.place();
    for (std::size_t i = 0; i < place.size(); ++i) Y_[static_cast<std::size_t>(place[i])] = x[i];
    ldl_lsolve(n, Y_.data(), Lp_.data(), Li_.data(), Lx_.data());
    ldl_dsolve(n, Y_.data(), D_.data());
    ldl_ltsolve(n, Y_.data(), Lp_.data(), Li_.data(), Lx_.data());
    for (std::size_t i = 0; i < place.size(); ++i) x[i] = Y_[static_cast<std::size_t>(place[i])];
    std::fill(Y_.begin(), Y_.end(), 0.0);  // ldl_numeric wants it empty
  }
  void solve_transposed(double* x) override { solve(x); }
  double factor_flops() const override { return flops_; }
  std::size_t bytes() const override { return Lx_.size() * (sizeof(double) + sizeof(int)); }

 private:
  void order(const BlockOrder& order) {
    map_ = CscMap(*pattern_, CscMap::Part::upper, order);
    const auto n = map_.place().size();
    values_.assign(static_cast<std::size_t>(map_.nonzeros()), 0.0);
    Lp_.assign(n + 1, 0);
    for (std::vector<int>* v : {&parent_, &Lnz_, &flag_, &pattern_work_}) v->assign(n, 0);
    D_.assign(n, 0.0);
    Y_.assign(n, 0.0);
    ldl_symbolic(static_cast<int>(n), columns(), rows(), Lp_.data(), parent_.data(), Lnz_.data(),
                 flag_.data(), nullptr, nullptr);
    flops_ = 0.0;
    for (const int nz : Lnz_) flops_ += static_cast<double>(nz) * (nz + 2.0);
    Li_.assign(static_cast<std::size_t>(Lp_[n]), 0);
    Lx_.assign(static_cast<std::size_t>(Lp_[n]), 0.0);
  }
  int* columns() { return const_cast<int*>(map_.column().data()); }
  int* rows() { return const_cast<int*>(map_.row().data()); }

  std::shared_ptr<const BlockPattern> pattern_;
  SolverOptions options_;
  CscMap map_;
  std::vector<double> values_, Lx_, D_, Y_;
  std::vector<int> Lp_, parent_, Lnz_, flag_, pattern_work_, Li_;
  double flops_ = 0.0;
};

}  // namespace catena::bench
