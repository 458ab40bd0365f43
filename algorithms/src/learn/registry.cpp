#include "gssl/learn/registry.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "gssl/core/error.hpp"
#include "gssl/core/suggestion.hpp"
#include "gssl/learn/plugin.hpp"
#include "learn/checked_learner.hpp"

namespace gssl {

namespace {

bool well_formed(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  });
}

std::vector<std::string> entry_names(const std::vector<std::shared_ptr<LearnerEntry>>& entries) {
  std::vector<std::string> names;
  names.reserve(entries.size());
  for (const auto& entry : entries) names.push_back(entry->name);
  return names;
}

static_assert(static_cast<int>(LearnerKind::graph_kernel) ==
              static_cast<int>(Remedy::graph_kernel));

// "labels a graph, makes a model of points": what the learner is asked for instead.
std::string uses_of(const LearnerEntry& entry) {
  constexpr std::array uses = {"labels a graph",
                               "labels points",
                               "makes a model of points",
                               "learns trial by trial",
                               "clusters a graph",
                               "completes a matrix",
                               "says which vertex to label next",
                               "is the option kernel= of a kernel method",
                               "is a kernel of a graph, the option kernel= of a kernel method"};
  std::string all;
  for (const LearnerKind kind : entry.kinds())
    all += (all.empty() ? "" : ", ") + std::string(uses[static_cast<std::size_t>(kind)]);
  return all;
}

template <class Pointer>
const auto& of_kind(const LearnerEntry& entry, const Pointer& learner, const std::string& does,
                    const std::string& how = "", Remedies remedies = {}) {
  if (learner != nullptr) return *learner;
  for (const LearnerKind kind : entry.kinds()) remedies |= static_cast<Remedy>(kind);
  throw Error(ErrorCode::usage,
              entry.name + ": is not a learner that " + does + ": it " + uses_of(entry) + how,
              remedies);
}

OptionTable calibration_options() {
  OptionTable table;
  table
      .choice("calibrate", "none", {"none", "platt", "isotonic", "temperature"},
              "of models of rows: make scores probabilities by held-out folds")
      .quiet();
  return table;
}

const OptionSpec* option_named(const OptionTable& table, std::string_view name) {
  const auto found = std::ranges::find(table.specs(), name, &OptionSpec::name);
  return found == table.specs().end() ? nullptr : &*found;
}

// The priors of the run beside what the SPEC says.
void give_priors(const LearnerEntry& entry, const std::vector<double>& priors,
                 OptionValues& values) {
  if (!entry.takes_priors()) throw Error(ErrorCode::usage, entry.name + ": takes no class priors");
  if (values.given("priors"))
    throw Error(ErrorCode::usage, entry.name + ": option priors is given twice; keep one");
  const OptionSpec* mass = option_named(entry.options, "mass");
  if (mass != nullptr && !values.given("mass"))
    values.choose("mass", std::ranges::count(mass->choices, "shares") > 0 ? "shares" : "priors");
  values.give("priors", priors);
}

// What only models of rows have.
void refuse_calibration(const MadeLearner& made) {
  if (made.calibrate)
    throw Error(
        ErrorCode::usage,
        made.entry->name +
            ": option calibrate: is for models of rows; answers on a graph are calibrated by "
            "an option of the run",
        Remedy::calibrate);
}

template <class Function>
Function* entry_point(void* library, const std::string& path, const char* symbol) {
  void* address = dlsym(library, symbol);
  if (address == nullptr) {
    throw Error(ErrorCode::bad_data, path + ": no function " + symbol +
                                         ": not a gssl plug-in; write GSSL_PLUGIN(function) in it");
  }
  return reinterpret_cast<Function*>(address);
}

}  // namespace

