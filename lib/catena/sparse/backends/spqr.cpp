#include <catena/sparse/backends/detail/locate.hpp>
#include <catena/sparse/backends/detail/spqr.hpp>
#include <catena/sparse/backends/detail/spqr_view.hpp>
#include <catena/sparse/detail/csc_map.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace catena::detail {
namespace {

using Index = SuiteSparse_long;

class Spqr final : public LinearSolver {
 public:
  Spqr() { start(); }
  ~Spqr() override {
    release();
    cholmod_l_free_dense(&work_, &common_);
    cholmod_l_finish(&common_);
  }
  Spqr(const Spqr&) = delete;
  Spqr& operator=(const Spqr&) = delete;

  const char* name() const override { return "spqr"; }

  std::string analyze(std::shared_ptr<const BlockPattern> pattern, Border border,
                      const SolverOptions& options) override {
    if (options.factorization == Factorization::ldlt && border == Border::separate)
      return "ldlt needs B = C^T";
    release();
    pattern_ = std::move(pattern);
    border_ = border;
    options_ = options;
    map_ = CscMap(*pattern_);
    column_.assign(map_.column().begin(), map_.column().end());
    row_.assign(map_.row().begin(), map_.row().end());
    values_.assign(row_.size(), 1.0);
    scale_.assign(map_.place().size(), 1.0);
    largest_.assign(map_.place().size(), 0.0);
    cholmod_sparse a = view();
    qr_ = SuiteSparseQR_symbolic<double>(SPQR_ORDERING_DEFAULT, 1, &a, &common_);
    return qr_ == nullptr ? "SuiteSparseQR could not analyse the matrix" : "";
  }

  // The library cannot share its analysis: the copy orders again.
  std::unique_ptr<LinearSolver> clone_analysis() const override {
    auto copy = std::make_unique<Spqr>();
    copy->analyze(pattern_, border_, options_);
    return copy;
  }

  FactorReport factorize(const BlockMatrix& matrix) override {
    map_.fill(matrix, values_.data(), options_.factorization == Factorization::ldlt);
    FactorReport report = find_not_finite(matrix, values_);
    if (report.status != FactorStatus::ok) return report;
    equilibrate();
    cholmod_sparse a = view();
    const Index n = static_cast<Index>(scale_.size());
    const double tolerance = static_cast<double>(n) * std::numeric_limits<double>::epsilon();
    if (SuiteSparseQR_numeric<double>(tolerance, &a, qr_, &common_) == 0) {
      report.status = FactorStatus::failed;
      return report;
    }
    if (qr_->rank >= n) return report;
    report.status = FactorStatus::singular;
    const char* dead = qr_->QRnum->Rdead;
    for (Index k = 0; dead != nullptr && k < n; ++k)
      if (dead[k] != 0) {
        const Index* fill = qr_->QRsym->Qfill;
        locate(*pattern_, static_cast<int>(fill == nullptr ? k : fill[k]), report);
        break;
      }
    return report;
  }

  void solve(double* x) override {
    in_two_steps(
        x, [&](cholmod_dense* b) { return SuiteSparseQR_qmult<double>(SPQR_QTX, qr_, b, &common_); },
        [&](cholmod_dense* y) { return SuiteSparseQR_solve<double>(SPQR_RETX_EQUALS_B, qr_, y, &common_); });
  }
  void solve_transposed(double* x) override {
    in_two_steps(
        x,
        [&](cholmod_dense* b) { return SuiteSparseQR_solve<double>(SPQR_RTX_EQUALS_ETB, qr_, b, &common_); },
        [&](cholmod_dense* y) { return SuiteSparseQR_qmult<double>(SPQR_QX, qr_, y, &common_); });
  }

 private:
  // x := S second(first(S x)), S the equilibration.
  template <class First, class Second>
  void in_two_steps(double* x, First&& first, Second&& second) {
    const std::size_t n = scale_.size();
    if (work_ == nullptr) work_ = cholmod_l_zeros(n, 1, CHOLMOD_REAL, &common_);
    double* b = static_cast<double*>(work_->x);
    for (std::size_t i = 0; i < n; ++i) b[i] = scale_[i] * x[i];
    cholmod_dense* y = first(work_);
    cholmod_dense* z = second(y);
    for (std::size_t i = 0; i < n; ++i)
      x[i] = z == nullptr ? std::nan("") : scale_[i] * static_cast<const double*>(z->x)[i];
    cholmod_l_free_dense(&y, &common_);
    cholmod_l_free_dense(&z, &common_);
  }
  void start() {
    cholmod_l_start(&common_);
    common_.print = 0;
  }
  void release() {
    if (qr_ != nullptr) SuiteSparseQR_free<double>(&qr_, &common_);
    if (work_ != nullptr) cholmod_l_free_dense(&work_, &common_);
  }
  cholmod_sparse view() { return spqr_view(scale_.size(), column_, row_, values_); }
  // A := S A S with S diagonal, powers of two, rows and columns close to 1 in the maximum norm. Ruiz 2001: the distance
  // from 1 halves its exponent with every pass; after five a factor of 1e10 is one of 2, which powers of two leave.
  void equilibrate() {
    std::fill(scale_.begin(), scale_.end(), 1.0);
    const std::size_t n = scale_.size();
    for (int pass = 0; pass < 5; ++pass) {
      std::fill(largest_.begin(), largest_.end(), 0.0);
      for (std::size_t j = 0; j < n; ++j)
        for (Index k = column_[j]; k < column_[j + 1]; ++k) {
          const std::size_t i = static_cast<std::size_t>(row_[static_cast<std::size_t>(k)]);
          const double v = std::fabs(values_[static_cast<std::size_t>(k)]) * scale_[i] * scale_[j];
          largest_[i] = std::max(largest_[i], v);
          largest_[j] = std::max(largest_[j], v);
        }
      for (std::size_t i = 0; i < n; ++i)
        if (largest_[i] > 0.0)
          scale_[i] = std::ldexp(scale_[i], -static_cast<int>(std::lround(0.5 * std::log2(largest_[i]))));
    }
    for (std::size_t j = 0; j < n; ++j)
      for (Index k = column_[j]; k < column_[j + 1]; ++k)
        values_[static_cast<std::size_t>(k)] *=
            scale_[j] * scale_[static_cast<std::size_t>(row_[static_cast<std::size_t>(k)])];
  }

  std::shared_ptr<const BlockPattern> pattern_;
  Border border_ = Border::transposed;
  SolverOptions options_;
  CscMap map_;
  std::vector<Index> column_, row_;
  std::vector<double> values_, scale_, largest_;
  cholmod_common common_{};
  SuiteSparseQR_factorization<double>* qr_ = nullptr;
  cholmod_dense* work_ = nullptr;
};

}  // namespace

std::unique_ptr<LinearSolver> make_spqr() { return std::make_unique<Spqr>(); }

}  // namespace catena::detail
