// Another simulation program that runs the same motion in the same comparison: docs/reference/compare.md#peers.
#pragma once
#include <catena/study/detail/foreign_results.hpp>

#include <string>
#include <vector>

namespace catena::detail {

// What a peer is asked.
struct PeerRequest {
  std::string problem;                                 // as its results name it
  std::string model = {};                              // the text of a model file
  double begin = 0.0, end = 1.0;                       // [s]
  std::vector<double> instants = {}, tolerances = {};  // [s], and of its own error control
  int repeat = 1;
};

// Why there is no such peer to be asked, with what would be one; empty: there is.
std::string missing_peer(const std::string& name);

// Runs the program, "catena-peer-NAME" for a name: beside this program, in ../libexec/catena from there, or on the PATH; a
// name with a slash is a file. Throws UsageError where there is none, or where it ends otherwise than with results of this
// problem, with the last line that it wrote to its standard error.
ForeignCode ask_peer(const std::string& name, const PeerRequest& request);

// Why its runs are not to be compared: the tightest is further from the reference than a thousandth of the motion, so that
// it solves another problem; empty: it is not.
std::string not_the_same_motion(const std::vector<ForeignRun>& runs, const Errors& extent);

}  // namespace catena::detail
