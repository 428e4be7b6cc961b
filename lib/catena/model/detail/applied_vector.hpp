// A constant force or torque, F along world axes and H along body axes; one of them is zero in the forces of the library.
#pragma once
#include <catena/model/rows/parameters.hpp>

CATENA_BEGIN_DETAIL_ISA

template <class S>
struct AppliedVector {
  static constexpr int parameters = 6;
  using V = Vec<S, 3>;

  V in_world, in_body;  // F and H [N or N m]

  static AppliedVector make(const Vec<double, 3>& value, bool turns_with_body) {
    const V x = cast<S>(value), none = V::Zero();
    return {turns_with_body ? none : x, turns_with_body ? x : none};
  }
  template <class Io>
  static AppliedVector load(const Io& io, const double* p, int first) {
    return {load_vector<S>(io, p, first), load_vector<S>(io, p, first + 3)};
  }
  void save(double* out) const {
    save_vector(out, in_world);
    save_vector(out + 3, in_body);
  }

  V along_world(const BodyFrame<S>& f) const { return in_world + f.R * in_body; }
  V along_body(const BodyFrame<S>& f) const { return turned_back(f) + in_body; }
  V turned_back(const BodyFrame<S>& f) const { return transpose_times(f.R, in_world); }
};

CATENA_END_DETAIL_ISA
