// Reads a model from YAML. docs/reference/model_file.md lists every key.
#pragma once
#include <catena/experiment/parts/element_type.hpp>
#include <catena/experiment/scenario.hpp>
#include <catena/io/detail/document.hpp>
#include <catena/io/detail/file_errors.hpp>
#include <catena/io/detail/key_info.hpp>
#include <catena/kkt/parts/assemble.hpp>
#include <catena/math/small.hpp>
#include <catena/output/parts/report.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace catena {

struct ReadLimits {
  int bodies = 10'000'000;          // of the whole model, repetitions included; elements: twice that
  std::size_t bytes = 1ULL << 30U;  // of a file
  int files = 100;                  // included ones
  // Accepts initial positions with open joints; with `assemble: true` bodies that cannot be assembled stay.
  bool open_joints = false;
};

// A point that results follow.
struct FilePoint {
  std::string name;
  int body = 0;
  Vec3 point = Vec3::Zero();  // body frame [m]
};

struct ModelFile {
  Model model;                               // at its initial positions; empty where the file names a problem
  std::string title;                         // of the file; may be empty
  std::vector<FilePoint> points;             // in the order of the file
  std::vector<OptionValue> parameters = {};  // that numbers of the files name, with the values that counted

  // Sections that are not part of the model: the value of the key problem, or none, and those of set and run of all
  // files in the order of reading; later ones override earlier ones, key by key.
  detail::FileNode problem;
  std::vector<detail::FileNode> sets, runs;
  std::vector<std::unique_ptr<const detail::Document>>
      documents;  // what these point into, in the order of reading
  std::vector<std::unique_ptr<const detail::Document>>
      changed;  // maps of these with members that were given in place of theirs; nodes point into them too

  // With `assemble: true`, or initial coordinates of joints: what moved, and by how much.
  bool assembled = false;
  AssemblyReport assembly;

  // The place of each constraint and each force of the model; repeated ones share one.
  std::vector<detail::FileNode> constraint_nodes, force_nodes;
  // With ReadLimits::open_joints: why they could not be assembled, and those that disagree; empty: they could.
  std::string assembly_failure;
  struct Disagreement {
    std::string name;  // 'joint "hip" (revolute)', 'angle of joint "hip" (revolute)'
    std::string by;    // '0.75 m and 0.02 rad'
    detail::FileNode at;
  };
  std::vector<Disagreement> disagreements;

  std::vector<std::string> tables;  // files of numbers that functions were read from

  std::vector<std::string> files() const;  // names of all, the one that was asked for first
};

// The text of a file, by any way: from an archive, from memory. Throws std::runtime_error with the reason where it cannot be
// read.
using LoadFile = std::function<std::string(const std::string& path)>;
// The text of a file of the file system. Throws std::runtime_error with the reason, a file of more bytes among them.
std::string load_file(const std::string& path, std::size_t most_bytes);

// Reads problem, sets and runs of a file whose model may have errors, so that all errors are reported together.
using ReadRest = std::function<void(const ModelFile& file, detail::FileErrors& errors)>;

// Reads a file and those that it includes. types: the joints and forces that it may name (Catalog::element_types); rest:
// called once all files are read, also where the model has errors; parameters: values in place of those of the files, by
// name, "40 kN/m" or "40", of which others than those of the files are ignored, and members by their paths, bodies.rod.mass
// (given_members.hpp). The initial positions satisfy all joints to 1e-9 (m or
// rad, Model::check_initial_positions), unless the limits accept open joints. Throws ModelFileError with all errors of all
// files, each with file, line and column.
ModelFile read_model_file(const std::string& path, const ElementTypes& types, const ReadLimits& limits = {},
                          const ReadRest& rest = {}, const Settings& parameters = {});
ModelFile read_model_file(const std::string& path, const ElementTypes& types, const LoadFile& load,
                          const ReadLimits& limits = {}, const ReadRest& rest = {},
                          const Settings& parameters = {});

}  // namespace catena
