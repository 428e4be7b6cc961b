#include <catena/experiment/parts/usage_error.hpp>
#include <catena/study/detail/row_store.hpp>
#include <catena/study/detail/student.hpp>
#include <catena/study/sweep.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace catena {
using namespace detail;
namespace {

std::size_t whole_of(const std::string& text) {
  std::size_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

// The sums that Sobol indices of one quantity come from.
struct VarianceSums {
  explicit VarianceSums(std::size_t variables) : of_first(variables, 0.0), of_total(variables, 0.0) {}

  VarianceSums& operator+=(const VarianceSums& other) {
    count += other.count;
    sum += other.sum;
    squares += other.squares;
    for (std::size_t k = 0; k < of_first.size(); ++k) {
      of_first[k] += other.of_first[k];
      of_total[k] += other.of_total[k];
    }
    return *this;
  }
  double first(std::size_t k) const { return of_first[k] / static_cast<double>(count) / variance(); }
  double total(std::size_t k) const { return of_total[k] / (2.0 * static_cast<double>(count)) / variance(); }

  std::size_t count = 0;  // points
  double sum = 0.0, squares = 0.0;
  std::vector<double> of_first, of_total;

 private:
  double variance() const {
    const double n = 2.0 * static_cast<double>(count), mean = sum / n;
    return squares / n - mean * mean;
  }
};

// Of numbers less their mean: roundoff and the scatter of the first indices are smallest then. Points go into groups in turn,
// and what the indices differ by where one group is left out is their uncertainty: the jackknife of groups (J. Shao, C. F. J.
// Wu, Ann. Statist. 17 (1989) 1176-1197). Points of a sequence are more even than those of chance, for which it holds.
class Variance {
 public:
  Variance(std::size_t variables, double mean)
      : origin_(mean), groups_(most_groups, VarianceSums(variables)) {}

  // f: of A, of B, of A with each variable of B.
  void add(const std::vector<double>& f) {
    if (count_ == 0) one_ = f[0];
    varies_ = varies_ || std::any_of(f.begin(), f.end(), [this](double x) { return x != one_; });
    VarianceSums& group = groups_[count_++ % groups_.size()];
    ++group.count;
    const double a = f[0] - origin_, b = f[1] - origin_;
    group.sum += a + b;
    group.squares += a * a + b * b;
    for (std::size_t k = 0; k < group.of_first.size(); ++k) {
      const double with_b = f[k + 2] - origin_;
      group.of_first[k] += b * (with_b - a);
      group.of_total[k] += (a - with_b) * (a - with_b);
    }
  }

  std::size_t count() const { return count_; }
  bool varies() const { return varies_; }  // else there are no indices: a part of nothing
  SobolIndex index(std::size_t k) const {
    const VarianceSums all = without(groups_.size());
    SobolIndex found;
    found.first = all.first(k);
    found.total = all.total(k);
    const std::size_t groups = std::min(groups_.size(), count_);
    Spread first, total;
    for (std::size_t g = 0; g < groups; ++g) {
      const VarianceSums others = without(g);
      first.add(others.first(k));
      total.add(others.total(k));
    }
    found.first_uncertainty = half_width(first, groups);
    found.total_uncertainty = half_width(total, groups);
    return found;
  }

 private:
  static constexpr std::size_t most_groups = 20;

  // The sums of all groups but one.
  VarianceSums without(std::size_t left_out) const {
    VarianceSums all(groups_.front().of_first.size());
    for (std::size_t g = 0; g < groups_.size(); ++g)
      if (g != left_out) all += groups_[g];
    return all;
  }
  static double half_width(const Spread& of, std::size_t groups) {
    constexpr std::size_t fewest = 3;
    if (groups < fewest) return std::numeric_limits<double>::quiet_NaN();
    const auto count = static_cast<double>(groups);
    return student(groups - 1) * (count - 1.0) / std::sqrt(count) * of.deviation;
  }

  std::size_t count_ = 0;
  double origin_, one_ = 0.0;
  bool varies_ = false;
  std::vector<VarianceSums> groups_;
};

}  // namespace

void Spread::spread() {
  if (count > 1) deviation = std::sqrt(squares_ / static_cast<double>(count - 1));
}

void Spread::add(double number) {
  if (count == 0) least = largest = number;
  ++count;
  const double before = number - mean;
  mean += before / static_cast<double>(count);
  squares_ += before * (number - mean);
  spread();
  least = std::min(least, number);
  largest = std::max(largest, number);
}

void Spread::add(const Spread& others) {
  if (others.count == 0) return;
  if (count == 0) {
    *this = others;
    return;
  }
  const double a = static_cast<double>(count), b = static_cast<double>(others.count),
               between = others.mean - mean;
  count += others.count;
  mean += between * b / (a + b);
  squares_ += others.squares_ + between * between * a * b / (a + b);
  spread();
  least = std::min(least, others.least);
  largest = std::max(largest, others.largest);
}

SweepTable::SweepTable(const std::filesystem::path& file)
    : database_(std::make_shared<Database>(file, Database::Mode::read_only)) {
  read_head();
}

SweepTable::SweepTable(std::shared_ptr<Database> database) : database_(std::move(database)) { read_head(); }

void SweepTable::read_head() {
  asked_ = read_identity(*database_).entries;
  if (asked_.empty()) throw UsageError(database_->name() + " is no table of a sweep");
  bool saltelli = false;
  std::size_t drawn = 0;
  int axes = 0;
  for (const auto& [name, value] : asked_) {
    if (name == identity_names::axis) {
      for (const Variable& variable : axis_from_text(value)) {
        listed_.push_back(!variable.drawn());
        axis_.push_back(axes);
      }
      ++axes;
    }
    if (name == identity_names::rows) planned_ = whole_of(value);
    if (name == identity_names::sampling) saltelli = value == "saltelli";
    if (name == identity_names::drawn) drawn = whole_of(value);
  }
  const bool alone = std::find(listed_.begin(), listed_.end(), true) == listed_.end();
  if (saltelli && alone) saltelli_ = drawn;
  saltelli_not_alone_ = saltelli && !alone;
  for (const std::string& column : column_names(*database_))
    if (column.starts_with(vary_prefix))
      keys_.push_back(column.substr(std::string_view(vary_prefix).size()));
    else
      quantities_.push_back(column);
  std::sort(quantities_.begin(), quantities_.end());  // whichever row came first
}

// As every row has them: in the order of the names, the time first.
std::vector<std::string> SweepTable::series() const {
  std::vector<std::string> names;
  Statement all(*database_, "SELECT DISTINCT name FROM series ORDER BY name <> 'time [s]', name");
  while (all.next()) names.push_back(all.text(0));
  return names;
}

std::vector<double> SweepTable::series(std::size_t row, const std::string& name) const {
  Statement one(*database_, "SELECT numbers FROM series WHERE row = ? AND name = ?");
  one.bind(0, static_cast<std::int64_t>(row)).bind(1, name);
  return one.next() ? one.numbers(0) : std::vector<double>();
}

std::size_t SweepTable::rows() const {
  return static_cast<std::size_t>(database_->whole("SELECT count(*) FROM rows"));
}

std::size_t SweepTable::failed() const {
  return static_cast<std::size_t>(database_->whole("SELECT count(*) FROM rows WHERE status <> 'ok'"));
}

std::vector<std::string> SweepTable::failures(std::size_t most) const {
  std::vector<std::string> columns{"row", "status", "error"}, lines;
  for (const std::string& key : keys_) columns.push_back(vary_prefix + key);
  Statement rows(*database_, "SELECT " + quoted_list(columns) +
                                 " FROM rows WHERE status <> 'ok' ORDER BY row LIMIT " +
                                 std::to_string(most));
  while (rows.next()) {
    std::string line = "row " + rows.cell(0) + " (";
    for (std::size_t k = 0; k < keys_.size(); ++k)
      line += (k == 0 ? "" : ", ") + keys_[k] + " = " + rows.cell(static_cast<int>(k) + 3);
    const std::string why = rows.text(2);
    lines.push_back(line + "): " + rows.text(1) + (why.empty() ? "" : ": ") + why.substr(0, why.find('\n')));
  }
  return lines;
}

bool SweepTable::times_rows() const {
  return std::find(keys_.begin(), keys_.end(), threads_key) != keys_.end();
}

SweepSummary SweepTable::summary() const {
  SweepSummary summary{.quantities = quantities_, .groups = {{.name = "all rows"}}};
  std::vector<std::string> measured = quantities_;
  if (times_rows()) {
    measured.emplace_back("seconds");
    summary.quantities.emplace_back("seconds [s]");
  }
  std::vector<std::string> columns{"status"};
  std::vector<std::size_t> keys;  // those that have groups
  for (std::size_t k = 0; k < keys_.size(); ++k)
    if (listed_[k]) {
      keys.push_back(k);
      columns.push_back(vary_prefix + keys_[k]);
    }
  columns.insert(columns.end(), measured.begin(), measured.end());
  Statement rows(*database_, "SELECT " + quoted_list(columns) + " FROM rows ORDER BY row");
  std::vector<std::unordered_map<std::string, std::size_t>> places(keys.size());  // by value, axis by axis
  std::vector<std::vector<SummaryGroup>> groups(keys.size());
  const auto add = [&](SummaryGroup& group) {
    group.spreads.resize(measured.size());
    ++group.rows;
    if (rows.text(0) != "ok") {
      ++group.failed;
      return;
    }
    for (std::size_t q = 0; q < measured.size(); ++q)
      if (const int at = static_cast<int>(1 + keys.size() + q); rows.is_number(at))
        group.spreads[q].add(rows.number(at));
  };
  while (rows.next()) {
    add(summary.groups.front());
    for (std::size_t k = 0; k < keys.size(); ++k) {
      const std::string value = rows.cell(static_cast<int>(1 + k));
      const auto [place, fresh] = places[k].emplace(value, groups[k].size());
      if (fresh) groups[k].push_back({.name = keys_[keys[k]] + " = " + value});
      add(groups[k][place->second]);
    }
  }
  for (std::vector<SummaryGroup>& of_axis : groups)
    for (SummaryGroup& group : of_axis) summary.groups.push_back(std::move(group));
  for (SummaryGroup& group : summary.groups) group.spreads.resize(measured.size());
  return summary;
}

SobolIndices SweepTable::sobol_indices() const {
  SobolIndices result;
  if (saltelli_not_alone_) {
    std::string listed;
    for (std::size_t k = 0; k < keys_.size(); ++k)
      if (listed_[k]) listed += (listed.empty() ? "" : ", ") + keys_[k];
    result.why_none = "no Sobol indices: they are of drawn variables alone, and " + listed +
                      " has values in a list or a range; sweep these one by one";
  }
  if (saltelli_ == 0 || quantities_.empty()) return result;
  const std::size_t runs = saltelli_ + 2;
  std::string means;
  for (const std::string& quantity : quantities_)
    means += (means.empty() ? "avg(" : ", avg(") + quoted(quantity) + ")";
  Statement mean(*database_, "SELECT " + means + " FROM rows WHERE status = 'ok'");
  mean.next();
  std::vector<Variance> variances;
  for (std::size_t q = 0; q < quantities_.size(); ++q)
    variances.emplace_back(saltelli_, mean.number(static_cast<int>(q)));
  Statement rows(*database_,
                 "SELECT row, " + quoted_list(quantities_) + " FROM rows WHERE status = 'ok' ORDER BY row");
  std::vector<std::vector<double>> f(quantities_.size());  // of one point, run by run
  std::size_t point = 0;
  const auto finish = [&] {
    if (f.front().size() == runs) {
      ++result.points;
      for (std::size_t q = 0; q < f.size(); ++q)
        if (std::all_of(f[q].begin(), f[q].end(), [](double x) { return std::isfinite(x); }))
          variances[q].add(f[q]);
    }
    for (std::vector<double>& numbers : f) numbers.clear();
  };
  while (rows.next()) {
    const auto row = static_cast<std::size_t>(rows.whole(0));
    if (row / runs != point) finish();
    point = row / runs;
    for (std::size_t q = 0; q < f.size(); ++q) f[q].push_back(rows.number(static_cast<int>(q) + 1));
  }
  finish();
  result.dropped = planned_ / runs - result.points;
  for (std::size_t q = 0; q < quantities_.size(); ++q) {
    if (variances[q].count() == 0) {
      if (result.points > 0) result.without.push_back(quantities_[q]);
      continue;
    }
    if (!variances[q].varies()) {
      result.constant.push_back(quantities_[q]);
      continue;
    }
    for (std::size_t k = 0; k < saltelli_; ++k) {
      SobolIndex index = variances[q].index(k);
      index.quantity = quantities_[q];
      index.key = keys_[k];
      index.points = variances[q].count();
      result.indices.push_back(std::move(index));
    }
  }
  return result;
}

}  // namespace catena
