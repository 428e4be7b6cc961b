#include <catena/math/detail/index.hpp>
#include <catena/math/detail/named_error.hpp>
#include <catena/math/detail/nearest.hpp>
#include <catena/measure/measurements.hpp>
#include <catena/measure/parts/builtin_quantities.hpp>
#include <catena/measure/parts/step_integrals.hpp>
#include <catena/system/detail/fit.hpp>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace catena {
using namespace detail;
namespace {

bool is_word_of_all(const std::string& word) { return word.empty() || word == "standard" || word == "all"; }

// "; there are hip, knee": a line of them.
std::string first_of(const std::vector<std::string>& names) {
  constexpr std::size_t most = 10;
  std::string text;
  for (std::size_t k = 0; k < std::min(names.size(), most); ++k)
    text += (k == 0 ? "; there are " : ", ") + names[k];
  return names.size() > most ? text + " and " + std::to_string(names.size() - most) + " more" : text;
}

const char* reason(const Quantity& quantity, bool has_needs) {
  if (quantity.integrated && has_needs) return "it is not integrated in this run";
  switch (quantity.needs) {
    case Needs::bodies:
      return "this system has no bodies";
    case Needs::model:
    case Needs::sides:
    case Needs::constraints:
      return "this system has no such bodies or joints";
    case Needs::discrete:
      return "no element of this system has discrete values";
    case Needs::points:
      return "this problem follows no points";
    case Needs::markers:
      return "no joint of this system has markers, and so an angle or a displacement";
    case Needs::forces:
      return "this system has no forces";
    case Needs::stepper:
    case Needs::monitor:
      return "that is not counted in this run";
    case Needs::nothing:
      break;
  }
  return "it is not there";
}

// An exception of the work of a quantity says its name.
template <class Work>
void named(const Quantity& quantity, const Work& work) {
  try {
    work();
  } catch (...) {
    rethrow_named("quantity \"" + quantity.name + '"');
  }
}

}  // namespace

Measurements::Measurements(const System& system, const Selection& selection, MeasureSources sources)
    : measured_(std::make_unique<const MeasuredSystem>(system, std::move(sources))),
      now_(std::make_unique<Instant>(*measured_)),
      later_(std::make_unique<Instant>(*measured_)) {
  check_words(selection);
  if (selection.empty() || selection.front().quantity.name != "time") bind({time_quantity(), {}, {}});
  for (const ChosenQuantity& chosen : selection)
    if (is_there(chosen.quantity)) bind(chosen);
  // What follows from the state is computed from a row that holds it whole.
  const auto start_of = [&](const char* name, Items items) {
    const MeasuredColumns* columns = find(name);
    if (columns != nullptr && columns->items.empty()) return columns->start;
    return measured_->count(items) == 0 ? 0 : -1;
  };
  q_ = start_of("q", Items::coordinate);
  v_ = start_of("v", Items::velocity);
  lambda_ = start_of("lambda", Items::row);
  discrete_ = start_of("discrete", Items::discrete);
  late_ = q_ >= 0 && v_ >= 0 && lambda_ >= 0 && discrete_ >= 0;
  for (Bound& b : bound_) {
    const Quantity& quantity = columns_[b.columns].quantity;
    const bool by_steps = b.integral >= 0;
    b.late = late_ && !b.chosen_items && quantity.complete && !quantity.on_run_thread && !by_steps;
  }
}

bool Measurements::is_there(const Quantity& quantity) const {
  if (!measured_->has(quantity.needs)) return false;
  const StepIntegrals* integrals = measured_->sources().integrals;
  return !quantity.integrated || (integrals != nullptr && integrals->find(quantity.name) >= 0);
}

// A word that chooses nothing that is there is a mistake of the user's, save those that mean "what there is".
void Measurements::check_words(const Selection& selection) const {
  for (const ChosenQuantity& chosen : selection) {
    if (is_word_of_all(chosen.word)) continue;
    const bool any = std::any_of(selection.begin(), selection.end(), [&](const ChosenQuantity& other) {
      return other.word == chosen.word && is_there(other.quantity);
    });
    if (!any)
      throw SelectionError("\"" + chosen.word + "\" cannot be recorded: " +
                           reason(chosen.quantity, measured_->has(chosen.quantity.needs)));
  }
}

