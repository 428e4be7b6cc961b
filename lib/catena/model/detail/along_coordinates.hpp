// A force of two bodies along coordinates s of its own, at the frames of its bodies: with the rows G_i = ds/dq_i it acts on
// them with G_i^T Q of the force Q(s, s', t). Kernels of such forces offer it as along_coordinates(f, t).
#pragma once
#include <catena/math/small.hpp>

CATENA_BEGIN_DETAIL_ISA

struct AlongCoordinates {
  static constexpr int most = 6;
  using Square = Mat<double, most, most>;
  int size = 0;  // of s; rows behind it are not read
  Square rows[2] = {Square::Zero(), Square::Zero()};
  Vec<double, most> force = Vec<double, most>::Zero();              // Q
  Square by_coordinate = Square::Zero(), by_rate = Square::Zero();  // dQ/ds, dQ/ds'

  // Along one coordinate.
  static AlongCoordinates one(const Mat<double, 1, 6>* G, double force, double by_coordinate,
                              double by_rate) {
    AlongCoordinates out;
    out.size = 1;
    for (int i = 0; i < 2; ++i)
      for (int c = 0; c < 6; ++c) out.rows[i](0, c) = G[i][c];
    out.force[0] = force;
    out.by_coordinate(0, 0) = by_coordinate;
    out.by_rate(0, 0) = by_rate;
    return out;
  }
};

CATENA_END_DETAIL_ISA
