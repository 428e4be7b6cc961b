// Numbers of pages: what a page decodes is what was measured, to the error that is stated.
#include <catena/output/detail/page_numbers.hpp>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>
#include <zlib.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

namespace {

using catena::detail::chosen_points;
using PageJson = nlohmann::json;

std::string unbase64(const std::string& text) {
  static const std::string letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  std::uint32_t group = 0;
  int bits = 0;
  for (const char c : text) {
    if (c == '=') break;
    group = group << 6U | static_cast<std::uint32_t>(letters.find(c));
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes += static_cast<char>(group >> static_cast<unsigned>(bits) & 0xffU);
  }
  return bytes;
}

std::string inflated(const PageJson& array, std::size_t size) {
  const std::string packed = unbase64(array["data"].get<std::string>());
  std::string bytes(size, '\0');
  uLongf length = static_cast<uLongf>(size);
  REQUIRE(uncompress(reinterpret_cast<Bytef*>(bytes.data()), &length,
                     reinterpret_cast<const Bytef*>(packed.data()),
                     static_cast<uLong>(packed.size())) == Z_OK);
  REQUIRE(length == size);
  return bytes;
}

std::vector<std::uint16_t> words(const PageJson& array) {
  const auto count = array["count"].get<std::size_t>(), period = array["period"].get<std::size_t>();
  const std::string bytes = inflated(array, 2 * count);
  std::vector<std::uint16_t> out(count);
  for (std::size_t k = 0; k < count; ++k) {
    const unsigned change = static_cast<unsigned char>(bytes[k]) |
                            static_cast<unsigned>(static_cast<unsigned char>(bytes[count + k])) << 8U;
    out[k] = static_cast<std::uint16_t>(change + (k >= period ? out[k - period] : 0U));
  }
  return out;
}

}  // namespace

TEST_CASE("doubles of a page keep their bits") {
  const std::vector<double> values{0.0, -0.0, 1.0 / 3.0, 5e-324, -1.7e308};
  const PageJson array = PageJson::parse(catena::detail::page_doubles(values));
  CHECK(array["type"] == "f64");
  const std::string bytes = inflated(array, 8 * values.size());
  CHECK(std::memcmp(bytes.data(), values.data(), bytes.size()) == 0);
  CHECK(PageJson::parse(catena::detail::page_doubles({}))["count"] == 0);
}

TEST_CASE("positions of a page are within half a mark of the box of the run") {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> number(-2.0, 5.0);
  constexpr std::size_t bodies = 3, frames = 7;
  std::vector<double> xyz;
  for (std::size_t k = 0; k < 3 * bodies * frames; ++k) xyz.push_back(k % 3 == 1 ? 0.25 : number(random));
  const PageJson json = PageJson::parse(catena::detail::page_positions(xyz, bodies));
  const std::vector<std::uint16_t> marks = words(json["data"]);
  REQUIRE(marks.size() == xyz.size());
  for (std::size_t c = 0; c < 3; ++c) {
    const double least = json["box"][c], edge = json["box"][c + 3].get<double>() - least;
    for (std::size_t k = 0; k < bodies * frames; ++k)
      CHECK(std::abs(least + edge * marks[c * bodies * frames + k] / 65535.0 - xyz[3 * k + c]) <=
            edge / 131070.0 * (1.0 + 1e-12));
  }
}

TEST_CASE("quaternions of a page are the same turn, each of three numbers within 1/46339") {
  std::mt19937 random(5);
  std::normal_distribution<double> number;
  std::vector<double> wxyz;
  for (int k = 0; k < 200; ++k) {
    double q[4], size = 0.0;
    for (double& c : q) {
      c = number(random);
      size += c * c;
    }
    for (const double c : q) wxyz.push_back(c / std::sqrt(size));
  }
  const std::vector<std::uint16_t> marks = words(PageJson::parse(catena::detail::page_quaternions(wxyz, 10)));
  for (std::size_t k = 0; k < 200; ++k) {
    const unsigned left_out =
        (static_cast<unsigned>(marks[k]) >> 15U) << 1U | static_cast<unsigned>(marks[200 + k]) >> 15U;
    const double sign = wxyz[4 * k + left_out] < 0.0 ? -1.0 : 1.0;
    std::size_t at = 0;
    for (std::size_t n = 0; n < 4; ++n) {
      CHECK(std::abs(wxyz[4 * k + n]) <= std::abs(wxyz[4 * k + left_out]));
      if (n == left_out) continue;
      const double part = ((marks[200 * at + k] & 32767U) / 32767.0 * 2.0 - 1.0) / std::sqrt(2.0);
      CHECK(std::abs(part - sign * wxyz[4 * k + n]) <= 1.0 / 46339.0);  // half of sqrt(2) / 32767
      ++at;
    }
  }
}

TEST_CASE("a motion that is not finite is still a page") {
  const double nan = std::nan("");
  CHECK(PageJson::parse(catena::detail::page_positions({nan, 1.0, 2.0}, 1))["box"][0] == 0.0);
  CHECK(PageJson::parse(catena::detail::page_quaternions({nan, nan, nan, nan}, 1))["count"] == 3);
  const PageJson scale = PageJson::parse(catena::detail::page_logarithms({nan, 0.0, -1.0, 2.0, 8.0}, 1));
  CHECK(scale["least"] == 2.0);
  CHECK(words(scale["data"]) == std::vector<std::uint16_t>{0, 0, 0, 1, 65535});
}

TEST_CASE("a decimated curve keeps its ends and its spikes") {
  std::vector<double> x, y;
  for (int k = 0; k < 100'000; ++k) {
    x.push_back(k);
    y.push_back(k == 41'234 ? 50.0 : std::sin(1e-3 * k));
  }
  const std::vector<std::size_t> chosen = chosen_points(x, y, 500);
  CHECK(chosen.size() == 500);
  CHECK(chosen.front() == 0);
  CHECK(chosen.back() == 99'999);
  bool spike = false;
  for (std::size_t k = 1; k < chosen.size(); ++k) {
    CHECK(chosen[k] > chosen[k - 1]);
    spike = spike || chosen[k] == 41'234;
  }
  CHECK(spike);
  CHECK(chosen_points({1.0, 2.0}, {3.0, 4.0}, 500) == std::vector<std::size_t>{0, 1});
}
