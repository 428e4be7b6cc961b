#include <catena/io/detail/fields.hpp>
#include <catena/io/detail/file_parameters.hpp>
#include <catena/io/detail/number_with_unit.hpp>
#include <catena/io/detail/other_words.hpp>
#include <catena/math/detail/nearest.hpp>
#include <catena/math/detail/printed.hpp>
#include <catena/model/element_listing.hpp>
#include <catena/model/parts/error.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>
#include <utility>

namespace catena::detail {

Fields::Fields(FileNode map, std::string context, FileErrors& errors)
    : map_(map), context_(std::move(context)), errors_(errors) {
  find_keys();
}

Fields::Fields(FileNode map, const char* name, Fields& owner)
    : map_(map),
      context_(owner.context_.empty() ? name : owner.context_ + ": " + name),
      errors_(owner.errors_),
      owner_(&owner) {
  find_keys();
}

void Fields::find_keys() {
  if (!map_.is_map()) {
    fail(map_, "a map of keys and values belongs here, not " + map_.what());
    return;
  }
  fields_.reserve(static_cast<std::size_t>(map_.size()));
  for (FileNode key = map_.first(); key;) {
    const FileNode value = key.next();
    if (key.is_scalar())
      fields_.push_back({key, value});
    else
      fail(key, "a key is a word, not " + key.what());
    key = value.next();
  }
  // First of all: keys that are missing without it may be in the map that it names.
  refuse("<<",
         "merge keys (<<) have no meaning in a model file: write the keys out, or use repeat for bodies that "
         "are alike");
  find_duplicates();
}

void Fields::find_duplicates() {
  const auto twice = [this](const Field& first, Field& again) {
    again.taken = true;
    fail(again.key, "the key " + again.key.what() + " is given twice, first in line " +
                        std::to_string(first.key.line()));
  };
  if (fields_.size() <= 16) {
    for (std::size_t k = 1; k < fields_.size(); ++k)
      for (std::size_t j = 0; j < k; ++j)
        if (fields_[j].key.text() == fields_[k].key.text()) {
          twice(fields_[j], fields_[k]);
          break;
        }
    return;
  }
  std::vector<Field*> order;
  for (Field& f : fields_) order.push_back(&f);
  std::stable_sort(order.begin(), order.end(),
                   [](const Field* a, const Field* b) { return a->key.text() < b->key.text(); });
  for (std::size_t k = 1; k < order.size(); ++k)
    if (order[k - 1]->key.text() == order[k]->key.text()) twice(*order[k - 1], *order[k]);
}

FileNode Fields::take(const char* key) {
  known_.emplace_back(key);
  for (Field& f : fields_)
    if (!f.taken && f.key.text() == key) {
      f.taken = true;
      if (!f.value.is_null()) return f.value;
      fail(f.key, std::string("no value after \"") + key + "\"");
      return {};
    }
  return {};
}

FileNode Fields::need(const char* key) {
  const int before = errors_.count();
  const FileNode node = take(key);
  if (!node && errors_.count() == before) fail(map_, std::string("the key \"") + key + "\" is missing");
  return node;
}

void Fields::refuse(const char* key, const std::string& why) {
  for (Field& f : fields_)
    if (!f.taken && f.key.text() == key) {
      f.taken = true;
      fail(f.key, why);
    }
}

void Fields::finish() {
  for (const Field& f : fields_) {
    if (f.taken) continue;
    if (!errors_.wants_more()) {
      fail(f.key, "");
      continue;
    }
    std::string why = "unknown key " + f.key.what();
    const std::string typed(f.key.text().substr(0, 60));
    const std::string own = own_key_for(typed, known_);
    const std::string hint = own.empty() ? nearest_hint(typed, known_) : "it is called \"" + own + "\" here";
    if (!hint.empty()) {
      why += " (" + hint + ")";
    } else {
      why += "; known here:" + (known_.empty() ? "" : ' ' + joined(known_));
    }
    fail(f.key, why);
  }
}

void Fields::fail(const FileNode& at, const std::string& why) {
  for (Fields* f = this; f != nullptr; f = f->owner_) f->failed_ = true;
  if (errors_.wants_more())
    errors_.add(at, context_.empty() ? why : context_ + ": " + why);
  else
    errors_.add(at, "");
}

namespace {

bool fail(Fields& fields, const FileNode& at, const char* name, const std::string& why) {
  fields.fail(at, fields.errors().wants_more() ? std::string(name) + ": " + why : "");
  return false;
}

// "mass must be positive, is -1": the same message as that of a model.
template <class Check>
bool holds(Fields& fields, const FileNode& at, Check&& check) {
  MemberCheck member;
  check(member);
  if (member.defect.empty()) return true;
  fields.fail(at, member.defect);
  return false;
}

bool read_number(Fields& fields, const FileNode& node, const OptionInfo& info, double& out) {
  if (!node.is_scalar()) return fail(fields, node, info.name, "a number belongs here, not " + node.what());
  const NumberWithUnit q = names_parameter(node.text()) ? parameter_value(node, info.unit)
                                                        : parse_quantity(node.text(), info.unit);
  if (!q.error.empty()) return fail(fields, node, info.name, q.error);
  out = q.value;
  return true;
}

}  // namespace

bool read_real(Fields& fields, const FileNode& node, const OptionInfo& info, double& out) {
  double value = 0.0;
  if (!read_number(fields, node, info, value) ||
      !holds(fields, node, [&](MemberCheck& check) { check.real(info, value); }))
    return false;
  out = value;
  return true;
}

bool read_integer(Fields& fields, const FileNode& node, const OptionInfo& info, int& out) {
  const auto wrong = [&] {
    return fail(fields, node, info.name, "a whole number belongs here, not " + node.what());
  };
  if (!node.is_scalar()) return wrong();
  std::string_view text = node.text();
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  int value = 0;
  if (names_parameter(text)) {
    const NumberWithUnit q = parameter_value(node, "1");
    if (!q.error.empty()) return fail(fields, node, info.name, q.error);
    if (q.value != std::floor(q.value) || std::abs(q.value) > std::numeric_limits<int>::max())
      return fail(fields, node, info.name,
                  "a whole number belongs here, " + node.what() + " is " + message_number(q.value));
    value = static_cast<int>(q.value);
  } else {
    const auto [stopped, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (stopped != text.data() + text.size() || error == std::errc::invalid_argument) return wrong();
    if (error != std::errc()) return fail(fields, node, info.name, node.what() + " is too large");
  }
  if (!holds(fields, node, [&](MemberCheck& check) { check.integer(info, value); })) return false;
  out = value;
  return true;
}

bool read_flag(Fields& fields, const FileNode& node, const char* name, bool& out) {
  if (node.is_scalar() && (node.text() == "true" || node.text() == "false")) {
    out = node.text() == "true";
    return true;
  }
  return fail(fields, node, name, "true or false belongs here, not " + node.what());
}

bool read_text(Fields& fields, const FileNode& node, const char* name, std::string& out) {
  if (!node.is_scalar()) return fail(fields, node, name, "a text belongs here, not " + node.what());
  const std::string_view text = node.text();
  constexpr std::size_t longest = 1000;
  if (text.size() > longest)
    return fail(fields, node, name, "is longer than " + std::to_string(longest) + " bytes");
  for (const char c : text)
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7f')
      return fail(fields, node, name, "has a line break or another control character");
  out = std::string(text);
  return true;
}

bool read_choice(Fields& fields, const FileNode& node, const char* name,
                 const std::vector<std::string>& names, int& out) {
  for (std::size_t k = 0; node.is_scalar() && k < names.size(); ++k)
    if (node.text() == names[k]) {
      out = static_cast<int>(k);
      return true;
    }
  return fail(fields, node, name, joined(names, " or ") + " belongs here, not " + node.what());
}

bool read_numbers(Fields& fields, const FileNode& node, const OptionInfo& info, int count, double* out) {
  if (!node.is_sequence() || node.size() != count)
    return fail(fields, node, info.name,
                "a list of " + std::to_string(count) + " numbers belongs here, not " + node.what());
  bool good = true;
  for (FileNode value = node.first(); value; value = value.next())
    good = read_number(fields, value, info, *out++) && good;
  return good;
}

bool read_vector(Fields& fields, const FileNode& node, const OptionInfo& info, Vec3& out) {
  Vec3 value;
  if (!read_numbers(fields, node, info, 3, value.e)) return false;
  out = value;
  return true;
}

bool read_direction(Fields& fields, const FileNode& node, const OptionInfo& info, Vec3& out) {
  Vec3 value;
  if (node.is_scalar()) {
    const bool against = node.text().starts_with('-');
    const std::string_view letter = node.text().substr(against ? 1 : 0);
    if (letter != "x" && letter != "y" && letter != "z")
      return fail(fields, node, info.name,
                  "a list of 3 numbers, or x, y, z, -x, -y or -z, belongs here, not " + node.what());
    out = Vec3::Zero();
    out[letter[0] - 'x'] = against ? -1.0 : 1.0;
    return true;
  }
  if (!read_numbers(fields, node, info, 3, value.e) ||
      !holds(fields, node, [&](MemberCheck& check) { check.direction(info, value); }))
    return false;
  out = value;
  return true;
}

bool read_side(Fields& fields, const FileNode& node, const OptionInfo& info, Vec3& out) {
  return (node.is_scalar() ? read_direction : read_vector)(fields, node, info, out);
}

bool read_matrix(Fields& fields, const FileNode& node, const OptionInfo& info, Mat3& out) {
  if (!node.is_sequence() || node.size() != 3)
    return fail(fields, node, info.name, "three rows of three numbers belong here, not " + node.what());
  Mat3 value;
  int row = 0;
  bool good = true;
  for (FileNode line = node.first(); line; line = line.next(), ++row) {
    double r[3] = {};
    good = read_numbers(fields, line, info, 3, r) && good;
    for (int k = 0; k < 3; ++k) value(row, k) = r[k];
  }
  if (good) out = value;
  return good;
}

}  // namespace catena::detail
