#include <catena/assembly/detail/body_freedoms.hpp>
#include <catena/math/detail/index.hpp>

#include <algorithm>
#include <cmath>

namespace catena::detail {
namespace {

// Two directions that make a right-handed triad with the normal; the next two axes of the world where it is one of them.
void span(const Vec3& normal, Vec3* across) {
  int largest = 0;
  for (int k = 1; k < 3; ++k)
    if (std::abs(normal[k]) > std::abs(normal[largest])) largest = k;
  Vec3 side = Vec3::Unit((largest + 1) % 3);
  if (normal[largest] < 0.0) side = -side;
  side = side - dot(side, normal) * normal;
  across[0] = (1.0 / norm(side)) * side;
  across[1] = cross(normal, across[0]);
}

// Entry (row, c) of x P.
template <class Own>
double times_P(const ConstBlockRef& x, int row, const Own& own, int c) {
  if (own.motion != BodyMotion::planar) return x(row, c);
  const Vec3& direction = c < 2 ? own.across[c] : own.axis;
  const int first = c < 2 ? 0 : 3;
  double sum = 0.0;
  for (int k = 0; k < 3; ++k) sum += x(row, first + k) * direction[k];
  return sum;
}

}  // namespace

BodyFreedoms::BodyFreedoms(const Model& model, const std::vector<int>& body_of_block) {
  int offset = 0;
  for (const int number : body_of_block) {
    const Body& body = model.body(BodyId{number});
    Own own;
    own.motion = body.motion;
    own.offset = offset;
    if (own.motion == BodyMotion::planar) {
      span(body.normal, own.across);
      own.axis = to_body_axes(body.orientation, body.normal);
    }
    all_six_ = all_six_ && own.motion == BodyMotion::rigid;
    own_.push_back(own);
    offset += count(static_cast<int>(own_.size()) - 1);
  }
}

void BodyFreedoms::expand(int block, const double* v, double* six) const {
  const Own& own = at(block);
  v += own.offset;
  if (own.motion == BodyMotion::rigid) {
    std::copy_n(v, 6, six);
  } else if (own.motion == BodyMotion::point) {
    for (int k = 0; k < 3; ++k) six[k] = v[k], six[3 + k] = 0.0;
  } else {
    for (int k = 0; k < 3; ++k) {
      six[k] = own.across[0][k] * v[0] + own.across[1][k] * v[1];
      six[3 + k] = own.axis[k] * v[2];
    }
  }
}

void BodyFreedoms::reduce(int block, const double* six, double* v) const {
  reduce_one(block, six, v + offset(block));
}

void BodyFreedoms::reduce_one(int block, const double* six, double* v) const {
  const Own& own = at(block);
  if (own.motion != BodyMotion::planar) {
    std::copy_n(six, count(block), v);
    return;
  }
  const Vec3 shift{{six[0], six[1], six[2]}}, turn{{six[3], six[4], six[5]}};
  v[0] = dot(own.across[0], shift);
  v[1] = dot(own.across[1], shift);
  v[2] = dot(own.axis, turn);
}

const double* BodyFreedoms::expand(const double* v, std::vector<double>& six) const {
  if (v == nullptr) return nullptr;
  for (int k = 0; k < blocks(); ++k) expand(k, v, six.data() + 6 * k);
  return six.data();
}

void BodyFreedoms::reduce(const double* six, double* v) const {
  for (int k = 0; k < blocks(); ++k) reduce(k, six + 6 * k, v);
}

std::shared_ptr<const BlockPattern> BodyFreedoms::pattern(const BlockPattern& six) const {
  auto p = std::make_shared<BlockPattern>();
  for (int k = 0; k < blocks(); ++k) p->primal_size.push_back(count(k));
  p->dual_size = six.dual_size;
  p->couplings = six.couplings;
  p->incidences = six.incidences;
  p->finish();
  return p;
}

void BodyFreedoms::reduce_block(int left, int right, const ConstBlockRef& six, const BlockRef& out) const {
  const Own &l = at(left), &r = at(right);
  for (int j = 0; j < count(right); ++j) {
    double column[6];
    for (int i = 0; i < 6; ++i) column[i] = times_P(six, i, r, j);
    if (l.motion != BodyMotion::planar) {
      for (int i = 0; i < count(left); ++i) out(i, j) = column[i];
      continue;
    }
    const Vec3 shift{{column[0], column[1], column[2]}}, turn{{column[3], column[4], column[5]}};
    out(0, j) = dot(l.across[0], shift);
    out(1, j) = dot(l.across[1], shift);
    out(2, j) = dot(l.axis, turn);
  }
}

void BodyFreedoms::reduce_rows(int right, const ConstBlockRef& six, const BlockRef& out) const {
  for (int i = 0; i < six.rows; ++i)
    for (int j = 0; j < count(right); ++j) out(i, j) = times_P(six, i, at(right), j);
}

void BodyFreedoms::reduce_H(const BlockMatrix& six, BlockMatrix& out) const {
  for (int k = 0; k < blocks(); ++k) reduce_block(k, k, six.H(k), out.H(k));
  const std::vector<BlockPattern::Coupling>& couplings = out.pattern().couplings;
  for (std::size_t k = 0; k < couplings.size(); ++k) {
    const int c = static_cast<int>(k);
    reduce_block(couplings[k].i, couplings[k].j, six.H_upper(c), out.H_upper(c));
    reduce_block(couplings[k].j, couplings[k].i, six.H_lower(c), out.H_lower(c));
  }
}

void BodyFreedoms::reduce_C(const BlockMatrix& six, BlockMatrix& out) const {
  const std::vector<BlockPattern::Incidence>& incidences = out.pattern().incidences;
  for (std::size_t k = 0; k < incidences.size(); ++k)
    reduce_rows(incidences[k].primal, six.C(static_cast<int>(k)), out.C(static_cast<int>(k)));
}

void BodyFreedoms::reduce_Bt(const BlockMatrix& six, BlockMatrix& out) const {
  const std::vector<BlockPattern::Incidence>& incidences = out.pattern().incidences;
  for (std::size_t k = 0; k < incidences.size(); ++k)
    reduce_rows(incidences[k].primal, six.Bt(static_cast<int>(k)), out.Bt(static_cast<int>(k)));
}

}  // namespace catena::detail
