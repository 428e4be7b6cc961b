#include <catena/assembly/detail/chunk_groups.hpp>
#include <catena/assembly/detail/lane_inertia.hpp>
#include <catena/assembly/detail/reach.hpp>
#include <catena/assembly/detail/six_velocities.hpp>
#include <catena/assembly/multibody_system.hpp>
#include <catena/math/detail/fetch.hpp>
#include <catena/math/detail/index.hpp>
#include <catena/math/parts/threads.hpp>
#include <catena/model/detail/element_alone.hpp>

#include <algorithm>
#include <cassert>
#include <limits>

namespace catena {
using namespace detail;
namespace {

Quat quaternion_at(const double* q) { return {q[3], q[4], q[5], q[6]}; }

}  // namespace

MultibodySystem::MultibodySystem(Model model)
    : BodySystem(std::move(model)), body_kernels_(&body_kernels()), element_functions_(&lane_functions()) {
  const int n = moving_count();
  layout_.q_size = 10 * n;
  layout_.constant_mass = true;
  layout_.pattern = freedoms_.all_six() ? elements_.pattern : freedoms_.pattern(*elements_.pattern);
  layout_.scale.reserve(index(layout_.v_size()));
  layout_.rotation.reserve(index(layout_.v_size()));
  inertia_ = lane_inertia(n);
  for (int k = 0; k < n; ++k) {
    set_lane_inertia(inertia_, k, body(k).mass, body(k).inertia);
    layout_.reach = std::max(layout_.reach, characteristic_length(k));
  }
  layout_.reach = std::max(layout_.reach, longest_arms(elements_));
  if (layout_.reach == 0.0) layout_.reach = 1.0;  // points alone, without a rod
  std::vector<double> sizes(index(n));
  for (int k = 0; k < n; ++k) sizes[index(k)] = characteristic_length(k);
  layout_.reach_of = reach_of_constraints(elements_, layout_, sizes);
  for (int k = 0; k < n; ++k) {
    const bool point = body(k).motion == BodyMotion::point;
    const double length = point ? layout_.reach : characteristic_length(k);
    const int shifts = body(k).motion == BodyMotion::planar ? 2 : 3;
    for (int i = 0; i < freedoms_.count(k); ++i) {
      layout_.scale.push_back(i < shifts ? length : 1.0);
      layout_.rotation.push_back(i < shifts ? 0 : 1);
    }
  }
  // Joints between points see distances, whose roundoff is that of the bodies' own size and of their arms.
  layout_.roundoff_length = 4.0 * layout_.reach;
  layout_.place_rows = place_rows_of(this->model(), elements_);
  for (const Model::ElementRef& c : this->model().constraints()) {
    const ElementPool& pool = *this->model().pools()[index(c.pool)];
    layout_.length_rows.push_back(static_cast<std::uint8_t>(leading_lengths(pool)));
  }
  for (const Model::ElementRef& f : this->model().forces())
    if (this->model().pools()[index(f.pool)]->has_coordinates()) along_coordinates_.push_back(f);
  if (!freedoms_.all_six()) make_workspaces();
}

int MultibodySystem::q_offset(BodyId id) const {
  const int k = block_there(id);
  return k < 0 ? -1 : 7 * k;
}

int MultibodySystem::v_offset(BodyId id) const {
  const int k = block_there(id);
  return k < 0 ? -1 : freedoms_.offset(k);
}

int MultibodySystem::v_count(BodyId id) const {
  const int k = block_there(id);
  return k < 0 ? 0 : freedoms_.count(k);
}

std::array<double, 6> MultibodySystem::six(BodyId id, const double* v) const {
  std::array<double, 6> out{};
  if (const int k = id == ground ? -1 : block_of(id); k >= 0) freedoms_.expand(k, v, out.data());
  return out;
}

void MultibodySystem::use_kernels(int instruction_set, bool scalar) {
  body_kernels_ = &body_kernels(instruction_set);
  element_functions_ = &lane_functions(instruction_set);
  scalar_ = scalar;
}

State MultibodySystem::initial_state() const {
  State s = blank_state();
  for (int k = 0; k < moving_count(); ++k) {
    const Body& b = body(k);
    put_pose(b, s.q.data() + 7 * k);
    const Vec3 &v = b.velocity, &omega = b.angular_velocity;
    const double six[6] = {v[0], v[1], v[2], omega[0], omega[1], omega[2]};
    freedoms_.reduce(k, six, s.v.data());
  }
  follow_motion(s, std::numeric_limits<double>::quiet_NaN());  // a user may give it another t
  return s;
}

int MultibodySystem::chunk_end(int chunk) const {
  return std::min((chunk + 1) * elements_.chunk_size, moving_count());
}

// The first body of the group so many behind that of `first`, where the system is far; -1: it is not, or no full group is there.
int MultibodySystem::later_group(int first, int groups) const {
  const int later = first + groups * lanes;
  return elements_.far && later + lanes <= moving_count() ? later : -1;
}

void MultibodySystem::retract(const double* q, const double* delta, double* out) const {
  if (!workspaces_) return retract_six(q, delta, out);
  const Lease lease(*workspaces_);
  retract_six(q, freedoms_.expand(delta, (*lease).delta), out);
}

void MultibodySystem::inverse_tangent(const double* increment, const double* delta, double* out) const {
  times_tangent(body_kernels_->inverse_tangent, increment, delta, out);
}

void MultibodySystem::tangent(const double* increment, const double* delta, double* out) const {
  times_tangent(body_kernels_->tangent, increment, delta, out);
}

void MultibodySystem::retract_six(const double* q, const double* delta, double* out) const {
  const auto one_chunk = [&](int c) { retract_chunk(c, q, delta, out); };
  parallel_for(elements_.chunks, std::cref(one_chunk));
}

// NOLINTNEXTLINE(readability-non-const-parameter): the kernels write through RetractArgs
void MultibodySystem::retract_chunk(int chunk, const double* q, const double* delta, double* out) const {
  const int low = 7 * moving_count();
  const RetractArgs args{q, q + low, delta, out, out + low};
  const auto kernel = scalar_ ? body_kernels_->retract_scalar : body_kernels_->retract;
  for (int first = chunk * elements_.chunk_size; first < chunk_end(chunk); first += lanes) {
    if (const int later = later_group(first, 4); later >= 0) {
      fetch(q + 7 * later, 7 * lanes);
      fetch(q + low + 3 * later, 3 * lanes);
      fetch(out + 7 * later, 7 * lanes);
      fetch(out + low + 3 * later, 3 * lanes);
    }
    kernel(first, std::min(lanes, chunk_end(chunk) - first), args);
  }
}

// T or T^-1, by its kernel.
void MultibodySystem::times_tangent(TangentKernel kernel, const double* increment, const double* delta,
                                    double* out) const {
  const auto of_six = [&](const double* of_increment, const double* of_delta, double* to) {
    const auto one_chunk = [&](int c) { times_tangent_of_chunk(kernel, c, of_increment, of_delta, to); };
    parallel_for(elements_.chunks, std::cref(one_chunk));
  };
  if (!workspaces_) return of_six(increment, delta, out);
  const Lease lease(*workspaces_);
  Six& six = *lease;
  of_six(freedoms_.expand(increment, six.increment), freedoms_.expand(delta, six.delta), six.balance.data());
  freedoms_.reduce(six.balance.data(), out);
}

void MultibodySystem::times_tangent_of_chunk(TangentKernel kernel, int chunk, const double* increment,
                                             const double* delta, double* out) const {
  for (int first = chunk * elements_.chunk_size; first < chunk_end(chunk); first += lanes) {
    if (const int later = later_group(first, 4); later >= 0) {
      fetch(increment + 6 * later, 6 * lanes);
      fetch(delta + 6 * later, 6 * lanes);
      fetch(out + 6 * later, 6 * lanes);
    }
    kernel(first, std::min(lanes, chunk_end(chunk) - first), increment, delta, out);
  }
}

int MultibodySystem::parts() const { return workspaces_ ? 1 : elements_.chunks; }

SystemPart MultibodySystem::part(int number) const {
  if (workspaces_) return System::part(number);
  const int first = number * elements_.chunk_size, last = chunk_end(number);
  return {number, first, last, 6 * first, 6 * last};
}

void MultibodySystem::retract_part(const SystemPart& part, const double* q, const double* delta,
                                   double* out) const {
  if (workspaces_) return retract(q, delta, out);
  retract_chunk(part.number, q, delta, out);
}

void MultibodySystem::inverse_tangent_part(const SystemPart& part, const double* increment,
                                           const double* delta, double* out) const {
  if (workspaces_) return inverse_tangent(increment, delta, out);
  times_tangent_of_chunk(body_kernels_->inverse_tangent, part.number, increment, delta, out);
}

void MultibodySystem::difference(const double* from, const double* to, double* out) const {
  for (int k = 0; k < moving_count(); ++k) {
    const double *a = from + 7 * k, *b = to + 7 * k;
    const double *a_low = from + 7 * moving_count() + 3 * k, *b_low = to + 7 * moving_count() + 3 * k;
    double six[6];
    for (int i = 0; i < 3; ++i) six[i] = (b[i] - a[i]) + (b_low[i] - a_low[i]);
    const Vec3 r = logarithm(conjugate(quaternion_at(a)) * quaternion_at(b));
    for (int i = 0; i < 3; ++i) six[3 + i] = r[i];
    freedoms_.reduce(k, six, out);
  }
}

void MultibodySystem::bracket(const double* v, const double* w, double* out) const {
  for (int k = 0; k < moving_count(); ++k) {
    double a[6], b[6];
    freedoms_.expand(k, v, a);
    freedoms_.expand(k, w, b);
    const Vec3 r = cross(Vec3{{a[3], a[4], a[5]}}, Vec3{{b[3], b[4], b[5]}});
    const double six[6] = {0.0, 0.0, 0.0, r[0], r[1], r[2]};
    freedoms_.reduce(k, six, out);
  }
}

struct MultibodySystem::Pass {
  KernelArgs args;
  RowWeights position_rows, velocity_rows;
  double* H = nullptr;
};

void MultibodySystem::evaluate(const Point& at, const Evaluation& wanted) const {
  if (wanted.undefined != nullptr) find_undefined(at, *wanted.undefined);
  if (workspaces_)
    evaluate_reduced(at, wanted);
  else
    evaluate_six(at, wanted);
}

void MultibodySystem::evaluate_six(const Point& at, const Evaluation& wanted) const {
  Pass pass;
  KernelArgs& a = pass.args;
  a.t = at.t;
  a.q = at.q;
  a.x_low = at.q + 7 * moving_count();
  a.fixed_q = elements_.fixed_q.data();
  a.v = at.v;
  a.a = at.a;
  a.lambda = at.lambda;
  a.discrete = at.discrete;
  a.forces = at.forces;
  a.balance = wanted.balance;
  a.position = wanted.position;
  a.velocity = wanted.velocity;
  a.acceleration = wanted.acceleration;
  if (const Linearization* lin = wanted.linearization) {
    BlockMatrix& m = *lin->matrix;
    assert(&m.pattern() == elements_.pattern.get());
    a.mass = lin->mass;
    a.damping = lin->damping;
    a.stiffness = lin->stiffness;
    a.increment = lin->increment;
    a.without_geometric_stiffness = lin->without_geometric_stiffness;
    pass.position_rows = lin->position_rows;
    pass.velocity_rows = lin->velocity_rows;
    a.C = m.C_pool();
    a.Bt = m.border() == Border::separate && !lin->keep_Bt ? m.Bt_pool() : nullptr;
    if (!lin->rows_only) {
      a.H = m.H_pool();
      m.zero_couplings();
      // Constraints couple bodies by lambda alone.
      const bool couples = at.lambda != nullptr || !model_.forces().empty();
      if (couples && (lin->stiffness != 0.0 || lin->damping != 0.0)) {
        a.coupling[0] = m.coupling_pool();
        a.coupling[1] = m.coupling_t_pool();
      }
    }
  }
  const auto one_chunk = [&](int c) { evaluate_chunk(pass, c); };
  parallel_for(elements_.chunks, std::cref(one_chunk));
  evaluate_elements(pass, elements_.chunks);
}

// What the bodies from `later` on read and write, and the poses from `first` on, for the elements that are evaluated after all
// bodies of the chunk.
void MultibodySystem::fetch_bodies(const KernelArgs& args, int first, int later) const {
  fetch(args.q + 7 * first, 7 * lanes);
  if (args.x_low != nullptr) fetch(args.x_low + 3 * first, 3 * lanes);
  for (const double* of : {args.v, args.a, args.increment})
    if (of != nullptr) fetch(of + 6 * later, 6 * lanes);
  fetch(inertia_.data() + body_parameters * later, body_parameters * lanes);
  if (args.balance != nullptr) fetch(args.balance + 6 * later, 6 * lanes);
  if (args.H == nullptr) return;
  double* const H = args.H + 36 * later;
  fetch(H, 1);
  for (int i = 3; i < 6; ++i) fetch(H + lanes * (6 * i + 3), 3 * lanes);
}

void MultibodySystem::evaluate_chunk(const Pass& pass, int chunk) const {
  if (pass.args.balance != nullptr || pass.args.H != nullptr) {
    const auto kernel = scalar_ ? body_kernels_->evaluate_scalar : body_kernels_->evaluate;
    const std::uint8_t* const split = elements_.pattern->primal_split.data();
    for (int first = chunk * elements_.chunk_size; first < chunk_end(chunk); first += lanes) {
      if (const int later = later_group(first, 2); later >= 0) fetch_bodies(pass.args, first, later);
      BodyGroup g;
      g.first = first;
      g.count = std::min(lanes, chunk_end(chunk) - first);
      g.inertia = inertia_.data() + first * body_parameters;
      g.H = pass.args.H == nullptr ? nullptr : pass.args.H + first * 36;
      g.split = g.H != nullptr && std::all_of(split + first, split + first + g.count,
                                              [](std::uint8_t flag) { return flag != 0; });
      for (int i = 0; i < 3; ++i) g.gravity[i] = model_.gravity[i];
      kernel(pass.args, g);
    }
  }
  evaluate_elements(pass, chunk);
}

// Joint slots are owned by their joint; what joints add to bodies stays inside the chunk (or is the border).
void MultibodySystem::evaluate_elements(const Pass& pass, int chunk) const {
  for (const PoolGroups& pool : elements_.pools) {
    KernelArgs args = pass.args;
    const RowWeights& w = pool.pool->level() == Level::position ? pass.position_rows : pass.velocity_rows;
    args.row_jacobian = w.jacobian;
    args.row_velocity = w.velocity;
    args.row_rate = w.rate;
    evaluate_groups(pool, chunk, function_of(pool.stage, *element_functions_, scalar_), args);
  }
}

Energy MultibodySystem::energy(const Point& at) const {
  KernelArgs args;
  args.t = at.t;
  args.q = at.q;
  args.x_low = at.q + 7 * moving_count();
  args.fixed_q = elements_.fixed_q.data();
  args.v = freedoms_.all_six() ? at.v : nullptr;
  args.discrete = at.discrete;
  return energy_of(inertia_, at.v, freedoms_.all_six(), args);
}

RigidBodyState MultibodySystem::moving_body(int block, const State& state) const {
  const double* q = state.q.data() + 7 * block;
  double v[6];
  freedoms_.expand(block, state.v.data(), v);
  return {{{q[0], q[1], q[2]}}, quaternion_at(q), {{v[0], v[1], v[2]}}, {{v[3], v[4], v[5]}}};
}

}  // namespace catena
