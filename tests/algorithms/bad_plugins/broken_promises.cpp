// Learners that each break one promise of the contract; the name says which.
#include <limits>
#include <stdexcept>

#include "gssl/core/error.hpp"
#include "gssl/learn/plugin.hpp"

namespace {

using namespace gssl;

// Every row has class 0; at least 8 rows, the first labeled.
Fit honest_fit(VertexId rows, const LabeledSet& labeled) {
  Fit fit;
  fit.scores.values = Block(rows, labeled.class_count());
  fit.scores.status.assign(static_cast<std::size_t>(rows), VertexStatus::inferred);
  for (VertexId v = 0; v < rows; ++v) fit.scores.values(v, 0) = 1.0;
  for (const VertexId v : labeled.vertices())
    fit.scores.status[static_cast<std::size_t>(v)] = VertexStatus::given;
  fit.decision = fit.scores.decide();
  fit.confidence = fit.scores.confidence();
  fit.report.used = fit.report.sentence = "made up";
  return fit;
}

using Breach = void (*)(Fit&);

struct BreakingLearner final : TransductiveLearner {
  explicit BreakingLearner(Breach breach) : breach_(breach) {}
  Fit fit(const Graph& graph, const LabeledSet& labeled, const RunContext&) const override {
    Fit fit = honest_fit(graph.vertex_count(), labeled);
    breach_(fit);
    return fit;
  }
  Breach breach_;
};

struct BreakingPointsLearner final : PointsLearner {
  Fit fit(const Points& points, const LabeledSet& labeled, const RunContext&) const override {
    Fit fit = honest_fit(points.rows(), labeled);
    fit.decision.resize(fit.decision.size() / 2);
    return fit;
  }
};

struct BreakingCompleter final : Completer {
  Completion complete(const Cells& cells, const RunContext&, const Cells*) const override {
    Completion found;
    found.row_bias.assign(static_cast<std::size_t>(cells.rows), 0.0);
    found.u = Block(cells.rows, 1);
    found.v = Block(cells.columns, 1);
    return found;
  }
};

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

const std::pair<const char*, Breach> breaches[] = {
    {"few-decisions", [](Fit& fit) { fit.decision.resize(1); }},
    {"few-confidences", [](Fit& fit) { fit.confidence.clear(); }},
    {"half-status", [](Fit& fit) { fit.scores.status.resize(fit.scores.status.size() / 2); }},
    {"row-missing",
     [](Fit& fit) {
       fit.scores.values = Block(fit.scores.values.rows() - 1, fit.scores.values.columns(), 0.5);
     }},
    {"column-missing", [](Fit& fit) { fit.scores.values = Block(fit.scores.values.rows(), 1); }},
    {"class-99", [](Fit& fit) { fit.decision[3] = 99; }},
    {"class-negative", [](Fit& fit) { fit.decision[3] = -1; }},
    {"nan-score", [](Fit& fit) { fit.scores.values(3, 1) = nan; }},
    {"confidence-7", [](Fit& fit) { fit.confidence[3] = 7.0; }},
    {"nan-confidence", [](Fit& fit) { fit.confidence[3] = nan; }},
    {"status-77", [](Fit& fit) { fit.scores.status[3] = static_cast<VertexStatus>(77); }},
    {"given-elsewhere", [](Fit& fit) { fit.scores.status[3] = VertexStatus::given; }},
    {"given-lost", [](Fit& fit) { fit.scores.status[0] = VertexStatus::inferred; }},
    {"unreached-scored",
     [](Fit& fit) {
       fit.scores.status[3] = VertexStatus::unreached;
       fit.decision[3] = -1;
     }},
    {"outcome-55", [](Fit& fit) { fit.report.outcome = static_cast<Outcome>(55); }},
    {"throws-42", [](Fit&) { throw 42; }},
    {"throws-standard", [](Fit&) { throw std::logic_error("a plan that failed"); }},
    {"throws-internal", [](Fit&) { GSSL_ASSERT(1 + 1 == 3); }},
};

void register_all(LearnerRegistry& registry) {
  for (const auto& [name, breach] : breaches) {
    LearnerEntry entry;
    entry.name = name;
    entry.summary = "breaks a promise";
    entry.make_transductive = [breach = breach](const OptionValues&) {
      return std::make_unique<BreakingLearner>(breach);
    };
    registry.add(std::move(entry));
  }
  LearnerEntry entry;
  entry.summary = "breaks a promise";
  entry.name = "honest";
  entry.make_transductive = [](const OptionValues&) {
    return std::make_unique<BreakingLearner>([](Fit&) {});
  };
  registry.add(entry);
  entry.name = "no-learner";
  entry.make_transductive = [](const OptionValues&) { return nullptr; };
  registry.add(entry);
  entry.name = "factory-throws";
  entry.make_transductive = [](const OptionValues&) -> std::unique_ptr<TransductiveLearner> {
    throw "no";
  };
  registry.add(entry);
  entry.name = "points-few-decisions";
  entry.make_transductive = nullptr;
  entry.make_on_points = [](const OptionValues&) {
    return std::make_unique<BreakingPointsLearner>();
  };
  registry.add(entry);
  entry.name = "biases-missing";
  entry.make_on_points = nullptr;
  entry.make_completer = [](const OptionValues&) { return std::make_unique<BreakingCompleter>(); };
  registry.add(entry);
}

}  // namespace

GSSL_PLUGIN(register_all)
