#include <catena/output/detail/results_reader.hpp>

#ifdef CATENA_HAS_HDF5
#include <catena/output/detail/hdf5_handle.hpp>

#include <algorithm>

namespace catena::detail {
namespace {

// Texts in the file are padded with zeros.
std::string before_zero(const std::string& padded) { return padded.substr(0, padded.find('\0')); }

bool is_text_of_fixed_size(hid_t type) {
  return H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0;
}

}  // namespace

class ResultsReader::File {
 public:
  explicit File(const std::filesystem::path& path)
      : work_(path, "read"),
        file_(work_.handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose,
                           "it is not there, or no HDF5 file")) {}
  ~File() {
    const Hdf5Session session;
    file_.close();
  }

  bool has(const std::string& path) const {
    for (std::size_t at = path.find('/', 1); at != std::string::npos; at = path.find('/', at + 1))
      if (H5Lexists(file_, path.substr(0, at).c_str(), H5P_DEFAULT) <= 0) return false;
    return H5Lexists(file_, path.c_str(), H5P_DEFAULT) > 0;
  }

  std::vector<hsize_t> shape(const std::string& path) const {
    const Hdf5Handle data = open(path);
    return shape(data, path);
  }

  std::size_t instants() const {
    const std::vector<hsize_t> count = shape("time");
    if (count.empty()) work_.fail("time has no instants");
    return count[0];
  }

  // instant < 0: all of it.
  std::vector<double> numbers(const std::string& path, long instant) const {
    const Hdf5Handle data = open(path);
    std::vector<hsize_t> count = shape(data, path);
    if (instant >= 0 && count.empty()) work_.fail(path + " has no instants");
    const Hdf5Handle space = work_.handle(H5Dget_space(data), H5Sclose, path);
    if (instant >= 0) {
      std::vector<hsize_t> start(count.size(), 0);
      start[0] = static_cast<hsize_t>(instant);
      count[0] = 1;
      work_.check(H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr),
                  path);
    }
    hsize_t size = 1;
    for (const hsize_t n : count) size *= n;
    std::vector<double> values(size);
    if (size == 0) return values;
    const Hdf5Handle memory = work_.handle(H5Screate_simple(1, &size, nullptr), H5Sclose, path);
    work_.check(H5Dread(data, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, values.data()), path);
    return values;
  }

  std::vector<std::string> names(const std::string& path) const {
    const Hdf5Handle data = open(path);
    const Hdf5Handle type = work_.handle(H5Dget_type(data), H5Tclose, path);
    const std::vector<hsize_t> dimensions = shape(data, path);
    if (dimensions.size() != 1 || !is_text_of_fixed_size(type)) work_.fail(path + " is no list of names");
    const std::size_t width = H5Tget_size(type), count = dimensions[0];
    std::string bytes(width * count, '\0');
    if (count > 0) work_.check(H5Dread(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()), path);
    std::vector<std::string> names;
    for (std::size_t k = 0; k < count; ++k) names.push_back(before_zero(bytes.substr(k * width, width)));
    return names;
  }

  std::string text(hid_t object, const char* name) const {
    if (H5Aexists(object, name) <= 0) return {};
    const Hdf5Handle attribute = work_.handle(H5Aopen(object, name, H5P_DEFAULT), H5Aclose, name);
    const Hdf5Handle type = work_.handle(H5Aget_type(attribute), H5Tclose, name);
    const Hdf5Handle space = work_.handle(H5Aget_space(attribute), H5Sclose, name);
    if (!is_text_of_fixed_size(type) || H5Sget_simple_extent_npoints(space) != 1) return {};
    std::string bytes(H5Tget_size(type), '\0');
    work_.check(H5Aread(attribute, type, bytes.data()), name);
    return before_zero(bytes);
  }

  std::vector<std::pair<std::string, std::string>> texts(const std::string& path) const {
    const Hdf5Handle group = work_.handle(H5Gopen2(file_, path.c_str(), H5P_DEFAULT), H5Gclose, path);
    H5O_info_t info;
    work_.check(H5Oget_info2(group, &info, H5O_INFO_NUM_ATTRS), path);
    std::vector<std::pair<std::string, std::string>> found;
    for (hsize_t k = 0; k < info.num_attrs; ++k) {
      const Hdf5Handle attribute =
          work_.handle(H5Aopen_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, k, H5P_DEFAULT, H5P_DEFAULT),
                       H5Aclose, path);
      char name[256];
      if (H5Aget_name(attribute, sizeof name, name) > 0) found.emplace_back(name, text(group, name));
    }
    return found;
  }

  // Datasets of one number an instant, in the order of their names.
  std::vector<ReadSeries> series(std::size_t instants) const {
    std::vector<std::string> paths;
    const auto collect = [](hid_t, const char* name, const H5O_info_t* info, void* to) -> herr_t {
      if (info->type == H5O_TYPE_DATASET) static_cast<std::vector<std::string>*>(to)->emplace_back(name);
      return 0;
    };
    work_.check(H5Ovisit2(file_, H5_INDEX_NAME, H5_ITER_INC, collect, &paths, H5O_INFO_BASIC),
                "its list of datasets");
    std::vector<ReadSeries> found;
    for (const std::string& path : paths) {
      if (path == "time") continue;
      const Hdf5Handle data = open(path);
      const std::vector<hsize_t> dimensions = shape(data, path);
      if (dimensions.size() != 1 || dimensions[0] != instants || path.starts_with("events/")) continue;
      const std::string axes = text(data, "axes");
      if (axes != "instant") continue;
      found.push_back({path, text(data, "unit"), text(data, "meaning"), numbers(path, -1)});
    }
    return found;
  }

 private:
  Hdf5Handle open(const std::string& path) const {
    return work_.handle(H5Dopen2(file_, path.c_str(), H5P_DEFAULT), H5Dclose, "it has no " + path);
  }
  std::vector<hsize_t> shape(hid_t data, const std::string& path) const {
    const Hdf5Handle space = work_.handle(H5Dget_space(data), H5Sclose, path);
    const int axes = H5Sget_simple_extent_ndims(space);
    std::vector<hsize_t> count(static_cast<std::size_t>(std::max(axes, 0)));
    if (axes > 0) H5Sget_simple_extent_dims(space, count.data(), nullptr);
    return count;
  }

  Hdf5Work work_;
  Hdf5Handle file_;
};

