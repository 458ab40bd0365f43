#pragma once
// What an x leaves of the equations of a network (solve_from.hpp): b − A x of any row, and the sums
// over all rows, of which no row is stored.
//
//   NetworkResidual residual(problem, x, tolerance, run);   // who is free, and ‖b‖
//   residual.measure(x);                                    // looks at all rows
//   residual.worst() <= 1.0;                                // ‖b − Ax‖ ≤ tolerance·‖b‖ in all columns
//   residual.measure(x, rows);                              // after x changed, and only these did
//
// Sums are kept for each block of rows, so that after a change in a few rows those of their blocks
// alone are taken again: what comes out has the bits of a look at all rows, at any thread count.

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "gssl/core/parallel.hpp"
#include "gssl/solve/solve_from.hpp"

namespace gssl::solve {

class NetworkResidual {
 public:
  // Takes x of the held vertices. Throws what solve_from() does of the problem.
  NetworkResidual(const NetworkProblem& problem, const Block& x, double tolerance,
                  const RunContext& run);

  VertexId size() const { return problem_.graph.vertex_count(); }
  const Graph& graph() const { return problem_.graph; }
  double ground(VertexId v) const {
    return problem_.ground.empty() ? 0.0 : problem_.ground[static_cast<std::size_t>(v)];
  }
  // Neither held nor unreached: has an equation.
  bool is_free(VertexId v) const { return kind_[static_cast<std::size_t>(v)] == Kind::free; }
  VertexId free_count() const { return free_count_; }
  const std::vector<VertexId>& unreached() const { return unreached_; }

  // What this column leaves does not count from now on.
  void ignore(std::int64_t column) { scale_[static_cast<std::size_t>(column)] = 0.0; }

  void measure(const Block& x);
  void measure(const Block& x, std::span<const VertexId> changed);

  // b − A x at a free vertex.
  void row(const Block& x, VertexId v, std::span<double> r) const;

  const std::vector<double>& norms_of_b() const { return norms_of_b_; }
  // ‖b − Ax‖/(tolerance·‖b‖) of each column; 0 where b is zero.
  std::vector<double> ratios() const;
  double worst() const;  // the largest; no number where one is none
  // The share that the row of v has in the square of what is allowed, in its worst column.
  double weight(VertexId v) const { return weight_[static_cast<std::size_t>(v)]; }
  // The sum of what body(sum, v, weight) makes of the rows, ascending, of every block with a row of
  // at least `least`.
  template <class Sum, class Body>
  Sum sum_weights(double least, Body&& body) const {
    constexpr std::int64_t blocks_of_sum = 16;  // since a sum may be of some kilobytes
    const auto add_block = [&](Sum& sum, std::int64_t begin, std::int64_t end) {
      if (largest_[static_cast<std::size_t>(begin / parallel_block)] < least) return;
      for (auto v = static_cast<VertexId>(begin); v < end; ++v) body(sum, v, weight(v));
    };
    return blocked_sum(
        size(), threads(),
        [&](std::int64_t begin, std::int64_t end) {
          Sum sum;
          for (std::int64_t first = begin; first < end; first += parallel_block)
            add_block(sum, first, std::min(end, first + parallel_block));
          return sum;
        },
        blocks_of_sum * parallel_block);
  }
  // The mean share of a row's weights that leads to held vertices or to earth: what a current loses
  // with each edge that it passes.
  double leak() const { return leaks_ / std::max(1.0, static_cast<double>(free_count_)); }
  // Of each column, Σ |residual| · resistance to what is held or to earth.
  std::vector<double> error_bounds() const;

 private:
  enum class Kind : std::uint8_t { unreached, free, held };

  void mark_held();
  void mark_fed();
  std::vector<VertexId> ground_vertices();
  void reach(std::vector<VertexId> layer);
  std::vector<VertexId> reach_from(const std::vector<VertexId>& layer);
  std::vector<VertexId> reach_what_is_left();
  void shorten_paths();
  void measure_b(const Block& x);
  void add_given(const Block& x, VertexId v, std::span<double> b) const;
  void measure_block(const Block& x, std::int64_t begin, std::int64_t end);
  int threads() const { return run_.thread_count(); }

  const NetworkProblem& problem_;
  const RunContext& run_;
  const double tolerance_;
  const std::int64_t columns_;
  std::vector<Kind> kind_;
  std::vector<VertexId> fed_row_;     // of `current`, or no_vertex; empty where none is fed
  std::vector<VertexId> has_source_;  // free vertices with something in b
  std::vector<VertexId> unreached_;
  VertexId free_count_ = 0;
  double leaks_ = 0.0;
  std::vector<double> diagonal_;    // of A, also of held vertices
  std::vector<double> resistance_;  // of a path from each free vertex to what is held or to earth
  std::vector<double> norms_of_b_, scale_;  // scale_: 1 over what is allowed, 0 where b is zero
  std::vector<double> weight_;
  std::vector<double> squares_, bounds_;  // of each block of rows and column
  std::vector<double> largest_;           // weight of each block of rows
};

}  // namespace gssl::solve
