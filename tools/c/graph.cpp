#include <cstring>
#include <memory>
#include <span>

#include "gssl/graph/graph_builder.hpp"
#include "gssl/io/graph_reader.hpp"
#include "handles.hpp"

using gssl::c::guard;
using gssl::c::require;
using gssl::c::require_array;

namespace {

// Arrays of the caller. `release` is called when the last graph over them is destroyed; never if no
// graph was made.
struct Adopted {
  void (*release)(void*) = nullptr;
  void* owner = nullptr;
  bool taken = false;

  Adopted(void (*how)(void*), void* what) : release(how), owner(what) {}
  Adopted(const Adopted&) = delete;
  Adopted& operator=(const Adopted&) = delete;
  ~Adopted() {
    if (taken) release(owner);
  }
};

gssl_graph* numbered(gssl::Graph graph) {
  auto names = gssl::VertexNames::numbered(graph.vertex_count());
  return new gssl_graph{std::move(graph), std::move(names)};
}

}  // namespace

gssl_status gssl_graph_from_edges(const gssl_context* context, int32_t vertex_count,
                                  int64_t edge_count, const int32_t* u, const int32_t* v,
                                  const double* weights, gssl_graph** graph) {
  return guard([&] {
    require(graph, "graph");
    if (edge_count < 0)
      throw gssl::Error(gssl::ErrorCode::usage,
                        "edge_count: " + std::to_string(edge_count) + ": must be >= 0");
    require_array(u, static_cast<std::size_t>(edge_count), "u");
    require_array(v, static_cast<std::size_t>(edge_count), "v");
    const gssl::RunContext run = gssl::c::run_of(context);
    gssl::GraphBuilder builder(vertex_count);
    for (int64_t i = 0; i < edge_count; ++i) builder.count(u[i], v[i]);
    builder.begin_placing(weights != nullptr);
    for (int64_t i = 0; i < edge_count; ++i)
      builder.place(u[i], v[i], weights == nullptr ? 1.0 : weights[i]);
    *graph = numbered(std::move(builder).finish(run.thread_count()));
    return GSSL_OK;
  });
}

gssl_status gssl_graph_from_csr(int32_t vertex_count, const int64_t* offsets,
                                const int32_t* neighbors, const double* weights,
                                void (*release)(void*), void* owner, gssl_graph** graph) {
  return guard([&] {
    require(graph, "graph");
    require(offsets, "offsets");
    if (vertex_count < 0)
      throw gssl::Error(gssl::ErrorCode::usage,
                        "vertex_count: " + std::to_string(vertex_count) + ": must be >= 0");
    const std::span rows(offsets, static_cast<std::size_t>(vertex_count) + 1);
    if (rows.back() < 0)
      throw gssl::Error(gssl::ErrorCode::bad_data,
                        "offsets: the last is " + std::to_string(rows.back()) + ": must be >= 0");
    const auto entries = static_cast<std::size_t>(rows.back());
    require_array(neighbors, entries, "neighbors");
    const std::span columns(neighbors, entries);
    const std::span values(weights, weights == nullptr ? 0 : entries);
    if (release == nullptr) {
      *graph = numbered(gssl::Graph({rows.begin(), rows.end()}, {columns.begin(), columns.end()},
                                    {values.begin(), values.end()}));
      return GSSL_OK;
    }
    const auto adopted = std::make_shared<Adopted>(release, owner);
    *graph = numbered(gssl::Graph(adopted, rows, columns, values));
    adopted->taken = true;
    return GSSL_OK;
  });
}

gssl_status gssl_graph_read(const gssl_context* context, const char* path, gssl_graph** graph) {
  return guard([&] {
    require(path, "path");
    require(graph, "graph");
    gssl::GraphFile file = gssl::read_graph(path, {}, gssl::c::run_of(context));
    *graph = new gssl_graph{std::move(file.graph), std::move(file.names)};
    return GSSL_OK;
  });
}

int32_t gssl_graph_vertex_count(const gssl_graph* graph) {
  return graph == nullptr ? -1 : graph->graph.vertex_count();
}

int64_t gssl_graph_edge_count(const gssl_graph* graph) {
  return graph == nullptr ? -1 : graph->graph.edge_count();
}

gssl_status gssl_graph_vertex_name(const gssl_graph* graph, int32_t vertex, char* buffer,
                                   size_t size, size_t* length) {
  return guard([&] {
    require(graph, "graph");
    require_array(buffer, size, "buffer");
    const int32_t count = graph->graph.vertex_count();
    if (vertex < 0 || vertex >= count)
      throw gssl::Error(
          gssl::ErrorCode::usage,
          "vertex: " + std::to_string(vertex) + ": must be in [0, " + std::to_string(count) + ")");
    const std::string name = graph->names.name(vertex);
    if (length != nullptr) *length = name.size();
    if (size > 0) {
      const std::size_t shown = std::min(name.size(), size - 1);
      std::memcpy(buffer, name.data(), shown);
      buffer[shown] = '\0';
    }
    return GSSL_OK;
  });
}

void gssl_graph_free(gssl_graph* graph) { delete graph; }
