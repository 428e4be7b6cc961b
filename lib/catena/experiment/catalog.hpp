// What the program can run: problems, steppers, back ends, and the joints and forces to build with. A user's own
// program adds to the built-in list and every command knows the additions:
//
//   int main(int argc, char** argv) {
//     auto catalog = catena::builtin();
//     catalog.add<MyStepper>("mine");
//     return catena::cli(argc, argv, catalog);
//   }
#pragma once
#include <catena/experiment/parts/element_type.hpp>
#include <catena/experiment/parts/model_format.hpp>
#include <catena/experiment/parts/opened_problem.hpp>
#include <catena/experiment/parts/options.hpp>
#include <catena/measure/parts/quantity_catalog.hpp>
#include <catena/model/constraint.hpp>
#include <catena/model/force.hpp>
#include <catena/output/parts/study.hpp>
#include <catena/problems/problem.hpp>
#include <catena/stepper/parts/stepper_entry.hpp>

#include <concepts>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace catena {

struct CatalogBackend {
  std::string name, summary;
  bool ldlt = true, ldu = true;  // factorisations that it offers
  bool pivoting = false;  // right whatever the inertia of H; the first such one is the steppers' fallback
  LinearSolverFactory make;
  bool reuses_pivots = false;  // of earlier matrices: a resumed run has other last bits
};

// A constraint or a force, for listings.
struct CatalogElement {
  std::string name, summary;
  int bodies = 0;
  int rows = 0;  // 0: a force
  Level level = Level::position;
  std::vector<OptionRow> members = {};  // empty: the type has no listing
  ElementType file_type = {};           // how model files make and recognise it
};

class Catalog {
 public:
  // T is a Stepper, a Problem, or satisfies Constraint or Force. Throws std::invalid_argument where the name is
  // taken by one of the same kind. Constraints and forces may carry `static constexpr const char* summary`, and
  // a listing of their members (model/element_listing.hpp).
  template <class T>
  Catalog& add(const std::string& name) {
    if constexpr (std::derived_from<T, Stepper>) {
      return add(stepper_entry<T>(name));
    } else if constexpr (std::derived_from<T, Problem>) {
      return add(ProblemEntry{name, [] { return std::make_unique<T>(); }});
    } else {
      static_assert(Constraint<T> || Force<T>, "a catalog holds steppers, problems, constraints and forces");
      CatalogElement element{
          .name = name, .summary = "user-defined", .bodies = static_cast<int>(T{}.bodies.size())};
      if constexpr (requires { std::string(T::summary); }) element.summary = T::summary;
      if constexpr (Constraint<T>) {
        element.rows = detail::of_element::row_count<T>;
        element.level = detail::of_element::level_of<T>();
      }
      if constexpr (Listed<T>)
        element.members = member_rows([](ElementVisitor& v) {
          T defaults{};
          visit(v, defaults);
        });
      element.file_type = element_type<T>(name);
      return add(std::move(element));
    }
  }
  Catalog& add(ProblemEntry problem);
  Catalog& add(StepperEntry stepper);
  // A stepper that this build does not have: listings and requests for it say the sentence.
  Catalog& leave_out(LeftOutStepper stepper);
  Catalog& add(CatalogBackend backend);  // the first one is the default
  Catalog& add(CatalogElement element);
  Catalog& add(StudyEntry study);
  Catalog& add(Quantity quantity);
  // The commit of the program, for the manifests of results.
  Catalog& built_from(std::string commit);
  // How models are written and read; without it no model file can be named. The last one counts.
  Catalog& add(ModelFormat format);
  // A copy that reads each file of a model from disk once, for studies: their runs are of one text, whatever becomes of the
  // file meanwhile. Its copies share what was read.
  Catalog reading_once() const;

  const std::vector<ProblemEntry>& problems() const { return problems_; }
  const std::vector<StepperEntry>& steppers() const { return steppers_; }
  const std::vector<LeftOutStepper>& left_out() const { return left_out_; }
  const std::vector<CatalogBackend>& backends() const { return backends_; }
  const QuantityCatalog& quantities() const { return quantities_; }
  const std::vector<StudyEntry>& studies() const { return studies_; }
  const std::vector<CatalogElement>& constraints() const { return constraints_; }
  const std::vector<CatalogElement>& forces() const { return forces_; }

  bool has_model_format() const { return static_cast<bool>(model_format_.read); }
  const std::string& commit() const { return commit_; }  // "unknown" where nobody has given it

  // Of the constraints and forces, for the reader and the writer of model files.
  ElementTypes element_types() const;

  // Throw UsageError with the nearest names.
  const ProblemEntry& problem(const std::string& name) const;
  const StepperEntry& stepper(const std::string& name) const;
  const CatalogBackend& backend(const std::string& name) const;
  // Throw FileError with all mistakes of the file or the text, ModelError for a model without a text, UsageError where
  // the catalog has no format of models.
  OpenedProblem read_model(const std::string& path, const Settings& parameters = {}) const;
  std::string model_text(const Model& model) const;
  Model model_from_text(const std::string& text) const;
  // For formats: the text of a file of a model, by `load`; where files are read once, load() is not called again once it has
  // returned.
  std::string file_text(const std::string& path, const std::function<std::string()>& load) const;
  // The first pivoting back end that offers both factorisations; an empty factory where there is none.
  LinearSolverFactory fallback() const;

 private:
  struct ReadTexts;

  std::vector<ProblemEntry> problems_;
  std::vector<StepperEntry> steppers_;
  std::vector<LeftOutStepper> left_out_;
  std::vector<CatalogBackend> backends_;
  std::vector<StudyEntry> studies_;
  std::vector<CatalogElement> constraints_, forces_;
  QuantityCatalog quantities_;
  ModelFormat model_format_;
  std::string commit_ = "unknown";
  std::shared_ptr<ReadTexts> read_texts_;  // null: each reading is of the file as it is then
};

}  // namespace catena
