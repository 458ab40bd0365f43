#include "batch/tree/tree_sum_model.hpp"

#include <cmath>

#include "batch/tree/tree_rules.hpp"
#include "gssl/core/error.hpp"

namespace gssl::detail {

Block TreeSumModel::scores(const Points& points, const RunContext& run) const {
  check_columns(learner_, points, table_.columns());
  Block sums = table_.sum(points, run);
  if (factor_ != 1.0)
    for (std::int64_t r = 0; r < sums.rows(); ++r)
      for (double& x : sums.row(r)) x *= factor_;
  return sums;
}

std::vector<ModelPart> TreeSumModel::parts(const ModelNames& names) const {
  return {rules_part(table_, names)};
}

void TreeSumModel::save(Record& record) const {
  table_.save(record);
  record.put("kind", static_cast<std::int64_t>(kind_));
  record.put("factor", factor_);
  std::vector<std::string> names;
  std::vector<std::string> texts;
  for (const auto& [name, text] : facts_) {
    names.push_back(name);
    texts.push_back(text);
  }
  record.put("fact_names", names);
  record.put("fact_texts", texts);
}

std::unique_ptr<Model> TreeSumModel::load(std::string learner, const Record& record) {
  const std::int64_t kind = record.integer("kind");
  const double factor = record.real("factor");
  const auto names = record.texts("fact_names");
  const auto texts = record.texts("fact_texts");
  if (kind < 0 || kind > static_cast<std::int64_t>(ScoreKind::value) || !std::isfinite(factor) ||
      names.size() != texts.size())
    throw Error(ErrorCode::bad_data, learner + ": the record holds no such model: it is damaged");
  Facts facts;
  for (std::size_t i = 0; i < names.size(); ++i) facts.emplace_back(names[i], texts[i]);
  return std::make_unique<TreeSumModel>(std::move(learner), TreeTable::load(record),
                                        static_cast<ScoreKind>(kind), factor, std::move(facts));
}

}  // namespace gssl::detail
