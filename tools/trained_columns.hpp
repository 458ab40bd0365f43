#pragma once
// Which columns of a table are labels, weights and ids rather than features: as gssl fit remembers
// them in a model, and as gssl predict finds them again in a table that may lack some of them.
//
//   TrainedColumns columns(options);                 // gssl fit
//   columns.watch(read);  … read the table …
//   columns.remember(model, file);
//
//   TrainedColumns columns(options, model);          // gssl predict
//   columns.watch(read);  … read the table …
//   columns.drop_weights(file);
//
// A column that the command line tells is that column. Of the others, one that training knew by
// name is there if the header has the name. Those that it knew by number are there as far as the
// table has columns beside the features: one column short, the labels are missing; two, the weights
// too; three, the ids too. What comes after a missing column moves up.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "feature_input.hpp"
#include "gssl/learn/trained_model.hpp"

namespace gssl::tool {

class TrainedColumns {
 public:
  explicit TrainedColumns(const FeatureOptions& told);
  // Both must outlive this.
  TrainedColumns(const FeatureOptions& told, const TrainedModel& model);

  // Sets what reading must know. This must outlive it, at this address.
  void watch(FeatureReadOptions& read);

  // Columns are remembered by name where the training table has a header.
  void remember(TrainedModel& model, const FeaturesFile& file, bool labels) const;
  // Weights are of training: their column, if it is there, is no feature.
  void drop_weights(FeaturesFile& file) const;
  // "5 columns, 6 in training: taken to lack its labels"; empty where none known by number is.
  std::string missing_by_number() const;

 private:
  void find(const std::vector<std::string>& fields, PointsReadOptions& options);
  std::string lasting_name(const std::string& column, const FeaturesFile& file) const;
  std::int64_t weight_place() const;

  const FeatureOptions& told_;
  const TrainedModel* model_ = nullptr;
  std::vector<std::string> fields_;  // of the first line; empty: no table
  std::string weights_;              // column of the weights in this table; empty: none
  std::vector<std::string> missing_;
};

}  // namespace gssl::tool
