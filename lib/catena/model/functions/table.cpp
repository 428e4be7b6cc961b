// A curve through points: a cubic on each interval, from the values and the slopes at its ends.
#include <catena/math/detail/index.hpp>
#include <catena/model/detail/function_table.hpp>
#include <catena/model/parts/error.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace catena::detail {
namespace {

using functions::Beyond;
using functions::Spline;
using functions::Table;

std::string number_of(std::size_t k) { return "point " + std::to_string(k + 1); }

std::string defect_of(const Table& t) {
  if (t.x.size() != t.y.size())
    return "x and y must have as many numbers, have " + std::to_string(t.x.size()) + " and " +
           std::to_string(t.y.size());
  if (t.x.size() < 2) return "a table has at least two points, has " + std::to_string(t.x.size());
  for (std::size_t k = 0; k < t.x.size(); ++k) {
    if (!std::isfinite(t.x[k]) || !std::isfinite(t.y[k])) return number_of(k) + " is not finite";
    if (k > 0 && !(t.x[k] > t.x[k - 1]))
      return "x must rise: " + message_number(t.x[k]) + " of " + number_of(k) + " is not above " +
             message_number(t.x[k - 1]);
  }
  return {};
}

struct Intervals {
  std::vector<double> length, slope;  // of the straight lines between the points
  explicit Intervals(const Table& t) {
    for (std::size_t k = 0; k + 1 < t.x.size(); ++k) {
      length.push_back(t.x[k + 1] - t.x[k]);
      slope.push_back((t.y[k + 1] - t.y[k]) / length[k]);
    }
  }
  std::size_t count() const { return length.size(); }
};

// Slopes of the twice differentiable spline whose third derivative is continuous at the second and at the last but one
// point (de Boor, A Practical Guide to Splines, chapter IV). Of three points their parabola.
std::vector<double> cubic_slopes(const Intervals& in) {
  const std::vector<double>&h = in.length, &m = in.slope;
  const std::size_t n = in.count() + 1;
  if (n == 2) return {m[0], m[0]};
  if (n == 3) {
    const double bend = (m[1] - m[0]) / (h[0] + h[1]);
    return {m[0] - bend * h[0], m[0] + bend * h[0], m[1] + bend * h[1]};
  }
  std::vector<double> diagonal(n), above(n), below(n), s(n);
  const double first = h[0] + h[1], last = h[n - 2] + h[n - 3];
  diagonal[0] = h[1];
  above[0] = first;
  s[0] = ((h[0] + 2.0 * first) * h[1] * m[0] + h[0] * h[0] * m[1]) / first;
  for (std::size_t k = 1; k + 1 < n; ++k) {
    below[k] = h[k];
    diagonal[k] = 2.0 * (h[k - 1] + h[k]);
    above[k] = h[k - 1];
    s[k] = 3.0 * (h[k] * m[k - 1] + h[k - 1] * m[k]);
  }
  below[n - 1] = last;
  diagonal[n - 1] = h[n - 3];
  s[n - 1] = (h[n - 2] * h[n - 2] * m[n - 3] + (2.0 * last + h[n - 2]) * h[n - 3] * m[n - 2]) / last;
  for (std::size_t k = 1; k < n; ++k) {
    const double factor = below[k] / diagonal[k - 1];
    diagonal[k] -= factor * above[k - 1];
    s[k] -= factor * s[k - 1];
  }
  s[n - 1] /= diagonal[n - 1];
  for (std::size_t k = n - 1; k-- > 0;) s[k] = (s[k] - above[k] * s[k + 1]) / diagonal[k];
  return s;
}

// At an end: the slope of the parabola through three points, as far as it keeps the curve monotone.
double end_slope(double h0, double h1, double m0, double m1) {
  const double s = ((2.0 * h0 + h1) * m0 - h0 * m1) / (h0 + h1);
  if (s * m0 <= 0.0) return 0.0;
  return m0 * m1 <= 0.0 && std::abs(s) > 3.0 * std::abs(m0) ? 3.0 * m0 : s;
}

// Fritsch and Butland, SIAM J. Sci. Stat. Comput. 5 (1984): harmonic means, zero at turning points.
std::vector<double> monotone_slopes(const Intervals& in) {
  const std::vector<double>&h = in.length, &m = in.slope;
  const std::size_t n = in.count() + 1;
  if (n == 2) return {m[0], m[0]};
  std::vector<double> s(n, 0.0);
  for (std::size_t k = 1; k + 1 < n; ++k) {
    if (m[k - 1] * m[k] <= 0.0) continue;
    const double w0 = 2.0 * h[k] + h[k - 1], w1 = h[k] + 2.0 * h[k - 1];
    s[k] = (w0 + w1) / (w0 / m[k - 1] + w1 / m[k]);
  }
  s[0] = end_slope(h[0], h[1], m[0], m[1]);
  s[n - 1] = end_slope(h[n - 2], h[n - 3], m[n - 2], m[n - 3]);
  return s;
}

// y + s (a + s (b + s c)), s from the beginning of an interval.
struct Piece {
  double y, a, b, c;
  double integral(double s) const { return s * (y + s * (a / 2.0 + s * (b / 3.0 + s * c / 4.0))); }
};

class TableShape final : public Function::Shape {
 public:
  explicit TableShape(Table table) : table_(std::move(table)), defect_(defect_of(table_)) {
    if (!defect_.empty()) return;
    if (table_.spline != Spline::linear) {
      const Intervals in(table_);
      slopes_ = table_.spline == Spline::cubic ? cubic_slopes(in) : monotone_slopes(in);
    }
    integrals_.assign(table_.x.size(), 0.0);
    for (std::size_t k = 0; k + 1 < table_.x.size(); ++k)
      integrals_[k + 1] = integrals_[k] + piece(k).integral(table_.x[k + 1] - table_.x[k]);
    const double least = *std::min_element(integrals_.begin(), integrals_.end());
    for (double& v : integrals_) v -= least;
  }

