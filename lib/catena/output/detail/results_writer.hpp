// Datasets and attributes of a results file, by the HDF5 library. Included where CATENA_HAS_HDF5 is defined.
#pragma once
#include <catena/output/detail/hdf5_handle.hpp>
#include <catena/output/detail/results_file.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace catena::detail {

class ResultsWriter {
 public:
  // Creates the file. Throws SinkError.
  ResultsWriter(const std::filesystem::path& path, const ResultsContent& content)
      : work_(path, "create"),
        content_(content),
        file_(work_.handle(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose,
                           "the file cannot be created here")) {}

 protected:
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

  void groups() const {
    for (const auto& [path, attributes] : content_.groups) {
      make_parents(path == "/" ? path : path + "/");
      const Hdf5Handle group = work_.handle(H5Oopen(file_, path.c_str(), H5P_DEFAULT), H5Oclose, path);
      for (const auto& [name, value] : attributes) attribute(group, name, value);
    }
  }

  // What does not grow.
  void tables() const {
    for (const ResultsContent::Numbers& n : content_.numbers) numbers(n);
    for (const ResultsContent::Names& n : content_.names) names(n);
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

  Hdf5Work work_;
  const ResultsContent& content_;
  Hdf5Handle file_;

 private:
  static bool is_ascii(const std::string& text) {
    return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 128; });
  }
};

}  // namespace catena::detail
