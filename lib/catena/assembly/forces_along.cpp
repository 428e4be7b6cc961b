// Forces along coordinates of their own, for steppers that take stiff ones like rows of a joint.
#include <catena/assembly/multibody_system.hpp>
#include <catena/math/detail/index.hpp>
#include <catena/model/detail/along_coordinates.hpp>

#include <algorithm>

namespace catena {
using namespace detail;
namespace {

// Rows times P of a body (body_freedoms.hpp).
void reduce_rows(const BodyFreedoms& freedoms, int size, const AlongCoordinates::Square& six,
                 ForceAlong::Body& out) {
  for (int r = 0; r < size; ++r) {
    double row[6];
    for (int c = 0; c < 6; ++c) row[c] = six(r, c);
    freedoms.reduce_one(out.block, row, out.rows[index(r)].data());
  }
}

}  // namespace

int MultibodySystem::forces_along() const { return static_cast<int>(along_coordinates_.size()); }

void MultibodySystem::force_along(int number, const Point& at, ForceAlong& out) const {
  const Model::ElementRef& element = along_coordinates_[index(number)];
  const ElementPool& pool = *model_.pools()[index(element.pool)];
  BodyFrame<double> f[2];
  double low[2][3] = {};
  for (int i = 0; i < 2; ++i) {
    ForceAlong::Body& body = out.body[index(i)];
    const BodyId id = pool.body(element.element, i);
    body.block = id == ground ? -1 : block_of(id);
    const double* q = elements_.fixed_q.data();
    double six[6] = {};
    if (body.block >= 0) {
      body.first = freedoms_.offset(body.block);
      body.count = freedoms_.count(body.block);
      q = at.q + 7 * body.block;
      std::copy_n(at.q + 7 * moving_count() + 3 * body.block, 3, low[i]);
      freedoms_.expand(body.block, at.v, six);
    } else if (id != ground) {
      q += 7 * elements_.fixed_of_body[index(static_cast<int>(id))];
    }
    f[i] = {{{q[0], q[1], q[2]}},
            rotation_matrix(Quat{q[3], q[4], q[5], q[6]}),
            {{six[0], six[1], six[2]}},
            {{six[3], six[4], six[5]}}};
    if (id == ground) f[i].x = Vec3::Zero(), f[i].R = Mat3::Identity();
  }
  // They see differences of places alone: to the digits of those.
  for (int c = 0; c < 3; ++c) {
    f[1].x[c] = (f[1].x[c] - f[0].x[c]) + (low[1][c] - low[0][c]);
    f[0].x[c] = 0.0;
  }
  const int offset = at.discrete == nullptr ? -1 : catena::detail::discrete_offset(elements_, element);
  AlongCoordinates along;
  pool.along_coordinates(element.element, f, at.t, offset < 0 ? nullptr : at.discrete + offset, along);
  out.size = along.size;
  for (int i = 0; i < 2; ++i)
    if (out.body[index(i)].block >= 0) reduce_rows(freedoms_, out.size, along.rows[i], out.body[index(i)]);
  for (int r = 0; r < out.size; ++r) {
    out.force[index(r)] = along.force[r];
    for (int c = 0; c < out.size; ++c) {
      out.by_coordinate[index(r)][index(c)] = along.by_coordinate(r, c);
      out.by_rate[index(r)][index(c)] = along.by_rate(r, c);
    }
  }
}

}  // namespace catena
