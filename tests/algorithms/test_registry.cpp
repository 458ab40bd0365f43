#include <limits>

#include "algorithms/fixtures.hpp"
#include "gssl/answer/explanation.hpp"
#include "gssl/complete/cells.hpp"
#include "gssl/graph/generators.hpp"
#include "gssl/learn/check_fit.hpp"
#include "gssl/learn/plugin.hpp"
#include "gssl/learn/registry.hpp"
#include "gssl/network/effective_resistance.hpp"
#include "gssl/solve/linear_solver.hpp"
#include "gssl/transductive/harmonic.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;
using Catch::Contains;

namespace {

struct Failure {
  ErrorCode code;
  std::string message;
};

template <class Call>
Failure failure_of(Call&& call) {
  const auto error = error_of(call);
  REQUIRE(error);
  return {error->code(), error->what()};
}

}  // namespace

TEST_CASE("the built-in learners are listed in order and describe themselves") {
  const LearnerRegistry registry = builtin_learners();
  std::vector<std::string> names;
  for (const auto* entry : registry.labelers()) {
    names.push_back(entry->name);
    CHECK_FALSE(entry->summary.empty());
    CHECK_FALSE(entry->reference.empty());
  }
  CHECK(names == std::vector<std::string>{"auto",
                                          "harmonic",
                                          "local-global",
                                          "label-propagation",
                                          "consensus",
                                          "nearest-label",
                                          "centered-kernel",
                                          "cut-ssl",
                                          "eigenfunction",
                                          "eigenvector",
                                          "min-cut",
                                          "modularity-mbo",
                                          "p-eikonal",
                                          "p-laplacian",
                                          "poisson",
                                          "poisson-mbo",
                                          "poisson-reweighted",
                                          "properly-weighted",
                                          "random-walk",
                                          "sparse-label-propagation",
                                          "volume-mbo",
                                          "wnll",
                                          "kernel-ridge",
                                          "svm",
                                          "svr",
                                          "kernel-perceptron"});
}

TEST_CASE("a made learner outlives its registry") {
  const MadeLearner made = builtin_learners().make("tree:depth=3");
  CHECK(made.entry->name == "tree");
  Dataset data;
  data.points = Points::dense(2, 1, std::vector<double>{0.0, 1.0});
  data.targets = Targets::classes({0, 1}, {"a", "b"});
  CHECK(made.inductive().fit(data).model->score_kind() == ScoreKind::shares);
  CHECK_THROWS_AS(made.online(), Error);
}

TEST_CASE("a made learner spells out every option, and its spec makes the same learner again") {
  const LearnerRegistry registry = builtin_learners();
  for (const auto* entry : registry.labelers()) {
    const MadeLearner made = registry.make(entry->name);
    CHECK(made.entry.get() == entry);
    for (const OptionSpec& spec : entry->options.specs())
      CHECK_THAT(made.spec, Contains(spec.name + "="));
    CHECK(registry.make(made.spec).spec == made.spec);
  }
  CHECK_THAT(registry.make("harmonic:soft=10,mass=cmn").spec, Contains("soft=10,mass=cmn"));
}

TEST_CASE("an unknown learner is answered with near names, or with all of them") {
  const LearnerRegistry registry = builtin_learners();
  const Failure typo = failure_of([&] { registry.make("harmonc:soft=1"); });
  CHECK(typo.code == ErrorCode::usage);
  CHECK_THAT(typo.message, Contains("did you mean harmonic?"));
  CHECK_THAT(failure_of([&] { registry.make("label"); }).message,
             Contains("did you mean label-propagation?"));
  const Failure far = failure_of([&] { registry.make("zzzzzz"); });
  CHECK_THAT(far.message, Contains("harmonic, local-global") && Contains("nearest-label"));
  CHECK(failure_of([&] { registry.make(""); }).code == ErrorCode::usage);
}

TEST_CASE("a bad option of a learner is a usage error that names it") {
  const LearnerRegistry registry = builtin_learners();
  for (const char* spec :
       {"harmonic:sofft=1", "harmonic:soft=-1", "harmonic:soft=nan", "harmonic:mass=maybe",
        "harmonic:mass=priors", "harmonic:priors=1;2", "harmonic:mass=priors,priors=1;x",
        "harmonic:mass=priors,priors=0;0", "harmonic:mass=priors,priors=1;-1",
        "harmonic:tolerance=0", "harmonic:solver=magic", "local-global:alpha=1",
        "local-global:alpha=0", "label-propagation:max_iterations=0", "consensus:mode=both",
        "nearest-label:length=2"}) {
    CAPTURE(spec);
    const Failure failure = failure_of([&] { registry.make(spec); });
    CHECK(failure.code == ErrorCode::usage);
    const std::string name(spec, std::string_view(spec).find(':'));
    CHECK_THAT(failure.message, Contains(name));
  }
}

