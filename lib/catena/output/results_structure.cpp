// What the HDF5 library writes of a results file, and where the numbers stand that grow.
#ifdef CATENA_HAS_HDF5
#include <catena/output/hdf5_handle.hpp>
#include <catena/output/result_fields.hpp>
#include <catena/output/results_file.hpp>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <mutex>
#include <system_error>

namespace catena {
namespace {

// Rows that /records is made for before it has any: 1e10, so that 1e8 columns of them are still counted in 64 bits.
constexpr std::uint64_t many_rows = 0x0000'0002'5ca7'e9a1;
// Different ones, so that each number of rows is found by what stands behind it.
constexpr std::uint64_t event_capacity[] = {4093, 4099, 4111};
constexpr std::uint64_t end_of_file_at = 40;  // in a superblock of version 0

bool is_ascii(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 128; });
}

// The library may be compiled for one thread at a time.
std::mutex& hdf5_mutex() {
  static std::mutex mutex;
  return mutex;
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
    text("/ended", ended_length, {std::string()}, 0);
    if (!file_.close()) work_.fail("the structure cannot be written");
  }

 private:
  using Sizes = std::vector<hsize_t>;

  Hdf5Handle space(const Sizes& sizes, const hsize_t* most = nullptr) const {
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
    const Hdf5Handle scalar = work_.handle(H5Screate(H5S_SCALAR), H5Sclose, "a shape");
    const Hdf5Handle a = work_.handle(
        H5Acreate2(object, name.c_str(), type, scalar, H5P_DEFAULT, H5P_DEFAULT), H5Aclose, name);
    work_.check(H5Awrite(a, type, kept.empty() ? " " : kept.c_str()), name);
  }

  void describe(hid_t dataset, const std::string& path) const {
    const ResultField& f = result_field(path);
    attribute(dataset, "unit", f.unit);
    if (f.frame[0] != '\0') attribute(dataset, "frame", f.frame);
    if (f.meaning[0] != '\0') attribute(dataset, "meaning", f.meaning);
    attribute(dataset, "axes", f.shape);
  }

  Hdf5Handle dataset(const std::string& path, hid_t type, hid_t shape, hid_t creation) const {
    make_parents(path);
    Hdf5Handle made = work_.handle(
        H5Dcreate2(file_, path.c_str(), type, shape, H5P_DEFAULT, creation, H5P_DEFAULT), H5Dclose, path);
    describe(made, path);
    return made;
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
    const Hdf5Handle creation = work_.handle(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, w.path);
    const hsize_t start[] = {0, n(w.start)}, stride[] = {1, n(w.stride)};
    const hsize_t count[] = {H5S_UNLIMITED, n(w.count)}, block[] = {1, n(w.block)};
    work_.check(H5Sselect_hyperslab(source, H5S_SELECT_SET, start, stride, count, block), w.path);
    const Sizes origin(sizes.size(), 0), ones(sizes.size(), 1);
    Sizes once(sizes.size(), 1), all = sizes;
    once[0] = H5S_UNLIMITED;
    all[0] = 1;
    work_.check(
        H5Sselect_hyperslab(shape, H5S_SELECT_SET, origin.data(), ones.data(), once.data(), all.data()),
        w.path);
    work_.check(H5Pset_virtual(creation, shape, ".", "/records", source), w.path);
    dataset(w.path, w.whole ? H5T_STD_I64LE : H5T_IEEE_F64LE, shape, creation);
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
    text(n.path, longest, n.names, static_cast<hsize_t>(n.names.size()));
  }

  // values one behind the other, filled up with zeros; the room for count values is there at once. count 0: a scalar.
  void text(const std::string& path, std::size_t length, const std::vector<std::string>& values,
            hsize_t count) const {
    std::vector<char> bytes(length * std::max<std::size_t>(1, values.size()), '\0');
    for (std::size_t k = 0; k < values.size(); ++k) values[k].copy(bytes.data() + k * length, length);
    const Hdf5Handle type = string_type(length);
    const Hdf5Handle shape =
        count == 0 && path == "/ended" ? work_.handle(H5Screate(H5S_SCALAR), H5Sclose, path) : space({count});
    const Hdf5Handle made = dataset(path, type, shape, H5P_DEFAULT);
    if (!values.empty()) work_.check(H5Dwrite(made, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()), path);
  }

  void events() const {
    const Hdf5Handle creation = work_.handle(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "/events");
    work_.check(H5Pset_alloc_time(creation, H5D_ALLOC_TIME_EARLY), "/events");
    work_.check(H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER), "/events");
    dataset("/events/time", H5T_IEEE_F64LE, space({event_capacity[0]}), creation);
    dataset("/events/name", string_type(event_name_length), space({event_capacity[1]}), creation);
    dataset("/events/rising", H5T_STD_I8LE, space({event_capacity[2]}), creation);
  }

  Hdf5Work work_;
  const ResultsContent& content_;
  Hdf5Handle file_;
};

