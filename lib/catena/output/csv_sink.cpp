#include <catena/kkt/detail/redundancy.hpp>
#include <catena/math/detail/index.hpp>
#include <catena/output/detail/csv_sink.hpp>

#include <algorithm>
#include <system_error>
#include <utility>

namespace catena::detail {
namespace {

constexpr const char* coordinates_name = "coordinates.csv";

// The tables, in the order in which they are opened.
constexpr struct NamedTable {
  const char* name;
  Items items;
  const char* keys;
} named_tables[] = {{"scalars.csv", Items::one, ""},
                    {"points.csv", Items::point, ",point"},
                    {"bodies.csv", Items::body, ",body"},
                    {coordinates_name, Items::coordinate, ""},
                    {"multipliers.csv", Items::row, ",constraint,row"},
                    {"reactions.csv", Items::side, ",constraint,body,open,rule"},
                    {"joints.csv", Items::joint, ",constraint"},
                    {"forces.csv", Items::force, ",force"},
                    {"constraints.csv", Items::constraint, ",constraint"}};

// The components of the reaction that redundant rows leave open.
std::string open_text(const MeasuredSystem& measured, const ReactionSide& side) {
  const Redundancy* const redundancy = measured.sources().redundancy;
  const Redundancy::Open* const open = redundancy == nullptr ? nullptr : redundancy->open_of(side.constraint);
  return open == nullptr ? "" : components(*open);
}

// Which of the open reactions they are: that of --reactions, else the stepper's.
std::string rule_text(const MeasuredSystem& measured) {
  const std::string& rule = measured.sources().reactions.text;
  return rule.empty() ? "stepper" : rule;
}

}  // namespace

bool is_of_state(Items items) {
  return items == Items::coordinate || items == Items::velocity || items == Items::discrete;
}

Selection in_text(const Selection& selection, const System& system, CsvTables tables) {
  const bool model = bodies_of(system) != nullptr;
  Selection kept;
  for (const ChosenQuantity& chosen : selection) {
    const Items items = chosen.quantity.items;
    if (tables == CsvTables::scalars && items != Items::one && items != Items::point) continue;
    if (model && chosen.word == "standard" && (is_of_state(items) || items == Items::side)) continue;
    kept.push_back(chosen);
  }
  return kept;
}

CsvSink::CsvSink(std::filesystem::path folder, Recording recording, CsvTables tables, double interval)
    : folder_(std::move(folder)),
      recording_(std::move(recording)),
      which_(tables),
      interval_(std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(interval))) {}

std::vector<std::filesystem::path> CsvSink::files() const { return files_; }

void CsvSink::begin(const System& system) {
  open(system, nullptr);
  show();  // the headers
}

void CsvSink::resume(const System& system, const State&, double last) {
  open(system, &last);
  std::size_t column = 1;  // of the total energy in scalars.csv, behind the time
  for (const MeasuredColumns* c : tables_.front().columns) {
    if (c->quantity.name == "energy/total")
      measurements_->set_energy_initial(tables_.front().file->first_row_number(column));
    column += index(c->columns());
  }
}

// The cells that name an item, in front of its numbers.
std::string CsvSink::keys_of(Items items, const MeasuredColumns& columns, int k) const {
  const MeasuredSystem& measured = measurements_->measured();
  const int item = columns.items.empty() ? k : columns.items[index(k)];
  if (items == Items::one) return {};
  if (items == Items::row) {
    const MeasuredSystem::Row row = measured.row(item);
    return ',' + csv_cell(measured.system().constraint_name(row.constraint)) + ',' +
           std::to_string(row.number);
  }
  if (items == Items::side) {
    const ReactionSide& side = measured.sides()[index(item)];
    const std::string open = open_text(measured, side);
    return ',' + csv_cell(measured.system().constraint_name(side.constraint)) + ',' +
           csv_cell(measured.item_name(Items::body, side.block)) + ',' + csv_cell(open) + ',' +
           (open.empty() ? "" : csv_cell(rule_text(measured)));
  }
  return ',' + csv_cell(measured.item_name(items, item));
}

