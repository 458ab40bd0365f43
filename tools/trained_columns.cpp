#include "trained_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "gssl/core/number_text.hpp"

namespace gssl::tool {
namespace {

std::optional<std::int64_t> number_of_column(const std::string& column) {
  return parse_number<std::int64_t>(column);
}

// A column of training that is no feature, as it is looked for in another table.
struct WantedColumn {
  const char* name;               // "labels"
  const std::string& told;        // by the command line
  const std::string& remembered;  // by the model
  std::string found = {};         // in this table; empty: not there
};

}  // namespace

TrainedColumns::TrainedColumns(const FeatureOptions& told) : told_(told) {}

TrainedColumns::TrainedColumns(const FeatureOptions& told, const TrainedModel& model)
    : told_(told), model_(&model) {}

void TrainedColumns::watch(FeatureReadOptions& read) {
  if (model_ != nullptr) {
    if (told_.label_column.empty()) {
      read.points.label_column = model_->label_column;  // of an .npz; tables are asked first
      read.points.label_optional = true;
    }
    read.weight_place = weight_place();
    read.features_with_weight = model_->encoding.input_columns() + 1;
  }
  read.points.adapt = [this](const std::vector<std::string>& fields, PointsReadOptions& options) {
    fields_ = fields;
    if (model_ != nullptr) find(fields, options);
  };
}

void TrainedColumns::find(const std::vector<std::string>& fields, PointsReadOptions& options) {
  std::array<WantedColumn, 3> wanted = {
      WantedColumn{"labels", told_.label_column, model_->label_column},
      WantedColumn{"weights", told_.weight_column, model_->weight_column},
      WantedColumn{"ids", told_.id_column, model_->id_column},
  };
  std::int64_t others = std::ssize(fields) - model_->encoding.input_columns();
  std::vector<WantedColumn*> by_number;  // those that are missing first in front
  for (WantedColumn& column : wanted) {
    if (!column.told.empty())
      column.found = column.told;
    else if (number_of_column(column.remembered))
      by_number.push_back(&column);
    else if (options.header != TableHeader::no && std::ranges::count(fields, column.remembered) > 0)
      column.found = column.remembered;
    if (!column.found.empty()) --others;
  }
  // Beside --columns the table may have any number of further ones.
  if (!options.table.columns.empty()) others = std::ssize(by_number);
  const std::int64_t there = std::clamp<std::int64_t>(others, 0, std::ssize(by_number));
  const auto first = by_number.end() - there;
  missing_.clear();
  for (auto it = by_number.begin(); it != first; ++it) missing_.emplace_back((*it)->name);
  for (auto it = first; it != by_number.end(); ++it) {
    const std::int64_t number = *number_of_column((*it)->remembered);
    const auto moved = std::count_if(by_number.begin(), first, [&](const WantedColumn* gone) {
      return *number_of_column(gone->remembered) < number;
    });
    (*it)->found = std::to_string(number - moved);
  }
  options.label_column = wanted[0].found;
  options.label_optional = false;
  weights_ = wanted[1].found;
  options.id_column = wanted[2].found;
}

// Of a model without names of columns: the place of its weights among the features of a file that
// has them. -1: it has names, or no weights.
std::int64_t TrainedColumns::weight_place() const {
  if (!model_->encoding.input_names().empty()) return -1;
  const auto weight = number_of_column(model_->weight_column);
  if (!weight) return -1;
  std::int64_t place = *weight - 1;
  for (const std::string& other : {model_->label_column, model_->id_column}) {
    const auto number = number_of_column(other);
    if (number && *number < *weight) --place;
  }
  return place;
}

void TrainedColumns::drop_weights(FeaturesFile& file) const {
  std::int64_t column = -1;
  if (!fields_.empty())
    column = weights_.empty() ? -1 : find_column(file, weights_);
  else if (file.table.column_count() == model_->encoding.input_columns() + 1)
    column = find_column(file, model_->weight_column);
  if (column >= 0) drop_column(file.table, column);
}

// A number means another column where columns are left out; a name does not.
std::string TrainedColumns::lasting_name(const std::string& column,
                                         const FeaturesFile& file) const {
  const auto number = number_of_column(column);
  if (!number || file.table.names.empty() || *number < 1 || *number > std::ssize(fields_))
    return column;
  const std::string& name = fields_[static_cast<std::size_t>(*number - 1)];
  const bool tells =
      !name.empty() && !number_of_column(name) && std::ranges::count(fields_, name) == 1;
  return tells ? name : column;
}

void TrainedColumns::remember(TrainedModel& model, const FeaturesFile& file, bool labels) const {
  model.label_column = labels ? lasting_name(told_.label_column, file) : "";
  model.weight_column = lasting_name(told_.weight_column, file);
  model.id_column = lasting_name(told_.id_column, file);
  model.file_columns = std::ssize(fields_);
}

std::string TrainedColumns::missing_by_number() const {
  if (missing_.empty()) return {};
  return fmt::format("{} columns, {} in training: taken to lack its {}", fields_.size(),
                     model_->file_columns, fmt::join(missing_, " and "));
}

}  // namespace gssl::tool
