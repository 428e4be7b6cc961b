#include <catena/math/detail/index.hpp>
#include <catena/solvers/detail/complex_kkt.hpp>
#include <catena/sparse/detail/block_ldl.hpp>

#include <cmath>
#include <utility>

namespace catena::detail {
namespace {

// As that of the real systems (KktOptions::proximal).
constexpr double proximal_term = 1e-12;

// to = sign from, at the given corner.
void put(const BlockRef& to, const ConstBlockRef& from, int row, int column, double sign) {
  for (int i = 0; i < from.rows; ++i)
    for (int j = 0; j < from.cols; ++j) to(row + i, column + j) = sign * from(i, j);
}

// [Q P; P -Q]
void put_four(const BlockRef& to, const ConstBlockRef& P, const ConstBlockRef& Q) {
  put(to, Q, 0, 0, 1.0);
  put(to, P, 0, P.cols, 1.0);
  put(to, P, P.rows, 0, 1.0);
  put(to, Q, P.rows, P.cols, -1.0);
}

}  // namespace

std::string ComplexKkt::attach(const System& system, const LinearSolverFactory& backend) {
  system_ = &system;
  const std::shared_ptr<const BlockPattern>& single = system.layout().pattern;
  auto pattern = std::make_shared<BlockPattern>();
  pattern->primal_size = single->primal_size;
  pattern->dual_size = single->dual_size;
  for (int& size : pattern->primal_size) size *= 2;
  for (int& size : pattern->dual_size) size *= 2;
  pattern->couplings = single->couplings;
  pattern->incidences = single->incidences;
  pattern->finish();
  real_ = std::make_unique<BlockMatrix>(single, Border::transposed);
  imaginary_ = std::make_unique<BlockMatrix>(single, Border::transposed);
  doubled_ = std::make_unique<BlockMatrix>(pattern, Border::transposed);
  doubled_->set_zero();
  x_.assign(index(pattern->dimension()), 0.0);
  solver_ = backend ? backend() : std::make_unique<BlockLdl>();
  SolverOptions options;
  options.factorization = Factorization::ldu;
  return solver_->analyze(std::move(pattern), Border::transposed, options);
}

FactorReport ComplexKkt::factorize(const Point& at, std::complex<double> shift, double h) {
  const std::complex<double> square = shift * shift;
  Linearization lin;
  Evaluation wanted;
  wanted.linearization = &lin;
  lin.matrix = real_.get();
  lin.mass = square.real();
  lin.damping = h * shift.real();
  lin.stiffness = h * h;
  system_->evaluate(at, wanted);
  lin.matrix = imaginary_.get();
  lin.mass = square.imag();
  lin.damping = h * shift.imag();
  lin.stiffness = 0.0;
  system_->evaluate(at, wanted);
  copy_parts();
  return solver_->factorize(*doubled_);
}

void ComplexKkt::copy_parts() {
  const BlockMatrix &P = *real_, &Q = *imaginary_;
  const BlockPattern& p = P.pattern();
  for (int b = 0; b < p.primal_count(); ++b) put_four(doubled_->H(b), P.H(b), Q.H(b));
  for (std::size_t k = 0; k < p.couplings.size(); ++k) {
    const int coupling = static_cast<int>(k);
    put_four(doubled_->H_upper(coupling), P.H_upper(coupling), Q.H_upper(coupling));
    put_four(doubled_->H_lower(coupling), P.H_lower(coupling), Q.H_lower(coupling));
  }
  for (int d = 0; d < p.dual_count(); ++d) {
    double* const proximal = doubled_->proximal(d);
    for (int r = 0; r < 2 * p.dual_size[index(d)]; ++r) proximal[r] = 0.0;
  }
  for (std::size_t k = 0; k < p.incidences.size(); ++k) {
    const auto [dual, primal] = p.incidences[k];
    const ConstBlockRef C = P.C(static_cast<int>(k)), H = Q.H(primal);
    const BlockRef to = doubled_->C(static_cast<int>(k));
    put(to, C, 0, 0, 1.0);
    put(to, C, C.rows, C.cols, 1.0);
    // The pivots of the second rows are positive, and so is their term.
    double* const proximal = doubled_->proximal(dual);
    for (int r = 0; r < C.rows; ++r) {
      double scale = 0.0;
      for (int j = 0; j < C.cols; ++j) scale += C(r, j) * C(r, j) / std::abs(H(j, j));
      proximal[r] += proximal_term * scale;
      proximal[C.rows + r] -= proximal_term * scale;
    }
  }
}

void ComplexKkt::solve(double* real, double* imaginary) {
  const BlockPattern& p = *system_->layout().pattern;
  // Of every block `count` numbers from `from`: the part that comes first, then the other one.
  const auto blocks = [&](const auto& move) {
    for (int b = 0; b < p.primal_count(); ++b) move(p.primal_offset[index(b)], p.primal_size[index(b)]);
    for (int d = 0; d < p.dual_count(); ++d) move(p.dual_offset[index(d)], p.dual_size[index(d)]);
  };
  const int n = p.primal_dimension;
  blocks([&](int from, int count) {
    const bool primal = from < n;
    double* const to = x_.data() + 2 * from;
    for (int k = 0; k < count; ++k) {
      to[k] = primal ? imaginary[from + k] : real[from + k];
      to[count + k] = primal ? real[from + k] : imaginary[from + k];
    }
  });
  solver_->solve(x_.data());
  blocks([&](int from, int count) {
    const bool primal = from < n;
    const double* const of = x_.data() + 2 * from;
    for (int k = 0; k < count; ++k) {
      real[from + k] = primal ? of[k] : of[count + k];
      imaginary[from + k] = primal ? of[count + k] : of[k];
    }
  });
}

}  // namespace catena::detail
