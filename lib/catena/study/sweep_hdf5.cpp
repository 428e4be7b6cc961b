// The table of a sweep as one HDF5 file, for readers that take columns whole.
#include <catena/driver/sink.hpp>
#include <catena/experiment/detail/number.hpp>
#include <catena/study/detail/common_unit.hpp>
#include <catena/study/detail/row_store.hpp>
#include <catena/study/detail/series_of_row.hpp>
#include <catena/study/parts/sweep_summary.hpp>

#ifdef CATENA_HAS_HDF5
#include <catena/output/detail/hdf5_handle.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <system_error>
#include <utility>

namespace catena {
using namespace detail;
namespace {

constexpr std::size_t rows_at_once = 4096;  // in memory, and in a chunk of the file

// "max energy/kinetic [J]": the name, and the unit between brackets.
std::pair<std::string, std::string> name_and_unit(const std::string& title) {
  const std::size_t bracket = title.rfind(" [");
  if (bracket == std::string::npos || title.back() != ']') return {title, "1"};
  return {title.substr(0, bracket), title.substr(bracket + 2, title.size() - bracket - 3)};
}

class Hdf5Table {
 public:
  explicit Hdf5Table(const std::filesystem::path& path)
      : work_(path, "create"),
        file_(work_.handle(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose,
                           "the file cannot be created here")) {}

  void group(const std::string& name) const {
    work_.handle(H5Gcreate2(file_, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose, name);
  }

  // Some rows of a dataset at a time, one behind the other.
  class Column {
   public:
    Column(const Hdf5Table& table, std::string name, hid_t type, const std::vector<hsize_t>& sizes)
        : work_(table.work_),
          name_(std::move(name)),
          type_(work_.handle(H5Tcopy(type), H5Tclose, name_)),
          sizes_(sizes),
          dataset_(make(table.file_)) {}

    void write(const void* values, std::size_t rows, hid_t memory_type) {
      if (rows == 0) return;
      std::vector<hsize_t> begin(sizes_.size(), 0), count = sizes_;
      begin[0] = done_;
      count[0] = rows;
      const Hdf5Handle file = work_.handle(H5Dget_space(dataset_), H5Sclose, name_);
      const Hdf5Handle memory = work_.handle(
          H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr), H5Sclose, name_);
      work_.check(H5Sselect_hyperslab(file, H5S_SELECT_SET, begin.data(), nullptr, count.data(), nullptr),
                  name_);
      work_.check(H5Dwrite(dataset_, memory_type, memory, file, H5P_DEFAULT, values), name_);
      done_ += rows;
    }
    void write(const std::vector<double>& numbers) {
      write(numbers.data(),
            sizes_.size() == 1 || sizes_[1] == 0 ? numbers.size() : numbers.size() / sizes_[1],
            H5T_NATIVE_DOUBLE);
    }
    void write(const std::vector<std::int64_t>& numbers) {
      write(numbers.data(), numbers.size(), H5T_NATIVE_INT64);
    }
    // Filled up with zeros to the length of the type.
    void write(const std::vector<std::string>& texts) {
      const std::size_t length = H5Tget_size(type_);
      std::vector<char> bytes(length * texts.size(), '\0');
      for (std::size_t k = 0; k < texts.size(); ++k) texts[k].copy(bytes.data() + k * length, length);
      write(bytes.data(), sizes_.size() == 1 || sizes_[1] == 0 ? texts.size() : texts.size() / sizes_[1],
            type_);
    }

   private:
    Hdf5Handle make(hid_t file) const {
      const Hdf5Handle creation = work_.handle(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, name_);
      const hsize_t all = std::accumulate(sizes_.begin(), sizes_.end(), hsize_t{1}, std::multiplies<>());
      if (all > 0) {
        std::vector<hsize_t> chunk = sizes_;
        chunk[0] = std::min<hsize_t>(chunk[0], rows_at_once);
        work_.check(H5Pset_chunk(creation, static_cast<int>(chunk.size()), chunk.data()), name_);
        if (H5Tget_class(type_) == H5T_STRING && H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0)
          work_.check(H5Pset_deflate(creation, 1), name_);  // mostly zeros
      }
      const Hdf5Handle space = work_.handle(
          H5Screate_simple(static_cast<int>(sizes_.size()), sizes_.data(), nullptr), H5Sclose, name_);
      return work_.handle(H5Dcreate2(file, name_.c_str(), type_, space, H5P_DEFAULT, creation, H5P_DEFAULT),
                          H5Dclose, name_);
    }

    const Hdf5Work& work_;
    const std::string name_;
    const Hdf5Handle type_;
    const std::vector<hsize_t> sizes_;
    const Hdf5Handle dataset_;
    hsize_t done_ = 0;
  };

