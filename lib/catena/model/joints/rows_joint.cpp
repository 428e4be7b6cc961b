#include <catena/math/detail/nearest.hpp>
#include <catena/model/detail/lane_functions.hpp>
#include <catena/model/detail/rows_pool.hpp>
#include <catena/model/model.hpp>
#include <catena/model/parts/joint_shapes.hpp>
#include <catena/model/parts/rows_joint.hpp>
#include <catena/model/rows/named.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace catena {
using namespace detail;
namespace {

std::vector<std::string> names_of_rows() {
  std::vector<std::string> names;
  for (const rows::NamedRows& r : rows::named_rows()) names.emplace_back(r.name);
  return names;
}

}  // namespace

std::string RowsJoint::defect() const {
  if (rows.empty()) return "rows must name at least one group of rows";
  bool lengths = true;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const rows::NamedRows* found = rows::find_rows(rows[k]);
    if (found == nullptr) {
      const std::string hint = nearest_hint(rows[k], names_of_rows());
      return "there are no rows \"" + rows[k] + '"' + (hint.empty() ? "" : "; " + hint);
    }
    if (std::find(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(k), rows[k]) !=
        rows.begin() + static_cast<std::ptrdiff_t>(k))
      return "rows names \"" + rows[k] + "\" twice";
    const bool in_metres = found->info.meaning.unit == RowUnit::length;
    if (in_metres && !lengths) return "rows in metres must come first: move \"" + rows[k] + "\" to the front";
    lengths = in_metres;
  }
  return defect_of_sides(axis_a, side_a, axis_b, side_b);
}

void visit(ElementVisitor& v, RowsJoint& e) {
  joint_detail::visit_points(v, e.bodies.data(), e.point_a, e.point_b);
  joint_detail::visit_axes(v, e.axis_a, &e.axis_b);
  joint_detail::visit_sides(v, e.side_a, e.side_b);
  v.real({.name = "length",
          .unit = "m",
          .meaning = "of the rows distance",
          .minimum = 0.0,
          .above_minimum = true},
         e.length);
  v.real({"displacement", "m", "of the rows displacement, at t = 0"}, e.displacement);
  v.real({"speed", "m/s", "its rate at t = 0"}, e.speed);
  v.real({"acceleration", "m/s^2", "its acceleration"}, e.acceleration);
  v.real({"angle", "rad", "of the rows angle, at t = 0"}, e.angle);
  v.real({"angular_speed", "rad/s", "its rate at t = 0"}, e.angular_speed);
  v.real({"angular_acceleration", "rad/s^2", "its acceleration"}, e.angular_acceleration);
  v.words({"rows", "", "groups of rows, those in metres first"}, e.rows, names_of_rows());
  joint_detail::visit_name(v, e.name);
}

RowsPool::RowsPool(std::vector<std::string> names) : rows_(std::move(names)) {
  std::vector<rows::KernelInfo> infos;
  for (const std::string& name : rows_) {
    infos.push_back(rows::find_rows(name)->info);
    row_count_ += infos.back().rows;
    couples_ = couples_ || infos.back().couples;
  }
  plan_ = rows::plan_rows(infos);
}

void RowsPool::push_back(RowsJoint joint, int number) {
  joints_.push_back(std::move(joint));
  if (number >= 0) next_number_ = number + 1;
}

bool RowsPool::list_members(int element, ElementVisitor& visitor) const {
  RowsJoint copy = at(element);
  visit(visitor, copy);
  return true;
}

void RowsPool::parameters(int element, double* out) const {
  const rows::Markers markers = at(element).markers();
  for (const std::string& name : rows_) {
    const rows::NamedRows& rows = *rows::find_rows(name);
    rows.save(markers, out);
    out += rows.info.parameters;
  }
}

// By the baseline functions; the assembly calls those of the processor.
void RowsPool::evaluate(const KernelArgs& args, const ElementGroup& group) const {
  const std::size_t n = static_cast<std::size_t>(plan_.parameters);
  std::vector<double> one(n), interleaved(8 * n);
  for (int l = 0; l < group.count; ++l) {
    parameters(group.first + l, one.data());
    for (std::size_t p = 0; p < n; ++p) interleaved[8 * p + static_cast<std::size_t>(l)] = one[p];
  }
  for (const Stage& stage : plan_.stages) {
    ElementGroup part = group;
    for (int i = 0; i < 2; ++i) part.C_at[i] += static_cast<std::uint32_t>(8 * 6 * stage.row);
    for (int& at : part.lambda_at) at += stage.row;
    part.parameters = interleaved.data() + 8 * stage.parameter;
    lane_functions(0).scalar[stage.function](args, part);
  }
}

ConstraintId Model::add_rows(RowsJoint joint) {
  int number = -1;
  const auto same_rows = [&](const std::unique_ptr<ElementPool>& pool) {
    const auto* rows = dynamic_cast<const RowsPool*>(pool.get());
    return rows != nullptr && rows->row_names() == joint.rows;
  };
  const auto found = std::find_if(pools_.begin(), pools_.end(), same_rows);
  const auto pool_number = static_cast<int>(found - pools_.begin());
  if (joint.name.empty()) {
    number = 0;
    for (const std::unique_ptr<ElementPool>& pool : pools_)
      if (const auto* rows = dynamic_cast<const RowsPool*>(pool.get()))
        number = std::max(number, rows->next_number());
    joint.name = free_name(RowsJoint::type_name, number);
  }
  const ElementDescription what{"joint", joint.name, RowsJoint::type_name, joint.bodies.data(), 2};
  check_element(what);
  const ElementDefect defect = element_defect(joint);
  if (!defect.empty()) refuse(what, defect.text, defect.member);
  // A model that throws is unchanged: rows are tried in a pool of their own.
  RowsPool alone(joint.rows);
  alone.push_back(joint, -1);
  const std::vector<double> rows = alone_rows(alone);
  for (std::size_t k = 0; k < rows.size(); ++k)
    if (!std::isfinite(rows[k]))
      refuse(what, "row " + std::to_string(k) + " is not finite in the initial state");

  if (found == pools_.end()) pools_.push_back(std::make_unique<RowsPool>(joint.rows));
  auto& pool = static_cast<RowsPool&>(*pools_[static_cast<std::size_t>(pool_number)]);
  const std::string name = joint.name;
  constraints_.push_back({pool_number, pool.size()});
  pool.push_back(std::move(joint), number);
  element_names_.insert(name, 2 * (static_cast<int>(constraints_.size()) - 1));
  return ConstraintId{static_cast<int>(constraints_.size()) - 1};
}

// The position rows of the only element of a pool at the initial positions.
std::vector<double> Model::alone_rows(const ElementPool& pool) const {
  std::vector<double> q, rows(static_cast<std::size_t>(pool.rows()));
  ElementGroup group{};
  group.count = 1;
  for (int i = 0; i < pool.bodies(); ++i) {
    const Body still{};
    const Body& b = pool.body(0, i) == ground ? still : body(pool.body(0, i));
    group.q_at[i][0] = static_cast<int>(q.size());
    for (const double x : {b.position[0], b.position[1], b.position[2], b.orientation.w, b.orientation.x,
                           b.orientation.y, b.orientation.z})
      q.push_back(x);
  }
  KernelArgs args;
  args.q = q.data();
  args.position = rows.data();
  pool.evaluate(args, group);
  return rows;
}

}  // namespace catena
