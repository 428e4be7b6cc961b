#include <catena/math/detail/index.hpp>
#include <catena/output/detail/csv_sink.hpp>
#include <catena/output/detail/result_size.hpp>
#include <catena/output/detail/vtk_sink.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace catena::detail {
namespace {

constexpr double remarkable = 1e8;  // bytes; what a mailbox or a notebook refuses

// Letters of a number with its comma: 17 digits of which the last are often zero, point, sign, sometimes an exponent.
double letters(Precision precision) { return precision == Precision::float32 ? 12.0 : 20.0; }

double csv_bytes(const Measurements& measured, Precision precision) {
  double bytes = 0.0;
  bool seen[static_cast<int>(Items::constraint) + 1] = {};  // tables whose keys are counted; that is the last
  for (const MeasuredColumns& c : measured.columns()) {
    const Items items = c.quantity.items;
    bytes += letters(precision) * c.columns();
    if (items == Items::one || c.count == 0) continue;
    const double keys =
        letters(Precision::float64) + static_cast<double>(measured.item_name(c, c.count - 1).size());
    const bool of_state = is_of_state(items);  // a row a number
    if (of_state || !seen[static_cast<int>(items)]) bytes += keys * c.count;
    seen[static_cast<int>(items)] = true;
  }
  return bytes;
}

double vtk_bytes(const Measurements& measured, Precision precision) {
  const double number = (precision == Precision::float32 ? 4.0 : 8.0) * 4.0 / 3.0;  // base64
  const double bodies = measured.measured().body_count(),
               sides = static_cast<double>(measured.measured().sides().size());
  const double floats = 3.0 + 4.0 + 3.0 + 3.0 + 1.0, wholes = 1.0 + 1.0, whole = 32.0 / 3.0;
  double bytes = 4000.0 + bodies * (floats * number + wholes * whole) + sides * (9.0 * number + 4.0 * whole);
  const auto add_shape = [&](const VtkShape& shape) {
    double faces = shape.faces.empty() ? 0.0 : 2.0;
    for (const auto& face : shape.faces) faces += 1.0 + static_cast<double>(face.size());
    bytes += static_cast<double>(shape.points.size()) * (3.0 * number + whole) + faces * whole;
  };
  if (const BodySystem* system = measured.measured().model_system()) {
    for (const Body& body : system->model().bodies())
      if (!body.fixed) add_shape(vtk_shape(body));
    bytes += static_cast<double>(vtk_lines(system->model()).size()) * (7.0 * number + 5.0 * whole);
  } else {
    bytes += bodies * 8.0 * (3.0 * number + whole);
  }
  for (const MeasuredColumns& c : measured.columns()) {
    const Items items = c.quantity.items;
    if (items == Items::one || items == Items::joint || items == Items::force || items == Items::constraint)
      bytes += 150.0 + number * c.columns();
  }
  return bytes;
}

}  // namespace

int standard_every(double steps) {
  return std::max(1, static_cast<int>(std::min(1e9, std::floor(steps / standard_instants + 1e-9))));
}

ResultSize result_size(const ResultsOptions& options, const ResultsContext& context, double instants) {
  const System& system = *context.system;
  const QuantityCatalog quantities =
      context.quantities != nullptr ? *context.quantities : builtin_quantities();
  const Selection selection = select(quantities, options.record, context.multipliers);
  const MeasureSources sources{context.points,     nullptr,           context.monitor,    context.integrals,
                               context.redundancy, context.reactions, context.multipliers};
  ResultSize size{.instants = instants};
  for (const std::string& format : chosen_formats(options, system)) {
    double bytes = 0.0;
    if (format == "hdf5")
      bytes = 8.0 * (Measurements(system, selection, sources).width() + 4);  // 4: the counters of the stepper
    else if (format == "vtk")
      bytes = vtk_bytes(Measurements(system, besides_motion(selection), sources), options.precision);
    else
      bytes = csv_bytes(
          Measurements(system,
                       in_text(selection, system, format == "csv" ? CsvTables::all : CsvTables::scalars),
                       sources),
          options.precision);
    size.peak_bytes += bytes * instants;
    if (format == "hdf5" && options.precision == Precision::float32) bytes *= 0.5;
    size.bytes += bytes * instants;
  }
  return size;
}

std::string size_remark(const ResultSize& size) {
  if (size.peak_bytes <= remarkable) return {};
  const auto readable = [](double bytes) {
    return bytes < 1e9 ? fmt::format("{:.0f} MB", bytes / 1e6) : fmt::format("{:.1f} GB", bytes / 1e9);
  };
  std::string text =
      fmt::format("the results will take about {} for {:.0f} instants", readable(size.bytes), size.instants);
  if (size.peak_bytes > 1.05 * size.bytes)
    text += fmt::format(", {} while the run lasts", readable(size.peak_bytes));
  return text +
         ": fewer instants (--every), quantities (--record) or digits (--precision float32) make them "
         "smaller";
}

}  // namespace catena::detail