std::vector<int> Measurements::chosen_items(const ChosenQuantity& chosen) const {
  const Items kind = chosen.quantity.items;
  const int count = measured_->count(kind);
  std::vector<int> items;
  for (const std::string& wanted : chosen.items) {
    const std::size_t before = items.size();
    for (int k = 0; k < count; ++k)
      if (measured_->item_key(kind, k) == wanted) items.push_back(k);
    if (items.size() > before) continue;
    std::vector<std::string> keys;
    for (int k = 0; k < count; ++k)
      if (std::string key = measured_->item_key(kind, k); keys.empty() || keys.back() != key)
        keys.push_back(std::move(key));
    const std::string hint = nearest_hint(wanted, keys);
    throw SelectionError("\"" + chosen.quantity.name + "\" has no " + axis_name(kind) + " \"" + wanted +
                         "\"" + (hint.empty() ? first_of(keys) : ": " + hint));
  }
  std::sort(items.begin(), items.end());
  items.erase(std::unique(items.begin(), items.end()), items.end());
  return items;
}

// The numbers of a view are in columns of the state that are there already.
bool Measurements::bind_as_view(MeasuredColumns& columns) const {
  if (!columns.quantity.view || !columns.items.empty()) return false;
  const StateView view = columns.quantity.view(measured_->system());
  if (view.of == Items::one) return false;
  const MeasuredColumns* state = find(view.of == Items::coordinate ? "q" : "v");
  if (state == nullptr || !state->items.empty()) return false;
  columns.start = state->start + view.start;
  columns.stride = view.stride;
  return true;
}

void Measurements::bind(const ChosenQuantity& chosen) {
  MeasuredColumns columns{.quantity = chosen.quantity, .items = chosen_items(chosen)};
  columns.block = columns.quantity.component_count();
  const int all = measured_->count(columns.quantity.items);
  columns.count = columns.items.empty() ? all : static_cast<int>(columns.items.size());
  if (!bind_as_view(columns)) {
    columns.start = width_;
    columns.stride = columns.block;
    width_ += columns.columns();
    const bool by_items = !columns.items.empty();
    if (by_items) scratch_.resize(std::max(scratch_.size(), index(all * columns.block)));
    const StepIntegrals* integrals = measured_->sources().integrals;
    const bool by_steps = columns.quantity.integrated || columns.quantity.counted;
    const int integral = by_steps && integrals != nullptr ? integrals->find(columns.quantity.name) : -1;
    bound_.push_back({columns_.size(), false, by_items, integral});
  }
  columns_.push_back(std::move(columns));
}

const MeasuredColumns* Measurements::find(const std::string& name) const {
  const auto at = std::find_if(columns_.begin(), columns_.end(),
                               [&](const MeasuredColumns& c) { return c.quantity.name == name; });
  return at == columns_.end() ? nullptr : &*at;
}

std::string Measurements::item_name(const MeasuredColumns& columns, int k) const {
  return measured_->item_name(columns.quantity.items, columns.items.empty() ? k : columns.items[index(k)]);
}

std::vector<std::string> Measurements::column_names() const {
  std::vector<std::string> names(index(width_));
  for (const Bound& b : bound_) {
    const MeasuredColumns& c = columns_[b.columns];
    for (int k = 0; k < c.count; ++k)
      for (int i = 0; i < c.block; ++i) {
        std::string& name = names[index(c.column(k, i))];
        name = c.quantity.name;
        if (!c.quantity.components.empty()) name += ' ' + c.quantity.components[index(i)];
        if (c.quantity.items != Items::one) name += " of " + item_name(c, k);
      }
  }
  return names;
}

void Measurements::take(const State& state, const Outcome& outcome, double* row) {
  if (const std::string misfit = misfit_of(measured_->system().layout(), state); !misfit.empty())
    throw std::invalid_argument(misfit);
  now_->move_to(state, outcome);
  for (const Bound& b : bound_) {
    const MeasuredColumns& c = columns_[b.columns];
    double* out = b.chosen_items ? scratch_.data() : row + c.start;
    if (b.integral >= 0 && c.quantity.integrated) {
      measured_->sources().integrals->value(b.integral, state.t, out);
    } else {
      named(c.quantity, [&] {
        if (c.quantity.evaluate) c.quantity.evaluate(*now_, out);
        if (c.quantity.complete && !b.late) c.quantity.complete(*now_, out);
      });
      if (b.integral >= 0) measured_->sources().integrals->count_turns(b.integral, *now_, out);
    }
    if (!b.chosen_items) continue;
    double* to = row + c.start;
    for (const int item : c.items) to = std::copy_n(out + item * c.block, c.block, to);
  }
}

void Measurements::complete(double* row) {
  if (!late_) return;
  later_->move_to(row[0], row + q_, row + v_, row + lambda_, row + discrete_);
  for (const Bound& b : bound_)
    if (b.late) {
      const MeasuredColumns& c = columns_[b.columns];
      named(c.quantity, [&] { c.quantity.complete(*later_, row + c.start); });
    }
}

}  // namespace catena
