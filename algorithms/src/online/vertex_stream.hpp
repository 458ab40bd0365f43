#pragma once
// What learners on a stream of vertices share: the graph, the classes, and how they are numbers.
// Two classes are −1 and +1 in one column, more are one column each of 0 and 1. Internal: not
// installed.

#include <memory>
#include <span>
#include <vector>

#include "gssl/data/record.hpp"
#include "gssl/learn/online.hpp"

namespace gssl::detail {

class VertexStream {
 public:
  // Throws ErrorCode::usage naming `learner` without a graph or with fewer than two classes.
  VertexStream(const char* learner, const OnlineSetting& setting);
  // Of a session that was saved. Throws as above, and ErrorCode::bad_data where the graph has
  // another number of vertices.
  VertexStream(const char* learner, const OnlineSetting& setting, const Record& record);

  void save(Record& record) const;

  const std::shared_ptr<const Graph>& graph() const { return graph_; }
  std::size_t classes() const { return classes_; }
  std::int64_t columns() const { return classes_ == 2 ? 1 : static_cast<std::int64_t>(classes_); }

  // Throws ErrorCode::bad_data unless it is a vertex of the graph.
  VertexId checked_vertex(std::int64_t vertex) const;
  // The row of a class.
  std::vector<double> encode(int class_number) const;
  // Values this near to each other (of a sign: to 0) are tied, so that rounding breaks no tie.
  static constexpr double tie = 1e-10;
  // The class of a row: the sign, or the largest; the last of tied ones.
  int decide(std::span<const double> row) const;

 private:
  VertexStream(const char* learner, const OnlineSetting& setting, std::size_t classes);

  const char* learner_;
  std::shared_ptr<const Graph> graph_;
  std::size_t classes_;
};

}  // namespace gssl::detail
