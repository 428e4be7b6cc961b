#include <catena/experiment/detail/number.hpp>
#include <catena/experiment/detail/split.hpp>
#include <catena/experiment/parts/usage_error.hpp>
#include <catena/study/detail/database.hpp>
#include <catena/study/parts/reduction.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

namespace catena {
using namespace detail;
namespace {

struct NamedReduction {
  const char* name;
  Reduction::Kind kind;
};
constexpr NamedReduction reductions[] = {
    {"end", Reduction::Kind::end},     {"min", Reduction::Kind::minimum},
    {"max", Reduction::Kind::maximum}, {"mean", Reduction::Kind::mean},
    {"rms", Reduction::Kind::rms},     {"crossing", Reduction::Kind::crossing},
    {"at", Reduction::Kind::instant},  {"series", Reduction::Kind::series}};

bool has_value(Reduction::Kind kind) {
  return kind == Reduction::Kind::crossing || kind == Reduction::Kind::instant;
}

std::vector<std::string> reduction_names() {
  std::vector<std::string> names;
  for (const NamedReduction& named : reductions) names.emplace_back(named.name);
  return names;
}

// The integral of f(x) over the interval, divided by its length.
template <class F>
double mean_of(const std::vector<double>& t, const std::vector<double>& x, const F& f) {
  const double length = t.back() - t.front();
  if (!(length > 0.0)) return f(x.back());
  double sum = 0.0;
  for (std::size_t k = 1; k < t.size(); ++k) sum += 0.5 * (f(x[k - 1]) + f(x[k])) * (t[k] - t[k - 1]);
  return sum / length;
}

// Between instants k - 1 and k: the cubic through the two and their neighbours, a line where it is no number.
double between(const std::vector<double>& t, const std::vector<double>& x, std::size_t k, double at) {
  const std::size_t count = std::min<std::size_t>(4, t.size());  // at both ends as well
  const std::size_t first = std::min(k >= 2 ? k - 2 : 0, t.size() - count), last = first + count - 1;
  double sum = 0.0;
  for (std::size_t i = first; i <= last; ++i) {
    double term = x[i];
    for (std::size_t j = first; j <= last; ++j)
      if (j != i) term *= (at - t[j]) / (t[i] - t[j]);
    sum += term;
  }
  return std::isfinite(sum) ? sum : x[k - 1] + (x[k] - x[k - 1]) * (at - t[k - 1]) / (t[k] - t[k - 1]);
}

double first_crossing(const std::vector<double>& t, const std::vector<double>& x, double level) {
  if (x.front() == level) return t.front();
  for (std::size_t k = 1; k < t.size(); ++k) {
    const double before = x[k - 1] - level, after = x[k] - level;
    if (after == 0.0) return t[k];
    if (std::isnan(before) || std::isnan(after) || (before < 0.0) == (after < 0.0)) continue;
    double low = t[k - 1], high = t[k];  // by halves, to neighbouring numbers
    for (double middle; (middle = low + 0.5 * (high - low)) > low && middle < high;)
      ((between(t, x, k, middle) - level < 0.0) == (before < 0.0) ? low : high) = middle;
    return high;
  }
  return std::numeric_limits<double>::quiet_NaN();
}

// An end is the sum of its steps, in another roundoff than what was typed.
constexpr double roundoff_of_times = 1e-12;

double value_at(const std::vector<double>& t, const std::vector<double>& x, double instant) {
  if (instant > t.back() && instant <= t.back() * (1.0 + roundoff_of_times)) return x.back();
  const auto after = std::lower_bound(t.begin(), t.end(), instant);
  if (after == t.end() || (after == t.begin() && *after != instant))
    return std::numeric_limits<double>::quiet_NaN();
  const auto k = static_cast<std::size_t>(after - t.begin());
  if (t[k] == instant) return x[k];
  return between(t, x, k, instant);
}

// hip, of 'joint "hip" (revolute) on link'. Names may hold quotation marks.
std::string name_in(const std::string& label) {
  const std::size_t begin = label.find('"'), type = label.rfind("\" ("),
                    end = type == std::string::npos ? label.rfind('"') : type;
  return begin < end && end != std::string::npos ? label.substr(begin + 1, end - begin - 1) : label;
}

}  // namespace

Reduction reduction_from_text(const std::string& text) {
  const std::size_t blank = text.find(' ');
  const std::string word = text.substr(0, blank), name = word.substr(0, word.find('='));
  const auto named = std::find_if(std::begin(reductions), std::end(reductions),
                                  [&](const NamedReduction& r) { return name == r.name; });
  if (blank == std::string::npos || blank + 1 == text.size())
    throw UsageError(text + ": write what is kept and of which column, \"max energy/kinetic\" say");
  if (named == std::end(reductions))
    throw UsageError(text + ": " + unknown_name("word", name, reduction_names()));
  Reduction reduction{.kind = named->kind, .column = text.substr(blank + 1)};
  const bool value = has_value(named->kind), instant = named->kind == Reduction::Kind::instant;
  if (value != (word.size() > name.size()))
    throw UsageError(text + ": " +
                     (!value    ? "only crossing and at have a value"
                      : instant ? "write at=TIME"
                                : "write crossing=VALUE"));
  if (!value) return reduction;
  const std::optional<double> level = parse_real(std::string_view(word).substr(name.size() + 1));
  if (!level)
    throw UsageError(text + (instant ? ": the time is" : ": the value that is crossed is") + " a number");
  if (instant && *level < 0.0) throw UsageError(text + ": a run begins at 0 or later");
  reduction.level = *level;
  return reduction;
}

std::vector<Reduction> reductions_from_text(const std::string& text) {
  const std::size_t equals = text.find('='), blank = text.find(' ');
  const std::string word = text.substr(0, equals);
  if (word != "at" || equals > blank || blank == std::string::npos) return {reduction_from_text(text)};
  std::vector<Reduction> all;
  for (const std::string& time : split(text.substr(equals + 1, blank - equals - 1), ','))
    all.push_back(reduction_from_text(word + "=" + time + text.substr(blank)));
  return all;
}

std::string outside(const std::vector<Reduction>& reductions, double begin, double end) {
  for (const Reduction& reduction : reductions) {
    if (reduction.kind != Reduction::Kind::instant) continue;
    if (reduction.level > end * (1.0 + roundoff_of_times))
      return fmt::format("--keep {}: the run ends at t = {:g} s, before that instant", to_text(reduction),
                         end);
    if (reduction.level < begin)
      return fmt::format("--keep {}: the run begins at t = {:g} s, behind that instant", to_text(reduction),
                         begin);
  }
  return {};
}

bool is_over_time(const Reduction& reduction) {
  return reduction.kind != Reduction::Kind::end && reduction.kind != Reduction::Kind::series;
}

std::string to_text(const Reduction& reduction) {
  for (const NamedReduction& named : reductions)
    if (named.kind == reduction.kind) {
      return named.name + (has_value(named.kind) ? fmt::format("={}", reduction.level) : "") + " " +
             reduction.column;
    }
  return {};
}

ReducedNumber reduced(const Reduction& reduction, const Table& table) {
  const std::vector<double> x = table.column(reduction.column);
  ReducedNumber number{.unit = table.unit(reduction.column)};
  if (x.empty()) {
    number.value = std::numeric_limits<double>::quiet_NaN();
    return number;
  }
  const std::vector<double> t = table.column("time");
  switch (reduction.kind) {
    case Reduction::Kind::end:
      number.value = x.back();
      break;
    case Reduction::Kind::minimum:
      number.value = *std::min_element(x.begin(), x.end());
      break;
    case Reduction::Kind::maximum:
      number.value = *std::max_element(x.begin(), x.end());
      break;
    case Reduction::Kind::mean:
      number.value = mean_of(t, x, [](double v) { return v; });
      break;
    case Reduction::Kind::rms:
      number.value = std::sqrt(mean_of(t, x, [](double v) { return v * v; }));
      break;
    case Reduction::Kind::crossing:
      number = {first_crossing(t, x, reduction.level), "s"};
      break;
    case Reduction::Kind::instant:
      number.value = value_at(t, x, reduction.level);
      break;
    case Reduction::Kind::series:
      assert(false);  // a series is no number
      break;
  }
  return number;
}

std::string quantity_of(const Reduction& reduction) {
  const std::string& column = reduction.column;
  const std::string name = column.substr(0, column.find(' '));
  const std::size_t of = column.find(" of ");
  if (of == std::string::npos) return name;
  const std::string label = column.substr(of + 4);
  const bool plain = name.starts_with("bodies/") || name.starts_with("points/");
  return name + ":" + quoted(plain ? label : name_in(label));
}

}  // namespace catena
