#include "learn/checked_learner.hpp"

#include <utility>

#include "gssl/learn/check_fit.hpp"

namespace gssl::detail {
namespace {

VertexId row_count(const Graph& graph) { return graph.vertex_count(); }
VertexId row_count(const Points& points) { return points.rows(); }

// Learner is TransductiveLearner or PointsLearner, Input what that learns from.
template <class Learner, class Input>
class CheckedLearner : public Learner {
 public:
  CheckedLearner(std::unique_ptr<Learner> inside, CodeOrigin origin)
      : inside_(std::move(inside)), origin_(std::move(origin)) {}

  Fit fit(const Input& input, const LabeledSet& labeled, const RunContext& run) const override {
    return checked(ScoresAsked::yes, input, labeled, run,
                   [&] { return inside_->fit(input, labeled, run); });
  }

 protected:
  template <class Work>
  Fit checked(ScoresAsked scores, const Input& input, const LabeledSet& labeled,
              const RunContext& run, Work&& work) const {
    Fit fit = guarded(origin_, work);
    if (const auto broken =
            broken_promise(fit, row_count(input), labeled, run.thread_count(), scores))
      throw origin_.fault(*broken);
    return fit;
  }
  const Learner& inside() const { return *inside_; }

 private:
  std::unique_ptr<Learner> inside_;
  CodeOrigin origin_;
};

class CheckedOnGraph final : public CheckedLearner<TransductiveLearner, Graph> {
 public:
  using CheckedLearner::CheckedLearner;

  Fit fit_without_scores(const Graph& graph, const LabeledSet& labeled,
                         const RunContext& run) const override {
    return checked(ScoresAsked::no, graph, labeled, run,
                   [&] { return inside().fit_without_scores(graph, labeled, run); });
  }
};

using CheckedOnPoints = CheckedLearner<PointsLearner, Points>;

template <class Checked, class Learner>
std::unique_ptr<Learner> wrap(std::unique_ptr<Learner> learner, const LearnerEntry& entry) {
  CodeOrigin origin{entry.plugin, entry.name};
  if (learner == nullptr) throw origin.fault("its factory returns no learner");
  return std::make_unique<Checked>(std::move(learner), std::move(origin));
}

}  // namespace

Error CodeOrigin::fault(const std::string& what) const {
  std::string place;
  if (!plugin.empty()) place = "plug-in " + plugin;
  if (!learner.empty()) place += (place.empty() ? "learner " : ", learner ") + learner;
  const ErrorCode code = plugin.empty() ? ErrorCode::internal : ErrorCode::bad_data;
  return {code, place + ": " + what};
}

std::unique_ptr<TransductiveLearner> checked(std::unique_ptr<TransductiveLearner> learner,
                                             const LearnerEntry& entry) {
  return wrap<CheckedOnGraph>(std::move(learner), entry);
}

std::unique_ptr<PointsLearner> checked(std::unique_ptr<PointsLearner> learner,
                                       const LearnerEntry& entry) {
  return wrap<CheckedOnPoints>(std::move(learner), entry);
}

}  // namespace gssl::detail
