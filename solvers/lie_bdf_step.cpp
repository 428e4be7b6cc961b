// The equations of a step, the history that they begin with, and the estimates of the error.
#include <catena/math/detail/index.hpp>
#include <catena/solvers/lie_bdf.hpp>
#include <catena/stepper/detail/phase_timer.hpp>
#include <catena/system/detail/evaluations.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace catena {
using namespace detail;

KktReport LieBdf::attempt(const State& state, double h) {
  KktReport report = find_history(state, h);
  if (report.status != Status::ok) return report;
  predict(state, h);
  report = iterate(state, h);
  if (report.status != Status::ok) return report;
  now_.t = end_.t;
  now_.q = end_.q;
  now_.v = end_.v;
  now_.a = end_.a;
  now_.lambda = end_.lambda;
  report = close(state, xi_);
  if (report.status != Status::ok) return report;
  estimate_error(order_);
  return report;
}

// The means of the steps before, their sizes, the order, and the weights. keep() leaves an order and a number of steps that
// the options allow; others are of a history that something else has written.
KktReport LieBdf::find_history(const State& state, double h) {
  const double* const sizes = sizes_.of(state);
  const double order = order_slot_.value(state), kept = kept_.value(state);
  from_start_ = !(h_before_.value(state) > 0.0) || !(sizes[0] > 0.0);
  KktReport report;
  if (from_start_) {
    report = continue_backwards(state, h);
  } else if (!(order >= 1.0 && order <= options_.max_order)) {
    report.status = Status::not_finite;
    report.culprit = {"", "order in the history of steps", order};
    return report;
  } else if (!(kept >= 0.0 && kept <= options_.max_order)) {
    report.status = Status::not_finite;
    report.culprit = {"", "number of steps in the history", kept};
    return report;
  }
  const double* const of_v = from_start_ ? backwards_v_.data() : mean_v_.of(state);
  const double* const of_a = from_start_ ? backwards_a_.data() : mean_a_.of(state);
  h_[0] = h;
  for (int i = 0; i < largest; ++i) {
    h_[index(i + 1)] = from_start_ ? h : sizes[i];
    means_v_[index(i)] = of_v + i * n_;
    means_a_[index(i)] = of_a + i * n_;
  }
  v_before_ = from_start_ ? state.v.data() : v_last_.of(state);
  order_ = from_start_ || !adaptive() ? options_.max_order : static_cast<int>(order);
  weights_ = bdf_weights(order_, h_);
  iteration_.remember(contraction_slot_.value(state));
  // Across the constraints velocities are differences of coordinates over h, with the weights of the formula and of the
  // estimate, which the projection removes but for a part: 1/256 is measured, of errors that no longer fall as steps do
  // (docs/theory/lie_bdf.md).
  constexpr double roundoff = 2.0 * std::numeric_limits<double>::epsilon(), left_by_projection = 1.0 / 256.0;
  step_share_ = h;
  roundoff_x_ = roundoff;
  roundoff_v_ = left_by_projection * roundoff / h;
  errors_.controller().of_error = 1.0 / order_;  // the error per second falls with h^order
  return report;
}

// A history of steps of the same size before the state, where none were taken: v(t) continues backwards by its derivatives,
// v'' and v''' from v' now and in the middle and at the end of the step. v and xi there have errors of order h^3 in the first
// pass, without v''; in the second the means have errors of order h^4.
KktReport LieBdf::continue_backwards(const State& state, double h) {
  const std::size_t n = index(n_);
  std::vector<double>&jerk = mean_v_now_, &snap = mean_a_now_, &middle = a_known_;
  std::fill(jerk.begin(), jerk.end(), 0.0);
  std::fill(snap.begin(), snap.end(), 0.0);
  // From the state over a time s: what v changes by, and its integral.
  const auto change = [&](std::size_t k, double s) {
    return s * (state.a[k] + s / 2.0 * (jerk[k] + s / 3.0 * snap[k]));
  };
  const auto way = [&](std::size_t k, double s) {
    return s * (state.v[k] + s / 2.0 * (state.a[k] + s / 3.0 * (jerk[k] + s / 4.0 * snap[k])));
  };
  constexpr int passes = 2;
  for (int pass = 0; pass < passes; ++pass) {
    for (const double s : {0.5 * h, h}) {
      now_.t = state.t + s;
      now_.lambda = state.lambda;
      for (std::size_t k = 0; k < n; ++k) now_.v[k] = state.v[k] + change(k, s);
      system_->bracket(state.v.data(), now_.v.data(), bracket_.data());
      for (std::size_t k = 0; k < n; ++k) xi_[k] = way(k, s) + s * s / 12.0 * bracket_[k];
      system_->retract(state.q.data(), xi_.data(), now_.q.data());
      const KktReport report = equations_.accelerate_between(now_);
      if (report.status != Status::ok) return report;
      if (s < h) middle = now_.a;
    }
    for (std::size_t k = 0; k < n; ++k) {
      jerk[k] = (4.0 * middle[k] - 3.0 * state.a[k] - now_.a[k]) / h;
      snap[k] = 4.0 * (state.a[k] - 2.0 * middle[k] + now_.a[k]) / (h * h);
    }
  }
  for (std::size_t k = 0; k < n; ++k)
    for (int i = 0; i < largest; ++i) {
      backwards_v_[index(i) * n + k] = (way(k, -i * h) - way(k, -(i + 1) * h)) / h;
      backwards_a_[index(i) * n + k] = (change(k, -i * h) - change(k, -(i + 1) * h)) / h;
    }
  return {};
}

