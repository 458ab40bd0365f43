#include "gssl/online/side_information.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <unordered_map>

#include "gssl/core/error.hpp"
#include "gssl/kernel/path_tree.hpp"
#include "gssl/network/graph_kernel.hpp"

namespace gssl {
namespace {

class GraphSide {
 public:
  GraphSide(std::shared_ptr<const Graph> graph, const RunContext& run)
      : run_(run), kernel_(std::move(graph), {.kind = KernelKind::pseudoinverse}, run) {
    const auto diagonal = kernel_.diagonal(run);
    run.throw_if_stopped("side information", "before the diagonal of its kernel was known");
    largest_ = *std::ranges::max_element(*diagonal);
  }

  double largest() const { return largest_; }

  double value(std::int64_t i, std::int64_t j) {
    if (i < 0 || i >= kernel_.size() || j < 0 || j >= kernel_.size())
      throw Error(ErrorCode::bad_data, "side information: item " +
                                           std::to_string(i < 0 || i >= kernel_.size() ? i : j) +
                                           ": the graph has " + std::to_string(kernel_.size()));
    return column(std::min(i, j))[static_cast<std::size_t>(std::max(i, j))] + largest_;
  }

 private:
  const std::vector<double>& column(std::int64_t i) {
    const auto [at, is_new] = columns_.try_emplace(i);
    if (is_new) {
      const KernelProduct solved = kernel_.columns({static_cast<VertexId>(i)}, run_);
      at->second.assign(solved.values.values().begin(), solved.values.values().end());
    }
    return at->second;
  }

  RunContext run_;
  GraphKernel kernel_;
  double largest_ = 0.0;
  std::unordered_map<std::int64_t, std::vector<double>> columns_;
};

}  // namespace

SideInformation no_side() {
  return {[](std::int64_t i, std::int64_t j) { return i == j ? 1.0 : 0.0; }, 1.0};
}

SideInformation graph_side(std::shared_ptr<const Graph> graph, const RunContext& run) {
  if (graph->edge_count() == 0) return no_side();
  const auto side = std::make_shared<GraphSide>(std::move(graph), run);
  return {[side](std::int64_t i, std::int64_t j) { return side->value(i, j); },
          2.0 * side->largest()};
}

SideInformation path_tree_side(std::int64_t horizon) {
  const PathTreeKernel kernel(horizon);
  return {[kernel](std::int64_t s, std::int64_t t) { return kernel(s, t); }, kernel.largest()};
}

SideInformation matrix_side(Block matrix) {
  double largest = 0.0;
  for (std::int64_t i = 0; i < matrix.rows(); ++i)
    for (std::int64_t j = 0; j <= i; ++j) {
      const bool square = matrix.rows() == matrix.columns();
      if (!square || !std::isfinite(matrix(i, j)) || matrix(i, j) != matrix(j, i) ||
          !(matrix(i, i) > 0.0))
        throw Error(ErrorCode::bad_data,
                    "side information: the matrix must be square, symmetric and finite, with a "
                    "diagonal > 0");
      largest = std::max(largest, matrix(i, i));
    }
  const auto held = std::make_shared<const Block>(std::move(matrix));
  return {[held](std::int64_t i, std::int64_t j) {
            if (std::min(i, j) < 0 || std::max(i, j) >= held->rows())
              throw Error(ErrorCode::bad_data,
                          "side information: item " + std::to_string(std::max(i, j)) +
                              ": the matrix has " + std::to_string(held->rows()));
            return (*held)(i, j);
          },
          largest};
}

}  // namespace gssl
