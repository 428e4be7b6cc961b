#include <catena/sparse/backends/detail/klu.hpp>
#include <catena/sparse/backends/detail/locate.hpp>
#include <catena/sparse/detail/csc_map.hpp>

#include <klu.h>

#include <algorithm>

namespace catena::detail {
namespace {

// What all clones of one analysis share.
struct Analysis {
  std::shared_ptr<const BlockPattern> pattern;
  CscMap map;
  bool symmetric_part = true;
  klu_symbolic* symbolic = nullptr;
  klu_common common{};

  Analysis() { klu_defaults(&common); }
  Analysis(const Analysis&) = delete;
  Analysis& operator=(const Analysis&) = delete;
  ~Analysis() { klu_free_symbolic(&symbolic, &common); }
};

class Klu final : public LinearSolver {
 public:
  explicit Klu(bool reuses_pivots) : reuses_pivots_(reuses_pivots) {}
  Klu(bool reuses_pivots, std::shared_ptr<Analysis> analysis)
      : reuses_pivots_(reuses_pivots), analysis_(std::move(analysis)) {
    prepare();
  }
  Klu(const Klu&) = delete;
  Klu& operator=(const Klu&) = delete;
  ~Klu() override { release(); }

  const char* name() const override { return reuses_pivots_ ? "klu_refactor" : "klu"; }

  std::string analyze(std::shared_ptr<const BlockPattern> pattern, Border border,
                      const SolverOptions& options) override {
    if (options.factorization == Factorization::ldlt && border == Border::separate)
      return "ldlt needs B = C^T";
    release();
    auto a = std::make_shared<Analysis>();
    a->pattern = std::move(pattern);
    a->map = CscMap(*a->pattern);
    a->symmetric_part = options.factorization == Factorization::ldlt;
    // KLU wants non-const pointers but writes to none of them.
    a->symbolic = klu_analyze(a->map.dimension(), const_cast<int*>(a->map.column().data()),
                              const_cast<int*>(a->map.row().data()), &a->common);
    if (a->symbolic == nullptr) return "klu_analyze failed";
    analysis_ = std::move(a);
    prepare();
    return {};
  }

  std::unique_ptr<LinearSolver> clone_analysis() const override {
    return std::make_unique<Klu>(reuses_pivots_, analysis_);
  }

  FactorReport factorize(const BlockMatrix& matrix) override {
    const Analysis& a = *analysis_;
    a.map.fill(matrix, values_.data(), a.symmetric_part);
    if (const FactorReport bad = find_not_finite(matrix, values_); bad.status != FactorStatus::ok) return bad;
    if (numeric_ != nullptr) {
      const bool done =
          reuses_pivots_ &&
          klu_refactor(columns(), rows(), values_.data(), a.symbolic, numeric_, &common_) != 0 &&
          common_.status == KLU_OK;
      if (done && quality() && common_.rgrowth >= 1e-3 * fresh_growth_ &&
          common_.rcond >= 1e-3 * fresh_rcond_)
        return {};
      klu_free_numeric(&numeric_, &common_);
    }
    numeric_ = klu_factor(columns(), rows(), values_.data(), a.symbolic, &common_);
    if (numeric_ == nullptr || common_.status != KLU_OK) {
      FactorReport r;
      r.status = common_.status == KLU_SINGULAR ? FactorStatus::singular : FactorStatus::failed;
      if (r.status == FactorStatus::singular) locate(*a.pattern, common_.singular_col, r);
      klu_free_numeric(&numeric_, &common_);
      return r;
    }
    quality();
    fresh_growth_ = common_.rgrowth;
    fresh_rcond_ = common_.rcond;
    return {};
  }

  void solve(double* x) override {
    klu_solve(analysis_->symbolic, numeric_, analysis_->map.dimension(), 1, x, &common_);
  }

  void solve_transposed(double* x) override {
    klu_tsolve(analysis_->symbolic, numeric_, analysis_->map.dimension(), 1, x, &common_);
  }

  double factor_flops() const override { return analysis_ ? analysis_->symbolic->est_flops : 0.0; }
  std::size_t bytes() const override {
    if (numeric_ == nullptr) return 0;
    return static_cast<std::size_t>(numeric_->lnz + numeric_->unz) * (sizeof(double) + sizeof(int)) +
           values_.size() * sizeof(double);
  }

 private:
  int* columns() const { return const_cast<int*>(analysis_->map.column().data()); }
  int* rows() const { return const_cast<int*>(analysis_->map.row().data()); }

  void prepare() {
    klu_defaults(&common_);
    values_.assign(static_cast<std::size_t>(analysis_->map.nonzeros()), 0.0);
  }
  void release() {
    if (numeric_ != nullptr) klu_free_numeric(&numeric_, &common_);
  }
  bool quality() {
    return klu_rgrowth(columns(), rows(), values_.data(), analysis_->symbolic, numeric_, &common_) != 0 &&
           klu_rcond(analysis_->symbolic, numeric_, &common_) != 0;
  }

  const bool reuses_pivots_;
  std::shared_ptr<Analysis> analysis_;
  klu_common common_{};
  klu_numeric* numeric_ = nullptr;
  std::vector<double> values_;
  double fresh_growth_ = 0.0, fresh_rcond_ = 0.0;
};

}  // namespace

std::unique_ptr<LinearSolver> make_klu() { return std::make_unique<Klu>(false); }
std::unique_ptr<LinearSolver> make_klu_refactor() { return std::make_unique<Klu>(true); }

}  // namespace catena::detail
