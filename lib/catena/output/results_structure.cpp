// What the HDF5 library writes of a results file, once, before the first row.
#ifdef CATENA_HAS_HDF5
#include <catena/output/hdf5_handle.hpp>
#include <catena/output/result_fields.hpp>
#include <catena/output/results_bytes.hpp>
#include <catena/output/results_file.hpp>

#include <algorithm>
#include <system_error>

namespace catena {
namespace {

bool is_ascii(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 128; });
}

class Structure {
 public:
  Structure(const std::filesystem::path& path, const ResultsContent& content)
      : work_(path, "create"),
        content_(content),
        file_(work_.handle(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose,
                           "the file cannot be created here")) {}

  void write() {
    for (const auto& [path, attributes] : content_.groups) {
      make_parents(path == "/" ? path : path + "/");
      const Hdf5Handle group = work_.handle(H5Oopen(file_, path.c_str(), H5P_DEFAULT), H5Oclose, path);
      for (const auto& [name, value] : attributes) attribute(group, name, value);
    }
    records();
    for (const RecordWindow& w : content_.windows) window(w);
    for (const ResultsContent::Numbers& n : content_.numbers) numbers(n);
    for (const ResultsContent::Names& n : content_.names) names(n);
    events();
    text("/ended", ended_length, {std::string()}, {});
    if (!file_.close()) work_.fail("the structure cannot be written");
  }

 private:
  using Sizes = std::vector<hsize_t>;

  // No sizes: a scalar.
  Hdf5Handle space(const Sizes& sizes, const hsize_t* most = nullptr) const {
    if (sizes.empty()) return work_.handle(H5Screate(H5S_SCALAR), H5Sclose, "a shape");
    return work_.handle(H5Screate_simple(static_cast<int>(sizes.size()), sizes.data(), most), H5Sclose,
                        "a shape");
  }

  void make_parents(const std::string& path) const {
    for (std::size_t at = path.find('/', 1); at != std::string::npos; at = path.find('/', at + 1)) {
      const std::string group = path.substr(0, at);
      if (H5Lexists(file_, group.c_str(), H5P_DEFAULT) > 0) continue;
      work_.handle(H5Gcreate2(file_, group.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose, group);
    }
  }

  // Octave reads text only where it is declared as ASCII.
  Hdf5Handle string_type(std::size_t length, bool ascii = true) const {
    Hdf5Handle type = work_.handle(H5Tcopy(H5T_C_S1), H5Tclose, "a type of text");
    work_.check(H5Tset_size(type, std::max<std::size_t>(1, length)), "a type of text");
    work_.check(H5Tset_strpad(type, H5T_STR_NULLPAD), "a type of text");
    work_.check(H5Tset_cset(type, ascii ? H5T_CSET_ASCII : H5T_CSET_UTF8), "a type of text");
    return type;
  }

  void attribute(hid_t object, const std::string& name, const std::string& value) const {
    constexpr std::size_t longest = 60'000;  // of what a header takes
    const std::string kept = value.substr(0, longest);
    const Hdf5Handle type = string_type(kept.size(), is_ascii(kept));
    const Hdf5Handle a = work_.handle(
        H5Acreate2(object, name.c_str(), type, space({}), H5P_DEFAULT, H5P_DEFAULT), H5Aclose, name);
    work_.check(H5Awrite(a, type, kept.c_str()), name);  // empty: its zero
  }

  void describe(hid_t dataset, const ResultField& f) const {
    attribute(dataset, "unit", f.unit);
    if (!f.frame.empty()) attribute(dataset, "frame", f.frame);
    if (!f.meaning.empty()) attribute(dataset, "meaning", f.meaning);
    attribute(dataset, "axes", f.shape);
  }

  Hdf5Handle dataset(const ResultField& field, hid_t type, hid_t shape, hid_t creation) const {
    make_parents(field.path);
    Hdf5Handle made =
        work_.handle(H5Dcreate2(file_, field.path.c_str(), type, shape, H5P_DEFAULT, creation, H5P_DEFAULT),
                     H5Dclose, field.path);
    describe(made, field);
    return made;
  }
  Hdf5Handle dataset(const std::string& path, hid_t type, hid_t shape, hid_t creation) const {
    return dataset(result_field(path), type, shape, creation);
  }

  // Without room for its rows yet: place_records() gives it the end of the file.
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

  void numbers(const ResultsContent::Numbers& n) const {
    const Sizes sizes(n.shape.begin(), n.shape.end());
    const Hdf5Handle made =
        dataset(n.path, n.whole ? H5T_STD_I64LE : H5T_IEEE_F64LE, space(sizes), H5P_DEFAULT);
    if (!n.values.empty())
      work_.check(H5Dwrite(made, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, n.values.data()), n.path);
  }

  void names(const ResultsContent::Names& n) const {
    std::size_t longest = 1;
    for (const std::string& name : n.names) longest = std::max(longest, name.size());
    text(n.path, longest, n.names, {static_cast<hsize_t>(n.names.size())});
  }

  // values one behind the other, filled up with zeros.
  void text(const std::string& path, std::size_t length, const std::vector<std::string>& values,
            const Sizes& sizes) const {
    std::vector<char> bytes(length * std::max<std::size_t>(1, values.size()), '\0');
    for (std::size_t k = 0; k < values.size(); ++k) values[k].copy(bytes.data() + k * length, length);
    const Hdf5Handle type = string_type(length);
    const Hdf5Handle made = dataset(path, type, space(sizes), H5P_DEFAULT);
    if (!values.empty()) work_.check(H5Dwrite(made, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()), path);
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

  Hdf5Work work_;
  const ResultsContent& content_;
  Hdf5Handle file_;
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

}  // namespace catena
#endif
