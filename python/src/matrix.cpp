// Block matrices and their factors.
#include "matrix.hpp"

#include <catena/experiment/parts/usage_error.hpp>

#include <algorithm>
#include <utility>

namespace catena::python {
namespace {
std::unique_ptr<KktMatrix> make_matrix(const std::vector<int>& primal, const std::vector<int>& dual,
                                       const std::vector<std::pair<int, int>>& incidences,
                                       const std::vector<std::pair<int, int>>& couplings, bool symmetric) {
  auto pattern = std::make_shared<BlockPattern>();
  const auto check = [](const char* what, int k, std::size_t count) {
    if (k < 0 || static_cast<std::size_t>(k) >= count)
      throw UsageError(std::string(what) + " block " + std::to_string(k) + ": there are " +
                       std::to_string(count));
  };
  for (const auto* sizes : {&primal, &dual})
    for (const int size : *sizes)
      if (size < 1) throw UsageError("a block has at least one row");
  pattern->primal_size = primal;
  pattern->dual_size = dual;
  for (const auto& [d, p] : incidences) {
    check("dual", d, dual.size());
    check("primal", p, primal.size());
    pattern->incidences.push_back({d, p});
  }
  for (const auto& [i, j] : couplings) {
    check("primal", i, primal.size());
    check("primal", j, primal.size());
    if (i == j) throw UsageError("a coupling is between two blocks");
    pattern->couplings.push_back({i, j});
  }
  pattern->finish();
  return std::make_unique<KktMatrix>(pattern, symmetric);
}

BlockRef block_of(BlockMatrix& matrix, const std::string& kind, int k) {
  const BlockPattern& p = matrix.pattern();
  const std::size_t counts[] = {p.primal_size.size(), p.incidences.size(), p.incidences.size(),
                                p.couplings.size(), p.couplings.size()};
  const char* const kinds[] = {"H", "C", "Bt", "H_upper", "H_lower"};
  const auto at = std::find(std::begin(kinds), std::end(kinds), kind) - std::begin(kinds);
  if (at == 5) throw UsageError("\"" + kind + "\" is none of H, C, Bt, H_upper, H_lower and D");
  if (k < 0 || static_cast<std::size_t>(k) >= counts[at])
    throw UsageError(kind + " " + std::to_string(k) + ": there are " + std::to_string(counts[at]));
  if (at == 0) return matrix.H(k);
  if (at == 1) return matrix.C(k);
  if (at == 2) return matrix.Bt(k);
  return at == 3 ? matrix.H_upper(k) : matrix.H_lower(k);
}

void set_block(KktMatrix& m, const std::string& kind, int k, const py::object& values) {
  BlockMatrix& matrix = m.matrix;
  if (kind == "D") {
    const std::vector<int>& sizes = matrix.pattern().dual_size;
    if (k < 0 || static_cast<std::size_t>(k) >= sizes.size())
      throw UsageError("D " + std::to_string(k) + ": there are " + std::to_string(sizes.size()));
    const std::vector<double> x =
        numbers(values, static_cast<std::size_t>(sizes[static_cast<std::size_t>(k)]), "D");
    std::copy(x.begin(), x.end(), matrix.D(k));
    return;
  }
  const BlockRef to = block_of(matrix, kind, k);
  const std::vector<double> x =
      numbers(values, static_cast<std::size_t>(to.rows * to.cols),
              kind + " of " + std::to_string(to.rows) + " x " + std::to_string(to.cols));
  if (const Array given = Array::ensure(values); given.ndim() == 2 && given.shape(0) != to.rows)
    throw UsageError(kind + " has " + std::to_string(to.rows) + " rows, not " +
                     std::to_string(given.shape(0)));
  for (int i = 0; i < to.rows; ++i)
    for (int j = 0; j < to.cols; ++j) to(i, j) = x[static_cast<std::size_t>(i * to.cols + j)];
}

// Rows, columns and values of all entries.
py::tuple coordinates(KktMatrix& m) {
  BlockMatrix& matrix = m.matrix;
  const BlockPattern& p = matrix.pattern();
  std::vector<std::int64_t> rows, columns;
  std::vector<double> values;
  const auto put = [&](int i, int j, double x) {
    rows.push_back(i);
    columns.push_back(j);
    values.push_back(x);
  };
  const auto put_block = [&](const BlockRef& b, int row, int column, bool transposed) {
    for (int i = 0; i < b.rows; ++i)
      for (int j = 0; j < b.cols; ++j)
        transposed ? put(row + j, column + i, b(i, j)) : put(row + i, column + j, b(i, j));
  };
  const auto primal = [&](int k) { return p.primal_offset[static_cast<std::size_t>(k)]; };
  const auto dual = [&](int k) { return p.dual_offset[static_cast<std::size_t>(k)]; };
  for (int k = 0; k < p.primal_count(); ++k) put_block(matrix.H(k), primal(k), primal(k), false);
  for (std::size_t k = 0; k < p.couplings.size(); ++k) {
    const int i = primal(p.couplings[k].i), j = primal(p.couplings[k].j), number = static_cast<int>(k);
    put_block(matrix.H_upper(number), i, j, false);
    put_block(matrix.H_lower(number), j, i, false);
  }
  for (std::size_t k = 0; k < p.incidences.size(); ++k) {
    const int d = dual(p.incidences[k].dual), b = primal(p.incidences[k].primal),
              number = static_cast<int>(k);
    put_block(matrix.C(number), d, b, false);
    put_block(matrix.Bt(number), b, d, true);
  }
  for (int k = 0; k < p.dual_count(); ++k)
    for (int r = 0; r < p.dual_size[static_cast<std::size_t>(k)]; ++r)
      if (matrix.D(k)[r] != 0.0) put(dual(k) + r, dual(k) + r, -matrix.D(k)[r]);
  const auto whole = [](const std::vector<std::int64_t>& x) {
    return py::array_t<std::int64_t>(static_cast<py::ssize_t>(x.size()), x.data());
  };
  return py::make_tuple(whole(rows), whole(columns), copy(values), p.dimension());
}

struct Factor {
  std::unique_ptr<LinearSolver> solver;
  FactorReport report;
  int dimension = 0;

