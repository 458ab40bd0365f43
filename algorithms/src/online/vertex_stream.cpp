#include "online/vertex_stream.hpp"

#include <algorithm>
#include <string>

#include "gssl/core/error.hpp"

namespace gssl::detail {

VertexStream::VertexStream(const char* learner, const OnlineSetting& setting, std::size_t classes)
    : learner_(learner), graph_(setting.graph), classes_(classes) {
  if (!graph_) throw Error(ErrorCode::usage, std::string(learner) + ": needs a graph");
  if (classes_ < 2)
    throw Error(ErrorCode::usage, std::string(learner) + ": " + std::to_string(classes_) +
                                      " classes: must be at least two");
}

VertexStream::VertexStream(const char* learner, const OnlineSetting& setting)
    : VertexStream(learner, setting, setting.class_names.size()) {}

VertexStream::VertexStream(const char* learner, const OnlineSetting& setting, const Record& record)
    : VertexStream(learner, setting, static_cast<std::size_t>(record.integer("classes"))) {
  const std::int64_t vertices = record.integer("vertices");
  if (vertices != graph_->vertex_count())
    throw Error(ErrorCode::bad_data,
                std::string(learner) + ": a graph of " + std::to_string(graph_->vertex_count()) +
                    " vertices: the session was saved with one of " + std::to_string(vertices));
}

void VertexStream::save(Record& record) const {
  record.put("classes", static_cast<std::int64_t>(classes_));
  record.put("vertices", static_cast<std::int64_t>(graph_->vertex_count()));
}

VertexId VertexStream::checked_vertex(std::int64_t vertex) const {
  if (vertex < 0 || vertex >= graph_->vertex_count())
    throw Error(ErrorCode::bad_data, std::string(learner_) + ": vertex " + std::to_string(vertex) +
                                         ": must be one of the graph's " +
                                         std::to_string(graph_->vertex_count()));
  return static_cast<VertexId>(vertex);
}

std::vector<double> VertexStream::encode(int class_number) const {
  if (classes_ == 2) return {class_number == 1 ? 1.0 : -1.0};
  std::vector<double> row(classes_, 0.0);
  row[static_cast<std::size_t>(class_number)] = 1.0;
  return row;
}

int VertexStream::decide(std::span<const double> row) const {
  if (classes_ == 2) return row[0] >= -tie ? 1 : 0;
  const double largest = *std::ranges::max_element(row);
  auto best = static_cast<int>(row.size()) - 1;
  while (row[static_cast<std::size_t>(best)] < largest - tie) --best;
  return best;
}

}  // namespace gssl::detail
