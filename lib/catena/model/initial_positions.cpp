// Initial positions of a model: joints that they leave open, forces that have no value there.
#include <catena/math/detail/printed.hpp>
#include <catena/model/detail/element_alone.hpp>
#include <catena/model/model.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

namespace catena {
using namespace detail;
namespace {

// What errors of arithmetic alone would make of the rows of one constraint: 4 eps times what each of them changes by as every
// coordinate changes by its own size, or by 1 for those of the quaternion. Each coordinate is rounded once, by eps / 2,
// and the products and sums behind a row round a few more times.
std::vector<double> roundoff_of(ElementAlone& joint, const std::vector<double>& rows) {
  constexpr double part = 0x1p-13;  // of the size: small beside what turns a row around, large beside eps
  std::vector<double> bound(rows.size(), 0.0);
  for (std::size_t at = 0; at < joint.coordinates().size(); ++at) {
    double& x = joint.coordinates()[at];
    const double as_it_was = x;
    x += part * (at % 7 < 3 ? std::abs(x) : 1.0);
    const std::vector<double> moved = joint.rows();
    x = as_it_was;
    for (std::size_t r = 0; r < rows.size(); ++r)
      bound[r] += 4.0 * std::numeric_limits<double>::epsilon() * std::abs(moved[r] - rows[r]) / part;
  }
  return bound;
}

// What each row of one constraint changes by as one of its moving bodies moves by its own size (its radius of gyration)
// or turns by 1 rad, where that is less than 1: the size that its gap is measured by. 1 for rows that nothing changes.
std::vector<double> size_of_rows(const ElementAlone& joint) {
  const ElementPool& pool = joint.pool();
  const std::vector<double> G = joint.jacobian();
  std::vector<double> size;
  for (int r = 0; r < pool.rows(); ++r) {
    double largest = 0.0;
    for (int k = 0; k < pool.bodies(); ++k) {
      if (!joint.moves(k)) continue;
      const Body& b = *joint.body(k);
      const double gyration =
          std::sqrt((b.inertia(0, 0) + b.inertia(1, 1) + b.inertia(2, 2)) / (2.0 * b.mass));
      double sum = 0.0;
      for (int c = 0; c < 6; ++c) {
        const double change =
            G[static_cast<std::size_t>(6 * (pool.bodies() * r + k) + c)] * (c < 3 ? gyration : 1.0);
        sum += change * change;
      }
      largest = std::max(largest, std::sqrt(sum));
    }
    size.push_back(largest > 0.0 ? std::min(largest, 1.0) : 1.0);
  }
  return size;
}

// By how much a constraint is violated, for people: '0.75 m and 0.02 rad', of the rows that are, as their meaning says
// (rows/meaning.hpp); of others the largest row, in a unit that nobody knows.
std::string violation_text(const ElementPool& pool, int element, const std::vector<double>& rows,
                           const std::vector<char>& open, double amount) {
  if (!std::isfinite(amount)) return message_number(amount);
  const Plan& plan = pool.plan();
  std::vector<double> parameters(static_cast<std::size_t>(plan.parameters));
  pool.parameters(element, parameters.data());
  std::string text;
  for (const RowGroup& group : plan.groups) {
    if (group.meaning.violation == nullptr) return message_number(amount);
    const auto first = open.begin() + group.row;
    if (std::find(first, first + group.rows, 1) == first + group.rows) continue;
    const double size = group.meaning.violation(rows.data() + group.row, parameters.data() + group.parameter);
    text +=
        (text.empty() ? "" : " and ") + message_number(std::abs(size)) + ' ' + group.meaning.violation_unit;
  }
  return text;
}

}  // namespace

void Model::check_initial_positions(double tolerance) const {
  if (const std::vector<UndefinedConstraint> lost = undefined_constraints(); !lost.empty())
    throw ModelError(constraint_label(lost.front().id) + ": " + lost.front().why);
  const std::vector<OpenConstraint> open = open_constraints(tolerance);
  if (open.empty()) {
    if (const std::vector<UndefinedForce> lost = undefined_forces(); !lost.empty())
      throw ModelError(force_label(lost.front().id) + ": " + lost.front().why);
    return;
  }
  std::string message = "the initial positions violate " + std::to_string(open.size()) + " of " +
                        std::to_string(constraints_.size()) + " joints: ";
  constexpr std::size_t shown = 3;
  for (std::size_t k = 0; k < std::min(shown, open.size()); ++k)
    message += (k > 0 ? ", " : "") + constraint_label(open[k].id) + " by " + open[k].by;
  if (open.size() > shown) message += " and " + std::to_string(open.size() - shown) + " more";
  throw ModelError(message + "; correct them, or call assemble to move the bodies onto their joints");
}

std::vector<Model::OpenConstraint> Model::open_constraints(double tolerance) const {
  if (!(tolerance >= 0.0) || std::isinf(tolerance))
    throw std::invalid_argument(printed("the tolerance of initial positions must be 0 or more; it is %g",
                                        std::isnan(tolerance) ? std::abs(tolerance) : tolerance));
  std::vector<OpenConstraint> found;
  for (std::size_t c = 0; c < constraints_.size(); ++c) {
    const ElementPool& pool = *pools_[static_cast<std::size_t>(constraints_[c].pool)];
    if (pool.level() != Level::position) continue;
    ElementAlone joint(*this, pool, constraints_[c].element);
    const std::vector<double> rows = joint.rows();
    double amount = 0.0;
    for (const double r : rows) amount = std::isfinite(r) ? std::max(amount, std::abs(r)) : INFINITY;
    std::vector<char> open(rows.size(), !std::isfinite(amount));
    if (std::isfinite(amount) && amount > 0.0) {
      const std::vector<double> size = size_of_rows(joint);
      bool suspected = false;
      for (std::size_t r = 0; r < rows.size(); ++r)
        suspected = suspected || std::abs(rows[r]) > tolerance * size[r];
      const std::vector<double> roundoff =  // many evaluations
          suspected ? roundoff_of(joint, rows) : std::vector<double>(rows.size(), 0.0);
      for (std::size_t r = 0; r < rows.size(); ++r)
        open[r] = std::abs(rows[r]) > tolerance * size[r] + roundoff[r];
    }
    if (std::find(open.begin(), open.end(), 1) != open.end())
      found.push_back({ConstraintId{static_cast<int>(c)}, amount,
                       violation_text(pool, constraints_[c].element, rows, open, amount)});
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const OpenConstraint& x, const OpenConstraint& y) { return x.amount > y.amount; });
  // Those that are off by the same but for roundoff, as in symmetric mechanisms, in the order of the model.
  constexpr double same = 1e-9;
  for (auto from = found.begin(); from != found.end();) {
    const auto to = std::find_if(from, found.end(), [&](const OpenConstraint& x) {
      return !(x.amount >= (1.0 - same) * from->amount);
    });
    std::sort(from, to, [](const OpenConstraint& x, const OpenConstraint& y) { return x.id < y.id; });
    from = to == from ? from + 1 : to;
  }
  return found;
}

std::string Model::defect_at_start(const ElementRef& element) const {
  const ElementPool& pool = *pools_[static_cast<std::size_t>(element.pool)];
  BodyFrame<double> f[max_bodies_per_element];
  for (int i = 0; i < pool.bodies(); ++i) f[i] = initial_frame(pool.body(element.element, i));
  return pool.defect_at(element.element, f, 0.0);
}

std::vector<Model::UndefinedConstraint> Model::undefined_constraints() const {
  std::vector<UndefinedConstraint> found;
  for (std::size_t k = 0; k < constraints_.size(); ++k)
    if (std::string why = defect_at_start(constraints_[k]); !why.empty())
      found.push_back({ConstraintId{static_cast<int>(k)}, std::move(why)});
  return found;
}

std::vector<Model::UndefinedForce> Model::undefined_forces() const {
  std::vector<UndefinedForce> found;
  for (std::size_t k = 0; k < forces_.size(); ++k)
    if (std::string why = defect_at_start(forces_[k]); !why.empty())
      found.push_back({ForceId{static_cast<int>(k)}, std::move(why)});
  return found;
}

}  // namespace catena
