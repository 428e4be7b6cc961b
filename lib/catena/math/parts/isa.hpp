// Instruction-set namespaces. Every template of math/ lives in an inline namespace named after the
// instruction set that its translation unit is compiled for, so that the linker can never replace a
// baseline function by one that an older processor cannot execute (docs/decisions/002).
#pragma once

#ifndef CATENA_ISA
#define CATENA_ISA base
#define CATENA_ISA_LEVEL 0
#endif

// CATENA_ISA_LEVEL: 0 baseline (no fused multiply-add), 1 AVX2+FMA, 2 AVX-512.
#define CATENA_BEGIN_ISA \
  namespace catena {     \
  inline namespace CATENA_ISA {
#define CATENA_END_ISA \
  }                    \
  }
// The same for what is internal.
#define CATENA_BEGIN_DETAIL_ISA \
  namespace catena::detail {    \
  inline namespace CATENA_ISA {
#define CATENA_END_DETAIL_ISA \
  }                           \
  }