using Pattern = std::vector<std::uint64_t>;

std::string as_bytes(const Pattern& words) {
  std::string bytes(words.size() * 8, '\0');
  std::memcpy(bytes.data(), words.data(), bytes.size());
  return bytes;
}

// The one place of what is sought, which begins a message of an object header: of that type, where it is given. None or
// several: a format of file that we do not know.
std::uint64_t place_of(const Hdf5Work& work, const std::string& bytes, const std::string& sought,
                       const std::string& message, const std::string& what) {
  constexpr std::size_t message_header = 8;  // type, size, flags
  std::size_t found = 0;
  int count = 0;
  for (std::size_t at = bytes.find(sought); at != std::string::npos; at = bytes.find(sought, at + 1)) {
    if (at < message_header || bytes.compare(at - message_header, message.size(), message) != 0) continue;
    found = at;
    ++count;
  }
  if (count != 1)
    work.fail("this version of the HDF5 library writes " + what + " otherwise than Catena expects");
  return found;
}

// Byte of the number of rows: behind version, rank and the flag that says that largest sizes are given.
std::uint64_t place_of_shape(const Hdf5Work& work, const std::string& bytes, const Pattern& sizes) {
  const std::string sought =
      std::string{1, static_cast<char>(sizes.size() / 2), 1, 0, 0, 0, 0, 0} + as_bytes(sizes);
  return place_of(work, bytes, sought, std::string("\1\0", 2), "the shape of a dataset") + 8;
}

// Byte of the address of a contiguous dataset: behind version and kind.
std::uint64_t place_of_data(const Hdf5Work& work, const std::string& bytes, std::uint64_t address,
                            std::uint64_t size) {
  return place_of(work, bytes, "\3\1" + as_bytes({address, size}), std::string("\10\0", 2),
                  "the place of a dataset") +
         2;
}

std::string first_bytes(const std::filesystem::path& path, std::uint64_t count) {
  std::string bytes(count, '\0');
  std::ifstream stream(path, std::ios::binary);
  stream.read(bytes.data(), static_cast<std::streamsize>(count));
  bytes.resize(static_cast<std::size_t>(stream.gcount()));
  return bytes;
}

void overwrite(const Hdf5Work& work, const std::filesystem::path& path,
               const std::vector<std::pair<std::uint64_t, std::uint64_t>>& words) {
  std::fstream stream(path, std::ios::in | std::ios::out | std::ios::binary);
  for (const auto& [at, word] : words) {
    char bytes[8];
    std::memcpy(bytes, &word, 8);
    stream.seekp(static_cast<std::streamoff>(at));
    stream.write(bytes, 8);
  }
  stream.flush();
  if (!stream) work.fail("it cannot be written");
}

// Gives /records the place behind everything else, and the growing datasets no rows.
void place_records(const std::filesystem::path& path, std::uint64_t width) {
  const Hdf5Work work(path, "create");
  const std::uint64_t size = std::filesystem::file_size(path), data = (size + 4095) / 4096 * 4096;
  std::filesystem::resize_file(path, data);
  const std::string bytes = first_bytes(path, size);
  const std::uint64_t layout = place_of_data(work, bytes, ~std::uint64_t{0}, many_rows * width * 8);
  std::vector<std::pair<std::uint64_t, std::uint64_t>> words = {
      {place_of_shape(work, bytes, {many_rows, width, many_rows, width}), 0},
      {layout, data},
      {layout + 8, 0},
      {end_of_file_at, data}};
  for (const std::uint64_t capacity : event_capacity)
    words.emplace_back(place_of_shape(work, bytes, {capacity, capacity}), 0);
  overwrite(work, path, words);
}

