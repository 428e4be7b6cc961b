#include <catena/assembly/detail/lane_inertia.hpp>
#include <catena/assembly/quaternion_system.hpp>
#include <catena/math/detail/index.hpp>
#include <catena/model/detail/element_alone.hpp>
#include <catena/model/parts/error.hpp>

#include <algorithm>
#include <limits>

namespace catena {
using namespace detail;
namespace {

Mat3 inverse(const Mat3& m) {
  const Vec3 a{{m(0, 0), m(1, 0), m(2, 0)}}, b{{m(0, 1), m(1, 1), m(2, 1)}}, c{{m(0, 2), m(1, 2), m(2, 2)}};
  const Vec3 rows[3] = {cross(b, c), cross(c, a), cross(a, b)};
  const double s = 1.0 / dot(a, rows[0]);
  Mat3 r;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) r(i, j) = s * rows[i][j];
  return r;
}

// The six-velocity pattern with seven unknowns a body and the norm rows behind the joints. Rows of joints have the places
// that they have there, so that eight of them are converted at once; norm rows follow body by body behind those of joints
// of one row, from the beginning of a pack.
std::shared_ptr<const BlockPattern> seven_coordinate_pattern(const BlockPattern& six) {
  auto p = std::make_shared<BlockPattern>();
  const int n = six.primal_count(), joints = six.dual_count();
  p->primal_size.assign(index(n), 7);
  p->dual_size = six.dual_size;
  p->dual_size.insert(p->dual_size.end(), index(n), 1);
  p->couplings = six.couplings;
  p->incidences = six.incidences;
  p->incidence_place = six.incidence_place;
  p->primal_split = six.primal_split;
  p->incidence_split = six.incidence_split;
  p->incidence_split.resize(six.incidences.size() + index(n), 0);
  int next = 0;
  for (std::size_t k = 0; k < six.incidences.size(); ++k)
    if (six.dual_size[index(six.incidences[k].dual)] == 1)
      next = std::max(next, six.incidence_place[k] / lanes * lanes + lanes);
  for (int k = 0; k < n; ++k) {
    p->incidences.push_back({joints + k, k});
    p->incidence_place.push_back(next + k);
  }
  p->norm_row.assign(p->dual_size.size(), 0);
  for (std::size_t k = index(joints); k < p->norm_row.size(); ++k) p->norm_row[k] = 1;
  p->finish();
  return p;
}

}  // namespace

bool all_rigid(const Model& model) {
  return std::all_of(model.bodies().begin(), model.bodies().end(),
                     [](const Body& b) { return b.fixed || b.motion == BodyMotion::rigid; });
}

QuaternionSystem::Workspace::Workspace(int bodies, const std::shared_ptr<const BlockPattern>& pattern)
    : q(index(7 * bodies)),
      v(index(6 * bodies)),
      a(index(6 * bodies)),
      balance(index(6 * bodies)),
      rates(index(bodies), QuaternionRates<double>(Vec4{{1.0, 0.0, 0.0, 0.0}}, Vec4::Zero())),
      stiffness(pattern, Border::separate),
      damping(pattern, Border::separate) {}

QuaternionSystem::QuaternionSystem(Model model)
    : BodySystem(std::move(model)),
      workspaces_([this] { return std::make_unique<Workspace>(moving_count(), elements_.pattern); }) {
  if (!layout_.fewer_velocities.empty())
    throw ModelError("seven coordinates are those of rigid bodies, not of " + layout_.fewer_velocities);
  const int n = moving_count();
  joints_ = elements_.pattern->dual_count();
  has_forces_ = !model_.forces().empty();
  layout_.q_size = 7 * n;
  layout_.pattern = seven_coordinate_pattern(*elements_.pattern);
  layout_.level.resize(layout_.pattern->dual_size.size(), Level::position);
  for (int k = 0; k < n; ++k) {
    // 1 rad is half a unit of e.
    for (int i = 0; i < 7; ++i) layout_.scale.push_back(i < 3 ? characteristic_length(k) : 0.5);
  }
  make_inertia();
  make_row_places();
}

