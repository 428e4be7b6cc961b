#include <catena/driver/sink.hpp>
#include <catena/experiment/detail/run_folder.hpp>
#include <catena/output/detail/csv_table.hpp>
#include <catena/output/detail/file_list.hpp>
#include <catena/output/detail/growing_file.hpp>
#include <catena/output/detail/result_fields.hpp>
#include <catena/study/detail/companion_run.hpp>

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

namespace catena::detail {
namespace {

void write_csv(const Table& bars, const std::filesystem::path& file) {
  std::string header;
  for (std::size_t c = 0; c < bars.columns.size(); ++c)
    header += (c == 0 ? "" : ",") + csv_cell(fmt::format("{} [{}]", bars.columns[c], bars.units[c]));
  CsvTable table(file, header);
  for (std::size_t row = 0; row < bars.rows(); ++row) {
    std::string time;
    append_number(time, bars.at(row, 0), Precision::float64);
    table.cells(time);
    for (std::size_t c = 1; c < bars.columns.size(); ++c) table.number(bars.at(row, c), Precision::float64);
    table.end_row();
  }
  table.close();
}

// Names of the items of a quantity of which some are chosen, a line each: columns are called "joints/angle of hip", and with a
// component "bodies/position x of hip".
std::string chosen_items(const MeasuredColumns& columns, const Table& bars) {
  const Quantity& q = columns.quantity;
  const std::size_t before = q.name.size() + (q.components.empty() ? 0 : 1 + q.components.front().size()) + 4;
  std::string names;
  for (std::size_t k = 0; k < columns.items.size(); ++k)
    names += (k > 0 ? "\n" : "") +
             bars.columns[static_cast<std::size_t>(columns.column(static_cast<int>(k)))].substr(before);
  return names;
}

void write_hdf5(const MeasuredBars& measured, const std::filesystem::path& file) {
  const Table& bars = measured.bars;
  ResultsContent content;
  content.width = static_cast<int>(bars.columns.size());
  for (MeasuredColumns quantity : bars.quantities) {
    quantity.quantity.whole = false;  // the bar of a count is a number
    content.add_columns(quantity, chosen_items(quantity, bars));
  }
  content.groups.push_back({"/",
                            {{"format", "catena error bars"},
                             {"schema", std::to_string(result_schema)},
                             {"companion", measured.summary.companion},
                             {"units", "SI; every dataset has the attributes unit, frame and axes"}}});
  GrowingFile grown(file, create_results(file, content), content.width);
  grown.append(bars.values.data(), bars.rows());
  grown.sync();
}

}  // namespace

// The CSV comes last, under its name when it is whole: a resumed run that finds it has all.
std::vector<std::string> write_error_bars(const MeasuredBars& measured, const std::string& folder) {
  const std::filesystem::path at = folder, csv = at / error_bars_csv, h5 = at / error_bars_h5;
  std::filesystem::path fresh = csv;
  fresh += ".new";
  FileList list(folder);
  const bool with_hdf5 = has_hdf5() && list.lists("results.h5") && std::filesystem::exists(at / "results.h5");
  std::vector<std::string> names{error_bars_csv, fresh.filename().string()}, files{csv.string()};
  if (with_hdf5) names.insert(names.end(), {error_bars_h5, std::string(error_bars_h5) + ".new"});
  list.claim(names);
  if (with_hdf5) {
    write_hdf5(measured, h5);
    files.push_back(h5.string());
  }
  write_csv(measured.bars, fresh);
  std::error_code error;
  std::filesystem::rename(fresh, csv, error);
  if (error) throw SinkError("cannot create " + csv.string() + ": " + error.message());
  list.leave_out_missing();
  return files;
}

}  // namespace catena::detail