TEST_CASE("class priors of a run reach the learner as they are, and its spec says them") {
  const LearnerRegistry registry = builtin_learners();
  const std::vector<double> priors = {1.0 / 3.0, 2.0 / 3.0};
  const MadeLearner made = registry.make("harmonic:soft=10", priors);
  REQUIRE(made.as<HarmonicLearner>() != nullptr);
  CHECK(made.as<HarmonicLearner>()->options().priors == priors);
  CHECK(made.as<HarmonicLearner>()->options().mass == MassRule::shares);
  CHECK(registry.make("harmonic:soft=10,mass=shares,priors=0.3333333333333333;0.6666666666666666")
            .spec == made.spec);
  for (const auto* entry : registry.labelers()) {
    CAPTURE(entry->name);
    if (entry->takes_priors()) {
      const MadeLearner met = registry.make(entry->name, priors);
      CHECK(registry.make(met.spec).spec == met.spec);
    } else {
      CHECK_THAT(failure_of([&] { registry.make(entry->name, priors); }).message,
                 Contains(entry->name + ": takes no class priors"));
    }
  }
  CHECK_THAT(registry.make("volume-mbo", priors).spec, Contains("mass=priors,"));
  CHECK_THAT(registry.make("poisson:mass=priors", priors).spec, Contains("mass=priors,"));
  CHECK_THAT(failure_of([&] { registry.make("harmonic:mass=cmn", priors); }).message,
             Contains("option mass: must be priors or shares when priors are given"));
  CHECK_THAT(failure_of([&] { registry.make("auto:priors=1;2", priors); }).message,
             Contains("option priors is given twice"));
}

TEST_CASE("a learner of a plug-in may take class priors as numbers, too") {
  LearnerRegistry registry = builtin_learners();
  std::vector<double> taken;
  LearnerEntry entry;
  entry.name = "mine";
  entry.options.text("priors", "", "proportions");
  entry.make_transductive = [&taken](const OptionValues& values) {
    const auto* numbers = values.numbers("priors");
    taken = numbers != nullptr ? *numbers : std::vector<double>();
    return std::make_unique<HarmonicLearner>();
  };
  registry.add(std::move(entry));
  CHECK(registry.make("mine", {0.25, 0.75}).spec == "mine:priors=0.25;0.75");
  CHECK(taken == std::vector<double>{0.25, 0.75});
  CHECK(registry.make("mine:priors=1;3").spec == "mine:priors=1;3");
  CHECK(taken.empty());
}

TEST_CASE("a learner's name must be free and well formed") {
  LearnerRegistry registry = builtin_learners();
  LearnerEntry entry;
  entry.make_transductive = [](const OptionValues&) { return nullptr; };
  for (const char* name : {"", "Harmonic", "a b", "a:b", "harmonic"}) {
    entry.name = name;
    CHECK(failure_of([&] { registry.add(entry); }).code == ErrorCode::usage);
  }
  entry.name = "mine-2";
  registry.add(entry);
  CHECK(registry.find("mine-2") != nullptr);
}

TEST_CASE("a learner reports numbers of a system only where it solved one") {
  const LearnerRegistry registry = builtin_learners();
  const Graph graph = path_graph(4);
  const LabeledSet ends = LabeledSet::classes({0, 3}, {"a", "b"});
  const LabeledSet all = LabeledSet::classes({0, 1, 2, 3}, {"a", "a", "b", "b"});
  const auto report_of = [&](const char* spec, const LabeledSet& labeled) {
    return registry.make(spec).transductive().fit(graph, labeled, {}).report;
  };
  const Report solved = report_of("harmonic", ends);
  REQUIRE(solved.system);
  CHECK(*solved.relative_residual() < 1e-9);
  const Report nothing = report_of("harmonic", all);
  CHECK((!nothing.system && nothing.used == "none"));
  for (const char* spec : {"nearest-label", "min-cut"}) {
    CAPTURE(spec);
    const Report report = report_of(spec, ends);
    CHECK_FALSE(report.system.has_value());
    CHECK_FALSE(report.sentence.empty());
  }
  Dataset rows;
  rows.points = Points::dense(2, 1, std::vector<double>{0.0, 1.0});
  rows.targets = Targets::classes({0, 1}, {"a", "b"});
  CHECK_FALSE(registry.make("tree").inductive().fit(rows).report.system.has_value());
  CHECK(registry.make("ridge").inductive().fit(rows).report.system.has_value());
}

