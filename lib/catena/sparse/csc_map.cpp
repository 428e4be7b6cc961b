#include <catena/math/detail/index.hpp>
#include <catena/sparse/detail/counted.hpp>
#include <catena/sparse/detail/csc_map.hpp>

#include <algorithm>
#include <cassert>

namespace catena::detail {

CscMap::CscMap(const BlockPattern& p, Part part, const BlockOrder& order) : part_(part) {
  const int primal = p.primal_count(), blocks = primal + p.dual_count();
  assert(order.empty() || order.size() == index(blocks));
  auto size = [&](int b) { return b < primal ? p.primal_size[index(b)] : p.dual_size[index(b - primal)]; };
  auto offset = [&](int b) {
    return b < primal ? p.primal_offset[index(b)] : p.dual_offset[index(b - primal)];
  };

  // Where every block starts.
  std::vector<int> first(index(blocks)), rank(index(blocks));
  place_.resize(index(p.dimension()));
  int at = 0;
  for (int k = 0; k < blocks; ++k) {
    const int b = order.empty() ? k : order[index(k)];
    first[index(b)] = at;
    rank[index(b)] = k;
    for (int i = 0; i < size(b); ++i) place_[index(offset(b) + i)] = at++;
  }
  assert(at == p.dimension());

  // The blocks of each block column, sorted by row.
  struct Entry {
    int row;  // block
    Kind kind;
    int block;
  };
  std::vector<std::vector<Entry>> columns(index(blocks));
  auto add = [&](int row, int col, Kind kind, int block) {
    const bool keep = part == Part::full || (part == Part::upper && rank[index(row)] <= rank[index(col)]) ||
                      (part == Part::lower && rank[index(row)] >= rank[index(col)]);
    if (keep) columns[index(col)].push_back({row, kind, block});
  };
  for (int b = 0; b < primal; ++b) add(b, b, Kind::diagonal, b);
  for (std::size_t k = 0; k < p.couplings.size(); ++k) {
    const auto& c = p.couplings[k];
    add(c.i, c.j, Kind::upper, static_cast<int>(k));
    add(c.j, c.i, Kind::lower, static_cast<int>(k));
  }
  for (std::size_t k = 0; k < p.incidences.size(); ++k) {
    const auto& c = p.incidences[k];
    add(primal + c.dual, c.primal, Kind::C, static_cast<int>(k));
    add(c.primal, primal + c.dual, Kind::B, static_cast<int>(k));
  }

  column_.assign(1, 0);
  column_.reserve(index(p.dimension() + 1));
  dual_diagonal_.resize(index(p.dual_dimension));
  for (int k = 0; k < blocks; ++k) {
    const int b = order.empty() ? k : order[index(k)];
    auto& entries = columns[index(b)];
    std::sort(entries.begin(), entries.end(),
              [&](const Entry& x, const Entry& y) { return rank[index(x.row)] < rank[index(y.row)]; });
    std::vector<int> where(entries.size());
    for (std::size_t e = 0; e < entries.size(); ++e) {
      where[e] = static_cast<int>(column_start_.size());
      places_.push_back({entries[e].kind, entries[e].block, where[e]});
      column_start_.resize(column_start_.size() + index(size(b)));
    }
    for (int j = 0; j < size(b); ++j) {
      bool diagonal_done = b < primal;
      auto diagonal = [&] {
        dual_diagonal_[index(p.dual_offset[index(b - primal)] - p.primal_dimension + j)] =
            static_cast<int>(row_.size());
        row_.push_back(first[index(b)] + j);
        diagonal_done = true;
      };
      for (std::size_t e = 0; e < entries.size(); ++e) {
        const int r = entries[e].row;
        if (!diagonal_done && rank[index(r)] > k) diagonal();
        const bool own = r == b;
        const int from = own && part == Part::lower ? j : 0;
        const int to = own && part == Part::upper ? j + 1 : size(r);
        column_start_[index(where[e] + j)] = static_cast<int>(row_.size());
        for (int i = from; i < to; ++i) row_.push_back(first[index(r)] + i);
      }
      if (!diagonal_done) diagonal();
      column_.push_back(static_cast<int>(row_.size()));
    }
  }
  static_cast<void>(counted(row_.size(), "the columns"));
}

void CscMap::fill(const BlockMatrix& matrix, double* values, bool symmetric_part) const {
  const bool symmetric = symmetric_part || part_ != Part::full;
  for (const Place& place : places_) {
    const int* start = column_start_.data() + place.start;
    switch (place.kind) {
      case Kind::diagonal: {
        const ConstBlockRef h = matrix.H(place.block);
        for (int j = 0; j < h.cols; ++j) {
          double* v = values + start[j];
          const int from = part_ == Part::lower ? j : 0, to = part_ == Part::upper ? j + 1 : h.rows;
          for (int i = from; i < to; ++i) *v++ = symmetric ? 0.5 * (h(i, j) + h(j, i)) : h(i, j);
        }
        break;
      }
      case Kind::upper:
      case Kind::lower: {
        const bool upper = place.kind == Kind::upper;
        const ConstBlockRef a = upper ? matrix.H_upper(place.block) : matrix.H_lower(place.block);
        const ConstBlockRef t = upper ? matrix.H_lower(place.block) : matrix.H_upper(place.block);
        for (int j = 0; j < a.cols; ++j)
          for (int i = 0; i < a.rows; ++i)
            values[start[j] + i] = symmetric ? 0.5 * (a(i, j) + t(j, i)) : a(i, j);
        break;
      }
      case Kind::C: {
        const ConstBlockRef c = matrix.C(place.block);
        for (int j = 0; j < c.cols; ++j)
          for (int i = 0; i < c.rows; ++i) values[start[j] + i] = c(i, j);
        break;
      }
      case Kind::B: {
        const ConstBlockRef b = symmetric ? matrix.C(place.block) : matrix.Bt(place.block);
        for (int j = 0; j < b.rows; ++j)
          for (int i = 0; i < b.cols; ++i) values[start[j] + i] = b(j, i);
        break;
      }
    }
  }
  const BlockPattern& p = matrix.pattern();
  for (int k = 0; k < p.dual_count(); ++k) {
    const double *d = matrix.D(k), *e = matrix.proximal(k);
    const int o = p.dual_offset[index(k)] - p.primal_dimension;
    for (int i = 0; i < p.dual_size[index(k)]; ++i) values[dual_diagonal_[index(o + i)]] = -(d[i] + e[i]);
  }
}

}  // namespace catena::detail
