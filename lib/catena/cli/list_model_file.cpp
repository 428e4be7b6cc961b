#include <catena/cli/list_model_file.hpp>
#include <catena/io/number_with_unit.hpp>
#include <catena/io/run_section.hpp>

namespace catena {
namespace {

using Cells = Listing::Cells;

const char* const introduction =
    "`catena run chain.yaml` runs a model from a file, `catena check` looks it over, `catena write` writes "
    "one. [Write a "
    "model file](../howto/write_a_model_file.md) shows the whole; this page lists every key. Files are YAML "
    "in UTF-8, one "
    "document, without tags. Numbers are plain, or have a unit that measures the same as the unit of their "
    "key: `2 deg`, "
    "`9.81 m/s^2`, `12 kg`; there are no expressions. All mistakes are reported at once, with line and "
    "column.";

void table(Listing& listing, const std::vector<KeyInfo>& keys) {
  std::vector<Cells> rows{{"key", "form", "unit", "default", "meaning"}};
  for (const KeyInfo& k : keys) rows.push_back({k.key, k.form, k.unit, k.standard, k.meaning});
  listing.table(rows);
}

void members(Listing& listing, const std::vector<CatalogElement>& elements) {
  for (const CatalogElement& e : elements) {
    if (e.members.empty()) continue;
    listing.paragraph("type: " + e.name + ", " + e.summary + ".");
    std::vector<Cells> rows{{"key", "default", "unit", "range", "meaning"}};
    for (const OptionRow& m : e.members)
      rows.push_back({m.value.name, m.value.name == "bodies" ? "required" : to_text(m.value), m.value.unit,
                      m.range, m.meaning});
    listing.table(rows);
  }
}

}  // namespace

void list_model_file(const Catalog& catalog, Listing& listing) {
  listing.page("Model files", introduction);
  for (const KeyTable& t : model_file_tables()) {
    listing.entry(t.title, t.about);
    table(listing, t.keys);
    listing.end_entry();
  }
  listing.entry(
      "Joints",
      "Items of joints and elements. bodies are names of bodies, or ground; one alone needs no list.");
  members(listing, catalog.constraints());
  listing.end_entry();
  listing.entry("Forces", "Items of forces and elements.");
  members(listing, catalog.forces());
  listing.end_entry();
  listing.entry("Run", "How to run the model. What the command line says counts more.");
  table(listing, run_section_keys());
  listing.end_entry();
  listing.entry(
      "Units",
      "Products and quotients of these, with powers: N s/m, kg m^2, m/s^2. A slash divides by the one behind "
      "it; angles are no pure numbers.");
  std::vector<Cells> rows{{"unit", "is"}};
  for (const UnitName& u : unit_names()) rows.push_back({u.name, u.meaning});
  listing.table(rows);
  listing.end_entry();
}

}  // namespace catena
