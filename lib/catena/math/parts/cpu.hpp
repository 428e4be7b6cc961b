// Which instruction set this processor offers, for the choice among the copies of a *.isa.cpp file.
#pragma once
#include <string>

namespace catena {

// 0 baseline, 1 AVX2 with FMA, 2 AVX-512 (f, dq, vl and bw). Asked of the processor once. The environment
// variable CATENA_ISA_MAX (0, 1 or 2) lowers it, so that one machine can test all; any other value is ignored.
int instruction_set();

// "baseline", "AVX2", "AVX-512".
const char* instruction_set_name(int level);

// The processor's own name for reports, "unknown processor" where the system does not give it.
std::string processor_name();

}  // namespace catena
