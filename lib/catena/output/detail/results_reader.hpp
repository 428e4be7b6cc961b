// Reads results.h5 of a run: series, rows of datasets, names, the manifest. Every function throws SinkError where the
// file cannot be read, or the library was built without HDF5.
#pragma once
#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace catena::detail {

// A dataset with one number an instant.
struct ReadSeries {
  std::string name, unit, meaning;  // "energy/kinetic"
  std::vector<double> values;
};

class ResultsReader {
 public:
  explicit ResultsReader(const std::filesystem::path& file);
  ~ResultsReader();

  std::size_t instants() const;
  // All of them, the time excepted.
  std::vector<ReadSeries> series() const;
  // The numbers of a dataset at all instants, or at one; empty: it is not there.
  std::vector<double> all(const std::string& dataset) const;
  std::vector<double> row(const std::string& dataset, std::size_t instant) const;
  std::vector<std::string> names(const std::string& dataset) const;
  // Attributes of a group that are texts.
  std::vector<std::pair<std::string, std::string>> texts(const std::string& group) const;

 private:
  class File;
  std::unique_ptr<File> file_;
};

}  // namespace catena::detail
