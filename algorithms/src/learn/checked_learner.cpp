#include "learn/checked_learner.hpp"

#include <utility>

#include "gssl/learn/check_fit.hpp"

namespace gssl::detail {
namespace {

VertexId row_count(const Graph& graph) { return graph.vertex_count(); }
VertexId row_count(const Points& points) { return points.rows(); }

// Learner is TransductiveLearner or PointsLearner, Input what that learns from.
template <class Learner, class Input>
class CheckedLearner final : public Learner {
 public:
  CheckedLearner(std::unique_ptr<Learner> inside, CodeOrigin origin)
      : inside_(std::move(inside)), origin_(std::move(origin)) {}

  Fit fit(const Input& input, const LabeledSet& labeled, const RunContext& run) const override {
    Fit fit = guarded(origin_, [&] { return inside_->fit(input, labeled, run); });
    if (const auto broken = broken_promise(fit, row_count(input), labeled, run.thread_count()))
      throw origin_.fault(*broken);
    return fit;
  }

 private:
  std::unique_ptr<Learner> inside_;
  CodeOrigin origin_;
};

template <class Input, class Learner>
std::unique_ptr<Learner> wrap(std::unique_ptr<Learner> learner, const LearnerEntry& entry) {
  CodeOrigin origin{entry.plugin, entry.name};
  if (learner == nullptr) throw origin.fault("its factory returns no learner");
  return std::make_unique<CheckedLearner<Learner, Input>>(std::move(learner), std::move(origin));
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
  return wrap<Graph>(std::move(learner), entry);
}

std::unique_ptr<PointsLearner> checked(std::unique_ptr<PointsLearner> learner,
                                       const LearnerEntry& entry) {
  return wrap<Points>(std::move(learner), entry);
}

}  // namespace gssl::detail
