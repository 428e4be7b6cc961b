#include <catena/linear/detail/distance_to_rest.hpp>
#include <catena/linear/detail/frame_operator.hpp>
#include <catena/math/detail/index.hpp>
#include <catena/system/detail/evaluations.hpp>
#include <catena/system/detail/scaled.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace catena::detail {
namespace {

// Roundoff of a sum is 1e-16 of its terms; 1e-6 of them is far above that at the tolerances of states, 1e-6 and less.
constexpr double part_of_others = 1e-6;

double largest_in(const std::vector<double>& x) {
  return x.empty() ? 0.0 : *std::max_element(x.begin(), x.end());
}

}  // namespace

double BlockAccelerations::size(int block) const {
  const std::size_t b = index(block);
  return std::max({force[b], stiffness[b], motion[b], part_of_others * largest});
}

std::vector<double> by_blocks(const SystemLayout& layout, const BlockMatrix& mass, const double* force) {
  const BlockPattern& p = *layout.pattern;
  std::vector<double> largest(index(p.primal_count()), 0.0);
  for (int b = 0; b < p.primal_count(); ++b)
    for (int i = 0; i < p.primal_size[index(b)]; ++i) {
      const std::size_t k = index(p.primal_offset[index(b)] + i);
      const double m = mass.H(b)(i, i);
      if (m > 0.0)
        largest[index(b)] = std::max(largest[index(b)], std::abs(force[k]) / (m * layout.scale[k]));
    }
  return largest;
}

BlockAccelerations block_accelerations(const System& system, const State& state) {
  const SystemLayout& layout = system.layout();
  const BlockPattern& p = *layout.pattern;
  BlockMatrix mass(layout.pattern, Border::transposed), stiffness(layout.pattern, Border::transposed);
  evaluate_mass_and_rows(system, point_of(state), mass);
  Linearization lin;
  lin.matrix = &stiffness;
  lin.stiffness = 1.0;
  Evaluation wanted;
  wanted.linearization = &lin;
  Point at = point_of(state);
  at.lambda = state.lambda.data();
  system.evaluate(at, wanted);
  BlockAccelerations found;
  std::vector<double> force(index(layout.v_size())), diagonal(force.size());
  wanted = {};
  wanted.balance = force.data();
  system.evaluate(point_of(state), wanted);
  found.force = by_blocks(layout, mass, force.data());
  evaluate_reaction(system, at, state.lambda.data(), force.data());
  found.reaction = by_blocks(layout, mass, force.data());
  for (int b = 0; b < p.primal_count(); ++b)
    for (int i = 0; i < p.primal_size[index(b)]; ++i) {
      const std::size_t k = index(p.primal_offset[index(b)] + i);
      diagonal[k] = std::as_const(stiffness).H(b)(i, i) * layout.scale[k];
    }
  found.stiffness = by_blocks(layout, mass, diagonal.data());
  for (int b = 0; b < p.primal_count(); ++b) {
    double rate = 0.0;
    for (int i = 0; i < p.primal_size[index(b)]; ++i) {
      const std::size_t k = index(p.primal_offset[index(b)] + i);
      rate = std::max(rate, std::abs(state.v[k]) / layout.scale[k]);
    }
    found.motion.push_back(rate * rate);
  }
  found.largest = std::max({largest_in(found.force), largest_in(found.reaction), largest_in(found.motion)});
  return found;
}

