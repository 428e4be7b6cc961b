#include <catena/assembly/detail/body_kernels.hpp>
#include <catena/assembly/detail/reach.hpp>
#include <catena/assembly/parts/body_system.hpp>
#include <catena/math/detail/index.hpp>
#include <catena/math/detail/named_error.hpp>
#include <catena/math/detail/printed.hpp>
#include <catena/model/detail/break_points.hpp>
#include <catena/model/detail/forces_at_once.hpp>
#include <catena/model/detail/no_such.hpp>
#include <catena/model/parts/error.hpp>
#include <catena/system/detail/fit.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

namespace catena {
using namespace detail;
namespace {

Model checked(Model model) {
  model.check();  // bodies may have been changed since they were added
  return model;
}

}  // namespace

BodySystem::BodySystem(Model model)
    : model_(checked(std::move(model))),
      elements_(make_element_layout(model_)),
      freedoms_(model_, elements_.body_of_block) {
  if (moving_count() == 0) throw ModelError("the model has no moving body: add one that is not fixed");
  layout_.discrete_size = elements_.discrete_size;
  layout_.open_rows = open_rows_of(elements_);
  for (const Model::ElementRef& c : model_.constraints())
    layout_.level.push_back(model_.pools()[index(c.pool)]->level());
  for (int k = 0; k < moving_count() && layout_.fewer_velocities.empty(); ++k)
    if (const BodyMotion motion = body(k).motion; motion != BodyMotion::rigid)
      layout_.fewer_velocities =
          "body \"" + body(k).name + (motion == BodyMotion::point ? "\" (a point)" : "\" (planar)");
  for (std::size_t k = 0; k < model_.forces().size() && layout_.reaction_force.empty(); ++k) {
    const Model::ElementRef& f = model_.forces()[k];
    if (model_.pools()[index(f.pool)]->reaction_of(f.element).rows > 0)
      layout_.reaction_force = model_.force_label(ForceId{static_cast<int>(k)});
  }
}

int BodySystem::discrete_offset(ForceId id) const {
  check_number("force", static_cast<int>(id), static_cast<int>(model_.forces().size()));
  return catena::detail::discrete_offset(elements_, model_.forces()[index(static_cast<int>(id))]);
}

int BodySystem::discrete_offset(ConstraintId id) const {
  check_number("joint", static_cast<int>(id), static_cast<int>(model_.constraints().size()));
  return catena::detail::discrete_offset(elements_, model_.constraints()[index(static_cast<int>(id))]);
}

std::string BodySystem::velocity_block_name(int primal) const { return "body \"" + body(primal).name + "\""; }

std::string BodySystem::constraint_name(int dual) const {
  return model_.constraint_label(ConstraintId{dual});
}

std::vector<RigidBodyState> BodySystem::bodies(const State& state) const {
  if (const std::string misfit = misfit_of_motion(layout(), state); !misfit.empty())
    throw std::invalid_argument(misfit);
  std::vector<RigidBodyState> out;
  out.reserve(index(model_.body_count()));
  for (int b = 0; b < model_.body_count(); ++b) out.push_back(body_state(state, BodyId{b}));
  return out;
}

RigidBodyState BodySystem::body_state(const State& state, BodyId id) const {
  if (id == ground) return {Vec3::Zero(), Quat::Identity(), Vec3::Zero(), Vec3::Zero()};
  if (const int k = block_of(id); k >= 0) return moving_body(k, state);
  const double* q = elements_.fixed_q.data() + 7 * elements_.fixed_of_body[index(static_cast<int>(id))];
  return {{{q[0], q[1], q[2]}}, {q[3], q[4], q[5], q[6]}, Vec3::Zero(), Vec3::Zero()};
}

std::vector<std::string> BodySystem::body_names() const {
  std::vector<std::string> names;
  names.reserve(model_.bodies().size());
  for (const Body& b : model_.bodies()) names.push_back(b.name);
  return names;
}

double BodySystem::characteristic_length(int block) const {
  const Body& b = body(block);
  return std::sqrt((b.inertia(0, 0) + b.inertia(1, 1) + b.inertia(2, 2)) / (2.0 * b.mass));
}

int BodySystem::block_there(BodyId id) const {
  if (id == ground) return -1;
  check_number("body", static_cast<int>(id), model_.body_count());
  return block_of(id);
}

State BodySystem::blank_state() const {
  State s;
  s.q.assign(index(layout_.q_size), 0.0);
  s.v.assign(index(layout_.v_size()), 0.0);
  s.a.assign(s.v.size(), 0.0);
  s.lambda.assign(index(layout_.lambda_size()), 0.0);
  s.discrete = initial_discrete(elements_);
  return s;
}

void BodySystem::frames_of(const State& state, const ElementPool& pool, int element,
                           BodyFrame<double>* f) const {
  for (int i = 0; i < pool.bodies(); ++i) {
    const RigidBodyState b = body_state(state, pool.body(element, i));
    f[i] = {b.position, rotation_matrix(b.orientation), b.velocity, b.angular_velocity};
  }
}

void BodySystem::follow_motion(State& state, double t) const {
  for (std::size_t p = 0; p < model_.pools().size(); ++p) {
    const ElementPool& pool = *model_.pools()[p];
    if (!pool.follows_motion()) continue;
    for (int e = 0; e < pool.size(); ++e) {
      BodyFrame<double> f[max_bodies_per_element];
      frames_of(state, pool, e, f);
      double* values = state.discrete.data() + elements_.discrete_begin[p] + e * pool.discrete_size();
      try {
        pool.follow_motion(e, f, t, values);
        if (!std::all_of(values, values + pool.discrete_size(), [](double x) { return std::isfinite(x); }))
          throw std::runtime_error(
              printed("its discrete values at t = %.9g s hold a number that is none", state.t));
      } catch (...) {
        rethrow_named(element_label(static_cast<int>(p), e));
      }
    }
  }
}

std::string BodySystem::element_label(int pool, int element) const {
  const auto is = [&](const Model::ElementRef& at) { return at.pool == pool && at.element == element; };
  const auto& constraints = model_.constraints();
  const auto constraint = std::find_if(constraints.begin(), constraints.end(), is);
  if (constraint != constraints.end())
    return model_.constraint_label(ConstraintId{static_cast<int>(constraint - constraints.begin())});
  const auto force = std::find_if(model_.forces().begin(), model_.forces().end(), is);
  return model_.force_label(ForceId{static_cast<int>(force - model_.forces().begin())});
}

std::vector<double> BodySystem::break_points() const { return detail::break_points(model_); }

bool BodySystem::update_discrete(State& state) const {
  follow_motion(state, state.t);
  return false;  // rows keep their values
}

namespace {

bool moves_finitely(const BodyFrame<double>* f, int bodies) {
  for (int i = 0; i < bodies; ++i)
    for (int c = 0; c < 3; ++c)
      if (!std::isfinite(f[i].v[c]) || !std::isfinite(f[i].omega[c])) return false;
  return true;
}

}  // namespace

void BodySystem::find_undefined(const Point& at, Culprit& found) const {
  const int size = layout_.q_size;
  if (!std::all_of(at.q, at.q + size, [](double x) { return std::isfinite(x); })) return;  // lost before
  State state = blank_state();
  state.t = at.t;
  std::copy_n(at.q, state.q.size(), state.q.begin());
  if (at.v != nullptr) std::copy_n(at.v, state.v.size(), state.v.begin());
  const auto defect_of = [&](const Model::ElementRef& e, bool force) -> std::string {
    const ElementPool& pool = *model_.pools()[index(e.pool)];
    BodyFrame<double> f[max_bodies_per_element];
    frames_of(state, pool, e.element, f);
    std::string why = pool.defect_at(e.element, f, at.t);
    if (!why.empty() || !force || !moves_finitely(f, pool.bodies())) return why;
    // A component that is not finite makes the power so, whatever the velocities.
    const int offset = at.discrete == nullptr ? -1 : catena::detail::discrete_offset(elements_, e);
    const double* discrete = offset < 0 ? nullptr : at.discrete + offset;
    const double power = pool.power(e.element, f, at.t, discrete, nullptr).of_wrenches;
    return std::isfinite(power) ? "" : "its force or torque is not a finite number";
  };
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  const auto named_defect_of = [&](const Model::ElementRef& e, bool force) -> std::string {
    try {
      return defect_of(e, force);
    } catch (...) {
      rethrow_named(element_label(e.pool, e.element));
    }
  };
  for (std::size_t k = 0; k < model_.constraints().size(); ++k)
    if (std::string why = named_defect_of(model_.constraints()[k], false); !why.empty()) {
      found = {model_.constraint_label(ConstraintId{static_cast<int>(k)}), "rows", none, std::move(why)};
      return;
    }
  for (std::size_t k = 0; k < model_.forces().size(); ++k)
    if (std::string why = named_defect_of(model_.forces()[k], true); !why.empty()) {
      found = {model_.force_label(ForceId{static_cast<int>(k)}), "force", none, std::move(why)};
      return;
    }
}

Energy BodySystem::energy_of(const std::vector<double>& inertia, const double* v, bool six,
                             const KernelArgs& args) const {
  Energy e;
  const auto energies = body_kernels().energies;
  const double gravity[3] = {model_.gravity[0], model_.gravity[1], model_.gravity[2]};
  for (int first = 0; first < moving_count(); first += lanes) {
    const int count = std::min(lanes, moving_count() - first);
    double own[6 * lanes];
    for (int l = 0; l < count && !six; ++l) freedoms_.expand(first + l, v, own + 6 * l);
    BodyEnergies of;
    energies(count, inertia.data() + first * body_parameters, gravity, args.q + 7 * first,
             six ? v + 6 * first : own, of);
    for (int l = 0; l < count; ++l) {
      e.kinetic += of.kinetic[l];
      e.potential -= of.of_gravity[l];
    }
  }
  for (const PoolGroups& pool : elements_.pools) {
    if (pool.constraints) continue;
    if (is_at_once(pool.stage))
      e.potential +=
          forces_at_once(*pool.pool).potential_of_all(args, pool.groups.data(), pool.groups.size());
    else
      for (const ElementGroup& g : pool.groups) e.potential += pool.pool->potential(args, g);
  }
  return e;
}

}  // namespace catena
