#include "learn/checked_learner.hpp"

#include <cmath>
#include <utility>

#include "gssl/learn/check_fit.hpp"
#include "gssl/learn/top_classes.hpp"

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
    fit.class_names = labeled.class_names();
    return fit;
  }
  const Learner& inside() const { return *inside_; }

 private:
  std::unique_ptr<Learner> inside_;
  CodeOrigin origin_;
};

class CheckedOnGraph final : public CheckedLearner<TransductiveLearner, Graph>,
                             public TopClassLearner {
 public:
  using CheckedLearner::CheckedLearner;

  Fit fit_without_scores(const Graph& graph, const LabeledSet& labeled,
                         const RunContext& run) const override {
    return checked(ScoresAsked::no, graph, labeled, run,
                   [&] { return inside().fit_without_scores(graph, labeled, run); });
  }

  Fit fit_top(const Graph& graph, const LabeledSet& labeled, int count, TopClasses& best,
              const RunContext& run) const override {
    return checked(ScoresAsked::no, graph, labeled, run,
                   [&] { return fit_with_top(inside(), graph, labeled, count, best, run); });
  }
};

using CheckedOnPoints = CheckedLearner<PointsLearner, Points>;

class CheckedModel final : public Model {
 public:
  CheckedModel(std::unique_ptr<Model> inside, std::int64_t columns, CodeOrigin origin)
      : inside_(std::move(inside)), columns_(columns), origin_(std::move(origin)) {}

  Block scores(const Points& points, const RunContext& run) const override {
    Block scores = guarded(origin_, [&] { return inside_->scores(points, run); });
    if (scores.rows() != points.rows() || scores.columns() != columns_)
      throw origin_.fault("its model gives " + std::to_string(scores.rows()) + " x " +
                          std::to_string(scores.columns()) + " scores: must be " +
                          std::to_string(points.rows()) + " x " + std::to_string(columns_));
    for (const double score : scores.values())
      if (!std::isfinite(score)) throw origin_.fault("its model gives a score that is not finite");
    return scores;
  }
  ScoreKind score_kind() const override { return inside_->score_kind(); }
  std::vector<std::pair<std::string, std::string>> facts() const override {
    return guarded(origin_, [&] { return inside_->facts(); });
  }
  std::vector<ModelPart> parts(const ModelNames& names) const override {
    return guarded(origin_, [&] { return inside_->parts(names); });
  }
  void save(Record& record) const override {
    guarded(origin_, [&] { inside_->save(record); });
  }

 private:
  std::unique_ptr<Model> inside_;
  std::int64_t columns_;
  CodeOrigin origin_;
};

class CheckedInductive final : public InductiveLearner {
 public:
  CheckedInductive(std::unique_ptr<InductiveLearner> inside, CodeOrigin origin)
      : inside_(std::move(inside)), origin_(std::move(origin)) {}

  Trained fit(const Dataset& data, const RunContext& run) const override {
    Trained trained = guarded(origin_, [&] { return inside_->fit(data, run); });
    if (trained.model == nullptr) throw origin_.fault("its fit returns no model");
    const std::int64_t columns =
        data.targets.is_regression() ? 1 : static_cast<std::int64_t>(data.targets.class_count());
    trained.model = std::make_unique<CheckedModel>(std::move(trained.model), columns, origin_);
    return trained;
  }
  bool reads_strings() const override { return inside_->reads_strings(); }

 private:
  std::unique_ptr<InductiveLearner> inside_;
  CodeOrigin origin_;
};

class CheckedCompleter final : public Completer {
 public:
  CheckedCompleter(std::unique_ptr<Completer> inside, CodeOrigin origin)
      : inside_(std::move(inside)), origin_(std::move(origin)) {}

  Completion complete(const Cells& cells, const RunContext& run,
                      const Cells* held_out) const override {
    Completion found = guarded(origin_, [&] { return inside_->complete(cells, run, held_out); });
    const auto check = [&](const char* what, std::int64_t count, std::int64_t expected) {
      if (count != expected)
        throw origin_.fault("its completion has " + std::to_string(count) + " " + what +
                            ": must be " + std::to_string(expected));
    };
    check("biases of rows", std::ssize(found.row_bias), cells.rows);
    check("biases of columns", std::ssize(found.column_bias), cells.columns);
    check("rows of U", found.u.rows(), cells.rows);
    check("rows of V", found.v.rows(), cells.columns);
    check("columns of V", found.v.columns(), found.u.columns());
    return found;
  }

 private:
  std::unique_ptr<Completer> inside_;
  CodeOrigin origin_;
};

// A learner that is handed out as it is.
template <class Learner>
std::unique_ptr<Learner> there(std::unique_ptr<Learner> learner, const LearnerEntry& entry) {
  if (learner == nullptr)
    throw CodeOrigin{entry.plugin, entry.name}.fault("its factory returns no learner");
  return learner;
}

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

std::unique_ptr<InductiveLearner> checked(std::unique_ptr<InductiveLearner> learner,
                                          const LearnerEntry& entry) {
  return wrap<CheckedInductive>(std::move(learner), entry);
}

std::unique_ptr<OnlineLearner> checked(std::unique_ptr<OnlineLearner> learner,
                                       const LearnerEntry& entry) {
  return there(std::move(learner), entry);
}

std::unique_ptr<Clusterer> checked(std::unique_ptr<Clusterer> learner, const LearnerEntry& entry) {
  return there(std::move(learner), entry);
}

std::unique_ptr<Completer> checked(std::unique_ptr<Completer> learner, const LearnerEntry& entry) {
  return wrap<CheckedCompleter>(std::move(learner), entry);
}

}  // namespace gssl::detail