// out = weights[0] now + sum_i weights[i + 1] before_i.
void LieBdf::weigh(const double* weights, int count, const std::vector<double>& now,
                   const std::array<const double*, largest>& before, double* out) const {
  for (std::size_t k = 0; k < index(n_); ++k) {
    double sum = weights[0] * now[k];
    for (int i = 1; i < count; ++i) sum += weights[i] * before[index(i - 1)][k];
    out[k] = sum;
  }
}

// Where the polynomial through the points before continues to.
void LieBdf::predict(const State& state, double h) {
  end_.t = state.t + h;
  end_.discrete = state.discrete;
  std::fill(mean_v_now_.begin(), mean_v_now_.end(), 0.0);
  weigh(weights_.derivative.data(), order_, mean_v_now_, means_v_, v_known_.data());
  weigh(weights_.derivative.data(), order_, mean_v_now_, means_a_, a_known_.data());
  for (std::size_t k = 0; k < index(n_); ++k) {
    double mean = 0.0;
    for (int i = 0; i < order_; ++i) mean += weights_.predicted[index(i)] * means_v_[index(i)][k];
    end_.v[k] = v_known_[k] + weights_.derivative[0] * mean;
  }
  predict_multipliers(state, h, end_.lambda);
  move(state, h);
  set_weights(state, end_);
}

// xi, q and v' of the iterate from its v.
void LieBdf::move(const State& state, double h) {
  const double of_mean = weights_.derivative[0];
  system_->bracket(v_before_, end_.v.data(), bracket_.data());
  for (std::size_t k = 0; k < index(n_); ++k) {
    mean_v_now_[k] = (end_.v[k] - v_known_[k]) / of_mean;
    mean_a_now_[k] = (end_.v[k] - v_before_[k]) / h;
    xi_[k] = h * (mean_v_now_[k] + h / 12.0 * bracket_[k]);
    end_.a[k] = a_known_[k] + of_mean * mean_a_now_[k];
  }
  system_->retract(state.q.data(), xi_.data(), end_.q.data());
}

// With s = h / w, w the weight of the step in hand: v' changes by delta, v by s delta, q by s^2 T delta,
//     [(M + s D) T^-1 + s^2 K, G^T; G, 0] [delta; dlambda] = -[balance; g / s^2 or (G v + g_t) / s]
KktReport LieBdf::solve(double h, bool with_matrix) {
  const double s = h / weights_.derivative[0];
  Linearization lin;
  lin.matrix = &matrix_.kkt().matrix();
  lin.mass = 1.0;
  lin.damping = s;
  lin.stiffness = s * s;
  lin.increment = xi_.data();
  Point at = point_of(end_);
  at.a = end_.a.data();
  at.lambda = end_.lambda.data();
  const auto evaluate = [&](Linearization* linearization) {
    const PhaseTimer timer(statistics_.seconds_evaluate);
    ++statistics_.evaluations;
    Evaluation wanted;
    wanted.balance = x_.data();
    wanted.position = x_.data() + n_;
    if (velocity_level_) wanted.velocity = velocity_rows_.data();
    wanted.linearization = linearization;
    system_->evaluate(at, wanted);
    for (std::size_t k = 0; k < index(n_); ++k) x_[k] = -x_[k];
    for (std::size_t r = 0; r < index(m_); ++r) {
      double& x = x_[index(n_) + r];
      x = is_velocity_row_[r] != 0 ? -velocity_rows_[r] / s : -x / (s * s);
    }
  };
  if (!with_matrix) {
    evaluate(nullptr);
    KktReport report = not_finite_in(at, x_, false);
    if (report.status != Status::ok) return report;
    const PhaseTimer timer(statistics_.seconds_solve);
    ++statistics_.solves;
    matrix_.kkt().solve(x_.data());
    return not_finite_in(at, x_, true);
  }
  KktReport undefined;
  const double evaluated = statistics_.seconds_evaluate, begin = seconds_now();
  KktReport report = matrix_.refresh_and_solve(
      [&](const std::uint8_t* without) {
        lin.without_geometric_stiffness = without;
        evaluate(&lin);
        if (undefined.status == Status::ok) undefined = not_finite_in(at, x_, false);
        matrix_.kkt().update_proximal();
        if (equations_.redundant()) matrix_.kkt().scale_proximal(redundant_proximal);
      },
      x_.data(), statistics_);
  statistics_.seconds_factorize += seconds_now() - begin - (statistics_.seconds_evaluate - evaluated);
  ++statistics_.solves;
  if (undefined.status != Status::ok) return undefined;
  if (report.status != Status::ok) {
    ++statistics_.rejected_by_newton;
    return report;
  }
  return not_finite_in(at, x_, true);
}

