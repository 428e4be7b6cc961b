#include <catena/model/detail/element_alone.hpp>
#include <catena/model/detail/joint_coordinate.hpp>
#include <catena/model/model.hpp>
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

// Of the rows of a joint where its bodies are at first.
std::vector<Row> basis_of(const Model& model, const ElementPool& pool, int element) {
  const std::vector<double> G = ElementAlone(model, pool, element).jacobian();
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
  if (!pool.markers(ref.element, out.markers)) {
    out.defect = model.constraint_label(joint) + " has no " + word + "; name a joint between two markers";
    return out;
  }
  BodyFrame<double> f[2];
  for (int i = 0; i < 2; ++i) {
    out.bodies[static_cast<std::size_t>(i)] = pool.body(ref.element, i);
    f[i] = model.initial_frame(pool.body(ref.element, i));
  }
  if (pool.level() != Level::position) return out;
  Row row = coordinate == JointCoordinate::angle ? row_of(angle_between(out.markers), f)
                                                 : row_of(displacement_between(out.markers), f);
  if (!(reduce(row, basis_of(model, pool, ref.element)) > nothing_left))
    out.defect = model.constraint_label(joint) + " holds its " + word + " itself";
  return out;
}

}  // namespace catena::detail
