// A choice of quantities bound to a system: one instant of a run as a row of numbers, and the columns of each quantity in it.
//
//   Measurements measure(system, select(builtin_quantities(), "energy,joints:hip"));
//   std::vector<double> row(measure.width());
//   measure(state, {}, row.data());                                     // Outcome{}: no step has led here
//   const double angle = row[measure.find("joints/angle")->column(0)];  // of "hip" [rad]
//
// Units and frames are those of the quantities (docs/reference/quantities.md). Not for two threads at once, save take() beside
// complete().
#pragma once
#include <catena/measure/parts/builtin_quantities.hpp>
#include <catena/measure/parts/instant.hpp>
#include <catena/measure/parts/quantity_catalog.hpp>

#include <memory>
#include <string>
#include <vector>

namespace catena {

// Columns of one quantity in a row: count blocks of `block` numbers, the first at column `start`, each `stride` columns
// behind the one before.
struct MeasuredColumns {
  Quantity quantity;
  std::vector<int> items = {};  // the chosen ones, ascending; empty: all
  int start = 0, stride = 1, count = 1, block = 1;

  int columns() const { return count * block; }
  int column(int k, int component = 0) const { return start + k * stride + component; }
};

class Measurements {
 public:
  // Throws SelectionError where the selection names items that the system does not have, or where nothing of what
  // a word of it chooses is there. Quantities that the system does not have are left out. The first column is the time.
  // The system outlives it.
  Measurements(const System& system, const Selection& selection, MeasureSources sources = {});

  int width() const { return width_; }  // numbers of a row, the time first
  // In the order of the catalog; views (Quantity::view) lie in the columns of q and v.
  const std::vector<MeasuredColumns>& columns() const { return columns_; }
  const MeasuredColumns* find(const std::string& name) const;  // null: not among them
  const MeasuredSystem& measured() const { return *measured_; }
  // Of the k-th item that was chosen.
  std::string item_name(const MeasuredColumns& columns, int k) const;
  // Of every column of a row: "bodies/position x of link 3".
  std::vector<std::string> column_names() const;

  // Fills a row of width() numbers at a state of the system; outcome: of the step that led there. What a quantity throws
  // is passed on with its name, as a std::runtime_error; the state of another system is a std::invalid_argument. Allocates nothing after the first row for systems of bodies, and
  // where no quantity of the user's does.
  void operator()(const State& state, const Outcome& outcome, double* row) {
    take(state, outcome, row);
    complete(row);
  }
  // The same in two parts: what needs the state, and what follows from the row. Another thread may complete rows
  // while this one takes further ones.
  void take(const State& state, const Outcome& outcome, double* row);
  void complete(double* row);

  // Of a resumed run, where no monitor knows it [J].
  void set_energy_initial(double energy) { now_->set_energy_initial(energy); }

 private:
  struct Bound {
    std::size_t columns;      // number in columns_
    bool late, chosen_items;  // completed later; by way of scratch_
    int integral;             // number in MeasureSources::integrals; -1: evaluated at the instant
  };
  bool is_there(const Quantity& quantity) const;
  void bind(const ChosenQuantity& chosen);
  bool bind_as_view(MeasuredColumns& columns) const;
  std::vector<int> chosen_items(const ChosenQuantity& chosen) const;
  void check_words(const Selection& selection) const;

  std::unique_ptr<const MeasuredSystem> measured_;  // stays where it is when this moves
  std::unique_ptr<Instant> now_, later_;
  std::vector<MeasuredColumns> columns_;
  std::vector<Bound> bound_;  // without views
  std::vector<double> scratch_;
  int width_ = 0;
  bool late_ = false;  // the row holds the state, and complete() has something to do
  int q_ = -1, v_ = -1, lambda_ = -1, discrete_ = -1;
};

}  // namespace catena
