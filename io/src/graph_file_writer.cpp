#include "graph_file_writer.hpp"

#include <algorithm>
#include <string>

#include "gssl/core/error.hpp"
#include "stored_name_table.hpp"

namespace gssl {
namespace detail {
namespace {

constexpr std::size_t piece_bytes = std::size_t{1} << 20;

void count_degrees(std::span<const EdgeIndex> offsets, BinaryHeader& header) {
  header.vertices = offsets.size() - 1;
  header.arcs = static_cast<std::uint64_t>(offsets.back());
  for (std::size_t v = 0; v + 1 < offsets.size(); ++v) {
    const auto degree = static_cast<std::uint64_t>(offsets[v + 1] - offsets[v]);
    header.degree_min = v == 0 ? degree : std::min(header.degree_min, degree);
    header.degree_max = std::max(header.degree_max, degree);
    header.isolated += degree == 0 ? 1 : 0;
  }
}

void copy_counts(const InputStats& stats, BinaryHeader& header) {
  header.names_given = stats.names_given ? 1 : 0;
  header.edges_given = stats.edges_given;
  header.self_loops_dropped = stats.self_loops_dropped;
  header.duplicates_merged = stats.duplicates_merged;
  header.reversed_merged = stats.reversed_merged;
  header.opposite_differ = stats.opposite_differ;
  header.zero_weights_dropped = stats.zero_weights_dropped;
}

}  // namespace

void WeightTally::add(std::span<const double> weights) {
  if (weights.empty()) return;
  if (empty) min = max = weights.front();
  empty = false;
  for (const double w : weights) {
    unit &= w == 1.0;
    floats &= double{static_cast<float>(w)} == w;
    min = std::min(min, w);
    max = std::max(max, w);
  }
}

GraphFileWriter::GraphFileWriter(OutputFile& out, const BinaryWriteOptions& options)
    : file_(out), compress_(options.compress) {
  file_.begin(compress_ ? SectionKind::rows : SectionKind::neighbors);
}

void GraphFileWriter::add_rows(std::span<const EdgeIndex> offsets,
                               std::span<const VertexId> neighbors) {
  if (!compress_) {
    file_.append(neighbors);
    return;
  }
  for (std::size_t r = 0; r + 1 < offsets.size(); ++r) {
    rows_.add(neighbors.subspan(static_cast<std::size_t>(offsets[r] - offsets[0]),
                                static_cast<std::size_t>(offsets[r + 1] - offsets[r])));
    if (rows_.bytes().size() < piece_bytes && r + 2 < offsets.size()) continue;
    file_.append(std::span<const std::uint8_t>(rows_.bytes()));
    rows_.clear_bytes();
  }
}

void GraphFileWriter::write_weights(const WeightSource& weights) {
  if (weights.tally.unit) return;
  if (!compress_ || !weights.tally.floats) {
    file_.begin(SectionKind::weights);
    weights.visit([&](std::span<const double> part) { file_.append(part); });
    return;
  }
  file_.begin(SectionKind::float_weights);
  std::vector<float> floats;
  weights.visit([&](std::span<const double> part) {
    constexpr std::size_t some = piece_bytes / sizeof(float);
    for (std::size_t at = 0; at < part.size(); at += some) {
      const auto piece = part.subspan(at, std::min(some, part.size() - at));
      floats.assign(piece.begin(), piece.end());
      file_.append(std::span<const float>(floats));
    }
  });
}

void GraphFileWriter::write_names(const VertexNames& names, BinaryHeader& header) {
  const NameArrays arrays = name_arrays(names);
  header.name_form = static_cast<std::uint32_t>(arrays.form);
  header.first_number = arrays.first;
  if (arrays.form == NameForm::numbered) return;
  if (arrays.form == NameForm::numbers) {
    file_.begin(SectionKind::name_numbers);
    file_.append(std::span<const std::uint64_t>(arrays.numbers));
  } else {
    file_.begin(SectionKind::name_ends);
    file_.append(std::span<const std::uint64_t>(arrays.ends));
    file_.begin(SectionKind::name_text);
    file_.append_bytes(arrays.text);
  }
  file_.begin(SectionKind::name_slots);
  file_.append(std::span<const std::uint32_t>(arrays.slots));
}

void GraphFileWriter::finish(std::span<const EdgeIndex> offsets, const WeightSource& weights,
                             const VertexNames& names, const InputStats& stats) {
  BinaryHeader header;
  count_degrees(offsets, header);
  copy_counts(stats, header);
  if (!weights.tally.empty) {
    header.weight_min = weights.tally.min;
    header.weight_max = weights.tally.max;
  }
  if (compress_) {
    rows_.finish();
    file_.begin(SectionKind::row_anchors);
    file_.append(rows_.anchors());
    file_.begin(SectionKind::row_near);
    file_.append(rows_.near());
    file_.begin(SectionKind::row_far);
    file_.append(rows_.far());
  } else {
    file_.begin(SectionKind::offsets);
    file_.append(offsets);
  }
  write_weights(weights);
  write_names(names, header);
  file_.finish(header);
}

}  // namespace detail

void write_binary_graph(OutputFile& out, const Graph& graph, const VertexNames& names,
                        const BinaryWriteOptions& options, const InputStats& stats) {
  if (names.size() != graph.vertex_count())
    throw Error(ErrorCode::usage, std::to_string(names.size()) + " names for " +
                                      std::to_string(graph.vertex_count()) +
                                      " vertices: must be one for each");
  detail::GraphFileWriter file(out, options);
  file.add_rows(graph.offset_array(), graph.neighbor_array());
  detail::WeightSource weights;
  weights.tally.add(graph.weight_array());
  weights.visit = [&](const auto& body) { body(graph.weight_array()); };
  file.finish(graph.offset_array(), weights, names, stats);
}

}  // namespace gssl
