// Line drawings of results: a figure is data, gnuplot draws it.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace catena::detail {

struct Curve {
  std::string label;                   // empty: not in the key
  std::vector<double> x = {}, y = {};  // of one length; a NaN breaks the line
  bool points = false;                 // marks instead of a line
};

struct Figure {
  std::string name;              // file name without ending: letters, digits, '_' and '-'
  std::string caption;           // one sentence: what is seen, and of which run
  std::string x_label, y_label;  // with the unit: "time [s]"
  std::vector<Curve> curves = {};
  bool log_x = false, log_y = false;  // values <= 0 are left out
  bool equal_axes = false;
};

// The files that draw() makes of a figure of this name.
std::vector<std::string> figure_files(const std::string& name);

// Writes folder/name.csv (columns x, y of every curve) and folder/name.gp, and draws name.png and name.svg with
// gnuplot. False: gnuplot is not installed or failed; the data are written. Throws SinkError where a file cannot be
// written.
bool draw(const Figure& figure, const std::filesystem::path& folder);

}  // namespace catena::detail
