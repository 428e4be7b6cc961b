// KKT matrices of mechanisms, made from seeds: the same numbers on every machine. Bodies are boxes of 12 kg
// and 3 m length, J = diag(9.25, 10, 1.25); a joint row reads G = [I, -R p~] for perturbations R exp(theta~).
#pragma once
#include <catena/math/rotation.hpp>
#include <catena/sparse/parts/block_matrix.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace catena::test {
using namespace detail;

// xorshift64*: Marsaglia 2003, Vigna 2016.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15ULL + 0x1234567ULL) {}
  double uniform(double a = -1.0, double b = 1.0) {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return a + (b - a) * static_cast<double>((state_ * 0x2545F4914F6CDD1DULL) >> 11) * 0x1p-53;
  }
  int below(int n) { return std::min(n - 1, static_cast<int>(uniform(0.0, 1.0) * n)); }
  Vec3 vector(double size = 1.0) {
    const double x = uniform(), y = uniform(), z = uniform();
    return {{size * x, size * y, size * z}};
  }

 private:
  std::uint64_t state_;
};

enum class KktJointKind : std::uint8_t {
  spherical,  // 3 rows
  revolute,   // 5 rows
  universal,  // 4 rows: the first four of a hinge
  fixed,      // 6 rows
  distance,   // 1 row
  gear        // 1 row on the rotations of all its bodies
};

struct KktBody {
  Vec3 position = Vec3::Zero();
  Quat rotation = Quat::Identity();
  double mass = 12.0;                       // [kg]
  Vec3 inertia = Vec3{{9.25, 10.0, 1.25}};  // [kg m^2]
};

struct KktJoint {
  KktJointKind kind = KktJointKind::spherical;
  std::vector<int> bodies;  // 1 (to ground), 2, or more for gears
  Vec3 point = Vec3::Zero();
  bool coupled = false;  // springs beside it: blocks H_ij between its two bodies
};

struct KktMechanism {
  std::vector<KktBody> bodies;
  std::vector<KktJoint> joints;
};

struct KktProblem {
  std::string name;
  std::shared_ptr<const BlockPattern> pattern;
  BlockMatrix matrix;
  int bodies = 0;
  bool positive_definite = true;                     // H; else only pivoting solvers can be trusted
  std::vector<std::pair<int, int>> duplicates = {};  // dual blocks with the same rows
};

struct KktVariant {
  bool quaternion = false;    // seven coordinates a body: H singular along e, one norm row a body
  bool regular = true;        // quaternion: H + rho n n^T, for solvers that need it regular
  bool nonsymmetric = false;  // B != C^T by O(h), H with a skew part
  double h = 1e-3;            // [s]
  double H_scale = 1.0;       // H = H_scale * M
  double proximal = 0.0;      // relative to the local Schur scale
  bool split = false;  // the pattern says what vanishes in the blocks of bodies with ball joints and hinges
};

inline int kkt_rows(KktJointKind kind) {
  switch (kind) {
    case KktJointKind::spherical:
      return 3;
    case KktJointKind::revolute:
      return 5;
    case KktJointKind::universal:
      return 4;
    case KktJointKind::fixed:
      return 6;
    case KktJointKind::distance:
    case KktJointKind::gear:
      return 1;
  }
  return 0;
}

