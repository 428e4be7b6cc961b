// Blocks of seven columns turned into blocks of six, eight at a time: the last four columns by the three directions across a unit
// vector, and along it.
#include <catena/math/parts/pack_rows.hpp>
#include <catena/sparse/detail/chain_lanes.hpp>
#include <catena/sparse/detail/norm_row_kernels.hpp>

CATENA_BEGIN_DETAIL_ISA
namespace chain {
namespace {

constexpr int width = Width<Wide>::lanes;

// Products of that many terms leave roundoff along a unit that nothing has a part along: four in the sum, four in what it is made
// of, and as many again for what made that.
constexpr double roundoff = 16.0 * 0x1p-52;

CATENA_INLINE Wide larger(Wide a, Wide b) { return select_less(a, b, b, a); }
CATENA_INLINE Wide size(Wide a) { return larger(a, Wide(0.0) - a); }

// Four numbers: x along e, and across it as in the rows of [-v, w I - v~] of e = (w, v).
struct Four {
  Wide w, x, y, z;
  CATENA_INLINE Wide along(const Wide* a) const {
    return madd(z, a[3], madd(y, a[2], madd(x, a[1], w * a[0])));
  }
  CATENA_INLINE void across(const Wide* a, Wide* out) const {
    out[0] = nmadd(y, a[3], madd(z, a[2], nmadd(x, a[0], w * a[1])));
    out[1] = madd(x, a[3], nmadd(z, a[1], nmadd(y, a[0], w * a[2])));
    out[2] = nmadd(x, a[2], madd(y, a[1], nmadd(z, a[0], w * a[3])));
  }
};

CATENA_INLINE Four four(const double* p) {
  return {get<Wide>(p), get<Wide>(p + 8), get<Wide>(p + 16), get<Wide>(p + 24)};
}

double largest(Wide x) {
  alignas(64) double value[8] = {};
  put(value, x);
  double most = 0.0;
  for (const double one : value) most = one > most ? one : most;
  return most;
}

double body(const NormBodyPack& pack, bool symmetric, bool split) {
  Wide most(0.0);
  for (int half = 0; half < 8; half += width) {
    const double* const H = pack.H + half;
    double* const out = pack.to_H + half;
    const Four c = four(pack.unit_c + half), b = four(pack.unit_b + half);
    const auto h = [&](int i, int j) { return get<Wide>(H + 8 * (7 * i + j)); };
    Wide M[16], scale(0.0);
    for (int i = 0; i < 4; ++i) {
      for (int j = 0; j < 4; ++j) M[4 * i + j] = h(3 + i, 3 + j);
      scale = larger(scale, size(M[5 * i]));
    }
    if (symmetric)
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < i; ++j) M[4 * i + j] = M[4 * j + i] = Wide(0.5) * (M[4 * i + j] + M[4 * j + i]);
    // Columns by c, then rows by b.
    Wide right[4][3], Mc[4], bM[4], rest[3];
    for (int i = 0; i < 4; ++i) {
      Mc[i] = c.along(M + 4 * i);
      c.across(M + 4 * i, right[i]);
    }
    for (int j = 0; j < 4; ++j) {
      const Wide column[4] = {M[j], M[4 + j], M[8 + j], M[12 + j]};
      bM[j] = b.along(column);
    }
    for (int j = 0; j < 3; ++j) {
      const Wide column[4] = {right[0][j], right[1][j], right[2][j], right[3][j]};
      b.across(column, rest);
      for (int i = 0; i < 3; ++i) put(out + 8 * (6 * (3 + i) + 3 + j), rest[i]);
    }
    for (int i = 0; i < 4; ++i) {
      put(pack.H_c + half + 8 * (3 + i), Mc[i]);
      put(pack.b_H + half + 8 * (3 + i), bM[i]);
      most = larger(most, larger(size(Mc[i]), size(bM[i])) - Wide(roundoff) * scale);
    }
    if (split) {
      for (int i = 0; i < 3; ++i) put(out + 8 * 7 * i, h(i, i));
      continue;
    }
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) put(out + 8 * (6 * i + j), h(i, j));
      Wide ahead[4], behind[4];
      for (int j = 0; j < 4; ++j) {
        ahead[j] = h(i, 3 + j);
        behind[j] = h(3 + j, i);
        if (symmetric) ahead[j] = behind[j] = Wide(0.5) * (ahead[j] + behind[j]);
      }
      c.across(ahead, rest);
      for (int j = 0; j < 3; ++j) put(out + 8 * (6 * i + 3 + j), rest[j]);
      b.across(behind, rest);
      for (int j = 0; j < 3; ++j) put(out + 8 * (6 * (3 + j) + i), rest[j]);
      const Wide along_c = c.along(ahead), along_b = b.along(behind);
      put(pack.H_c + half + 8 * i, along_c);
      put(pack.b_H + half + 8 * i, along_b);
      most = larger(most, larger(size(along_c), size(along_b)));
    }
  }
  return largest(most);
}

