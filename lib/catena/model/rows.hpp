// Groups of rows that joints are made of: from C++ by a joint's member made_of(), by name in a RowsJoint (`type: rows` in
// model files). Each group is in a file of its own with its equations; rows/meaning.hpp says what its numbers mean.
//
//   struct Slider {
//     static constexpr const char* type_name = "slider";
//     std::array<catena::BodyId, 2> bodies;
//     catena::Vec3 point_a, point_b, axis_a, axis_b;
//     auto made_of() const {
//       using namespace catena::rows;
//       return list(on_line(point_a, point_b, axis_a), parallel(axis_a, axis_b));
//     }
//   };
//
// docs/theory/rows.md
#pragma once
#include <catena/model/parts/rows_joint.hpp>
#include <catena/model/rows/blade.hpp>
#include <catena/model/rows/coincide.hpp>
#include <catena/model/rows/coordinate.hpp>
#include <catena/model/rows/coupled_term.hpp>
#include <catena/model/rows/coupling.hpp>
#include <catena/model/rows/distance.hpp>
#include <catena/model/rows/list.hpp>
#include <catena/model/rows/locked.hpp>
#include <catena/model/rows/meaning.hpp>
#include <catena/model/rows/named.hpp>
#include <catena/model/rows/no_slip.hpp>
#include <catena/model/rows/on_line.hpp>
#include <catena/model/rows/parallel.hpp>
#include <catena/model/rows/rim.hpp>
