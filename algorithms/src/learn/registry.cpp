#include "gssl/learn/registry.hpp"

#include <dlfcn.h>

#include <algorithm>
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

std::vector<std::string> names_of(const std::vector<std::unique_ptr<LearnerEntry>>& entries) {
  std::vector<std::string> names;
  for (const auto& entry : entries) names.push_back(entry->name);
  return names;
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
  if (!entry.make_transductive == !entry.make_on_points) {
    throw Error(ErrorCode::usage, "learner '" + entry.name +
                                      "': must have one factory: set make_transductive or "
                                      "make_on_points");
  }
  entries_.push_back(std::make_unique<LearnerEntry>(std::move(entry)));
}

const LearnerEntry* LearnerRegistry::find(std::string_view name) const {
  for (const auto& entry : entries_)
    if (entry->name == name) return entry.get();
  return nullptr;
}

MadeLearner LearnerRegistry::make(std::string_view spec) const {
  const auto colon = spec.find(':');
  const std::string_view name = spec.substr(0, colon);
  const LearnerEntry* entry = find(name);
  if (entry == nullptr) {
    throw Error(ErrorCode::usage,
                "no learner '" + std::string(name) + "': " + suggestion(name, names_of(entries_)));
  }
  const std::string_view assignments =
      colon == std::string_view::npos ? std::string_view{} : spec.substr(colon + 1);
  const OptionValues values = entry->options.parse(assignments, entry->name);
  MadeLearner made;
  made.entry = entry;
  const std::string echo = values.echo();
  made.spec = echo.empty() ? entry->name : entry->name + ":" + echo;
  const detail::CodeOrigin origin{entry->plugin, entry->name};
  if (entry->make_transductive) {
    auto learner = detail::guarded(origin, [&] { return entry->make_transductive(values); });
    made.unchecked = learner.get();
    made.transductive_learner = detail::checked(std::move(learner), *entry);
  } else {
    made.points_learner = detail::checked(
        detail::guarded(origin, [&] { return entry->make_on_points(values); }), *entry);
  }
  return made;
}

const TransductiveLearner& MadeLearner::transductive() const {
  if (transductive_learner == nullptr)
    throw Error(ErrorCode::usage,
                entry->name + ": learns from points, not from a graph: give it points");
  return *transductive_learner;
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
