#include <catena/experiment/detail/page_of_run.hpp>
#include <catena/experiment/detail/run_folder.hpp>
#include <catena/experiment/detail/setup.hpp>
#include <catena/experiment/parts/opened_problem.hpp>
#include <catena/experiment/parts/usage_error.hpp>
#include <catena/output/detail/page_frames.hpp>
#include <catena/output/detail/page_motions.hpp>
#include <catena/output/detail/page_numbers.hpp>
#include <catena/output/detail/results_reader.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <fstream>
#include <functional>
#include <optional>
#include <utility>

namespace catena::detail {
namespace {

using CardJson = nlohmann::ordered_json;

constexpr std::size_t most_points = 100'000;  // of a series, which a screen shows in some thousand

std::string text_of(const CardJson& json) {
  return json.dump(-1, ' ', false, CardJson::error_handler_t::replace);
}

// The report without the values of single bodies, which the frames have.
CardJson without_bodies(CardJson report) {
  for (const char* of_bodies :
       {"body_names", "positions", "quaternions", "velocities", "angular_velocities", "multipliers",
        "constraints", "coordinates", "velocities_of_coordinates", "quantities"})
    report.erase(of_bodies);
  return report;
}

std::string why_no_report(const std::filesystem::path& folder) {
  const RunFolder run(folder);
  if (!std::filesystem::exists(run.request_file()))
    return folder.string() + " holds no results: run, sweep, compare and scale write them with --output DIR";
  std::string next = "`catena resume " + folder.string() + "` continues it";
  try {
    run.request();
  } catch (const UsageError& error) {
    next = error.what();
  }
  return folder.string() + " holds a run that did not finish, and no report.json yet: " + next;
}

CardJson read_report(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / "report.json";
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw UsageError(why_no_report(folder));
  CardJson report = CardJson::parse(stream, nullptr, false);
  if (!report.is_object() || !report.contains("termination"))
    throw UsageError(file.string() + " is no report of a run of Catena's");
  return without_bodies(std::move(report));
}

std::string json_of_run(const std::string& folder, const CardJson& report) {
  return fmt::format(R"({{"kind":"run","folder":{},"report":{})", text_of(folder), text_of(report));
}

std::string json_of(const ReadSeries& series, const std::vector<double>& time) {
  std::string text = fmt::format(R"({{"name":{},"unit":{},"meaning":{},)", text_of(series.name),
                                 text_of(series.unit), text_of(series.meaning));
  if (series.values.size() <= most_points)
    return text + fmt::format(R"("values":{}}})", page_doubles(series.values));
  std::vector<double> t, y;
  for (const std::size_t k : chosen_points(time, series.values, most_points)) {
    t.push_back(time[k]);
    y.push_back(series.values[k]);
  }
  return text + fmt::format(R"("of":{},"times":{},"values":{}}})", series.values.size(), page_doubles(t),
                            page_doubles(y));
}

std::string json_of_series(const std::vector<double>& time, const std::vector<ReadSeries>& all) {
  std::string text = time.size() <= most_points ? "\"time\":" + page_doubles(time) + "," : std::string();
  text += "\"series\":[";
  bool first = true;
  for (const ReadSeries& series : all) {
    text += (first ? "" : ",") + json_of(series, time);
    first = false;
  }
  return text + ']';
}

CardJson manifest_of(const ResultsReader& results) {
  CardJson manifest = CardJson::object();
  for (const char* group : {"manifest", "manifest/parameters", "manifest/options"})
    for (const auto& [name, value] : results.texts(group)) manifest[name] = value;
  return manifest;
}

CardJson manifest_of(const Manifest& manifest) {
  CardJson json = CardJson::object();
  for (const Manifest::Entries& entries :
       {machine_entries(manifest.commit), manifest.run, manifest.parameters, manifest.options})
    for (const auto& [name, value] : entries) json[name] = value;
  return json;
}

CardJson events_of(const ResultsReader& results) {
  CardJson events = CardJson::array();
  const std::vector<double> times = results.all("events/time");
  const std::vector<std::string> names = results.names("events/name");
  for (std::size_t k = 0; k < std::min(times.size(), names.size()); ++k)
    events.push_back({{"time", times[k]}, {"name", names[k]}});
  return events;
}

CardJson events_of(const std::vector<EventRecord>& happened) {
  CardJson events = CardJson::array();
  for (const EventRecord& event : happened) events.push_back({{"time", event.t}, {"name", event.name}});
  return events;
}

// Those of one number an instant.
std::vector<ReadSeries> series_of(const Table& table, const Catalog& catalog) {
  std::vector<ReadSeries> found;
  for (const Quantity& q : catalog.quantities().all()) {
    const bool there = std::find(table.columns.begin(), table.columns.end(), q.name) != table.columns.end();
    if (there && q.name != "time") found.push_back({q.name, q.unit, q.meaning, table.column(q.name)});
  }
  return found;
}

// The system of a scenario as a run would build it.
struct SceneSystem {
  Setup setup;
  std::unique_ptr<System> system;
};

SceneSystem system_of(const Scenario& scenario, const Catalog& catalog) {
  Complaints complaints;
  SceneSystem made{set_up(scenario, {}, catalog, complaints), nullptr};
  complaints.throw_if_any();
  made.system = make_system(*made.setup.problem, made.setup.stepper->traits().coordinates);
  return made;
}

// Fills the state with an instant of the results; false: they do not hold it, or are those of another model.
bool read_state(const ResultsReader& results, std::size_t instant, State& state) {
  const auto fill = [&](const char* dataset, std::vector<double>& into, bool may_lack) {
    const std::vector<double> row = results.row(dataset, instant);
    if (row.empty()) return may_lack;
    if (row.size() > into.size()) return false;
    std::copy(row.begin(), row.end(), into.begin());
    std::fill(into.begin() + static_cast<std::ptrdiff_t>(row.size()), into.end(),
              0.0);  // low parts of positions
    return true;
  };
  const std::vector<double> t = results.row("time", instant);
  if (t.empty()) return false;
  state.t = t.front();
  return fill("q", state.q, false) && fill("v", state.v, true) && fill("a", state.a, true) &&
         fill("lambda", state.lambda, true) && fill("discrete", state.discrete, true);
}

// The same from a table, whose columns of one quantity follow one another: "q of link 3 x", ...
class StatesOfTable {
 public:
  explicit StatesOfTable(const Table& table) : table_(table) {
    const auto& names = table.columns;
    time_ = static_cast<std::size_t>(std::find(names.begin(), names.end(), "time") - names.begin());
    for (std::size_t k = 0; k < members.size(); ++k) {
      const auto is_of = [&](const std::string& name) {
        return name.starts_with(std::string(members[k].quantity) + " of ");
      };
      const auto begin = std::find_if(names.begin(), names.end(), is_of);
      begin_[k] = begin - names.begin();
      end_[k] = std::find_if_not(begin, names.end(), is_of) - names.begin();
    }
  }
  bool read(std::size_t instant, State& state) const {
    const auto row = table_.values.begin() + static_cast<std::ptrdiff_t>(instant * table_.columns.size());
    if (time_ == table_.columns.size()) return false;
    state.t = row[static_cast<std::ptrdiff_t>(time_)];
    for (std::size_t k = 0; k < members.size(); ++k) {
      std::vector<double>& into = state.*members[k].numbers;
      const auto count = static_cast<std::size_t>(end_[k] - begin_[k]);
      if (count == 0 && members[k].may_lack) continue;
      if (count == 0 || count > into.size()) return false;
      std::fill(std::copy(row + begin_[k], row + end_[k], into.begin()), into.end(), 0.0);
    }
    return true;
  }

