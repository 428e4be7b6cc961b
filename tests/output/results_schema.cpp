// The table of the schema against the files that the library writes, read by the HDF5 library: every dataset that the
// table lists for a kind of system is there with its attributes and axes, and nothing else is.
#ifdef CATENA_TEST_HAS_HDF5
#include <catena/assembly/multibody_system.hpp>
#include <catena/assembly/quaternion_system.hpp>
#include <catena/measure/parts/step_integrals.hpp>
#include <catena/model/joints.hpp>
#include <catena/output/detail/hdf5_handle.hpp>
#include <catena/output/detail/hdf5_sink.hpp>
#include <catena/output/detail/result_fields.hpp>
#include <catena/output/detail/results_reader.hpp>
#include <catena/problems/space_manipulator.hpp>

#include "support/source_folder.hpp"
#include "support/temporary_folder.hpp"
#include "support/toy.hpp"

#include <doctest/doctest.h>

#include <map>
#include <set>
#include <sstream>

using namespace catena;
using namespace catena::detail;
using catena_test::file_text;
using catena_test::TemporaryFolder;

namespace {

using Attributes = std::map<std::string, std::string>;  // text, or a mark for what is no text
using Names = std::set<std::string>;

struct Found {
  Attributes attributes;
  std::vector<hsize_t> sizes;
  bool text = false;
};

Attributes attributes_of(hid_t object) {
  Attributes found;
  const auto add = [](hid_t owner, const char* name, const H5A_info_t*, void* into) -> herr_t {
    const Hdf5Handle attribute(H5Aopen(owner, name, H5P_DEFAULT), H5Aclose);
    const Hdf5Handle type(H5Aget_type(attribute), H5Tclose);
    std::string text(H5Tget_size(type), '\0');
    if (H5Tget_class(type) != H5T_STRING || H5Aread(attribute, type, text.data()) < 0) text = "(no text)";
    (*static_cast<Attributes*>(into))[name] = text.substr(0, text.find('\0'));
    return 0;
  };
  H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, nullptr, add, &found);
  return found;
}

// All datasets of a file by their paths.
std::map<std::string, Found> datasets(hid_t file) {
  std::map<std::string, Found> found;
  const auto add = [](hid_t root, const char* name, const H5O_info_t* info, void* into) -> herr_t {
    if (info->type != H5O_TYPE_DATASET) return 0;
    const Hdf5Handle dataset(H5Dopen2(root, name, H5P_DEFAULT), H5Dclose);
    const Hdf5Handle space(H5Dget_space(dataset), H5Sclose);
    const Hdf5Handle type(H5Dget_type(dataset), H5Tclose);
    Found one{attributes_of(dataset), {}, H5Tget_class(type) == H5T_STRING};
    one.sizes.resize(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space)));
    H5Sget_simple_extent_dims(space, one.sizes.data(), nullptr);
    (*static_cast<std::map<std::string, Found>*>(into))[std::string("/") + name] = one;
    return 0;
  };
  H5Ovisit1(file, H5_INDEX_NAME, H5_ITER_INC, add, &found);
  return found;
}

std::vector<std::string> axes_of(const ResultField& field) {
  std::vector<std::string> axes;
  std::istringstream text(field.shape);
  for (std::string axis; std::getline(text, axis, ',');)
    axes.push_back(axis.substr(axis.front() == ' ' ? 1 : 0));
  return axes;
}

// Attributes and shape of one dataset are those of its row of the table. lengths: of the axes met so far.
void check_field(const ResultField& field, const Found& found, std::map<std::string, hsize_t>& lengths) {
  Attributes expected{{"unit", field.unit}, {"axes", field.shape}};
  if (!field.frame.empty()) expected["frame"] = field.frame;
  if (!field.meaning.empty()) expected["meaning"] = field.meaning;
  Attributes rest = found.attributes;
  if (field.path == "/records") CHECK(rest.erase("columns") == 1);
  CHECK(rest == expected);
  const std::vector<std::string> axes = axes_of(field);
  REQUIRE(axes.size() == found.sizes.size());
  for (std::size_t k = 0; k < axes.size(); ++k) {
    const bool number = axes[k].find_first_not_of("0123456789") == std::string::npos;
    const hsize_t length =
        number ? std::stoull(axes[k]) : lengths.emplace(axes[k], found.sizes[k]).first->second;
    CHECK(found.sizes[k] == length);  // axes of one name have one length
  }
}

