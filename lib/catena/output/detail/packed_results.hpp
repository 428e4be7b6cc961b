// A results file that is finished, made smaller: every quantity a dataset of its own in chunks, shuffled and deflated, in the
// precision that was asked for. Such a file does not grow; a run that is resumed makes it a growing one again.
#pragma once
#include <catena/output/detail/results_file.hpp>
#include <catena/output/parts/recording.hpp>

#include <filesystem>

namespace catena::detail {

struct Packing {
  Precision precision = Precision::float64;  // the time keeps all its digits
  int compress = 0;                          // 0: none; 1 quick to 9 small, of deflate
};

// Replaces a growing file of that content by the packed one, once it is complete: whatever ends the process, one of the two
// is there. Throws SinkError.
void pack_results(const std::filesystem::path& path, const ResultsContent& content, const Packing& packing);

// The reverse. False: the file is no packed one, and stays. Throws SinkError where it is packed and its columns are others
// than those of content.
bool unpack_results(const std::filesystem::path& path, const ResultsContent& content);

}  // namespace catena::detail
