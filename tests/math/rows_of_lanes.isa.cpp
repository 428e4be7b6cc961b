#include "rows_of_lanes.hpp"

#include <catena/math/parts/pack_rows.hpp>

CATENA_BEGIN_ISA
namespace {

template <int n>
void load_all(const double* base, const int* at, double* columns) {
  Pack8 x[n];
  load_rows<n>(base, at, x);
  for (int k = 0; k < n; ++k) store(columns + 8 * k, x[k]);
}

template <int n, bool add>
void store_all(double* base, const int* at, int count, const double* columns) {
  Pack8 x[n];
  for (int k = 0; k < n; ++k) x[k] = catena::load(columns + 8 * k);
  store_rows<n, add>(base, at, count, x);
}

}  // namespace

extern const CompiledRows rows_of_lanes;
const CompiledRows rows_of_lanes{
    {load_all<1>, load_all<2>, load_all<3>, load_all<4>, load_all<5>, load_all<6>, load_all<7>, load_all<8>},
    {store_all<1, false>, store_all<2, false>, store_all<3, false>, store_all<4, false>, store_all<5, false>,
     store_all<6, false>, store_all<7, false>, store_all<8, false>},
    {store_all<1, true>, store_all<2, true>, store_all<3, true>, store_all<4, true>, store_all<5, true>,
     store_all<6, true>, store_all<7, true>, store_all<8, true>}};

CATENA_END_ISA
