#include "gssl/graph/compressed_graph.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <string>
#include <utility>

#include "gssl/core/error.hpp"
#include "gssl/core/parallel.hpp"
#include "gssl/graph/trusted_graph.hpp"

namespace gssl {
namespace {

constexpr std::uint64_t far_group = std::uint64_t{1} << 63;
constexpr std::int64_t groups_per_block = 256;  // 2^14 rows

[[noreturn]] void refuse(const std::string& what) {
  throw Error(ErrorCode::bad_data, "rows: " + what);
}

[[noreturn]] void refuse_row(std::size_t row, const std::string& what) {
  refuse("row " + std::to_string(row) + ": " + what);
}

// Reads what may be damaged: never past `end`.
class RowReader {
 public:
  RowReader(const std::uint8_t* begin, const std::uint8_t* end, std::size_t row)
      : at_(begin), end_(end), row_(row) {}

  std::uint64_t number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      if (at_ == end_) refuse_row(row_, "ends in the middle of a number");
      if (shift > 35) refuse_row(row_, "holds a number of more than 5 bytes");
      value |= static_cast<std::uint64_t>(*at_ & 127U) << shift;
      if ((*at_++ & 128U) == 0) return value;
    }
  }
  bool at_end() const { return at_ == end_; }

 private:
  const std::uint8_t* at_;
  const std::uint8_t* end_;
  std::size_t row_;
};

// Walks one row that may be damaged; its degree.
std::uint64_t check_row(RowReader reader, std::size_t row, std::uint64_t vertices) {
  const std::uint64_t degree = reader.number();
  if (degree >= std::max<std::uint64_t>(vertices, 1))
    refuse_row(row, "has " + std::to_string(degree) + " neighbors; must be fewer than vertices");
  std::int64_t last = 0;
  for (std::uint64_t i = 0; i < degree; ++i) {
    const std::uint64_t number = reader.number();
    const auto half = static_cast<std::int64_t>(number >> 1U);
    last = i == 0 ? static_cast<std::int64_t>(row) + ((number & 1U) != 0 ? -half - 1 : half)
                  : last + static_cast<std::int64_t>(number) + 1;
    if (last < 0 || last >= static_cast<std::int64_t>(vertices))
      refuse_row(row, "neighbor " + std::to_string(last) + " is not a vertex");
    if (last == static_cast<std::int64_t>(row)) refuse_row(row, "self-loop");
  }
  if (!reader.at_end()) refuse_row(row, "does not end where the next begins");
  return degree;
}

}  // namespace

CompressedGraph::CompressedGraph(std::shared_ptr<const void> owner, const CompressedRows& rows,
                                 const RunContext& run)
    : rows_(rows), owner_(std::move(owner)) {
  check(run);
}

void CompressedGraph::check(const RunContext& run) const {
  const auto n = static_cast<std::size_t>(rows_.vertex_count);
  const std::size_t groups = (n + rows_per_anchor - 1) / rows_per_anchor;
  const auto arcs = static_cast<std::size_t>(rows_.arc_count);
  if (rows_.anchors.size() != groups || rows_.near.size() != n)
    refuse("anchors and starts do not fit the number of vertices");
  if ((!rows_.weights.empty() && rows_.weights.size() != arcs) ||
      (!rows_.float_weights.empty() && rows_.float_weights.size() != arcs))
    refuse("weights do not fit the number of arcs");
  parallel_blocks(
      static_cast<std::int64_t>(groups), run.thread_count(),
      [&](std::int64_t begin, std::int64_t end) {
        for (auto g = static_cast<std::size_t>(begin); g < static_cast<std::size_t>(end); ++g)
          check_group(g);
      },
      groups_per_block);
}

// Each start lies inside before a row is read; a row is read no further than the start of the next.
void CompressedGraph::check_group(std::size_t group) const {
  const auto n = static_cast<std::size_t>(rows_.vertex_count);
  const std::size_t first = group * rows_per_anchor;
  const std::size_t last = std::min(n, first + rows_per_anchor);
  const auto start_of = [&](std::size_t row) -> std::uint64_t {
    if (row == n) return rows_.bytes.size();
    const std::uint64_t anchor = rows_.anchors[row / rows_per_anchor].byte;
    if ((anchor & far_group) == 0) {
      if (anchor > rows_.bytes.size()) refuse_row(row, "starts outside of the rows");
      return anchor + rows_.near[row];
    }
    const std::uint64_t at = (anchor & ~far_group) + row % rows_per_anchor;
    if (at >= rows_.far.size()) refuse_row(row, "has no start");
    return rows_.far[at];
  };
  std::uint64_t arc = rows_.anchors[group].arc;
  std::uint64_t start = start_of(first);
  if (group == 0 && (start != 0 || arc != 0)) refuse_row(0, "does not start at 0");
  for (std::size_t row = first; row < last; ++row) {
    const std::uint64_t end = start_of(row + 1);
    if (start > end || end > rows_.bytes.size()) refuse_row(row, "ends outside of the rows");
    arc += check_row({rows_.bytes.data() + start, rows_.bytes.data() + end, row}, row, n);
    start = end;
  }
  const std::uint64_t expected =
      last == n ? static_cast<std::uint64_t>(rows_.arc_count) : rows_.anchors[group + 1].arc;
  if (arc != expected) refuse_row(last - 1, "the arcs up to it are counted wrongly");
}

