// The matrices of a step, made once in its middle, and the estimates of its error with them.
#include <catena/math/detail/index.hpp>
#include <catena/solvers/detail/radau_coefficients.hpp>
#include <catena/solvers/radau.hpp>
#include <catena/stepper/detail/phase_timer.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace catena {
using namespace detail;
namespace {

void linearize(const System& system, const Point& at, Linearization& lin, StepperStatistics& statistics) {
  const PhaseTimer timer(statistics.seconds_evaluate);
  ++statistics.evaluations;
  Evaluation wanted;
  wanted.linearization = &lin;
  system.evaluate(at, wanted);
}

// product = the balance part of a matrix times a motion without multipliers, with no rows. motion: work.
void multiply(const BlockMatrix& matrix, const std::vector<double>& by, std::vector<double>& motion,
              std::vector<double>& product) {
  const auto n = static_cast<std::ptrdiff_t>(by.size());
  std::copy(by.begin(), by.end(), motion.begin());
  std::fill(motion.begin() + n, motion.end(), 0.0);
  matrix.multiply(motion.data(), product.data());
  std::fill(product.begin() + n, product.end(), 0.0);
}

}  // namespace

// t + 0.6 h as predicted. with_forces: all that damping and stiffness are made of.
Point Radau::at_middle(bool with_forces) const {
  Point at = point_of(middle_);
  if (!with_forces) return at;
  at.a = middle_.a.data();
  at.lambda = middle_.lambda.data();
  return at;
}

// The parts of the whole matrices, allocated when they are first needed. Empty, or why the back end refuses.
std::string Radau::make_whole() {
  if (complex_) return {};
  auto real = std::make_unique<KktSolver>();
  auto with_shift = std::make_unique<ComplexKkt>();
  KktOptions options;
  options.factorization = Factorization::ldu;
  options.backend = backend_;
  if (std::string refusal = real->attach(*system_, options); !refusal.empty()) return refusal;
  if (std::string refusal = with_shift->attach(*system_, backend_); !refusal.empty()) return refusal;
  real_ = std::move(real);
  complex_ = std::move(with_shift);
  return {};
}

KktReport Radau::make_matrices(double h, Matrix wanted) {
  const auto factorize = [&](KktSolver& kkt) {
    const PhaseTimer timer(statistics_.seconds_factorize);
    ++statistics_.factorizations;
    kkt.update_proximal();
    if (equations_.redundant()) kkt.scale_proximal(redundant_proximal);
    return kkt.factorize();
  };
  Linearization lin;
  lin.matrix = &kkt_.matrix();
  lin.mass = 1.0;
  linearize(*system_, at_middle(false), lin, statistics_);
  used_ = wanted;
  if (wanted != Matrix::simplified && options_.newton == RadauOptions::Newton::automatic) {
    const bool rows = wait_ == 0 && stiff_.any() &&
                      stiff_.find(*system_, at_middle(false), std::as_const(kkt_).matrix(), h) ==
                          StiffCoordinates::Found::rows;
    used_ = rows ? Matrix::rows : Matrix::whole;
    if (rows) stiff_.add_to(kkt_.matrix());
  }
  KktReport report = factorize(kkt_);
  if (used_ != Matrix::whole || report.status != Status::ok) return report;
  if (std::string refusal = make_whole(); !refusal.empty()) {
    report.status = Status::unsupported;
    report.culprit = {std::move(refusal), "analysis", 0.0};
    return report;
  }
  lin.matrix = &real_->matrix();
  lin.damping = h / radau::gamma;
  lin.stiffness = lin.damping * lin.damping;
  linearize(*system_, at_middle(true), lin, statistics_);
  report = factorize(*real_);
  if (report.status != Status::ok) return report;
  const PhaseTimer timer(statistics_.seconds_factorize);
  ++statistics_.factorizations;
  statistics_.evaluations += 2;
  const FactorReport factor = complex_->factorize(at_middle(true), {radau::alpha, radau::beta}, h);
  if (factor.status == FactorStatus::ok) return report;
  report.status = factor.status == FactorStatus::not_finite ? Status::not_finite : Status::singular_kkt;
  report.culprit = {factor.culprit < 0       ? std::string()
                    : factor.culprit_is_dual ? system_->constraint_name(factor.culprit)
                                             : system_->velocity_block_name(factor.culprit),
                    "pivot of a complex stage matrix", 0.0};
  return report;
}

