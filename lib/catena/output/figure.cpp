#include <catena/driver/sink.hpp>
#include <catena/math/detail/printed.hpp>
#include <catena/output/detail/figure.hpp>
#include <catena/output/detail/other_program.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <fstream>
#include <iterator>
#include <string_view>
#include <system_error>

namespace catena::detail {
namespace {

std::ofstream new_file(const std::filesystem::path& path) {
  std::ofstream stream(path);
  if (!stream) throw SinkError("cannot write " + path.string());
  return stream;
}

void finish(std::ofstream& stream, const std::filesystem::path& path) {
  stream.close();
  if (!stream) throw SinkError("cannot write " + path.string());
}

// Between double quotes gnuplot would run as a command what a text has between backquotes.
std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') out += c;
    out += c == '\n' || c == '\r' || c == '\t' ? ' ' : c;
  }
  return out + "'";
}

void write_data(const Figure& figure, const std::filesystem::path& path) {
  std::ofstream data = new_file(path);
  std::size_t rows = 0;
  for (std::size_t k = 0; k < figure.curves.size(); ++k) {
    const Curve& curve = figure.curves[k];
    assert(curve.x.size() == curve.y.size());
    rows = std::max(rows, curve.x.size());
    const std::string label = curve.label.empty() ? "curve " + std::to_string(k + 1) : curve.label;
    std::string cell = figure.x_label + " of " + label + "\",\"" + figure.y_label + " of " + label;
    std::replace(cell.begin(), cell.end(), '\n', ' ');
    data << (k > 0 ? "," : "") << '"' << cell << '"';
  }
  data << '\n';
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t k = 0; k < figure.curves.size(); ++k) {
      const Curve& curve = figure.curves[k];
      if (k > 0) data << ',';
      if (row >= curve.x.size()) {
        data << ',';
        continue;
      }
      data << printed("%.9g,", curve.x[row]);
      if (std::isfinite(curve.y[row])) data << printed("%.9g", curve.y[row]);
    }
    data << '\n';
  }
  finish(data, path);
}

// gnuplot warns of an axis without an extent, and then takes one itself: of equal numbers one per cent about them.
void widen(std::ofstream& script, const Figure& figure, const char* axis,
           std::vector<double> Curve::*numbers) {
  double least = INFINITY, largest = -INFINITY;
  for (const Curve& curve : figure.curves)
    for (const double number : curve.*numbers)
      if (std::isfinite(number)) {
        least = std::min(least, number);
        largest = std::max(largest, number);
      }
  constexpr double last_digit = 1e-8;  // of what write_data() prints
  if (!(largest - least <= last_digit * std::abs(largest))) return;
  const double margin = least == 0.0 ? 1.0 : 0.01 * std::abs(least);
  script << printed("set %srange [%.9g:%.9g]\n", axis, least - margin, least + margin);
}

void write_script(const Figure& figure, const std::filesystem::path& path) {
  static const char* const colours[] = {"#2f6db5", "#d9822b", "#3c9a5f", "#a84a8c", "#8a8f98", "#30343a"};
  // A colour that comes again has another dash or mark: 24 curves can be distinguished.
  static const char* const dashes[] = {"", " dt (14,6)", " dt (3,4)", " dt (14,5,3,5)"};
  static const char* const marks[] = {"7", "5", "9", "13"};
  constexpr std::size_t colour_count = std::size(colours), style_count = std::size(dashes);
  std::ofstream script = new_file(path);
  script << "set datafile separator ','\n"
            "set border 3 lc rgb '#30343a'; set tics nomirror out scale 0.6\n"
            "set grid lc rgb '#e3e6ea' lw 1 lt 1; set key noenhanced samplen 3 spacing 1.15 outside below "
            "height 1\n"
         << "set title " << quoted(figure.caption) << " noenhanced font ',10'\n"
         << "set xlabel " << quoted(figure.x_label) << " noenhanced; set ylabel " << quoted(figure.y_label)
         << " noenhanced\n";
  if (figure.log_x) script << "set logscale x; set format x '10^{%L}'\n";
  if (figure.log_y) script << "set logscale y; set format y '10^{%L}'\n";
  widen(script, figure, "x", &Curve::x);
  widen(script, figure, "y", &Curve::y);
  if (figure.equal_axes) script << "set size ratio -1\n";
  for (const char* form : {"png", "svg"}) {
    const bool png = std::string(form) == "png";
    script << "set terminal " << (png ? "pngcairo" : "svg")
           << " size 900,560 font 'DejaVu Sans,11' background rgb 'white'\n"
           << "set output " << quoted(figure.name + "." + form) << "\nplot ";
    for (std::size_t k = 0; k < figure.curves.size(); ++k) {
      const Curve& curve = figure.curves[k];
      script << (k > 0 ? ", \\\n     " : "") << quoted(figure.name + ".csv") << " skip 1 using " << 2 * k + 1
             << ":" << 2 * k + 2 << " with ";
      const std::size_t style = k / colour_count % style_count;
      if (curve.points)
        script << "points pt " << marks[style] << " ps 0.7";
      else
        script << "lines lw 1.6" << dashes[style];
      script << " lc rgb '" << colours[k % colour_count] << "' ";
      if (curve.label.empty())
        script << "notitle";
      else
        script << "title " << quoted(curve.label);
    }
    script << "\nunset output\n";
  }
  finish(script, path);
}

// gnuplot ends with 0 where the disk has no space for the picture.
void refuse_cut(const std::filesystem::path& file, std::string_view end) {
  std::ifstream stream(file, std::ios::binary | std::ios::ate);
  const std::streamoff size = stream.tellg();
  std::string last(static_cast<std::size_t>(std::clamp<std::streamoff>(size, 0, 20)), '\0');
  stream.seekg(-static_cast<std::streamoff>(last.size()), std::ios::end);
  stream.read(last.data(), static_cast<std::streamsize>(last.size()));
  if (!stream || last.find(end) == std::string::npos)
    throw SinkError("cannot write " + file.string() +
                    ": gnuplot has written a part of it: is the disk full, or the size of files limited?");
}

bool run_gnuplot(const std::filesystem::path& folder, const std::string& script) {
  // gnuplot changes the folder itself: paths in the script stay relative, and the script can be run again
  const ProgramEnd end =
      run_program("gnuplot", {"-e", "cd " + quoted(folder.string()), (folder / script).string()}, {});
  return end.error == 0 && end.status == 0;
}

}  // namespace

std::vector<std::string> figure_files(const std::string& name) {
  return {name + ".csv", name + ".gp", name + ".png", name + ".svg"};
}

bool draw(const Figure& figure, const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw SinkError("cannot create the folder " + folder.string() + ": " + error.message());
  const std::filesystem::path where = std::filesystem::absolute(folder);
  write_data(figure, where / (figure.name + ".csv"));
  write_script(figure, where / (figure.name + ".gp"));
  if (!run_gnuplot(where, figure.name + ".gp")) return false;
  refuse_cut(where / (figure.name + ".png"), "IEND");
  refuse_cut(where / (figure.name + ".svg"), "</svg>");
  return true;
}

}  // namespace catena::detail
