// Where elements that join two points hold on to bodies that do not move. Their kernels see a body that is at the
// point itself: its place then cancels against that of the other body before anything is rounded, and rows far from
// the world's origin have the roundoff of the bodies' own size (docs/decisions/004).
#pragma once
#include <catena/model/body.hpp>

namespace catena::detail {

// x + R p = place + R rest to twice the digits; where nothing turns, rest is what roundoff takes from x + p.
struct Anchor {
  Vec3 place;  // world frame [m]
  Vec3 rest;   // frame of the body [m], below the last digit of place
};

Anchor anchor_of(const Body& body, const Vec3& point);

}  // namespace catena::detail
