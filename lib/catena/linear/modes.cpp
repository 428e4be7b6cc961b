#include <catena/linear/detail/mode_solvers.hpp>
#include <catena/math/detail/index.hpp>
#include <catena/math/detail/printed.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <utility>

namespace catena {
using namespace detail;

namespace detail {

Mode make_mode(const System& system, std::complex<double> s, std::vector<std::complex<double>> shape) {
  const std::vector<double>& scale = system.layout().scale;
  std::size_t largest = 0;
  double size = 0.0;
  for (std::size_t k = 0; k < shape.size(); ++k)
    // Of equal ones the first: a ratio of 1 + 1e-6 is no difference.
    if (const double x = std::abs(shape[k]) / scale[k]; x > (1.0 + 1e-6) * size) size = x, largest = k;
  if (size > 0.0) {
    const std::complex<double> unit = shape[largest] / scale[largest];
    for (std::complex<double>& x : shape) x /= unit;
  }
  Mode mode{.eigenvalue = s, .shape = std::move(shape)};
  mode.frequency = std::abs(s.imag()) / (2.0 * std::numbers::pi);
  mode.damping_ratio = std::abs(s) > 0.0 ? 0.0 - s.real() / std::abs(s) : 0.0;
  return mode;
}

void add_square(const System& system, double omega_squared, const std::vector<double>& shape, Modes& modes) {
  const std::vector<std::complex<double>> complex(shape.begin(), shape.end());
  const double s = std::sqrt(std::abs(omega_squared));
  if (omega_squared > 0.0) {
    modes.modes.push_back(make_mode(system, {0.0, s}, complex));
    return;
  }
  ++modes.unstable;
  modes.modes.push_back(make_mode(system, {s, 0.0}, complex));
  modes.modes.push_back(make_mode(system, {-s, 0.0}, complex));
}

void add_free_motion(const LinearMotion& motion, const std::vector<double>& shape, Modes& modes) {
  modes.free_motions.push_back(free_motion(*motion.system, motion.state, shape));
}

}  // namespace detail

const char* to_string(Stability s) {
  switch (s) {
    case Stability::stable:
      return "stable";
    case Stability::neutral:
      return "neutral";
    case Stability::unstable:
      return "unstable";
    case Stability::unknown:
      break;
  }
  return "unknown";
}

Modes find_modes(const LinearMotion& motion, const ModesOptions& options) {
  if (options.count < 1)
    throw std::invalid_argument(printed("ModesOptions::count must be 1 or more; it is %d", options.count));
  Modes modes;
  modes.status = motion.status;
  modes.culprit = motion.culprit;
  if (motion.status != Status::ok) return modes;
  const bool dense = motion.system->layout().v_size() <= options.largest_dense;
  if (dense && motion.symmetric)
    dense_symmetric_modes(motion, modes);
  else if (dense)
    dense_modes(motion, modes);
  else if (motion.symmetric)
    lanczos_modes(motion, options, modes);
  else
    arnoldi_modes(motion, options, modes);
  // Idle turns are in no list, and stay.
  if (modes.stability == Stability::stable && motion.idle_count > 0) modes.stability = Stability::neutral;
  const std::complex<double> shift = options.shift;
  const auto far = [&](const Mode& m) { return std::abs(m.eigenvalue - shift); };
  // Equal ones, +s and -s, stay in the order in which they were found.
  std::stable_sort(modes.modes.begin(), modes.modes.end(),
                   [&](const Mode& a, const Mode& b) { return far(a) < (1.0 - 1e-12) * far(b); });
  if (modes.modes.size() > index(options.count)) {
    modes.modes.resize(index(options.count));
    modes.all = false;
  }
  return modes;
}

}  // namespace catena
