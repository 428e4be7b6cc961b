// The operations that a kernel needs of its scalar, for double; Pack<8> and Dual bring their own.
#pragma once
#include <catena/math/parts/isa.hpp>

#include <cmath>

CATENA_BEGIN_ISA

#if CATENA_ISA_LEVEL > 0
inline double madd(double a, double b, double c) { return __builtin_fma(a, b, c); }
inline double nmadd(double a, double b, double c) { return __builtin_fma(-a, b, c); }
#else
inline double madd(double a, double b, double c) { return a * b + c; }   // a b + c
inline double nmadd(double a, double b, double c) { return c - a * b; }  // c - a b
#endif
using std::sqrt;  // for double the C function itself: an instruction, no inline copy
inline double abs(double a) { return __builtin_fabs(a); }
inline double max(double a, double b) { return a > b ? a : b; }
// x < y ? a : b
inline double select_less(double x, double y, double a, double b) { return x < y ? a : b; }
inline bool all_less(double x, double y) { return x < y; }

CATENA_END_ISA
