#pragma once
// The one list of learners, by name, and the grammar NAME[:key=value[,key=value]…].
//
//   gssl::LearnerRegistry registry = gssl::builtin_learners();
//   auto learner = registry.make("harmonic:soft=10,mass=cmn");
//   gssl::Fit fit = learner.transductive().fit(graph, labeled, run);
//
// A shared object that exports  extern "C" void gssl_register_plugin(gssl::LearnerRegistry&)  and
// extern "C" int gssl_plugin_abi()  (GSSL_PLUGIN in plugin.hpp writes both) adds its own by
// load_plugin().
//
// Every learner that make() returns is checked: what a fit returns is held to the promises of
// learner.hpp (check_fit.hpp, O(nK)), and what it throws arrives as a gssl::Error. A learner of a
// plug-in that breaks a promise is bad data ("plug-in FILE.so, learner NAME: …").

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gssl/core/options.hpp"
#include "gssl/learn/learner.hpp"

namespace gssl {

// What holds for the default options; an option that changes it says so in its help.
struct LearnerTraits {
  bool classification = true;
  bool regression = false;
  bool deterministic = true;  // same bytes at any thread count
  bool keeps_given = true;    // hard labels: a given vertex is returned with its own label
};

struct LearnerEntry {
  std::string name;       // as typed: "harmonic"
  std::string summary;    // one line
  std::string reference;  // paper, with DOI where there is one
  std::string plugin;     // file it was loaded from, set by load_plugin(); empty: this program
  OptionTable options;
  LearnerTraits traits;
  // One of the two and not both: what it learns from.
  std::function<std::unique_ptr<TransductiveLearner>(const OptionValues&)> make_transductive;
  std::function<std::unique_ptr<PointsLearner>(const OptionValues&)> make_on_points;
};

// A learner made from a SPEC, with what it was made from.
struct MadeLearner {
  const LearnerEntry* entry = nullptr;  // owned by the registry
  std::string spec;                     // "harmonic:tolerance=1e-10,…": every option spelled out
  std::unique_ptr<TransductiveLearner> transductive_learner;
  std::unique_ptr<PointsLearner> points_learner;
  const TransductiveLearner* unchecked = nullptr;  // inside transductive_learner

  // Throws ErrorCode::usage if it learns from points.
  const TransductiveLearner& transductive() const;

  // The learner itself where it is of this type, else nullptr: made.as<HarmonicLearner>().
  template <class Learner>
  const Learner* as() const {
    return dynamic_cast<const Learner*>(unchecked);
  }
};

class LearnerRegistry {
 public:
  // Throws ErrorCode::usage if the name is taken or is not lower-case letters, digits and '-', or
  // if the entry has no factory or two.
  void add(LearnerEntry entry);

  // nullptr if there is none.
  const LearnerEntry* find(std::string_view name) const;
  // Throws ErrorCode::usage on an unknown name (the message lists near names) or a bad option, and
  // ErrorCode::bad_data if a plug-in's factory makes no learner.
  MadeLearner make(std::string_view spec) const;

  // In order of registration.
  const std::vector<std::unique_ptr<LearnerEntry>>& entries() const { return entries_; }

  // Loads FILE.so for the life of the process and lets it add its learners. Throws
  // ErrorCode::cannot_open (no such file, not a shared object), ErrorCode::bad_data (no entry
  // point, other ABI, an exception that is not ours), or what add() throws.
  void load_plugin(const std::string& path);

 private:
  std::vector<std::unique_ptr<LearnerEntry>> entries_;
};

// Every learner of this library (algorithms/src/builtin.cpp).
LearnerRegistry builtin_learners();

}  // namespace gssl
