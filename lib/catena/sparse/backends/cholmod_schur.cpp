#include <catena/math/detail/index.hpp>
#include <catena/sparse/backends/detail/cholmod.hpp>
#include <catena/sparse/backends/detail/cholmod_schur_analysis.hpp>
#include <catena/sparse/backends/detail/locate.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace catena::detail {
namespace {

using Analysis = cholmod_detail::SchurAnalysis;
using Body = Analysis::Body;
using Pair = Analysis::Pair;

// In place, row-major, lower triangle; returns false when a pivot is not positive and finite.
bool cholesky(double* a, int n) {
  for (int j = 0; j < n; ++j) {
    double d = a[j * n + j];
    for (int k = 0; k < j; ++k) d -= a[j * n + k] * a[j * n + k];
    if (!(d > 0.0 && d <= std::numeric_limits<double>::max())) return false;
    const double r = 1.0 / std::sqrt(d);
    a[j * n + j] = r;  // the reciprocal
    for (int i = j + 1; i < n; ++i) {
      double s = a[i * n + j];
      for (int k = 0; k < j; ++k) s -= a[i * n + k] * a[j * n + k];
      a[i * n + j] = s * r;
    }
  }
  return true;
}

class CholmodSchur final : public LinearSolver {
 public:
  CholmodSchur() = default;
  explicit CholmodSchur(std::shared_ptr<Analysis> analysis) : analysis_(std::move(analysis)) { prepare(); }

  const char* name() const override { return "cholmod_schur"; }

  std::string analyze(std::shared_ptr<const BlockPattern> pattern, Border border,
                      const SolverOptions& options) override {
    auto a = std::make_shared<Analysis>();
    std::string why = cholmod_detail::analyze_schur(std::move(pattern), border, options, *a);
    if (!why.empty()) return why;
    analysis_ = std::move(a);
    prepare();
    return {};
  }

  std::unique_ptr<LinearSolver> clone_analysis() const override {
    return std::make_unique<CholmodSchur>(analysis_);
  }

  FactorReport factorize(const BlockMatrix& matrix) override;
  void solve(double* x) override;
  void solve_transposed(double* x) override { solve(x); }

  double factor_flops() const override { return analysis_ ? analysis_->flops : 0.0; }
  std::size_t bytes() const override {
    return cholmod_detail::factor_bytes(work_ ? work_->factor() : nullptr) +
           (S_.size() + W_.size() + L_.size()) * sizeof(double);
  }

 private:
  void prepare() {
    const Analysis& a = *analysis_;
    work_ = std::make_unique<cholmod_detail::Workspace>();
    work_->common().supernodal = a.lower ? CHOLMOD_SUPERNODAL : CHOLMOD_SIMPLICIAL;
    work_->common().final_ll = 0;
    work_->set_factor(cholmod_copy_factor(a.symbolic.factor(), &work_->common()));
    S_.assign(a.row.size(), 0.0);
    L_.assign(index(a.factor_size), 0.0);
    W_.assign(index(a.W_size), 0.0);
    lambda_.assign(index(a.pattern->dual_dimension), 0.0);
  }

