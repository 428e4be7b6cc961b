// Arrays and files of VTK's XML formats, with the numbers in base64.
#pragma once
#include <string>
#include <vector>

namespace catena {

// <DataArray ...>: values.size() / components tuples of doubles.
std::string vtk_array(const std::string& name, int components, const std::vector<double>& values);
// The same of whole numbers.
std::string vtk_array(const std::string& name, int components, const std::vector<long long>& values);
// The VTK code of a kind of cell, for all of them.
std::string vtk_types(std::size_t count, int code);

// <VTKFile> of that type ("UnstructuredGrid", "PolyData", "Collection") around content.
std::string vtk_file(const std::string& type, const std::string& content);

}  // namespace catena