TEST_CASE("whoever has nothing to say of a run leaves it out") {
  const Graph graph = path_graph(5);
  const LabeledSet labeled = classes({0, 4}, {0, 1}, 2);
  const Fit fit = builtin_learners().make("harmonic").transductive().fit(graph, labeled);
  CHECK(fit.scores.values(1, 0) == Approx(0.75));
  CHECK(HarmonicLearner().fit(graph, labeled).scores.values == fit.scores.values);
  CHECK(edge_resistances(graph).values.size() == 4);
  CHECK(explain(graph, labeled, std::vector<VertexId>{2}).of.size() == 1);
  Block x;
  const auto solver = make_solver(GroundedLaplacian(graph, {1, 0, 0, 0, 0}));
  CHECK(solver->solve(Block(5, 1, 1.0), x).outcome == Outcome::converged);
}

TEST_CASE("a learner has a factory, and what that makes is a learner") {
  LearnerRegistry registry = builtin_learners();
  LearnerEntry entry;
  entry.name = "mine";
  CHECK(failure_of([&] { registry.add(entry); }).code == ErrorCode::usage);
  entry.make_transductive = [](const OptionValues&) { return nullptr; };
  entry.make_inductive = [](const OptionValues&) { return nullptr; };
  CHECK_THAT(failure_of([&] { registry.add(entry); }).message, Contains("set load_model"));
  entry.make_inductive = nullptr;
  registry.add(entry);
  CHECK(failure_of([&] { registry.make("mine"); }).code == ErrorCode::internal);
}

TEST_CASE("a learner asked for a kind that it is not of says what it does instead") {
  const auto refused = [](const auto& ask, const char* does, Remedy remedy) {
    const auto error = error_of(ask);
    REQUIRE(error);
    CHECK_THAT(error->what(), Contains(does));
    CHECK(error->remedies().has(remedy));
  };
  refused([] { made("spectral").transductive(); }, "it clusters a graph", Remedy::clusterer);
  refused([] { made("harmonic").inductive(); }, "it labels a graph", Remedy::transductive);
  refused([] { made("nearest-mean").online(); }, "it makes a model of points", Remedy::inductive);
  refused([] { made("perceptron").clusterer(); }, "learns trial by trial", Remedy::online);
  refused([] { made("als").transductive(); }, "it completes a matrix", Remedy::completer);
  refused([] { made("harmonic").completer(); }, "it labels a graph", Remedy::transductive);
}

TEST_CASE("a plug-in adds a first-class learner") {
  LearnerRegistry registry = builtin_learners();
  CHECK(registry.find("majority") == nullptr);
  registry.load_plugin(built_module("gssl_example_plugin"));
  const MadeLearner made = registry.make("majority:smoothing=1");
  CHECK(made.spec == "majority:smoothing=1");
  // 0 - 1 - 2 - 3, labels a, a, b at 0, 1, 3: with one more vote each vertex 2 gets 3/5, 2/5.
  const Graph path = graph_from_edges(4, {{0, 1}, {1, 2}, {2, 3}});
  const Fit fit = made.transductive().fit(path, classes({0, 1, 3}, {0, 0, 1}, 2), on_threads(1));
  CHECK(fit.scores.values(2, 0) == Approx(0.6));
  CHECK(fit.scores.values(2, 1) == Approx(0.4));
  CHECK(fit.decision == std::vector<int>{0, 0, 0, 1});
  CHECK_THAT(failure_of([&] { registry.make("majority:smoothing=-1"); }).message,
             Contains("majority: option smoothing=-1"));
}

TEST_CASE("a plug-in loaded twice is refused, and the first copy stays") {
  LearnerRegistry registry = builtin_learners();
  registry.load_plugin(built_module("gssl_example_plugin"));
  const std::size_t count = registry.entries().size();
  CHECK_THAT(failure_of([&] { registry.load_plugin(built_module("gssl_example_plugin")); }).message,
             Contains("'majority' is taken"));
  CHECK(registry.entries().size() == count);
}

