#include <catena/assembly/multibody_system.hpp>
#include <catena/linear/parts/modes.hpp>
#include <catena/math/detail/index.hpp>
#include <catena/math/detail/printed.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace catena {
using namespace detail;
namespace {

// '(0, 0.707, -0.707)'; of a direction the sign that makes its largest component positive.
std::string direction(Vec3 d) {
  int largest = 0;
  for (int k = 1; k < 3; ++k)
    if (std::abs(d[k]) > 1.001 * std::abs(d[largest])) largest = k;
  d = (std::copysign(1.0, d[largest]) / norm(d)) * d;
  for (int k = 0; k < 3; ++k)
    if (std::abs(d[k]) < 5e-4) d[k] = 0.0;
  return printed("(%.3g, %.3g, %.3g)", d[0], d[1], d[2]);
}

// What one body does, in world axes.
std::string alone(const MultibodySystem& system, const State& state, int block, const double* x) {
  const SystemLayout& layout = system.layout();
  const int o = layout.pattern->primal_offset[index(block)];
  for (int b = 0; b < system.model().body_count(); ++b)
    if (system.v_offset(BodyId{b}) == o) {
      const std::array<double, 6> six = system.six(BodyId{b}, x);
      const Vec3 shift{{six[0], six[1], six[2]}}, turn{{six[3], six[4], six[5]}};
      if (norm(turn) * layout.scale[index(o)] < 1e-3 * norm(shift))
        return " can move along " + direction(shift);
      const double* q = state.q.data() + system.q_offset(BodyId{b});
      return " can turn about " + direction(rotation_matrix(Quat{q[3], q[4], q[5], q[6]}) * turn);
    }
  return " can move";
}

}  // namespace

std::string free_motion(const System& system, const State& state, const std::vector<double>& shape) {
  const SystemLayout& layout = system.layout();
  const BlockPattern& p = *layout.pattern;
  std::vector<std::pair<double, int>> moving;  // most first
  double largest = 0.0;
  for (int b = 0; b < p.primal_count(); ++b) {
    double size = 0.0;
    for (int k = p.primal_offset[index(b)]; k < p.primal_offset[index(b)] + p.primal_size[index(b)]; ++k)
      size = std::max(size, std::abs(shape[index(k)]) / layout.scale[index(k)]);
    moving.emplace_back(size, b);
    largest = std::max(largest, size);
  }
  if (!(largest > 0.0)) return {};
  // Bodies that move alike are in the order of the model: six digits count.
  for (auto& [size, block] : moving) size = std::round(1e6 * size / largest);
  std::stable_sort(moving.begin(), moving.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  // Half of the digits of a null vector are right where others are near.
  std::erase_if(moving, [](const auto& m) { return m.first < 1.0; });
  const std::string first = system.velocity_block_name(moving[0].second);
  if (moving.size() == 1) {
    const auto* bodies = dynamic_cast<const MultibodySystem*>(&system);
    return first + (bodies == nullptr ? " can move" : alone(*bodies, state, moving[0].second, shape.data()));
  }
  const std::string second = system.velocity_block_name(moving[1].second);
  if (moving.size() == 2) return first + " and " + second + " can move together";
  return first + ", " + second + " and " + std::to_string(moving.size() - 2) + " more can move together";
}

}  // namespace catena
