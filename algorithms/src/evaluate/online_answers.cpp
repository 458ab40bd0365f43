#include "evaluate/online_answers.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "gssl/core/error.hpp"
#include "gssl/core/index.hpp"
#include "gssl/graph/components.hpp"
#include "online/counted_session.hpp"

namespace gssl::detail {
namespace {

constexpr std::int64_t answers_between_looks = 1024;

// A session that is told classes of vertices and says them.
class VertexTrials {
 public:
  VertexTrials(const OnlineLearner& learner, const Graph& graph, const LabeledSet& given,
               const RunContext& run)
      : classes_(given.class_count()),
        columns_(learner.instance_kind() == InstanceKind::vertex ? 0
                                                                 : (classes_ > 2 ? classes_ : 1)) {
    OnlineSetting setting{.class_names = given.class_names(),
                          .graph = std::make_shared<const Graph>(graph)};
    const auto labels = static_cast<std::int64_t>(given.size());
    setting.horizon = labels * std::max(1, columns_);
    if (columns_ > 0) {
      setting.width = graph.vertex_count();
      setting.width2 = columns_;
      if (columns_ > 1) setting.class_names = {"another", "this"};
      level_.assign(index(columns_), 0.0);
    }
    session_ = learner.start(setting, run);
    valued_ = dynamic_cast<const CountedSession*>(session_.get());
  }

  void tell(VertexId v, int truth) {
    for (int column = 0; column < std::max(1, columns_); ++column) {
      session_->predict(instance(v, column));
      const bool here = columns_ <= 1 || column == truth;
      session_->update({.value = columns_ <= 1 ? truth : (here ? 1.0 : 0.0)});
    }
  }

  // After the last label: the value of a cell from which on it is answered with "yes" is half way
  // between the means of the cells that were told to be so and of the others. The learner draws its
  // own about 0, where what all vertices have in common outweighs what tells them apart.
  void end_telling(const LabeledSet& given, const std::string& name, const RunContext& run) {
    for (int column = 0; column < columns_; ++column) {
      std::array<double, 2> sum{}, count{};
      for (std::size_t i = 0; i < given.size(); ++i) {
        run.throw_if_stopped(name, "before the level between the classes was found");
        session_->predict(instance(given.vertices()[i], column));
        const std::span<const double> values = last_values();
        if (values.empty()) return;
        const bool here = given.class_of()[i] == (columns_ == 1 ? 1 : column);
        sum[here ? 1 : 0] += values[0];
        count[here ? 1 : 0] += 1.0;
      }
      if (count[0] > 0.0 && count[1] > 0.0)
        level_[index(column)] = (sum[0] / count[0] + sum[1] / count[1]) / 2.0;
    }
  }

  // The class of v; its scores to `row`.
  int answer(VertexId v, std::span<double> row) {
    if (columns_ > 1) return answer_by_columns(v, row);
    int decision = static_cast<int>(session_->predict(instance(v, 0)));
    const std::span<const double> values = last_values();
    if (columns_ == 1 && !values.empty()) {
      row[1] = values[0] - level_[0];
      row[0] = -row[1];
      decision = row[1] >= 0.0 ? 1 : 0;
    } else if (std::ssize(values) == 1 && classes_ == 2) {
      row[0] = -values[0];
      row[1] = values[0];
    } else if (std::ssize(values) == classes_) {
      std::ranges::copy(values, row.begin());
    } else {
      row[index(decision)] = 1.0;
    }
    return decision;
  }

 private:
  Instance instance(VertexId v, int column) const {
    return {.first = v, .second = columns_ == 0 ? -1 : column};
  }
  std::span<const double> last_values() const {
    return valued_ == nullptr ? std::span<const double>() : valued_->values();
  }

  int answer_by_columns(VertexId v, std::span<double> row) {
    for (int column = 0; column < columns_; ++column) {
      const double said = session_->predict(instance(v, column));
      const std::span<const double> values = last_values();
      row[index(column)] = (values.empty() ? said : values[0]) - level_[index(column)];
    }
    return static_cast<int>(std::ranges::max_element(row) - row.begin());
  }

  int classes_;
  int columns_;                // of the matrix; 0: of no matrix
  std::vector<double> level_;  // of each column
  std::unique_ptr<OnlineSession> session_;
  const CountedSession* valued_ = nullptr;
};

}  // namespace

bool labels_vertices(const OnlineLearner& learner) {
  const InstanceKind kind = learner.instance_kind();
  return kind == InstanceKind::vertex || kind == InstanceKind::cell;
}

OnlineAnswers answers_by_trials(const std::string& name, const OnlineLearner& learner,
                                const Graph& graph, const LabeledSet& given,
                                const std::vector<VertexId>& asked, const RunContext& run) {
  if (given.is_regression())
    throw Error(ErrorCode::usage, name + ": predicts classes of vertices: it has no values");
  given.check_against(graph.vertex_count());
  const Components components = connected_components(graph);
  std::vector<bool> reached(index(components.count), false);
  for (const VertexId v : given.vertices()) reached[index(components.of[index(v)])] = true;

  OnlineAnswers found;
  found.decision.assign(asked.size(), -1);
  found.scores = Block(std::ssize(asked), given.class_count());
  std::unique_ptr<VertexTrials> trials;
  if (given.class_count() > 1) {
    trials = std::make_unique<VertexTrials>(learner, graph, given, run);
    for (std::size_t i = 0; i < given.size(); ++i) {
      run.throw_if_stopped(name, "before all labels were told");
      trials->tell(given.vertices()[i], given.class_of()[i]);
    }
    trials->end_telling(given, name, run);
  }
  for (std::size_t i = 0; i < asked.size(); ++i) {
    if (static_cast<std::int64_t>(i) % answers_between_looks == 0)
      run.throw_if_stopped(name, "before all vertices were answered for");
    if (!reached[index(components.of[index(asked[i])])]) continue;
    const std::span<double> row = found.scores.row(static_cast<std::int64_t>(i));
    if (trials) {
      found.decision[i] = trials->answer(asked[i], row);
    } else {
      found.decision[i] = 0;
      row[0] = 1.0;
    }
  }
  return found;
}

}  // namespace gssl::detail