namespace kkt_detail {

inline std::size_t index(int k) { return static_cast<std::size_t>(k); }

// Rows of joint `joint` on its body number `side`: rows x 6, columns translation then rotation.
inline std::vector<double> jacobian(const KktMechanism& mechanism, const KktJoint& joint, std::size_t side,
                                    const std::vector<Quat>& rotations) {
  const int rows = kkt_rows(joint.kind), b = joint.bodies[side];
  const Mat3 R = rotation_matrix(rotations[index(b)]);
  const double sign = side == 0 ? 1.0 : -1.0;
  const Vec3 p = transpose_times(R, joint.point - mechanism.bodies[index(b)].position);
  std::vector<double> G(index(rows * 6), 0.0);
  auto set = [&](int row, const Vec3& v, const Vec3& w) {
    for (int j = 0; j < 3; ++j) {
      G[index(row * 6 + j)] = v[j];
      G[index(row * 6 + 3 + j)] = w[j];
    }
  };
  const Mat3 RS = R * skew(p);
  auto row_of = [](const Mat3& m, int i) { return Vec3{{m(i, 0), m(i, 1), m(i, 2)}}; };
  if (rows >= 3)
    for (int i = 0; i < 3; ++i) set(i, sign * Vec3::Unit(i), -sign * row_of(RS, i));
  if (joint.kind == KktJointKind::fixed)
    for (int i = 0; i < 3; ++i) set(3 + i, Vec3::Zero(), -sign * transpose_times(R, Vec3::Unit(i)));
  if (joint.kind == KktJointKind::revolute || joint.kind == KktJointKind::universal) {
    // n_k . u = 0: u is fixed in the first body, n_1 and n_2 in the second (or in the ground).
    const Vec3 u{{0.6, 0.0, 0.8}}, n1{{0.0, 1.0, 0.0}}, n2{{0.8, 0.0, -0.6}};
    for (int k = 0; k < rows - 3; ++k) {
      const Vec3 c = cross(k == 0 ? n1 : n2, u);  // d(n.u) = (n x u) . (w_second - w_first), world frame
      set(3 + k, Vec3::Zero(), -sign * transpose_times(R, c));
    }
  }
  if (joint.kind == KktJointKind::distance) {
    const Vec3 d{{0.48, 0.64, 0.6}};
    set(0, sign * d, -sign * transpose_times(RS, d));
  }
  if (joint.kind == KktJointKind::gear) {
    const double ratio = side == 0 ? 1.0 : side == 1 ? -2.0 : 0.7;
    set(0, Vec3::Zero(), ratio * transpose_times(R, Vec3{{0.6, 0.0, 0.8}}));
  }
  return G;
}

// 2 G(e), 3 x 4: body-frame rotation of a perturbation of the quaternion.
inline Mat<double, 3, 4> twice_G(const Quat& e) {
  return {{-2 * e.x, 2 * e.w, 2 * e.z, -2 * e.y, -2 * e.y, -2 * e.z, 2 * e.w, 2 * e.x, -2 * e.z, 2 * e.y,
           -2 * e.x, 2 * e.w}};
}

inline void write_rows(const BlockRef& block, const std::vector<double>& G, const Quat& e) {
  const bool quaternion = block.cols == 7;
  const Mat<double, 3, 4> twice = twice_G(e);
  for (int i = 0; i < block.rows; ++i) {
    for (int j = 0; j < 3; ++j) block(i, j) = G[index(i * 6 + j)];
    for (int j = 3; j < block.cols; ++j) {
      if (!quaternion) {
        block(i, j) = G[index(i * 6 + j)];
        continue;
      }
      double sum = 0.0;
      for (int k = 0; k < 3; ++k) sum += G[index(i * 6 + 3 + k)] * twice(k, j - 3);
      block(i, j) = sum;
    }
  }
}

}  // namespace kkt_detail

