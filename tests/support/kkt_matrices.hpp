// The KKT matrices that every solver is tested on, with right-hand sides of known solution.
#pragma once
#include "support/kkt_mechanisms.hpp"

namespace catena::test {
using namespace detail;

inline KktProblem chain_kkt(int n, KktJointKind kind = KktJointKind::spherical, bool coupled = false) {
  std::string name = kind == KktJointKind::revolute ? "chain, revolute" : "chain, spherical";
  if (coupled) name += ", coupled";
  return make_kkt(name, chain_mechanism(n, kind, coupled), {.split = !coupled});
}
// Hinges and their like with geometric stiffness: what couples neighbours are their rotations.
inline KktProblem turning_chain_kkt(int n, KktJointKind kind = KktJointKind::revolute) {
  return make_kkt("chain, turning", chain_mechanism(n, kind, true), {.split = true});
}
// The same numbers, and nothing known of them.
inline KktProblem dense_chain_kkt(int n, KktJointKind kind = KktJointKind::spherical) {
  return make_kkt(kind == KktJointKind::revolute ? "chain, dense blocks, revolute" : "chain, dense blocks",
                  chain_mechanism(n, kind));
}
// split: what vanishes in the blocks is known, as for models of these joints.
inline KktProblem tree_kkt(int n, KktJointKind kind = KktJointKind::spherical, bool split = true) {
  return make_kkt(kind == KktJointKind::revolute ? "tree, revolute" : "tree, spherical",
                  tree_mechanism(n, kind), {.split = split});
}
inline KktProblem star_kkt(int n, KktJointKind kind = KktJointKind::spherical, bool split = true) {
  return make_kkt(kind == KktJointKind::revolute ? "star, revolute" : "star, spherical",
                  star_mechanism(n, kind), {.split = split});
}
inline KktProblem ladder_kkt(int n, bool split = true) {
  return make_kkt("ladder", ladder_mechanism(n), {.split = split});
}
inline KktProblem net_kkt(int side, bool split = true) {
  return make_kkt("net", net_mechanism(side), {.split = split});
}
inline KktProblem random_kkt(int n, std::uint64_t seed = 6) {
  return make_kkt("random mechanism", random_mechanism(n, seed));
}
inline KktProblem quaternion_chain_kkt(int n, bool regular = true) {
  KktProblem p = make_kkt(regular ? "quaternion chain" : "quaternion chain, singular H",
                          chain_mechanism(n, KktJointKind::spherical),
                          {.quaternion = true, .regular = regular, .split = true});
  p.positive_definite = regular;
  return p;
}
// Masses over six decades and H = M / h^2 with h = 1e-5: entries from 1 to 1e15.
inline KktProblem ill_scaled_kkt(int n) {
  KktMechanism m = chain_mechanism(n, KktJointKind::spherical);
  Random random(8);
  for (KktBody& body : m.bodies) {
    // The lightest and the heaviest are neighbours in the middle.
    const auto k = &body - m.bodies.data();
    const double exponent = k == n / 2 ? -3.0 : k == n / 2 + 1 ? 3.0 : random.uniform(-3.0, 3.0);
    const double factor = std::pow(10.0, exponent);
    body.mass *= factor;
    body.inertia = factor * body.inertia;
  }
  return make_kkt("ill-scaled", m, {.h = 1e-5, .H_scale = 1e10});
}
// Joints n/3 and n/2 are there twice; the proximal term keeps the multipliers bounded.
inline KktProblem duplicated_kkt(int n, double proximal = 1e-11) {
  KktMechanism m = chain_mechanism(n, KktJointKind::spherical);
  std::vector<std::pair<int, int>> duplicates;
  for (const int k : {n / 3, n / 2}) {
    duplicates.emplace_back(k, static_cast<int>(m.joints.size()));
    m.joints.push_back(m.joints[kkt_detail::index(k)]);
  }
  KktProblem p = make_kkt("duplicated joints", m, {.proximal = proximal});
  p.duplicates = duplicates;
  return p;
}
// Compression makes the rotational block of the middle body negative; its spin about the line through both
// joints is a motion of that body alone, so H is indefinite on the constraint manifold too.
inline KktProblem indefinite_kkt(int n) {
  KktProblem p = make_kkt("indefinite H", chain_mechanism(n, KktJointKind::spherical));
  const BlockRef H = p.matrix.H(n / 2);
  for (int i = 3; i < 6; ++i) H(i, i) -= 3.0 * H(i, i);
  p.positive_definite = false;
  return p;
}
inline KktProblem nonsymmetric_kkt(int n) {
  return make_kkt("nonsymmetric", random_mechanism(n, 9), {.nonsymmetric = true, .h = 1e-2});
}
inline KktProblem nonsymmetric_quaternion_kkt(int n) {
  return make_kkt("nonsymmetric quaternion chain", chain_mechanism(n, KktJointKind::spherical),
                  {.quaternion = true, .nonsymmetric = true, .h = 1e-2});
}

// One of each, about n bodies.
inline std::vector<KktProblem> all_kkt(int n) {
  std::vector<KktProblem> all;
  for (const KktJointKind kind : {KktJointKind::spherical, KktJointKind::revolute}) {
    all.push_back(chain_kkt(n, kind));
    all.push_back(dense_chain_kkt(n, kind));
    all.push_back(tree_kkt(n, kind));
    all.push_back(star_kkt(n, kind));
  }
  all.push_back(chain_kkt(n, KktJointKind::revolute, true));
  all.push_back(turning_chain_kkt(n));
  all.push_back(ladder_kkt(n));
  all.push_back(net_kkt(std::max(2, static_cast<int>(std::sqrt(n)))));
  all.push_back(random_kkt(n));
  all.push_back(quaternion_chain_kkt(n));
  all.push_back(quaternion_chain_kkt(n, false));
  all.push_back(ill_scaled_kkt(n));
  all.push_back(duplicated_kkt(n));
  all.push_back(indefinite_kkt(n));
  all.push_back(nonsymmetric_kkt(n));
  all.push_back(nonsymmetric_quaternion_kkt(n));
  return all;
}

// x of order one; the right-hand side A x is consistent even when rows are redundant.
inline std::vector<double> kkt_solution(const KktProblem& p) {
  Random random(11);
  std::vector<double> x(kkt_detail::index(p.pattern->dimension()));
  for (double& v : x) v = random.uniform();
  return x;
}
inline std::vector<double> kkt_rhs(const KktProblem& p) {
  const std::vector<double> x = kkt_solution(p);
  std::vector<double> b(x.size());
  p.matrix.multiply(x.data(), b.data());
  return b;
}

inline void copy_block(const ConstBlockRef& from, bool transposed, const BlockRef& to) {
  for (int i = 0; i < to.rows; ++i)
    for (int j = 0; j < to.cols; ++j) to(i, j) = transposed ? from(j, i) : from(i, j);
}

inline BlockMatrix transposed_kkt(const BlockMatrix& A) {
  const BlockPattern& p = A.pattern();
  BlockMatrix T(A.shared_pattern(), Border::separate);
  for (int b = 0; b < p.primal_count(); ++b) copy_block(A.H(b), true, T.H(b));
  for (int k = 0; k < static_cast<int>(p.couplings.size()); ++k) {
    copy_block(A.H_lower(k), true, T.H_upper(k));
    copy_block(A.H_upper(k), true, T.H_lower(k));
  }
  for (int k = 0; k < static_cast<int>(p.incidences.size()); ++k) {
    copy_block(A.Bt(k), false, T.C(k));
    copy_block(A.C(k), false, T.Bt(k));
  }
  for (int d = 0; d < p.dual_count(); ++d)
    for (int i = 0; i < p.dual_size[static_cast<std::size_t>(d)]; ++i) {
      T.D(d)[i] = A.D(d)[i];
      T.proximal(d)[i] = A.proximal(d)[i];
    }
  return T;
}

// The same matrix with B that is no longer C^T (but of norm rows), and an H that is not symmetric. What the pattern says of
// translations stays: multiples of the identity.
inline KktProblem skewed_kkt(const KktProblem& p) {
  using kkt_detail::index;
  const BlockPattern& pattern = *p.pattern;
  BlockMatrix A(p.pattern, Border::separate);
  Random random(7);
  const auto is_set = [](const std::vector<std::uint8_t>& flags, int k) {
    return !flags.empty() && flags[index(k)] != 0;
  };
  const auto shake = [&](const ConstBlockRef& from, const BlockRef& to, bool split) {
    const double translation = 1.0 + random.uniform(-0.02, 0.02);
    for (int i = 0; i < to.rows; ++i)
      for (int j = 0; j < to.cols; ++j)
        to(i, j) = from(i, j) * (split && i < 3 && j < 3 ? translation : 1.0 + random.uniform(-0.02, 0.02));
  };
  for (int b = 0; b < pattern.primal_count(); ++b)
    shake(p.matrix.H(b), A.H(b), is_set(pattern.primal_split, b));
  for (int k = 0; k < static_cast<int>(pattern.couplings.size()); ++k) {
    shake(p.matrix.H_upper(k), A.H_upper(k), false);
    shake(p.matrix.H_lower(k), A.H_lower(k), false);
  }
  for (int k = 0; k < static_cast<int>(pattern.incidences.size()); ++k) {
    copy_block(p.matrix.C(k), false, A.C(k));
    if (is_set(pattern.norm_row, pattern.incidences[index(k)].dual))
      copy_block(p.matrix.Bt(k), false, A.Bt(k));
    else
      shake(p.matrix.Bt(k), A.Bt(k), is_set(pattern.incidence_split, k));
  }
  for (int d = 0; d < pattern.dual_count(); ++d)
    for (int i = 0; i < pattern.dual_size[index(d)]; ++i) {
      A.D(d)[i] = p.matrix.D(d)[i];
      A.proximal(d)[i] = p.matrix.proximal(d)[i];
    }
  return {p.name + ", skewed", p.pattern, std::move(A), p.bodies, p.positive_definite, p.duplicates};
}

// Row-major dense copy, written from the definition of the blocks.
inline std::vector<double> dense_kkt(const BlockMatrix& A, bool with_proximal) {
  using kkt_detail::index;
  const BlockPattern& p = A.pattern();
  const std::size_t n = index(p.dimension());
  std::vector<double> dense(n * n, 0.0);
  auto put = [&](int row, int col, const ConstBlockRef& block, bool transposed) {
    for (int i = 0; i < block.rows; ++i)
      for (int j = 0; j < block.cols; ++j)
        dense[index(row + (transposed ? j : i)) * n + index(col + (transposed ? i : j))] += block(i, j);
  };
  for (int b = 0; b < p.primal_count(); ++b)
    put(p.primal_offset[index(b)], p.primal_offset[index(b)], A.H(b), false);
  for (std::size_t k = 0; k < p.couplings.size(); ++k) {
    const int i = p.primal_offset[index(p.couplings[k].i)], j = p.primal_offset[index(p.couplings[k].j)];
    put(i, j, A.H_upper(static_cast<int>(k)), false);
    put(j, i, A.H_lower(static_cast<int>(k)), false);
  }
  for (std::size_t k = 0; k < p.incidences.size(); ++k) {
    const int d = p.dual_offset[index(p.incidences[k].dual)],
              b = p.primal_offset[index(p.incidences[k].primal)];
    put(d, b, A.C(static_cast<int>(k)), false);
    put(b, d, A.Bt(static_cast<int>(k)), true);
  }
  for (int d = 0; d < p.dual_count(); ++d)
    for (int i = 0; i < p.dual_size[index(d)]; ++i) {
      const std::size_t at = index(p.dual_offset[index(d)] + i);
      dense[at * n + at] -= A.D(d)[i] + (with_proximal ? A.proximal(d)[i] : 0.0);
    }
  return dense;
}

}  // namespace catena::test
