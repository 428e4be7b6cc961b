// Independence of constraint rows from the structure alone: what a tree of joints has, without a factorisation.
#pragma once
#include <catena/sparse/parts/block_matrix.hpp>

#include <vector>

namespace catena::detail {

// Whether the rows of C can be peeled off, body by body: a body whose remaining rows are independent in its own columns is
// removed with them, until no row remains. Then C is block triangular with independent blocks, and all rows are
// independent. That holds for open chains and trees, with discs, blades and unit quaternions; closed loops of joints do
// not peel, whether redundant or not. So true is a proof, false says nothing.
//
// A row counts as independent of the others of its body where the part of it that is, in the columns of the body, is longer
// than 1e-2 of the whole row, its other body included: far from what roundoff (1e-16) or initial gaps (1e-9) can change,
// and less than what joints of a mechanism have. `scale`: a length per column (SystemLayout::scale).
bool rows_peel_off(const BlockMatrix& matrix, const std::vector<double>& scale);

}  // namespace catena::detail