std::size_t CompressedGraph::memory_bytes() const {
  return rows_.bytes.size_bytes() + rows_.anchors.size_bytes() + rows_.near.size_bytes() +
         rows_.far.size_bytes() + rows_.weights.size_bytes() + rows_.float_weights.size_bytes();
}

CompressedGraph CompressedGraph::of(const Graph& graph) {
  struct Arrays {
    RowCompressor rows;
    std::vector<double> weights;
    std::vector<float> floats;
  };
  auto arrays = std::make_shared<Arrays>();
  for (VertexId v = 0; v < graph.vertex_count(); ++v) arrays->rows.add(graph.neighbors(v));
  arrays->rows.finish();
  const std::span<const double> weights = graph.weight_array();
  if (std::ranges::all_of(weights, [](double w) { return double{static_cast<float>(w)} == w; }))
    arrays->floats.assign(weights.begin(), weights.end());
  else
    arrays->weights.assign(weights.begin(), weights.end());
  CompressedGraph result;
  result.rows_ = {graph.vertex_count(),   2 * graph.edge_count(), arrays->rows.bytes(),
                  arrays->rows.anchors(), arrays->rows.near(),    arrays->rows.far(),
                  arrays->weights,        arrays->floats};
  result.owner_ = std::move(arrays);
  return result;
}

Graph CompressedGraph::expand(const RunContext& run) const {
  const auto n = static_cast<std::size_t>(vertex_count());
  const int threads = run.thread_count();
  constexpr std::int64_t block = groups_per_block * rows_per_anchor;
  std::vector<EdgeIndex> offsets(n + 1, 0);
  std::vector<VertexId> neighbors(static_cast<std::size_t>(rows_.arc_count));
  std::vector<double> weights(has_unit_weights() ? 0 : neighbors.size());
  parallel_blocks(
      vertex_count(), threads,
      [&](std::int64_t begin, std::int64_t end) {
        auto arc = static_cast<std::size_t>(first_arc(static_cast<VertexId>(begin)));
        sweep(static_cast<VertexId>(begin), static_cast<VertexId>(end),
              [&](VertexId v, auto&& visit) {
                visit([&](VertexId u, double w) {
                  neighbors[arc] = u;
                  if (!weights.empty()) weights[arc] = w;
                  ++arc;
                });
                offsets[static_cast<std::size_t>(v) + 1] = static_cast<EdgeIndex>(arc);
              });
      },
      block);
  return TrustedGraph::make(std::move(offsets), std::move(neighbors), std::move(weights));
}

namespace {

// Labels that only fall, read and written by several threads.
class Labels {
 public:
  explicit Labels(VertexId n) : of_(static_cast<std::size_t>(n)) {
    for (VertexId v = 0; v < n; ++v) of_[static_cast<std::size_t>(v)] = v;
  }
  VertexId get(VertexId v) const {
    return std::atomic_ref(of_[static_cast<std::size_t>(v)]).load(std::memory_order_relaxed);
  }
  // The least of what stands there and `label`; whether that is new.
  bool lower(VertexId v, VertexId label) {
    const std::atomic_ref at(of_[static_cast<std::size_t>(v)]);
    VertexId now = at.load(std::memory_order_relaxed);
    while (label < now)
      if (at.compare_exchange_weak(now, label, std::memory_order_relaxed)) return true;
    return false;
  }
  // The end of the pointers from v, which afterwards points there.
  VertexId root(VertexId v) {
    VertexId end = get(v);
    while (get(end) != end) end = get(end);
    lower(v, end);
    return end;
  }

 private:
  mutable std::vector<VertexId> of_;
};

}  // namespace

Components connected_components(const CompressedGraph& graph, const RunContext& run) {
  const VertexId n = graph.vertex_count();
  Labels labels(n);
  constexpr std::int64_t block = 1 << 14;
  std::atomic<bool> changed{n > 0};
  while (changed.exchange(false)) {
    run.throw_if_stopped("connected components", "before they were found");
    parallel_blocks(
        n, run.thread_count(),
        [&](std::int64_t begin, std::int64_t end) {
          if (run.should_stop()) return;
          bool lowered = false;
          graph.sweep(static_cast<VertexId>(begin), static_cast<VertexId>(end),
                      [&](VertexId v, auto&& visit) {
                        VertexId mine = labels.root(v);
                        visit([&](VertexId u, double) {
                          if (labels.get(u) == mine) return;
                          const VertexId theirs = labels.root(u);
                          if (theirs == mine) return;
                          lowered |= labels.lower(std::max(mine, theirs), std::min(mine, theirs));
                          mine = std::min(mine, theirs);
                        });
                      });
          if (lowered) changed.store(true);
        },
        block);
  }
  run.throw_if_stopped("connected components", "before they were found");
  // The least vertex of a component is its label, and comes first.
  Components result;
  result.of.resize(static_cast<std::size_t>(n));
  for (VertexId v = 0; v < n; ++v) {
    const VertexId root = labels.root(v);
    if (root == v) {
      result.of[static_cast<std::size_t>(v)] = result.count++;
      result.sizes.push_back(0);
    } else {
      result.of[static_cast<std::size_t>(v)] = result.of[static_cast<std::size_t>(root)];
    }
    ++result.sizes[static_cast<std::size_t>(result.of[static_cast<std::size_t>(v)])];
  }
  return result;
}

}  // namespace gssl