ResultsReader::ResultsReader(const std::filesystem::path& file) {
  const Hdf5Session session;
  file_ = std::make_unique<File>(file);
}
ResultsReader::~ResultsReader() = default;

std::size_t ResultsReader::instants() const {
  const Hdf5Session session;
  return file_->instants();
}

std::vector<ReadSeries> ResultsReader::series() const {
  const std::size_t count = instants();
  const Hdf5Session session;
  return file_->series(count);
}

std::vector<double> ResultsReader::all(const std::string& dataset) const {
  const Hdf5Session session;
  return file_->has(dataset) ? file_->numbers(dataset, -1) : std::vector<double>{};
}

std::vector<double> ResultsReader::row(const std::string& dataset, std::size_t instant) const {
  const Hdf5Session session;
  return file_->has(dataset) ? file_->numbers(dataset, static_cast<long>(instant)) : std::vector<double>{};
}

std::vector<std::string> ResultsReader::names(const std::string& dataset) const {
  const Hdf5Session session;
  return file_->has(dataset) ? file_->names(dataset) : std::vector<std::string>{};
}

std::vector<std::pair<std::string, std::string>> ResultsReader::texts(const std::string& group) const {
  const Hdf5Session session;
  return file_->has(group) ? file_->texts(group) : std::vector<std::pair<std::string, std::string>>{};
}

}  // namespace catena::detail

#else
#include <catena/driver/sink.hpp>

namespace catena::detail {

class ResultsReader::File {};
ResultsReader::ResultsReader(const std::filesystem::path& file) {
  throw SinkError("cannot read " + file.string() + ": this build has no HDF5");
}
ResultsReader::~ResultsReader() = default;
std::size_t ResultsReader::instants() const { return 0; }
std::vector<ReadSeries> ResultsReader::series() const { return {}; }
std::vector<double> ResultsReader::all(const std::string&) const { return {}; }
std::vector<double> ResultsReader::row(const std::string&, std::size_t) const { return {}; }
std::vector<std::string> ResultsReader::names(const std::string&) const { return {}; }
std::vector<std::pair<std::string, std::string>> ResultsReader::texts(const std::string&) const { return {}; }

}  // namespace catena::detail
#endif