void LearnerRegistry::add(LearnerEntry entry) {
  if (!well_formed(entry.name)) {
    throw Error(ErrorCode::usage,
                "learner name '" + entry.name + "': must be lower-case letters, digits and '-'");
  }
  if (find(entry.name) != nullptr) {
    throw Error(ErrorCode::usage, "learner name '" + entry.name + "' is taken: choose another");
  }
  if (entry.kinds().empty()) {
    throw Error(ErrorCode::usage, "learner '" + entry.name +
                                      "': must have a factory: set make_transductive, "
                                      "make_on_points, make_inductive, make_online, "
                                      "make_clusterer, make_completer, make_criterion, "
                                      "make_kernel or make_graph_kernel");
  }
  if (entry.make_inductive && !entry.load_model) {
    throw Error(ErrorCode::usage, "learner '" + entry.name + "': makes models: set load_model too");
  }
  entries_.push_back(std::make_shared<LearnerEntry>(std::move(entry)));
}

const LearnerEntry* LearnerRegistry::find(std::string_view name) const {
  for (const auto& entry : entries_)
    if (entry->name == name) return entry.get();
  return nullptr;
}

MadeLearner LearnerRegistry::make(std::string_view spec, const std::vector<double>& priors) const {
  const auto [name, assignments] = split_spec(spec);
  const auto found = std::ranges::find(entries_, name, [](const auto& one) { return one->name; });
  if (found == entries_.end()) {
    throw Error(ErrorCode::usage, "no learner '" + std::string(name) +
                                      "': " + suggestion(name, entry_names(entries_)));
  }
  const std::shared_ptr<const LearnerEntry> entry = *found;
  const OptionTable table = entry->all_options();
  OptionValues values = table.parse(assignments, entry->name);
  if (!priors.empty()) give_priors(*entry, priors, values);
  MadeLearner made;
  made.entry = entry;
  if (table.specs().size() > entry->options.specs().size() && values.given("calibrate"))
    made.calibrate = calibration_method_named(values.text("calibrate"));
  const std::string echo = values.echo();
  made.spec = echo.empty() ? entry->name : entry->name + ":" + echo;
  const detail::CodeOrigin origin{entry->plugin, entry->name};
  const auto make_with = [&](const auto& factory) {
    return detail::checked(detail::guarded(origin, [&] { return factory(values); }), *entry);
  };
  if (entry->make_transductive) {
    auto learner = detail::guarded(origin, [&] { return entry->make_transductive(values); });
    made.unchecked = learner.get();
    made.transductive_learner = detail::checked(std::move(learner), *entry);
  }
  if (entry->make_on_points) made.points_learner = make_with(entry->make_on_points);
  if (entry->make_inductive) made.inductive_learner = make_with(entry->make_inductive);
  if (entry->make_online) made.online_learner = make_with(entry->make_online);
  if (entry->make_clusterer) made.clusterer_learner = make_with(entry->make_clusterer);
  if (entry->make_completer) made.completer_learner = make_with(entry->make_completer);
  const auto make_options = [&]<class Options>(std::unique_ptr<const Options>& to,
                                               const auto& factory) {
    to = detail::guarded(origin, [&] { return std::make_unique<const Options>(factory(values)); });
  };
  if (entry->make_criterion) make_options(made.criterion_options, entry->make_criterion);
  if (entry->make_graph_kernel) make_options(made.graph_kernel_options, entry->make_graph_kernel);
  if (entry->make_kernel)
    made.kernel_of_points = detail::guarded(origin, [&] { return entry->make_kernel(values); });
  return made;
}

std::string_view to_string(LearnerKind kind) { return names_of<LearnerKind>.name(kind); }

OptionTable LearnerEntry::all_options() const {
  OptionTable table = options;
  if (make_inductive) table.add(calibration_options());
  return table;
}

bool LearnerEntry::takes_priors() const {
  const OptionSpec* priors = option_named(options, "priors");
  return priors != nullptr && priors->type == OptionSpec::Type::text;
}