 private:
  struct Member {
    const char* quantity;
    std::vector<double> State::*numbers;
    bool may_lack;
  };
  static constexpr std::array<Member, 5> members{{{"q", &State::q, false},
                                                  {"v", &State::v, true},
                                                  {"a", &State::a, true},
                                                  {"lambda", &State::lambda, true},
                                                  {"discrete", &State::discrete, true}}};
  const Table& table_;
  std::size_t time_ = 0;
  std::array<std::ptrdiff_t, members.size()> begin_{}, end_{};
};

using ReadState = std::function<bool(std::size_t instant, State& state)>;

// Empty, or why there is none.
std::string add_motion(std::size_t instants, const ReadState& read, const Scenario& scenario,
                       const Catalog& catalog, std::string& card) {
  if (instants == 0) return "there is no motion: not one instant was recorded";
  std::optional<SceneSystem> made;
  try {
    made = system_of(scenario, catalog);
  } catch (const std::exception& error) {
    return std::string("the motion is not shown, because the model cannot be built again: ") + error.what();
  }
  PageFrames frames(*made->system);
  if (!frames.shows_bodies()) return "the motion is not shown: the system has coordinates alone";
  const int bodies = static_cast<int>(made->system->body_names().size());
  const std::size_t count = std::min(instants, PageFrames::most(bodies));
  State state = made->system->initial_state();
  for (std::size_t k = 0; k < count; ++k) {  // the first and the last among them
    const std::size_t instant = count > 1 ? k * (instants - 1) / (count - 1) : 0;
    if (!read(instant, state))
      return "the motion is not shown: the results do not hold the states of this model";
    frames.add(state);
  }
  card += "," + frames.json();
  return {};
}

// The page says what it lacks, and so does what has made it.
void finish(PageCard& card) {
  if (!card.remark.empty()) card.json += R"(,"lacks":)" + text_of(card.remark);
  card.json += '}';
}

}  // namespace

PageCard page_of_run(const std::filesystem::path& folder, const Catalog& catalog) {
  PageCard card;
  const CardJson report = read_report(folder);
  const std::filesystem::path named = folder.filename().empty() ? folder.parent_path() : folder;
  card.json = json_of_run(named.filename().string(), report);
  const std::filesystem::path file = folder / "results.h5";
  if (std::filesystem::exists(file)) {
    const ResultsReader results(file);
    card.json +=
        fmt::format(R"(,"manifest":{},"events":{},{})", text_of(manifest_of(results)),
                    text_of(events_of(results)), json_of_series(results.all("time"), results.series()));
    const ReadState read = [&](std::size_t k, State& state) { return read_state(results, k, state); };
    std::optional<Scenario> scenario;
    try {
      scenario = RunFolder(folder).request().scenario;
    } catch (const UsageError& error) {
      card.remark = std::string("the motion is not shown: ") + error.what();
    }
    if (scenario) card.remark = add_motion(results.instants(), read, *scenario, catalog, card.json);
  } else {
    card.remark = "there are no curves and no motion: " + folder.string() +
                  " has no results.h5 (run with --format hdf5)";
  }
  finish(card);
  return card;
}

PageCard page_of_record(const Record& record, const Catalog& catalog) {
  PageCard card;
  card.json = json_of_run("", without_bodies(CardJson::parse(to_json(record.report))));
  const Table& table = record.table;
  const auto& names = table.columns;
  const bool timed = std::find(names.begin(), names.end(), "time") != names.end();
  card.json += fmt::format(
      R"(,"manifest":{},"events":{},{})", text_of(manifest_of(record.manifest)),
      text_of(events_of(record.report.run.events)),
      json_of_series(timed ? table.column("time") : std::vector<double>{}, series_of(table, catalog)));
  const StatesOfTable states(table);
  const ReadState read = [&](std::size_t k, State& state) { return states.read(k, state); };
  card.remark = add_motion(table.rows(), read, record.scenario, catalog, card.json);
  finish(card);
  return card;
}

PageCard page_of_problem(const Scenario& scenario, const Catalog& catalog) {
  PageCard card;
  const SceneSystem made = system_of(scenario, catalog);
  PageFrames frames(*made.system);
  if (!frames.shows_bodies())
    throw UsageError(scenario.problem + " has coordinates alone: there is nothing to look at");
  const State start = made.system->initial_state();
  frames.add(start);
  CardJson parameters = CardJson::object();
  for (const OptionValue& option : made.setup.parameters) parameters[option.name] = to_text(option);
  card.json = fmt::format(R"({{"kind":"model","problem":{},"summary":{},"parameters":{},{},{}}})",
                          text_of(scenario.problem), text_of(made.setup.problem->summary()),
                          text_of(parameters), page_motions(*made.system, start), frames.json());
  return card;
}

}  // namespace catena::detail