  py::array solve(const py::object& right, bool transposed) {
    if (report.status != FactorStatus::ok) throw UsageError("the matrix was not factorised: " + status());
    std::vector<double> x = numbers(right, static_cast<std::size_t>(dimension), "the right-hand side");
    {
      const Unlocked released(PyEval_SaveThread());
      transposed ? solver->solve_transposed(x.data()) : solver->solve(x.data());
    }
    return copy(x);
  }
  std::string status() const {
    const char* const names[] = {"ok", "singular", "not_finite", "failed"};
    std::string text = names[static_cast<int>(report.status)];
    if (report.culprit >= 0)
      text += std::string(report.culprit_is_dual ? " in dual" : " in primal") + " block " +
              std::to_string(report.culprit);
    return text;
  }
};

std::unique_ptr<Factor> factorize(const KktMatrix& m, const std::string& backend) {
  auto factor = std::make_unique<Factor>();
  factor->solver = catalog()->backend(backend).make();
  factor->dimension = m.matrix.pattern().dimension();
  const Unlocked released(PyEval_SaveThread());
  const Border border = m.matrix.border();
  const SolverOptions options{border == Border::transposed ? Factorization::ldlt : Factorization::ldu};
  const std::string why = factor->solver->analyze(m.matrix.shared_pattern(), border, options);
  if (!why.empty()) throw UsageError(backend + ": " + why);
  factor->report = factor->solver->factorize(m.matrix);
  return factor;
}

}  // namespace

void KktMatrix::clear() {
  matrix.set_zero();
  const std::vector<int>& rows = matrix.pattern().dual_size;
  for (std::size_t d = 0; d < rows.size(); ++d)
    std::fill_n(matrix.proximal(static_cast<int>(d)), rows[d], 0.0);
}

void bind_matrix(py::module_& m) {
  py::class_<KktMatrix>(
      m, "KktMatrix", R"([H B; C -D] block by block: H between primal blocks, C from a dual to a primal block.

primal, dual: sizes of the blocks. incidences: (dual, primal) of each block of C. couplings: (i, j) of blocks H_ij, i != j.
symmetric: B is the transpose of C, and the factorisation LDL^T; else B is given as Bt, and it is LDU.)")
      .def(py::init(&make_matrix), py::arg("primal"), py::arg("dual") = std::vector<int>{},
           py::arg("incidences") = std::vector<std::pair<int, int>>{},
           py::arg("couplings") = std::vector<std::pair<int, int>>{}, py::arg("symmetric") = true)
      .def("set", &set_block, py::arg("kind"), py::arg("number"), py::arg("values"),
           "Sets one block: kind is H, C, Bt, H_upper, H_lower or D (a diagonal).")
      .def_property_readonly("dimension", [](const KktMatrix& k) { return k.matrix.pattern().dimension(); })
      .def_property_readonly("symmetric",
                             [](const KktMatrix& k) { return k.matrix.border() == Border::transposed; })
      .def("coordinates", &coordinates, "(rows, columns, values, dimension) of all entries.")
      .def("factorize", &factorize, py::arg("backend") = "ldl",
           "Analyses and factorises, with the library's own factorisation or another back end.");
  py::class_<Factor>(m, "Factor", "The factor of a KktMatrix.")
      .def_property_readonly("status", &Factor::status)
      .def_property_readonly("negative_pivots", [](const Factor& f) { return f.report.negative_pivots; })
      .def_property_readonly("pivot_growth", [](const Factor& f) { return f.report.pivot_growth; })
      .def(
          "solve", [](Factor& f, const py::object& b) { return f.solve(b, false); }, py::arg("right"),
          "x of K x = right, an array; of n x m columns, n x m.")
      .def(
          "solve_transposed", [](Factor& f, const py::object& b) { return f.solve(b, true); },
          py::arg("right"), "x of K^T x = right, as solve().");
}

}  // namespace catena::python
