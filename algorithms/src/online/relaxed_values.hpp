#pragma once
// Values of the vertices of a graph, some of them given, with the residual of each other: how far
// it is from the mean of its neighbors, r_u = Σ w_uj (x_j − x_u). Internal: not installed.
//
//   RelaxedValues values(graph, degree, 1);
//   values.give(v, {{1.0}});           // residuals of its neighbors change
//   values.relax(1e-3, most_work);     // pushes what is large on, until |r_u| ≤ 1e-3 d_u
//
// Relaxing a vertex makes it the mean of its neighbors; with h the expected steps of a walk to the
// given ones, Σ |r_u| h_u falls by |r_u| at least, so that it ends. Time by what is changed. A copy
// is a state to come back to. Memory: 16 bytes a vertex and column, and 2.

#include <cstdint>
#include <span>
#include <vector>

#include "gssl/core/block.hpp"
#include "gssl/core/index.hpp"
#include "gssl/data/record.hpp"
#include "gssl/graph/graph.hpp"

namespace gssl::detail {

class RelaxedValues {
 public:
  // All values 0, none given. Both must outlive it.
  RelaxedValues(const Graph& graph, const std::vector<double>& degree, std::int64_t columns);

  std::int64_t columns() const { return x_.columns(); }
  std::span<const double> row(VertexId v) const { return x_.row(v); }
  const Block& all() const { return x_; }
  bool is_given(VertexId v) const { return given_[index(v)] != 0; }

  // The same value for vertices that have no others as neighbors: all residuals are then 0.
  void set(std::span<const VertexId> vertices, std::span<const double> value);
  // From now on v is held.
  void give(VertexId v, std::span<const double> value);

  // The largest |r_u| / d_u of the columns; 0 of a given vertex.
  double ratio(VertexId u) const;
  double largest_ratio(std::span<const VertexId> vertices) const;

  struct Relaxed {
    bool all = true;            // false: it ended before all ratios were small
    double ratio = 0.0;         // else no ratio that has changed is larger
    std::int64_t vertices = 0;  // relaxed, some more than once
    double work = 0.0;          // entries of rows that it went through
  };
  // Relaxes the neighbors of vertices given since the last time, and theirs, where their ratio is
  // above `threshold`; ends after some `most` entries of rows.
  Relaxed relax(double threshold, double most);

  // A column and its residual, for a solver, and back; then residuals are to be computed.
  void take_out(std::span<const VertexId> free, std::int64_t k, std::vector<double>& x,
                std::vector<double>& r) const;
  void put_back(std::span<const VertexId> free, std::int64_t k, const std::vector<double>& x);
  void compute_residuals(std::span<const VertexId> free);

  // Values and residuals of some vertices.
  struct Rows {
    std::vector<double> x, r;
  };
  Rows rows(std::span<const VertexId> vertices) const;
  void set_rows(std::span<const VertexId> vertices, const Rows& rows);

  void save(Record& record) const;
  // With those given that are not left out. Throws ErrorCode::bad_data where it is of another
  // graph.
  void resume(const Record& record, std::span<const VertexId> given,
              std::span<const VertexId> left_out);

 private:
  void wait(VertexId u);
  void relax_one(VertexId u, double threshold);

  const Graph* graph_;
  const std::vector<double>* degree_;
  Block x_, r_;
  std::vector<char> given_;
  std::vector<char> waits_;
  std::vector<VertexId> waiting_;
};

}  // namespace gssl::detail
