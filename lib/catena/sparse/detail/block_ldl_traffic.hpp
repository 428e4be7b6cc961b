// Memory traffic of large systems, a few cache lines at a time between the operations of an elimination. More at once
// would fill the load and store buffers that the elimination needs. Included by *.isa.cpp files only.
#pragma once
#include <catena/math/parts/pack.hpp>
#include <catena/sparse/detail/block_ldl_plan.hpp>

CATENA_BEGIN_DETAIL_ISA
namespace ldl_front {

using namespace catena::detail::ldl;

// A store that does not read the line first and bypasses the caches; other threads see it after order_stores().
#if CATENA_ISA_LEVEL == 2
inline void store_past_caches(double* p, Pack8 a) { _mm512_stream_pd(p, a.r); }
inline void order_stores() { _mm_sfence(); }
#elif CATENA_ISA_LEVEL == 1
inline void store_past_caches(double* p, Pack8 a) {
  _mm256_stream_pd(p, a.r[0]);
  _mm256_stream_pd(p + 4, a.r[1]);
}
inline void order_stores() { _mm_sfence(); }
#else
inline void store_past_caches(double* p, const Pack8& a) { store(p, a); }
inline void order_stores() {}
#endif

// The cache lines that batches in lanes will read, in the order of the batches.
class LinesAhead {
 public:
  enum class Of { factorisation, forward, backward };
  LinesAhead(const Plan& plan, const Numbers& numbers, bool symmetric, Of what, int begin, int end)
      : plan_(plan), numbers_(numbers), symmetric_(symmetric), what_(what), batch_(begin), end_(end) {}

  void fetch(int lines) {
    if (left_ == 0 && !next()) return;
    const int now = lines < left_ ? lines : left_;
    for (int k = 0; k < now; ++k) __builtin_prefetch(line_ + 8 * k, 0, 2);
    line_ += 8 * now;
    left_ -= now;
  }

 private:
  // The next range of neighbouring lines.
  bool next() {
    for (; batch_ < end_; ++batch_, op_ = -1) {
      const Batch& batch = plan_.batch[batch_];
      const Recipe& recipe = plan_.recipe[batch.recipe];
      if (batch.dense) continue;
      if (op_ < 0) {
        op_ = recipe.op_begin;
        fetch_plan(plan_.index + batch.index, recipe.slots);
      }
      if (what_ != Of::factorisation) {
        set_factor(recipe, numbers_.factor + batch.factor);
        ++batch_;
        op_ = -1;
        return true;
      }
      if (op_ == recipe.op_end) continue;
      const Op& op = plan_.op[op_];
      const bool diagonal = op.kind == OpKind::diagonal;
      if (!diagonal && op.kind != OpKind::border) continue;  // the other kinds follow
      ++op_;
      // where lanes lie in two groups, the first is the second of the batch before
      line_ = (diagonal ? numbers_.H : numbers_.C) + (plan_.index[batch.index + 8 * op.slot + 7] & ~7);
      left_ = op.rows * (diagonal ? op.rows : op.cols);
      if (diagonal && recipe.split != 0) {  // the rows of rotations alone
        line_ += 8 * (left_ / 2);
        left_ -= left_ / 2;
      }
      return true;
    }
    return false;
  }

  // The plan itself, of about a dozen batches later: farther ahead than any latency of memory, and still in the
  // second-level cache when it is used.
  void fetch_plan(const int* index, int slots) const {
    const char* later = reinterpret_cast<const char*>(index) + 2048;
    for (int k = 0; k < slots; k += 2) __builtin_prefetch(later + 32 * k, 0, 2);
    __builtin_prefetch(plan_.batch + batch_ + 12, 0, 2);
  }

  void set_factor(const Recipe& recipe, const double* factor) {
    if (recipe.split != 0) {
      line_ = factor;
      left_ = static_cast<int>(lane_factor_size(recipe, symmetric_));
      return;
    }
    const int k = recipe.pivots, inner = k * (k - 1) / 2, half = inner + k * recipe.rest;
    const bool backward = what_ == Of::backward;
    line_ = factor + (!symmetric_ && backward != (numbers_.transposed != 0) ? 8 * half : 0);
    left_ = k + half;
    if (!backward || !keeps_solved_rest(recipe)) return;
    line_ += 8 * (k + inner);
    left_ = k * recipe.rest;
  }

  const Plan& plan_;
  const Numbers& numbers_;
  const bool symmetric_;
  const Of what_;
  int batch_, end_, op_ = -1, left_ = 0;
  const double* line_ = nullptr;
};

// Prefetches for the next task and writes finished factors to memory. Does nothing where the plan is not far.
class Traffic {
 public:
  // [end, next): the batches of the next task
  Traffic(const Plan& plan, const Numbers& numbers, bool symmetric, LinesAhead::Of what, int end, int next)
      : far_(plan.far),
        lines_(what == LinesAhead::Of::factorisation ? 2 : 5),
        ahead_(plan, numbers, symmetric, what, end, next) {}

  void step() {
    if (!far_) return;
    ahead_.fetch(lines_);
    if (held_ > 0) store_some(3);
  }

  // Where to compute a factor of `packs` packs that is stored at `place`.
  double* buffer(double* place, std::int64_t packs) {
    return far_ && packs <= buffer_packs ? buffer_[free_] : place;
  }
  // The factor computed in buffer(place, packs) is complete.
  void keep(const double* made, double* place, std::int64_t packs) {
    if (made == place) return;
    if (held_ > 0) store_some(held_);
    from_ = made;
    to_ = place;
    held_ = static_cast<int>(packs);
    free_ = 1 - free_;
  }
  // All factors are stored, visible to every thread that synchronises with this one.
  void finish() {
    if (!far_) return;
    if (held_ > 0) store_some(held_);
    order_stores();
  }

 private:
  static constexpr std::int64_t buffer_packs = 128;  // a body with two ball joints has 108, for LDU

  void store_some(int packs) {
    const int now = packs < held_ ? packs : held_;
    for (int k = 0; k < now; ++k) store_past_caches(to_ + 8 * k, load(from_ + 8 * k));
    from_ += 8 * now;
    to_ += 8 * now;
    held_ -= now;
  }

  const bool far_;
  const int lines_;  // a step: sweeps do less between two lines
  LinesAhead ahead_;
  int held_ = 0, free_ = 0;  // packs not yet stored; which buffer is free
  const double* from_ = nullptr;
  double* to_ = nullptr;
  alignas(64) double buffer_[2][8 * buffer_packs];
};

}  // namespace ldl_front
CATENA_END_DETAIL_ISA