// What the simplified iteration leaves out, h |D| / 4M + h^2 |K| / 16M, by the largest sum of a row, scaled by the masses. 0
// where the back end refuses the whole matrices.
double Radau::stiffness(double h) {
  if (!make_whole().empty()) return 0.0;
  BlockMatrix& left_out = complex_->part();
  Linearization lin;
  lin.matrix = &left_out;
  lin.damping = h / 4.0;
  lin.stiffness = h * h / 16.0;
  linearize(*system_, at_middle(true), lin, statistics_);
  const BlockMatrix& mass = std::as_const(kkt_).matrix();
  const BlockMatrix& given = left_out;
  const BlockPattern& p = given.pattern();
  const auto unit = [&](int b, int i) { return std::sqrt(std::abs(mass.H(b)(i, i))); };
  std::fill(rate_.begin(), rate_.end(), 0.0);  // sums of rows
  const auto add = [&](int row, int column, const ConstBlockRef& block) {
    for (int i = 0; i < block.rows; ++i)
      for (int j = 0; j < block.cols; ++j)
        rate_[index(p.primal_offset[index(row)] + i)] +=
            std::abs(block(i, j)) / (unit(row, i) * unit(column, j));
  };
  for (int b = 0; b < p.primal_count(); ++b) add(b, b, given.H(b));
  for (std::size_t k = 0; k < p.couplings.size(); ++k) {
    const auto [i, j] = p.couplings[k];
    add(i, j, given.H_upper(static_cast<int>(k)));
    add(j, i, given.H_lower(static_cast<int>(k)));
  }
  return rate_.empty() ? 0.0 : *std::max_element(rate_.begin(), rate_.end());
}

// product_ = M by, with no rows.
void Radau::multiply_mass(const std::vector<double>& by) {
  multiply(std::as_const(kkt_).matrix(), by, sum_, product_);
  if (used_ == Matrix::rows) stiff_.subtract_kappa_times(by.data(), product_.data());
}

// Of the embedded solution of order 3, filtered by the real matrix:
//     r_q = v_n + (1/h) sum_i d_i xi_i,   r_v = a_n + (1/h) sum_i d_i (V_i - v_n)
//     [(g/h)^2 M + (g/h) D + K, G^T; G 0] [e_q; .] = [M r_v + ((g/h) M + D) r_q; c],   e_v = P ((g/h) e_q - r_q)
// with g the real eigenvalue of A^-1 and P the projection of velocities at the end of the step. c: 0 of position rows, G e_q = 0;
// (h/g) G r_q of velocity rows, which hold the velocity alone, G ((g/h) e_q - r_q) = 0. A stiff spring is to the
// estimate what a row is: by the whole matrices e_v passes the filter M^-1 [M + (h/g) D + (h/g)^2 K, G^T; G 0] as well, which
// leaves soft directions as they are. Without it velocities along the spring would cut the step, whose method does not
// promise them (radau.hpp).
void Radau::estimate_error(const State& state, double h) {
  const double* const d = radau::error;
  const double by = radau::gamma / h;
  const bool whole = used_ == Matrix::whole, filtered = used_ != Matrix::simplified;
  for (std::size_t k = 0; k < error_x_.size(); ++k) {
    double rate_x = state.v[k], rate_v = state.a[k];
    for (std::size_t i = 0; i < 3; ++i) {
      rate_x += d[i] * stages_[i].xi[k] / h;
      rate_v += d[i] * (stages_[i].at.v[k] - state.v[k]) / h;
    }
    error_v_[k] = rate_x;
    rate_[k] = rate_v + by * rate_x;
  }
  multiply_mass(rate_);
  if (whole) {
    // D r_q
    Linearization lin;
    lin.matrix = &complex_->part();
    lin.damping = 1.0;
    linearize(*system_, at_middle(true), lin, statistics_);
    std::copy(product_.begin(), product_.end(), stages_[0].x.begin());
    multiply(complex_->part(), error_v_, sum_, product_);
    for (std::size_t k = 0; k < error_x_.size(); ++k) product_[k] += stages_[0].x[k];
  }
  if (used_ == Matrix::rows) stiff_.add_damping_times(error_v_.data(), product_.data());
  if (velocity_level_) {
    std::vector<double>& of_rate = stages_[0].x;
    std::copy(error_v_.begin(), error_v_.end(), sum_.begin());
    std::fill(sum_.begin() + n_, sum_.end(), 0.0);
    std::as_const(kkt_).matrix().multiply(sum_.data(), of_rate.data());
    for (std::size_t r = 0; r < index(m_); ++r)
      if (is_velocity_row_[r] != 0) product_[index(n_) + r] = by * of_rate[index(n_) + r];
  }
  const PhaseTimer timer(statistics_.seconds_solve);
  statistics_.solves += 2;
  (whole ? *real_ : kkt_).solve(product_.data());
  for (std::size_t k = 0; k < error_x_.size(); ++k) {
    error_x_[k] = product_[k] / (by * by);
    rate_[k] = by * error_x_[k] - error_v_[k];
  }
  multiply_mass(rate_);
  equations_.kkt().solve(product_.data());
  std::copy_n(product_.begin(), error_v_.size(), error_v_.begin());
  if (!filtered) return;
  multiply_mass(error_v_);
  ++statistics_.solves;
  (whole ? *real_ : kkt_).solve(product_.data());
  std::copy_n(product_.begin(), error_v_.size(), error_v_.begin());
}

}  // namespace catena
