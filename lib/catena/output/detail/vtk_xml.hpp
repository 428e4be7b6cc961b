// Arrays and files of VTK's XML formats, with the numbers in base64.
#pragma once
#include <catena/output/parts/recording.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace catena::detail {

// <DataArray ...>: values.size() / components tuples of numbers of that precision.
std::string vtk_array(const std::string& name, int components, const std::vector<double>& values,
                      Precision precision = Precision::float64);
// The same of whole numbers.
std::string vtk_array(const std::string& name, int components, const std::vector<long long>& values);
// <Array type="String">: one text.
std::string vtk_text(const std::string& name, const std::string& text);
// The VTK codes of kinds of cells.
std::string vtk_types(const std::vector<std::uint8_t>& codes);

// <VTKFile> of that type ("UnstructuredGrid", "PolyData", "Collection") around content.
std::string vtk_file(const std::string& type, const std::string& content);

}  // namespace catena::detail
