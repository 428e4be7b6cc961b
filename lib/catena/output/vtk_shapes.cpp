#include <catena/output/detail/vtk_shapes.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace catena::detail {
namespace {

// The box of uniform density with this mass and these moments of inertia about the body's axes.
Vec3 half_sides(const Body& b) {
  Vec3 half;
  const double trace = b.inertia(0, 0) + b.inertia(1, 1) + b.inertia(2, 2);
  for (int k = 0; k < 3; ++k) {
    const double square = 6.0 * (trace - 2.0 * b.inertia(k, k)) / b.mass;
    half[k] = 0.5 * std::sqrt(std::max(0.0, square));
  }
  return half;
}

// A width of 2 % of the length where a side vanishes, so that a thin rod is seen.
Vec3 visible(Vec3 half) {
  const double longest = std::max({half[0], half[1], half[2]});
  for (int k = 0; k < 3; ++k) half[k] = std::max(half[k], longest > 0.0 ? 0.02 * longest : 0.05);
  return half;
}

VtkShape box(const Vec3& half) {
  VtkShape shape;
  for (unsigned c = 0; c < 8; ++c) {  // in the order of a hexahedron
    const unsigned around = c & 3U;
    shape.points.push_back({{around == 1 || around == 2 ? half[0] : -half[0],
                             around >= 2 ? half[1] : -half[1], c >= 4 ? half[2] : -half[2]}});
  }
  return shape;
}

constexpr int corners = 16;      // of a circle
constexpr int rings_of_cap = 4;  // of a half sphere, with the circle at its foot

struct Ring {
  double along, radius;
};

// Rings from below about an axis, closed by their polygons or, with a pole, by triangles to a point on the axis.
VtkShape turned(const std::vector<Ring>& rings, bool poles, double pole, int axis) {
  VtkShape shape;
  const auto add = [&](double along, double x, double y) {
    Vec3 p;
    p[axis] = along;
    p[(axis + 1) % 3] = x;
    p[(axis + 2) % 3] = y;
    shape.points.push_back(p);
  };
  for (const Ring& ring : rings)
    for (int c = 0; c < corners; ++c) {
      const double turn = 2.0 * std::numbers::pi * c / corners;
      add(ring.along, ring.radius * std::cos(turn), ring.radius * std::sin(turn));
    }
  const auto at = [](std::size_t ring, int c) {
    return static_cast<long long>(ring) * corners + c % corners;
  };
  const std::size_t top = rings.size() - 1;
  for (std::size_t r = 0; r < top; ++r)
    for (int c = 0; c < corners; ++c)
      shape.faces.push_back({at(r, c), at(r, c + 1), at(r + 1, c + 1), at(r + 1, c)});
  if (poles) {
    const auto south = static_cast<long long>(shape.points.size());
    add(-pole, 0.0, 0.0);
    add(pole, 0.0, 0.0);
    for (int c = 0; c < corners; ++c) {
      shape.faces.push_back({at(0, c + 1), at(0, c), south});
      shape.faces.push_back({at(top, c), at(top, c + 1), south + 1});
    }
  } else {
    std::vector<long long> below, above;
    for (int c = 0; c < corners; ++c) {
      below.push_back(at(0, corners - c));
      above.push_back(at(top, c));
    }
    shape.faces.push_back(std::move(below));
    shape.faces.push_back(std::move(above));
  }
  return shape;
}

// Half spheres of that radius, with their centres at -half and half on the axis.
VtkShape capsule(double radius, double half, int axis) {
  std::vector<Ring> upper;
  for (int r = 0; r < rings_of_cap; ++r) {
    const double height = 0.5 * std::numbers::pi * r / rings_of_cap;
    upper.push_back({half + radius * std::sin(height), radius * std::cos(height)});
  }
  std::vector<Ring> rings;
  for (auto ring = upper.rbegin(); ring != upper.rend(); ++ring)
    rings.push_back({-ring->along, ring->radius});
  if (half == 0.0) rings.pop_back();  // one equator
  rings.insert(rings.end(), upper.begin(), upper.end());
  return turned(rings, true, half + radius, axis);
}

}  // namespace

VtkShape vtk_shape(const Body& body) {
  const BodyShape& s = body.shape;
  switch (s.kind) {
    case BodyShape::Kind::none:
      break;
    case BodyShape::Kind::box:
      return box(0.5 * s.edges);
    case BodyShape::Kind::sphere:
      return capsule(s.radius, 0.0, 2);
    case BodyShape::Kind::cylinder:
      return turned({{-0.5 * s.length, s.radius}, {0.5 * s.length, s.radius}}, false, 0.0, s.axis);
    case BodyShape::Kind::capsule:
      return capsule(s.radius, 0.5 * s.length, s.axis);
  }
  return box(shown_half_sides(body));
}

Vec3 shown_half_sides(const Body& body) { return visible(half_sides(body)); }

VtkShape vtk_shape() { return box(visible(Vec3::Zero())); }

}  // namespace catena::detail