double rows(const NormRowPack& pack) {
  Wide most(0.0);
  for (int half = 0; half < 8; half += width) {
    const Four e{take<Wide>(pack.unit, pack.body + half), take<Wide>(pack.unit + 8, pack.body + half),
                 take<Wide>(pack.unit + 16, pack.body + half), take<Wide>(pack.unit + 24, pack.body + half)};
    const Wide counts = get<Wide>(pack.counts + half);
    for (int i = 0; i < pack.rows; ++i) {
      const double* const C = pack.C + 56 * i + half;
      double* const out = pack.to_C + 48 * i + half;
      for (int j = 0; j < 3; ++j) put(out + 8 * j, get<Wide>(C + 8 * j));
      Wide x[4], across[3], scale(0.0);
      for (int j = 0; j < 4; ++j) {
        x[j] = get<Wide>(C + 8 * (3 + j));
        scale = larger(scale, size(x[j]));
      }
      e.across(x, across);
      for (int j = 0; j < 3; ++j) put(out + 8 * (3 + j), across[j]);
      const Wide along = counts * e.along(x);
      put(pack.C_unit + 8 * i + half, along);
      most = larger(most, size(along) - Wide(roundoff) * scale);
    }
  }
  return largest(most);
}

constexpr int seven_at[8] = {0, 7, 14, 21, 28, 35, 42, 49}, six_at[8] = {0, 6, 12, 18, 24, 30, 36, 42};

void reduce(const double* unit, const double* seven, double* six, double* along) {
  const Pack8 w = load(unit), a = load(unit + 8), b = load(unit + 16), c = load(unit + 24);
  Pack8 x[7], out[6];
  load_rows<7>(seven, seven_at, x);
  for (int i = 0; i < 3; ++i) out[i] = x[i];
  out[3] = w * x[4] - a * x[3] + c * x[5] - b * x[6];
  out[4] = a * x[6] - b * x[3] - c * x[4] + w * x[5];
  out[5] = b * x[4] - c * x[3] - a * x[5] + w * x[6];
  store_rows<6>(six, six_at, 8, out);
  store(along, w * x[3] + a * x[4] + b * x[5] + c * x[6]);
}

void expand(const double* unit, const double* six, const double* along, double* seven) {
  const Pack8 w = load(unit), a = load(unit + 8), b = load(unit + 16), c = load(unit + 24), by = load(along);
  Pack8 x[6], out[7];
  load_rows<6>(six, six_at, x);
  for (int i = 0; i < 3; ++i) out[i] = x[i];
  out[3] = by * w - (a * x[3] + b * x[4] + c * x[5]);
  out[4] = w * x[3] - c * x[4] + b * x[5] + by * a;
  out[5] = c * x[3] + w * x[4] - a * x[5] + by * b;
  out[6] = a * x[4] - b * x[3] + w * x[5] + by * c;
  store_rows<7>(seven, seven_at, 8, out);
}

}  // namespace
}  // namespace chain

const NormRowKernels& norm_row_kernels() {
  static constexpr NormRowKernels kernels{chain::body, chain::rows, chain::reduce, chain::expand};
  return kernels;
}

CATENA_END_DETAIL_ISA