// The correction, of whose xi the bracket takes a part, is applied; its size in tolerances.
double LieBdf::correct(double h) {
  const double w = weights_.derivative[0], s = h / w;
  for (std::size_t k = 0; k < index(n_); ++k) x_[k] *= s * s;
  system_->inverse_tangent(xi_.data(), x_.data(), rate_.data());
  system_->bracket(v_before_, rate_.data(), bracket_.data());
  for (std::size_t k = 0; k < index(n_); ++k) end_.v[k] += (rate_[k] - s * w * w / 12.0 * bracket_[k]) / s;
  for (std::size_t r = 0; r < index(m_); ++r) end_.lambda[r] += x_[index(n_) + r];
  begin_corrections();
  return size_of(rate_, 1.0 / s);
}

KktReport LieBdf::iterate(const State& state, double h) {
  using Verdict = ToleranceIteration::Verdict;
  iteration_.begin(options_.max_newton_iterations, !resisted_.resists());
  bool with_matrix = true;
  for (Verdict verdict = Verdict::iterate; verdict == Verdict::iterate; with_matrix = false) {
    ++statistics_.newton_iterations;
    KktReport report = solve(h, with_matrix);
    if (report.status != Status::ok) return report;
    verdict = iteration_.observe(correct(h));
    move(state, h);
    if (verdict == Verdict::converged) return {};
    // Along the constraints v is found to its own roundoff, which takes corrections below that of positions over h.
    if ((verdict == Verdict::failed || !iteration_.gains()) && is_roundoff(rate_.data())) return {};
  }
  return not_converged("Newton correction in tolerances", iteration_.before());
}

// Of q and v at an order: the weights of that order over the means of v and v', and of that what constraints and stiff forces
// leave, by one solve with Newton's matrix: [M + s D + s^2 K, G^T; G, 0] [e; .] = [(M + s D) e_0; c], of v without s D
// (kkt/detail/resisted_error.hpp). c = 0, but for the error of q in velocity rows, which hold v alone: c = G e_0.
void LieBdf::estimate_error(int order) {
  const double s = h_[0] / weights_.derivative[0];
  const auto weights = bdf_error(order, h_);
  weigh(weights.data(), order + 1, mean_v_now_, means_v_, raw_x_.data());
  weigh(weights.data(), order + 1, mean_a_now_, means_a_, raw_v_.data());
  const Point at = point_of(end_);
  for (const auto& [raw, error] : {std::pair{&raw_x_, &error_x_}, std::pair{&raw_v_, &error_v_}}) {
    {
      const PhaseTimer timer(statistics_.seconds_evaluate);
      ++statistics_.evaluations;
      std::fill(x_.begin(), x_.end(), 0.0);
      if (velocity_level_ && raw == &raw_x_) {
        std::copy(raw->begin(), raw->end(), x_.begin());
        std::as_const(matrix_).kkt().matrix().multiply(x_.data(), of_rows_.data());
        for (std::size_t r = 0; r < index(m_); ++r)
          if (is_velocity_row_[r] != 0) x_[index(n_) + r] = of_rows_[index(n_) + r];
      }
      evaluate_inertia(*system_, at, raw->data(), x_.data());
      if (raw == &raw_x_) {
        statistics_.evaluations += resisted_.evaluations();
        resisted_.add(at, raw_x_.data(), s, s * s, x_.data());
      }
    }
    const PhaseTimer timer(statistics_.seconds_solve);
    ++statistics_.solves;
    matrix_.kkt().solve(x_.data());
    std::copy_n(x_.begin(), error->size(), error->begin());
  }
}

}  // namespace catena
