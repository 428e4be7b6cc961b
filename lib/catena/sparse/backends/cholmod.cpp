#include <catena/sparse/backends/detail/cholmod.hpp>
#include <catena/sparse/backends/detail/cholmod_handle.hpp>
#include <catena/sparse/backends/detail/locate.hpp>
#include <catena/sparse/detail/csc_map.hpp>
#include <catena/sparse/detail/ordering.hpp>

#include <algorithm>
#include <cmath>

namespace catena::detail {
namespace {

struct Analysis {
  std::shared_ptr<const BlockPattern> pattern;
  CscMap map;                // upper triangle, already in elimination order
  std::vector<int> unknown;  // of every place
  cholmod_detail::Workspace symbolic;
  double flops = 0.0;
};

class Cholmod final : public LinearSolver {
 public:
  Cholmod() = default;
  explicit Cholmod(std::shared_ptr<Analysis> analysis) : analysis_(std::move(analysis)) { prepare(); }

  const char* name() const override { return "cholmod"; }

  std::string analyze(std::shared_ptr<const BlockPattern> pattern, Border border,
                      const SolverOptions& options) override {
    if (options.factorization != Factorization::ldlt || border == Border::separate)
      return "cholmod factorises symmetric matrices only (ldlt with B = C^T), and the stepper makes others";
    auto a = std::make_shared<Analysis>();
    // Bodies first leaves C H^-1 C^T, which is dense when bodies are coupled in chains.
    const bool coupled = !pattern->couplings.empty();
    a->map = CscMap(*pattern, CscMap::Part::upper,
                    coupled ? choose_ordering(*pattern).order : bodies_first_order(*pattern));
    a->pattern = std::move(pattern);
    const std::vector<int>& place = a->map.place();
    a->unknown.resize(place.size());
    for (std::size_t i = 0; i < place.size(); ++i)
      a->unknown[static_cast<std::size_t>(place[i])] = static_cast<int>(i);

    // The upper triangle in natural order is what the simplicial code works on without a copy.
    cholmod_common& common = a->symbolic.common();
    common.nmethods = 1;
    common.method[0].ordering = CHOLMOD_NATURAL;
    common.postorder = 0;
    common.supernodal = CHOLMOD_SIMPLICIAL;
    common.final_ll = 0;
    cholmod_sparse view = cholmod_detail::view(a->map.column(), a->map.row(), nullptr, 1);
    view.xtype = CHOLMOD_PATTERN;
    a->symbolic.set_factor(cholmod_analyze(&view, &common));
    if (a->symbolic.factor() == nullptr) return "cholmod_analyze failed";
    a->flops = common.fl;
    analysis_ = std::move(a);
    prepare();
    return {};
  }

  std::unique_ptr<LinearSolver> clone_analysis() const override {
    return std::make_unique<Cholmod>(analysis_);
  }

  FactorReport factorize(const BlockMatrix& matrix) override {
    const Analysis& a = *analysis_;
    a.map.fill(matrix, values_.data(), true);
    FactorReport report = find_not_finite(matrix, values_);
    if (report.status != FactorStatus::ok) return report;
    cholmod_sparse view = cholmod_detail::view(a.map.column(), a.map.row(), values_.data(), 1);
    cholmod_common& common = work_->common();
    const bool done = cholmod_factorize(&view, work_->factor(), &common) != 0;
    if (!done || common.status < CHOLMOD_OK) {
      report.status = FactorStatus::failed;
      return report;
    }
    const cholmod_factor& L = *work_->factor();
    if (common.status == CHOLMOD_NOT_POSDEF) {  // LDL^T: a pivot is exactly zero
      report.status = FactorStatus::singular;
      locate(*a.pattern, L.minor < L.n ? a.unknown[L.minor] : -1, report);
      return report;
    }
    inspect(matrix, L, report);
    return report;
  }

  void solve(double* x) override {
    const std::vector<int>& place = analysis_->map.place();
    for (std::size_t i = 0; i < place.size(); ++i) permuted_[static_cast<std::size_t>(place[i])] = x[i];
    work_->solve(permuted_.data(), analysis_->map.dimension());
    for (std::size_t i = 0; i < place.size(); ++i) x[i] = permuted_[static_cast<std::size_t>(place[i])];
  }

  void solve_transposed(double* x) override { solve(x); }

  double factor_flops() const override { return analysis_ ? analysis_->flops : 0.0; }
  std::size_t bytes() const override {
    return cholmod_detail::factor_bytes(work_ ? work_->factor() : nullptr) + values_.size() * sizeof(double);
  }

 private:
  void prepare() {
    work_ = std::make_unique<cholmod_detail::Workspace>();
    cholmod_common& common = work_->common();
    common.supernodal = CHOLMOD_SIMPLICIAL;
    common.final_ll = 0;
    work_->set_factor(cholmod_copy_factor(analysis_->symbolic.factor(), &common));
    values_.assign(static_cast<std::size_t>(analysis_->map.nonzeros()), 0.0);
    permuted_.assign(analysis_->map.place().size(), 0.0);
  }

  // Signs and size of the pivots: D is stored on the diagonal of L. Growth is known only for the pivots of bodies that
  // are eliminated first.
  void inspect(const BlockMatrix& matrix, const cholmod_factor& L, FactorReport& report) const {
    const BlockPattern& p = *analysis_->pattern;
    const double* x = static_cast<const double*>(L.x);
    const int* start = static_cast<const int*>(L.p);
    int negative = 0, wrong = -1;
    for (std::size_t k = 0; k < L.n; ++k) {
      const double d = x[start[k]];
      if (p.couplings.empty() && analysis_->unknown[k] < p.primal_dimension) {
        const double scale = std::fabs(diagonal_of(matrix, analysis_->unknown[k]));
        if (std::fabs(d) > report.pivot_growth * scale) report.pivot_growth = std::fabs(d) / scale;
      }
      if (d >= 0.0) continue;
      ++negative;
      if (wrong < 0 && analysis_->unknown[k] < p.primal_dimension) wrong = analysis_->unknown[k];
    }
    report.negative_pivots = negative;
    if (wrong >= 0) {
      FactorReport where;
      locate(p, wrong, where);
      report.wrong_sign_primal = where.culprit;
    }
  }

  static double diagonal_of(const BlockMatrix& matrix, int unknown) {
    const int block = matrix.pattern().block_of(unknown);
    const int i = unknown - matrix.pattern().primal_offset[static_cast<std::size_t>(block)];
    return matrix.H(block)(i, i);
  }

  std::shared_ptr<Analysis> analysis_;
  std::unique_ptr<cholmod_detail::Workspace> work_;
  std::vector<double> values_, permuted_;
};

}  // namespace

std::unique_ptr<LinearSolver> make_cholmod() { return std::make_unique<Cholmod>(); }

}  // namespace catena::detail