// Writes two instants of the system and compares the file with the rows of the table that are true of `kinds`.
Names check_file(const System& system, const MeasureSources& sources, const Names& kinds,
                 const Hdf5Options& options = {}) {
  const TemporaryFolder folder;
  State state = system.initial_state();
  Hdf5Sink sink(folder.path(), {}, {select(builtin_quantities(), "all"), sources}, options);
  sink.begin(system);
  sink.accept(state, {});
  sink.event({0, "bump", 0.5, true}, state);
  state.t = 1.0;
  sink.accept(state, {});
  sink.end();

  const Hdf5Handle file(H5Fopen((folder.path() / "results.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT),
                        H5Fclose);
  REQUIRE(file >= 0);
  const std::map<std::string, Found> found = datasets(file);
  Names listed, there;
  std::map<std::string, hsize_t> lengths{{"instant", 2}, {"event", 1}};
  for (const ResultField& field : result_fields()) {
    if (kinds.count(field.where) == 0) continue;
    if (options.compress > 0 && field.path == "/records") continue;  // every dataset holds its own
    listed.insert(field.path);
    CAPTURE(field.path);
    const auto at = found.find(field.path);
    CHECK(at != found.end());
    if (at != found.end()) check_field(field, at->second, lengths);
  }
  for (const auto& [path, one] : found) there.insert(path);
  const auto text = [](const Names& names) {
    std::string all;
    for (const std::string& name : names) all += name + ' ';
    return all;
  };
  CHECK(text(there) == text(listed));
  const Hdf5Handle root(H5Gopen2(file, "/", H5P_DEFAULT), H5Gclose);
  Attributes of_file = attributes_of(root);
  CHECK(of_file["format"] == "catena results");
  CHECK(of_file["schema"] == std::to_string(result_schema));
  return there;
}

// A force along x that somebody else sets.
struct Thruster {
  static constexpr const char* type_name = "thruster";
  static constexpr int discrete = 1;
  std::array<BodyId, 1> bodies;
  std::array<double, 1> initial_discrete() const { return {1.0}; }
  template <class S>
  Vec<S, 6> wrench(const BodyFrame<S>&, const S&, const double* value) const {
    return S(value[0]) * Vec<S, 6>::Unit(0);
  }
};

Model mechanism() {
  Model model;
  const BodyId post = model.add(Body{.name = "post", .fixed = true});
  const BodyId arm = model.add(Body{.name = "arm", .mass = 1.0, .inertia = Mat3::Identity()});
  model.add(Body{.name = "stone", .mass = 1.0, .inertia = Mat3::Identity()});
  model.add(SphericalJoint{.bodies = {post, arm}});
  model.add(Thruster{{arm}});
  return model;
}

}  // namespace

TEST_CASE("results.h5 holds what the table of the schema lists for the kind of system, and nothing else") {
  const catena_test::ToyPendulum own;
  catena_test::ToyStepper stepper;
  const StepCounter steps(stepper);
  const Monitor monitor;
  const MultibodySystem bodies(mechanism());
  const StepIntegrals integrals(bodies, select(builtin_quantities(), "forces,drives"), {});
  const StepIntegrals own_integrals(own, select(builtin_quantities(), "drives"), {});
  const MeasureSources sources{{{"tip", 1, {{0.1, 0.0, 0.0}}}}, &steps, &monitor, &integrals};
  Names seen;
  const auto look = [&](const System& system, const MeasureSources& used, const Names& kinds) {
    for (const std::string& path : check_file(system, used, kinds)) seen.insert(path);
  };
  const Names of_models{"all",
                        "runs",
                        "monitored runs",
                        "bodies",
                        "models",
                        "joints",
                        "with constraints",
                        "discrete state",
                        "observed points",
                        "joints with markers",
                        "forces"};
  look(MultibodySystem(mechanism()), sources, of_models);
  check_file(MultibodySystem(mechanism()), sources, of_models, {.compress = 6});
  check_file(QuaternionSystem(mechanism()), sources, of_models, {.compress = 1});
  look(QuaternionSystem(mechanism()), sources, of_models);
  const MeasureSources plain{{}, &steps, nullptr, &own_integrals};
  look(own, plain, {"all", "runs", "with constraints"});
  const std::unique_ptr<System> tree = SpaceManipulator().own_system();
  look(*tree, plain, {"all", "runs", "bodies", "discrete state"});
  Model stone;
  stone.add(Body{.name = "stone", .mass = 1.0, .inertia = Mat3::Identity()});
  look(MultibodySystem(stone), plain, {"all", "runs", "bodies", "models"});
  // No row of the table that no system has.
  for (const ResultField& field : result_fields()) {
    CAPTURE(field.path);
    CHECK(seen.count(field.path) == 1);
  }
}

TEST_CASE("of a foreign file no more is read than its memory holds") {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder.path() / "foreign.h5";
  {
    const Hdf5Handle file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
    const Hdf5Handle group(H5Gcreate2(file, "manifest", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
    const Hdf5Handle fixed(H5Tcopy(H5T_C_S1), H5Tclose), variable(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(fixed, 8);
    H5Tset_size(variable, H5T_VARIABLE);
    const hsize_t sizes[] = {50, 40};
    const Hdf5Handle one(H5Screate(H5S_SCALAR), H5Sclose),
        list(H5Screate_simple(1, sizes, nullptr), H5Sclose),
        table(H5Screate_simple(2, sizes, nullptr), H5Sclose);
    const std::string bytes(50 * 40 * 8, 'x');
    const auto attribute = [&](const char* name, hid_t type, hid_t space) {
      const Hdf5Handle made(H5Acreate2(group, name, type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
      if (type == fixed) REQUIRE(H5Awrite(made, type, bytes.data()) >= 0);
    };
    attribute("one", fixed, one);
    attribute("list", fixed, list);
    attribute("variable", variable, one);
    const auto dataset = [&](const char* name, hid_t type, hid_t space) {
      const Hdf5Handle made(H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                            H5Dclose);
      if (type == fixed) REQUIRE(H5Dwrite(made, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()) >= 0);
    };
    dataset("list", fixed, list);
    dataset("table", fixed, table);
    dataset("variable", variable, list);
    dataset("numbers", H5T_NATIVE_DOUBLE, list);
    dataset("time", H5T_NATIVE_DOUBLE, one);
  }
  const ResultsReader reader(path);
  for (const auto& attribute : reader.texts("manifest")) {
    CAPTURE(attribute.first);
    CHECK(attribute.second == (attribute.first == "one" ? "xxxxxxxx" : ""));
  }
  CHECK(reader.names("list") == std::vector<std::string>(50, "xxxxxxxx"));
  for (const char* name : {"table", "variable", "numbers", "time"}) {
    CAPTURE(name);
    CHECK_THROWS_AS(reader.names(name), SinkError);
  }
  CHECK_THROWS_AS(reader.instants(), SinkError);
  CHECK_THROWS_AS(reader.row("time", 0), SinkError);
}

TEST_CASE("docs/reference/results.md names every attribute of the manifest and what the root says") {
  const std::string page = file_text(catena_test::source_folder() / "docs/reference/results.md");
  for (const auto& entry : machine_entries("unknown")) {
    CAPTURE(entry.first);
    CHECK(page.find("`" + entry.first + "`") != std::string::npos);
    CHECK_FALSE(entry.second.empty());
  }
  const bool schema_is_right =
      page.find("`schema` of the root is " + std::to_string(result_schema) + ";") != std::string::npos;
  CHECK(schema_is_right);
}
#endif
