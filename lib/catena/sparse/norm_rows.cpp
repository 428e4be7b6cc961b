#include <catena/math/detail/index.hpp>
#include <catena/math/detail/isa_copies.hpp>
#include <catena/math/parts/threads.hpp>
#include <catena/sparse/detail/norm_rows.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <functional>
#include <map>
#include <utility>

namespace catena::detail {

CATENA_ISA_COPIES(norm_row_kernels, const NormRowKernels& norm_row_kernels())

namespace {

constexpr int lanes = BlockMatrix::stride, size = 7, small_size = 6;
int packs_of(int bodies) { return (bodies + lanes - 1) / lanes; }

// The pattern without norm rows. Blocks of rows keep their places in the pools, so that those that lie side by side still do.
std::shared_ptr<const BlockPattern> without_norm_rows(const BlockPattern& p) {
  auto s = std::make_shared<BlockPattern>();
  s->primal_size.assign(p.primal_size.size(), small_size);
  std::vector<int> dual(p.dual_size.size(), -1);
  for (std::size_t d = 0; d < p.dual_size.size(); ++d) {
    if (p.norm_row[d] != 0) continue;
    dual[d] = s->dual_count();
    s->dual_size.push_back(p.dual_size[d]);
  }
  s->couplings = p.couplings;
  s->coupling_place = p.coupling_place;
  s->primal_split = p.primal_split;
  std::map<int, int> next;  // place of a block of so many rows
  for (std::size_t k = 0; k < p.incidences.size(); ++k) {
    const auto [d, body] = p.incidences[k];
    const int place = p.incidence_place.empty() ? next[p.dual_size[index(d)]]++ : p.incidence_place[k];
    if (dual[index(d)] < 0) continue;
    s->incidences.push_back({dual[index(d)], body});
    s->incidence_place.push_back(place);
    if (!p.incidence_split.empty()) s->incidence_split.push_back(p.incidence_split[k]);
  }
  s->finish();
  return s;
}

// G(e)^T x, with what is left of a body's unknowns as it is.
void spread(const double* e, const double* x, double* out) {
  const double w = e[0], a = e[lanes], b = e[2 * lanes], c = e[3 * lanes];
  for (int i = 0; i < 3; ++i) out[i] = x[i];
  out[3] = -(a * x[3] + b * x[4] + c * x[5]);
  out[4] = w * x[3] - c * x[4] + b * x[5];
  out[5] = c * x[3] + w * x[4] - a * x[5];
  out[6] = -b * x[3] + a * x[4] + w * x[5];
}

// G(e) x.
void gather_across(const double* e, const double* x, double* out) {
  const double w = e[0], a = e[lanes], b = e[2 * lanes], c = e[3 * lanes];
  for (int i = 0; i < 3; ++i) out[i] = x[i];
  out[3] = -a * x[3] + w * x[4] + c * x[5] - b * x[6];
  out[4] = -b * x[3] - c * x[4] + w * x[5] + a * x[6];
  out[5] = -c * x[3] + b * x[4] - a * x[5] + w * x[6];
}

double along(const double* e, const double* x) {
  return e[0] * x[3] + e[lanes] * x[4] + e[2 * lanes] * x[5] + e[3 * lanes] * x[6];
}

// Of a lane of a row pack, by where its body's unit begins.
int body_of(std::int32_t unit) { return unit / (4 * lanes) * lanes + unit % lanes; }

const double* lane(const std::vector<double>& packs, int entries, int body) {
  return packs.data() + index(body / lanes) * index(entries * lanes) + index(body % lanes);
}

}  // namespace

bool WithoutNormRows::has(const BlockPattern& pattern) {
  return std::any_of(pattern.norm_row.begin(), pattern.norm_row.end(),
                     [](std::uint8_t flag) { return flag != 0; });
}

WithoutNormRows::WithoutNormRows(std::shared_ptr<const BlockPattern> pattern, Border border, bool symmetric)
    : pattern_(std::move(pattern)),
      small_pattern_(without_norm_rows(*pattern_)),
      symmetric_(symmetric),
      split_(pattern_->primal_split.size() == pattern_->primal_size.size() &&
             std::all_of(pattern_->primal_split.begin(), pattern_->primal_split.end(),
                         [](std::uint8_t flag) { return flag != 0; })),
      kernels_(&norm_row_kernels_at(instruction_set())()),
      small_(small_pattern_, border) {
  const BlockPattern& p = *pattern_;
  const int bodies = p.primal_count();
  norm_incidence_.assign(index(bodies), -1);
  norm_at_.assign(index(bodies), -1);
  for (int d = 0; d < p.dual_count(); ++d) {
    if (p.norm_row[index(d)] != 0) continue;
    dual_of_.push_back(d);
    for (int r = 0; r < p.dual_size[index(d)]; ++r) row_at_.push_back(p.dual_offset[index(d)] + r);
  }
  for (std::size_t k = 0; k < p.incidences.size(); ++k) {
    const auto [d, body] = p.incidences[k];
    if (p.norm_row[index(d)] == 0) continue;
    assert(p.dual_size[index(d)] == 1 && norm_incidence_[index(body)] < 0);
    norm_incidence_[index(body)] = static_cast<int>(k);
    norm_at_[index(body)] = p.dual_offset[index(d)];
  }
  assert(std::all_of(p.primal_size.begin(), p.primal_size.end(), [](int n) { return n == size; }));
  assert(std::all_of(norm_at_.begin(), norm_at_.end(), [](int at) { return at >= 0; }));
  make_packs();
  const std::size_t packs = index(packs_of(bodies)),
                    of_rows =
                        packs_.empty() ? 0 : index(packs_.back().along) + index(packs_.back().rows * lanes);
  for (Side* side : {&of_C_, &of_B_}) {
    if (side == &of_B_ && symmetric_) break;
    side->unit.assign(packs * 4 * lanes, 0.0);
    for (std::size_t k = 0; k < packs; ++k) std::fill_n(side->unit.data() + k * 4 * lanes, lanes, 1.0);
    side->reciprocal.assign(index(bodies), 0.0);
    side->of_H.assign(packs * size * lanes, 0.0);
    side->of_rows.assign(of_rows, 0.0);
    for (auto& couplings : side->of_couplings) couplings.assign(p.couplings.size() * size, 0.0);
  }
  y_.assign(index(small_pattern_->dimension()), 0.0);
  along_.assign(index(bodies), 0.0);
  across_.assign(index(bodies), 0.0);
  if (!p.couplings.empty()) coupled_.assign(index(p.primal_dimension), 0.0);
  part_along_.assign(std::max(packs, packs_.size()), 0.0);  // as many parts at most
}

void WithoutNormRows::make_packs() {
  const BlockPattern &p = *pattern_, &s = *small_pattern_;
  const MatrixLayout whole(p), small(s);
  std::map<std::uint32_t, std::size_t> number;  // by where a pack begins in the pool
  std::size_t at_small = 0;
  for (std::size_t k = 0; k < p.incidences.size(); ++k) {
    const auto [d, body] = p.incidences[k];
    if (p.norm_row[index(d)] != 0) continue;
    const std::uint32_t at = whole.incidence.offset[k], lane = at % lanes;
    const auto [found, is_new] = number.try_emplace(at - lane, packs_.size());
    if (is_new) packs_.emplace_back();
    Pack& pack = packs_[found->second];
    const std::size_t of_small = at_small++;
    pack.rows = p.dual_size[index(d)];
    pack.from = at - lane;
    pack.to = small.incidence.offset[of_small] - lane;
    assert(small.incidence.offset[of_small] % lanes == lane);
    pack.body[lane] = body / lanes * 4 * lanes + body % lanes;
    pack.at[lane] = s.dual_offset[index(s.incidences[of_small].dual)];
    pack.counts[lane] = 1.0;
  }
  std::int32_t along = 0;
  for (Pack& pack : packs_) {
    pack.along = along;
    along += pack.rows * lanes;
  }
}

// Lengths and units of the norm rows in C or B.
int WithoutNormRows::take_units(const BlockMatrix& matrix, bool of_B) {
  Side& side = of_B ? of_B_ : of_C_;
  for (int k = 0; k < pattern_->primal_count(); ++k) {
    const int incidence = norm_incidence_[index(k)];
    const ConstBlockRef c = of_B ? matrix.Bt(incidence) : matrix.C(incidence);
    double* const unit = side.unit.data() + index(k / lanes) * (4 * lanes) + index(k % lanes);
    double square = 0.0;
    for (int i = 0; i < 4; ++i) square += c(0, 3 + i) * c(0, 3 + i);
    if (!(square > 0.0 && std::isfinite(square))) {
      no_number_ = !std::isfinite(square);
      return k;
    }
    const double reciprocal = 1.0 / std::sqrt(square);
    side.reciprocal[index(k)] = reciprocal;
    for (int i = 0; i < 4; ++i) unit[i * lanes] = reciprocal * c(0, 3 + i);
  }
  return -1;
}

int WithoutNormRows::take(const BlockMatrix& matrix) {
  int bad = take_units(matrix, false);
  if (bad < 0 && !symmetric_) bad = take_units(matrix, true);
  if (bad >= 0) return bad;
  alone_ = true;
  take_bodies(matrix);
  take_rows(matrix, false);
  if (!symmetric_) take_rows(matrix, true);
  take_compliance(matrix);
  if (matrix.has_couplings())
    take_couplings(matrix);
  else
    small_.zero_couplings();
  return -1;
}

// kernel(pack) for packs; whether something goes along the units there.
template <class Kernel>
void WithoutNormRows::each_pack(int packs, const Kernel& kernel) {
  constexpr int packs_a_part = 64;  // of what threads share
  const int parts = (packs + packs_a_part - 1) / packs_a_part;
  const auto one_part = [&](int part) {
    double most = 0.0;
    const int end = std::min(packs, (part + 1) * packs_a_part);
    for (int k = part * packs_a_part; k < end; ++k) most = std::max(most, kernel(index(k)));
    part_along_[index(part)] = most;
  };
  parallel_for(parts, std::cref(one_part));
  for (int part = 0; part < parts; ++part) alone_ = alone_ && !(part_along_[index(part)] > 0.0);
}

void WithoutNormRows::take_bodies(const BlockMatrix& matrix) {
  Side& B = symmetric_ ? of_C_ : of_B_;
  double* const to = small_.H_pool();
  each_pack(packs_of(pattern_->primal_count()), [&](std::size_t k) {
    return kernels_->body({matrix.H_pool() + k * (size * size * lanes), of_C_.unit.data() + k * (4 * lanes),
                           B.unit.data() + k * (4 * lanes), to + k * (small_size * small_size * lanes),
                           of_C_.of_H.data() + k * (size * lanes), B.of_H.data() + k * (size * lanes)},
                          symmetric_, split_);
  });
}

void WithoutNormRows::take_rows(const BlockMatrix& matrix, bool of_B) {
  Side& side = of_B ? of_B_ : of_C_;
  const double* const from = of_B ? matrix.Bt_pool() : matrix.C_pool();
  double* const to = of_B ? small_.Bt_pool() : small_.C_pool();
  each_pack(static_cast<int>(packs_.size()), [&](std::size_t k) {
    const Pack& pack = packs_[k];
    return kernels_->rows({pack.rows, from + pack.from, side.unit.data(), pack.body, pack.counts,
                           to + pack.to, side.of_rows.data() + pack.along});
  });
}

void WithoutNormRows::take_compliance(const BlockMatrix& matrix) {
  const auto row = [&](int at) { return index(at - pattern_->primal_dimension); };
  const double *const D = matrix.D(0), *const proximal = matrix.proximal(0);
  assert(std::all_of(norm_at_.begin(), norm_at_.end(),
                     [&](int at) { return D[row(at)] == 0.0 && proximal[row(at)] == 0.0; }));
  if (row_at_.empty()) return;
  double *const to_D = small_.D(0), *const to_proximal = small_.proximal(0);
  for (std::size_t r = 0; r < row_at_.size(); ++r) {
    to_D[r] = D[row(row_at_[r])];
    to_proximal[r] = proximal[row(row_at_[r])];
  }
}

FactorReport WithoutNormRows::whole(FactorReport report) const {
  if (report.negative_pivots >= 0) report.negative_pivots += pattern_->primal_count();
  if (report.weakest_dual >= 0) report.weakest_dual = dual_of_[index(report.weakest_dual)];
  if (report.culprit_is_dual && report.culprit >= 0) report.culprit = dual_of_[index(report.culprit)];
  return report;
}

FactorReport WithoutNormRows::failed(int body) const {
  FactorReport report;
  report.status = no_number_ ? FactorStatus::not_finite : FactorStatus::singular;
  report.culprit = pattern_->incidences[index(norm_incidence_[index(body)])].dual;
  report.culprit_is_dual = true;
  return report;
}

void WithoutNormRows::take_couplings(const BlockMatrix& matrix) {
  alone_ = false;
  const BlockPattern& p = *pattern_;
  const Side& B = symmetric_ ? of_C_ : of_B_;
  for (std::size_t c = 0; c < p.couplings.size(); ++c) {
    const auto [i, j] = p.couplings[c];
    const int number = static_cast<int>(c);
    const ConstBlockRef upper = matrix.H_upper(number), lower = matrix.H_lower(number);
    double at_i[size][size], at_j[size][size];  // H_ij by rows, H_ji by columns: both with rows of i
    for (int a = 0; a < size; ++a)
      for (int b = 0; b < size; ++b) {
        at_i[a][b] = upper(a, b);
        at_j[a][b] = lower(b, a);
        if (symmetric_) at_i[a][b] = at_j[a][b] = 0.5 * (at_i[a][b] + at_j[a][b]);
      }
    // G_i x G_j^T into the small block; x along the unit of j by rows of i, along that of i by columns of j.
    const auto convert = [&](const double(&x)[size][size], const double* unit_i, const double* unit_j,
                             double(&out)[small_size][small_size], double* along_j, double* along_i) {
      double right[small_size][size], column[size], both[small_size];
      for (int a = 0; a < size; ++a) {
        double row[small_size];
        gather_across(unit_j, x[a], row);
        along_j[a] = along(unit_j, x[a]);
        for (int b = 0; b < small_size; ++b) right[b][a] = row[b];
      }
      for (int b = 0; b < small_size; ++b) {
        gather_across(unit_i, right[b], both);
        for (int a = 0; a < small_size; ++a) out[a][b] = both[a];
      }
      for (int b = 0; b < size; ++b) {
        for (int a = 0; a < size; ++a) column[a] = x[a][b];
        along_i[b] = along(unit_i, column);
      }
    };
    double small_upper[small_size][small_size], small_lower[small_size][small_size];
    double* const C_couplings[2] = {of_C_.of_couplings[0].data() + size * c,
                                    of_C_.of_couplings[1].data() + size * c};
    if (symmetric_) {
      convert(at_i, lane(of_C_.unit, 4, i), lane(of_C_.unit, 4, j), small_upper, C_couplings[0],
              C_couplings[1]);
    } else {
      double* const B_couplings[2] = {of_B_.of_couplings[0].data() + size * c,
                                      of_B_.of_couplings[1].data() + size * c};
      convert(at_i, lane(B.unit, 4, i), lane(of_C_.unit, 4, j), small_upper, C_couplings[0], B_couplings[1]);
      convert(at_j, lane(of_C_.unit, 4, i), lane(B.unit, 4, j), small_lower, B_couplings[0], C_couplings[1]);
    }
    const BlockRef to_upper = small_.H_upper(number), to_lower = small_.H_lower(number);
    for (int a = 0; a < small_size; ++a)
      for (int b = 0; b < small_size; ++b) {
        to_upper(a, b) = small_upper[a][b];
        to_lower(b, a) = symmetric_ ? small_upper[a][b] : small_lower[a][b];
      }
  }
}

void WithoutNormRows::reduce(const double* x, bool transposed) {
  const BlockPattern& p = *pattern_;
  const auto& [C, B] = sides(transposed);
  for (int k = 0; k < p.primal_count(); ++k) along_[index(k)] = C.reciprocal[index(k)] * x[norm_at(k)];
  for (std::size_t r = 0; r < row_at_.size(); ++r)
    y_[index(small_pattern_->primal_dimension) + r] = x[row_at_[r]];
  const bool coupled = !alone_ && small_.has_couplings();
  if (coupled) {  // the sums of all couplings of a body first
    std::fill(coupled_.begin(), coupled_.end(), 0.0);
    for (std::size_t c = 0; c < p.couplings.size(); ++c) {
      const auto [i, j] = p.couplings[c];
      for (int a = 0; a < size; ++a) {
        coupled_[index(size * i + a)] += C.of_couplings[0][size * c + index(a)] * along_[index(j)];
        coupled_[index(size * j + a)] += C.of_couplings[1][size * c + index(a)] * along_[index(i)];
      }
    }
  }
  const int in_packs = lanes * packs_alone();
  for (int k = 0; k < in_packs; k += lanes)
    kernels_->reduce(lane(B.unit, 4, k), x + size * k, y_.data() + small_size * k, across_.data() + k);
  for (int k = in_packs; k < p.primal_count(); ++k) {
    double r[size];
    std::copy_n(x + size * k, size, r);
    if (!alone_) {
      const double* const of_H = lane(C.of_H, size, k);
      for (int a = 0; a < size; ++a) r[a] -= of_H[a * lanes] * along_[index(k)];
      for (int a = 0; a < size && coupled; ++a) r[a] -= coupled_[index(size * k + a)];
    }
    const double* const unit = lane(B.unit, 4, k);
    gather_across(unit, r, y_.data() + small_size * k);
    across_[index(k)] = along(unit, r);
  }
  if (alone_) return;
  for (const Pack& pack : packs_)
    for (int l = 0; l < lanes; ++l) {
      if (pack.counts[l] == 0.0) continue;
      const double a = along_[index(body_of(pack.body[l]))];
      for (int i = 0; i < pack.rows; ++i)
        y_[index(pack.at[l] + i)] -= C.of_rows[index(pack.along + i * lanes + l)] * a;
    }
}

void WithoutNormRows::expand(double* x, bool transposed) {
  const BlockPattern& p = *pattern_;
  const auto& [C, B] = sides(transposed);
  const int in_packs = lanes * packs_alone();
  for (int k = 0; k < in_packs; k += lanes)
    kernels_->expand(lane(C.unit, 4, k), y_.data() + small_size * k, along_.data() + k, x + size * k);
  for (int k = in_packs; k < p.primal_count(); ++k)
    spread(lane(C.unit, 4, k), y_.data() + small_size * k, x + size * k);
  if (!alone_) {
    for (int k = 0; k < p.primal_count(); ++k) {
      const double* const of_H = lane(B.of_H, size, k);
      for (int a = 0; a < size; ++a) across_[index(k)] -= of_H[a * lanes] * x[size * k + a];
    }
    for (std::size_t c = 0; c < p.couplings.size() && small_.has_couplings(); ++c) {
      const auto [i, j] = p.couplings[c];
      for (int a = 0; a < size; ++a) {
        across_[index(i)] -= B.of_couplings[1][size * c + index(a)] * x[size * j + a];
        across_[index(j)] -= B.of_couplings[0][size * c + index(a)] * x[size * i + a];
      }
    }
    for (const Pack& pack : packs_)
      for (int l = 0; l < lanes; ++l)
        for (int i = 0; i < pack.rows && pack.counts[l] != 0.0; ++i)
          across_[index(body_of(pack.body[l]))] -=
              B.of_rows[index(pack.along + i * lanes + l)] * y_[index(pack.at[l] + i)];
  }
  for (int k = in_packs; k < p.primal_count(); ++k) {
    const double* const unit = lane(C.unit, 4, k);
    for (int i = 0; i < 4; ++i) x[size * k + 3 + i] += along_[index(k)] * unit[i * lanes];
  }
  for (int k = 0; k < p.primal_count(); ++k) x[norm_at(k)] = B.reciprocal[index(k)] * across_[index(k)];
  for (std::size_t r = 0; r < row_at_.size(); ++r)
    x[row_at_[r]] = y_[index(small_pattern_->primal_dimension) + r];
}

std::size_t WithoutNormRows::bytes() const {
  std::size_t doubles = y_.size() + along_.size() + across_.size() + coupled_.size();
  for (const Side* side : {&of_C_, &of_B_})
    doubles += side->unit.size() + side->reciprocal.size() + side->of_H.size() + side->of_rows.size() +
               side->of_couplings[0].size() + side->of_couplings[1].size();
  return small_.bytes() + doubles * sizeof(double);
}

}  // namespace catena::detail
