#include <catena/math/detail/nearest.hpp>
#include <catena/math/detail/printed.hpp>

#include <algorithm>
#include <cctype>
#include <utility>

namespace catena::detail {
namespace {

std::string lower(std::string s) {
  for (char& c : s) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return s;
}

}  // namespace

int edit_distance(const std::string& first, const std::string& second) {
  const std::string a = lower(first), b = lower(second);
  const std::size_t n = b.size();
  std::vector<int> before(n + 1), last(n + 1), row(n + 1);
  for (std::size_t j = 0; j <= n; ++j) last[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= n; ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[n];
}

std::vector<std::string> nearest_names(const std::string& typed, const std::vector<std::string>& names,
                                       int count) {
  const int limit = static_cast<int>(typed.size()) / 3 + 1;
  std::vector<std::pair<int, std::string>> near;
  for (const std::string& name : names) {
    const int d = edit_distance(typed, name);
    const bool contains = typed.size() >= 2 && lower(name).find(lower(typed)) != std::string::npos;
    if (d <= limit || contains) near.emplace_back(contains ? std::min(d, limit) : d, name);
  }
  std::stable_sort(near.begin(), near.end(), [](const auto& x, const auto& y) { return x.first < y.first; });
  std::vector<std::string> result;
  for (const auto& entry : near) {
    if (static_cast<int>(result.size()) == count || entry.first > near.front().first + 1) break;
    result.push_back(entry.second);
  }
  return result;
}

std::string nearest_hint(const std::string& typed, const std::vector<std::string>& names, int count) {
  std::vector<std::string> near = nearest_names(typed, names, count);
  if (near.empty()) return "";
  for (std::string& name : near) name = '"' + name + '"';
  return "did you mean " + joined(near, " or ") + '?';
}

}  // namespace catena::detail