  FunctionValue at(double x) const override {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    if (!defect_.empty() || std::isnan(x)) return {none, none, none};
    const std::vector<double>&xs = table_.x, &ys = table_.y;
    if (x < xs.front() || x > xs.back()) {
      if (table_.beyond == Beyond::none) return {none, none, none};
      return {x < xs.front() ? ys.front() : ys.back(), 0.0, 0.0};
    }
    const std::size_t k = interval(x);
    const double h = xs[k + 1] - xs[k], s = x - xs[k];
    const double y =
        s == h ? ys[k + 1] : ys[k];  // at the last point the given value, not one that is rounded
    const double rest = s == h ? 0.0 : s;
    const Piece p = piece(k);
    return {y + rest * (p.a + s * (p.b + s * p.c)), p.a + s * (2.0 * p.b + 3.0 * p.c * s),
            2.0 * p.b + 6.0 * p.c * s};
  }

  bool has_integral() const override { return defect_.empty(); }
  double integral(double x) const override {
    const std::vector<double>&xs = table_.x, &ys = table_.y;
    if (!std::isfinite(at(x).value)) return std::numeric_limits<double>::quiet_NaN();
    if (x < xs.front()) return integrals_.front() + ys.front() * (x - xs.front());
    if (x > xs.back()) return integrals_.back() + ys.back() * (x - xs.back());
    const std::size_t k = interval(x);
    return integrals_[k] + piece(k).integral(x - xs[k]);
  }

  std::vector<double> break_points() const override { return table_.x; }
  std::string defect() const override { return defect_; }
  std::string defect_at(double x) const override {
    if (!defect_.empty() || table_.beyond == Beyond::hold) return {};
    const char* const remedy = ": add points, or write beyond: hold for the nearest value";
    if (x < table_.x.front()) return "the table begins at " + message_number(table_.x.front()) + remedy;
    if (x > table_.x.back()) return "the table ends at " + message_number(table_.x.back()) + remedy;
    return {};
  }
  const char* kind() const override { return "table"; }
  std::shared_ptr<const Shape> visited(FunctionVisitor& v, const FunctionUnits&) const override {
    Table copy = table_;
    v.numbers({"x", "", "of the points, rising; without units in SI units"}, copy.x);
    v.numbers({"y", "", "of the points; without units in SI units"}, copy.y);
    visit_choice(v, {"spline", "", "the curve between the points"}, copy.spline,
                 {"cubic", "monotone", "linear"});
    visit_choice(v, {"beyond", "", "outside of the table: no value (the run ends), or the nearest value"},
                 copy.beyond, {"none", "hold"});
    return make_table_shape(std::move(copy));
  }

 private:
  // x lies in the table.
  std::size_t interval(double x) const {
    const std::vector<double>& xs = table_.x;
    const std::size_t after = index(static_cast<int>(std::upper_bound(xs.begin(), xs.end(), x) - xs.begin()));
    return std::min(after, xs.size() - 1) - 1;
  }
  Piece piece(std::size_t k) const {
    const double h = table_.x[k + 1] - table_.x[k], m = (table_.y[k + 1] - table_.y[k]) / h;
    if (slopes_.empty()) return {table_.y[k], m, 0.0, 0.0};
    const double a = slopes_[k], c = (a + slopes_[k + 1] - 2.0 * m) / (h * h);
    return {table_.y[k], a, (m - a) / h - c * h, c};
  }

  Table table_;
  std::string defect_;
  std::vector<double> slopes_;     // at the points; of straight lines empty
  std::vector<double> integrals_;  // up to the points, the least of them 0
};

}  // namespace

std::shared_ptr<const Function::Shape> make_table_shape(Table table) {
  return std::make_shared<const TableShape>(std::move(table));
}

}  // namespace catena::detail