  Column numbers(const std::string& name, const std::vector<hsize_t>& sizes) const {
    return {*this, name, H5T_IEEE_F64LE, sizes};
  }
  Column wholes(const std::string& name, const std::vector<hsize_t>& sizes) const {
    return {*this, name, H5T_STD_I64LE, sizes};
  }
  // length: of the longest.
  Column texts(const std::string& name, std::size_t length, const std::vector<hsize_t>& sizes) const {
    const Hdf5Handle type = work_.handle(H5Tcopy(H5T_C_S1), H5Tclose, name);
    work_.check(H5Tset_size(type, std::max<std::size_t>(1, length)), name);
    work_.check(H5Tset_strpad(type, H5T_STR_NULLPAD), name);
    work_.check(H5Tset_cset(type, H5T_CSET_UTF8), name);
    return {*this, name, type, sizes};
  }
  void names(const std::string& name, const std::vector<std::string>& all) const {
    std::size_t length = 1;
    for (const std::string& one : all) length = std::max(length, one.size());
    texts(name, length, {all.size()}).write(all);
  }
  void titles(const std::string& group_name, const std::vector<std::string>& titles) const {
    std::vector<std::string> all, units;
    for (const std::string& title : titles) {
      all.push_back(name_and_unit(title).first);
      units.push_back(name_and_unit(title).second);
    }
    names(group_name + "/names", all);
    names(group_name + "/units", units);
  }

  void close() {
    if (!file_.close()) work_.fail("it cannot be written to its end");
  }

