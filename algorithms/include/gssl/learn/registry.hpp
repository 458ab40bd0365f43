#pragma once
// The one list of learners of every kind, by name, and the grammar NAME[:key=value[,key=value]…].
//
//   gssl::LearnerRegistry registry = gssl::builtin_learners();
//   auto learner = registry.make("harmonic:soft=10,mass=cmn");
//   gssl::Fit fit = learner.transductive().fit(graph, labeled, run);
//   auto trained = registry.make("nearest-mean").inductive().fit(data, run);
//   auto session = registry.make("perceptron").online().start(setting, run);
//   gssl::Completion completed = registry.make("als:rank=5").completer().complete(cells, run);
//
// A learner may be of several kinds: svm learns from points, and with a graph kernel from a graph.
// Criteria, by which the next vertex to label is asked for, and kernels, of points and of graphs,
// are in the list, too: registry.make("v-opt:rank=50").criterion(), make("gaussian:beta=2").kernel().
// Asking for a kind that it is not of is an error that says what it does.
//
// A shared object that exports  extern "C" void gssl_register_plugin(gssl::LearnerRegistry&)  and
// extern "C" int gssl_plugin_abi()  (GSSL_PLUGIN in plugin.hpp writes both) adds its own by
// load_plugin().
//
// Every learner that make() returns is checked: what a fit returns is held to the promises of
// learner.hpp (check_fit.hpp, O(nK)), and what it throws arrives as a gssl::Error. A learner of a
// plug-in that breaks a promise is bad data ("plug-in FILE.so, learner NAME: …").

#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gssl/core/named.hpp"
#include "gssl/core/options.hpp"
#include "gssl/learn/calibration.hpp"
#include "gssl/learn/clusterer.hpp"
#include "gssl/learn/completer.hpp"
#include "gssl/learn/criterion.hpp"
#include "gssl/learn/graph_kernel_options.hpp"
#include "gssl/learn/inductive.hpp"
#include "gssl/learn/kernel.hpp"
#include "gssl/learn/learner.hpp"
#include "gssl/learn/online.hpp"

namespace gssl {

// What holds for the default options; an option that changes it says so in its help.
struct LearnerTraits {
  bool classification = true;
  bool regression = false;
  bool deterministic = true;  // same bytes at any thread count
  bool keeps_given = true;    // hard labels: a given vertex is returned with its own label
};

// What a learner learns from, and what it gives; criteria and kernels serve them.
enum class LearnerKind {
  transductive,
  points,
  inductive,
  online,
  clusterer,
  completer,
  criterion,
  kernel,
  graph_kernel
};
template <>
inline constexpr auto names_of<LearnerKind> =
    enum_names<LearnerKind>("kind", {"transductive", "points", "inductive", "online", "clusterer",
                                     "completer", "criterion", "kernel", "graph-kernel"});
std::string_view to_string(LearnerKind kind);  // "transductive", …, "graph-kernel"

struct LearnerEntry {
  std::string name;       // as typed: "harmonic"
  std::string summary;    // one line
  std::string reference;  // paper, with DOI where there is one
  std::string plugin;     // file it was loaded from, set by load_plugin(); empty: this program
  OptionTable options;
  LearnerTraits traits;
  // At least one: what it learns from, and what it gives.
  std::function<std::unique_ptr<TransductiveLearner>(const OptionValues&)> make_transductive = {};
  std::function<std::unique_ptr<PointsLearner>(const OptionValues&)> make_on_points = {};
  std::function<std::unique_ptr<InductiveLearner>(const OptionValues&)> make_inductive = {};
  std::function<std::unique_ptr<OnlineLearner>(const OptionValues&)> make_online = {};
  std::function<std::unique_ptr<Clusterer>(const OptionValues&)> make_clusterer = {};
  std::function<std::unique_ptr<Completer>(const OptionValues&)> make_completer = {};
  std::function<AskOptions(const OptionValues&)> make_criterion = {};
  std::function<std::shared_ptr<const Kernel>(const OptionValues&)> make_kernel = {};
  std::function<GraphKernelOptions(const OptionValues&)> make_graph_kernel = {};
  // A model that this learner saved; set wherever make_inductive is, or sessions give a model.
  // Throws ErrorCode::bad_data where the record does not hold one.
  std::function<std::unique_ptr<Model>(const Record&)> load_model = {};

