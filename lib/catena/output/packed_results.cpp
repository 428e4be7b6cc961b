#ifdef CATENA_HAS_HDF5
#include <catena/output/detail/growing_file.hpp>
#include <catena/output/detail/packed_results.hpp>
#include <catena/output/detail/results_writer.hpp>

#include <algorithm>
#include <cstring>
#include <system_error>
#include <utility>

namespace catena::detail {
namespace {

hsize_t size_of(int i) { return static_cast<hsize_t>(i); }

// Of a window in the file: instants first.
std::vector<hsize_t> shape_of(const RecordWindow& w, std::uint64_t rows) {
  std::vector<hsize_t> sizes{rows};
  if (w.axes == 1) sizes.push_back(size_of(w.columns()));
  if (w.axes == 2) sizes.insert(sizes.end(), {size_of(w.count), size_of(w.block)});
  return sizes;
}

// Rows that are handled at once: some megabytes.
std::uint64_t rows_at_once(int width) {
  constexpr std::uint64_t bytes = 1U << 22U;
  return std::max<std::uint64_t>(1, bytes / (8U * static_cast<std::uint64_t>(width)));
}

// The numbers of one window out of `count` rows, or back into them.
template <bool into_rows>
// NOLINTNEXTLINE(readability-non-const-parameter): one of the two is written, which of them the template says
void move_numbers(const RecordWindow& w, int width, std::uint64_t count, double* rows, double* numbers) {
  for (std::uint64_t r = 0; r < count; ++r)
    for (int k = 0; k < w.count; ++k)
      for (int i = 0; i < w.block; ++i, ++numbers) {
        double& at = rows[r * static_cast<std::uint64_t>(width) +
                          static_cast<std::uint64_t>(w.start + k * w.stride + i)];
        (into_rows ? at : *numbers) = into_rows ? *numbers : at;
      }
}

// Some rows of a dataset, in the file and in memory.
struct Rows {
  Hdf5Handle file, memory;
  Rows(const Hdf5Work& work, hid_t dataset, const RecordWindow& w, std::uint64_t first, std::uint64_t count)
      : file(work.handle(H5Dget_space(dataset), H5Sclose, w.field.path)),
        memory(work.handle(
            H5Screate_simple(static_cast<int>(shape_of(w, count).size()), shape_of(w, count).data(), nullptr),
            H5Sclose, w.field.path)) {
    const std::vector<hsize_t> sizes = shape_of(w, count);
    std::vector<hsize_t> begin(sizes.size(), 0);
    begin[0] = first;
    work.check(H5Sselect_hyperslab(file, H5S_SELECT_SET, begin.data(), nullptr, sizes.data(), nullptr),
               w.field.path);
  }
};

class PackedFile : public ResultsWriter {
 public:
  PackedFile(const std::filesystem::path& path, const ResultsContent& content, const Packing& packing)
      : ResultsWriter(path, content), packing_(packing) {}

  void write(const GrowingFile& from, std::uint64_t lost, const std::string& ended) {
    groups();
    {
      const Hdf5Handle root = work_.handle(H5Oopen(file_, "/", H5P_DEFAULT), H5Oclose, "/");
      attribute(root, "columns", content_.columns());
    }
    for (const RecordWindow& w : content_.windows)
      if (w.columns() > 0) w.source < 0 ? own_dataset(w, from.rows()) : view(w, from.rows());
    rows(from);
    datasets_.clear();
    tables();
    events(from, lost);
    text("/ended", ended_length, {ended}, {});
    if (!file_.close()) work_.fail("it cannot be written");
  }

 private:
  hid_t type_of(const RecordWindow& w) const {
    if (w.whole) return H5T_STD_I64LE;
    const bool half = packing_.precision == Precision::float32 && w.field.path != "/time";
    return half ? H5T_IEEE_F32LE : H5T_IEEE_F64LE;
  }

