#pragma once
// One function per graph format, and what they share. Each fills graph, names and the counts of
// `file.stats` from the text of `source`.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "gssl/core/error.hpp"
#include "gssl/core/parallel.hpp"
#include "gssl/io/graph_reader.hpp"
#include "text_source.hpp"

namespace gssl::detail {

void read_edge_list(const TextSource& source, const ReadOptions& options, const RunContext& run,
                    GraphFile& file);
void read_matrix_market(const TextSource& source, const ReadOptions& options, const RunContext& run,
                        GraphFile& file);
void read_metis(const TextSource& source, const ReadOptions& options, const RunContext& run,
                GraphFile& file);
void read_binary_graph(const TextSource& source, const ReadOptions& options, const RunContext& run,
                       GraphFile& file);
void read_graphml(const TextSource& source, const ReadOptions& options, const RunContext& run,
                  GraphFile& file);
void read_gexf(const TextSource& source, const ReadOptions& options, const RunContext& run,
               GraphFile& file);
void read_gml(const TextSource& source, const ReadOptions& options, const RunContext& run,
              GraphFile& file);
void read_pajek(const TextSource& source, const ReadOptions& options, const RunContext& run,
                GraphFile& file);
void read_dimacs(const TextSource& source, const ReadOptions& options, const RunContext& run,
                 GraphFile& file);
void read_dot(const TextSource& source, const ReadOptions& options, const RunContext& run,
              GraphFile& file);
void read_galois(const TextSource& source, const ReadOptions& options, const RunContext& run,
                 GraphFile& file);
void read_sparse_npz(const TextSource& source, const ReadOptions& options, const RunContext& run,
                     GraphFile& file);
void read_triples(const TextSource& source, const ReadOptions& options, const RunContext& run,
                  GraphFile& file);
// `folder` holds raw/edge.csv.gz, or edge.csv.gz itself.
GraphFile read_ogb_folder(const std::string& folder, const ReadOptions& options,
                          const RunContext& run);

// All of read_graph() but the opening.
GraphFile parse_graph(const TextSource& source, const ReadOptions& options, const RunContext& run);

// What is known before parsing.
void start_stats(const TextSource& source, std::string_view format, InputStats& stats);

// A piece of the text that ends at a line end, and the number of its first line.
struct Chunk {
  std::string_view text;
  std::int64_t first_line = 1;
};

// Pieces of about `size` bytes, with first_line unset.
std::vector<Chunk> cut_at_lines(std::string_view text, std::size_t size);

// Throws ErrorCode::cancelled or, in the middle of the file, ErrorCode::time_limit if the run is to
// stop; reports the fraction read otherwise.
void check_progress(const RunContext& run, double fraction);

// Of `text` bytes that are parsed on all threads: what is made of one block stays in the cache
// until it is used, and a small text has some blocks, too.
constexpr std::size_t block_bytes(std::size_t text) {
  return std::clamp(text / 7, std::size_t{1} << 13, std::size_t{1} << 17);
}
// check_progress() at every eighth block, once a megabyte: so a small file is read whole, whatever
// the time limit.
void check_block_progress(const RunContext& run, std::int64_t block, double fraction);

// Text of a pipe or a packed file stays while its edges are read, as pairs and as entries of rows:
// this refuses what does not fit. A plain file was weighed before it was opened.
class HeldTextRoom {
 public:
  HeldTextRoom(const TextSource& source, const RunContext& run);

  // The text that follows the part before. Throws MemoryError, with what the whole text needs.
  void take(std::string_view part);

 private:
  void count(std::string_view part);

  const TextSource& source_;
  std::size_t limit_ = 0;  // 0: none
  std::size_t bytes_ = 0;
  std::int64_t lines_ = 0;
};

// Copies what the builder counted; `zeros` edges of weight 0 never reached it.
void take_counts(const GraphBuilderCounts& counts, std::int64_t zeros, InputStats& stats);

// Builds the graph; what is wrong is said of the file and the names, which the builder does not
// know.
Graph finish_graph(GraphBuilder& builder, const VertexNames& names, const TextSource& source,
                   const RunContext& run);

// Prefixes of the ids of the two kinds of vertices.
inline constexpr const char* left_prefix = "u:";
inline constexpr const char* right_prefix = "v:";

// Places the edges of `chunks`, counted in `builder` before, and finishes the graph. walk(chunk,
// visit) calls visit(u, v, weight) for each edge with a weight > 0; it must not fail on a text
// already walked.
template <class Walk>
Graph place_edges(GraphBuilder& builder, bool weighted, DuplicatePolicy duplicates,
                  const VertexNames& names, const std::vector<Chunk>& chunks,
                  const TextSource& source, const RunContext& run, Walk&& walk) {
  builder.begin_placing(weighted);
  // `first` depends on the order of placing.
  const int threads = duplicates == DuplicatePolicy::first ? 1 : run.thread_count();
  const auto each_chunk = [&](auto&& visit) {
    parallel_blocks(
        static_cast<std::int64_t>(chunks.size()), threads,
        [&](std::int64_t begin, std::int64_t end) {
          for (std::int64_t i = begin; i < end; ++i) {
            const Chunk& chunk = chunks[static_cast<std::size_t>(i)];
            walk(chunk, visit);
            source.release(chunk.text);
          }
        },
        1);
  };
  if (threads == 1) {
    each_chunk([&](VertexId u, VertexId v, double w) { builder.place(u, v, w); });
  } else {
    each_chunk([&](VertexId u, VertexId v, double w) { builder.place_shared(u, v, w); });
  }
  check_progress(run, 1.0);
  return finish_graph(builder, names, source, run);
}

}  // namespace gssl::detail
