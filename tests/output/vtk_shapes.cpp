// Shapes of bodies and lines between them in the files for ParaView.
#include <catena/io/read_model.hpp>
#include <catena/output/detail/vtk_lines.hpp>
#include <catena/output/detail/vtk_shapes.hpp>

#include "io/support_models.hpp"
#include "support/relative.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <set>
#include <utility>

using namespace catena;
using namespace catena::detail;
using catena_test::read_text;
using catena_test::relative;

namespace {

// Faces of a hexahedron in VTK's order, from outside.
const std::vector<std::vector<long long>> hexahedron{{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4},
                                                     {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};

const std::vector<std::vector<long long>>& faces_of(const VtkShape& s) {
  return s.faces.empty() ? hexahedron : s.faces;
}

// Every edge belongs to two faces, once in each direction.
bool is_closed(const VtkShape& s) {
  std::set<std::pair<long long, long long>> edges;
  for (const auto& face : faces_of(s))
    for (std::size_t k = 0; k < face.size(); ++k)
      if (!edges.insert({face[k], face[(k + 1) % face.size()]}).second) return false;
  for (const auto& [from, to] : edges)
    if (edges.count({to, from}) == 0) return false;
  return true;
}

// By the divergence of x/3: positive where the faces are seen from outside.
double enclosed(const VtkShape& s) {
  double volume = 0.0;
  const auto at = [&](long long k) { return s.points[static_cast<std::size_t>(k)]; };
  for (const auto& face : faces_of(s))
    for (std::size_t k = 2; k < face.size(); ++k)
      volume += dot(at(face[0]), cross(at(face[k - 1]), at(face[k]))) / 6.0;
  return volume;
}

VtkShape shape_of(const BodyShape& shape) {
  Body body;
  body.shape = shape;
  return vtk_shape(body);
}

Vec3 extent(const VtkShape& s) {
  Vec3 most = Vec3::Zero();
  for (const Vec3& p : s.points)
    for (int k = 0; k < 3; ++k) most[k] = std::max(most[k], std::abs(p[k]));
  return most;
}

}  // namespace

TEST_CASE("every shape is a closed surface, seen from outside, of nearly its volume") {
  using Kind = BodyShape::Kind;
  const double polygon = 16.0 / (2.0 * M_PI) * std::sin(2.0 * M_PI / 16.0);  // of a circle's area: 0.9745
  for (int axis = 0; axis < 3; ++axis) {
    CAPTURE(axis);
    const BodyShape box{.kind = Kind::box, .edges = {{0.2, 0.4, 0.6}}},
        cylinder{.kind = Kind::cylinder, .radius = 0.1, .length = 0.5, .axis = axis},
        sphere{.kind = Kind::sphere, .radius = 0.3},
        capsule{.kind = Kind::capsule, .radius = 0.1, .length = 0.5, .axis = axis};
    for (const BodyShape& s : {box, cylinder, sphere, capsule}) {
      const VtkShape mesh = shape_of(s);
      CAPTURE(static_cast<int>(s.kind));
      CHECK(is_closed(mesh));
      CHECK(mesh.cell_type() == (s.kind == Kind::box ? 12 : 42));
      CHECK(enclosed(mesh) > 0.937 * volume(s));  // a ball, with corners 22.5 degrees apart: 0.9374
      CHECK(enclosed(mesh) < (1.0 + 1e-12) * volume(s));
    }
    CHECK(enclosed(shape_of(cylinder)) == relative(polygon * volume(cylinder), 1e-12));
    CHECK(extent(shape_of(cylinder))[axis] == 0.25);
    CHECK(extent(shape_of(capsule))[axis] == relative(0.35, 1e-15));
    CHECK(extent(shape_of(capsule))[(axis + 1) % 3] == relative(0.1, 1e-12));
  }
  CHECK(extent(shape_of({.kind = Kind::box, .edges = {{0.2, 0.4, 0.6}}}))[1] == 0.2);
}

TEST_CASE("a body without a shape is shown as the box of its inertia") {
  Body body{.mass = 3.0, .inertia = box_inertia(3.0, {{0.4, 0.2, 0.1}})};
  const Vec3 half = extent(vtk_shape(body));
  CHECK(half[0] == relative(0.2, 1e-14));
  CHECK(half[2] == relative(0.05, 1e-13));
  CHECK(is_closed(vtk_shape(body)));
}

TEST_CASE("springs, struts and rods are lines between their points; joints whose points meet are none") {
  const ModelFile file = read_text(R"(
bodies:
  - {name: post, fixed: true, position: [0, 0, 5]}
  - {name: a, mass: 1, inertia: [1, 1, 1]}
  - {name: b, mass: 1, inertia: [1, 1, 1], position: [0, 2, 0]}
joints:
  - {type: spherical, bodies: [a, b], point_a: [0, 1, 0], point_b: [0, -1, 0]}
  - {type: distance, bodies: [post, b], point_a: [0, 0, 1], point_b: [0, 0, 0.5], length: 5.852349955359813}
forces:
  - {type: torque, bodies: a, torque: [1, 0, 0]}
  - {type: spring_damper, bodies: [ground, a], point_a: [3, 0, 0], point_b: [0.5, 0, 0], stiffness: 1}
  - {type: strut, bodies: [b, a], stiffness: 1}
)");
  const std::vector<VtkLine> lines = vtk_lines(file.model);
  REQUIRE(lines.size() == 3);
  CHECK(lines[0].joint);
  CHECK(lines[0].element == 1);
  CHECK(lines[0].ends[0].body == -1);
  CHECK(lines[0].ends[0].point[2] == 6.0);  // of a fixed body: in the world
  CHECK(lines[0].ends[1].body == 1);        // the second of those that move
  CHECK(lines[0].ends[1].point[2] == 0.5);
  CHECK_FALSE(lines[1].joint);
  CHECK(lines[1].element == 1);
  CHECK(lines[1].ends[0].body == -1);
  CHECK(lines[1].ends[0].point[0] == 3.0);
  CHECK(lines[1].ends[1].body == 0);
  CHECK(lines[2].element == 2);
  CHECK(lines[2].ends[0].body == 1);
}
