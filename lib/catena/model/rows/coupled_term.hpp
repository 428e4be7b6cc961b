// One coordinate in a coupling (rows/coupling.hpp): which it is, between which bodies, and its ratio.
#pragma once
#include <catena/model/rows/coordinate.hpp>

namespace catena::rows {
inline namespace CATENA_ISA {

// A coordinate of body b against body a, places in the list of the element's bodies.
struct CoupledCoordinate {
  bool angle;  // else a displacement
  int a, b;
};
inline constexpr int most_terms = 4;
// What kind of terms a coupling has. Couplings of one shape are evaluated in lanes together.
struct CouplingShape {
  int bodies = 0, terms = 0;
  CoupledCoordinate of[most_terms] = {};

  constexpr int angles() const {
    int n = 0;
    for (int k = 0; k < terms; ++k) n += of[k].angle ? 1 : 0;
    return n;
  }
  constexpr bool slides() const { return angles() < terms; }
};

// One term with its coordinate in numbers of the scalar S.
template <class S>
struct CoupledTerm {
  static constexpr int parameters = 14;
  using V = Vec<S, 3>;
  CoupledCoordinate of;
  S ratio;
  AngleOf<S> angle;  // of an angle
  // Of a displacement: the axis in the frame of body a, of unit length, and how far its points are from those that the
  // bodies have in the coupling, in their frames [m].
  V axis, from_a, from_b;

  // What lanes must have in common.
  int code() const { return (of.angle ? 16 : 0) + 4 * of.a + of.b; }

  template <class Io>
  static CoupledTerm load(const Io& io, const double* p) {
    const int code = static_cast<int>(io.first(p, 0));  // the same in all lanes
    CoupledTerm t;
    t.of = {code >= 16, code / 4 % 4, code % 4};
    t.ratio = io.entry(p, 1);
    if (t.of.angle) {
      t.angle = AngleOf<S>::load(io, p + 2 * io.stride());
    } else {
      t.axis = load_vector<S>(io, p, 2);
      t.from_a = load_vector<S>(io, p, 5);
      t.from_b = load_vector<S>(io, p, 8);
    }
    return t;
  }
  void save(double* out) const {
    out[0] = code();
    out[1] = ratio;
    if (of.angle) {
      angle.save(out + 2);
    } else {
      save_vector(out + 2, axis);
      save_vector(out + 5, from_a);
      save_vector(out + 8, from_b);
    }
  }
};

}  // namespace CATENA_ISA
}  // namespace catena::rows
