#pragma once
// A resistor network taken apart vertex by vertex, exactly and without subtraction, and the
// effective resistances read off the parts.
//
// Removing a vertex of conductances wᵢ to its remaining neighbors, d = Σ wᵢ and pᵢ = wᵢ/d, adds
// pᵢ·wⱼ between neighbors i and j: sums of positive numbers only, so that every entry of the factor
// keeps its digits whatever the weights (Alfa, Xue and Ye 2002, doi:10.1090/S0025-5718-01-01325-4).
// Vertices are taken in a fill-reducing order and in groups of equal pattern (supernodes), each one
// dense block. Going back, the resistance between v and a later vertex u is
//
//   r(v, u) = 1/d + Σᵢ pᵢ r(i, u) − ½ Σᵢⱼ pᵢ pⱼ r(i, j)
//
// over the neighbors i, j of v in the factor, which need no resistance outside its pattern. It is
// the recursion of Takahashi, Fagan and Chin (1973) for selected entries of an inverse, in terms of
// resistances, which are local where entries of an inverse grow with the distance to the ground.
//
//   auto factor = gssl::make_network_factor(graph, run);
//   std::vector<double> r = factor->resistances({{0, 1}, {3, 7}}, run);
//   gssl::SelectedResistances all = factor->selected(run);
//
// Time O(flops) for the factor and three times that for all edges; a pair takes the part of the
// factor above its two vertices. Two threads share subtrees and large blocks; same bytes at any
// number of them.

#include <algorithm>
#include <functional>
#include <memory>
#include <vector>

#include "gssl/core/block.hpp"
#include "gssl/core/run_context.hpp"
#include "gssl/graph/graph.hpp"

namespace gssl {

// Bytes that are held at most, the factor with them.
struct FactorPeaks {
  double made = 0.0;      // while it is computed
  double selected = 0.0;  // while selected() is

  double most(bool selecting) const { return selecting ? std::max(made, selected) : made; }
  // With what the heap keeps of what was freed, and the arrays of so many vertices beside it.
  double at_most(bool selecting, double vertices) const {
    return 1.1 * most(selecting) + 80.0 * vertices;
  }
};

struct FactorSize {
  double nonzeros = 0.0;   // stored in the factor
  double flops = 0.0;      // to compute it
  FactorPeaks peaks = {};  // on the threads of the run that counts them
};

struct SelectedResistances {
  std::vector<double> edge;     // r(u, v) of each edge, ordered by (u, v), u < v
  std::vector<double> to_root;  // r(v, root of its component); 0 at the root
};

// The order in which a network was taken apart, by nodes: groups of vertices removed together.
struct EliminationTree {
  std::vector<VertexId> node_of;     // vertex → node
  std::vector<VertexId> parent;      // node → node, or no_vertex at a root
  std::vector<std::int64_t> length;  // node → vertices in it and in all nodes above it
};

class NetworkFactor {
 public:
  virtual ~NetworkFactor() = default;

  virtual const FactorSize& size() const = 0;

  // One for each pair; infinite between components, 0 for u = v. Precondition: vertices of the
  // graph.
  virtual std::vector<double> resistances(const std::vector<VertexPair>& pairs,
                                          const RunContext& run = {}) const = 0;

  // All edges, and each vertex against the root of its component. Empty vectors if the run was
  // stopped.
  virtual SelectedResistances selected(const RunContext& run = {}) const = 0;

  // x = G b: the Laplacian with its roots held at potential 0; rows of x at roots are 0. Forward
  // and back substitution, O(nonzeros) for each four or eight columns; x is given the shape of b.
  virtual void solve(const Block& b, Block& x, const RunContext& run = {}) const = 0;

  // O(n).
  virtual EliminationTree tree() const = 0;

  // Half of a column of G: q_v, by forward substitution alone, with q_u·q_v = G(u, v). It has
  // tree().length[node of v] values, and those of two vertices meet in the last ones: the product
  // is taken over the length of the first node above both, and is 0 where there is none.
  // O(entries of the factor in the nodes above v).
  virtual void half_column(VertexId v, std::vector<double>& values) const = 0;

  // The vertex removed last in each component, which is where solve() is grounded.
  virtual std::vector<VertexId> roots() const = 0;
};

// Orders and counts, asks `accept` if there is one, and factors. `last`, unless no_vertex, becomes
// the root of its component. Null when it was refused, the run was stopped, or weights so far apart
// that a conductance underflows left a vertex without neighbors. Throws ErrorCode::out_of_memory.
std::unique_ptr<NetworkFactor> make_network_factor(
    const Graph& graph, const RunContext& run = {},
    const std::function<bool(const FactorSize&)>& accept = {}, VertexId last = no_vertex);

}  // namespace gssl
