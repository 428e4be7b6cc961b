#include <catena/sparse/backends/detail/eigen_lu.hpp>
#include <catena/sparse/backends/detail/locate.hpp>
#include <catena/sparse/detail/csc_map.hpp>

#include <Eigen/SparseCore>
#include <Eigen/SparseLU>

namespace catena::detail {
namespace {

struct Analysis {
  std::shared_ptr<const BlockPattern> pattern;
  CscMap map;
  bool symmetric_part = true;
};

class EigenLu final : public LinearSolver {
  using Sparse = Eigen::SparseMatrix<double, Eigen::ColMajor, int>;

 public:
  EigenLu() = default;
  explicit EigenLu(std::shared_ptr<const Analysis> analysis) : analysis_(std::move(analysis)) { prepare(); }

  const char* name() const override { return "eigen_lu"; }

  std::string analyze(std::shared_ptr<const BlockPattern> pattern, Border border,
                      const SolverOptions& options) override {
    if (options.factorization == Factorization::ldlt && border == Border::separate)
      return "ldlt needs B = C^T";
    auto a = std::make_shared<Analysis>();
    a->map = CscMap(*pattern);
    a->symmetric_part = options.factorization == Factorization::ldlt;
    a->pattern = std::move(pattern);
    analysis_ = std::move(a);
    prepare();
    return {};
  }

  // The library cannot share its analysis: the copy orders again.
  std::unique_ptr<LinearSolver> clone_analysis() const override {
    return std::make_unique<EigenLu>(analysis_);
  }

  FactorReport factorize(const BlockMatrix& matrix) override {
    analysis_->map.fill(matrix, values_.data(), analysis_->symmetric_part);
    FactorReport report = find_not_finite(matrix, values_);
    if (report.status != FactorStatus::ok) return report;
    std::copy(values_.begin(), values_.end(), matrix_.valuePtr());
    lu_.factorize(matrix_);
    // The message of the library names the pivot only in words, so no block can be named.
    if (lu_.info() != Eigen::Success) report.status = FactorStatus::singular;
    return report;
  }

  void solve(double* x) override {
    Eigen::Map<Eigen::VectorXd> v(x, analysis_->map.dimension());
    rhs_ = v;
    v = lu_.solve(rhs_);
  }

  void solve_transposed(double* x) override {
    Eigen::Map<Eigen::VectorXd> v(x, analysis_->map.dimension());
    rhs_ = v;
    v = lu_.transpose().solve(rhs_);
  }

  std::size_t bytes() const override {
    return static_cast<std::size_t>(lu_.nnzL() + lu_.nnzU()) * (sizeof(double) + sizeof(int));
  }

 private:
  void prepare() {
    const CscMap& map = analysis_->map;
    values_.assign(static_cast<std::size_t>(map.nonzeros()), 1.0);
    matrix_ = Eigen::Map<const Sparse>(map.dimension(), map.dimension(), map.nonzeros(), map.column().data(),
                                       map.row().data(), values_.data());
    lu_.analyzePattern(matrix_);
  }

  std::shared_ptr<const Analysis> analysis_;
  std::vector<double> values_;
  Sparse matrix_;
  Eigen::VectorXd rhs_;
  Eigen::SparseLU<Sparse, Eigen::COLAMDOrdering<int>> lu_;
};

}  // namespace

std::unique_ptr<LinearSolver> make_eigen_lu() { return std::make_unique<EigenLu>(); }

}  // namespace catena::detail