namespace {

// Squared rates [1/s^2] below which the stiffness that a motion meets does not count.
std::vector<double> least_squares(const BlockAccelerations& sizes) {
  // Forces of stiff springs are exact to 1e-16 of their stiffness times a place: along motions that meet none of it, the squared
  // rate must be far above that.
  constexpr double part_of_stiffness = 1e-9;
  std::vector<double> squares(sizes.force.size());
  for (std::size_t b = 0; b < squares.size(); ++b)
    squares[b] = std::max(
        {sizes.force[b], part_of_stiffness * sizes.stiffness[b], part_of_others * sizes.reaction[b]});
  const double largest = largest_in(squares);
  for (double& square : squares) square = largest > 0.0 ? std::max(square, part_of_stiffness * largest) : 1.0;
  return squares;
}

// The largest of the solution with `force` and with the matrix that `fill` writes, to which M times least_squares() is added.
template <class Fill>
Distance solution(const SystemLayout& layout, const BlockMatrix& mass, const BlockAccelerations& sizes,
                  const std::vector<double>& force, KktSolver& kkt, Fill&& fill) {
  const BlockPattern& p = *layout.pattern;
  const std::vector<double> squares = least_squares(sizes);
  std::vector<double> x;
  Distance found{.relative = std::numeric_limits<double>::infinity()};
  // An unstable state may fall at just such a rate, where the sum is singular: that with another factor is not. Where it is
  // indefinite beside redundant rows, the factorisation without pivots may need far larger ones.
  for (const double factor : {1.0, 2.7, 1e2, 1e4, 1e6, 1e9, 1e12}) {
    if (factor > 2.7 && std::isfinite(found.relative)) break;
    fill(kkt.matrix());
    for (int b = 0; b < p.primal_count(); ++b) {
      const BlockRef H = kkt.matrix().H(b);
      const ConstBlockRef M = mass.H(b);
      for (int i = 0; i < H.rows; ++i)
        for (int j = 0; j < H.cols; ++j) H(i, j) += factor * squares[index(b)] * M(i, j);
    }
    kkt.update_proximal();
    if (kkt.factorize().status != Status::ok) continue;
    x = force;
    x.resize(index(kkt.dimension()), 0.0);
    kkt.solve_refined(x.data());
    if (!std::all_of(x.begin(), x.end(), [](double e) { return std::isfinite(e); })) continue;
    const int k = fastest_component(layout, x.data());
    const double relative = std::abs(x[index(k)]) / layout.scale[index(k)];
    if (relative < found.relative) found = {relative, p.block_of(k)};
    if (relative <= 1e-10) break;
  }
  kkt.release_workspace();
  return found;
}

}  // namespace

Distance distance_to_rest(const System& system, const State& state, const BlockAccelerations& sizes,
                          KktSolver& kkt) {
  BlockMatrix mass(system.layout().pattern, Border::transposed);
  evaluate_mass_and_rows(system, point_of(state), mass);
  Point at = point_of(state);
  at.v = nullptr;
  at.lambda = state.lambda.data();
  std::vector<double> force(index(system.layout().v_size()));
  Evaluation wanted;
  wanted.balance = force.data();
  system.evaluate(at, wanted);
  for (double& f : force) f = -f;
  return solution(system.layout(), mass, sizes, force, kkt, [&](BlockMatrix& matrix) {
    Linearization lin;
    lin.matrix = &matrix;
    lin.stiffness = 1.0;
    Evaluation of_matrix;
    of_matrix.linearization = &lin;
    system.evaluate(at, of_matrix);
  });
}

Distance distance_to_steady(const LinearMotion& motion, const std::vector<double>& change,
                            const BlockAccelerations& sizes, double rate) {
  const SystemLayout& layout = motion.system->layout();
  KktSolver kkt;
  KktOptions options;
  options.factorization = Factorization::ldu, options.border = Border::separate;
  if (!kkt.attach(*motion.system, options).empty())
    return {.relative = std::numeric_limits<double>::infinity()};
  std::vector<double> force(index(layout.v_size() + layout.lambda_size()));
  MotionProducts(motion).mass(change.data(), force.data());
  force.resize(index(layout.v_size()));
  return solution(layout, *motion.mass, sizes, force, kkt,
                  [&](BlockMatrix& matrix) { fill_shifted(motion, rate, matrix); });
}

}  // namespace catena::detail
