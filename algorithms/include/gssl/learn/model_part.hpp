#pragma once
// What a model has learned, as tables to read: coefficients, rules, importances, support vectors.
//
//   for (const gssl::ModelPart& part : trained.parts())       // TrainedModel, trained_model.hpp
//     for (std::int64_t r = 0; r < part.rows; ++r) show(part.row(r));
//
// Rows are made when they are asked for, so that a part costs little until it is read. A part must
// not outlive its model.

#include <cstdint>
#include <functional>
#include <string>
#include <variant>
#include <vector>

namespace gssl {

// What a model itself does not know: how its columns and classes are called.
struct ModelNames {
  std::vector<std::string> columns;
  std::vector<std::string> classes;  // empty: a regression
};

using ModelCell = std::variant<std::string, double, std::int64_t>;

struct ModelPart {
  std::string name;  // "coefficients", "rules", "importances", "support-vectors"
  std::vector<std::string> headings = {};  // of the cells of a row
  std::int64_t rows = 0;
  std::function<std::vector<ModelCell>(std::int64_t row)> row = {};
};

}  // namespace gssl
