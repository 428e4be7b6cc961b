#include <catena/math/detail/index.hpp>
#include <catena/math/parts/threads.hpp>
#include <catena/sparse/detail/block_ldl.hpp>
#include <catena/sparse/detail/block_ldl_kernels.hpp>
#include <catena/sparse/detail/block_ldl_schedule.hpp>
#include <catena/sparse/detail/shared_analyses.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

namespace catena::detail {

struct BlockLdl::Symbolic {
  std::shared_ptr<const BlockPattern> pattern;
  Border border = Border::transposed;
  bool symmetric = true;
  std::string ordering;
  ldl::Schedule schedule;
  std::vector<int> rewrite_incidence;
};

struct BlockLdl::Numeric {
  AlignedArray factor, forward, persistent, compliance, rewrite, rewrite_gain;
  AlignedArray rewrite_transposed;          // rho c, of the transposed system
  std::vector<AlignedArray> scratch, work;  // one each per chunk of a tier
  std::vector<ldl::TaskReport> report;      // one a task
  const ldl::Kernels* kernels = nullptr;
  ldl::Numbers numbers{};
  ldl::Plan plan{};
  double* x = nullptr;
  int first_chunk = 0;
  // What parallel_for runs for the chunk k of the current tier; made once, so that a call allocates nothing.
  std::function<void(int)> factor_chunk, forward_chunk, backward_chunk;