void QuaternionSystem::make_inertia() {
  inertia_ = inverse_inertia_ = lane_inertia(moving_count());
  for (int k = 0; k < moving_count(); ++k) {
    set_lane_inertia(inertia_, k, body(k).mass, body(k).inertia);
    set_lane_inertia(inverse_inertia_, k, 1.0 / body(k).mass, inverse(body(k).inertia));
  }
}

// Lanes without a row repeat a body that has one.
void QuaternionSystem::make_row_places() {
  const BlockPattern& six = *elements_.pattern;
  const MatrixLayout of_six(six), of_seven(*layout_.pattern);
  std::vector<int> number(of_six.incidence.size / lanes, -1);  // of the place that begins there
  for (std::size_t k = 0; k < six.incidences.size(); ++k) {
    const std::uint32_t at = of_six.incidence.offset[k], lane = at % lanes;
    int& of = number[(at - lane) / lanes];
    const bool first = of < 0;
    if (first) {
      of = static_cast<int>(row_places_.size());
      row_places_.emplace_back();
    }
    RowPlace& place = row_places_[index(of)];
    const auto [dual, primal] = six.incidences[k];
    if (first) {
      std::fill(std::begin(place.body), std::end(place.body), primal);
      std::fill(std::begin(place.dual), std::end(place.dual), dual);
    }
    place.rows = six.dual_size[index(dual)];
    place.six = at - lane;
    place.seven = of_seven.incidence.offset[k] - lane;
    place.body[lane] = primal;
    place.dual[lane] = dual;
  }
}

int QuaternionSystem::offset(BodyId id) const {
  const int k = block_of(id);
  return k < 0 ? -1 : 7 * k;
}

State QuaternionSystem::initial_state() const {
  State s = blank_state();
  for (int k = 0; k < moving_count(); ++k) {
    double *q = s.q.data() + 7 * k, *v = s.v.data() + 7 * k;
    put_pose(body(k), q);
    const Vec4 de = 0.5 * transpose_times(quaternion_map(quaternion_part(q)), body(k).angular_velocity);
    for (int i = 0; i < 3; ++i) v[i] = body(k).velocity[i];
    for (int i = 0; i < 4; ++i) v[3 + i] = de[i];
  }
  follow_motion(s, std::numeric_limits<double>::quiet_NaN());  // a user may give it another t
  return s;
}

void QuaternionSystem::retract(const double* q, const double* delta, double* out) const {
  for (int i = 0; i < layout_.q_size; ++i) out[i] = q[i] + delta[i];
}

SystemPart QuaternionSystem::part(int number) const {
  const int first = number * elements_.chunk_size,
            last = std::min(first + elements_.chunk_size, moving_count());
  return {number, first, last, 7 * first, 7 * last};
}

void QuaternionSystem::retract_part(const SystemPart& part, const double* q, const double* delta,
                                    double* out) const {
  for (int i = part.first; i < part.last; ++i) out[i] = q[i] + delta[i];
}

void QuaternionSystem::inverse_tangent_part(const SystemPart& part, const double*, const double* delta,
                                            double* out) const {
  std::copy(delta + part.first, delta + part.last, out + part.first);
}

void QuaternionSystem::difference(const double* from, const double* to, double* out) const {
  for (int i = 0; i < layout_.q_size; ++i) out[i] = to[i] - from[i];
}

Energy QuaternionSystem::energy(const Point& at) const {
  const Lease lease(workspaces_);
  Workspace& w = *lease;
  prepare(w, at.q, at.v, nullptr);
  KernelArgs args;
  args.t = at.t;
  args.q = w.q.data();
  args.fixed_q = elements_.fixed_q.data();
  args.v = w.v.data();
  args.discrete = at.discrete;
  return energy_of(inertia_, w.v.data(), true, args);
}

std::string QuaternionSystem::constraint_name(int dual) const {
  if (dual < joints_) return BodySystem::constraint_name(dual);
  return "unit quaternion of " + velocity_block_name(dual - joints_);
}

RigidBodyState QuaternionSystem::moving_body(int block, const State& state) const {
  const double *q = state.q.data() + 7 * block, *v = state.v.data() + 7 * block;
  return {{{q[0], q[1], q[2]}},
          normalized(Quat{q[3], q[4], q[5], q[6]}),
          {{v[0], v[1], v[2]}},
          QuaternionRates<double>(quaternion_part(q), quaternion_part(v)).omega};
}

}  // namespace catena