class Finder {
 public:
  explicit Finder(const std::filesystem::path& path)
      : work_(path, "go on with"),
        path_(path),
        file_(work_.handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose,
                           "it is not there, or no HDF5 file")) {}

  ResultsPlaces find(const ResultsContent& content) {
    const Hdf5Handle records = open("/records");
    check_columns(records, content.columns());
    const Hdf5Handle shape = work_.handle(H5Dget_space(records), H5Sclose, "/records");
    if (H5Sget_simple_extent_ndims(shape) != 2) work_.fail("/records has another shape than Catena gives it");
    hsize_t rows[2];
    H5Sget_simple_extent_dims(shape, rows, nullptr);
    ResultsPlaces places;
    places.records.rows = rows[0];
    places.records.data_at = H5Dget_offset(records);
    bytes_ = first_bytes(path_, places.records.data_at);
    places.records.rows_at = place_of_shape(work_, bytes_, {rows[0], rows[1], many_rows, rows[1]});
    places.size_at = place_of_data(work_, bytes_, places.records.data_at, rows[0] * rows[1] * 8) + 8;
    places.event_times = events("/events/time", event_capacity[0]);
    places.event_names = events("/events/name", event_capacity[1]);
    places.event_rising = events("/events/rising", event_capacity[2]);
    places.ended_at = H5Dget_offset(open("/ended"));
    return places;
  }

 private:
  Hdf5Handle open(const char* path) const {
    return work_.handle(H5Dopen2(file_, path, H5P_DEFAULT), H5Dclose, std::string("it has no ") + path);
  }

  void check_columns(hid_t records, const std::string& expected) const {
    const Hdf5Handle a =
        work_.handle(H5Aopen(records, "columns", H5P_DEFAULT), H5Aclose, "it says nothing of its columns");
    const Hdf5Handle type = work_.handle(H5Aget_type(a), H5Tclose, "the columns");
    std::string text(H5Tget_size(type), '\0');
    work_.check(H5Aread(a, type, text.data()), "the columns");
    if (text != expected)
      work_.fail("it holds the results of another system: \"" + text.substr(0, text.find(';')) +
                 " ...\", not \"" + expected.substr(0, expected.find(';')) + " ...\"");
  }

  GrowingPlace events(const char* path, std::uint64_t capacity) const {
    const Hdf5Handle dataset = open(path);
    const Hdf5Handle shape = work_.handle(H5Dget_space(dataset), H5Sclose, path);
    if (H5Sget_simple_extent_ndims(shape) != 1)
      work_.fail(std::string(path) + " has another shape than Catena gives it");
    hsize_t rows = 0;
    H5Sget_simple_extent_dims(shape, &rows, nullptr);
    return {place_of_shape(work_, bytes_, {rows, capacity}), H5Dget_offset(dataset), capacity, rows};
  }

  Hdf5Work work_;
  std::filesystem::path path_;
  Hdf5Handle file_;
  std::string bytes_;
};

// The library prints its own errors unless it is told not to.
class Quiet {
 public:
  Quiet() {
    H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;
  ~Quiet() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }

 private:
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

}  // namespace

ResultsPlaces create_results(const std::filesystem::path& path, const ResultsContent& content) {
  std::filesystem::path fresh = path;
  fresh += ".new";
  {
    const std::lock_guard<std::mutex> lock(hdf5_mutex());
    const Quiet quiet;
    Structure(fresh, content).write();
  }
  place_records(fresh, static_cast<std::uint64_t>(content.width));
  std::error_code error;
  std::filesystem::rename(fresh, path, error);
  if (error) throw SinkError("cannot create " + path.string() + ": " + error.message());
  return find_results(path, content);  // through the library: what was overwritten is what it reads
}

ResultsPlaces find_results(const std::filesystem::path& path, const ResultsContent& content) {
  const std::lock_guard<std::mutex> lock(hdf5_mutex());
  const Quiet quiet;
  return Finder(path).find(content);
}

}  // namespace catena
#endif
