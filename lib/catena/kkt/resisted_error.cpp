#include <catena/assembly/multibody_system.hpp>
#include <catena/kkt/detail/resisted_error.hpp>
#include <catena/math/detail/index.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace catena::detail {
namespace {

bool works(const Model& model, const Model::ElementRef& at) {
  return model.pools()[index(at.pool)]->does_work(at.element).value_or(true);
}

}  // namespace

void ResistedError::attach(const System& system) {
  system_ = &system;
  const auto* const bodies = dynamic_cast<const BodySystem*>(&system);
  resists_ = bodies == nullptr;
  if (bodies == nullptr) return;
  const std::vector<Model::ElementRef>& forces = bodies->model().forces();
  resists_ = std::any_of(forces.begin(), forces.end(),
                         [&](const Model::ElementRef& at) { return works(bodies->model(), at); });
}

void ResistedError::add(const Point& at, const double* e, double s, double unit, double* out) {
  if (!resists_) return;
  const std::size_t n = index(system_->layout().v_size());
  for (auto* x : {&moved_, &balance_, &balance_moved_}) x->resize(n);
  for (std::size_t k = 0; k < n; ++k) moved_[k] = at.v[k] + e[k] / s;
  Point point = at;
  point.a = nullptr;
  Evaluation wanted;
  wanted.balance = balance_.data();
  system_->evaluate(point, wanted);
  point.v = moved_.data();
  wanted.balance = balance_moved_.data();
  system_->evaluate(point, wanted);
  const auto finite = [](double x) { return std::isfinite(x); };
  if (!std::all_of(balance_moved_.begin(), balance_moved_.end(), finite))
    return;  // behind the end of a table
  for (std::size_t k = 0; k < n; ++k) out[k] += unit * (balance_moved_[k] - balance_[k]);
}

}  // namespace catena::detail
