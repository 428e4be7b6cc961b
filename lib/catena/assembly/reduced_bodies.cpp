// Points and planar bodies in a MultibodySystem: the kernels evaluate six velocities of every body, and what they say is reduced
// to those that the bodies have.
#include <catena/assembly/detail/six_velocities.hpp>
#include <catena/math/detail/index.hpp>
#include <catena/math/detail/printed.hpp>
#include <catena/math/detail/scattered.hpp>
#include <catena/model/parts/error.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace catena {
using namespace detail;

MultibodySystem::~MultibodySystem() = default;

void MultibodySystem::make_workspaces() {
  workspaces_ =
      std::make_unique<WorkspacePool<Six>>([this] { return std::make_unique<Six>(moving_count()); });
  refuse_idle_rows();
}

void MultibodySystem::evaluate_reduced(const Point& at, const Evaluation& wanted) const {
  const Lease lease(*workspaces_);
  Six& six = *lease;
  Point there = at;
  there.v = freedoms_.expand(at.v, six.v);
  there.a = freedoms_.expand(at.a, six.a);
  Evaluation what = wanted;
  what.undefined = nullptr;  // found by now
  if (wanted.balance != nullptr) what.balance = six.balance.data();
  Linearization lin;
  if (wanted.linearization != nullptr) {
    lin = *wanted.linearization;
    lin.matrix = &six.matrix(lin.matrix->border(), elements_.pattern);
    lin.increment = freedoms_.expand(lin.increment, six.increment);
    what.linearization = &lin;
  }
  evaluate_six(there, what);
  if (wanted.balance != nullptr) freedoms_.reduce(six.balance.data(), wanted.balance);
  if (wanted.linearization == nullptr) return;
  BlockMatrix& out = *wanted.linearization->matrix;
  freedoms_.reduce_C(std::as_const(*lin.matrix), out);
  if (out.border() == Border::separate && !lin.keep_Bt) freedoms_.reduce_Bt(std::as_const(*lin.matrix), out);
  if (!lin.rows_only) freedoms_.reduce_H(std::as_const(*lin.matrix), out);
}

// A row without a gradient along what its bodies can do holds nothing there, but would be singular. Those that have one
// somewhere are seen at one of three places.
void MultibodySystem::refuse_idle_rows() const {
  constexpr int places = 3;
  constexpr double roundoff = 1e-12;  // of the gradient along six velocities
  constexpr double away = 0.25;       // of the bodies' sizes, and rad
  const BlockPattern& p = *layout_.pattern;
  std::vector<double> seen(index(layout_.lambda_size()), 0.0), delta(index(layout_.v_size()));
  BlockMatrix matrix(layout_.pattern, Border::transposed);
  State state = initial_state();
  const Lease lease(*workspaces_);
  Linearization lin;
  lin.rows_only = true;
  lin.position_rows = lin.velocity_rows = {1.0, 0.0, 0.0};
  lin.matrix = &(*lease).matrix(Border::transposed, elements_.pattern);
  Evaluation wanted;
  wanted.linearization = &lin;
  for (int place = 0; place < places; ++place) {
    Point at = point_of(state);
    at.v = nullptr;
    evaluate_six(at, wanted);
    freedoms_.reduce_C(std::as_const(*lin.matrix), matrix);
    for (std::size_t k = 0; k < p.incidences.size(); ++k) {
      const ConstBlockRef whole = std::as_const(*lin.matrix).C(static_cast<int>(k)),
                          left = std::as_const(matrix).C(static_cast<int>(k));
      const int first = p.dual_offset[index(p.incidences[k].dual)] - p.primal_dimension;
      for (int r = 0; r < whole.rows; ++r) {
        double of_six = 0.0, rest = 0.0;
        for (int c = 0; c < whole.cols; ++c) of_six = std::max(of_six, std::abs(whole(r, c)));
        for (int c = 0; c < left.cols; ++c) rest = std::max(rest, std::abs(left(r, c)));
        // What is no number is found by others; a row that has no gradient at all is no matter of its bodies' kind.
        if (!(rest <= roundoff * of_six) || of_six == 0.0) seen[index(first + r)] = 1.0;
      }
    }
    for (std::size_t k = 0; k < delta.size(); ++k)
      delta[k] = away * layout_.scale[k] * (2.0 * scattered(k + delta.size() * index(place)) - 1.0);
    retract(state.q.data(), delta.data(), state.q.data());
  }
  for (int d = 0; d < p.dual_count(); ++d) {
    const auto first = seen.begin() + (p.dual_offset[index(d)] - p.primal_dimension);
    const int rows = p.dual_size[index(d)];
    const auto idle = std::count(first, first + rows, 0.0);
    if (idle == 0) continue;
    throw ModelError(
        constraint_name(d) + printed(": %d of its %d rows hold", static_cast<int>(idle), rows) +
        " what its points and planar bodies cannot do anyway; take a joint without them; between "
        "planar bodies a hinge is point_on_line along the normal, a slider rows: [in_plane, perpendicular], "
        "a weld rows: [on_line, angle]");
  }
}

}  // namespace catena
