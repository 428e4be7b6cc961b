#include <catena/linear/detail/frame_operator.hpp>
#include <catena/math/detail/index.hpp>
#include <catena/system/detail/evaluations.hpp>

#include <algorithm>

namespace catena::detail {
namespace {

Vec3 three(const double* x) { return {{x[0], x[1], x[2]}}; }

void put(double* out, const Vec3& x) {
  for (int k = 0; k < 3; ++k) out[k] = x[k];
}

template <class Shift, class Turn>
void cross_blocks(const LinearMotion& motion, const double* x, double* out, Shift&& shift, Turn&& turn) {
  const BlockPattern& p = *motion.system->layout().pattern;
  if (motion.frame.empty()) {
    std::fill(out, out + p.primal_dimension, 0.0);
    return;
  }
  for (int b = 0; b < p.primal_count(); ++b) {
    const int o = p.primal_offset[index(b)];
    put(out + o, cross(shift(motion.frame[index(b)]), three(x + o)));
    if (p.primal_size[index(b)] == 6) put(out + o + 3, cross(turn(motion.frame[index(b)]), three(x + o + 3)));
  }
}

// A (sigma + E_j) for the columns of a block of primal block j, added to `out` with a factor.
void add_times_shift_and_E(const ConstBlockRef& A, double sigma, const FrameRates* f, const BlockRef& out) {
  for (int i = 0; i < A.rows; ++i)
    for (int j = 0; j < A.cols; ++j) out(i, j) += sigma * A(i, j);
  if (f == nullptr) return;
  for (int part = 0; part < A.cols / 3; ++part) {
    const Mat3 e = skew(part == 0 ? f->shift : f->turn);
    for (int i = 0; i < A.rows; ++i)
      for (int j = 0; j < 3; ++j)
        for (int k = 0; k < 3; ++k) out(i, 3 * part + j) += A(i, 3 * part + k) * e(k, j);
  }
}

// (D - M S_j + sigma M)(sigma + E_j) + K of one block of H.
class ShiftedBlock {
 public:
  void operator()(const ConstBlockRef& M, const ConstBlockRef& D, const ConstBlockRef& K, double sigma,
                  const FrameRates* f, const BlockRef& out) {
    sum_.assign(index(M.rows * M.cols), 0.0);
    const BlockRef sum{sum_.data(), M.rows, M.cols, 1};
    for (int i = 0; i < M.rows; ++i)
      for (int j = 0; j < M.cols; ++j) {
        sum(i, j) = D(i, j) + sigma * M(i, j);
        out(i, j) = K(i, j);
      }
    if (f != nullptr)
      for (int part = 0; part < M.cols / 3; ++part) {
        const Mat3 s = skew(part == 0 ? f->s_shift : f->s_turn);
        for (int i = 0; i < M.rows; ++i)
          for (int j = 0; j < 3; ++j)
            for (int k = 0; k < 3; ++k) sum(i, 3 * part + j) -= M(i, 3 * part + k) * s(k, j);
      }
    add_times_shift_and_E({sum_.data(), M.rows, M.cols, 1}, sigma, f, out);
  }

