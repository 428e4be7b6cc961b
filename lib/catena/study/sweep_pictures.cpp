// Pictures of a sweep: each quantity over each key.
#include <catena/experiment/detail/number.hpp>
#include <catena/output/detail/figure.hpp>
#include <catena/output/detail/file_list.hpp>
#include <catena/study/detail/row_store.hpp>
#include <catena/study/detail/text_file.hpp>
#include <catena/study/parts/sweep_summary.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace catena {
using namespace detail;
namespace {

constexpr std::size_t most_pictures = 40;  // some seconds of gnuplot
constexpr std::size_t most_lines = 8;      // that an eye can follow
constexpr std::size_t most_points = 4000;  // of a cloud
constexpr double decades_apart = 100.0;    // from this ratio on an axis is logarithmic
const char *const seconds_title = "seconds [s]", *const joined = "all";

// Values of a key as places on an axis: "2 kg", "3 kg" are numbers in kg; words are 1, 2, ...
class Places {
 public:
  Places(std::string key, const std::vector<std::string>& values) : key_(std::move(key)), words_(values) {
    bool numbers = true, first = true;
    for (const std::string& value : values) {
      const std::size_t blank = value.find(' ');
      const std::string unit = blank == std::string::npos ? "" : value.substr(blank + 1);
      numbers = numbers && parse_real(value.substr(0, blank)).has_value() && (first || unit == unit_);
      unit_ = unit;
      first = false;
    }
    if (numbers) words_.clear();
  }
  double operator()(const std::string& value) const {
    if (!words_.empty())
      return static_cast<double>(std::find(words_.begin(), words_.end(), value) - words_.begin()) + 1.0;
    return parse_real(value.substr(0, value.find(' '))).value_or(std::nan(""));
  }
  std::string title() const {
    if (words_.empty()) return unit_.empty() ? key_ : key_ + " [" + unit_ + "]";
    std::string text = key_ + ":";
    for (std::size_t k = 0; k < words_.size(); ++k)
      text += fmt::format("{} {} {}", k == 0 ? "" : ",", k + 1, words_[k]);
    return text;
  }
  bool are_words() const { return !words_.empty(); }

 private:
  std::string key_, unit_;
  std::vector<std::string> words_;
};

bool far_apart(const std::vector<Curve>& curves) {
  double least = INFINITY, largest = 0.0;
  for (const Curve& curve : curves)
    for (const double x : curve.x) {
      least = std::min(least, x);
      largest = std::max(largest, x);
    }
  return least > 0.0 && largest >= decades_apart * least;
}

struct Line {
  std::string label;
  std::map<double, Spread> at = {};  // by place
};
using Lines = std::vector<Line>;  // in the order of the rows

// A quantity over a key.
struct OverKey {
  Lines lines = {};
  std::vector<Curve> clouds = {};
};

// The one with this label, or a new one; null: there are as many as an eye can follow.
template <class Item>
Item* find_or_add(std::vector<Item>& items, const std::string& label, Item fresh) {
  for (Item& item : items)
    if (item.label == label) return &item;
  if (items.size() == most_lines) return nullptr;
  items.push_back(std::move(fresh));
  return &items.back();
}

// Where a number of the line with this label belongs. Too many lines become one, with its extremes.
Spread& spread_at(Lines& lines, const std::string& label, double x) {
  if (lines.size() == 1 && lines.front().label == joined) return lines.front().at[x];
  if (Line* const line = find_or_add(lines, label, Line{label})) return line->at[x];
  Line all{joined};
  for (const Line& line : lines)
    for (const auto& [place, spread] : line.at) all.at[place].add(spread);
  lines = {std::move(all)};
  return lines.front().at[x];
}

// A point of the cloud with this label. Too many clouds become one.
void add_point(std::vector<Curve>& clouds, const std::string& label, double x, double y) {
  Curve* cloud = clouds.size() == 1 && clouds.front().label == joined
                     ? &clouds.front()
                     : find_or_add(clouds, label, Curve{.label = label, .points = true});
  if (cloud == nullptr) {
    Curve all{.label = joined, .points = true};
    for (const Curve& one : clouds) {
      all.x.insert(all.x.end(), one.x.begin(), one.x.end());
      all.y.insert(all.y.end(), one.y.begin(), one.y.end());
    }
    clouds = {std::move(all)};
    cloud = &clouds.front();
  }
  cloud->x.push_back(x);
  cloud->y.push_back(y);
}

Curve curve_of(const std::string& label, const Line& line, double Spread::*number) {
  Curve curve{.label = label, .points = line.at.size() == 1};  // a line needs two
  for (const auto& [x, spread] : line.at) {
    curve.x.push_back(x);
    curve.y.push_back(spread.*number);
  }
  return curve;
}

std::vector<Curve> curves_of(const Lines& lines) {
  std::vector<Curve> curves;
  for (const Line& line : lines) curves.push_back(curve_of(line.label, line, &Spread::mean));
  if (lines.size() != 1) return curves;
  const Line& alone = lines.front();
  if (std::any_of(alone.at.begin(), alone.at.end(), [](const auto& one) { return one.second.count > 1; })) {
    curves = {curve_of("mean", alone, &Spread::mean), curve_of("least", alone, &Spread::least),
              curve_of("largest", alone, &Spread::largest)};
  } else {  // each is a row
    curves.push_back(curves.front());
    curves.back().label.clear();
    curves.back().points = true;
  }
  return curves;
}

}  // namespace