inline KktProblem make_kkt(std::string name, const KktMechanism& mechanism, const KktVariant& variant = {}) {
  using kkt_detail::index;
  const int bodies = static_cast<int>(mechanism.bodies.size());
  const int joints = static_cast<int>(mechanism.joints.size());
  auto pattern = std::make_shared<BlockPattern>();
  pattern->primal_size.assign(index(bodies), variant.quaternion ? 7 : 6);
  for (const KktJoint& joint : mechanism.joints) {
    const int dual = pattern->dual_count();
    pattern->dual_size.push_back(kkt_rows(joint.kind));
    for (const int b : joint.bodies) pattern->incidences.push_back({dual, b});
    if (joint.coupled) pattern->couplings.push_back({joint.bodies[0], joint.bodies[1]});
  }
  if (variant.split) {
    pattern->primal_split.assign(pattern->primal_size.size(), 1);
    pattern->incidence_split.assign(pattern->incidences.size(), 1);
  }
  const std::size_t first_norm = pattern->incidences.size();
  for (int b = 0; variant.quaternion && b < bodies; ++b) {
    pattern->dual_size.push_back(1);
    pattern->incidences.push_back({joints + b, b});
  }
  if (variant.quaternion) {
    pattern->norm_row.assign(index(joints + bodies), 0);
    std::fill(pattern->norm_row.begin() + joints, pattern->norm_row.end(), std::uint8_t{1});
  }
  if (variant.split) pattern->incidence_split.resize(pattern->incidences.size(), 0);
  pattern->finish();

  BlockMatrix matrix(pattern, variant.nonsymmetric ? Border::separate : Border::transposed);
  Random random(7);
  std::vector<Quat> at_C, at_B;
  for (const KktBody& body : mechanism.bodies) {
    at_C.push_back(body.rotation);
    at_B.push_back(variant.nonsymmetric ? body.rotation * exponential(random.vector(variant.h))
                                        : body.rotation);
  }
  for (int b = 0; b < bodies; ++b) {
    const KktBody& body = mechanism.bodies[index(b)];
    const BlockRef H = matrix.H(b);
    const double s = variant.H_scale;
    for (int i = 0; i < 3; ++i) H(i, i) = s * body.mass;
    if (!variant.quaternion) {
      for (int i = 0; i < 3; ++i) H(3 + i, 3 + i) = s * body.inertia[i];
    } else {
      const Mat<double, 3, 4> twice = kkt_detail::twice_G(body.rotation);
      const Quat& e = body.rotation;
      const double n[4] = {2 * e.w, 2 * e.x, 2 * e.y, 2 * e.z};
      const double rho = variant.regular ? (body.inertia[0] + body.inertia[1] + body.inertia[2]) / 3 : 0.0;
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) {
          double sum = rho * n[i] * n[j];
          for (int k = 0; k < 3; ++k) sum += twice(k, i) * body.inertia[k] * twice(k, j);
          H(3 + i, 3 + j) = s * sum;
        }
      const BlockRef norm = matrix.C(static_cast<int>(first_norm) + b);
      for (int j = 0; j < 4; ++j) norm(0, 3 + j) = n[j];
      if (variant.nonsymmetric)
        for (int j = 0; j < 4; ++j) matrix.Bt(static_cast<int>(first_norm) + b)(0, 3 + j) = n[j];
    }
    if (variant.nonsymmetric)
      for (int i = 0; i < H.rows; ++i)
        for (int j = 0; j < i; ++j) {
          const double k = variant.h * s * body.mass * random.uniform();
          H(i, j) += k;
          H(j, i) -= k;
        }
  }
  int incidence = 0, coupling = 0;
  for (const KktJoint& joint : mechanism.joints) {
    for (std::size_t side = 0; side < joint.bodies.size(); ++side, ++incidence) {
      const int b = joint.bodies[side];
      kkt_detail::write_rows(matrix.C(incidence), kkt_detail::jacobian(mechanism, joint, side, at_C),
                             at_C[index(b)]);
      if (variant.nonsymmetric)
        kkt_detail::write_rows(matrix.Bt(incidence), kkt_detail::jacobian(mechanism, joint, side, at_B),
                               at_B[index(b)]);
    }
    if (!joint.coupled) continue;
    // A linear spring between the bodies near the joint and a torsion spring: k j j^T of relative motions.
    const BlockRef upper = matrix.H_upper(coupling), lower = matrix.H_lower(coupling);
    ++coupling;
    const BlockRef Hi = matrix.H(joint.bodies[0]), Hj = matrix.H(joint.bodies[1]);
    const double k = 3.0 * variant.h * variant.H_scale;
    KktJoint spring = joint;
    spring.kind = KktJointKind::distance;
    spring.point = joint.point + random.vector(0.5);
    KktJoint torsion = joint;
    torsion.kind = KktJointKind::gear;
    for (const KktJoint& element : {spring, torsion}) {
      if (variant.split && element.kind == KktJointKind::distance) continue;  // rotations alone
      const std::vector<double> ji = kkt_detail::jacobian(mechanism, element, 0, at_C);
      std::vector<double> jj = kkt_detail::jacobian(mechanism, element, 1, at_C);
      if (element.kind == KktJointKind::gear)
        for (double& v : jj) v *= 0.5;  // a gear of ratio 1: relative rotation
      for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j) {
          const double skewed = variant.nonsymmetric ? 1.0 + variant.h * random.uniform() : 1.0;
          Hi(i, j) += k * ji[index(i)] * ji[index(j)];
          Hj(i, j) += k * jj[index(i)] * jj[index(j)];
          upper(i, j) += k * ji[index(i)] * jj[index(j)];
          lower(j, i) += k * ji[index(i)] * jj[index(j)] * skewed;
        }
    }
  }
  if (variant.proximal > 0.0) {
    std::vector<double> scale(index(pattern->dual_dimension), 0.0);  // diagonal of C diag(H)^-1 C^T
    for (std::size_t k = 0; k < pattern->incidences.size(); ++k) {
      const auto& c = pattern->incidences[k];
      const BlockRef G = matrix.C(static_cast<int>(k)), H = matrix.H(c.primal);
      const int o = pattern->dual_offset[index(c.dual)] - pattern->primal_dimension;
      for (int i = 0; i < G.rows; ++i)
        for (int j = 0; j < G.cols; ++j) scale[index(o + i)] += G(i, j) * G(i, j) / H(j, j);
    }
    for (int d = 0; d < pattern->dual_count(); ++d)
      for (int i = 0; i < pattern->dual_size[index(d)]; ++i)
        matrix.proximal(d)[i] =
            variant.proximal * scale[index(pattern->dual_offset[index(d)] - pattern->primal_dimension + i)];
  }
  return {std::move(name), pattern, std::move(matrix), bodies, true, {}};
}

}  // namespace catena::test
