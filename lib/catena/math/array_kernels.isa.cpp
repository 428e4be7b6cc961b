#include <catena/math/detail/array_kernels.hpp>
#include <catena/math/parts/pack_rows.hpp>

CATENA_BEGIN_DETAIL_ISA

namespace {

// The number of columns is known to the compiler, which keeps weights and places in registers.
template <int columns>
void sum_of_columns(const WeightedColumns& of, int first, int count, double* out) {
  double w[columns];
  const double* x[columns];
  for (int j = 0; j < columns; ++j) {
    w[j] = of.weight[j];
    x[j] = of.column[j] + first;
  }
  int k = 0;
  for (; k + lanes <= count; k += lanes) {
    Pack8 sum(0.0);
    for (int j = 0; j < columns; ++j) sum += Pack8(w[j]) * load(x[j] + k);
    store(out + k, sum);
  }
  for (; k < count; ++k) {
    double sum = 0.0;
    for (int j = 0; j < columns; ++j) sum += w[j] * x[j][k];
    out[k] = sum;
  }
}

void combine(const WeightedColumns& of, int first, int count, double* out) {
  switch (of.count) {
    case 0:
      for (int k = 0; k < count; ++k) out[k] = 0.0;
      return;
    case 1:
      return sum_of_columns<1>(of, first, count, out);
    case 2:
      return sum_of_columns<2>(of, first, count, out);
    case 3:
      return sum_of_columns<3>(of, first, count, out);
    case 4:
      return sum_of_columns<4>(of, first, count, out);
    case 5:
      return sum_of_columns<5>(of, first, count, out);
    case 6:
      return sum_of_columns<6>(of, first, count, out);
    case 7:
      return sum_of_columns<7>(of, first, count, out);
    case 8:
      return sum_of_columns<8>(of, first, count, out);
    default:
      return sum_of_columns<9>(of, first, count, out);
  }
}

void add_multiple(double factor, const double* from, int count, double* to) {
  int k = 0;
  for (; k + lanes <= count; k += lanes) store(to + k, load(to + k) + Pack8(factor) * load(from + k));
  for (; k < count; ++k) to[k] += factor * from[k];
}

void add_multiples(const double* factor, const double* from, int count, double* const* to) {
  int k = 0;
  for (; k + lanes <= count; k += lanes) {
    const Pack8 x = load(from + k);
    for (int j = 0; j < 4; ++j) store(to[j] + k, load(to[j] + k) + Pack8(factor[j]) * x);
  }
  for (; k < count; ++k)
    for (int j = 0; j < 4; ++j) to[j][k] += factor[j] * from[k];
}

double sum_of_lanes(const Pack8& a) {
  double sum = 0.0;
  for (int l = 0; l < lanes; ++l) sum += lane(a, l);
  return sum;
}

double largest_lane(const Pack8& a, double at_least) {
  for (int l = 0; l < lanes; ++l)
    if (lane(a, l) > at_least) at_least = lane(a, l);
  return at_least;
}

// 0 of a finite number, else nan.
template <class S>
S none_of(const S& x) {
  return x - x;  // NOLINT(misc-redundant-expression)
}

double size_of(double x) { return __builtin_fabs(x); }

double negate(double* x, int count) {
  Pack8 sum(0.0);
  int k = 0;
  for (; k + lanes <= count; k += lanes) {
    const Pack8 of = -load(x + k);
    store(x + k, of);
    sum += none_of(of);
  }
  double left = 0.0;
  for (; k < count; ++k) {
    x[k] = -x[k];
    left += none_of(x[k]);
  }
  return (count >= lanes ? sum_of_lanes(sum) : 0.0) + left;
}

// Two packs at a time, because each maximum waits for the one before.
template <class Number, class Single>
double largest_of_all(int count, double at_least, Number&& number, Single&& single) {
  int k = 0;
  if (count >= lanes) {
    Pack8 even(at_least), odd(at_least);
    for (; k + 2 * lanes <= count; k += 2 * lanes) {
      even = max(number(k), even);
      odd = max(number(k + lanes), odd);
    }
    for (; k + lanes <= count; k += lanes) even = max(number(k), even);
    at_least = largest_lane(max(odd, even), at_least);
  }
  for (; k < count; ++k) {
    const double x = single(k);
    if (x > at_least) at_least = x;
  }
  return at_least;
}

double largest(const double* x, int count, double at_least) {
  return largest_of_all(
      count, at_least, [&](int k) { return abs(load(x + k)); }, [&](int k) { return size_of(x[k]); });
}

double largest_difference(const double* x, const double* y, int count) {
  return largest_of_all(
      count, 0.0, [&](int k) { return abs(load(x + k) - load(y + k)); },
      [&](int k) { return size_of(x[k] - y[k]); });
}

template <class Number, class Single>
LargestNumber largest_and_finite(int count, Number&& number, Single&& single) {
  Pack8 sum(0.0);
  double left = 0.0;
  LargestNumber found{};
  found.value = largest_of_all(
      count, 0.0,
      [&](int k) {
        const Pack8 x = number(k);
        sum += none_of(x);
        return x;
      },
      [&](int k) {
        const double x = single(k);
        left += none_of(x);
        return x;
      });
  found.not_finite = (count >= lanes ? sum_of_lanes(sum) : 0.0) + left;
  return found;
}

LargestNumber largest_number(const double* x, int count) {
  return largest_and_finite(
      count, [&](int k) { return abs(load(x + k)); }, [&](int k) { return size_of(x[k]); });
}

LargestNumber largest_scaled(const double* x, const double* per, double factor, int count) {
  return largest_and_finite(
      count, [&](int k) { return abs(load(x + k)) * Pack8(factor) * load(per + k); },
      [&](int k) { return size_of(x[k]) * factor * per[k]; });
}

// Where the six numbers of eight blocks begin.
constexpr int sixes[8] = {0, 6, 12, 18, 24, 30, 36, 42};

void largest_of_sixes(const double* x, int blocks, double* out) {
  int b = 0;
  for (; b + lanes <= blocks; b += lanes) {
    Pack8 most(0.0), row[6];
    load_rows<6>(x + 6 * b, sixes, row);
    for (const Pack8& one : row) most = max(abs(one), most);
    store(out + b, most);
  }
  for (; b < blocks; ++b) {
    out[b] = 0.0;
    for (int i = 0; i < 6; ++i)
      if (size_of(x[6 * b + i]) > out[b]) out[b] = size_of(x[6 * b + i]);
  }
}

double largest_turn(const double* v, int blocks) {
  Pack8 most(0.0);
  int b = 0;
  for (; b + lanes <= blocks; b += lanes) {
    const double* const omega = v + 6 * b + 3;
    const Pack8 x = gather(omega, sixes), y = gather(omega + 1, sixes), z = gather(omega + 2, sixes);
    most = max(x * x + y * y + z * z, most);
  }
  double turn = largest_lane(most, 0.0);
  for (; b < blocks; ++b) {
    const double* const omega = v + 6 * b + 3;
    const double square = omega[0] * omega[0] + omega[1] * omega[1] + omega[2] * omega[2];
    if (square > turn) turn = square;
  }
  return turn;
}

}  // namespace

extern const ArrayKernels array_kernel_table;
const ArrayKernels array_kernel_table{combine,          add_multiple,   add_multiples,  negate,
                                      largest,          largest_number, largest_scaled, largest_difference,
                                      largest_of_sixes, largest_turn};

CATENA_END_DETAIL_ISA
