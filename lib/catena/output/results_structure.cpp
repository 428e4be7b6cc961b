// What the HDF5 library writes of a growing results file, once, before the first row.
#ifdef CATENA_HAS_HDF5
#include <catena/output/detail/results_bytes.hpp>
#include <catena/output/detail/results_writer.hpp>

#include <system_error>

namespace catena::detail {
namespace {

class Structure : public ResultsWriter {
 public:
  using ResultsWriter::ResultsWriter;

  void write() {
    groups();
    records();
    for (const RecordWindow& w : content_.windows) window(w);
    tables();
    events();
    text("/ended", ended_length, {std::string()}, {});
    if (!file_.close()) work_.fail("the structure cannot be written");
  }

 private:
  // Without space for its rows yet: place_records() gives it the end of the file.
  void records() const {
    const Hdf5Handle creation = work_.handle(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "/records");
    work_.check(H5Pset_layout(creation, H5D_CONTIGUOUS), "/records");
    work_.check(H5Pset_alloc_time(creation, H5D_ALLOC_TIME_LATE), "/records");
    work_.check(H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER), "/records");
    const Hdf5Handle made = dataset("/records", H5T_IEEE_F64LE,
                                    space({many_rows, static_cast<hsize_t>(content_.width)}), creation);
    attribute(made, "columns", content_.columns());
  }

  // A window of no columns, multipliers of a system without constraints, has no dataset.
  void window(const RecordWindow& w) const {
    if (w.columns() == 0) return;
    const auto n = [](int i) { return static_cast<hsize_t>(i); };
    const Sizes source_sizes{0, n(content_.width)}, source_most{H5S_UNLIMITED, n(content_.width)};
    const Hdf5Handle source = space(source_sizes, source_most.data());
    Sizes sizes(static_cast<std::size_t>(w.axes) + 1, 0);
    if (w.axes == 1) sizes[1] = n(w.columns());
    if (w.axes == 2) sizes[1] = n(w.count), sizes[2] = n(w.block);
    Sizes most = sizes;
    most[0] = H5S_UNLIMITED;
    const Hdf5Handle shape = space(sizes, most.data());
    const Hdf5Handle creation = work_.handle(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, w.field.path);
    const hsize_t start[] = {0, n(w.start)}, stride[] = {1, n(w.stride)};
    const hsize_t count[] = {H5S_UNLIMITED, n(w.count)}, block[] = {1, n(w.block)};
    work_.check(H5Sselect_hyperslab(source, H5S_SELECT_SET, start, stride, count, block), w.field.path);
    const Sizes origin(sizes.size(), 0), ones(sizes.size(), 1);
    Sizes once(sizes.size(), 1), all = sizes;
    once[0] = H5S_UNLIMITED;
    all[0] = 1;
    work_.check(
        H5Sselect_hyperslab(shape, H5S_SELECT_SET, origin.data(), ones.data(), once.data(), all.data()),
        w.field.path);
    work_.check(H5Pset_virtual(creation, shape, ".", "/records", source), w.field.path);
    const Hdf5Handle made = dataset(w.field, w.whole ? H5T_STD_I64LE : H5T_IEEE_F64LE, shape, creation);
    if (!w.items.empty()) attribute(made, "items", w.items);
  }

  void events() const {
    const Hdf5Handle creation = work_.handle(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "/events");
    work_.check(H5Pset_alloc_time(creation, H5D_ALLOC_TIME_EARLY), "/events");
    work_.check(H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER), "/events");
    dataset("/events/time", H5T_IEEE_F64LE, space({event_capacity[0]}), creation);
    dataset("/events/name", string_type(event_name_length), space({event_capacity[1]}), creation);
    dataset("/events/rising", H5T_STD_I8LE, space({event_capacity[2]}), creation);
    numbers({"/events/lost", {}, {0.0}, true});
  }
};

// Gives /records the place behind everything else, and the growing datasets no rows.
void place_records(const std::filesystem::path& path, std::uint64_t width) {
  const std::uint64_t size = std::filesystem::file_size(path), data = (size + 4095) / 4096 * 4096;
  std::filesystem::resize_file(path, data);
  const ResultsBytes bytes(path, "create", size);
  const std::uint64_t layout = bytes.place_of_data(~std::uint64_t{0}, many_rows * width * 8);
  std::vector<std::pair<std::uint64_t, std::uint64_t>> words = {
      {bytes.place_of_shape({many_rows, width, many_rows, width}), 0},
      {layout, data},
      {layout + 8, 0},
      {end_of_file_at, data}};
  for (const std::uint64_t capacity : event_capacity)
    words.emplace_back(bytes.place_of_shape({capacity, capacity}), 0);
  bytes.overwrite(words);
}

}  // namespace

ResultsPlaces create_results(const std::filesystem::path& path, const ResultsContent& content) {
  std::filesystem::path fresh = path;
  fresh += ".new";
  {
    const Hdf5Session session;
    Structure(fresh, content).write();
  }
  place_records(fresh, static_cast<std::uint64_t>(content.width));
  std::error_code error;
  std::filesystem::rename(fresh, path, error);
  if (error) throw SinkError("cannot create " + path.string() + ": " + error.message());
  return find_results(path, content);  // through the library: what was overwritten is what it reads
}

}  // namespace catena::detail
#endif
