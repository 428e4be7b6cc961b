// A constraint of a user's that states which points of its bodies it joins:
//
//   struct Rope {
//     static constexpr int rows = 1;
//     std::array<BodyId, 2> bodies;
//     Vec3 hook = Vec3::Zero(), eye = Vec3::Zero();             // frames of the bodies [m]
//     static constexpr std::array joins{&Rope::hook, &Rope::eye};   // one point a body
//     static constexpr RowUnit unit = RowUnit::length;          // optional
//     template <class S>
//     Vec<S, 1> gap(const BodyFrame<S>& A, const BodyFrame<S>& B, const S& t) const {
//       return {{norm(B.point(eye) - A.point(hook)) - 1.0}};
//     }
//   };
//
// says that its gap is a function of the differences of these points' places and of t alone: no orientation and no other
// point of a body enters. Model::add refuses a statement that is wrong. The library then calls gap of a copy whose points
// are zero, with frames that are at the points themselves and do not turn, so that
// - places cancel before anything is rounded, as in the joints of the library (assembly/detail/anchor.hpp);
// - derivatives need three directions for each body but the first, and the rest is geometry;
// - reactions are reported at the points;
// - eight constraints that differ by their points alone are differentiated at once (Dual over Pack<8>).
#pragma once
#include <catena/model/detail/discrete.hpp>
#include <catena/model/detail/element_traits.hpp>
#include <catena/model/rows/meaning.hpp>
#include <catena/model/rows/violation.hpp>

#include <cmath>
#include <cstddef>
#include <string>

namespace catena::detail {
namespace of_element {

template <class C>
concept JoinsPoints = HasBodies<C> && HasRows<C> && !HasDiscrete<C> && requires(C & c) {
  { c.*(C::joins[0]) } -> std::same_as<Vec3&>;
  requires C::joins.size() == static_cast<std::size_t>(body_count<C>);
  requires level_of<C>()
  == Level::position;
};

// The unit that a user states, else metres.
template <class C>
consteval RowUnit unit_of() {
  if constexpr (requires { C::unit; })
    return C::unit;
  else
    return RowUnit::length;
}

template <class C>
constexpr RowsMeaning meaning_of_user() {
  RowsMeaning meaning;
  meaning.unit = unit_of<C>();
  meaning.driven = true;  // what a user's rows do with the time is not known
  if constexpr (requires { C::unit; }) {
    constexpr bool sine = unit_of<C>() == RowUnit::sine;
    meaning.violation = sine ? &rows::by_sine<row_count<C>> : &rows::by_length<row_count<C>>;
    meaning.violation_unit = unit_of<C>() == RowUnit::length  ? "m"
                             : unit_of<C>() == RowUnit::speed ? "m/s"
                                                              : "rad";
  }
  if constexpr (JoinsPoints<C>) {
    meaning.positions = PositionUse::difference;
    meaning.points = body_count<C>;
    meaning.open = Open::way;  // where the points meet, it is no longer than the arms
    if (body_count<C> == 2) meaning.opposite = Opposite::at_own_point;
  }
  return meaning;
}

// What is left of a constraint without bodies, name and the points that it joins.
template <class C>
C without_points(C c) {
  if constexpr (JoinsPoints<C>)
    for (const auto point : C::joins) c.*point = Vec3::Zero();
  c.bodies = {};
  if constexpr (HasName<C>) c.name.clear();
  return c;
}

// Why `joins` is not what the gap sees, at these frames; "" where it is. Bodies are turned about their points and shifted
// together, which must not change the gap by more than the errors of arithmetic on numbers of the size of the places.
template <JoinsPoints C>
std::string wrong_joins(const C& c, const BodyFrame<double>* f, double t) {
  constexpr int n = body_count<C>;
  const Vec<double, row_count<C>> as_it_is = definition<double>(c, f, t);
  const Vec3 shift{{1.0, -0.5, 0.25}};
  const Quat turn = normalized(Quat{0.8, 0.3, -0.4, 0.2});
  BodyFrame<double> g[n];
  double size = norm(shift);
  for (int i = 0; i < n; ++i) {
    const Vec3& p = c.*(C::joins[static_cast<std::size_t>(i)]);
    const Vec3 place = f[i].point(p);
    g[i] = f[i];
    g[i].R = rotation_matrix(turn) * f[i].R;
    g[i].x = (place + shift) - g[i].R * p;
    size += norm(f[i].x) + norm(p);
  }
  const Vec<double, row_count<C>> moved = definition<double>(c, static_cast<const BodyFrame<double>*>(g), t);
  for (int k = 0; k < row_count<C>; ++k)
    if (!(std::abs(moved[k] - as_it_is[k]) <= 1e-9 * (size + std::abs(as_it_is[k]))))
      return "row " + std::to_string(k) +
             " changes as the bodies turn about the points of `joins` or as all of them are shifted: its gap "
             "depends on "
             "more than these points; remove `joins`";
  return {};
}

}  // namespace of_element
}  // namespace catena::detail
