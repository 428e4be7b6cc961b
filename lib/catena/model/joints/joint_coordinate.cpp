#include <catena/model/detail/element_alone.hpp>
#include <catena/model/detail/joint_coordinate.hpp>
#include <catena/model/model.hpp>
#include <catena/model/parts/orientation.hpp>
#include <catena/model/rows/list.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace catena::detail {
namespace {

using Row = std::array<double, 12>;  // with respect to the motions of both bodies

double product(const Row& a, const Row& b) {
  double sum = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

// Takes from `row` what the orthonormal `basis` spans; what is left, and how long it is against what it was.
double reduce(Row& row, const std::vector<Row>& basis) {
  const double whole = std::sqrt(product(row, row));
  if (!(whole > 0.0)) return 0.0;
  for (int twice = 0; twice < 2; ++twice)  // the second time removes the roundoff of the first
    for (const Row& b : basis) {
      const double part = product(row, b);
      for (std::size_t k = 0; k < row.size(); ++k) row[k] -= part * b[k];
    }
  return std::sqrt(product(row, row)) / whole;
}

// Below this part of a row lies errors of arithmetic; directions that models give by three digits lie far above.
constexpr double nothing_left = 1e-9;

struct Pose {
  Vec3 position = Vec3::Zero();
  Quat orientation = Quat::Identity();
};

// Of the rows of a joint at its coordinates.
std::vector<Row> basis_of(const ElementAlone& joint) {
  const ElementPool& pool = joint.pool();
  const std::vector<double> G = joint.jacobian();
  std::vector<Row> basis;
  for (int r = 0; r < pool.rows(); ++r) {
    Row row{};
    std::copy_n(G.begin() + static_cast<std::ptrdiff_t>(row.size()) * r, row.size(), row.begin());
    if (!(reduce(row, basis) > nothing_left)) continue;
    const double length = std::sqrt(product(row, row));
    for (double& x : row) x /= length;
    basis.push_back(row);
  }
  return basis;
}

BodyFrame<double> frame_of(const Pose& p) {
  return {p.position, rotation_matrix(p.orientation), Vec3::Zero(), Vec3::Zero()};
}

// Moves the second body.
void put_marker_on_marker(const rows::Markers& m, Pose* at) {
  const Mat3 A = rotation_matrix(at[0].orientation) * rows::triad(m.axis_a, m.side_a);
  const Mat3 R = A * rows::triad(m.axis_b, m.side_b).transpose();
  at[1].orientation = orientation_from_matrix(R);
  at[1].position = at[0].position + rotation_matrix(at[0].orientation) * m.point_a - R * m.point_b;
}

template <class Kernel>
Row row_of(const Kernel& kernel, const BodyFrame<double>* f) {
  Mat<double, 1, 6> G[2];
  kernel.jacobian(f, 0.0, G);
  Row row{};
  for (std::size_t k = 0; k < row.size(); ++k) row[k] = G[k / 6][static_cast<int>(k % 6)];
  return row;
}

}  // namespace

const char* word_for(JointCoordinate coordinate) {
  return coordinate == JointCoordinate::angle ? "angle" : "displacement";
}

bool marked_coordinate(const Model& model, ConstraintId joint, rows::Markers& out) {
  const Model::ElementRef& ref = model.constraints()[static_cast<std::size_t>(joint)];
  const ElementPool& pool = *model.pools()[static_cast<std::size_t>(ref.pool)];
  if (!pool.markers(ref.element, out)) return false;
  if (!out.has_axis || out.has_axis_b) return true;
  const auto turn_of = [&](int which) {
    const BodyId id = pool.body(ref.element, which);
    return id == ground ? Mat3::Identity() : rotation_matrix(model.body(id).orientation);
  };
  out.axis_b = transpose_times(turn_of(1), Vec3(turn_of(0) * out.axis_a));
  return true;
}

CoordinateOf coordinate_of(const Model& model, ConstraintId joint, JointCoordinate coordinate) {
  CoordinateOf out;
  const int number = static_cast<int>(joint);
  if (number < 0 || number >= static_cast<int>(model.constraints().size())) {
    out.defect = "joint number " + std::to_string(number) + " does not exist";
    return out;
  }
  const Model::ElementRef& ref = model.constraints()[static_cast<std::size_t>(number)];
  const ElementPool& pool = *model.pools()[static_cast<std::size_t>(ref.pool)];
  const std::string word = word_for(coordinate);
  if (!marked_coordinate(model, joint, out.markers)) {
    out.defect = model.constraint_label(joint) + " has no " + word + "; name a joint between two markers";
    return out;
  }
  Pose at[2];
  for (int i = 0; i < 2; ++i) {
    const BodyId id = out.bodies[static_cast<std::size_t>(i)] = pool.body(ref.element, i);
    if (id != ground) at[i] = {model.body(id).position, model.body(id).orientation};
  }
  if (pool.level() != Level::position) return out;
  ElementAlone alone(model, pool, ref.element);
  const auto held = [&] {
    const BodyFrame<double> f[2] = {frame_of(at[0]), frame_of(at[1])};
    Row row = coordinate == JointCoordinate::angle ? row_of(angle_between(out.markers), f)
                                                   : row_of(displacement_between(out.markers), f);
    for (int i = 0; i < 2; ++i) alone.place(i, at[i].position, at[i].orientation);
    return !(reduce(row, basis_of(alone)) > nothing_left);
  };
  // Where the bodies are at first, and where the markers coincide: away from there the rows of an open joint may leave free
  // what those of the closed one hold.
  if (held() || (put_marker_on_marker(out.markers, at), held()))
    out.defect = model.constraint_label(joint) + " holds its " + word + " itself";
  return out;
}

}  // namespace catena::detail
