#pragma once
// The three Laplacians of a graph as operators, and what is read off them. With W the weights, d_v
// the weighted degree of v and D = diag(d):
//
//   combinatorial  L     = D − W
//   symmetric      L_sym = I − D^-½ W D^-½
//   random_walk    L_rw  = I − D^-1 W
//
// No matrix is formed; every call walks the rows of the graph. O((n + m)·c) time for c columns,
// O(n) scratch for the degrees. The row of an isolated vertex is zero in all three, so L·1 = 0 and
// L_rw·1 = 0 for every graph. Results do not depend on the number of threads.
//
//   gssl::Block y(n, c);
//   gssl::apply_laplacian(graph, gssl::LaplacianKind::combinatorial, x, y);
//   double energy = gssl::quadratic_form(graph, u);

#include <span>
#include <vector>

#include "gssl/core/block.hpp"
#include "gssl/core/named.hpp"
#include "gssl/graph/graph.hpp"

namespace gssl {

enum class LaplacianKind { combinatorial, symmetric, random_walk };
template <>
inline constexpr auto names_of<LaplacianKind> =
    enum_names<LaplacianKind>("laplacian", {"combinatorial", "symmetric", "random-walk"});

// d_v for every vertex.
std::vector<double> weighted_degrees(const Graph& graph, int threads = 1);

// y = L x; y is given the shape of x. x and y must be different blocks. Throws ErrorCode::usage
// unless x has one row per vertex.
void apply_laplacian(const Graph& graph, LaplacianKind kind, const Block& x, Block& y,
                     int threads = 1);

// uᵀLu = Σ over edges of w_uv (u_u − u_v)², for the combinatorial L. Throws ErrorCode::usage unless
// u has one value per vertex.
double quadratic_form(const Graph& graph, std::span<const double> u, int threads = 1);

// Total weight of the edges whose ends are labeled differently: Φ = ¼ uᵀLu. Throws ErrorCode::usage
// unless there is one label per vertex and each is −1 or 1.
double cut_value(const Graph& graph, std::span<const int> labels, int threads = 1);

}  // namespace gssl