  void own_dataset(const RecordWindow& w, std::uint64_t rows) {
    // Chunks of 256 KiB, of 4096 instants at most: the cache of the library holds four of them.
    constexpr std::uint64_t bytes = 1U << 18U;
    const Hdf5Handle creation = work_.handle(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, w.field.path);
    if (rows > 0) {
      const std::uint64_t fit = bytes / (8U * static_cast<std::uint64_t>(w.columns()));
      const Sizes chunk = shape_of(w, std::clamp<std::uint64_t>(fit, 1, std::min<std::uint64_t>(rows, 4096)));
      work_.check(H5Pset_chunk(creation, static_cast<int>(chunk.size()), chunk.data()), w.field.path);
      if (packing_.compress > 0) {
        work_.check(H5Pset_shuffle(creation), w.field.path);
        work_.check(H5Pset_deflate(creation, static_cast<unsigned>(packing_.compress)), w.field.path);
      }
    }
    datasets_.emplace_back(&w, dataset(w.field, type_of(w), space(shape_of(w, rows)), creation));
    if (!w.items.empty()) attribute(datasets_.back().second, "items", w.items);
  }

  // Numbers that another dataset holds.
  void view(const RecordWindow& w, std::uint64_t rows) const {
    const RecordWindow& of = content_.windows[static_cast<std::size_t>(w.source)];
    const Hdf5Handle source = space(shape_of(of, rows)), shape = space(shape_of(w, rows));
    const Hdf5Handle creation = work_.handle(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, w.field.path);
    if (rows > 0) {
      const hsize_t start[] = {0, size_of(w.start - of.start)}, stride[] = {1, size_of(w.stride)};
      const hsize_t count[] = {rows, size_of(w.count)}, block[] = {1, size_of(w.block)};
      work_.check(H5Sselect_hyperslab(source, H5S_SELECT_SET, start, stride, count, block), w.field.path);
      work_.check(H5Pset_virtual(creation, shape, ".", of.field.path.c_str(), source), w.field.path);
    }
    const Hdf5Handle made = dataset(w.field, type_of(w), shape, creation);
    if (!w.items.empty()) attribute(made, "items", w.items);
  }

  void rows(const GrowingFile& from) {
    const std::uint64_t at_once = rows_at_once(content_.width);
    std::vector<double> rows(at_once * static_cast<std::uint64_t>(content_.width)), numbers(rows.size());
    for (std::uint64_t first = 0; first < from.rows(); first += at_once) {
      const std::uint64_t count = std::min(at_once, from.rows() - first);
      from.read_rows(first, count, rows.data());
      for (const auto& [w, made] : datasets_) {
        move_numbers<false>(*w, content_.width, count, rows.data(), numbers.data());
        const Rows part(work_, made, *w, first, count);
        work_.check(H5Dwrite(made, H5T_NATIVE_DOUBLE, part.memory, part.file, H5P_DEFAULT, numbers.data()),
                    w->field.path);
      }
    }
  }

  void events(const GrowingFile& from, std::uint64_t lost) const {
    std::vector<double> times, rising;
    std::vector<std::string> names;
    for (std::uint64_t k = 0; k < from.events(); ++k) {
      ResultsEvent event = from.event(k);
      times.push_back(event.t);
      rising.push_back(event.rising ? 1.0 : 0.0);
      names.push_back(std::move(event.name));
    }
    const std::uint64_t n = times.size();
    numbers({"/events/time", {n}, std::move(times), false});
    numbers({"/events/rising", {n}, std::move(rising), true});
    text("/events/name", event_name_length, names, {n});
    numbers({"/events/lost", {}, {static_cast<double>(lost)}, true});
  }

  Packing packing_;
  std::vector<std::pair<const RecordWindow*, Hdf5Handle>> datasets_;
};

// A packed file that is read again.
class PackedReader {
 public:
  explicit PackedReader(const std::filesystem::path& path)
      : work_(path, "resume"),
        file_(work_.handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose,
                           "it is not there, or no HDF5 file")) {}

  bool is_packed() const { return H5Lexists(file_, "/records", H5P_DEFAULT) == 0; }

