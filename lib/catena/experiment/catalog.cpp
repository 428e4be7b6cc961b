#include <catena/experiment/catalog.hpp>
#include <catena/experiment/parts/usage_error.hpp>

#include <algorithm>
#include <map>
#include <mutex>
#include <stdexcept>
#include <utility>

namespace catena {
namespace {

template <class Entry>
std::vector<std::string> names_of(const std::vector<Entry>& entries) {
  std::vector<std::string> names;
  for (const Entry& entry : entries) names.push_back(entry.name);
  return names;
}

template <class Entry>
const Entry& find(const std::vector<Entry>& entries, const char* kind, const std::string& name) {
  const auto at =
      std::find_if(entries.begin(), entries.end(), [&](const Entry& e) { return e.name == name; });
  if (at == entries.end()) throw UsageError(unknown_name(kind, name, names_of(entries)));
  return *at;
}

template <class Entry>
void append(std::vector<Entry>& entries, const char* kind, Entry entry) {
  for (const Entry& other : entries)
    if (other.name == entry.name)
      throw std::invalid_argument(std::string("the catalog has a ") + kind + " \"" + entry.name +
                                  "\" already");
  entries.push_back(std::move(entry));
}

const std::string remedy = "catalog.add(yaml_models()) of the component io adds that";

}  // namespace

Catalog& Catalog::add(ProblemEntry problem) {
  append(problems_, "problem", std::move(problem));
  return *this;
}

Catalog& Catalog::add(StepperEntry stepper) {
  append(steppers_, "stepper", std::move(stepper));
  return *this;
}

Catalog& Catalog::leave_out(LeftOutStepper stepper) {
  left_out_.push_back(std::move(stepper));
  return *this;
}

Catalog& Catalog::add(CatalogBackend backend) {
  append(backends_, "back end", std::move(backend));
  return *this;
}

Catalog& Catalog::add(CatalogElement element) {
  if (element.rows > 0)
    append(constraints_, "constraint", std::move(element));
  else
    append(forces_, "force", std::move(element));
  return *this;
}

Catalog& Catalog::add(StudyEntry study) {
  append(studies_, "study", std::move(study));
  return *this;
}

Catalog& Catalog::add(Quantity quantity) {
  quantities_.add(std::move(quantity));
  return *this;
}

Catalog& Catalog::built_from(std::string commit) {
  commit_ = std::move(commit);
  return *this;
}

Catalog& Catalog::add(ModelFormat format) {
  model_format_ = std::move(format);
  return *this;
}

struct Catalog::ReadTexts {
  std::mutex mutex;
  std::map<std::string, std::string> by_path;
};

Catalog Catalog::reading_once() const {
  Catalog copy = *this;
  if (!copy.read_texts_) copy.read_texts_ = std::make_shared<ReadTexts>();
  return copy;
}

std::string Catalog::file_text(const std::string& path, const std::function<std::string()>& load) const {
  if (!read_texts_) return load();
  const std::lock_guard<std::mutex> one_reads(read_texts_->mutex);
  const auto found = read_texts_->by_path.find(path);
  return found != read_texts_->by_path.end() ? found->second
                                             : read_texts_->by_path.emplace(path, load()).first->second;
}

OpenedProblem Catalog::read_model(const std::string& path, const Settings& parameters) const {
  if (!model_format_.read)
    throw UsageError("the catalog of this program reads no model files: " + path + "; " + remedy);
  return model_format_.read(path, *this, parameters);
}

std::string Catalog::model_text(const Model& model) const {
  if (!model_format_.write)
    throw UsageError("the catalog of this program writes no models as text; " + remedy);
  return model_format_.write(model, element_types());
}

Model Catalog::model_from_text(const std::string& text) const {
  if (!model_format_.parse) throw UsageError("the catalog of this program reads no models; " + remedy);
  return model_format_.parse(text, element_types());
}

ElementTypes Catalog::element_types() const {
  ElementTypes types;
  for (const std::vector<CatalogElement>* elements : {&constraints_, &forces_})
    for (const CatalogElement& element : *elements) types.push_back(element.file_type);
  return types;
}

const ProblemEntry& Catalog::problem(const std::string& name) const {
  if (name.find('.') != std::string::npos)
    throw UsageError("no problem \"" + name + "\": the name of a model file ends with .yaml or .yml");
  return find(problems_, "problem", name);
}
const StepperEntry& Catalog::stepper(const std::string& name) const {
  const bool here = std::any_of(steppers_.begin(), steppers_.end(),
                                [&](const StepperEntry& entry) { return entry.name == name; });
  for (const LeftOutStepper& other : left_out_)
    if (other.name == name && !here) throw UsageError(other.reason);
  return find(steppers_, "stepper", name);
}
const CatalogBackend& Catalog::backend(const std::string& name) const {
  return find(backends_, "back end", name);
}

LinearSolverFactory Catalog::fallback() const {
  for (const CatalogBackend& backend : backends_)
    if (backend.pivoting && backend.ldlt && backend.ldu) return backend.make;
  return {};
}

}  // namespace catena
