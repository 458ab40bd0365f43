#include "evaluate/shared_ridge.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "evaluate/trial_answers.hpp"
#include "gssl/core/index.hpp"
#include "gssl/core/number_text.hpp"

namespace gssl::detail {
namespace {

constexpr std::size_t most_kept = 32;  // training sets
constexpr double most_bytes = 1e9;     // of their matrices
constexpr std::string_view learner_name = "ridge";

struct Penalty {
  Bias bias;
  double lambda;
};

// Of a ridge of this program whose rows are its columns and whose penalty is told; else nothing.
std::optional<Penalty> penalty_of(const MadeLearner& learner) {
  if (learner.entry->name != learner_name || !learner.entry->plugin.empty()) return {};
  const OptionValues values =
      learner.entry->options.parse(split_spec(learner.spec).assignments, learner.entry->name);
  const std::optional<double> lambda = parse_number<double>(values.text("lambda"));
  const bool primal = values.text("solver") == "automatic" || values.text("solver") == "primal";
  if (!lambda || !(*lambda > 0.0) || !primal || values.text("basis") != "none") return {};
  for (const auto& [bias, name] : bias_names())
    if (values.text("bias") == name) return Penalty{bias, *lambda};
  return {};
}

}  // namespace

SharedRidge::SharedRidge(const EvaluationProblem& problem)
    : problem_(problem), shares_(takes_rows_as_they_are(problem) && !problem.points->is_sparse()) {}

Points SharedRidge::rows(const std::vector<std::int32_t>& some) const {
  std::vector<VertexId> of_points;
  of_points.reserve(some.size());
  for (const std::int32_t row : some) of_points.push_back(problem_.vertices[index(row)]);
  return select(*problem_.points, of_points);
}

std::shared_ptr<SharedRidge::Kept> SharedRidge::kept(
    Bias bias, const std::vector<std::int32_t>& training) const {
  const std::lock_guard lock(mutex_);
  for (const std::shared_ptr<Kept>& one : kept_)
    if (one->bias == bias && one->training == training) return one;
  kept_.push_front(std::make_shared<Kept>());
  kept_.front()->bias = bias;
  kept_.front()->training = training;
  const auto d = static_cast<double>(problem_.points->columns());
  const auto room = static_cast<std::size_t>(most_bytes / (8.0 * d * d + 1.0));
  if (kept_.size() > std::min(most_kept, std::max<std::size_t>(room, 2))) kept_.pop_back();
  return kept_.front();
}

std::optional<Block> SharedRidge::scores(const MadeLearner& learner,
                                         const std::vector<std::int32_t>& training,
                                         const std::vector<std::int32_t>& test,
                                         const RunContext& run) const {
  if (!shares_ || !RidgeSystem::suits(std::ssize(training), *problem_.points)) return {};
  const std::optional<Penalty> penalty = penalty_of(learner);
  if (!penalty) return {};
  const std::shared_ptr<Kept> one = kept(penalty->bias, training);
  {
    const std::lock_guard lock(one->making);
    if (one->system == nullptr)
      one->system = std::make_unique<const RidgeSystem>(
          make_dataset(rows(training), problem_.truth.select(training)), penalty->bias, run);
  }
  const std::unique_ptr<Model> model = one->system->model(penalty->lambda, run);
  if (model == nullptr) return {};
  Block found = model->scores(rows(test), run);
  const auto finite = [](double score) { return std::isfinite(score); };
  if (!std::ranges::all_of(found.values(), finite)) return {};  // ridge itself says why
  return found;
}

}  // namespace gssl::detail