 private:
  const Hdf5Work work_;
  Hdf5Handle file_;
};

// Of the texts that are written.
std::size_t longest(Database& database, const std::vector<std::string>& columns) {
  // Not by SQLite, which writes numbers with 15 digits.
  std::size_t length = 1;
  Statement rows(database, "SELECT " + quoted_list(columns) + " FROM rows");
  while (rows.next())
    for (int k = 0; k < rows.columns(); ++k) length = std::max(length, rows.cell(k).size());
  return length;
}

// Columns of the table in blocks of rows: block(statement) after each row, flush() after each block.
template <class Row, class Flush>
void in_blocks(Database& database, const std::vector<std::string>& columns, const Row& row,
               const Flush& flush) {
  Statement rows(database, "SELECT " + quoted_list(columns) + " FROM rows ORDER BY row");
  std::size_t held = 0;
  while (rows.next()) {
    row(rows);
    if (++held % rows_at_once == 0) flush();
  }
  flush();
}

template <class T, class Get>
void copy_columns(Database& database, const std::vector<std::string>& columns, Hdf5Table::Column into,
                  const Get& get) {
  std::vector<T> held;
  in_blocks(
      database, columns,
      [&](const Statement& row) {
        for (int k = 0; k < static_cast<int>(columns.size()); ++k) held.push_back(get(row, k));
      },
      [&] {
        into.write(held);
        held.clear();
      });
}

const auto number_in = [](const Statement& row, int k) {
  return row.is_number(k) ? row.number(k) : std::numeric_limits<double>::quiet_NaN();
};
const auto whole_in = [](const Statement& row, int k) { return row.whole(k); };
const auto text_in = [](const Statement& row, int k) { return row.cell(k); };

void write_series(Database& database, const SweepTable& sweep, const Hdf5Table& file, hsize_t rows) {
  const std::vector<std::string> names = sweep.series();
  file.titles("series", names);
  std::vector<std::int64_t> first{0};
  Statement sizes(database,
                  "SELECT row, (SELECT length(numbers) FROM series WHERE series.row = rows.row LIMIT 1) FROM "
                  "rows ORDER BY row");
  std::vector<std::size_t> numbers;
  while (sizes.next()) {
    numbers.push_back(static_cast<std::size_t>(sizes.whole(0)));
    first.push_back(first.back() + sizes.whole(1) / static_cast<std::int64_t>(sizeof(double)));
  }
  file.wholes("series/first", {rows + 1}).write(first);
  Hdf5Table::Column values =
      file.numbers("series/values", {static_cast<hsize_t>(first.back()), names.size()});
  for (const std::size_t row : numbers) {
    const std::vector<std::vector<double>> columns = series_of_row(sweep, names, row);
    std::vector<double> block;
    const std::size_t instants = columns.empty() ? 0 : columns.front().size();
    for (std::size_t k = 0; k < instants; ++k)
      for (const std::vector<double>& column : columns) block.push_back(column[k]);
    values.write(block);
  }
}

}  // namespace

void SweepTable::write_hdf5(const std::filesystem::path& path) const {
  const Hdf5Session session;
  std::filesystem::path fresh = path;
  fresh += ".part";
  {
    Hdf5Table file(fresh);
    Database& database = *database_;
    const hsize_t rows = this->rows();
    for (const char* const name : {"sweep", "rows", "vary", "quantities", "series"}) file.group(name);
    std::vector<std::string> entries, values;
    for (const auto& [name, value] : read_identity(database).entries) {
      entries.push_back(name);
      values.push_back(value);
    }
    file.names("sweep/names", entries);
    file.names("sweep/values", values);
    for (const char* const name : {"row", "steps"})
      copy_columns<std::int64_t>(database, {name}, file.wholes(std::string("rows/") + name, {rows}),
                                 whole_in);
    copy_columns<double>(database, {"t [s]"}, file.numbers("rows/t", {rows}), number_in);
    copy_columns<double>(database, {"seconds"}, file.numbers("rows/seconds", {rows}), number_in);
    for (const char* const name : {"status", "verdict", "culprit", "error", "machine", "key"})
      copy_columns<std::string>(database, {name},
                                file.texts(std::string("rows/") + name, longest(database, {name}), {rows}),
                                text_in);
    std::vector<std::string> keys, units;
    for (const std::string& key : keys_) {
      keys.push_back(vary_prefix + key);
      units.push_back(common_unit(database, keys.back()));
    }
    const auto value_in = [&](const Statement& row, int k) {
      if (row.is_number(k)) return row.number(k);
      const std::string cell = row.cell(k);
      return parse_real(units[static_cast<std::size_t>(k)].empty() ? cell : without_unit(cell))
          .value_or(std::numeric_limits<double>::quiet_NaN());
    };
    file.names("vary/names", keys_);
    file.names("vary/units", units);
    copy_columns<std::string>(
        database, keys, file.texts("vary/texts", longest(database, keys), {rows, keys.size()}), text_in);
    copy_columns<double>(database, keys, file.numbers("vary/values", {rows, keys.size()}), value_in);
    file.titles("quantities", quantities_);
    if (quantities_.empty())
      file.numbers("quantities/values", {rows, 0});
    else
      copy_columns<double>(database, quantities_,
                           file.numbers("quantities/values", {rows, quantities_.size()}), number_in);
    write_series(database, *this, file, rows);
    file.close();
  }
  std::error_code error;
  std::filesystem::rename(fresh, path, error);
  if (error) throw SinkError("cannot create " + path.string() + ": " + error.message());
}

}  // namespace catena

#else

namespace catena {

void SweepTable::write_hdf5(const std::filesystem::path& path) const {
  throw SinkError(
      "cannot create " + path.string() +
      ": this Catena was built without HDF5: install libhdf5-dev and configure it again, or write CSV");
}

}  // namespace catena

#endif
