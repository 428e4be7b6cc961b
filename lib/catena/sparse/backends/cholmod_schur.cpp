#include <catena/math/index.hpp>
#include <catena/sparse/backends/cholmod.hpp>
#include <catena/sparse/backends/cholmod_handle.hpp>
#include <catena/sparse/backends/locate.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace catena {
namespace {

// Joints of one body: where their products W_a^T W_b go in S.
struct Pair {
  int a, b;   // positions among the body's incidences, row block a, column block b
  int start;  // index into Analysis::column_start
};
struct Body {
  std::vector<int> incidences;
  std::vector<Pair> pairs;
  int factor = 0;      // of L_b, n x n
  std::vector<int> W;  // of each incidence, n x rows
};

struct Analysis {
  std::shared_ptr<const BlockPattern> pattern;
  bool lower = true;  // triangle of S, which is kept in elimination order
  std::vector<int> column, row, column_start, diagonal, place;  // place: of dual unknown i in S
  std::vector<Body> bodies;
  int factor_size = 0, W_size = 0;
  cholmod_detail::Workspace symbolic;
  double flops = 0.0;
};

// Compressed triangle of S for an order of the dual blocks; adds the targets of every product.
void build_triangle(const BlockPattern& p, const std::vector<int>& order, bool lower, Analysis& a) {
  const std::size_t duals = order.size();
  std::vector<int> rank(duals), first(duals);
  int at = 0;
  a.place.assign(index(p.dual_dimension), 0);
  for (std::size_t k = 0; k < duals; ++k) {
    const std::size_t d = index(order[k]);
    rank[d] = static_cast<int>(k);
    first[d] = at;
    for (int i = 0; i < p.dual_size[d]; ++i) a.place[index(p.dual_offset[d] - p.primal_dimension + i)] = at++;
  }
  std::vector<std::vector<int>> neighbours(duals);  // row blocks of a column block, by rank
  for (std::size_t d = 0; d < duals; ++d) neighbours[d].push_back(rank[d]);
  auto dual_of = [&](int incidence) { return p.incidences[index(incidence)].dual; };
  auto in_triangle = [&](int r, int c) {
    return lower ? rank[index(r)] >= rank[index(c)] : rank[index(r)] <= rank[index(c)];
  };
  for (const Body& body : a.bodies)
    for (const int x : body.incidences)
      for (const int y : body.incidences)
        if (x != y && in_triangle(dual_of(x), dual_of(y)))
          neighbours[index(dual_of(y))].push_back(rank[index(dual_of(x))]);
  std::vector<int> where(duals);  // of every column block in column_start
  a.column.assign(1, 0);
  a.row.clear();
  a.column_start.clear();
  a.diagonal.assign(index(p.dual_dimension), 0);
  for (std::size_t k = 0; k < duals; ++k) {
    const std::size_t d = index(order[k]);
    auto& list = neighbours[d];
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    const int size = p.dual_size[d];
    where[d] = static_cast<int>(a.column_start.size());
    a.column_start.resize(a.column_start.size() + list.size() * index(size));
    for (int j = 0; j < size; ++j) {
      for (std::size_t e = 0; e < list.size(); ++e) {
        const std::size_t r = index(order[index(list[e])]);
        const bool own = r == d;
        a.column_start[index(where[d]) + e * index(size) + index(j)] = static_cast<int>(a.row.size());
        if (own) a.diagonal[index(first[d] + j)] = static_cast<int>(a.row.size()) + (lower ? 0 : j);
        const int from = own && lower ? j : 0, to = own && !lower ? j + 1 : p.dual_size[r];
        for (int i = from; i < to; ++i) a.row.push_back(first[r] + i);
      }
      a.column.push_back(static_cast<int>(a.row.size()));
    }
  }
  for (Body& body : a.bodies) {
    body.pairs.clear();
    for (std::size_t x = 0; x < body.incidences.size(); ++x)
      for (std::size_t y = 0; y < body.incidences.size(); ++y) {
        const int r = dual_of(body.incidences[x]), c = dual_of(body.incidences[y]);
        if (!in_triangle(r, c)) continue;
        const auto& list = neighbours[index(c)];
        const auto e = std::lower_bound(list.begin(), list.end(), rank[index(r)]) - list.begin();
        body.pairs.push_back({static_cast<int>(x), static_cast<int>(y),
                              where[index(c)] + static_cast<int>(e) * p.dual_size[index(c)]});
      }
  }
}

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
    if (options.factorization != Factorization::ldlt || border == Border::separate)
      return "cholmod_schur factorises symmetric matrices only (ldlt with B = C^T)";
    if (!pattern->couplings.empty()) return "cholmod_schur needs a block diagonal H, but bodies are coupled";
    if (pattern->dual_dimension == 0) return "cholmod_schur needs constraints";
    auto a = std::make_shared<Analysis>();
    a->pattern = std::move(pattern);
    const BlockPattern& p = *a->pattern;
    a->bodies.resize(index(p.primal_count()));
    for (std::size_t k = 0; k < p.incidences.size(); ++k) {
      const auto& c = p.incidences[k];
      Body& body = a->bodies[index(c.primal)];
      body.incidences.push_back(static_cast<int>(k));
      body.W.push_back(a->W_size);
      a->W_size += p.dual_size[index(c.dual)] * p.primal_size[index(c.primal)];
    }
    for (std::size_t b = 0; b < a->bodies.size(); ++b) {
      a->bodies[b].factor = a->factor_size;
      a->factor_size += p.primal_size[b] * p.primal_size[b];
    }
    // Order once with CHOLMOD's own choice of orderings, then keep S in that order, by blocks.
    std::vector<int> order(index(p.dual_count())), block_of;
    for (int d = 0; d < p.dual_count(); ++d) {
      order[index(d)] = d;
      block_of.insert(block_of.end(), index(p.dual_size[index(d)]), d);
    }
    build_triangle(p, order, false, *a);
    cholmod_common& common = a->symbolic.common();
    cholmod_sparse view = cholmod_detail::view(a->column, a->row, nullptr, 1);
    view.xtype = CHOLMOD_PATTERN;
    a->symbolic.set_factor(cholmod_analyze(&view, &common));
    if (a->symbolic.factor() == nullptr) return "cholmod_analyze failed";
    const int* permutation = static_cast<const int*>(a->symbolic.factor()->Perm);
    order.clear();
    std::vector<char> taken(index(p.dual_count()), 0);
    for (int i = 0; i < p.dual_dimension; ++i) {
      const int d = block_of[index(permutation[i])];
      if (taken[index(d)]) continue;
      taken[index(d)] = 1;
      order.push_back(d);
    }
    a->lower = a->symbolic.factor()->is_super != 0;
    build_triangle(p, order, a->lower, *a);
    common.nmethods = 1;
    common.method[0].ordering = CHOLMOD_NATURAL;
    common.postorder = 0;
    common.supernodal = a->lower ? CHOLMOD_SUPERNODAL : CHOLMOD_SIMPLICIAL;
    view = cholmod_detail::view(a->column, a->row, nullptr, a->lower ? -1 : 1);
    view.xtype = CHOLMOD_PATTERN;
    a->symbolic.set_factor(cholmod_analyze(&view, &common));
    if (a->symbolic.factor() == nullptr) return "cholmod_analyze failed";
    a->flops = common.fl;
    for (std::size_t b = 0; b < a->bodies.size(); ++b) {
      const double n = p.primal_size[b];
      a->flops += n * n * n / 3.0;
      for (const Pair& pair : a->bodies[b].pairs) {
        const double r = rows(p, a->bodies[b], pair.a), c = rows(p, a->bodies[b], pair.b);
        a->flops += 2.0 * n * r * c + (pair.a == pair.b ? n * n * r : 0.0);
      }
    }
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
  static int rows(const BlockPattern& p, const Body& body, int k) {
    return p.dual_size[index(p.incidences[index(body.incidences[index(k)])].dual)];
  }
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
      report = find_not_finite(matrix, {std::nan("")});  // names the block if some number is not finite
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
      const int ra = rows(p, body, pair.a), rb = rows(p, body, pair.b);
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
      for (int r = 0; r < rows(p, body, static_cast<int>(k)); ++r, W += n)
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
      for (int r = 0; r < rows(p, body, static_cast<int>(k)); ++r, W += n)
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

}  // namespace catena
