// What a run gives to Python: its record, and where the numbers of each quantity are.
#pragma once
#include <catena/driver/sink.hpp>
#include <catena/measure/parts/measured_system.hpp>

#include "module.hpp"

#include <algorithm>

namespace catena::python {

// Of one quantity, in the rows of the table of a record.
struct Columns {
  Quantity quantity;
  std::vector<std::string> items;  // names; empty: of the whole system
  int start, stride, count;
};
struct Run {
  Record record;
  std::vector<Columns> columns = {};
  std::int64_t python_calls = 0, python_nanoseconds = 0;  // of the process while it ran
};

// Knows the system of a run as soon as there is one, and then the names of bodies and where the state has their numbers.
class Names final : public Sink {
 public:
  void begin(const System& system) override {
    const MeasuredSystem measured(system, {});
    for (const Quantity& q : catalog_->quantities().all()) {
      if (!q.view || !measured.has(q.needs)) continue;
      Columns c{.quantity = q, .items = {}, .start = 0, .stride = 0, .count = measured.count(q.items)};
      const StateView view = q.view(system);
      if (view.of == Items::one) continue;
      c.start = view.start;
      c.stride = view.stride;
      for (int k = 0; k < c.count; ++k) c.items.push_back(measured.item_name(q.items, k));
      (view.of == Items::coordinate ? of_q_ : of_v_).push_back(std::move(c));
    }
  }
  void accept(const State&, const Outcome&) override {}

  // By the names of the columns: "energy/kinetic", "reactions/force x of joint ...".
  void fill(Run& run) const {
    const std::vector<std::string>& names = run.record.table.columns;
    for (const Quantity& q : catalog_->quantities().all()) {
      std::string first = q.name;
      if (!q.components.empty()) first += ' ' + q.components.front();
      if (q.items != Items::one) first += " of ";
      const int block = q.component_count();
      const auto is_first = [&](const std::string& name) {
        return q.items == Items::one ? name == first : name.starts_with(first);
      };
      const auto begin = std::find_if(names.begin(), names.end(), is_first);
      Columns c{q, {}, static_cast<int>(begin - names.begin()), block, 0};
      for (auto at = begin; at < names.end() && is_first(*at); at += block, ++c.count)
        if (q.items != Items::one) c.items.push_back(at->substr(first.size()));
      if (c.count > 0) run.columns.push_back(std::move(c));
    }
    add_views(run, "q", of_q_);
    add_views(run, "v", of_v_);
  }

 private:
  // Quantities whose numbers are those of the state, where the whole state is there and not they themselves.
  static void add_views(Run& run, const std::string& state, const std::vector<Columns>& views) {
    const auto named = [](const std::string& name) {
      return [&name](const Columns& c) { return c.quantity.name == name; };
    };
    const auto whole = std::find_if(run.columns.begin(), run.columns.end(), named(state));
    if (whole == run.columns.end()) return;
    const int start = whole->start;
    for (const Columns& view : views) {
      if (std::any_of(run.columns.begin(), run.columns.end(), named(view.quantity.name))) continue;
      run.columns.push_back(view);
      run.columns.back().start += start;
    }
  }

  std::shared_ptr<const Catalog> catalog_ = catalog();
  std::vector<Columns> of_q_, of_v_;
};

}  // namespace catena::python
