#include "batch/nested_learner.hpp"

#include <numeric>

#include "gssl/core/error.hpp"
#include "learn/model_names.hpp"

namespace gssl::detail {

MadeLearner make_nested(std::string_view owner, std::string_view spec) {
  const auto fail = [&](const std::string& rule) {
    throw Error(ErrorCode::usage,
                std::string(owner) + ": option learner=" + std::string(spec) + ": " + rule);
  };
  const auto open = spec.find('(');
  std::string plain(spec.substr(0, open));
  if (open != std::string_view::npos) {
    if (spec.back() != ')') fail("must be NAME or NAME(option=value,…)");
    plain += ":" + std::string(spec.substr(open + 1, spec.size() - open - 2));
  }
  static const LearnerRegistry registry = builtin_learners();
  MadeLearner made = registry.make(plain);
  if (made.inductive_learner == nullptr) fail("must be a learner that `gssl fit` takes");
  if (made.calibrate) fail("option calibrate: votes count decisions; calibrate their sum");
  return made;
}

void VoteModel::add(std::unique_ptr<Model> model, double weight) {
  models_.push_back(std::move(model));
  weights_.push_back(weight);
}

ScoreKind VoteModel::score_kind() const {
  if (!models_.empty() && models_.front()->score_kind() == ScoreKind::value)
    return ScoreKind::value;
  return rule_ == Rule::share ? ScoreKind::shares : ScoreKind::decision;
}

Block VoteModel::scores(const Points& points, const RunContext& run) const {
  check_columns(owner_, points, columns_);
  const double all = std::accumulate(weights_.begin(), weights_.end(), 0.0);
  Block sums(points.rows(), outputs_);
  for (std::size_t m = 0; m < models_.size(); ++m) {
    const double weight = rule_ == Rule::share ? weights_[m] / all : weights_[m];
    const Block said = models_[m]->scores(points, run);
    if (said.columns() != outputs_)
      throw Error(ErrorCode::bad_data, owner_ + ": a member has " + std::to_string(said.columns()) +
                                           " scores a row, the model " + std::to_string(outputs_) +
                                           ": the model is damaged");
    if (score_kind() == ScoreKind::value) {
      for (std::int64_t r = 0; r < said.rows(); ++r) sums(r, 0) += weight * said(r, 0);
      continue;
    }
    const std::vector<int> decision = decide(said, models_[m]->score_kind());
    for (std::int64_t r = 0; r < said.rows(); ++r) {
      const int k = decision[static_cast<std::size_t>(r)];
      sums(r, k) += weight;
      if (rule_ == Rule::margin) sums(r, 1 - k) -= weight;
    }
  }
  return sums;
}

std::vector<std::pair<std::string, std::string>> VoteModel::facts() const {
  return {{"members", std::to_string(models_.size()) + " of " + member_}};
}

std::vector<ModelPart> VoteModel::parts(const ModelNames& names) const {
  JoinedParts joined({"member", "vote"});
  for (std::size_t m = 0; m < models_.size(); ++m)
    joined.add({static_cast<std::int64_t>(m + 1), weights_[m]}, models_[m]->parts(names));
  return joined.take();
}

void VoteModel::save(Record& record) const {
  record.put("member", std::string_view(member_));
  record.put("columns", columns_);
  record.put("outputs", outputs_);
  record.put("rule", static_cast<std::int64_t>(rule_));
  record.put("weight", weights_);
  for (std::size_t m = 0; m < models_.size(); ++m) {
    Record child;
    models_[m]->save(child);
    record.put("model/" + std::to_string(m), child);
  }
}

std::unique_ptr<Model> VoteModel::load(std::string owner, const Record& record) {
  const auto fail = [&] {
    throw Error(ErrorCode::bad_data, owner + ": the record holds no such model: it is damaged");
  };
  static const LearnerRegistry registry = builtin_learners();
  const std::string& member = record.text("member");
  const LearnerEntry* const entry = registry.find(member);
  const std::int64_t rule = record.integer("rule");
  const std::int64_t outputs = record.integer("outputs");
  const auto& weights = record.reals("weight");
  if (entry == nullptr || !entry->load_model || rule < 0 || rule > 2 || outputs < 1 ||
      (rule == 1 && outputs != 2) || weights.empty())
    fail();
  auto model = std::make_unique<VoteModel>(owner, member, record.integer("columns"), outputs,
                                           static_cast<Rule>(rule));
  for (std::size_t m = 0; m < weights.size(); ++m)
    model->add(entry->load_model(record.child("model/" + std::to_string(m))), weights[m]);
  return model;
}

}  // namespace gssl::detail
