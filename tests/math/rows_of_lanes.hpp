// Numbers side by side for each lane, as every instruction set loads, stores and adds them.
#pragma once
namespace catena {

// n numbers of each of eight lanes, lane l from base[at[l]] on. load: columns[8 k + l]; store: of `count` lanes.
struct CompiledRows {
  void (*load[8])(const double* base, const int* at, double* columns);
  void (*store[8])(double* base, const int* at, int count, const double* columns);
  void (*add[8])(double* base, const int* at, int count, const double* columns);
};

}  // namespace catena
