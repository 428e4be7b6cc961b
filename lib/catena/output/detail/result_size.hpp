// How large the results of a run become, and at how many instants they are written.
#pragma once
#include <catena/output/detail/result_set.hpp>

#include <string>

namespace catena::detail {

inline constexpr int standard_instants = 1000;  // over the run, where nothing is asked

// Output at every K-th of that many steps, so that about standard_instants are written: at least as many, and fewer than twice
// as many. 1 for runs of fewer steps.
int standard_every(double steps);

struct ResultSize {
  double instants = 0.0;
  double bytes = 0.0;       // of all files together
  double peak_bytes = 0.0;  // of the disk while results are written
};

// Of a run of that many instants, to a tenth: text is counted with the digits that numbers have on average.
ResultSize result_size(const ResultsOptions& options, const ResultsContext& context, double instants);

// A sentence for the user before the run where the results take more than 100 MB; empty: they are smaller.
std::string size_remark(const ResultSize& size);

}  // namespace catena::detail