std::string SweepTable::draw(const std::filesystem::path& folder) const {
  std::vector<std::string> kept, columns, titles;
  for (const std::string& quantity : quantities_)
    if (!quantity.starts_with("peaks/")) kept.push_back(quantity);
  if (kept.empty()) kept = quantities_;
  titles = kept;
  if (times_rows()) {
    kept.emplace_back("seconds");
    titles.emplace_back(seconds_title);
  }
  for (const std::string& key : keys_) columns.push_back(vary_prefix + key);
  columns.insert(columns.end(), kept.begin(), kept.end());
  const std::size_t apart = std::max<std::size_t>(1, rows() / most_points);
  std::size_t pictures = 0;
  bool drawn = true;
  for (std::size_t k = 0; k < keys_.size(); ++k) {
    std::vector<std::string> values;  // of what is drawn one, because all have its unit
    Statement some(*database_, "SELECT " + quoted(vary_prefix + keys_[k]) + " FROM rows " +
                                   (listed_[k] ? "GROUP BY 1 ORDER BY min(row)" : "LIMIT 1"));
    while (some.next()) values.push_back(some.cell(0));
    const Places place(keys_[k], values);
    std::vector<OverKey> over(kept.size());
    Statement rows(*database_,
                   "SELECT " + quoted_list(columns) + " FROM rows WHERE status = 'ok' ORDER BY row");
    for (std::size_t row = 0; rows.next(); ++row) {
      std::string others;
      for (std::size_t other = 0; other < keys_.size(); ++other)
        if (listed_[other] && axis_[other] != axis_[k])
          others += (others.empty() ? "" : ", ") + keys_[other] + " = " + rows.cell(static_cast<int>(other));
      const double x = place(rows.cell(static_cast<int>(k)));
      const bool point = !listed_[k] && row % apart == 0;
      for (std::size_t q = 0; q < kept.size(); ++q)
        if (const int at = static_cast<int>(keys_.size() + q); rows.is_number(at)) {
          if (listed_[k]) spread_at(over[q].lines, others, x).add(rows.number(at));
          if (point) add_point(over[q].clouds, others, x, rows.number(at));
        }
    }
    for (std::size_t q = 0; q < kept.size(); ++q) {
      const std::string name = titles[q].substr(0, titles[q].find(" [")) + " over " + keys_[k];
      Figure figure{.name = file_name(fmt::format("{} {}", pictures + 1, name)),
                    .caption = titles[q] + " over " + keys_[k],
                    .x_label = place.title(),
                    .y_label = titles[q],
                    .curves = listed_[k] ? curves_of(over[q].lines) : over[q].clouds};
      if (figure.curves.empty() || figure.curves.front().x.empty()) continue;
      if (++pictures > most_pictures)
        return fmt::format("there are pictures of the first {} pairs of a quantity and a key alone",
                           most_pictures);
      figure.log_x = !place.are_words() && far_apart(figure.curves);
      const std::vector<std::string> files = figure_files(figure.name);
      if (const std::vector<std::string> others = FileList(folder).foreign(files); !others.empty())
        return foreign_sentence(folder, others);
      claim_files(folder, files);
      drawn = detail::draw(figure, folder) && drawn;
    }
  }
  return drawn ? "" : "gnuplot is not installed or failed: the pictures are there as data and scripts alone";
}

}  // namespace catena
