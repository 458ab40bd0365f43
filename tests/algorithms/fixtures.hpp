#pragma once
// Small graphs, slow twins and reference files for the tests of learners.

#include <optional>
#include <string>
#include <vector>

#include "gssl/data/labels.hpp"
#include "gssl/graph/graph_builder.hpp"
#include "gssl/learn/registry.hpp"

namespace gssl::test {

struct LabeledGraph {
  std::string name;
  Graph graph;
  LabeledSet labeled;
};

// Classes by number, named "c0", "c1", …
LabeledSet classes(std::vector<VertexId> vertices, std::vector<int> class_of, int class_count);

// From the registry of tested_learners().
MadeLearner made(std::string_view spec);

// Connected unless `parts` > 1: a random tree on each part plus `extra` random edges inside parts;
// weights in [0.1, 2.1). Vertex v belongs to part v mod parts.
Graph random_graph(VertexId n, int extra, std::uint64_t seed, int parts = 1);

// Graphs of a few vertices with labels, each with something that a learner may stumble over: no edges,
// one vertex, a component without labels, loops and parallel edges, one class, weights.
std::vector<LabeledGraph> small_shapes();

// The edges of `graph` with vertex v renamed to to[v] and every weight multiplied.
Graph renamed(const Graph& graph, const std::vector<VertexId>& to, double scale = 1.0);
std::vector<VertexId> identity_order(VertexId n);
std::vector<VertexId> shuffled_order(VertexId n, std::uint64_t seed);

// Two cliques K_m joined by one edge between vertices m−1 and m (the D_m graph of the notes).
Graph two_cliques(VertexId m);

// Gaussian elimination with partial pivoting, the slow twin of every solver.
Block dense_solve(std::vector<std::vector<double>> a, Block b);
// W as a full matrix.
std::vector<std::vector<double>> dense_adjacency(const Graph& graph);

// ../shared/data/graphs/NAME/plain/NAME.edges.txt with `n` vertices, or its largest component
// renumbered by ../shared/reference/graphs/NAME.lcc_ids.txt; nothing when ../shared is absent.
std::optional<Graph> shared_graph(const std::string& name, VertexId n);
std::optional<Graph> shared_largest_component(const std::string& name);

// All numbers of a shared file as integers, in order; empty when absent.
std::vector<int> shared_integers(const std::string& relative);
// A shared table as a block; 0×0 when absent.
Block shared_block(const std::string& relative);

// Share of `vertices` whose decision is `truth[v]`.
double accuracy(const std::vector<int>& decision, const std::vector<int>& truth,
                const std::vector<VertexId>& vertices);

}  // namespace gssl::test
