// Included by *.isa.cpp files only.
#pragma once
#include <catena/math/parts/scalar.hpp>

// Loops of a few rounds whose bodies should become straight code; clang unrolls them unasked.
#if CATENA_ISA_LEVEL > 0 && defined(__GNUC__) && !defined(__clang__)
#define CATENA_UNROLL _Pragma("GCC unroll 16")
#else
#define CATENA_UNROLL
#endif
