#include <catena/output/result_fields.hpp>
#include <catena/output/results_file.hpp>

#include <fmt/format.h>

namespace catena {

std::string ResultsContent::columns() const {
  std::string text = fmt::format("{} columns", width);
  for (const RecordWindow& w : windows)
    text +=
        fmt::format("; {} from {} every {} count {} block {}", w.path, w.start, w.stride, w.count, w.block);
  return text;
}

#ifndef CATENA_HAS_HDF5

namespace {
[[noreturn]] void left_out() {
  throw SinkError(
      "this Catena was built without HDF5: install libhdf5-dev and configure it again, or write other "
      "formats");
}
}  // namespace

bool has_hdf5() { return false; }
ResultsPlaces create_results(const std::filesystem::path&, const ResultsContent&) { left_out(); }
ResultsPlaces find_results(const std::filesystem::path&, const ResultsContent&) { left_out(); }

#else

bool has_hdf5() { return true; }

#endif

}  // namespace catena