  // What a SPEC may say: `options`, and of models of rows `calibrate`, how scores become
  // probabilities, where `options` has none of that name.
  OptionTable all_options() const;
  bool takes_priors() const;               // class proportions, as the option priors
  std::vector<LearnerKind> kinds() const;  // those it has a factory for
  bool is(LearnerKind kind) const;
  bool learns() const;  // not a criterion or a kernel alone
};

// A learner made from a SPEC, with what it was made from.
struct MadeLearner {
  std::shared_ptr<const LearnerEntry> entry;  // may outlive the registry
  std::string spec;  // "harmonic:tolerance=1e-10,…": every option spelled out
  std::unique_ptr<TransductiveLearner> transductive_learner;
  std::unique_ptr<PointsLearner> points_learner;
  std::unique_ptr<InductiveLearner> inductive_learner;
  std::unique_ptr<OnlineLearner> online_learner;
  std::unique_ptr<Clusterer> clusterer_learner;
  std::unique_ptr<Completer> completer_learner;
  std::unique_ptr<const AskOptions> criterion_options;
  std::shared_ptr<const Kernel> kernel_of_points;
  std::unique_ptr<const GraphKernelOptions> graph_kernel_options;
  const TransductiveLearner* unchecked = nullptr;  // inside transductive_learner
  // That of the SPEC; goes before what all models are calibrated with (train_model).
  std::optional<CalibrationMethod> calibrate;

  // Each throws ErrorCode::usage if it is not of that kind, saying what it does;
  // transductive() and online() also where the SPEC asks for calibration, which is of models of rows.
  const TransductiveLearner& transductive() const;
  const InductiveLearner& inductive() const;
  const OnlineLearner& online() const;
  const Clusterer& clusterer() const;
  const Completer& completer() const;
  const AskOptions& criterion() const;
  const Kernel& kernel() const;
  const GraphKernelOptions& graph_kernel() const;

  // The learner itself where it is of this type, else nullptr: made.as<HarmonicLearner>().
  template <class Learner>
  const Learner* as() const {
    return dynamic_cast<const Learner*>(unchecked);
  }
};

class LearnerRegistry {
 public:
  // Throws ErrorCode::usage if the name is taken or is not lower-case letters, digits and '-', or
  // if the entry has no factory, or makes models and cannot load them.
  void add(LearnerEntry entry);

  // nullptr if there is none.
  const LearnerEntry* find(std::string_view name) const;
  // `priors`: class proportions of the run, one ≥ 0 for each class, not all 0; none: those of the
  // SPEC. Where the SPEC does not say what to do with them (mass), they are met: exactly by learners
  // with scores, as volumes by those that make a partition.
  //
  // Throws ErrorCode::usage on an unknown name (the message lists near names), a bad option or
  // priors that the learner does not take or the SPEC has too, and ErrorCode::bad_data if a
  // plug-in's factory makes no learner.
  MadeLearner make(std::string_view spec, const std::vector<double>& priors = {}) const;

  // In order of registration.
  const std::vector<std::shared_ptr<LearnerEntry>>& entries() const { return entries_; }
  // Those of at least one of these kinds.
  std::vector<const LearnerEntry*> of_kinds(std::initializer_list<LearnerKind> kinds) const;
  // Those that give every vertex or every row a label: transductive, or on points.
  std::vector<const LearnerEntry*> labelers() const {
    return of_kinds({LearnerKind::transductive, LearnerKind::points});
  }

  // Loads FILE.so for the life of the process and lets it add its learners. Throws
  // ErrorCode::cannot_open (no such file, not a shared object), ErrorCode::bad_data (no entry
  // point, other ABI, an exception that is not ours), or what add() throws.
  void load_plugin(const std::string& path);

 private:
  std::vector<std::shared_ptr<LearnerEntry>> entries_;
};

// Every learner of this library (algorithms/src/builtin.cpp).
LearnerRegistry builtin_learners();

}  // namespace gssl
