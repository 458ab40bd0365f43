// Compiles the lines of C++ that pages of docs show, each among the names that its page speaks of.
#include <gssl/batch/tree.hpp>
#include <gssl/batch/tree_pruning.hpp>
#include <gssl/complete/completion.hpp>
#include <gssl/io/feature_reader.hpp>
#include <gssl/io/record_file.hpp>
#include <gssl/learn/registry.hpp>
#include <gssl/learn/trained_model.hpp>
#include <iostream>
#include <string>

void complete_page(std::int64_t rows, std::int64_t columns, const std::vector<std::int32_t>& row,
                   const std::vector<std::int32_t>& column, const std::vector<double>& value,
                   const gssl::RunContext& run) {
#include "complete.inc"
}

void fit_page() {
#include "fit.inc"
}

void online_graph_page(const std::shared_ptr<const gssl::Graph>& graph, gssl::VertexId vertex,
                       const gssl::RunContext& run) {
#include "online_graph.inc"
}

void trees_page(const gssl::Dataset& data, const gssl::RunContext& run) {
#include "trees.inc"
}
