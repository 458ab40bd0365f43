// A learner in a shared object: the model of how to write one.
//
//   gssl label graph.txt labels.txt --plugin libgssl_example_plugin.so --method
//   majority:smoothing=1
//
// "majority" gives every vertex of a component the class frequencies of the labels in it. It is a
// baseline: a learner that does no better has learned nothing from the edges.
//
// A learner is three things: options, a class with fit(), and an entry that names them.

#include <algorithm>

#include "gssl/core/error.hpp"
#include "gssl/graph/components.hpp"
#include "gssl/learn/plugin.hpp"

namespace {

class MajorityLearner final : public gssl::TransductiveLearner {
 public:
  explicit MajorityLearner(double smoothing) : smoothing_(smoothing) {}

  gssl::Fit fit(const gssl::Graph& graph, const gssl::LabeledSet& labeled,
                const gssl::RunContext&) const override {
    // The contract (learner.hpp): wrong input throws before any work.
    labeled.check_against(graph.vertex_count());
    if (labeled.is_regression())
      throw gssl::Error(gssl::ErrorCode::usage,
                        "majority: real targets: this learner needs classes");

    const gssl::Components components = gssl::connected_components(graph);
    const auto component = [&](gssl::VertexId v) {
      return components.of[static_cast<std::size_t>(v)];
    };
    gssl::Block votes(components.count, labeled.class_count());
    std::vector<double> total(static_cast<std::size_t>(components.count), 0.0);
    for (std::size_t i = 0; i < labeled.size(); ++i) {
      const gssl::VertexId c = component(labeled.vertices()[i]);
      votes(c, labeled.class_of()[i]) += 1.0;
      total[static_cast<std::size_t>(c)] += 1.0;
    }

    gssl::Fit fit;
    fit.scores.values = gssl::Block(graph.vertex_count(), labeled.class_count());
    fit.scores.status.assign(static_cast<std::size_t>(graph.vertex_count()),
                             gssl::VertexStatus::inferred);
    for (gssl::VertexId v = 0; v < graph.vertex_count(); ++v) {
      const gssl::VertexId c = component(v);
      const double labels = total[static_cast<std::size_t>(c)];
      if (labels == 0.0) {  // no label in its component: status unreached, scores zero
        fit.scores.status[static_cast<std::size_t>(v)] = gssl::VertexStatus::unreached;
        continue;
      }
      for (int k = 0; k < labeled.class_count(); ++k)
        fit.scores.values(v, k) =
            (votes(c, k) + smoothing_) / (labels + smoothing_ * labeled.class_count());
    }
    const gssl::Block given = labeled.target_block();
    for (std::size_t i = 0; i < labeled.size(); ++i) {  // given vertices keep their own label
      const gssl::VertexId v = labeled.vertices()[i];
      fit.scores.status[static_cast<std::size_t>(v)] = gssl::VertexStatus::given;
      for (int k = 0; k < labeled.class_count(); ++k)
        fit.scores.values(v, k) = given(static_cast<std::int64_t>(i), k);
    }
    fit.decision = fit.scores.decide();
    fit.confidence = fit.scores.confidence();
    for (gssl::VertexId v = 0; v < graph.vertex_count(); ++v) {  // as many votes: no one answer
      gssl::VertexStatus& status = fit.scores.status[static_cast<std::size_t>(v)];
      const auto row = fit.scores.values.row(v);
      if (status == gssl::VertexStatus::inferred && row.size() > 1 &&
          std::ranges::count(row, std::ranges::max(row)) > 1)
        status = gssl::VertexStatus::tied;
    }
    fit.report.requested = fit.report.used = "counting";
    fit.report.sentence = "counted the labels of each component";
    return fit;
  }

 private:
  double smoothing_;
};

void register_majority(gssl::LearnerRegistry& registry) {
  gssl::LearnerEntry entry;
  entry.name = "majority";
  entry.summary = "class frequencies of the labels in the component: the baseline";
  entry.reference = "folklore";
  entry.options.real("smoothing", 0.0, {.low = 0.0, .high_open = true},
                     "votes added to every class of a component");
  entry.make_transductive = [](const gssl::OptionValues& values) {
    return std::make_unique<MajorityLearner>(values.real("smoothing"));
  };
  registry.add(std::move(entry));
}

}  // namespace

GSSL_PLUGIN(register_majority)