  std::shared_ptr<Analysis> analysis_;
  std::unique_ptr<cholmod_detail::Workspace> work_;
  std::vector<double> S_, L_, W_, lambda_;
};

FactorReport CholmodSchur::factorize(const BlockMatrix& matrix) {
  const Analysis& a = *analysis_;
  const BlockPattern& p = *a.pattern;
  FactorReport report;
  std::fill(S_.begin(), S_.end(), 0.0);
  for (std::size_t b = 0; b < a.bodies.size(); ++b) {
    const Body& body = a.bodies[b];
    const int n = p.primal_size[b];
    double* L = L_.data() + body.factor;
    const ConstBlockRef H = matrix.H(static_cast<int>(b));
    for (int i = 0; i < n; ++i)
      for (int j = 0; j <= i; ++j) L[i * n + j] = 0.5 * (H(i, j) + H(j, i));
    if (!cholesky(L, n)) {
      report = find_not_finite(matrix, {std::nan("")});  // names the block where a number is not finite
      if (report.culprit >= 0) return report;
      report.status = FactorStatus::singular;
      report.culprit = report.wrong_sign_primal = static_cast<int>(b);
      return report;
    }
    for (std::size_t k = 0; k < body.incidences.size(); ++k) {  // W = L^-1 C^T, one row of C at a time
      const ConstBlockRef C = matrix.C(body.incidences[k]);
      double* W = W_.data() + body.W[k];
      for (int r = 0; r < C.rows; ++r, W += n)
        for (int i = 0; i < n; ++i) {
          double s = C(r, i);
          for (int j = 0; j < i; ++j) s -= L[i * n + j] * W[j];
          W[i] = s * L[i * n + i];
        }
    }
    for (const Pair& pair : body.pairs) {
      const int ra = a.rows(body, pair.a), rb = a.rows(body, pair.b);
      const bool own = pair.a == pair.b;
      const double *Wa = W_.data() + body.W[index(pair.a)], *Wb = W_.data() + body.W[index(pair.b)];
      for (int j = 0; j < rb; ++j) {
        double* s = S_.data() + a.column_start[index(pair.start + j)];
        const int from = own && a.lower ? j : 0, to = own && !a.lower ? j + 1 : ra;
        for (int i = from; i < to; ++i, ++s)
          for (int k = 0; k < n; ++k) *s += Wa[i * n + k] * Wb[j * n + k];
      }
    }
  }
  for (int d = 0; d < p.dual_count(); ++d)
    for (int i = 0; i < p.dual_size[index(d)]; ++i) {
      const int unknown = p.dual_offset[index(d)] - p.primal_dimension + i;
      S_[index(a.diagonal[index(a.place[index(unknown)])])] += matrix.D(d)[i] + matrix.proximal(d)[i];
    }
  report = find_not_finite(matrix, S_);
  if (report.status != FactorStatus::ok) return report;
  cholmod_sparse view = cholmod_detail::view(a.column, a.row, S_.data(), a.lower ? -1 : 1);
  cholmod_common& common = work_->common();
  if (cholmod_factorize(&view, work_->factor(), &common) == 0 || common.status < CHOLMOD_OK) {
    report.status = FactorStatus::failed;
    return report;
  }
  const cholmod_factor& F = *work_->factor();
  if (common.status == CHOLMOD_NOT_POSDEF) {
    report.status = FactorStatus::singular;
    const auto it = std::find(a.place.begin(), a.place.end(), static_cast<int>(F.minor));
    if (it != a.place.end()) locate(p, p.primal_dimension + static_cast<int>(it - a.place.begin()), report);
    return report;
  }
  report.negative_pivots = p.dual_dimension;  // H and S are positive definite
  if (!F.is_super) {                          // simplicial LDL^T accepts an indefinite S
    const double* x = static_cast<const double*>(F.x);
    const int* start = static_cast<const int*>(F.p);
    for (std::size_t k = 0; k < F.n; ++k) report.negative_pivots -= x[start[k]] < 0.0 ? 1 : 0;
  }
  return report;
}

void CholmodSchur::solve(double* x) {
  const Analysis& a = *analysis_;
  const BlockPattern& p = *a.pattern;
  // u = L^-1 r; S lambda = W^T u - c; delta = L^-T (u - W lambda)
  for (int i = 0; i < p.dual_dimension; ++i) lambda_[index(a.place[index(i)])] = -x[p.primal_dimension + i];
  auto place = [&](int incidence) {
    return a.place.data() + (p.dual_offset[index(p.incidences[index(incidence)].dual)] - p.primal_dimension);
  };
  for (std::size_t b = 0; b < a.bodies.size(); ++b) {
    const Body& body = a.bodies[b];
    const int n = p.primal_size[b];
    const double* L = L_.data() + body.factor;
    double* u = x + p.primal_offset[b];
    for (int i = 0; i < n; ++i) {
      double s = u[i];
      for (int j = 0; j < i; ++j) s -= L[i * n + j] * u[j];
      u[i] = s * L[i * n + i];
    }
    for (std::size_t k = 0; k < body.incidences.size(); ++k) {
      const double* W = W_.data() + body.W[k];
      const int* at = place(body.incidences[k]);
      for (int r = 0; r < a.rows(body, static_cast<int>(k)); ++r, W += n)
        for (int i = 0; i < n; ++i) lambda_[index(at[r])] += W[i] * u[i];
    }
  }
  work_->solve(lambda_.data(), p.dual_dimension);
  for (std::size_t b = 0; b < a.bodies.size(); ++b) {
    const Body& body = a.bodies[b];
    const int n = p.primal_size[b];
    const double* L = L_.data() + body.factor;
    double* u = x + p.primal_offset[b];
    for (std::size_t k = 0; k < body.incidences.size(); ++k) {
      const double* W = W_.data() + body.W[k];
      const int* at = place(body.incidences[k]);
      for (int r = 0; r < a.rows(body, static_cast<int>(k)); ++r, W += n)
        for (int i = 0; i < n; ++i) u[i] -= W[i] * lambda_[index(at[r])];
    }
    for (int i = n; i-- > 0;) {
      double s = u[i];
      for (int j = i + 1; j < n; ++j) s -= L[j * n + i] * u[j];
      u[i] = s * L[i * n + i];
    }
  }
  for (int i = 0; i < p.dual_dimension; ++i) x[p.primal_dimension + i] = lambda_[index(a.place[index(i)])];
}

}  // namespace

std::unique_ptr<LinearSolver> make_cholmod_schur() { return std::make_unique<CholmodSchur>(); }

}  // namespace catena::detail
