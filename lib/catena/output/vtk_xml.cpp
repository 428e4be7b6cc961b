#include <catena/output/detail/vtk_xml.hpp>

#include <fmt/format.h>

#include <cstdint>
#include <cstring>

namespace catena::detail {
namespace {

std::string base64(const std::string& bytes) {
  static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve(bytes.size() / 3 * 4 + 4);
  for (std::size_t k = 0; k < bytes.size(); k += 3) {
    std::uint32_t group = 0;
    for (std::size_t i = 0; i < 3; ++i)
      group = group << 8U | (k + i < bytes.size() ? static_cast<unsigned char>(bytes[k + i]) : 0U);
    for (std::size_t i = 0; i < 4; ++i)
      text += k + i > bytes.size() ? '=' : letters[group >> (18U - 6U * i) & 63U];
  }
  return text;
}

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
