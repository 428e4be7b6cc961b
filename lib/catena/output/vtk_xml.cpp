#include <catena/output/detail/base64.hpp>
#include <catena/output/detail/vtk_xml.hpp>

#include <fmt/format.h>

#include <cstdint>
#include <cstring>

namespace catena::detail {
namespace {

// Within quotation marks.
std::string xml_text(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '"')
      out += "&quot;";
    else
      out += c;
  }
  return out;
}

template <class T>
std::string array(const char* type, const std::string& name, int components, const std::vector<T>& values) {
  const std::uint64_t size = values.size() * sizeof(T);
  std::string bytes(sizeof size + size, '\0');
  std::memcpy(bytes.data(), &size, sizeof size);
  if (size > 0) std::memcpy(bytes.data() + sizeof size, values.data(), size);
  return fmt::format(
      "<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" NumberOfTuples=\"{}\" "
      "format=\"binary\">{}</DataArray>\n",
      type, xml_text(name), components, values.size() / static_cast<std::size_t>(components), base64(bytes));
}

}  // namespace

std::string vtk_array(const std::string& name, int components, const std::vector<double>& values,
                      Precision precision) {
  if (precision == Precision::float32)
    return array("Float32", name, components, std::vector<float>(values.begin(), values.end()));
  return array("Float64", name, components, values);
}

std::string vtk_array(const std::string& name, int components, const std::vector<long long>& values) {
  return array("Int64", name, components, values);
}

std::string vtk_types(const std::vector<std::uint8_t>& codes) { return array("UInt8", "types", 1, codes); }

std::string vtk_text(const std::string& name, const std::string& text) {
  std::string codes;
  for (const char c : text) codes += std::to_string(static_cast<unsigned char>(c)) + ' ';
  return fmt::format("<Array type=\"String\" Name=\"{}\" NumberOfTuples=\"1\" format=\"ascii\">{}0</Array>\n",
                     xml_text(name), codes);
}

std::string vtk_file(const std::string& type, const std::string& content) {
  return fmt::format(
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"{}\" version=\"1.0\" byte_order=\"LittleEndian\" "
      "header_type=\"UInt64\">\n<{}>\n{}</{}>\n</VTKFile>\n",
      type, type, content, type);
}

}  // namespace catena::detail
