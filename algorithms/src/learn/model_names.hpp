#pragma once
// Names for parts of models, and parts that several kinds of models have. Internal: not installed.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gssl/core/block.hpp"
#include "gssl/data/points.hpp"
#include "gssl/learn/inductive.hpp"

namespace gssl::detail {

// "1", "2", …
std::vector<std::string> numbered_names(std::int64_t count);

// "coefficients": of each pair the constant first, called (bias), then every column. `weights` is
// columns × pairs. One pair of two classes is of the second.
ModelPart coefficients_part(const ModelNames& names, Block weights, std::vector<double> bias);

// "support-vectors": the constants first, called bias, then every item with its coefficient in each
// output and its values as "column:value …" from 1, zeros left out. The items must outlive the part.
ModelPart support_part(std::vector<std::string> outputs, const Points& items, Block coefficients,
                       std::vector<double> bias);

// The parts of several models below each other: cells that tell the model, then its own.
class JoinedParts {
 public:
  explicit JoinedParts(std::vector<std::string> headings) : headings_(std::move(headings)) {}
  // Only parts that every model has are kept.
  void add(std::vector<ModelCell> cells, std::vector<ModelPart> parts);
  std::vector<ModelPart> take();

 private:
  struct Member {
    std::vector<ModelCell> cells;
    std::vector<ModelPart> parts;
  };
  std::vector<std::string> headings_;
  std::vector<Member> members_;
};

}  // namespace gssl::detail
