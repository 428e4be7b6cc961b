#include <catena/output/detail/packed_results.hpp>
#include <catena/output/detail/result_fields.hpp>
#include <catena/output/detail/results_file.hpp>

#include <fmt/format.h>

#include <utility>

namespace catena::detail {

void ResultsContent::add_columns(const MeasuredColumns& c, std::string items) {
  RecordWindow w{
      field_of(c.quantity, !items.empty()), c.start, c.stride, c.count, c.block, 0, c.quantity.whole};
  w.axes = (c.quantity.items == Items::one ? 0 : 1) + (c.quantity.components.empty() ? 0 : 1);
  w.items = std::move(items);
  for (std::size_t k = 0; k < windows.size(); ++k)
    if (windows[k].start <= w.start && w.start < windows[k].start + windows[k].columns() &&
        windows[k].source < 0)
      w.source = static_cast<int>(k);
  windows.push_back(std::move(w));
}

void ResultsContent::add_columns_of(const Measurements& measurements) {
  width = measurements.width();
  for (const MeasuredColumns& c : measurements.columns()) {
    std::string items;
    for (std::size_t k = 0; k < c.items.size(); ++k)
      items += (k > 0 ? "\n" : "") + measurements.item_name(c, static_cast<int>(k));
    add_columns(c, std::move(items));
  }
}

std::string ResultsContent::columns() const {
  std::string text = fmt::format("{} columns", width);
  for (const RecordWindow& w : windows)
    text += fmt::format("; {} from {} every {} count {} block {}{}", w.field.path, w.start, w.stride, w.count,
                        w.block, w.items.empty() ? "" : " of " + w.items);
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
void pack_results(const std::filesystem::path&, const ResultsContent&, const Packing&) { left_out(); }
bool unpack_results(const std::filesystem::path&, const ResultsContent&) { left_out(); }

#else

bool has_hdf5() { return true; }

#endif

}  // namespace catena::detail
