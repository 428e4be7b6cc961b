// Rows of a sweep over ranks: one deals, the others run.
#pragma once
#include <catena/study/detail/ranks.hpp>
#include <catena/study/detail/row_store.hpp>

#include <functional>
#include <string>
#include <vector>

namespace catena::detail {

// What became of a row on another rank.
struct RankRow {
  RowResult result;
  std::string missing = {};  // see result_of()
};
std::string to_bytes(const RankRow& row);
RankRow rank_row(const std::string& bytes);

// On the first rank, which runs no rows itself: those of others are kept as soon as they come.
class RowDealer {
 public:
  struct Events {
    std::string sweep = {};                         // its digest: that of each rank must be the same
    std::function<void(std::size_t row)> begin;     // it is sent to a rank
    std::function<void(const RankRow& row)> done;   // may throw
    std::function<void(std::size_t row)> given_up;  // the rank was stopped, or has no time
    std::function<bool()> ended;   // nothing more is dealt, and ranks give up their rows themselves
    std::function<bool()> killed;  // as ended, by a signal: ranks may be gone
  };
  explicit RowDealer(Ranks& ranks) : ranks_(ranks), row_of_(static_cast<std::size_t>(ranks.size()), none) {}
  RowDealer(const RowDealer&) = delete;
  RowDealer& operator=(const RowDealer&) = delete;
  ~RowDealer();  // the other ranks end

  // Each row to the next rank that is free. Returns when all of them are done or given up. Where it was killed, ranks have a
  // moment to give up their rows; false: some did not, and the job is abandoned. Throws what a rank has reported.
  bool deal(const std::vector<std::size_t>& rows, const Events& events);
  // There are no more rows: the other ranks end, while this one still sums up and draws.
  void finish();

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  void take(const Ranks::Message& message, const Events& events);
  void hand_out(std::size_t row);
  std::size_t running() const;

  Ranks& ranks_;
  std::vector<std::size_t> row_of_;  // of each rank; none: it has none
  std::vector<int> free_ = {};       // ranks that wait for a row
  bool finished_ = false, abandoned_ = false;
};

// On the other ranks: runs what it is sent until the message to end. sweep: the digest of what this rank has read and was
// asked for; run: empty where the row was interrupted.
void serve_rows(Ranks& ranks, const std::string& sweep,
                const std::function<std::optional<RankRow>(std::size_t row)>& run);
// From the first rank: the others end as soon as they have done what they do.
void end_others(Ranks& ranks);
// To the first rank, which then throws it.
void report_refusal(Ranks& ranks, const std::string& why);

}  // namespace catena::detail
