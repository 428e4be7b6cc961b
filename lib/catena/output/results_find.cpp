// Where to continue in a results file: what grows, looked up through the HDF5 library.
#ifdef CATENA_HAS_HDF5
#include <catena/output/detail/hdf5_handle.hpp>
#include <catena/output/detail/results_bytes.hpp>
#include <catena/output/detail/results_file.hpp>

namespace catena::detail {
namespace {

class Finder {
 public:
  explicit Finder(const std::filesystem::path& path)
      : work_(path, "continue"),
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
    const ResultsBytes bytes(path_, "continue", places.records.data_at);
    places.records.rows_at = bytes.place_of_shape({rows[0], rows[1], many_rows, rows[1]});
    places.size_at = bytes.place_of_data(places.records.data_at, rows[0] * rows[1] * 8) + 8;
    places.event_times = events(bytes, "/events/time", event_capacity[0]);
    places.event_names = events(bytes, "/events/name", event_capacity[1]);
    places.event_rising = events(bytes, "/events/rising", event_capacity[2]);
    places.lost_events_at = H5Dget_offset(open("/events/lost"));
    places.ended_at = H5Dget_offset(open("/ended"));
    places.end_at = bytes.place_of_text("end", manifest_end_length);
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

  GrowingPlace events(const ResultsBytes& bytes, const char* path, std::uint64_t capacity) const {
    const Hdf5Handle dataset = open(path);
    const Hdf5Handle shape = work_.handle(H5Dget_space(dataset), H5Sclose, path);
    if (H5Sget_simple_extent_ndims(shape) != 1)
      work_.fail(std::string(path) + " has another shape than Catena gives it");
    hsize_t rows = 0;
    H5Sget_simple_extent_dims(shape, &rows, nullptr);
    return {bytes.place_of_shape({rows, capacity}), H5Dget_offset(dataset), capacity, rows};
  }

  Hdf5Work work_;
  std::filesystem::path path_;
  Hdf5Handle file_;
};

}  // namespace

ResultsPlaces find_results(const std::filesystem::path& path, const ResultsContent& content) {
  const Hdf5Session session;
  return Finder(path).find(content);
}

}  // namespace catena::detail
#endif
