// Sparse matrices of SciPy (scipy.sparse.save_npz) as graphs: a zip archive of the arrays "format",
// "shape" and, for csr, csc and bsr, "indptr", "indices", "data", for coo "row", "col", "data".
// Entry (i, j) is the edge {i, j}, or of row i and column j where these are vertices of two kinds.
#include <algorithm>
#include <cmath>

#include "declared_size.hpp"
#include "edge_collector.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "number_array.hpp"
#include "sparse_npz.hpp"

namespace gssl::detail {
namespace {

// "u:0", …, "v:0", …: rows, then columns.
VertexNames two_kinds(std::int64_t rows, std::int64_t columns) {
  VertexNames names;
  for (std::int64_t i = 0; i < rows; ++i) names.insert(left_prefix + std::to_string(i));
  for (std::int64_t i = 0; i < columns; ++i) names.insert(right_prefix + std::to_string(i));
  return names;
}

}  // namespace

void read_sparse_npz(const TextSource& source, const ReadOptions& options, const RunContext& run,
                     GraphFile& file) {
  const SparseNpz matrix = read_sparse_arrays(source.text(), source.name());
  if (matrix.rows != matrix.columns && !options.bipartite)
    bad_array(
        source.name(),
        "a matrix of " + std::to_string(matrix.rows) + " x " + std::to_string(matrix.columns) +
            "; a graph has as many rows as columns; read as bipartite, they are vertices of two "
            "kinds; rows that are points are joined to a graph first",
        Remedy::bipartite | Remedy::build_graph);
  const auto vertices = static_cast<std::uint64_t>(matrix.rows) +
                        (options.bipartite ? static_cast<std::uint64_t>(matrix.columns) : 0);
  const std::string rule = declared_too_many(vertices, source.text().size());
  if (!rule.empty()) bad_array(source.name(), rule);
  const auto first_column = static_cast<VertexId>(options.bipartite ? matrix.rows : 0);
  EdgeCollector edges(options);
  visit_entries(matrix, [&](std::int64_t i, std::int64_t j, double weight) {
    if (!std::isfinite(weight) || weight < 0)
      bad_array(source.name(), "entry " + std::to_string(i) + ", " + std::to_string(j) + " is " +
                                   to_text(weight) + "; a weight must be > 0");
    edges.add(static_cast<VertexId>(i), static_cast<VertexId>(j) + first_column, weight);
  });
  file.names = options.bipartite ? two_kinds(matrix.rows, matrix.columns)
                                 : VertexNames::numbered(static_cast<VertexId>(matrix.rows));
  edges.finish(source, run, file);
}

}  // namespace gssl::detail
