// What a check of derivatives found, line by line, and how it is shown.
#pragma once
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>
#include <vector>

namespace catena::support {

struct DerivativeLine {
  std::string member;   // "jacobian", "bias", ...
  std::string against;  // "differences", "automatic differentiation"
  double error = 0.0;   // largest over entries and states, relative to 1 + the largest entry
  double tolerance = 0.0;
  bool good() const { return error <= tolerance; }
};

struct DerivativeReport {
  std::string type;
  std::vector<DerivativeLine> lines;

  bool good() const {
    for (const DerivativeLine& line : lines)
      if (!line.good()) return false;
    return !lines.empty();
  }
  std::string text() const {
    std::string s = type + ":\n";
    for (const DerivativeLine& line : lines) {
      char row[160];
      std::snprintf(row, sizeof row, "  %-22s against %-26s error %8.1e, allowed %7.1e%s\n",
                    line.member.c_str(), line.against.c_str(), line.error, line.tolerance,
                    line.good() ? "" : "   WRONG");
      s += row;
    }
    return s;
  }
  const DerivativeLine* find(const std::string& member, const std::string& against) const {
    for (const DerivativeLine& line : lines)
      if (line.member == member && line.against == against) return &line;
    return nullptr;
  }
  void add(const std::string& member, const std::string& against, double error, double tolerance) {
    if (std::isnan(error)) error = std::numeric_limits<double>::infinity();
    for (DerivativeLine& line : lines)
      if (line.member == member && line.against == against) {
        line.error = std::fmax(line.error, error);
        return;
      }
    lines.push_back({member, against, error, tolerance});
  }
};

}  // namespace catena::support
