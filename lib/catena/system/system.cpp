#include <catena/system/system.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

namespace catena {

void System::bracket(const double*, const double*, double* out) const {
  std::fill(out, out + layout().v_size(), 0.0);
}

void System::force_along(int, const Point&, ForceAlong&) const {
  assert(false && "there are none: forces_along()");
}

void System::inverse_tangent(const double*, const double* delta, double* out) const {
  std::copy(delta, delta + layout().v_size(), out);
}

void System::retract_part(const SystemPart&, const double* q, const double* delta, double* out) const {
  retract(q, delta, out);
}

void System::inverse_tangent_part(const SystemPart&, const double* increment, const double* delta,
                                  double* out) const {
  inverse_tangent(increment, delta, out);
}

void System::tangent(const double* increment, const double* delta, double* out) const {
  const BlockPattern& p = *layout().pattern;
  const auto n = static_cast<std::size_t>(p.primal_dimension);
  const int widest =
      p.primal_size.empty() ? 0 : *std::max_element(p.primal_size.begin(), p.primal_size.end());
  // Column j of every block of T^-1 at once.
  std::vector<std::vector<double>> columns(static_cast<std::size_t>(widest), std::vector<double>(n));
  std::vector<double> unit(n);
  for (int j = 0; j < widest; ++j) {
    for (std::size_t b = 0; b < p.primal_size.size(); ++b)
      if (j < p.primal_size[b]) unit[static_cast<std::size_t>(p.primal_offset[b] + j)] = 1.0;
    inverse_tangent(increment, unit.data(), columns[static_cast<std::size_t>(j)].data());
    std::fill(unit.begin(), unit.end(), 0.0);
  }
  std::copy(delta, delta + n, out);
  // Elimination of each block with the largest pivot of a column.
  const auto entry = [&](int row, int j) -> double& {
    return columns[static_cast<std::size_t>(j)][static_cast<std::size_t>(row)];
  };
  for (std::size_t b = 0; b < p.primal_size.size(); ++b) {
    const int first = p.primal_offset[b], size = p.primal_size[b];
    for (int k = 0; k < size; ++k) {
      int pivot = k;
      for (int i = k + 1; i < size; ++i)
        if (std::abs(entry(first + i, k)) > std::abs(entry(first + pivot, k))) pivot = i;
      for (int j = 0; j < size; ++j) std::swap(entry(first + k, j), entry(first + pivot, j));
      std::swap(out[first + k], out[first + pivot]);
      for (int i = k + 1; i < size; ++i) {
        const double factor = entry(first + i, k) / entry(first + k, k);
        for (int j = k + 1; j < size; ++j) entry(first + i, j) -= factor * entry(first + k, j);
        out[first + i] -= factor * out[first + k];
      }
    }
    for (int k = size - 1; k >= 0; --k) {
      for (int j = k + 1; j < size; ++j) out[first + k] -= entry(first + k, j) * out[first + j];
      out[first + k] /= entry(first + k, k);
    }
  }
}

void System::rate(const Point&, double*) const {
  assert(false && "this system has no kinematic equation of its own: ask has_rate() first");
}

std::optional<double> System::power(const Point&) const { return {}; }

void System::start_discrete(State&) const {}

bool System::update_discrete(State&) const { return false; }

std::vector<RigidBodyState> System::bodies(const State&) const { return {}; }

std::vector<std::string> System::body_names() const { return {}; }

void System::evaluate_lagrangian(double, const double*, const double*, const LagrangianTerms&) const {
  assert(false && "this system has no Lagrangian: ask has_lagrangian() first");
}

void System::momentum(const double*, const double*, double*) const {
  assert(false && "this system has no Lagrangian: ask has_lagrangian() first");
}

void System::velocity(const double*, const double*, double*) const {
  assert(false && "this system has no Lagrangian: ask has_lagrangian() first");
}

}  // namespace catena
