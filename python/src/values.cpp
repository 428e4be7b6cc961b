// Values of Python as the core reads them: text, maps of model files, arrays.
#include <catena/experiment/parts/usage_error.hpp>
#include <catena/io/detail/document_builder.hpp>

#include "module.hpp"

#include <charconv>
#include <utility>

namespace catena::python {
namespace {

using detail::Document;
using detail::DocumentBuilder;

std::string digits(double x) {
  char text[32];
  const auto [end, error] = std::to_chars(text, text + sizeof text, x);
  return {text, error == std::errc() ? end : text};
}

bool is_flag(const py::handle& value) {  // of Python and of numpy
  return py::isinstance<py::bool_>(value) ||
         std::string(Py_TYPE(value.ptr())->tp_name).find("bool") != std::string::npos;
}

// The text of a number; empty: it is none.
std::string number_text(const py::handle& value) {
  if (is_flag(value)) return value.cast<bool>() ? "true" : "false";
  if (PyIndex_Check(value.ptr()) != 0)
    return py::str(py::reinterpret_steal<py::object>(PyNumber_Index(value.ptr())));
  if (PyFloat_Check(value.ptr()) || (PyNumber_Check(value.ptr()) != 0 && !py::hasattr(value, "__len__")))
    return digits(value.cast<double>());
  return {};
}

// The name of a handle of a body or joint.
py::object plain(const py::handle& value) {
  if (py::hasattr(value, "_catena_name")) return value.attr("_catena_name");
  if (py::hasattr(value, "tolist")) return value.attr("tolist")();
  return py::reinterpret_borrow<py::object>(value);
}

class Writer {
 public:
  explicit Writer(DocumentBuilder& into) : into_(into) {}

  void write(const std::string& name, const py::handle& given) {
    const py::object value = plain(given);
    if (py::isinstance<py::str>(value)) {
      const auto text = value.cast<std::string>();
      // "10 kN/m" is a number with its unit; what else is a word.
      const bool number = !text.empty() && std::string("0123456789.+-").find(text[0]) != std::string::npos;
      into_.scalar({}, text, !number, "");
    } else if (py::isinstance<py::dict>(value)) {
      into_.begin({}, Document::Kind::map, "");
      for (const auto& [key, item] : value.cast<py::dict>()) {
        into_.scalar({}, py::str(key).cast<std::string>(), true, "");
        write(name + "." + py::str(key).cast<std::string>(), item);
      }
      into_.end();
    } else if (const std::string text = value.is_none() ? "" : number_text(value); !text.empty()) {
      into_.scalar({}, text, false, "");
    } else if (py::isinstance<py::iterable>(value)) {
      into_.begin({}, Document::Kind::sequence, "");
      for (const py::handle item : value) write(name, item);
      into_.end();
    } else {
      throw UsageError(name + ": a number, a text, a list or a dict belongs here, not " +
                       std::string(py::str(py::type::handle_of(value))));
    }
  }

 private:
  DocumentBuilder& into_;
};

}  // namespace

std::string text_of(const std::string& name, const py::handle& value) {
  if (py::isinstance<py::str>(value)) return value.cast<std::string>();
  const std::string text = number_text(value);
  if (!text.empty()) return text;
  if (py::isinstance<py::iterable>(value)) {  // of lists: words with commas between
    std::string joined;
    for (const py::handle item : value) joined += (joined.empty() ? "" : ",") + text_of(name, item);
    return joined;
  }
  throw UsageError(name + ": a number, True or False, or a text belongs here, not " +
                   std::string(py::str(py::type::handle_of(value))));
}

Keywords keywords(const std::string& owner, const py::dict& values) {
  Keywords out;
  DocumentBuilder builder(owner, 0, nullptr);
  builder.begin({}, Document::Kind::map, "");
  Writer writer(builder);
  for (const auto& [key, value] : values) {
    const auto name = key.cast<std::string>();
    if (value.is_none()) continue;
    if (PyCallable_Check(value.ptr()) != 0 && !py::hasattr(value, "_catena_name")) {
      out.callables.emplace_back(name, py::reinterpret_borrow<py::object>(value));
      continue;
    }
    builder.scalar({}, name, true, "");
    writer.write(name, value);
  }
  builder.end();
  out.document = builder.take();
  return out;
}

std::string without_places(const std::string& text, const std::string& owner) {
  std::string out;
  const std::string place = owner + ":1:1: ";
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    std::string line = text.substr(from, end - from);
    if (line.starts_with(place)) line.erase(0, place.size());
    out += (out.empty() ? "" : "\n") + line;
    from = end + 1;
  }
  return out;
}

Settings settings_of_dict(const py::dict& values) {
  Settings settings;
  for (const auto& [key, value] : values) {
    const auto name = key.cast<std::string>();
    settings[name] = text_of(name, value);
  }
  return settings;
}

py::array view(const double* data, std::vector<py::ssize_t> shape, std::vector<py::ssize_t> strides,
               const py::handle& owner) {
  py::array array(py::dtype::of<double>(), std::move(shape), std::move(strides), data, owner);
  py::detail::array_proxy(array.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  return array;
}

py::array copy(const std::vector<double>& numbers) {
  return Array(static_cast<py::ssize_t>(numbers.size()), numbers.data());
}

std::vector<double> numbers(const py::handle& object) {
  const Array array = Array::ensure(object);
  if (!array || object.is_none())
    throw UsageError("numbers belong here, not " + py::repr(object).cast<std::string>());
  return {array.data(), array.data() + array.size()};
}

std::vector<double> numbers(const py::handle& object, std::size_t size, const std::string& what) {
  std::vector<double> out = numbers(object);
  if (out.size() != size)
    throw UsageError(what + " has " + std::to_string(size) + " numbers, not " + std::to_string(out.size()));
  return out;
}

Vec3 vec3(const py::handle& object, const std::string& what) {
  const std::vector<double> x = numbers(object, 3, what);
  return {{x[0], x[1], x[2]}};
}

}  // namespace catena::python