std::vector<LearnerKind> LearnerEntry::kinds() const {
  std::vector<LearnerKind> kinds;
  if (make_transductive) kinds.push_back(LearnerKind::transductive);
  if (make_on_points) kinds.push_back(LearnerKind::points);
  if (make_inductive) kinds.push_back(LearnerKind::inductive);
  if (make_online) kinds.push_back(LearnerKind::online);
  if (make_clusterer) kinds.push_back(LearnerKind::clusterer);
  if (make_completer) kinds.push_back(LearnerKind::completer);
  if (make_criterion) kinds.push_back(LearnerKind::criterion);
  if (make_kernel) kinds.push_back(LearnerKind::kernel);
  if (make_graph_kernel) kinds.push_back(LearnerKind::graph_kernel);
  return kinds;
}

bool LearnerEntry::is(LearnerKind kind) const {
  const std::vector<LearnerKind> all = kinds();
  return std::ranges::find(all, kind) != all.end();
}

bool LearnerEntry::learns() const {
  return make_transductive || make_on_points || make_inductive || make_online || make_clusterer ||
         make_completer;
}

std::vector<const LearnerEntry*> LearnerRegistry::of_kinds(
    std::initializer_list<LearnerKind> kinds) const {
  std::vector<const LearnerEntry*> found;
  for (const auto& entry : entries_)
    if (std::ranges::any_of(kinds, [&](LearnerKind kind) { return entry->is(kind); }))
      found.push_back(entry.get());
  return found;
}

const TransductiveLearner& MadeLearner::transductive() const {
  refuse_calibration(*this);
  const bool by_vertices =
      online_learner != nullptr && online_learner->instance_kind() == InstanceKind::vertex;
  return of_kind(*entry, transductive_learner, "labels the vertices of a graph",
                 by_vertices
                     ? "; a stream of the labels and then of the other vertices, with ? for a "
                       "label, labels these"
                     : "",
                 by_vertices ? Remedies(Remedy::evaluate) : Remedies());
}
const InductiveLearner& MadeLearner::inductive() const {
  return of_kind(*entry, inductive_learner, "makes a model of points");
}
const OnlineLearner& MadeLearner::online() const {
  refuse_calibration(*this);
  return of_kind(*entry, online_learner, "learns trial by trial");
}
const Clusterer& MadeLearner::clusterer() const {
  return of_kind(*entry, clusterer_learner, "clusters a graph");
}
const Completer& MadeLearner::completer() const {
  return of_kind(*entry, completer_learner, "completes a matrix");
}
const AskOptions& MadeLearner::criterion() const {
  return of_kind(*entry, criterion_options, "says which vertex to label next");
}
const Kernel& MadeLearner::kernel() const {
  return of_kind(*entry, kernel_of_points, "is a kernel of points");
}
const GraphKernelOptions& MadeLearner::graph_kernel() const {
  return of_kind(*entry, graph_kernel_options, "is a kernel of a graph");
}

void LearnerRegistry::load_plugin(const std::string& path) {
  // A bare name would make dlopen search the system's library folders instead of this one.
  const std::string file = path.find('/') == std::string::npos ? "./" + path : path;
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored))
    throw Error(ErrorCode::cannot_open, path + ": no such plug-in file");
  void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* reason = dlerror();
    throw Error(ErrorCode::cannot_open, path + ": cannot be loaded as a shared object: " +
                                            (reason == nullptr ? "unknown reason" : reason));
  }
  const int abi = entry_point<int()>(library, path, "gssl_plugin_abi")();
  if (abi != plugin_abi) {
    throw Error(ErrorCode::bad_data, path + ": plug-in ABI " + std::to_string(abi) + ": must be " +
                                         std::to_string(plugin_abi) +
                                         "; build it again with the headers of this program");
  }
  // The library stays open for good: its learners, and exceptions it throws, live in it.
  auto* register_all = entry_point<void(LearnerRegistry&)>(library, path, "gssl_register_plugin");
  const std::size_t before = entries_.size();
  try {
    detail::guarded({path, ""}, [&] { register_all(*this); });
  } catch (...) {
    entries_.resize(before);  // all of a plug-in or nothing
    throw;
  }
  for (std::size_t i = before; i < entries_.size(); ++i) entries_[i]->plugin = path;
}

}  // namespace gssl