TEST_CASE("what is no plug-in is refused with the reason and leaves the registry alone") {
  LearnerRegistry registry = builtin_learners();
  const std::size_t count = registry.entries().size();
  const TemporaryDirectory directory;

  const Failure missing =
      failure_of([&] { registry.load_plugin((directory.path() / "none.so").string()); });
  CHECK(missing.code == ErrorCode::cannot_open);
  CHECK_THAT(missing.message, Contains("none.so: no such plug-in file"));
  CHECK(failure_of([&] { registry.load_plugin(""); }).code == ErrorCode::cannot_open);

  const std::string text = directory.file("text.so", "not a shared object\n");
  const Failure not_elf = failure_of([&] { registry.load_plugin(text); });
  CHECK(not_elf.code == ErrorCode::cannot_open);
  CHECK_THAT(not_elf.message, Contains("cannot be loaded as a shared object"));

  const Failure no_entry =
      failure_of([&] { registry.load_plugin(built_module("gssl_plugin_without_entry")); });
  CHECK(no_entry.code == ErrorCode::bad_data);
  CHECK_THAT(no_entry.message, Contains("no function gssl_plugin_abi"));

  const Failure other_abi =
      failure_of([&] { registry.load_plugin(built_module("gssl_plugin_other_abi")); });
  CHECK(other_abi.code == ErrorCode::bad_data);
  CHECK_THAT(other_abi.message, Contains("must be " + std::to_string(plugin_abi)));

  CHECK(failure_of([&] { registry.load_plugin(built_module("gssl_plugin_taken_name")); }).code ==
        ErrorCode::usage);
  CHECK(registry.find("left-behind") == nullptr);
  CHECK(registry.entries().size() == count);
}

TEST_CASE("every promise that a plug-in's learner breaks is an error that names both") {
  LearnerRegistry registry = builtin_learners();
  const std::size_t before = registry.entries().size();
  registry.load_plugin(built_module("gssl_plugin_broken_promises"));
  const Graph graph = graph_from_edges(8, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}, {6, 7}});
  const LabeledSet labeled = classes({0, 7}, {0, 1}, 2);
  const Points points = Points::dense(8, 1, std::vector<double>(8, 1.0));
  const Cells cells = make_cells(2, 2, {0, 1}, {0, 1}, {1.0, 2.0});
  CHECK(registry.make("honest").transductive().fit(graph, labeled, on_threads(2)).decision.size() ==
        8);
  std::size_t broken = 0;
  for (std::size_t i = before; i < registry.entries().size(); ++i) {
    const LearnerEntry& entry = *registry.entries()[i];
    CHECK(entry.plugin == built_module("gssl_plugin_broken_promises"));
    if (entry.name == "honest") continue;
    CAPTURE(entry.name);
    const Failure failure = failure_of([&] {
      const MadeLearner made = registry.make(entry.name);
      if (made.points_learner) made.points_learner->fit(points, labeled, on_threads(2));
      if (made.transductive_learner) made.transductive().fit(graph, labeled, on_threads(2));
      if (made.completer_learner) made.completer().complete(cells, on_threads(2));
    });
    CHECK(failure.code == ErrorCode::bad_data);
    CHECK_THAT(failure.message,
               Catch::StartsWith("plug-in " + built_module("gssl_plugin_broken_promises") +
                                 ", learner " + entry.name + ": "));
    ++broken;
  }
  CHECK(broken == 22);
}

TEST_CASE("the first row that breaks a promise is found wherever it is, at any thread count") {
  const VertexId n = 10000;
  const LabeledSet labeled = LabeledSet::targets({0, 1}, {1.0, 2.0});
  Fit fit;
  fit.scores.values = Block(n, 1, 1.5);
  fit.scores.status.assign(static_cast<std::size_t>(n), VertexStatus::inferred);
  fit.scores.status[0] = fit.scores.status[1] = VertexStatus::given;
  fit.decision.assign(static_cast<std::size_t>(n), -1);
  fit.confidence.assign(static_cast<std::size_t>(n), 1.0);
  CHECK_FALSE(broken_promise(fit, n, labeled, 2));
  fit.scores.values(9000, 0) = std::numeric_limits<double>::infinity();
  fit.decision[4097] = 0;
  for (const int threads : {1, 4}) {
    const auto broken = broken_promise(fit, n, labeled, threads);
    REQUIRE(broken);
    CHECK_THAT(*broken, Contains("row 4097"));
  }
}

TEST_CASE("a plug-in that throws while it registers, or whose learner cannot be made, is refused") {
  LearnerRegistry registry = builtin_learners();
  const std::size_t count = registry.entries().size();
  const Failure thrown =
      failure_of([&] { registry.load_plugin(built_module("gssl_plugin_throws_on_load")); });
  CHECK(thrown.code == ErrorCode::bad_data);
  CHECK_THAT(thrown.message, Contains(built_module("gssl_plugin_throws_on_load")));
  CHECK(failure_of([&] {
          registry.load_plugin(built_module("gssl_plugin_without_factory"));
        }).code == ErrorCode::usage);
  CHECK(registry.entries().size() == count);
}
