#include <catena/output/detail/base64.hpp>
#include <catena/output/detail/page_numbers.hpp>

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <new>

namespace catena::detail {
namespace {

std::string deflated(const std::string& bytes) {
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  std::string out(size, '\0');
  // Only memory can be short: the bound is that of the library.
  if (compress2(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
                static_cast<uLong>(bytes.size()), 9) != Z_OK)
    throw std::bad_alloc();
  out.resize(size);
  return out;
}

std::string page_bytes(const char* type, std::size_t count, const std::string& bytes,
                       const std::string& more = {}) {
  return fmt::format(R"({{"type":"{}","count":{},{}"data":"{}"}})", type, count, more,
                     base64(deflated(bytes)));
}

// The machines that this runs on are little-endian, as the page is.
template <class T>
std::string bytes_of(const std::vector<T>& values) {
  std::string bytes(values.size() * sizeof(T), '\0');
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

constexpr double marks = 65535.0;

std::uint16_t rounded(double in_marks) {
  return static_cast<std::uint16_t>(std::lround(std::clamp(in_marks, 0.0, marks)));
}

// Frame by frame, item by item, three numbers each: component c of item i in frame f is number (c frames + f) items + i.
template <class Word>
std::vector<std::uint16_t> by_component(std::size_t frames, std::size_t items, const Word& word) {
  std::vector<std::uint16_t> words;
  words.reserve(3 * frames * items);
  for (std::size_t c = 0; c < 3; ++c)
    for (std::size_t f = 0; f < frames; ++f)
      for (std::size_t i = 0; i < items; ++i) words.push_back(word(f * items + i, i, c));
  return words;
}

std::array<std::uint16_t, 3> smallest_three(const double* wxyz) {
  std::size_t left_out = 0;
  for (std::size_t k = 1; k < 4; ++k)
    if (std::abs(wxyz[k]) > std::abs(wxyz[left_out])) left_out = k;
  const double sign = wxyz[left_out] < 0.0 ? -1.0 : 1.0;
  std::array<std::uint16_t, 3> words{};
  std::size_t at = 0;
  for (std::size_t k = 0; k < 4; ++k) {
    if (k == left_out) continue;
    // The others are at most 1/sqrt(2) in size.
    const double part = 0.5 * (1.0 + sign * wxyz[k] * std::sqrt(2.0));
    words[at++] = static_cast<std::uint16_t>(
        std::lround(32767.0 * std::clamp(std::isfinite(part) ? part : 0.5, 0.0, 1.0)));
  }
  words[0] = static_cast<std::uint16_t>(words[0] | ((left_out >> 1U) << 15U));
  words[1] = static_cast<std::uint16_t>(words[1] | ((left_out & 1U) << 15U));
  return words;
}

}  // namespace

std::string page_doubles(const std::vector<double>& values) {
  return page_bytes("f64", values.size(), bytes_of(values));
}

std::string page_floats(const std::vector<double>& values) {
  std::vector<float> floats;
  floats.reserve(values.size());
  for (const double value : values) floats.push_back(static_cast<float>(value));
  return page_bytes("f32", floats.size(), bytes_of(floats));
}

std::string page_words(const std::vector<std::uint16_t>& words, std::size_t period) {
  std::string bytes(2 * words.size(), '\0');
  for (std::size_t k = 0; k < words.size(); ++k) {
    const auto change = static_cast<std::uint16_t>(words[k] - (k >= period ? words[k - period] : 0));
    bytes[k] = static_cast<char>(change & 0xffU);
    bytes[words.size() + k] = static_cast<char>(change >> 8U);
  }
  return page_bytes("u16", words.size(), bytes, fmt::format("\"period\":{},", period));
}

std::string page_logarithms(const std::vector<double>& values, std::size_t period) {
  double least = std::numeric_limits<double>::infinity(), largest = 0.0;
  for (const double value : values)
    if (value > 0.0 && std::isfinite(value)) {
      least = std::min(least, value);
      largest = std::max(largest, value);
    }
  std::vector<std::uint16_t> words(values.size(), 0);
  const double range = largest > least ? std::log(largest / least) : 1.0;
  for (std::size_t k = 0; k < values.size(); ++k)
    if (values[k] > 0.0 && std::isfinite(values[k]))
      words[k] = rounded(1.0 + (marks - 1.0) * std::log(values[k] / least) / range);
  return fmt::format(R"({{"least":{},"largest":{},"data":{}}})", largest > 0.0 ? least : 0.0, largest,
                     page_words(words, period));
}

std::string page_positions(const std::vector<double>& xyz, std::size_t bodies) {
  std::array<double, 3> least{}, largest{};
  for (std::size_t c = 0; c < 3; ++c) {
    least[c] = std::numeric_limits<double>::infinity();
    largest[c] = -least[c];
    for (std::size_t k = c; k < xyz.size(); k += 3)
      if (std::isfinite(xyz[k])) {
        least[c] = std::min(least[c], xyz[k]);
        largest[c] = std::max(largest[c], xyz[k]);
      }
    if (!(least[c] <= largest[c])) least[c] = largest[c] = 0.0;
  }
  const std::size_t frames = bodies > 0 ? xyz.size() / (3 * bodies) : 0;
  const std::vector<std::uint16_t> words =
      by_component(frames, bodies, [&](std::size_t at, std::size_t, std::size_t c) {
        const double edge = largest[c] - least[c], value = xyz[3 * at + c];
        return std::isfinite(value) && edge > 0.0 ? rounded(marks * ((value - least[c]) / edge))
                                                  : std::uint16_t{0};
      });
  return fmt::format(R"({{"box":[{},{},{},{},{},{}],"data":{}}})", least[0], least[1], least[2], largest[0],
                     largest[1], largest[2], page_words(words, std::max<std::size_t>(bodies, 1)));
}

std::string page_quaternions(const std::vector<double>& wxyz, std::size_t bodies) {
  const std::size_t frames = bodies > 0 ? wxyz.size() / (4 * bodies) : 0;
  std::vector<std::array<std::uint16_t, 3>> three;
  three.reserve(wxyz.size() / 4);
  for (std::size_t k = 0; k + 3 < wxyz.size(); k += 4) three.push_back(smallest_three(wxyz.data() + k));
  return page_words(
      by_component(frames, bodies, [&](std::size_t at, std::size_t, std::size_t c) { return three[at][c]; }),
      std::max<std::size_t>(bodies, 1));
}

std::string page_vectors(const std::vector<double>& xyz, std::size_t items) {
  const std::size_t frames = items > 0 ? xyz.size() / (3 * items) : 0;
  std::vector<double> scales(items, 0.0);
  for (std::size_t k = 0; k < xyz.size(); ++k)
    if (std::isfinite(xyz[k])) {
      double& scale = scales[k / 3 % items];
      scale = std::max(scale, std::abs(xyz[k]));
    }
  const std::vector<std::uint16_t> words =
      by_component(frames, items, [&](std::size_t at, std::size_t i, std::size_t c) {
        const double value = xyz[3 * at + c];
        const double part = scales[i] > 0.0 && std::isfinite(value) ? value / scales[i] : 0.0;
        return static_cast<std::uint16_t>(32768 + std::lround(32767.0 * part));
      });
  return fmt::format(R"({{"scales":{},"data":{}}})", page_floats(scales),
                     page_words(words, std::max<std::size_t>(items, 1)));
}

std::vector<std::size_t> chosen_points(const std::vector<double>& x, const std::vector<double>& y,
                                       std::size_t most) {
  const std::size_t count = std::min(x.size(), y.size());
  std::vector<std::size_t> chosen;
  if (count <= most || most < 3) {
    for (std::size_t k = 0; k < count; ++k) chosen.push_back(k);
    return chosen;
  }
  const std::size_t buckets = most - 2;
  const auto begin_of = [&](std::size_t bucket) { return 1 + bucket * (count - 2) / buckets; };
  chosen.push_back(0);
  for (std::size_t b = 0; b < buckets; ++b) {
    const std::size_t from = begin_of(b), to = begin_of(b + 1);
    const std::size_t after = b + 1 < buckets ? begin_of(b + 2) : count;
    double mean_x = 0.0, mean_y = 0.0;
    for (std::size_t k = to; k < after; ++k) {
      mean_x += x[k];
      mean_y += y[k];
    }
    const auto n = static_cast<double>(after - to);
    const std::size_t last = chosen.back();
    std::size_t best = from;
    double largest = -1.0;
    for (std::size_t k = from; k < to; ++k) {
      const double area =
          std::abs((x[last] - mean_x / n) * (y[k] - y[last]) - (x[last] - x[k]) * (mean_y / n - y[last]));
      if (area > largest) {
        largest = area;
        best = k;
      }
    }
    chosen.push_back(best);
  }
  chosen.push_back(count - 1);
  return chosen;
}

}  // namespace catena::detail