  explicit Numeric(const Symbolic& s);
  void prepare(const Symbolic& s, const BlockMatrix& matrix);
  void prepare_rewrite(const Symbolic& s, const BlockMatrix& matrix);
  void add_rewritten(const Symbolic& s, const AlignedArray& w, double* x) const;  // r += w s
  void solve(const Symbolic& s, double* rhs, bool transposed);
  void sweep_forward(const Symbolic& s);
  void sweep_backward(const Symbolic& s);
  FactorReport factor_tiers(const Symbolic& s);
};

BlockLdl::Numeric::Numeric(const Symbolic& s)
    : factor(index(s.schedule.factor_size)),
      forward(index(s.schedule.forward_size)),
      persistent(index(s.schedule.persistent_size)),
      compliance(s.schedule.rewritten.empty() ? 0 : index(s.pattern->dual_dimension)),
      rewrite(index(s.schedule.rewrite_size)),
      rewrite_gain(s.schedule.rewritten.size()),
      rewrite_transposed(s.symmetric ? 0 : index(s.schedule.rewrite_size)),
      report(s.schedule.task.size()),
      kernels(&ldl::kernels(s.symmetric)),
      plan(s.schedule.plan()) {
  for (const std::int64_t size : s.schedule.scratch_size) scratch.emplace_back(index(size));
  for (const std::int64_t size : s.schedule.work_size) work.emplace_back(index(size));
  numbers.rewrite = rewrite.data();
  numbers.factor = factor.data();
  numbers.forward = forward.data();
  numbers.persistent = persistent.data();
  const ldl::Schedule* schedule = &s.schedule;
  factor_chunk = [this, schedule](int k) {
    const ldl::Chunk& chunk = schedule->chunk[index(first_chunk + k)];
    for (int t = chunk.task_begin; t < chunk.task_end; ++t) {
      const ldl::Task& task = schedule->task[index(t)];
      const int next =
          index(t + 1) < schedule->task.size() ? schedule->task[index(t + 1)].batch_end : task.batch_end;
      report[index(t)] = ldl::TaskReport{};
      kernels->factor(plan, numbers, task.batch_begin, task.batch_end, next, scratch[index(k)].data(),
                      work[index(k)].data(), x, &report[index(t)]);
    }
  };
  forward_chunk = [this, schedule](int k) {
    const ldl::Chunk& chunk = schedule->chunk[index(first_chunk + k)];
    for (int t = chunk.task_begin; t < chunk.task_end; ++t) {
      const ldl::Task& task = schedule->task[index(t)];
      const int next =
          index(t + 1) < schedule->task.size() ? schedule->task[index(t + 1)].batch_end : task.batch_end;
      kernels->forward(plan, numbers, task.batch_begin, task.batch_end, next, scratch[index(k)].data(),
                       work[index(k)].data(), x);
    }
  };
  backward_chunk = [this, schedule](int k) {
    const ldl::Chunk& chunk = schedule->chunk[index(first_chunk + k)];
    for (int t = chunk.task_begin; t < chunk.task_end; ++t) {
      const ldl::Task& task = schedule->task[index(t)];
      const int next =
          index(t + 1) < schedule->task.size() ? schedule->task[index(t + 1)].batch_end : task.batch_end;
      kernels->backward(plan, numbers, task.batch_begin, task.batch_end, next, work[index(k)].data(), x);
    }
  };
}

// w = rho b of every rewritten row, its compliance and the factor 1/(1 - rho D) of its multiplier.
void BlockLdl::Numeric::prepare_rewrite(const Symbolic& s, const BlockMatrix& matrix) {
  for (std::size_t i = 0; i < compliance.size(); ++i)
    compliance.data()[i] = numbers.D[i] + numbers.proximal[i];
  numbers.D = compliance.data();
  numbers.proximal = nullptr;
  for (std::size_t k = 0; k < s.schedule.rewritten.size(); ++k) {
    const int d = s.schedule.rewritten[k], incidence = s.rewrite_incidence[k];
    const ConstBlockRef c = matrix.C(incidence), b = matrix.Bt(incidence);
    const ConstBlockRef H = matrix.H(s.pattern->incidences[index(incidence)].primal);
    double trace = 0.0, product = 0.0;
    for (int i = 0; i < c.cols; ++i) {
      trace += H(i, i);
      product += b(0, i) * c(0, i);
    }
    double rho = product == 0.0 ? 0.0 : std::abs(trace) / (c.cols * product);
    double& D = compliance.data()[s.pattern->dual_offset[index(d)] - s.pattern->primal_dimension];
    // 1 - rho D is divided by below: from one half on the compliance itself regularises H as well as rho would.
    if (std::abs(rho * D) > 0.5) rho = 0.0;
    const double gain = 1.0 / (1.0 - rho * D);
    D *= gain;
    rewrite_gain.data()[k] = gain;
    for (int i = 0; i < c.cols; ++i) {
      rewrite.data()[s.schedule.rewrite_offset[k] + i] = rho * b(0, i);
      if (!s.symmetric) rewrite_transposed.data()[s.schedule.rewrite_offset[k] + i] = rho * c(0, i);
    }
  }
}

BlockLdl::BlockLdl() = default;
BlockLdl::~BlockLdl() = default;

std::string BlockLdl::analyze(std::shared_ptr<const BlockPattern> pattern, Border border,
                              const SolverOptions& options) {
  if (options.factorization == Factorization::ldlt && border != Border::transposed)
    return "LDL^T needs B = C^T; use LDU";
  given_ = {std::move(pattern), border, options};
  symbolic_.reset();
  numeric_.reset();
  chain_.reset();
  by_chain_ = false;
  if (options.factorization == Factorization::ldlt) {
    auto chain = ldl::find_chain(*given_.pattern, MatrixLayout(*given_.pattern), options.parts);
    if (chain)
      chain_ =
          std::make_unique<ChainLdl>(given_.pattern, std::make_shared<const ldl::Chain>(std::move(*chain)));
  }
  if (!chain_) analyze_fronts();
  return {};
}

void BlockLdl::analyze_fronts() {
  const auto& [pattern, border, options] = given_;
  SharedAnalyses* const shared = SharedAnalyses::current();
  std::shared_ptr<const Symbolic> found;
  if (shared != nullptr)
    found = std::static_pointer_cast<const Symbolic>(shared->find(*pattern, border, options));
  if (!found) {
    found = analysis(pattern, border, options);
    if (shared != nullptr) shared->keep(pattern, border, options, found);
  }
  numeric_ = std::make_unique<Numeric>(*found);
  symbolic_ = std::move(found);
}

std::shared_ptr<const BlockLdl::Symbolic> BlockLdl::analysis(std::shared_ptr<const BlockPattern> pattern,
                                                             Border border, const SolverOptions& options) {
  auto s = std::make_shared<Symbolic>();
  s->pattern = std::move(pattern);
  s->border = border;
  s->symmetric = options.factorization == Factorization::ldlt;
  const BlockPattern& p = *s->pattern;
  Ordering ordering = choose_ordering(p);
  s->ordering = ordering.name;
  const MatrixLayout layout(p);
  s->schedule = ldl::make_schedule(p, layout, ordering, s->symmetric, options.parts);
  std::vector<int> incidence_of(index(p.dual_count()), -1);
  for (std::size_t k = 0; k < p.incidences.size(); ++k)
    incidence_of[index(p.incidences[k].dual)] = static_cast<int>(k);
  for (const int d : s->schedule.rewritten) s->rewrite_incidence.push_back(incidence_of[index(d)]);
  return s;
}

std::unique_ptr<LinearSolver> BlockLdl::clone_analysis() const {
  auto other = std::make_unique<BlockLdl>();
  other->given_ = given_;
  if (chain_) other->chain_ = chain_->clone();
  other->symbolic_ = symbolic_;
  if (symbolic_) other->numeric_ = std::make_unique<Numeric>(*symbolic_);
  return other;
}

void BlockLdl::Numeric::prepare(const Symbolic& s, const BlockMatrix& matrix) {
  numbers.H = matrix.H_pool();
  numbers.C = matrix.C_pool();
  numbers.Bt = matrix.Bt_pool();
  numbers.upper = matrix.coupling_pool();
  numbers.lower = matrix.coupling_t_pool();
  if (s.pattern->dual_count() > 0) {
    numbers.D = matrix.D(0);
    numbers.proximal = matrix.proximal(0);
  }
  if (!s.schedule.rewritten.empty()) prepare_rewrite(s, matrix);
}

bool BlockLdl::factorize_chain(const BlockMatrix& matrix, double* x, FactorReport& report) {
  by_chain_ = chain_ && chain_->factorize(matrix, x, report);
  if (!by_chain_ && !symbolic_) analyze_fronts();
  return by_chain_;
}

FactorReport BlockLdl::factorize(const BlockMatrix& matrix) {
  if (FactorReport report; factorize_chain(matrix, nullptr, report)) return report;
  numeric_->prepare(*symbolic_, matrix);
  numeric_->x = nullptr;
  return numeric_->factor_tiers(*symbolic_);
}

FactorReport BlockLdl::factorize_and_solve(const BlockMatrix& matrix, double* x) {
  if (FactorReport found; factorize_chain(matrix, x, found)) return found;
  const Symbolic& s = *symbolic_;
  Numeric& n = *numeric_;
  n.prepare(s, matrix);
  n.add_rewritten(s, n.rewrite, x);
  n.x = x;
  const FactorReport report = n.factor_tiers(s);
  if (report.status == FactorStatus::ok) n.sweep_backward(s);
  return report;
}

FactorReport BlockLdl::Numeric::factor_tiers(const Symbolic& s) {
  const BlockPattern& p = *s.pattern;
  for (const ldl::Tier& tier : s.schedule.tier) {
    first_chunk = tier.chunk_begin;
    parallel_for(tier.chunk_end - tier.chunk_begin, factor_chunk);
  }

  // Tasks in their fixed order, so that ties are broken alike for any number of threads.
  FactorReport out;
  const std::vector<int>& position = s.schedule.position;
  auto first = [&](int a, int b) {
    return a < 0 || (b >= 0 && position[index(b)] < position[index(a)]) ? b : a;
  };
  double weak = 0.0, shrink = 1.0;
  int negative = p.dual_dimension, wrong = -1, culprit = -1, weakest = -1;
  bool not_finite = false;
  for (const ldl::TaskReport& r : report) {
    negative += r.negative_change;
    wrong = first(wrong, r.wrong_primal);
    if (r.culprit >= 0 && first(culprit, r.culprit) == r.culprit) {
      culprit = r.culprit;
      not_finite = r.culprit_not_finite != 0;
    }
    if (r.weak > weak) {
      weak = r.weak;
      weakest = r.weak_block;
    }
    shrink = std::min(shrink, r.shrink);
  }
  out.negative_pivots = negative;
  out.pivot_growth = 1.0 / shrink;
  if (wrong >= 0) out.wrong_sign_primal = p.block_of(wrong);
  if (weakest >= 0) {
    out.weakest_dual = p.block_of(weakest);
    out.weakest_dual_ratio = 1.0 / weak;
  }
  if (culprit >= 0) {
    out.status = not_finite ? FactorStatus::not_finite : FactorStatus::singular;
    out.culprit = p.block_of(culprit);
    out.culprit_is_dual = culprit >= p.primal_dimension;
  }
  return out;
}

void BlockLdl::Numeric::add_rewritten(const Symbolic& s, const AlignedArray& from, double* rhs) const {
  const BlockPattern& p = *s.pattern;
  for (std::size_t k = 0; k < s.schedule.rewritten.size(); ++k) {
    const double value = rhs[p.dual_offset[index(s.schedule.rewritten[k])]];
    const int primal = p.incidences[index(s.rewrite_incidence[k])].primal;
    const double* w = from.data() + s.schedule.rewrite_offset[k];
    double* r = rhs + p.primal_offset[index(primal)];
    for (int i = 0; i < p.primal_size[index(primal)]; ++i) r[i] += w[i] * value;
  }
}

void BlockLdl::Numeric::sweep_forward(const Symbolic& s) {
  for (const ldl::Tier& tier : s.schedule.tier) {
    first_chunk = tier.chunk_begin;
    parallel_for(tier.chunk_end - tier.chunk_begin, forward_chunk);
  }
}

void BlockLdl::Numeric::sweep_backward(const Symbolic& s) {
  for (std::size_t t = s.schedule.tier.size(); t-- > 0;) {
    const ldl::Tier& tier = s.schedule.tier[t];
    first_chunk = tier.chunk_begin;
    parallel_for(tier.chunk_end - tier.chunk_begin, backward_chunk);
  }
  for (std::size_t k = 0; k < s.schedule.rewritten.size(); ++k)
    x[s.pattern->dual_offset[index(s.schedule.rewritten[k])]] *= rewrite_gain.data()[k];
}

void BlockLdl::Numeric::solve(const Symbolic& s, double* rhs, bool transposed) {
  add_rewritten(s, transposed ? rewrite_transposed : rewrite, rhs);
  x = rhs;
  numbers.transposed = transposed ? 1 : 0;
  sweep_forward(s);
  sweep_backward(s);
  numbers.transposed = 0;
}

void BlockLdl::solve(double* x) {
  if (by_chain_)
    chain_->solve(x);
  else
    numeric_->solve(*symbolic_, x, false);
}

void BlockLdl::solve_transposed(double* x) {
  if (by_chain_)
    chain_->solve(x);
  else
    numeric_->solve(*symbolic_, x, !symbolic_->symmetric);
}

double BlockLdl::factor_flops() const {
  if (chain_) return chain_->chain().flops;
  return symbolic_ ? symbolic_->schedule.flops * (symbolic_->symmetric ? 1.0 : 2.0) : 0.0;
}

std::size_t BlockLdl::bytes() const {
  const std::size_t by_chain = chain_ ? chain_->bytes() : 0;
  if (!numeric_) return by_chain;
  const Numeric& n = *numeric_;
  std::size_t doubles = n.factor.size() + n.forward.size() + n.persistent.size() + n.compliance.size() +
                        n.rewrite.size() + n.rewrite_gain.size() + n.rewrite_transposed.size();
  for (const AlignedArray& a : n.scratch) doubles += a.size();
  for (const AlignedArray& a : n.work) doubles += a.size();
  return by_chain + doubles * sizeof(double);
}

const std::string& BlockLdl::ordering() const {
  static const std::string by_segments = "segments";
  return chain_ ? by_segments : symbolic_->ordering;
}

std::vector<std::vector<double>> BlockLdl::chunk_cycles() const {
  return chain_ ? chain_->chain().chunk_cycles() : symbolic_->schedule.chunk_cycles();
}

std::size_t BlockLdl::analysis_bytes() const {
  return chain_ ? chain_->chain().bytes() : symbolic_->schedule.bytes();
}

}  // namespace catena::detail
