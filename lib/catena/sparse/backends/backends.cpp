#include <catena/sparse/backends/backends.hpp>
#include <catena/sparse/backends/detail/cholmod.hpp>
#include <catena/sparse/backends/detail/eigen_lu.hpp>
#include <catena/sparse/backends/detail/klu.hpp>
#include <catena/sparse/backends/detail/spqr.hpp>
#include <catena/sparse/detail/block_ldl.hpp>

namespace catena {
using namespace detail;
namespace {

std::unique_ptr<LinearSolver> make_ldl() { return std::make_unique<BlockLdl>(); }

struct Entry {
  BackendInfo info;
  std::unique_ptr<LinearSolver> (*make)();
};

// A new back end is one line here.
constexpr Entry entries[] = {
    {{"ldl", "own block LDL^T and LDU over the elimination tree, rows after their bodies", true, true, false,
      true},
     make_ldl},
    {{"klu", "KLU: LU with partial pivoting; right for any regular matrix", true, true, true, true},
     make_klu},
    {{"klu_refactor",
      "KLU with the pivots of an earlier matrix where they suffice: faster, a resumed run has other last "
      "bits",
      true, true, true, true, true},
     make_klu_refactor},
#ifdef CATENA_HAS_CHOLMOD
    {{"cholmod", "CHOLMOD: simplicial LDL^T, rows after their bodies", true, false, false, true},
     make_cholmod},
    {{"cholmod_schur", "CHOLMOD: supernodal Cholesky of C H^-1 C^T, for nets", true, false, false, false},
     make_cholmod_schur},
#endif
    {{"eigen_lu", "Eigen SparseLU: supernodal LU with partial pivoting", true, true, true, true},
     make_eigen_lu},
#ifdef CATENA_HAS_CHOLMOD
    {{"spqr", "SuiteSparseQR: orthogonal factors, slow, the oracle of the others", true, true, true, true},
     make_spqr},
#endif
};

}  // namespace

const std::vector<BackendInfo>& backends() {
  static const std::vector<BackendInfo> list = [] {
    std::vector<BackendInfo> all;
    for (const Entry& e : entries) all.push_back(e.info);
    return all;
  }();
  return list;
}

std::unique_ptr<LinearSolver> make_backend(std::string_view name) {
  for (const Entry& e : entries)
    if (name == e.info.name) return e.make();
  return nullptr;
}

LinearSolverFactory pivoting_fallback() {
  for (const Entry& e : entries)
    if (e.info.indefinite_H && e.info.ldlt && e.info.ldu) return e.make;
  return {};
}

}  // namespace catena
