#include <catena/math/detail/index.hpp>
#include <catena/math/parts/threads.hpp>
#include <catena/sparse/detail/block_ldl.hpp>
#include <catena/sparse/detail/block_ldl_kernels.hpp>
#include <catena/sparse/detail/block_ldl_schedule.hpp>
#include <catena/sparse/detail/shared_analyses.hpp>

#include <algorithm>
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

  std::size_t numeric_bytes() const {
    std::int64_t doubles = schedule.factor_size + schedule.forward_size + schedule.persistent_size;
    for (const std::int64_t size : schedule.scratch_size) doubles += size;
    for (const std::int64_t size : schedule.work_size) doubles += size;
    return index(doubles) * sizeof(double);
  }
};

struct BlockLdl::Numeric {
  AlignedArray factor, forward, persistent;
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
  void solve(const Symbolic& s, double* rhs, bool transposed);
  void sweep_forward(const Symbolic& s);
  void sweep_backward(const Symbolic& s);
  FactorReport factor_tiers(const Symbolic& s);
};

BlockLdl::Numeric::Numeric(const Symbolic& s)
    : factor(index(s.schedule.factor_size)),
      forward(index(s.schedule.forward_size)),
      persistent(index(s.schedule.persistent_size)),
      report(s.schedule.task.size()),
      kernels(&ldl::kernels(s.symmetric)),
      plan(s.schedule.plan()) {
  for (const std::int64_t size : s.schedule.scratch_size) scratch.emplace_back(index(size));
  for (const std::int64_t size : s.schedule.work_size) work.emplace_back(index(size));
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

BlockLdl::BlockLdl(bool by_segments) : may_by_segments_(by_segments) {}
BlockLdl::~BlockLdl() = default;

std::string BlockLdl::analyze(std::shared_ptr<const BlockPattern> pattern, Border border,
                              const SolverOptions& options) {
  if (options.factorization == Factorization::ldlt && border != Border::transposed)
    return "LDL^T needs B = C^T; use LDU";
  given_ = {std::move(pattern), border, options};
  symbolic_.reset();
  planned_.reset();
  numeric_.reset();
  chain_.reset();
  by_chain_ = false;
  norms_.reset();
  small_.reset();
  uncoupled_.reset();
  by_uncoupled_ = false;
  if (WithoutNormRows::has(*given_.pattern)) {
    norms_ = std::make_unique<WithoutNormRows>(given_.pattern, border,
                                               options.factorization == Factorization::ldlt);
    small_ = std::make_unique<BlockLdl>(may_by_segments_);
    return small_->analyze(norms_->pattern(), border, options);
  }
  if (may_by_segments_) {
    auto chain = ldl::find_chain(*given_.pattern, MatrixLayout(*given_.pattern),
                                 options.factorization == Factorization::ldlt, options.parts);
    if (chain)
      chain_ =
          std::make_unique<ChainLdl>(given_.pattern, std::make_shared<const ldl::Chain>(std::move(*chain)));
  }
  if (!chain_ && given_.pattern->couplings.empty()) analyze_fronts();
  return {};
}

void BlockLdl::analyze_fronts() {
  symbolic_ = found_analysis();
  numeric_ = std::make_unique<Numeric>(*symbolic_);
}

std::shared_ptr<const BlockLdl::Symbolic> BlockLdl::found_analysis() const {
  const auto& [pattern, border, options] = given_;
  if (planned_) return planned_;
  SharedAnalyses* const shared = SharedAnalyses::current();
  std::shared_ptr<const Symbolic> found;
  if (shared != nullptr)
    found = std::static_pointer_cast<const Symbolic>(shared->find(*pattern, border, options));
  if (!found) {
    found = analysis(pattern, border, options);
    if (shared != nullptr) shared->keep(pattern, border, options, found);
  }
  return found;
}

// What reports speak of: the solver that the last matrix went to; before the first one, that of a matrix with all couplings.
const BlockLdl* BlockLdl::inner() const {
  return small_ ? small_.get() : by_uncoupled_ ? uncoupled_.get() : nullptr;
}
const BlockLdl::Symbolic& BlockLdl::fronts() const {
  if (symbolic_) return *symbolic_;
  if (!planned_) planned_ = found_analysis();
  return *planned_;
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
  return s;
}

std::unique_ptr<LinearSolver> BlockLdl::clone_analysis() const {
  auto other = std::make_unique<BlockLdl>(may_by_segments_);
  other->given_ = given_;
  if (norms_) {
    other->norms_ = std::make_unique<WithoutNormRows>(*norms_);
    other->small_.reset(static_cast<BlockLdl*>(small_->clone_analysis().release()));
  }
  if (uncoupled_) other->uncoupled_.reset(static_cast<BlockLdl*>(uncoupled_->clone_analysis().release()));
  if (chain_) other->chain_ = chain_->clone();
  other->symbolic_ = symbolic_;
  if (symbolic_) other->numeric_ = std::make_unique<Numeric>(*symbolic_);
  return other;
}

void BlockLdl::Numeric::prepare(const Symbolic& s, const BlockMatrix& matrix) {
  numbers.H = matrix.H_pool();
  numbers.C = matrix.C_pool();
  numbers.Bt = s.symmetric ? matrix.C_pool() : matrix.Bt_pool();
  numbers.upper = matrix.coupling_pool();
  numbers.lower = matrix.coupling_t_pool();
  if (s.pattern->dual_count() > 0) {
    numbers.D = matrix.D(0);
    numbers.proximal = matrix.proximal(0);
  }
}

bool BlockLdl::factorize_chain(const BlockMatrix& matrix, double* x, FactorReport& report) {
  by_chain_ = chain_ && chain_->factorize(matrix, x, report);
  if (!by_chain_ && !numeric_) analyze_fronts();
  return by_chain_;
}

// Whether the matrix, of a pattern with couplings, has none now: its fronts are those of the pattern without them. Kernels of
// chains see to it themselves.
bool BlockLdl::is_uncoupled(const BlockMatrix& matrix) {
  by_uncoupled_ = !chain_ && !given_.pattern->couplings.empty() && !matrix.has_couplings();
  if (!by_uncoupled_ || uncoupled_) return by_uncoupled_;
  auto pattern = std::make_shared<BlockPattern>(*given_.pattern);
  pattern->couplings.clear();
  pattern->coupling_place.clear();
  uncoupled_ = std::make_unique<BlockLdl>(may_by_segments_);
  uncoupled_->analyze(std::move(pattern), given_.border, given_.options);
  return true;
}

// The system without norm rows: see WithoutNormRows. x: null, or a right-hand side.
FactorReport BlockLdl::factorize_small(const BlockMatrix& matrix, double* x) {
  const int bad = norms_->take(matrix);
  if (bad >= 0) return norms_->failed(bad);
  if (x == nullptr) return norms_->whole(small_->factorize(norms_->matrix()));
  norms_->reduce(x, false);
  const FactorReport report = small_->factorize_and_solve(norms_->matrix(), norms_->values());
  if (report.status == FactorStatus::ok) norms_->expand(x, false);
  return norms_->whole(report);
}

FactorReport BlockLdl::factorize(const BlockMatrix& matrix) {
  if (norms_) return factorize_small(matrix, nullptr);
  if (is_uncoupled(matrix)) return uncoupled_->factorize(matrix);
  if (FactorReport report; factorize_chain(matrix, nullptr, report)) return report;
  numeric_->prepare(*symbolic_, matrix);
  numeric_->x = nullptr;
  return numeric_->factor_tiers(*symbolic_);
}

FactorReport BlockLdl::factorize_and_solve(const BlockMatrix& matrix, double* x) {
  if (norms_) return factorize_small(matrix, x);
  if (is_uncoupled(matrix)) return uncoupled_->factorize_and_solve(matrix, x);
  if (FactorReport found; factorize_chain(matrix, x, found)) return found;
  const Symbolic& s = *symbolic_;
  Numeric& n = *numeric_;
  n.prepare(s, matrix);
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
}

void BlockLdl::Numeric::solve(const Symbolic& s, double* rhs, bool transposed) {
  x = rhs;
  numbers.transposed = transposed ? 1 : 0;
  sweep_forward(s);
  sweep_backward(s);
  numbers.transposed = 0;
}

void BlockLdl::solve(double* x) {
  if (norms_) {
    norms_->reduce(x, false);
    small_->solve(norms_->values());
    norms_->expand(x, false);
  } else if (by_uncoupled_) {
    uncoupled_->solve(x);
  } else if (by_chain_) {
    chain_->solve(x, false);
  } else {
    numeric_->solve(*symbolic_, x, false);
  }
}

void BlockLdl::solve_transposed(double* x) {
  if (norms_) {
    norms_->reduce(x, true);
    small_->solve_transposed(norms_->values());
    norms_->expand(x, true);
  } else if (by_uncoupled_) {
    uncoupled_->solve_transposed(x);
  } else if (by_chain_) {
    chain_->solve(x, true);
  } else {
    numeric_->solve(*symbolic_, x, !symbolic_->symmetric);
  }
}

double BlockLdl::factor_flops() const {
  if (const BlockLdl* const by = inner()) return by->factor_flops();
  if (chain_) return chain_->chain().flops;
  return fronts().schedule.flops * (fronts().symmetric ? 1.0 : 2.0);
}

std::size_t BlockLdl::bytes() const {
  if (small_) return norms_->bytes() + small_->bytes();
  std::size_t sum = (chain_ ? chain_->bytes() : 0) + (uncoupled_ ? uncoupled_->bytes() : 0);
  if (numeric_ || sum == 0) sum += fronts().numeric_bytes();
  return sum;
}

const std::string& BlockLdl::ordering() const {
  if (const BlockLdl* const by = inner()) return by->ordering();
  static const std::string by_segments = "segments";
  return chain_ ? by_segments : fronts().ordering;
}

std::vector<std::vector<double>> BlockLdl::chunk_cycles() const {
  if (const BlockLdl* const by = inner()) return by->chunk_cycles();
  return chain_ ? chain_->chain().chunk_cycles() : fronts().schedule.chunk_cycles();
}

std::size_t BlockLdl::analysis_bytes() const {
  if (small_) return small_->analysis_bytes();
  std::size_t sum = (chain_ ? chain_->chain().bytes() : 0) + (uncoupled_ ? uncoupled_->analysis_bytes() : 0);
  if (symbolic_ || sum == 0) sum += fronts().schedule.bytes();
  return sum;
}

}  // namespace catena::detail