 private:
  std::vector<double> sum_;
};

}  // namespace

void times_E(const LinearMotion& motion, const double* x, double* out) {
  cross_blocks(
      motion, x, out, [](const FrameRates& f) { return f.shift; },
      [](const FrameRates& f) { return f.turn; });
}

void times_S(const LinearMotion& motion, const double* y, double* out) {
  cross_blocks(
      motion, y, out, [](const FrameRates& f) { return f.s_shift; },
      [](const FrameRates& f) { return f.s_turn; });
}

MotionProducts::MotionProducts(const LinearMotion& motion)
    : motion_(motion),
      n_(motion.system->layout().v_size()),
      m_(motion.system->layout().lambda_size()),
      in_(index(n_ + m_), 0.0),
      s_(index(n_)),
      ms_(index(n_ + m_)) {}

void MotionProducts::times(const BlockMatrix& A, const double* x, double* out) {
  std::copy(x, x + n_, in_.begin());
  A.multiply(in_.data(), out);
}

void MotionProducts::damping(const double* y, double* out) {
  times(*motion_.damping, y, out);
  if (motion_.frame.empty()) return;
  times_S(motion_, y, s_.data());
  times(*motion_.mass, s_.data(), ms_.data());
  for (int k = 0; k < n_; ++k) out[k] -= ms_[index(k)];
}

MotionRates::MotionRates(const LinearMotion& motion)
    : motion_(motion),
      products_(motion),
      rhs_(index(products_.n() + products_.m())),
      work_(rhs_),
      rate_(index(products_.n())) {}

KktReport MotionRates::factorize() {
  const std::string refusal = kkt_.attach(*motion_.system, {});
  if (!refusal.empty()) return {.status = Status::unsupported, .culprit = {.name = refusal, .quantity = {}}};
  Point at = point_of(motion_.state);
  evaluate_mass_and_rows(*motion_.system, at, kkt_.matrix());
  kkt_.update_proximal();
  return kkt_.factorize();
}

void MotionRates::operator()(const double* x, const double* y, double* x_rate, double* y_rate) {
  const int n = products_.n();
  const SystemLayout& layout = motion_.system->layout();
  const BlockPattern& p = *layout.pattern;
  times_E(motion_, x, rate_.data());
  for (int k = 0; k < n; ++k) x_rate[k] = y[k] - rate_[index(k)];
  // Rows: of positions G E x', of velocities -N x'.
  times_E(motion_, x_rate, rate_.data());
  products_.mass(rate_.data(), rhs_.data());
  products_.stiffness(x_rate, work_.data());
  for (int d = 0; d < p.dual_count(); ++d)
    if (layout.level[index(d)] == Level::velocity)
      for (int r = p.dual_offset[index(d)]; r < p.dual_offset[index(d)] + p.dual_size[index(d)]; ++r)
        rhs_[index(r)] = -work_[index(r)];
  products_.damping(y, work_.data());
  for (int k = 0; k < n; ++k) rhs_[index(k)] = -work_[index(k)];
  products_.stiffness(x, work_.data());
  for (int k = 0; k < n; ++k) rhs_[index(k)] -= work_[index(k)];
  kkt_.solve_refined(rhs_.data());
  std::copy(rhs_.begin(), rhs_.begin() + n, y_rate);
}

void fill_shifted(const LinearMotion& motion, double sigma, BlockMatrix& matrix) {
  const SystemLayout& layout = motion.system->layout();
  const BlockPattern& p = *layout.pattern;
  const BlockMatrix &M = *motion.mass, &D = *motion.damping, &K = *motion.stiffness;
  const auto frame = [&](int primal) {
    return motion.frame.empty() ? nullptr : &motion.frame[index(primal)];
  };
  matrix.set_zero();
  ShiftedBlock block;
  for (int b = 0; b < p.primal_count(); ++b) {
    const BlockRef H = matrix.H(b);
    block(M.H(b), D.H(b), K.H(b), sigma, frame(b), H);
    for (int i = 0; i < H.rows; ++i)
      if (motion.idle_count > 0 && motion.idle[index(p.primal_offset[index(b)] + i)] != 0)
        H(i, i) = M.H(b)(i, i);
  }
  for (std::size_t k = 0; k < p.couplings.size(); ++k) {
    const int c = static_cast<int>(k);
    block(M.H_upper(c), D.H_upper(c), K.H_upper(c), sigma, frame(p.couplings[k].j), matrix.H_upper(c));
    block(M.H_lower(c), D.H_lower(c), K.H_lower(c), sigma, frame(p.couplings[k].i), matrix.H_lower(c));
  }
  for (std::size_t k = 0; k < p.incidences.size(); ++k) {
    const int i = static_cast<int>(k);
    const auto [dual, primal] = p.incidences[k];
    const ConstBlockRef G = M.C(i), N = K.C(i);
    const BlockRef C = matrix.C(i), Bt = matrix.Bt(i);
    const bool velocity = layout.level[index(dual)] == Level::velocity;
    for (int r = 0; r < G.rows; ++r)
      for (int c = 0; c < G.cols; ++c) {
        if (matrix.border() == Border::separate) Bt(r, c) = G(r, c);
        C(r, c) = velocity ? N(r, c) : G(r, c);
      }
    if (velocity) add_times_shift_and_E(G, sigma, frame(primal), C);
  }
}

}  // namespace catena::detail
