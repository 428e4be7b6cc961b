// A KKT matrix given block by block.
#pragma once
#include <catena/sparse/linear_solver.hpp>

#include "module.hpp"

namespace catena::python {

struct KktMatrix {
  KktMatrix(std::shared_ptr<const BlockPattern> pattern, bool symmetric)
      : matrix(std::move(pattern), symmetric ? Border::transposed : Border::separate) {
    clear();
  }
  void clear();  // all of it, the proximal term too

  BlockMatrix matrix;
};

}  // namespace catena::python