// last: of the rows to keep; null: new files.
void CsvSink::open_table(const char* name, Items items, const std::string& keys, const double* last) {
  Table table{items, nullptr, {}, {}};
  std::string header = "time [s]" + keys;
  for (const MeasuredColumns& c : measurements_->columns()) {
    if (c.quantity.items != items || c.count == 0 || c.quantity.name == "time") continue;
    // Rows of one table belong to the same items.
    if (!table.columns.empty() && table.columns.front()->items != c.items) continue;
    table.columns.push_back(&c);
    for (int k = 0; k < c.block; ++k) header += ',' + csv_cell(c.quantity.column_title(k));
  }
  if (table.columns.empty() && items != Items::one) return;
  const int count = table.columns.empty() ? 1 : table.columns.front()->count;
  for (int k = 0; k < count; ++k)
    table.keys.push_back(table.columns.empty() ? "" : keys_of(items, *table.columns.front(), k));
  files_.push_back(folder_ / name);
  table.file = last != nullptr ? std::make_unique<CsvTable>(files_.back(), header, *last)
                               : std::make_unique<CsvTable>(files_.back(), header);
  tables_.push_back(std::move(table));
}

void CsvSink::open_coordinates(const double* last) {
  Table table{Items::coordinate, nullptr, {}, {}};
  for (const MeasuredColumns& c : measurements_->columns())
    if (is_of_state(c.quantity.items) && c.count > 0) {
      table.columns.push_back(&c);
      for (int k = 0; k < c.count; ++k)
        table.keys.push_back(',' + c.quantity.name + ',' +
                             std::to_string(c.items.empty() ? k : c.items[index(k)]));
    }
  if (table.columns.empty()) return;
  files_.push_back(folder_ / coordinates_name);
  const char* header = "time [s],kind,index,value";
  table.file = last != nullptr ? std::make_unique<CsvTable>(files_.back(), header, *last)
                               : std::make_unique<CsvTable>(files_.back(), header);
  tables_.push_back(std::move(table));
}

void CsvSink::open(const System& system, const double* last) {
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  if (error) throw SinkError("cannot create the folder " + folder_.string() + ": " + error.message());
  files_.clear();
  tables_.clear();
  measurements_ = std::make_unique<Measurements>(system, in_text(recording_.selection, system, which_),
                                                 recording_.sources);
  row_.assign(index(measurements_->width()), 0.0);
  for (const NamedTable& table : named_tables)
    if (is_of_state(table.items))
      open_coordinates(last);
    else
      open_table(table.name, table.items, table.keys, last);
}

std::vector<std::string> CsvSink::names() {
  std::vector<std::string> names;
  for (const NamedTable& table : named_tables) names.emplace_back(table.name);
  return names;
}

void CsvSink::accept(const State& state, const Outcome& outcome) {
  check();
  if (!waiting_) due_ = Clock::now() + interval_;
  waiting_ = true;
  (*measurements_)(state, outcome, row_.data());
  time_.clear();
  append_number(time_, state.t, Precision::float64);
  for (Table& table : tables_)
    if (is_of_state(table.items))
      write_coordinates(table);
    else
      write(table);
  show_if_due();
}

// What was written is in the files, and remains there when the program is killed.
void CsvSink::show() {
  for (Table& table : tables_) table.file->show();
  waiting_ = false;
}

void CsvSink::show_if_due() {
  if (waiting_ && Clock::now() >= due_) show();
}

void CsvSink::show_in_time() {
  try {
    show_if_due();
  } catch (const SinkError& error) {
    waiting_ = false;
    failure_ = error.what();
  }
}

void CsvSink::check() const {
  if (!failure_.empty()) throw SinkError(failure_);
}

void CsvSink::write(Table& table) {
  CsvTable& file = *table.file;
  for (std::size_t k = 0; k < table.keys.size(); ++k) {
    file.cells(time_);
    file.cells(table.keys[k]);
    for (const MeasuredColumns* c : table.columns)
      for (int i = 0; i < c->block; ++i)
        file.number(row_[index(c->column(static_cast<int>(k), i))], recording_.precision);
    file.end_row();
  }
}

void CsvSink::write_coordinates(Table& table) {
  std::size_t key = 0;
  for (const MeasuredColumns* c : table.columns)
    for (int k = 0; k < c->count; ++k) {
      table.file->cells(time_);
      table.file->cells(table.keys[key++]);
      table.file->number(row_[index(c->column(k))], recording_.precision);
      table.file->end_row();
    }
}

void CsvSink::flush() {
  check();
  for (Table& table : tables_) table.file->sync();
  waiting_ = false;
}

void CsvSink::end() {
  check();
  for (Table& table : tables_) table.file->close();
}

}  // namespace catena::detail