  void check_columns(const std::string& expected) const {
    const Hdf5Handle root = work_.handle(H5Oopen(file_, "/", H5P_DEFAULT), H5Oclose, "/");
    const Hdf5Handle a =
        work_.handle(H5Aopen(root, "columns", H5P_DEFAULT), H5Aclose, "it has no attribute `columns`");
    const Hdf5Handle type = work_.handle(H5Aget_type(a), H5Tclose, "the columns");
    std::string text(H5Tget_size(type), '\0');
    work_.check(H5Aread(a, type, text.data()), "the columns");
    // Attributes end at 60 000 letters.
    if (text != expected.substr(0, text.size()) || (text.size() < expected.size() && text.size() < 60'000))
      work_.fail("it holds other columns than this run writes");
  }

  void copy(const ResultsContent& content, GrowingFile& to) const {
    const std::uint64_t count = length("/time"), at_once = rows_at_once(content.width);
    std::vector<double> rows(at_once * static_cast<std::uint64_t>(content.width)), numbers(rows.size());
    for (std::uint64_t first = 0; first < count; first += at_once) {
      const std::uint64_t part_count = std::min(at_once, count - first);
      for (const RecordWindow& w : content.windows) {
        if (w.source >= 0 || w.columns() == 0) continue;
        const Hdf5Handle made = open(w.field.path);
        const Rows part(work_, made, w, first, part_count);
        work_.check(H5Dread(made, H5T_NATIVE_DOUBLE, part.memory, part.file, H5P_DEFAULT, numbers.data()),
                    w.field.path);
        move_numbers<true>(w, content.width, part_count, rows.data(), numbers.data());
      }
      to.append(rows.data(), part_count);
    }
    copy_events(to);
  }

 private:
  Hdf5Handle open(const std::string& path) const {
    return work_.handle(H5Dopen2(file_, path.c_str(), H5P_DEFAULT), H5Dclose, "it has no " + path);
  }
  std::uint64_t length(const std::string& path) const {
    const Hdf5Handle made = open(path), space = work_.handle(H5Dget_space(made), H5Sclose, path);
    return static_cast<std::uint64_t>(H5Sget_simple_extent_npoints(space));
  }

  void copy_events(GrowingFile& to) const {
    const std::uint64_t n = length("/events/time");
    if (n == 0) return;
    std::vector<double> times(n), rising(n);
    std::vector<char> names(n * event_name_length, '\0');
    const Hdf5Handle name = open("/events/name"),
                     type = work_.handle(H5Dget_type(name), H5Tclose, "/events/name");
    work_.check(H5Dread(open("/events/time"), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, times.data()),
                "/events/time");
    work_.check(
        H5Dread(open("/events/rising"), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, rising.data()),
        "/events/rising");
    work_.check(H5Dread(name, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, names.data()), "/events/name");
    for (std::uint64_t k = 0; k < n; ++k) {
      const char* begin = names.data() + k * event_name_length;
      to.append_event(times[k], std::string(begin, std::find(begin, begin + event_name_length, '\0')),
                      rising[k] != 0.0);
    }
  }

  Hdf5Work work_;
  Hdf5Handle file_;
};

void replace(const std::filesystem::path& path, const std::filesystem::path& by) {
  std::error_code error;
  std::filesystem::rename(by, path, error);
  if (error) throw SinkError("cannot replace " + path.string() + ": " + error.message());
}

}  // namespace

void pack_results(const std::filesystem::path& path, const ResultsContent& content, const Packing& packing) {
  const GrowingFile from(path, find_results(path, content), content.width);
  std::filesystem::path packed = path;
  packed += ".packed";
  {
    const Hdf5Session session;
    PackedFile(packed, content, packing).write(from, from.lost_events(), from.ended());
  }
  replace(path, packed);
}

bool unpack_results(const std::filesystem::path& path, const ResultsContent& content) {
  {
    const Hdf5Session session;
    if (!PackedReader(path).is_packed()) return false;
  }
  std::filesystem::path growing = path;
  growing += ".growing";
  GrowingFile to(growing, create_results(growing, content), content.width);
  {
    const Hdf5Session session;
    const PackedReader from(path);
    from.check_columns(content.columns());
    from.copy(content, to);
  }
  replace(path, growing);
  return true;
}

}  // namespace catena::detail
#endif
